/**
 * Queues requests for the history of pads (CHANGESET_REQ), because Etherpad composes up to 10,000 revisions for one
 * request without yielding, and those for earlier chat messages. A pause of about the same length follows each request,
 * so that editing stays responsive. People and addresses take turns.
 */
import { contentOfPad, type PadContent } from '../host/padContent';
import { editorLimits } from '../model/limits';
import { nextSlice, sliceUsed } from '../model/store/timeSlice';
import { createTurns } from '../model/turns';
import type { Connection } from './openEditors';
import { asksForChat, type Message } from './packets';
import { addressAt } from './refusal';
import type { Runtime } from './runtime';

/** Etherpad answers one request with this many steps of `granularity` revisions each. */
const stepsPerRequest = 100;
/** Milliseconds of pause per revision that the request reads. */
const pausePerRevision = 0.05;
/** Milliseconds of pause after a request for chat messages, of which Etherpad reads at most 100. */
const pauseAfterChat = 10;

const nextTurn = createTurns();

/** A person, or an address of guests. */
const callerOf = (runtime: Runtime, { visitor, socket }: Connection): string =>
  visitor?.actor.kind === 'user' ? visitor.actor.id : addressAt(runtime, socket.client.request);

/** The number of queued requests of each connection. */
const waiting = new WeakMap<object, number>();

let allWaiting = 0;

/** The number of queued requests of all connections. */
export const waitingHistoryRequests = (): number => allWaiting;

/** Etherpad stores the whole text with every hundredth revision. */
const keptTexts = 100;

/**
 * Whether Etherpad would need too long to combine the changes from `start` to before `end`: about 20 µs for each piece.
 * Before, it applies the changes up to `start` to the last text that it has stored: 2 µs for each piece of a change,
 * and 0.3 µs for each character of the attributes of the text. How many these are after a change is estimated.
 */
async function takesTooLong(pad: PadContent, start: number, end: number): Promise<boolean> {
  const kept = Math.floor(Math.max(0, start - 1) / keptTexts) * keptTexts;
  let attribs = (await pad.attribsOf(kept)).length;
  let pieces = 0;
  for (let revision = kept + 1; revision < end; revision++) {
    const [operators = ''] = String(await pad.changesetOf(revision)).split('$', 1);
    const own = operators.match(/[-+=]/g)?.length ?? 0;
    attribs = Math.max(attribs, Math.min(attribs + operators.length, editorLimits.padAttribs));
    pieces += revision < start ? own / 10 + attribs / 70 : own;
    if (pieces > editorLimits.historyOperators) return true;
    if (sliceUsed()) await nextSlice();
  }
  return false;
}

/** `false` at once if the connection has too many requests that wait, otherwise what `work` resolves to. */
async function queued(connection: Connection, work: () => Promise<boolean>): Promise<boolean> {
  const before = waiting.get(connection) ?? 0;
  if (before >= editorLimits.historyRequests) return false;
  waiting.set(connection, before + 1);
  allWaiting += 1;
  try {
    return await work();
  } finally {
    waiting.set(connection, (waiting.get(connection) ?? 1) - 1);
    allWaiting -= 1;
  }
}

/**
 * Resolves to `true` when it is this request's turn, to `false` at once if its connection has too many waiting, and
 * later if it is about too large changes.
 */
const waitForHistoryTurn = (
  runtime: Runtime,
  connection: Connection,
  { data }: Message,
  padId: string,
): Promise<boolean> =>
  queued(connection, async () => {
    const { granularity, start } = data as { granularity: number; start: number };
    const pad = await contentOfPad(padId);
    const end = Math.min(start + granularity * stepsPerRequest, (pad?.head ?? 0) + 1);
    await nextTurn(Math.max(0, end - start) * pausePerRevision, callerOf(runtime, connection));
    return pad === undefined || !(await takesTooLong(pad, start, end));
  });

/** The same for a request for chat messages. */
const waitForChatTurn = (runtime: Runtime, connection: Connection): Promise<boolean> =>
  queued(connection, async () => {
    await nextTurn(pauseAfterChat, callerOf(runtime, connection));
    return true;
  });

/** Resolves as `waitForHistoryTurn`. `undefined` for a message that waits for no turn. */
export function turnOfRequest(
  runtime: Runtime,
  connection: Connection,
  message: Message,
  padId: string,
): Promise<boolean> | undefined {
  if (message.type === 'CHANGESET_REQ') return waitForHistoryTurn(runtime, connection, message, padId);
  return asksForChat(message) ? waitForChatTurn(runtime, connection) : undefined;
}

/** Whether an address such as `/12/export/txt` is an export of a revision for which Etherpad would need too long. */
export async function isTooLargeExport(padId: string, path: string): Promise<boolean> {
  const [, text] = /^\/([^/]+)\/export\//i.exec(path) ?? [];
  const pad = text === undefined ? undefined : await contentOfPad(padId);
  if (!pad) return false;
  const named = decodeURIComponent(text ?? '');
  // Later versions read `12x` as 12, and 1.8.14 reads `0x10` as 16.
  const numbers = [Number(named), Number.parseInt(named, 10)].filter((number) => !Number.isNaN(number));
  for (const number of new Set(numbers)) {
    const revision = Math.min(number, pad.head);
    if (await takesTooLong(pad, revision + 1, revision + 1)) return true;
  }
  return false;
}
