/**
 * Checks the records of an .etherpad file before Etherpad stores them. Only the records of one pad, of its authors, and
 * of prefixes that a plugin claims may be stored, and none with a key or a value that Etherpad could not read again.
 */
import { type Fields, isMissing, isObject, isText, isTextOrMissing } from '../model/fields';
import { editorLimits, importLimits } from '../model/limits';
import { nextSlice, sliceUsed } from '../model/store/timeSlice';
import { isWithinBounds, isWithinPadLimits } from './bounds';
import { type Changeset, fitsAttributedText, parseChangeset } from './changeset';
import { claimedPrefixes, isPadMethod, pluginsReadImports } from './pluginRecords';

// 1. Values

const isNumberOrMissing = (value: unknown): boolean => isMissing(value) || typeof value === 'number';
const isInteger = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** Numbers without gaps: 1.8.14 would give new attributes the number `NaN` if `nextNum` were missing. */
function isPool(pool: unknown): boolean {
  if (!isObject(pool) || !isObject(pool.numToAttrib)) return false;
  const { numToAttrib, nextNum } = pool;
  const size = Object.keys(numToAttrib).length;
  if (nextNum !== size) return false;
  for (let number = 0; number < size; number++) {
    const pair = numToAttrib[String(number)];
    if (!Array.isArray(pair) || pair.length !== 2) return false;
    if (pair.some((part) => typeof part === 'object')) return false;
  }
  return true;
}

const isAttributedText = (value: unknown): value is { text: string; attribs: string } =>
  isObject(value) &&
  typeof value.text === 'string' &&
  typeof value.attribs === 'string' &&
  isWithinPadLimits(value.text) &&
  value.attribs.length <= importLimits.attribs &&
  fitsAttributedText(value.text, value.attribs);

/** Etherpad before 3.3.4 writes the colour of an author into HTML as it is (GHSA-6vx2-3gwr-958v). */
const isColour = (value: unknown): boolean =>
  isMissing(value) || Number.isInteger(value) || /^#(?:[\da-f]{3}){1,2}$/i.test(String(value));

// 2. Records

/** 1.8.14 would write a record with `padIDs` under any key. */
const isNeitherAuthorNorPad = (record: Fields): boolean => !('padIDs' in record || 'pool' in record);

const isAuthor = (record: Fields): boolean =>
  !('pool' in record) &&
  isColour(record.colorId) &&
  isTextOrMissing(record.name, editorLimits.editorName) &&
  isNumberOrMissing(record.timestamp);

const isSavedRevision = (value: unknown, head: unknown): boolean =>
  isObject(value) &&
  isInteger(value.revNum, 0, Number(head)) &&
  isTextOrMissing(value.savedById, limitOfIds) &&
  isTextOrMissing(value.label, editorLimits.message) &&
  isNumberOrMissing(value.timestamp) &&
  isTextOrMissing(value.id, limitOfIds);

const limitOfIds = 100;

/** Etherpad copies the fields of the record into its pad object. 1.8.14 would then even write under another key. */
const isOwnField = (name: string): boolean => name !== 'id' && name !== 'db' && !isPadMethod(name);

/** False if the last revision or chat message has a number that is not below `size`: the file lacks records then. */
function isPad(record: Fields, size: number): boolean {
  const { atext, pool, head, chatHead = -1, savedRevisions = [] } = record;
  return (
    isInteger(head, 0, size - 1) &&
    isInteger(chatHead, -1, size - 1) &&
    Array.isArray(savedRevisions) &&
    savedRevisions.every((saved) => isSavedRevision(saved, head)) &&
    !('padIDs' in record) &&
    Object.keys(record).every(isOwnField) &&
    isPool(pool) &&
    isAttributedText(atext) &&
    // No editor could open it.
    atext.text.endsWith('\n')
  );
}

const isRevision = (record: Fields): boolean =>
  typeof record.changeset === 'string' &&
  isObject(record.meta) &&
  isTextOrMissing(record.meta.author, limitOfIds) &&
  isNumberOrMissing(record.meta.timestamp) &&
  (isMissing(record.meta.atext) || isAttributedText(record.meta.atext)) &&
  isNeitherAuthorNorPad(record);

const isChatMessage = (record: Fields): boolean =>
  isText(record.text, editorLimits.message) &&
  [record.userId, record.authorId].every((id) => isTextOrMissing(id, limitOfIds)) &&
  isTextOrMissing(record.displayName, editorLimits.message) &&
  isNumberOrMissing(record.time) &&
  isNeitherAuthorNorPad(record);

/** Which records are allowed under which keys. The first pattern that matches the key decides. */
const allowedRecords: readonly (readonly [RegExp, (record: Fields, size: number) => boolean])[] = [
  [/^globalAuthor:a\.[\w-]{1,64}$/, isAuthor],
  [/^pad:[^:]+$/, isPad],
  [/^pad:[^:]+:revs:(?:0|[1-9]\d{0,8})$/, isRevision],
  [/^pad:[^:]+:chat:(?:0|[1-9]\d{0,8})$/, isChatMessage],
];

/** Deeper values cannot be written: to store them, Etherpad's database would need more stack than there is. */
const bounds = { characters: importLimits.etherpad, values: importLimits.etherpad, depth: 20 };

/**
 * A record of another plugin. Only that plugin knows its fields, and empty records are exported too. PostgreSQL refuses
 * keys that are longer, or have characters such as NUL; 1.8.14 would exit.
 */
