/**
 * Checks attributes of a pad's text, such as `['bold', 'true']`. The editor turns attributes into class names, and the
 * class names `start:…` (before 3.3.1), `tag:…` and `url:…` into unescaped HTML. Without this check, anybody who may
 * write in a pad could run a script in the browser of everybody who opens it.
 */

type Attribute = [name: string, value: string];

/** A pad's attribute pool: the text refers to attributes by number. `attribToNum` is the reverse index. */
export interface Pool {
  numToAttrib: Record<string, unknown>;
  attribToNum: Record<string, number>;
}

/** Etherpad writes the values of these attributes into HTML unescaped. Its own values are words such as `number1`. */
const rawValueNames = ['list', 'start'];

const isWord = (text: string): boolean => /^[\w-]*$/.test(text);
/** Would the editor turn this class name into HTML that is more than a plain tag such as `tag:b`? */
const isMarkup = (text: string): boolean => /(^| )(start|tag|url):\w*[^\w ]/.test(text);

/** True for a name and a value that the editor cannot turn into a script. */
export function isSafeAttribute(pair: unknown): pair is Attribute {
  if (!Array.isArray(pair)) return false;
  const [name, value] = pair as unknown[];
  if (typeof name !== 'string' || typeof value !== 'string') return false;
  return rawValueNames.includes(name) ? isWord(value) : !isMarkup(name) && !isMarkup(value);
}

/** Keeps only letters, digits, `_` and `-`. */
const wordOf = (part: unknown): string =>
  typeof part === 'object' ? '' : String(part ?? '').replace(/[^\w-]/g, '');

/** Rewrites unsafe attributes in place. Numbers stay as they are, because the pad's text refers to them. */
function sanitise(pool: Pool): void {
  for (const [number, pair] of Object.entries(pool.numToAttrib)) {
    if (isSafeAttribute(pair) || !Array.isArray(pair)) continue;
    const [name, value] = pair;
    const safe = [wordOf(name), wordOf(value)];
    delete pool.attribToNum[String(pair)];
    pool.numToAttrib[number] = safe;
    pool.attribToNum[String(safe)] ??= Number(number);
  }
}

/** Called when Etherpad has loaded a pad, which may be older than this plugin or may have just been imported. */
export function padLoad(_name: string, { pad }: { pad: { pool: Pool } }): void {
  sanitise(pad.pool);
}
