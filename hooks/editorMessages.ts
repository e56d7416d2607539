/**
 * Access checks on the websocket, over which the editor loads and changes a pad. An error in a check refuses access.
 * Guard 1 checks packets, guard 2 checks messages. Guard 3 (accessChanges.ts) reacts to changes of access rights.
 */
import { hostMajor } from '../host/core';
import type { EditorSocket, SocketServer } from '../host/sockets';
import {
  deny,
  discardEmptySessionOf,
  letReconnect,
  padOf,
  sessionInfos,
  socketsReady,
} from '../host/sockets';
import type { Visitor } from '../model/access/padDecisions';
import { removeForeignHeaders } from '../web/proxyHeaders';
import { openAsAccount } from './authorTokens';
import { fitsPad, isFarBehind, refuseChange, refuseReconnect } from './changes';
import {
  accessDiffers,
  currentAccess,
  decideAccess,
  endConnection,
  knownAccess,
  logFirstRefusal,
  visitOf,
} from './editorAccess';
import { turnOfRequest } from './historyRequests';
import { dropOwnName, hasFixedName, identityOf, keepAccountName, showAccountName } from './identity';
import { type Connection, findConnection, registerConnection, unregisterConnection } from './openEditors';
import { waitForOpening } from './openingTurns';
import {
  changeIn,
  changesPadSettings,
  isOpeningMessage,
  isReconnect,
  isValidMessage,
  isValidPacket,
  lacksChatText,
  type Message,
  type Opening,
  padToRemove,
} from './packets';
import { type PadPage, padPage } from './padPage';
import { sendPageAgain } from './pageChanges';
import { guardNamespaces, mayPassEvent, namesOnlyOwnPad } from './pluginMessages';
import { hasProgramAuthor } from './programSessions';
import { addressAt } from './refusal';
import { currentRuntime, type Runtime } from './runtime';

/**
 * Guard 1. Drops malformed packets and packets that name another pad or identity than the first CLIENT_READY. Etherpad
 * keeps the pad of a connection in one variable: if it could change while a message waits in a queue, a change that
 * was allowed for one pad would be written into another.
 */
function mayPass(connection: Connection, packet: unknown[]): boolean {
  const [event, message] = packet;
  if (event !== 'message') return mayPassEvent(connection, packet);
  if (!isValidPacket(packet) || !isValidMessage(message)) {
    if (changeIn(message)) refuseChange(connection.socket);
    return false;
  }
  if (isOpeningMessage(message)) {
    const { padId, token, sessionID } = message;
    if (!connection.opening && isReconnect(message)) connection.reconnected = true;
    // Copied, because 3.x makes the message's own pad id unreadable later.
    connection.opening ??= { padId, token, sessionID };
    const { opening } = connection;
    if (padId === opening.padId && token === opening.token && sessionID === opening.sessionID) return true;
  } else if (!connection.opening && message.padId === undefined) return false;
  else if (message.padId === undefined || message.padId === connection.opening?.padId) return true;
  deny(connection.socket);
  return false;
}

/** The visitor whose account decides name and colour in the pad. `undefined`: a program has decided them. */
const personIn = ({ programAuthor, visitor }: Connection): Visitor | undefined =>
  programAuthor ? undefined : visitor;

/** Claims the pad for this process, if several share the database. Returns false if another one has it. */
async function hasPad(
  { padSharing, log }: Runtime,
  padId: string,
  socket: EditorSocket,
  opening: Opening,
): Promise<boolean> {
  if (padSharing === undefined) return true;
  try {
    return await padSharing.claim(padId, { padId: opening.padId, address: socket.client.request.url });
  } catch (error) {
    log.warn('claiming a pad failed, visitor refused', { pad: padId, error: String(error) });
    return false;
  }
}

/**
 * May a message that opens a pad go to Etherpad? Decided before Etherpad sees it, because Etherpad stores an author and
 * a read-only id for every such message, even if access is refused later.
 */
async function mayOpen(connection: Connection, opening: Opening): Promise<boolean> {
  const runtime = currentRuntime();
  const { socket } = connection;
  try {
    if (runtime && !(await waitForOpening(connection, addressAt(runtime, socket.client.request))))
      return false;
    const padId = await runtime?.padIds.ofSocket(opening.padId);
    if (runtime && padId !== undefined) {
      // Records are read from the database, but settings are in memory.
      await runtime.model.upToDate();
      const { mode } = await decideAccess(runtime, connection, padId);
      // An editor that had access before and has lost it goes on to guard 2, which disconnects it.
      if (mode !== undefined || connection.admitted) {
        // The editor tries again by itself. By then the other process may have let the pad go.
        if (!(await hasPad(runtime, padId, socket, opening))) {
          letReconnect(socket);
          return false;
        }
        connection.programAuthor = await hasProgramAuthor(padId, socket.client.request, opening.sessionID);
        const identity = await identityOf(runtime, personIn(connection));
        const tokenOf = runtime.model.authorToken;
        if (identity) openAsAccount(connection, opening, { name: identity.name, tokenOf });
        dropOwnName(runtime, opening, personIn(connection));
        connection.opened = true;
        return true;
      }
      logFirstRefusal(runtime, connection, 'websocket');
    }
  } catch (error) {
    runtime?.log.error('pad access check failed, connection refused', { error: String(error) });
  }
  deny(socket);
  return false;
}

