/**
 * Validates the packets of editors. Etherpad does not check them, and in 1.8.14 one unexpected number or text ends the
 * process or starts an endless loop. Packets of any other form never reach Etherpad.
 */

import { isWithinBounds } from '../host/bounds';
import { type Fields, isMissing, isObject, isText, isTextOrMissing } from '../model/fields';
import { editorLimits, limits } from '../model/limits';
import { isValidChange } from './changes';

export interface Message {
  type: string;
  padId?: unknown;
  /** In a COLLABROOM message: an object with a type of its own. */
  data?: unknown;
}

/** A message that opens a pad. Later messages of the connection must not have other values in these fields. */
export interface Opening extends Message {
  padId: string;
  token?: unknown;
  sessionID?: unknown;
  userInfo?: { name?: unknown } | null;
}

/** For the numbers of revisions and chat messages. Above 2^53, n + 1 === n: Etherpad's loops would never end. */
const indexLimit = 2 ** 31;

const { message: characters, messageValues: values, messageDepth: depth } = editorLimits;
const smallBounds = { characters, values, depth };
/** For USER_CHANGES. Its parts have stricter limits of their own (changes.ts). */
const largeBounds = {
  characters: 2 * (editorLimits.changeset + editorLimits.attributeText),
  values: 4 * editorLimits.attributes,
  depth,
};

const isIntegerFrom = (value: unknown, least: number, below: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) < below;
const isIndex = (value: unknown): boolean => isIntegerFrom(value, 0, indexLimit);
/** 1.8.14 stores a chat message's text whatever its type is. */
const isChatText = (value: unknown): boolean => isTextOrMissing(value, editorLimits.chat);

/** The check of each type of message, or of its `data`. Other types are passed on unchecked. */
const validators = new Map<string, (fields: Fields) => boolean>([
  ['CLIENT_READY', isValidOpening],
  ['SWITCH_TO_PAD', isValidOpening],
  [
    'CHANGESET_REQ',
    ({ data }) =>
      isObject(data) &&
      isIndex(data.start) &&
      isIntegerFrom(data.granularity, 1, editorLimits.granularity + 1),
  ],
  [
    'COLLABROOM',
    ({ data }) => isObject(data) && typeof data.type === 'string' && hasValidFields(data.type, data),
  ],
  [
    'CHAT_MESSAGE',
    ({ text, message }) =>
      isChatText(text) && (isMissing(message) || (isObject(message) && isChatText(message.text))),
  ],
  ['USERINFO_UPDATE', ({ userInfo }) => isUserInfo(userInfo)],
  [
    'CLIENT_MESSAGE',
    ({ payload }) => isObject(payload) && isTextOrMissing(payload.newName, editorLimits.editorName),
  ],
  ['GET_CHAT_MESSAGES', ({ start, end }) => isIndex(start) && isIndex(end)],
  ['USER_CHANGES', isValidChange],
]);

/** For names of records: PostgreSQL refuses those with NUL. */
const isStorable = (value: unknown): boolean => typeof value !== 'string' || !value.includes('\0');

/** Refuses names such as `constructor`, which every object has: 1.8.14 exits over a pad with such a name. */
const isPadName = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= limits.id && !(value in Object.prototype);

function isValidOpening({ padId, token, sessionID, client_rev: revision, userInfo }: Fields): boolean {
  const isRevision = isMissing(revision) || isIntegerFrom(revision, -1, indexLimit);
  const hasValidIds =
    isPadName(padId) &&
    [padId, token, sessionID].every(isStorable) &&
    isTextOrMissing(token, editorLimits.token) &&
    isTextOrMissing(sessionID, editorLimits.sessionIds);
  return hasValidIds && isRevision && (isMissing(userInfo) || isUserInfo(userInfo));
}

/** The number of a colour in the palette, or a text. 1.8.14 would also store other values, such as a list of one. */
const isColor = (value: unknown): boolean =>
  isMissing(value) || isIndex(value) || isText(value, editorLimits.color);

function isUserInfo(info: unknown): boolean {
  return isObject(info) && isTextOrMissing(info.name, editorLimits.editorName) && isColor(info.colorId);
}

const hasValidFields = (type: string, fields: Fields): boolean => validators.get(type)?.(fields) ?? true;

/** A message that Etherpad can process. */
export function isValidMessage(value: unknown): value is Message {
  if (!isObject(value) || value.component !== 'pad' || typeof value.type !== 'string') return false;
  return (
    isWithinBounds(value, changeIn(value) ? largeBounds : smallBounds) && hasValidFields(value.type, value)
  );
}

/**
 * A chat message without the text that this version of Etherpad reads: `text` in 1.8.14, `message.text` later. Etherpad
 * would store it, and the chat of everybody who opens the pad would stop at it.
 */
export function lacksChatText({ data }: Message, major: number): boolean {
  if (!isObject(data) || data.type !== 'CHAT_MESSAGE') return false;
  const read = major === 1 ? data : data.message;
  return !isObject(read) || typeof read.text !== 'string';
}

/** The `data` of a USER_CHANGES message, which changes the pad's text; `undefined` for other messages. */
export function changeIn(message: unknown): Fields | undefined {
  if (!isObject(message) || message.type !== 'COLLABROOM' || !isObject(message.data)) return undefined;
  return message.data.type === 'USER_CHANGES' ? message.data : undefined;
}

/** A request for earlier chat messages. */
export const asksForChat = ({ data }: Message): boolean =>
  isObject(data) && data.type === 'GET_CHAT_MESSAGES';

/** An event, its message and an optional acknowledgement callback. 2.x and 3.x exit over any other packet. */
export function isValidPacket([, , acknowledge, ...more]: unknown[]): boolean {
  return (acknowledge === undefined || typeof acknowledge === 'function') && more.length === 0;
}

/** The limits for events of other plugins, whose fields are not known. */
export const isSmall = (packet: unknown[]): boolean => isWithinBounds(packet, smallBounds);

/** The pad that a PAD_DELETE message asks to remove; `undefined` for other messages. */
export function padToRemove({ data }: Message): { padId: unknown } | undefined {
  if (!isObject(data) || data.type !== 'PAD_DELETE') return undefined;
  return { padId: isObject(data.data) ? data.data.padId : undefined };
}

/** Changes settings of the pad for everybody, since 2.7: for example, whether there is a chat. */
export function changesPadSettings({ data }: Message): boolean {
  if (!isObject(data) || data.type !== 'CLIENT_MESSAGE') return false;
  return isObject(data.payload) && data.payload.type === 'padoptions';
}

export function isOpeningMessage(message: Message): message is Opening {
  return message.type === 'CLIENT_READY' || message.type === 'SWITCH_TO_PAD';
}

/** A CLIENT_READY of an editor that lost its connection. `client_rev` is the last revision that it has. */
export function isReconnect(message: Message): message is Opening & { client_rev?: unknown } {
  return isOpeningMessage(message) && 'reconnect' in message && Boolean(message.reconnect);
}

/** Internal events of socket.io. A browser that sends one could make the server believe that a connection has ended. */
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

/** The pad ids in the values of a packet: the fields `padId` and `padID` at any depth. Check the size before. */
export function padIdsIn(values: unknown): unknown[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    name === 'padId' || name === 'padID' ? [value] : padIdsIn(value),
  );
}
