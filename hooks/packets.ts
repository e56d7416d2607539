/**
 * What may come from an editor at all: packets that make sense. Etherpad takes them as they are, and 1.8.14 exits, or counts for ever,
 * over one number or text that it did not expect. Whatever has another shape never reaches it.
 */
import { isAttribute } from './attributes';

type Fields = Record<string, unknown>;

export interface Message {
  type: string;
  padId?: unknown;
  /** Of a COLLABROOM: an object that says its own type. */
  data?: unknown;
}

/** A message that opens a pad, with what the whole connection is held to. */
export interface Opening extends Message {
  padId: string;
  token?: unknown;
  sessionID?: unknown;
}

/** Revisions and chat lines are numbered; beyond it a loop that counts upwards by one stands still. */
const mostNumbers = 2 ** 31;
const coarsest = 1_000_000;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMissing = (value: unknown): boolean => value === undefined || value === null;
const isTextOrMissing = (value: unknown): boolean => typeof value === 'string' || isMissing(value);
const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) < most;
const isNumber = (value: unknown): boolean => isWhole(value, 0, mostNumbers);
const isPool = (value: unknown): boolean =>
  isObject(value) && isObject(value.numToAttrib) && Object.values(value.numToAttrib).every(isAttribute);

/** By the type of the message, or of its `data`; types that are not here are passed on as they are. */
const shapes = new Map<string, (fields: Fields) => boolean>([
  ['CLIENT_READY', isOpening],
  ['SWITCH_TO_PAD', isOpening],
  [
    'CHANGESET_REQ',
    ({ data }) => isObject(data) && isNumber(data.start) && isWhole(data.granularity, 1, coarsest),
  ],
  ['COLLABROOM', ({ data }) => isObject(data) && typeof data.type === 'string' && hasShape(data.type, data)],
  ['GET_CHAT_MESSAGES', ({ start, end }) => isNumber(start) && isNumber(end)],
  [
    'USER_CHANGES',
    ({ baseRev, changeset, apool }) => isNumber(baseRev) && typeof changeset === 'string' && isPool(apool),
  ],
]);

/** Names that every object has: 1.8.14 exits over a pad that is called so. */
const isName = (value: unknown): boolean => typeof value === 'string' && !(value in Object.prototype);

function isOpening({ padId, token, sessionID, client_rev: revision }: Fields): boolean {
  const returns = isMissing(revision) || isWhole(revision, -1, mostNumbers);
  return isName(padId) && isTextOrMissing(token) && isTextOrMissing(sessionID) && returns;
}

const hasShape = (type: string, fields: Fields): boolean => shapes.get(type)?.(fields) ?? true;

/** A message that the host can work with. */
export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || value.component !== 'pad' || typeof value.type !== 'string') return false;
  return hasShape(value.type, value);
}

/** The pad that a message wants removed; `undefined` when it wants something else. */
export function padToRemove({ data }: Message): { padId: unknown } | undefined {
  if (!isObject(data) || data.type !== 'PAD_DELETE') return undefined;
  return { padId: isObject(data.data) ? data.data.padId : undefined };
}

export function isOpeningMessage(message: Message): message is Opening {
  return message.type === 'CLIENT_READY' || message.type === 'SWITCH_TO_PAD';
}

/**
 * Names that Etherpad's own socket library calls its listeners by: from a browser they would make the host and us believe in a connection
 * that has ended and has not.
 */
const reserved: unknown[] = [
  'connect',
  'connection',
  'disconnect',
  'disconnecting',
  'error',
  'newListener',
  'removeListener',
];

export const isReserved = (event: unknown): boolean => reserved.includes(event);