/** The messages that readers may send: to open the pad and to see its history. All others are dropped. */
const readerMessages: unknown[] = ['CLIENT_READY', 'SWITCH_TO_PAD', 'CHANGESET_REQ'];

/**
 * May a message of an editor go to Etherpad and to other plugins? Guard 2 does not protect from plugins: Etherpad calls
 * the `handleMessage` of all plugins, whatever ours answers, and some of them write into the pad that a message names.
 */
function mayDeliver(connection: Connection, message: Message): boolean {
  const { admitted, reconnected } = connection;
  if (admitted?.mode === 'read' && !readerMessages.includes(message.type)) {
    // It could write before it lost its connection, and Etherpad does not tell it. Its page must be loaded again.
    if (reconnected && changeIn(message)) endConnection(connection, admitted);
    return false;
  }
  return isOpeningMessage(message) || changeIn(message) !== undefined || namesOnlyOwnPad(connection, message);
}

/** Passes messages on in their order. While access is being decided for one that opens a pad, later ones wait. */
function messageQueue(connection: Connection): (message: Message, pass: () => void) => void {
  let last: Promise<void> | undefined;
  const deliver = (message: Message, pass: () => void) => {
    if (!connection.opened) deny(connection.socket);
    else if (mayDeliver(connection, message)) pass();
  };
  return (message, pass) => {
    const opens = isOpeningMessage(message);
    if (!opens && !last) return deliver(message, pass);
    const mine = Promise.all([opens ? mayOpen(connection, message) : undefined, last]).then(([allowed]) => {
      if (last === mine) last = undefined;
      if (allowed !== false) deliver(message, pass);
    });
    last = mine;
  };
}

/** The one connection of each client. socket.io 2 would let a client open a second one under the same id. */
const connected = new WeakMap<object, EditorSocket>();

export function socketio(_name: string, { io }: { io: SocketServer }): void {
  io.use((socket, next) => {
    if (connected.get(socket.client)?.connected) {
      next(new Error('only one connection per client is allowed'));
      return;
    }
    connected.set(socket.client, socket);
    const runtime = currentRuntime();
    if (runtime) removeForeignHeaders(runtime.model, socket.client.request);
    discardEmptySessionOf(socket);
    const connection: Connection = { socket };
    const enqueue = messageQueue(connection);
    socket.on('disconnect', () => unregisterConnection(socket));
    socket.use((packet, pass) => {
      // Packets that come together with the end of the connection arrive here after it.
      if (!socket.connected) return;
      // Not earlier: another middleware may refuse the connection, and then there is no `disconnect` event.
      registerConnection(connection);
      if (!mayPass(connection, packet)) return;
      if (packet[0] === 'message') enqueue(packet[1] as Message, pass);
      else pass();
    });
    next();
  });
  guardNamespaces(io);
  // After this turn of the event loop, because Etherpad passes the server to its message handler after this hook.
  setImmediate(socketsReady.reach);
}

