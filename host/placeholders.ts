/** Changes of a copied pad's text, in Etherpad's format: for example, they replace placeholders such as `{{date}}`. */

/** A text of Etherpad. `attribs`: for each stretch of characters its attributes, as numbers in the pad's pool. */
export interface AttributedText {
  text: string;
  attribs: string;
}

const base36 = (number: number): string => number.toString(36);

/** The operators that keep a text: up to its last line end, then the rest. */
function keeping(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.split('\n').length - 1;
  const whole = lines === 0 ? '' : `|${base36(lines)}=${base36(end)}`;
  return end === text.length ? whole : `${whole}=${base36(text.length - end)}`;
}

/** The changeset that removes the last, empty line of a text. */
export const withoutLastLine = (text: string): string =>
  `Z:${base36(text.length)}<1${keeping(text.slice(0, -2))}|1-1$`;

/** Returns the attributes of the character at a position. Positions must not go backwards. */
function attributesIn(attribs: string): (at: number) => string {
  const stretches = attribs.matchAll(/((?:\*[0-9a-z]+)*)(?:\|[0-9a-z]+)?\+([0-9a-z]+)/g);
  let [current, end] = ['', 0];
  return (at) => {
    while (end <= at) {
      const { value } = stretches.next();
      if (value === undefined) return '';
      current = value[1] ?? '';
      end += Number.parseInt(value[2] ?? '0', 36);
    }
    return current;
  };
}

/**
 * The changeset that replaces `{{name}}` by `texts.name`, on one line, with the attributes that the placeholder has.
 * `undefined` if the text has no placeholder of `texts`.
 */
export function fillPlaceholders(
  { text, attribs }: AttributedText,
  texts: Readonly<Record<string, string>>,
): string | undefined {
  const attributesAt = attributesIn(attribs);
  let [operators, inserted, removing, adding, at, removed] = ['', '', 0, '', 0, 0];
  for (const { 0: placeholder, 1: name = '', index } of text.matchAll(/\{\{(\w+)\}\}/g)) {
    if (!Object.hasOwn(texts, name)) continue;
    if (index > at && removing > 0) {
      operators += `-${base36(removing)}${adding}`;
      [removing, adding] = [0, ''];
    }
    operators += keeping(text.slice(at, index));
    const value = (texts[name] ?? '').replace(/[\s\p{Cc}]+/gu, ' ');
    if (value !== '') adding += `${attributesAt(index)}+${base36(value.length)}`;
    removing += placeholder.length;
    removed += placeholder.length;
    inserted += value;
    at = index + placeholder.length;
  }
  if (removing === 0) return undefined;
  const change = inserted.length - removed;
  const difference = `${change < 0 ? '<' : '>'}${base36(Math.abs(change))}`;
  return `Z:${base36(text.length)}${difference}${operators}-${base36(removing)}${adding}$${inserted}`;
}
