/** An editor without a browser: speaks to the real websocket of Etherpad in the protocol of its version. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { io as connect4 } from 'socket.io-client';
import connect2 from 'socket.io-client-2';
import type { RunningEtherpad } from './etherpad';
import { findLeak } from './leaks';

export interface ServerMessage {
  type?: string;
  accessStatus?: string;
  disconnect?: string;
  data?: {
    type?: string;
    readonly?: boolean;
    readOnlyId?: string;
    userId?: string;
    userName?: string;
    padDeletionToken?: string | null;
    newRev?: number;
    changeset?: string;
    text?: string;
    message?: { text?: string };
    payload?: { page?: { title: string; address: string; home: { label: string }; canChange: boolean } };
    collab_client_vars?: {
      rev: number;
      initialAttributedText: { text: string };
      historicalAuthorData?: Record<string, { name?: string | null } | undefined>;
    };
  };
}

/** What somebody may do in a pad after they have asked to enter it. */
export type JoinResult = 'write' | 'read' | 'refused';

/** Of socket.io 2 and 4. */
export interface Socket {
  on(event: string, listener: (value: unknown) => void): unknown;
  emit(event: string, ...values: unknown[]): unknown;
  close(): unknown;
  connected: boolean;
}

/** The text after a changeset of Etherpad (`Z:<old length>>…$<inserted text>`). */
function applyChangeset(text: string, changeset: string): string {
  const [header = '', ...bank] = changeset.split('$');
  const inserted = bank.join('$');
  let result = '';
  let read = 0;
  let taken = 0;
  for (const [, sign, length = '0'] of header
    .replace(/^Z:[0-9a-z]+[<>][0-9a-z]+/, '')
    .matchAll(/(?:\*[0-9a-z]+)*(?:\|[0-9a-z]+)?([-+=])([0-9a-z]+)/g)) {
    const count = Number.parseInt(length, 36);
    if (sign === '+') {
      result += inserted.slice(taken, taken + count);
      taken += count;
    } else {
      if (sign === '=') result += text.slice(read, read + count);
      read += count;
    }
  }
  return result + text.slice(read);
}

/** `severalProcesses`: a proxy chooses the process by the pad that the connection names, as a browser does. */
type Place = Pick<RunningEtherpad, 'url' | 'major'> & {
  severalProcesses?: boolean;
  /** Connects again after a lost connection and asks for the pad again, as the page of Etherpad does. */
  reconnects?: boolean;
  transports?: string[];
};

/** One connection. Close it when done. */
export class PadClient {
  readonly messages: ServerMessage[] = [];
  text = '';
  /** The pad that was asked for last. */
  padId = '';
  closed = false;
  /** What socket.io says of the end of the connection. After `transport close`, an editor connects again by itself. */
  closedBy: unknown;
  revision = 0;
  /** The read-only id of the pad, when it is open. */
  readOnlyId = '';
  private author = '';
  private opened?: Socket;
  private waiting: { wanted: (message: ServerMessage) => boolean; done: (message: ServerMessage) => void }[] =
    [];
  private readonly leaving: (() => void)[] = [];

  private constructor(
    private readonly place: Place,
    private readonly cookie: string,
    private readonly token: string,
  ) {}

  private get socket(): Socket {
    return this.open();
  }

  /** Opens the connection, once. Messages that are sent before it is open wait for it. */
  private open(query: Record<string, string> = {}): Socket {
    if (this.opened) return this.opened;
    const { url, major, reconnects = false, transports = ['websocket'] } = this.place;
    const { origin, pathname } = new URL(url);
    const socket: Socket = (major === 1 ? connect2 : connect4)(origin, {
      transports,
      reconnection: reconnects,
      reconnectionDelay: 200,
      forceNew: true,
      extraHeaders: { Cookie: [this.cookie, `token=${this.token}`].filter(Boolean).join('; ') },
      path: `${pathname.replace(/\/$/, '')}/socket.io`,
      query,
    });
    socket.on('message', (message) => this.receive(message as ServerMessage));
    const leave = (reason: unknown): void => {
      this.closed = true;
      this.closedBy = reason;
      for (const tell of this.leaving) tell();
    };
    // In socket.io 4, the event is one of the connection below the socket.
    const { io: below } = socket as Socket & { io: Pick<Socket, 'on'> };
    if (reconnects) (major === 1 ? socket : below).on('reconnect', () => this.ask(this.padId));
    socket.on('disconnect', leave);
    socket.on('connect_error', leave);
    this.opened = socket;
    return socket;
  }

