/** Dates such as “5 March 2026” in a language of the app. */
export const dateFormat = (language: string, more: Intl.DateTimeFormatOptions = {}): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', ...more });