const isPluginRecord = (key: string, record: unknown, padId: string): boolean =>
  key.length - padId.length <= importLimits.pluginKey &&
  !/\p{Cc}/u.test(key) &&
  (!isObject(record) || isNeitherAuthorNorPad(record));

function isAllowed(key: string, record: unknown, size: number): boolean {
  const [, fits] = allowedRecords.find(([pattern]) => pattern.test(key)) ?? [];
  return isObject(record) && fits?.(record, size) === true;
}

// 3. The file

const isOfPads = (key: string): boolean => /^(?:pad|globalAuthor):/.test(key);

/** Records of plugins that are not installed, as in a file from another server. */
async function unclaimedKeys(keys: readonly string[], padId: string): Promise<string[]> {
  const others = keys.filter((key) => !isOfPads(key));
  if (others.length === 0 || pluginsReadImports()) return [];
  const claimed = await claimedPrefixes();
  return others.filter((key) => {
    const [prefix = '', ofPad] = key.split(':');
    return !claimed.has(prefix) || ofPad !== padId;
  });
}

/** The key of the first record that is not allowed by itself; `undefined` if all are allowed. */
async function forbiddenRecord(records: Fields, padId: string): Promise<string | undefined> {
  const keys = Object.keys(records);
  for (const key of keys) {
    if (sliceUsed()) await nextSlice();
    const record = records[key];
    const fits = isOfPads(key) ? isAllowed(key, record, keys.length) : isPluginRecord(key, record, padId);
    if (!fits || !isWithinBounds(record, bounds)) return key;
  }
  return undefined;
}

interface Revision {
  changeset: string;
  meta: { atext?: { text: string } };
}

/** Etherpad stores the whole text with every hundredth revision, and shows the history from there. */
function fitsKeptText(number: number, { meta: { atext } }: Revision, { newLength }: Changeset): boolean {
  return atext ? atext.text.length === newLength : number % 100 !== 0;
}

/**
 * The key of the first revision that is missing, whose changeset is invalid or does not fit the text length of the
 * revision before it. Etherpad applies these changesets when somebody opens the history, and loops up to any number
 * that they name.
 */
async function invalidRevision(records: Fields, padKey: string): Promise<string | undefined> {
  const { atext, head } = records[padKey] as { atext: { text: string }; head: number };
  let length = 1;
  for (let number = 0; number <= head; number++) {
    if (sliceUsed()) await nextSlice();
    const key = `${padKey}:revs:${number}`;
    const record = records[key] as Revision | undefined;
    const isShort = record && record.changeset.indexOf('$') <= importLimits.attribs;
    const changeset = isShort && parseChangeset(record.changeset);
    if (!changeset || changeset.oldLength !== length || !fitsKeptText(number, record, changeset)) return key;
    length = changeset.newLength;
  }
  return length === atext.text.length ? undefined : padKey;
}

/** The key of the first chat message that is missing. */
function missingMessage(records: Fields, padKey: string): string | undefined {
  const { chatHead = -1 } = records[padKey] as { chatHead?: number };
  for (let number = 0; number <= chatHead; number++) {
    const key = `${padKey}:chat:${number}`;
    if (!(key in records)) return key;
  }
  return undefined;
}

/** The key of the first record of another pad, or of a revision that the pad does not have. */
function strayRecord(records: Fields, padKey: string): string | undefined {
  const { head } = records[padKey] as { head: number };
  return Object.keys(records).find((key) => {
    const [, own = '', revision] = /^(pad:[^:]+):(?:revs:(\d+)|chat:\d+)$/.exec(key) ?? [];
    return own !== '' && (own !== padKey || Number(revision ?? 0) > head);
  });
}

/** Etherpad writes the pad's id into the records of its authors. 1.8.14 stores a record without it under no key. */
function namePad(records: Fields, padId: string): Fields {
  const authors = Object.entries(records).filter(
    ([key, record]) => key.startsWith('globalAuthor:') && isObject(record) && record.padIDs !== padId,
  );
  const named = authors.map(([key, record]) => [key, { ...(record as Fields), padIDs: padId }]);
  return named.length === 0 ? records : { ...records, ...Object.fromEntries(named) };
}

/** `refused`: the key of a record because of which nothing must be imported; empty if there is no pad. */
export type CheckedRecords = { refused: string } | { records: Fields; leftOut: string[] };

/** Checks the content of an .etherpad file. `records`: what may be imported; the same object if that is all of it. */
export async function checkPadRecords(content: unknown): Promise<CheckedRecords> {
  if (!isObject(content)) return { refused: '' };
  const [padKey, ...more] = Object.keys(content).filter((key) => /^pad:[^:]+$/.test(key));
  if (padKey === undefined || more.length > 0) return { refused: more[0] ?? '' };
  const padId = padKey.slice('pad:'.length);
  const leftOut = await unclaimedKeys(Object.keys(content), padId);
  const unclaimed = new Set(leftOut);
  const kept = Object.entries(content).filter(([key]) => !unclaimed.has(key));
  const records = leftOut.length === 0 ? content : Object.fromEntries(kept);
  const refused =
    (await forbiddenRecord(records, padId)) ??
    strayRecord(records, padKey) ??
    (await invalidRevision(records, padKey)) ??
    missingMessage(records, padKey);
  return refused === undefined ? { records: namePad(records, padId), leftOut } : { refused };
}
