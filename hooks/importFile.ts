/**
 * Checks the size and the records of imported files. Etherpad is blocked for minutes by a file of 50 MB. 1.8.14 writes
 * a record with `padIDs` under any key of an .etherpad file, even a session, and exits over malformed records.
 */
import { readFile, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { convertsDocuments } from '../host/settings';
import { editorLimits, importLimits } from '../model/limits';
import { fitsAttributedText, parseChangeset } from './changeset';
import { type Fields, isObject } from './fields';
import { noteImportError, noteUpload } from './importAnswer';
import { isSmallHtml } from './importedHtml';
import { currentRuntime } from './runtime';

const isPool = (pool: unknown): boolean =>
  isObject(pool) && isObject(pool.numToAttrib) && Object.values(pool.numToAttrib).every(Array.isArray);

const isAttributedText = (value: unknown): value is { text: string; attribs: string } =>
  isObject(value) &&
  typeof value.text === 'string' &&
  typeof value.attribs === 'string' &&
  value.text.length <= editorLimits.padText &&
  fitsAttributedText(value.text, value.attribs);

const isRevision = ({ changeset, meta }: Fields): boolean =>
  typeof changeset === 'string' && isObject(meta) && (!meta.atext || isAttributedText(meta.atext));

/** 1.8.14 would write a record with `padIDs` under any key. */
const isNeitherAuthorNorPad = (record: Fields): boolean => !('padIDs' in record || 'pool' in record);

/** Etherpad before 3.3.4 writes the colour of an author into HTML as it is (GHSA-6vx2-3gwr-958v). */
const isColour = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  Number.isInteger(value) ||
  /^#(?:[\da-f]{3}){1,2}$/i.test(String(value));

/** Would 1.8.14 copy these fields into the pad object? It would then write under another pad's key. */
const hasInternalFields = (record: Fields): boolean => ['id', 'db'].some((name) => name in record);

/** False if the last revision or chat message has a number that is not below `size`: the file lacks records then. */
function isPad({ atext, pool, head, chatHead = -1 }: Fields, size: number): boolean {
  const hasEnoughRecords = [head, chatHead].every((last) => Number.isInteger(last) && Number(last) < size);
  return hasEnoughRecords && isPool(pool) && isAttributedText(atext);
}

/** Which records are allowed under which keys. The first pattern that matches the key decides. */
const allowedRecords: readonly (readonly [RegExp, (record: Fields, size: number) => boolean])[] = [
  [/^globalAuthor:a\.[\w-]{1,64}$/, (record) => !('pool' in record) && isColour(record.colorId)],
  [
    /^pad:[^:]+$/,
    (record, size) => isPad(record, size) && !('padIDs' in record) && !hasInternalFields(record),
  ],
  [/^pad:[^:]+:revs:\d{1,9}$/, (record) => isRevision(record) && isNeitherAuthorNorPad(record)],
  [/^pad:[^:]+:chat:\d{1,9}$/, isNeitherAuthorNorPad],
  // Records of other plugins: their own import hooks decide what to do with them.
  [/^(?!pad:)/, isNeitherAuthorNorPad],
];

/** The number of records that are checked before other work gets a turn. */
const batchSize = 100;

/** The key of the first record that is not allowed by itself; `undefined` if all are allowed. */
async function forbiddenRecord(records: Fields, keys: string[]): Promise<string | undefined> {
  for (const [index, key] of keys.entries()) {
    if (index % batchSize === 0) await nextTurn();
    const record = records[key];
    const [, fits] = allowedRecords.find(([pattern]) => pattern.test(key)) ?? [];
    if (!isObject(record) || fits?.(record, keys.length) !== true) return key;
  }
  return undefined;
}

/**
 * The key of the first revision whose changeset is invalid or does not fit the text length of the revision before it.
 * Etherpad applies these changesets when somebody opens the history, and loops up to any number that they name.
 */
async function invalidRevision(records: Fields, padKey: string): Promise<string | undefined> {
  const { atext, head } = records[padKey] as { atext: { text: string }; head: number };
  let length: number | undefined = 1;
  for (let number = 0; number <= head; number++) {
    if (number % batchSize === 0) await nextTurn();
    const key = `${padKey}:revs:${number}`;
    const record = records[key] as { changeset: string; meta: Fields } | undefined;
    const changeset = record && parseChangeset(record.changeset);
    if (record && (!changeset || (length !== undefined && changeset.oldLength !== length))) return key;
    length = changeset?.newLength;
  }
  return length === undefined || length === atext.text.length ? undefined : padKey;
}

/** The key of the first record that must not be imported; `''` if there is no pad; `undefined` if all may be. */
async function badRecord(records: unknown): Promise<string | undefined> {
  if (!isObject(records)) return '';
  const keys = Object.keys(records);
  const [padKey, ...more] = keys.filter((key) => /^pad:[^:]+$/.test(key));
  if (padKey === undefined || more.length > 0) return more[0] ?? '';
  const refused = await forbiddenRecord(records, keys);
  if (refused !== undefined) return refused;
  const { head } = records[padKey] as { head: number };
  const isStray = (key: string): boolean => {
    const [, own = '', revision] = /^(pad:[^:]+):(?:revs:(\d+)|chat:\d+)$/.exec(key) ?? [];
    return own !== '' && (own !== padKey || Number(revision ?? 0) > head);
  };
  return keys.find(isStray) ?? invalidRevision(records, padKey);
}

/** Office formats. `soffice` or `abiword` converts them; Etherpad 3.x reads some of them itself. */
const officeFormats = ['.doc', '.docx', '.odt', '.pdf', '.rtf'];

function tooLarge(fileEnding: string): Error {
  noteImportError('maxFileSize');
  currentRuntime()?.log.warn('import too large', { format: fileEnding.slice(0, 20) });
  return new Error('import refused: the file is too large');
}

/** The text of an imported file. Throws if it has more bytes than `limit`. */
async function readUpload(file: string, fileEnding: string, limit: number): Promise<string> {
  if ((await stat(file)).size > limit) throw tooLarge(fileEnding);
  return readFile(file, 'utf8');
}

async function checkEtherpadFile(content: string): Promise<void> {
  let records: unknown;
  try {
    records = JSON.parse(content);
  } catch {
    throw new Error('import refused: the file is not valid JSON');
  }
  const refused = await badRecord(records);
  if (refused === undefined) return;
  currentRuntime()?.log.warn('import refused', { record: refused.slice(0, 100) });
  throw new Error('import refused: the file has records that do not belong to a valid pad');
}

/**
 * Etherpad calls this before it imports a file. It imports nothing if this throws. What a program makes of an office
 * document is not checked, because it is converted after this.
 */
export async function importFile(
  _name: string,
  { srcFile, destFile, fileEnding }: { srcFile: string; destFile: string; fileEnding: string },
): Promise<undefined> {
  const isEtherpadFile = fileEnding === '.etherpad';
  noteUpload({ files: [srcFile, destFile], error: isEtherpadFile ? 'uploadFailed' : undefined });
  if (isEtherpadFile) {
    await checkEtherpadFile(await readUpload(srcFile, fileEnding, importLimits.etherpad));
  } else if (fileEnding === '.html' || fileEnding === '.htm') {
    const html = await readUpload(srcFile, fileEnding, importLimits.html);
    if (!(await isSmallHtml(html))) throw tooLarge(fileEnding);
  } else if (!convertsDocuments() || !officeFormats.includes(fileEnding)) {
    const text = await readUpload(srcFile, fileEnding, importLimits.text);
    if (text.length > editorLimits.padText) throw tooLarge(fileEnding);
  }
}
