/** The beginning of a text, at most `most` characters (UTF-16), without half a character at its end. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
