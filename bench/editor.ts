/**
 * An editor without a browser, small enough for hundreds in a process: a socket.io client that knows only the length of
 * its pad's text.
 */
import { randomBytes } from 'node:crypto';
import { io as connect4 } from 'socket.io-client';
import connect2 from 'socket.io-client-2';

export interface EditorPlace {
  /** URL of the Etherpad, without a slash at the end. */
  url: string;
  /** Major version of Etherpad. */
  major: number;
  pad: string;
  /** `Cookie` header of a person who may open the pad. */
  cookie?: string | undefined;
}

interface Socket {
  on(event: string, listener: (value: unknown) => void): unknown;
  emit(event: string, value: unknown): unknown;
  close(): unknown;
}

interface Message {
  type?: string;
  accessStatus?: string;
  disconnect?: string;
  data?: {
    type?: string;
    userId?: string;
    newRev?: number;
    changeset?: string;
    collab_client_vars?: { rev: number; initialAttributedText: { text: string } };
  };
}

export interface EditorEvents {
  /** Called with text that another person has inserted. */
  inserted?(text: string): void;
  /** The connection ended, although `close` was not called. `author`: the id that Etherpad's log names. */
  lost?(reason: string, author: string): void;
}

/** How many characters a changeset adds (negative: removes), read from its header. */
function growthOf(changeset: string): number {
  const [, sign, length = '0'] = /^Z:[0-9a-z]+([<>])([0-9a-z]+)/.exec(changeset) ?? [];
  return (sign === '<' ? -1 : 1) * Number.parseInt(length, 36);
}

export class Editor {
  private length = 0;
  private revision = 0;
  private author = '';
  private closing = false;
  private open = true;
  private readonly socket: Socket;
  private flight: { growth: number; done(): void; fail(error: Error): void } | undefined;
  private entered: ((error?: Error) => void) | undefined;

  private constructor(
    { url, major, pad, cookie }: EditorPlace,
    token: string,
    private readonly events: EditorEvents,
  ) {
    const extraHeaders = { Cookie: [cookie, `token=${token}`].filter(Boolean).join('; ') };
    const options = {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders,
      query: { padId: pad },
    };
    this.socket = (major === 1 ? connect2 : connect4)(url, options);
    this.socket.on('message', (message) => this.receive(message as Message));
    this.socket.on('disconnect', (reason) => this.end(String(reason)));
    this.socket.on('connect_error', (error) => this.end(String(error)));
  }

  /** Connects and opens the pad. Rejects if the server refuses or does not answer within a minute. */
  static async open(place: EditorPlace, events: EditorEvents = {}): Promise<Editor> {
    const token = `t.${randomBytes(15).toString('base64url')}`;
    const editor = new Editor(place, token, events);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => editor.entered?.(new Error('no answer in a minute')), 60_000);
      editor.entered = (error) => {
        clearTimeout(timer);
        editor.entered = undefined;
        if (error === undefined) return resolve();
        editor.close();
        reject(error);
      };
      editor.socket.on('connect', () => {
        const ready = { type: 'CLIENT_READY', padId: place.pad, token, protocolVersion: 2 };
        editor.socket.emit('message', { component: 'pad', ...ready });
      });
    });
    return editor;
  }

  private end(reason: string): void {
    this.open = false;
    this.entered?.(new Error(`the connection ended: ${reason}`));
    this.flight?.fail(new Error(`the connection ended: ${reason}`));
    this.flight = undefined;
    if (this.closing) return;
    this.closing = true;
    this.events.lost?.(reason, this.author);
  }

  private receive({ type, accessStatus, disconnect, data }: Message): void {
    if (accessStatus !== undefined || disconnect !== undefined) {
      const reason = `the server said ${accessStatus ?? disconnect}`;
      this.end(reason);
      this.socket.close();
    } else if (type === 'CLIENT_VARS' && data?.collab_client_vars) {
      this.length = data.collab_client_vars.initialAttributedText.text.length;
      this.revision = data.collab_client_vars.rev;
      this.author = data.userId ?? '';
      this.entered?.();
    } else if (data?.type === 'NEW_CHANGES' && data.changeset !== undefined) {
      // Etherpad 2.7 and newer may send a revision twice when somebody joins. A browser ignores the second one.
      if (data.newRev !== this.revision + 1) return;
      this.length += growthOf(data.changeset);
      this.revision = data.newRev;
      this.events.inserted?.(data.changeset.slice(data.changeset.indexOf('$') + 1));
    } else if (data?.type === 'ACCEPT_COMMIT') {
      this.revision = data.newRev ?? this.revision;
      this.length += this.flight?.growth ?? 0;
      this.flight?.done();
      this.flight = undefined;
    }
  }

  /** Whether a change was sent and not accepted yet. Like the real editor, it sends one change at a time. */
  get busy(): boolean {
    return !this.open || this.flight !== undefined;
  }

  get textLength(): number {
    return this.length;
  }

  private change(operations: string, growth: number, bank: string): Promise<void> {
    if (this.busy) return Promise.reject(new Error('the editor is busy'));
    const header = `Z:${this.length.toString(36)}${growth < 0 ? '<' : '>'}${Math.abs(growth).toString(36)}`;
    const apool = { numToAttrib: { 0: ['author', this.author] }, nextNum: 1 };
    const changeset = `${header}${operations}$${bank}`;
    const data = { type: 'USER_CHANGES', baseRev: this.revision, changeset, apool };
    return new Promise((done, fail) => {
      this.flight = { growth, done, fail };
      this.socket.emit('message', { type: 'COLLABROOM', component: 'pad', data });
    });
  }

  /** Inserts text without line breaks at the start of the pad. Resolves when the server has accepted it. */
  insert(text: string): Promise<void> {
    return this.change(`*0+${text.length.toString(36)}`, text.length, text);
  }

  /** Removes characters from the start of the pad. There must be no line break among them. */
  remove(count: number): Promise<void> {
    return this.change(`-${count.toString(36)}`, -count, '');
  }

  close(): void {
    this.closing = true;
    this.open = false;
    this.socket.close();
  }
}
