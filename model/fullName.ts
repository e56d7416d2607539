/** Names of people that are written without spaces: Chinese, Japanese, Korean. */
const familyFirst = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fb\u30fc]+$/u;

/** First and last name in the order of their language, as far as they are known; `''` if none is. */
export function fullName({
  firstname = '',
  lastname = '',
}: {
  firstname?: string | undefined;
  lastname?: string | undefined;
}): string {
  const both = firstname !== '' && lastname !== '';
  if (both && familyFirst.test(firstname) && familyFirst.test(lastname)) return `${lastname}${firstname}`;
  return `${firstname} ${lastname}`.trim();
}

/** The fields of a form for both names, in the order of the language. */
export function nameFields(
  language: string,
): readonly ['firstname', 'lastname'] | readonly ['lastname', 'firstname'] {
  return /^(ja|zh)/.test(language) ? ['lastname', 'firstname'] : ['firstname', 'lastname'];
}
