/**
 * The door of a pad on the websocket, which is the real one: the page is only the porch. Three guards, each closing when anything
 * fails:
 *
 * 1. Packets. A connection serves the pad that it named first, for its whole life and whoever it named itself; a packet that names
 *    another, or makes no sense (packets.ts), never reaches the host. Etherpad keeps the pad in a variable that later packets change while earlier ones wait, so a connection that could
 *    change pads could have a change that was allowed for one pad written into another.
 * 2. Messages. Each is decided anew (model/door) for the pad that the host will really use. A reader's messages are let through by
 *    a list of what a reader needs, whatever else the host and other plugins may know.
 * 3. Events. When the model says that something has changed, open editors that it concerns are decided again, and those who may no
 *    longer stay as they are get disconnected.
 */
import { entryCookie } from '../api/middleware/session';
import type { EditorSocket, SocketServer } from '../host/sockets';
import { deny, hangUp, padOf, sessionInfos, socketsAreReady } from '../host/sockets';
import type { Decision, Visitor } from '../model/door';
import { readCookie } from './cookie';
import { type House, openHouse } from './house';
import { introduce } from './identity';
import { isMessage, isOpeningMessage, isReserved, type Message, type Opening, padToRemove } from './packets';
import { noteRefusal, refusals } from './refusal';

type Mode = 'read' | 'write';

/** How somebody may be in a pad now; `undefined` as mode: not at all. */
interface Standing {
  mode: Mode | undefined;
  /** Is it a pad of ours? */
  known: boolean;
}

interface Connection {
  socket: EditorSocket;
  /** Its first CLIENT_READY: the pad id as the browser spelled it, and whom the browser named. */
  opening?: Pick<Opening, 'padId' | 'token' | 'sessionID'>;
  visitor?: Visitor;
  /** What was decided last, and about which pad. */
  last?: Decision & { padId: string };
  /** How it was let in. The browser keeps to that until it loads the page again. */
  admitted?: Standing;
  /** The log has its refusal. */
  noted?: true;
}

const connections = new Map<string, Connection>();

/** Milliseconds that events are collected before open editors are looked at. */
const patience = 50;

/** Guard 1. May the packet go to the host at all? */
function passes(connection: Connection, packet: unknown[]): boolean {
  const [event, message] = packet;
  if (event !== 'message') return !isReserved(event);
  if (!isMessage(message)) return false;
  if (isOpeningMessage(message)) {
    const { padId, token, sessionID } = message;
    // A copy: 3.x forbids everybody to look at the message's own pad id later.
    connection.opening ??= { padId, token, sessionID };
    const { opening } = connection;
    if (padId === opening.padId && token === opening.token && sessionID === opening.sessionID) return true;
  } else if (message.padId === undefined || message.padId === connection.opening?.padId) return true;
  deny(connection.socket);
  return false;
}

/** The connection of each browser: socket.io 2 lets one ask for a second, under the same id. */
const connected = new WeakMap<object, EditorSocket>();

export function socketio(_name: string, { io }: { io: SocketServer }): void {
  io.use((socket, next) => {
    if (connected.get(socket.client)?.connected) {
      next(new Error('one connection is enough'));
      return;
    }
    connected.set(socket.client, socket);
    const connection: Connection = { socket };
    socket.on('disconnect', () => connections.delete(socket.id));
    socket.use((packet, pass) => {
      // Not before: somebody else's middleware may refuse the connection, which then never ends either.
      connections.set(socket.id, connection);
      if (passes(connection, packet)) pass();
    });
    next();
  });
  // The host is about to hand the server to its message handler, if it has not yet.
  setImmediate(socketsAreReady);
}

/** Counts the events, so that a decision notices when it was overtaken by one and is made again. */
let changes = 0;
const mostTries = 20;

/** Decides once more, from what the database says now. */
async function decide(house: House, connection: Connection, padId: string): Promise<Standing> {
  const { door } = house.model;
  for (let tries = 0; tries < mostTries; tries++) {
    const before = changes;
    const visitor = connection.visitor
      ? await door.refresh(connection.visitor)
      : await door.visitor(readCookie(connection.socket.client.request.headers.cookie, entryCookie));
    const decision = await door.decide(padId, visitor);
    if (before !== changes) continue;
    connection.visitor = visitor;
    connection.last = { ...decision, padId };
    const { entry, known } = decision;
    if (entry !== 'read' && entry !== 'write') return { mode: undefined, known };
    return {
      mode: known && house.names.isReadOnlyId(connection.opening?.padId ?? '') ? 'read' : entry,
      known,
    };
  }
  throw new Error('everything changes faster than it can be decided');
}

/** Once a connection, however often it asks. */
function note(house: House, connection: Connection): void {
  const { last, noted, socket, visitor } = connection;
  if (noted || !last || last.entry === 'read' || last.entry === 'write') return;
  connection.noted = true;
  const facts = { call: 'websocket', reason: refusals[last.entry], pad: last.padId };
  noteRefusal(house, socket.client.request, visitor, facts);
}

