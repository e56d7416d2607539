/**
 * Attributes of a pad's text, such as `['bold', 'true']`. An editor makes class names of them, plugins often of the value as it is, and HTML
 * of some class names: Etherpad before 3.3.1 writes what follows `start:` into a tag, and every version so far makes a tag of whatever
 * follows `tag:` and a link of what follows `url:`. Who may write could run a script in the browser of everybody who looks at the pad.
 */

type Attribute = [name: string, value: string];

/** What a pad has for all numbers that its text refers to, and the way back. */
export interface Pool {
  numToAttrib: Record<string, unknown>;
  attribToNum: Record<string, number>;
}

/** Etherpad's own, whose values it writes as they are; what it gives them are words such as `number1`. */
const written = ['list', 'start'];

const isWord = (text: string): boolean => /^[\w-]*$/.test(text);
/** Would the editor make more of it than a plain tag such as `tag:b`? */
const isMarkup = (text: string): boolean => /(^| )(start|tag|url):\w*[^\w ]/.test(text);

/** An attribute that no editor makes a script of. */
export function isAttribute(pair: unknown): pair is Attribute {
  if (!Array.isArray(pair)) return false;
  const [name, value] = pair as unknown[];
  if (typeof name !== 'string' || typeof value !== 'string') return false;
  return written.includes(name) ? isWord(value) : !isMarkup(name) && !isMarkup(value);
}

const wordOf = (part: unknown): string =>
  typeof part === 'object' ? '' : String(part ?? '').replace(/[^\w-]/g, '');

/** Takes out of a pad what no editor should have let in, so that every number still stands for an attribute of its own. */
function mend(pool: Pool): void {
  for (const [number, pair] of Object.entries(pool.numToAttrib)) {
    if (isAttribute(pair) || !Array.isArray(pair)) continue;
    const [name, value] = pair;
    const mended = [wordOf(name), wordOf(value)];
    delete pool.attribToNum[String(pair)];
    pool.numToAttrib[number] = mended;
    pool.attribToNum[String(mended)] ??= Number(number);
  }
}

/** Etherpad has read a pad from its database: one from before us, or one that has just been imported. */
export function padLoad(_name: string, { pad }: { pad: { pool: Pool } }): void {
  mend(pad.pool);
}
