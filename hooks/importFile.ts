/**
 * A file of Etherpad's own format is a list of database records, and Etherpad 1.8.14 writes what it finds in it: a record with `padIDs`
 * under whatever key it names, a session of an administrator too. Only what a pad is made of may come in, in the shape that Etherpad
 * itself gives it; it exits over others. Later versions look for themselves, and lose nothing by this.
 */
import { readFile } from 'node:fs/promises';
import { openHouse } from './house';

type Fields = Record<string, unknown>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPool = (pool: unknown): boolean =>
  isObject(pool) && isObject(pool.numToAttrib) && Object.values(pool.numToAttrib).every(Array.isArray);

const isRevision = ({ changeset, meta }: Fields): boolean => typeof changeset === 'string' && isObject(meta);

/** Neither an author, which is written under any key, nor a pad. */
const isPlain = (record: Fields): boolean => !('padIDs' in record || 'pool' in record);

/** What 1.8.14 would take over from a record and then use as its own: the key of another pad. */
const isClaimed = (record: Fields): boolean => ['id', 'db'].some((name) => name in record);

/** Revisions and chat lines are counted in the pad: no more than a file of `size` records can hold. */
function isPad({ atext, pool, head, chatHead = -1 }: Fields, size: number): boolean {
  const counted = [head, chatHead].every((last) => Number.isInteger(last) && Number(last) < size);
  return counted && isPool(pool) && isObject(atext) && [atext.text, atext.attribs].every(isText);
}

/** What may stand under a key; the first pattern that fits decides. */
const kinds: readonly (readonly [RegExp, (record: Fields, size: number) => boolean])[] = [
  [/^globalAuthor:a\.[\w-]{1,64}$/, (record) => !('pool' in record)],
  [/^pad:[^:]+$/, (record, size) => isPad(record, size) && !('padIDs' in record) && !isClaimed(record)],
  [/^pad:[^:]+:revs:\d{1,9}$/, (record) => isRevision(record) && isPlain(record)],
  [/^pad:[^:]+:chat:\d{1,9}$/, isPlain],
  // Of other plugins, which take them or leave them.
  [/^(?!pad:)/, isPlain],
];

/** The key of the first record that must not come in; `undefined` when all may. */
export function badRecord(records: unknown): string | undefined {
  if (!isObject(records)) return '';
  const all = Object.keys(records);
  return all.find((key) => {
    const record = records[key];
    const [, fits] = kinds.find(([pattern]) => pattern.test(key)) ?? [];
    return !isObject(record) || fits?.(record, all.length) !== true;
  });
}

/** Etherpad asks plugins before it imports a file, and imports nothing when one throws. */
export async function importFile(
  _name: string,
  { srcFile, fileEnding }: { srcFile: string; fileEnding: string },
): Promise<undefined> {
  if (fileEnding !== '.etherpad') return;
  let records: unknown;
  try {
    records = JSON.parse(await readFile(srcFile, 'utf8'));
  } catch {
    throw new Error('the imported file cannot be read');
  }
  const bad = badRecord(records);
  if (bad === undefined) return;
  openHouse()?.log.warn('an imported file was refused', { record: bad.slice(0, 100) });
  throw new Error('the imported file has records that no pad is made of');
}
