import { languageFile } from './languageFile';
import type { LanguageCode } from './languages';

/** A text of the page by its key; `''` if the server has not got it. */
export const pageText = (language: LanguageCode, key: string): string =>
  languageFile(language).page[key] ?? '';
