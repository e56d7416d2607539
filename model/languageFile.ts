import type { LanguageCode } from './languages';

/** The texts of one language that the server uses. */
export interface LanguageFile {
  /** Of the page and of errors, by key. */
  page: Readonly<Record<string, string>>;
  /** Of mails; model/mail/texts.ts knows their form. */
  mail: unknown;
}

/** Reads the texts of a language. In the package, model/builtLanguageFile.ts stands in for this file. */
export const languageFile = (code: LanguageCode): LanguageFile => ({
  page: require(`../locales/${code}.json`),
  mail: require(`../templates/mail/${code}.json`),
});
