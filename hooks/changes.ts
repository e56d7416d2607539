/**
 * Validates changes of a pad's text (USER_CHANGES): first alone, when the packet arrives, then against the pad, when
 * the pad is known. Invalid changes never reach Etherpad; the editor gets Etherpad's own answer to a bad changeset.
 */

import { type Changeset, fitsText, follow, parseChangeset } from '../host/changeset';
import { contentOfPad, type PadContent } from '../host/padContent';
import type { EditorSocket } from '../host/sockets';
import { type Fields, isObject } from '../model/fields';
import { editorLimits } from '../model/limits';
import { isSafeAttribute } from './attributes';

type Pool = Map<number, [name: string, value: string]>;

interface Change {
  baseRevision: number;
  changeset: Changeset;
  pool: Pool;
}

/** Etherpad splits the line at each character with one of these attributes, so the number of characters is limited. */
const lineMarkers = ['lmkr', 'list'];

/** Reads the attribute pool of a changeset. `undefined` if it is malformed or too large. */
function readPool(pool: unknown): Pool | undefined {
  if (!isObject(pool) || !isObject(pool.numToAttrib)) return undefined;
  const { nextNum = 0 } = pool;
  if (!Number.isInteger(nextNum) || Number(nextNum) < 0) return undefined;
  const entries = Object.entries(pool.numToAttrib);
  if (entries.length > editorLimits.attributes) return undefined;
  const read: Pool = new Map();
  let characters = 0;
  for (const [number, pair] of entries) {
    if (!/^(0|[1-9]\d{0,8})$/.test(number) || !isSafeAttribute(pair) || pair.length !== 2) return undefined;
    characters += pair[0].length + pair[1].length;
    read.set(Number(number), pair);
  }
  return characters > editorLimits.attributeText ? undefined : read;
}

/** Does every operator use only attributes of the pool, and each attribute name at most once? */
function hasValidAttributes({ operators }: Changeset, pool: Pool): boolean {
  let [markers, uses] = [0, 0];
  return operators.every(({ attributes, characters }) => {
    uses += attributes.length;
    if (attributes.length > editorLimits.attributesOfText || uses > editorLimits.attributeUses) return false;
    const pairs = attributes.map((number) => pool.get(number));
    const names = new Set(pairs.map((pair) => pair?.[0]));
    if (names.has(undefined) || names.size !== pairs.length) return false;
    if (pairs.some(isLineMarker)) markers += characters;
    return markers <= editorLimits.operators;
  });
}

const isLineMarker = (pair: [string, string] | undefined): boolean =>
  pair !== undefined && lineMarkers.includes(pair[0]) && pair[1] !== '';

/** The parsed form of `data` objects that were valid, so that no changeset is parsed twice. */
const parsed = new WeakMap<object, Change>();

/** Is the `data` of a USER_CHANGES valid, as far as that can be decided without the pad? */
export function isValidChange(data: Fields): boolean {
  if (parsed.has(data)) return true;
  const { baseRev, changeset: text, apool } = data;
  if (!Number.isInteger(baseRev) || Number(baseRev) < 0) return false;
  if (typeof text !== 'string' || text.length > editorLimits.changeset) return false;
  const changeset = parseChangeset(text, editorLimits.operators);
  const pool = changeset && readPool(apool);
  if (!changeset || !pool || !hasValidAttributes(changeset, pool)) return false;
  parsed.set(data, { baseRevision: Number(baseRev), changeset, pool });
  return true;
}

/** Does the change insert text in another author's name? 1.8.14 checks this too, but in base 10 instead of 36. */
function isForged({ changeset, pool }: Change, author: string | undefined): boolean {
  return changeset.operators.some(
    ({ sign, attributes }) =>
      sign === '+' &&
      attributes.some((number) => {
        const [name, value] = pool.get(number) ?? [];
        return name === 'author' && value !== '' && value !== author;
      }),
  );
}

const lengthOfOperators = (changeset: string): number => changeset.indexOf('$');

/**
 * The change as Etherpad will apply it to the current text, which tells whether its lines are those of the text that
 * it was made for. `undefined`: it was made for another text, or Etherpad would need too long for it.
 */
async function rebase(
  text: string,
  { baseRevision }: Change,
  { head, changesetOf }: PadContent,
): Promise<Changeset | undefined> {
  let [rebased, length]: [string | undefined, number] = [text, 0];
  for (let revision = baseRevision + 1; revision <= head; revision++) {
    const other = String(await changesetOf(revision));
    length += lengthOfOperators(other) + lengthOfOperators(rebased);
    if (length > editorLimits.rebasedOperators) return undefined;
    rebased = follow(other, rebased);
    if (rebased === undefined) return undefined;
  }
  return parseChangeset(rebased);
}

const linesBy = (sign: string): number => ({ '+': 1, '-': -1 })[sign] ?? 0;

/**
 * May Etherpad apply this change to the current pad? `isThere`: it is known that the pad exists. `author`: the author
 * id of the editor that sent it.
 */
export async function fitsPad(
  data: Fields,
  { padId, isThere }: { padId: string; isThere?: boolean | undefined },
  author: string | undefined,
): Promise<boolean> {
  const change = isValidChange(data) ? parsed.get(data) : undefined;
  const pad = change && (await contentOfPad(padId, isThere));
  if (!pad || isForged(change, author)) return false;
  const { baseRevision, changeset } = change;
  const { head, text } = pad;
  if (baseRevision > head || head - baseRevision > editorLimits.revisionsBehind) return false;
  if (changeset.newLength > changeset.oldLength && changeset.newLength > editorLimits.padText) return false;
  const moreLines = changeset.operators.reduce((sum, { sign, lines }) => sum + linesBy(sign) * lines, 0);
  if (moreLines > 0 && text.split('\n').length - 1 + moreLines > editorLimits.padLines) return false;
  const maxOperators =
    pad.attribs.length > editorLimits.padAttribs ? editorLimits.operatorsOfLargePad : Infinity;
  if (changeset.operators.length > maxOperators) return false;
  if (change.pool.size > 0 && pad.attributes > editorLimits.padAttributes) return false;
  const current = baseRevision === head ? changeset : await rebase(String(data.changeset), change, pad);
  return current !== undefined && fitsText(current, text);
}

/** Has a reconnecting editor missed so many revisions that sending them would block the server? */
export async function isFarBehind(revision: unknown, padId: string): Promise<boolean> {
  const pad = await contentOfPad(padId);
  return (
    pad !== undefined &&
    Number.isInteger(revision) &&
    pad.head - Number(revision) > editorLimits.revisionsMissed
  );
}

/** Etherpad's own answer to a bad changeset: the editor stops and keeps showing its text. */
export function refuseChange(socket: EditorSocket): void {
  socket.emit('message', { disconnect: 'badChangeset' });
}

/** Etherpad's own answer to an editor that was away for too long: the editor offers to reload the page. */
export function refuseReconnect(socket: EditorSocket): void {
  socket.emit('message', { disconnect: 'slowcommit' });
}
