import { byLanguage, type LanguageCode } from './languages';

/** esbuild bundles the files that match this pattern; bin/buildServer.ts keeps only the keys that the server needs. */
const texts = byLanguage((code): Readonly<Record<string, string>> => require(`../locales/${code}.json`));

/** A text of the page that the server uses too, by its key in locales/; `''` if bin/buildServer.ts leaves it out. */
export const pageText = (language: LanguageCode, key: string): string => texts[language][key] ?? '';
