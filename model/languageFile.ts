import type { LanguageCode } from './languages';

/** The texts of one language that the server uses. */
interface LanguageFile {
  /** Of the page and of errors, by key. */
  page: Readonly<Record<string, string>>;
  /** Of mails; model/mail/texts.ts knows their form. */
  mail: unknown;
}

/**
 * Reads the texts of a language at their first use. In dist/ they are one compressed file for each language, with only
 * the keys that the server needs: bin/buildServer.ts replaces this file.
 */
export const languageFile = (code: LanguageCode): LanguageFile => ({
  page: require(`../locales/${code}.json`),
  mail: require(`../templates/mail/${code}.json`),
});