/** Guard 2, for readers: opening the pad, and its history in the timeslider. */
const readersSend: unknown[] = ['CLIENT_READY', 'SWITCH_TO_PAD', 'CHANGESET_REQ'];

async function admit(socket: EditorSocket, message: Message): Promise<'pass' | 'drop' | 'deny'> {
  const house = openHouse();
  const connection = connections.get(socket.id);
  const padId = house && connection ? await padOf(socket, house.names) : undefined;
  if (!house || !connection || padId === undefined) return 'deny';
  const standing = await decide(house, connection, padId);
  const { mode, known } = standing;
  if (connection.admitted && changed(connection.admitted, standing)) {
    sendAway(connection, standing);
    return 'drop';
  }
  if (mode === undefined) {
    note(house, connection);
    return 'deny';
  }
  connection.admitted = standing;
  const info = sessionInfos()[socket.id];
  if (mode === 'read') {
    if (info) info.readonly = true;
    return readersSend.includes(message.type) ? 'pass' : 'drop';
  }
  // A pad of ours is removed in the app, by those who may, together with what we know of it. 2.x removes whatever pad is named.
  const removal = padToRemove(message);
  if (removal && (known || removal.padId !== padId)) return 'drop';
  if (message.type === 'CLIENT_READY') await introduce(house, info?.author, connection.visitor);
  return 'pass';
}

/** `null` drops the message. Never throws: 1.8.14 would exit. */
export async function handleMessage(
  _name: string,
  { message, socket }: { message: Message; socket: EditorSocket },
): Promise<null | undefined> {
  try {
    const answer = await admit(socket, message);
    if (answer === 'pass') return undefined;
    if (answer === 'deny') deny(socket);
  } catch (error) {
    openHouse()?.log.error('a message was refused: the door failed', { error: String(error) });
    deny(socket);
  }
  return null;
}

/** Goes over what the host tells the browser that opens a pad. */
interface ClientVars {
  readonly?: true;
  padDeletionToken?: null;
}

/**
 * 1.8.14 decides for itself who only reads, after `handleMessage`; this comes later, and tells the browser. 3.x gives whoever opens a pad
 * first a token to remove it with, and asks to keep it: in pads of ours it would do nothing.
 */
export function clientVars(_name: string, { socket }: { socket: EditorSocket }): ClientVars {
  const admitted = connections.get(socket.id)?.admitted;
  const vars: ClientVars = admitted?.known === false ? {} : { padDeletionToken: null };
  if (admitted?.mode === 'write') return vars;
  const info = sessionInfos()[socket.id];
  if (info) info.readonly = true;
  return { ...vars, readonly: true };
}

/** The belt below every way into a pad: while the house is not open, none is. */
export function onAccessCheck(): boolean {
  return openHouse() !== undefined;
}

function changed(before: Standing, now: Standing): boolean {
  return before.mode !== now.mode || before.known !== now.known;
}

/**
 * Ends a connection whose rights have changed. The editor loads its page again, and the gate decides what it gets; but where the pad
 * itself is gone, loading its page could make a new one.
 */
function sendAway({ socket, last, admitted }: Connection, { mode, known }: Standing): void {
  const gone = last?.entry === 'closed' || known !== admitted?.known;
  if (!gone) {
    socket.emit('message', { type: 'COLLABROOM', data: { type: 'EP_MYPADS_DOOR', payload: {} } });
  }
  if (gone || mode === undefined) deny(socket);
  hangUp(socket);
}

async function lookAgain(
  house: House,
  connection: Connection,
  admitted: Standing,
  padId: string,
): Promise<void> {
  let standing: Standing = { mode: undefined, known: admitted.known };
  try {
    standing = await decide(house, connection, padId);
  } catch (error) {
    house.log.error('an editor was closed: the door failed', { error: String(error) });
  }
  if (changed(admitted, standing)) sendAway(connection, standing);
}

type Concern = (decision: Decision & { padId: string }, visitor: Visitor | undefined) => boolean;

/** Guard 3. Called once, when the house is open. */
export function watchEditors(house: House): void {
  const { events } = house.model;
  let concerns: Concern[] = [];

  function look(): void {
    const collected = concerns;
    concerns = [];
    for (const connection of connections.values()) {
      const { admitted, last, visitor } = connection;
      if (admitted && last && collected.some((concern) => concern(last, visitor))) {
        void lookAgain(house, connection, admitted, last.padId);
      }
    }
  }

  function collect(concern: Concern): void {
    changes += 1;
    if (concerns.push(concern) === 1) setTimeout(look, patience);
  }

  events.on('configuration', () => collect(() => true));
  events.on('group', ({ id }) => collect(({ group }) => group === id));
  events.on('pad', ({ id }) => collect(({ padId }) => padId === id));
  events.on('session', ({ id }) => collect((_, visitor) => visitor?.session?._id === id));
  events.on('user', ({ id }) =>
    collect((_, visitor) => visitor?.actor.kind === 'user' && visitor.actor.id === id),
  );
}