/** Guard 2. Decides access again for every message, for the pad that Etherpad will really use. */
async function checkMessage(socket: EditorSocket, message: Message): Promise<'pass' | 'drop' | 'deny'> {
  const runtime = currentRuntime();
  const connection = findConnection(socket);
  if (!runtime || !connection) return 'deny';
  const kept = knownAccess(runtime, connection);
  // Each wait costs every message time, so nothing is waited for that is known.
  const padId = kept?.padId ?? (await padOf(socket, runtime.padIds));
  if (padId === undefined) return 'deny';
  // For example after the clock of the machine has jumped.
  const known = runtime.padSharing?.known();
  if (known) await known;
  if (runtime.padSharing?.has(padId) === false) {
    letReconnect(socket);
    return 'drop';
  }
  const turn = turnOfRequest(runtime, connection, message, padId);
  if (turn && !(await turn)) return 'drop';
  const access =
    knownAccess(runtime, connection)?.access ?? (await currentAccess(runtime, connection, padId));
  const { mode, managed } = access;
  if (connection.admitted && accessDiffers(connection.admitted, access)) {
    endConnection(connection, access);
    return 'drop';
  }
  if (mode === undefined) {
    logFirstRefusal(runtime, connection, 'websocket');
    return 'deny';
  }
  const info = sessionInfos()[socket.id];
  if (isReconnect(message)) {
    if (await isFarBehind(message.client_rev, padId)) {
      refuseReconnect(socket);
      return 'drop';
    }
    await sendPageAgain(runtime, connection);
  }
  if (mode === 'read') {
    if (info) info.readonly = true;
    return readerMessages.includes(message.type) ? 'pass' : 'drop';
  }
  // Managed pads are removed in the app, which checks rights and removes our records too. 2.x removes any pad id.
  const removal = padToRemove(message);
  if (removal && (managed || removal.padId !== padId)) return 'drop';
  // Etherpad lets the author of the first revision do it: somebody who imported a file, or opened an old pad first.
  if (managed && changesPadSettings(message)) return 'drop';
  if (lacksChatText(message, hostMajor())) return 'drop';
  const change = changeIn(message);
  // Not `kept`: Etherpad may have removed the pad since.
  const current = connection.kept?.padId === padId ? connection.kept : undefined;
  if (change && !(await fitsPad(change, { padId, isThere: current?.isThere }, info?.author))) {
    refuseChange(socket);
    return 'drop';
  }
  if (change && current) current.isThere = true;
  // 1.8.14 queues changes by this field, which editors do not send: without it, all pads wait for each other. Later
  // versions need none, and have a property there that cannot be set.
  if (change && hostMajor() === 1) Reflect.set(message, 'padId', padId);
  if (message.type === 'CLIENT_READY') {
    await showAccountName(runtime, info?.author, personIn(connection), connection.author);
  }
  const keeping = keepAccountName(runtime, message, personIn(connection));
  if (keeping) await keeping;
  return 'pass';
}

/** `null` drops the message. Never throws, because 1.8.14 would exit. */
export async function handleMessage(
  _name: string,
  { message, socket }: { message: Message; socket: EditorSocket },
): Promise<null | undefined> {
  try {
    const answer = await checkMessage(socket, message);
    if (answer === 'pass') return undefined;
    if (answer === 'deny') deny(socket);
  } catch (error) {
    currentRuntime()?.log.error('pad access check failed, message refused', { error: String(error) });
    deny(socket);
  }
  return null;
}

/** Overrides variables that Etherpad sends to the browser. */
interface ClientVars {
  readonly?: true;
  padDeletionToken?: null;
  /** Since 3.3.2. Etherpad then does not ask for the token. */
  canDeleteWithoutToken?: true;
  /** Since 3.3.2. Etherpad then shows no button. */
  canDeletePad?: false;
  canEditPadSettings?: false;
  ep_mypads?: EditorPage;
}

/** The server accepts neither the deletion nor the settings of a pad from the editor of a managed pad. */
const withheld: ClientVars = {
  padDeletionToken: null,
  canDeleteWithoutToken: true,
  canDeletePad: false,
  canEditPadSettings: false,
};

/** For static/pad/hooks.ts. */
interface EditorPage {
  /** `undefined` in pads that are not managed. */
  page?: PadPage;
  /** The name of this person cannot be changed in the pad. */
  fixedName?: true;
  /** Etherpad makes the text on colours of authors readable by itself. */
  readableColours?: true;
}

async function editorPage(runtime: Runtime, connection: Connection): Promise<EditorPage> {
  const visit = visitOf(runtime, connection);
  connection.placed = visit && (await padPage(runtime, visit));
  return {
    page: connection.placed?.page,
    fixedName: hasFixedName(runtime, personIn(connection)) || undefined,
    readableColours: hostMajor() >= 3 || undefined,
  };
}

/**
 * Sets read-only mode again, because 1.8.14 overwrites it after `handleMessage`. In managed pads it also withholds what
 * 3.x gives to a pad's creator.
 */
export async function clientVars(_name: string, { socket }: { socket: EditorSocket }): Promise<ClientVars> {
  const connection = findConnection(socket);
  const admitted = connection?.admitted;
  const vars: ClientVars = admitted?.managed === false ? {} : { ...withheld };
  const runtime = currentRuntime();
  if (runtime && connection) vars.ep_mypads = await editorPage(runtime, connection);
  if (admitted?.mode === 'write') return vars;
  const info = sessionInfos()[socket.id];
  if (info) info.readonly = true;
  return { ...vars, readonly: true };
}

/** A fallback behind the other checks. Refuses access while there is no runtime. */
export function onAccessCheck(): boolean {
  return currentRuntime() !== undefined;
}
