/** The first of a month, in languages that write it as an ordinal number. Intl does not. */
const firstOfMonth: Readonly<Record<string, string>> = { fr: '1er', 'pt-BR': '1º' };

/** Milliseconds since 1970 of which a date can be made. For times that files or programs have chosen. */
export const isTime = (time: unknown): time is number =>
  typeof time === 'number' && !Number.isNaN(new Date(time).getTime());

/** Formats times as Intl does, with the first of a month as the language has it. */
export function dateFormatter(
  language: string,
  options: Intl.DateTimeFormatOptions,
): (time?: number | Date) => string {
  const format = new Intl.DateTimeFormat(language, options);
  const first = firstOfMonth[language];
  return (time) => {
    const text = format.format(time);
    return first === undefined ? text : text.replace(/\b1(?= \p{L})/u, first);
  };
}

/** Dates such as “5 March 2026” in a language of the app. */
export const dateFormat = (language: string, more: Intl.DateTimeFormatOptions = {}) =>
  dateFormatter(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', ...more });