  /** A token by which Etherpad knows a browser. */
  static newBrowser = (): string => `t.${randomBytes(15).toString('base64url')}`;

  /**
   * Connects with a browser's cookies, by default from a new browser. Rejects when the host does not answer. Behind a
   * proxy with several processes, the connection opens with the first `ask`, which says the pad.
   */
  static async connect(place: Place, cookie = '', browser = PadClient.newBrowser()): Promise<PadClient> {
    const client = new PadClient(place, cookie, browser);
    if (place.severalProcesses) return client;
    const socket = client.open();
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', () => resolve());
      socket.on('connect_error', (error) => reject(new Error(`no connection: ${String(error)}`)));
    });
    return client;
  }

  /**
   * Opens a pad as a browser does, which connects again by itself until it is let in. Rejects after `patience`
   * milliseconds. By default that is longer than a process that died keeps its pads.
   */
  static async enter(place: Place, cookie: string, padId: string, patience = 25_000): Promise<PadClient> {
    const browser = PadClient.newBrowser();
    for (const end = Date.now() + patience; ; await pause(250)) {
      const client = await PadClient.connect(place, cookie, browser).catch(() => undefined);
      const standing = await client?.tryJoin(padId);
      if (client && (standing === 'write' || standing === 'read')) return client;
      client?.close();
      if (Date.now() > end) throw new Error(`not let into ${padId} within ${patience} ms: ${standing}`);
    }
  }

  /** Opens a pad, without a second try. Throws unless the answer is that this browser may write in it. */
  static async writer(place: Place, cookie: string | undefined, padId: string): Promise<PadClient> {
    const client = await PadClient.connect(place, cookie);
    const standing = await client.join(padId);
    if (standing !== 'write') throw new Error(`may not write in ${padId}: ${standing}`);
    return client;
  }

  private receive(message: ServerMessage): void {
    const { data } = message;
    // Etherpad 3 sends the creator of a pad a token that removes it. Other tests check it for pads of folders.
    const leak = findLeak(
      JSON.stringify(message, (name, value) => (name === 'padDeletionToken' ? '' : value)),
    );
    if (leak !== undefined) throw new Error(`a message of type ${message.type} reveals ${leak}`);
    if (message.type === 'CLIENT_VARS' && data?.collab_client_vars) {
      this.text = data.collab_client_vars.initialAttributedText.text;
      this.revision = data.collab_client_vars.rev;
      this.author = data.userId ?? '';
      this.readOnlyId = data.readOnlyId ?? '';
    }
    if (data?.type === 'NEW_CHANGES' && data.changeset) {
      this.text = applyChangeset(this.text, data.changeset);
      this.revision = data.newRev ?? this.revision;
    }
    if (data?.type === 'ACCEPT_COMMIT') this.revision = data.newRev ?? this.revision;
    this.messages.push(message);
    const ready = this.waiting.filter(({ wanted }) => wanted(message));
    this.waiting = this.waiting.filter((one) => !ready.includes(one));
    for (const { done } of ready) done(message);
  }

  /** The next message of this kind. Rejects after `patience` milliseconds. */
  next(what: string, wanted: (message: ServerMessage) => boolean, patience = 15_000): Promise<ServerMessage> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const last = this.messages.slice(-3).map((message) => JSON.stringify(message).slice(0, 200));
        reject(new Error(`waited in vain for ${what}; the last messages were ${last.join(', ') || 'none'}`));
      }, patience);
      this.waiting.push({
        wanted,
        done: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
      });
    });
  }

  /** Resolves when the connection is cut. Rejects after `patience` milliseconds. */
  gone(patience = 30_000): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the connection stays open')), patience);
      this.leaving.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  send(message: Record<string, unknown>): void {
    this.sendRaw({ component: 'pad', ...message });
  }

  /** Sends any message, also one that no browser sends. */
  sendRaw(...message: unknown[]): void {
    this.socket.emit('message', ...message);
  }

  /** Sends a packet of socket.io in its encoded form: `0` asks for a connection, `2[…]` is an event. */
  sendPacket(text: string): void {
    const { io } = this.socket as Socket & { io: { engine: { send(text: string): unknown } } };
    io.engine.send(text);
  }

  /** Asks to be let into a pad, and waits for nothing. */
  ask(padId: string, more: Record<string, unknown> = {}): void {
    this.padId = padId;
    this.open({ padId });
    this.send({ type: 'CLIENT_READY', padId, token: this.token, protocolVersion: 2, ...more });
  }

  /** The read-only id of a pad that these cookies open. */
  static async readOnlyIdOf(place: Place, cookie: string, pad: string): Promise<string> {
    const client = await PadClient.connect(place, cookie);
    await client.join(pad);
    client.close();
    return client.readOnlyId;
  }

  /** Asks to be let into a pad, and how the host answers. */
  async join(padId: string, more: Record<string, unknown> = {}): Promise<JoinResult> {
    const answer = this.next(
      `an answer to CLIENT_READY for ${padId}`,
      ({ type, accessStatus, disconnect, data }) =>
        type === 'CLIENT_VARS' || Boolean(accessStatus ?? disconnect) || data?.type === 'CLIENT_RECONNECT',
    );
    this.ask(padId, more);
    const message = await answer;
    if (message.type === 'CLIENT_VARS') return message.data?.readonly ? 'read' : 'write';
    if (message.data?.type === 'CLIENT_RECONNECT') return 'write';
    return 'refused';
  }

  /** As `join`. `'disconnected'`: the connection was cut before there was an answer. */
  async tryJoin(padId: string): Promise<JoinResult | 'disconnected'> {
    const joined = this.join(padId);
    const cut = new Promise<'disconnected'>((resolve) => {
      this.leaving.push(() => resolve('disconnected'));
    });
    // If the connection was cut, `join` rejects at its time limit, and nobody handles that.
    joined.catch(() => {});
    return Promise.race([joined, cut]);
  }

  /** Writes at the start of the pad. Resolves when the server has taken it. */
  async write(text: string): Promise<void> {
    const taken = this.next(`the server to take ${text}`, ({ data }) => data?.type === 'ACCEPT_COMMIT');
    const changeset = this.sendChange(text);
    await taken;
    this.text = applyChangeset(this.text, changeset);
  }

  /** Sends the change without waiting for anything. */
  sendChange(text: string): string {
    const length = text.length.toString(36);
    // Etherpad wants whole lines, with their number, before the rest of the text.
    const lines = text.split('\n').length - 1;
    const whole = text.lastIndexOf('\n') + 1;
    const inLines = lines > 0 ? `*0|${lines.toString(36)}+${whole.toString(36)}` : '';
    const rest = whole < text.length ? `*0+${(text.length - whole).toString(36)}` : '';
    const changeset = `Z:${this.text.length.toString(36)}>${length}${inLines}${rest}$${text}`;
    const apool = { numToAttrib: { 0: ['author', this.author] }, nextNum: 1 };
    this.send({
      type: 'COLLABROOM',
      data: { type: 'USER_CHANGES', baseRev: this.revision, changeset, apool },
    });
    return changeset;
  }

  /** Sends any changeset, also an invalid one. */
  sendChangeset(changeset: unknown, { pool, baseRev }: { pool?: unknown; baseRev?: unknown } = {}): void {
    const apool = pool ?? { numToAttrib: { 0: ['author', this.author] }, nextNum: 1 };
    const data = { type: 'USER_CHANGES', baseRev: baseRev ?? this.revision, changeset, apool };
    this.send({ type: 'COLLABROOM', data });
  }

  /** Goes on as the author and with the text of an editor that lost its connection, as a browser does. */
  continueAs({ author, text, revision }: PadClient): void {
    this.author = author;
    this.text = text;
    this.revision = revision;
  }

  /** The id of the author that Etherpad uses for this browser. */
  get authorId(): string {
    return this.author;
  }

  /** Number of the last revision that this editor knows. */
  get lastRevision(): number {
    return this.revision;
  }

  /** Sends a line of chat, as 1.8.14 and as later versions want it. */
  sendChat(text: string): void {
    const data = { type: 'CHAT_MESSAGE', text, message: { text, authorId: this.author } };
    this.send({ type: 'COLLABROOM', data });
  }

  /** Sends a line of chat. Resolves when the server has sent it to everybody in the pad. */
  async say(text: string): Promise<void> {
    const sent = this.next(`"${text}" in the chat`, (message) => JSON.stringify(message).includes(text));
    this.sendChat(text);
    await sent;
  }

  /** Resolves when the pad's text here contains `text`. */
  async sees(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      await this.next(`"${text}"`, ({ data }) => data?.type === 'NEW_CHANGES');
    }
  }

  close(): void {
    this.opened?.close();
  }
}
