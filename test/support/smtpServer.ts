/** A real mail server on a free port, which keeps the mails that it gets, and servers that misbehave. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { type BrokenServer, startBrokenServer } from './brokenServer';
import { type Certificate, createCertificate } from './certificate';
import { freePort } from './freePort';

/** A mail as it arrived. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Whether the connection was encrypted, and who signed in on it. */
  secure: boolean;
  user: string | undefined;
  /** By lower-case name, unfolded and decoded. */
  headers: Record<string, string>;
  subject: string;
  text: string;
  html: string;
  raw: string;
}

export interface SmtpServerOptions {
  /** Any free one when it is missing. */
  port?: number;
  /** Encryption that the server offers. Default `none`. */
  encryption?: 'none' | 'starttls' | 'tls';
  /** Demands this name and password. */
  auth?: { user: string; pass: string };
  /** Refuses at this step, with this reply; `{address}` in it becomes the recipient's address. */
  refuse?: {
    at: 'connection' | 'sender' | 'recipient' | 'message';
    code: number;
    reply: string;
    /** Only the recipient with this address. */
    only?: string;
    /** Only after so many mails. */
    after?: number;
  };
  /** Runs before the greeting. */
  beforeGreeting?: () => Promise<void>;
  /** Runs before a mail is accepted. */
  hold?: () => Promise<void>;
  /** The certificate; an untrusted one is made if it is missing. */
  certificate?: Certificate;
}

export interface TestSmtpServer {
  port: number;
  certificate: Certificate;
  /** Everything that arrived so far. */
  received: ReceivedMail[];
  /** Connections so far. */
  connections(): number;
  /**
   * The first mail, to this address if one is given, that `next` has not returned yet; waits for it. Give one where
   * others may get mail too, such as late attempts of other test files on the same Etherpad.
   */
  next(to?: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

const isFor = (mail: ReceivedMail, to: string | undefined): boolean =>
  to === undefined || mail.to.includes(to);

function decodeQuotedPrintable(text: string): Buffer {
  const unfolded = text.replace(/=\r\n/g, '');
  const bytes = unfolded.replace(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

function decodeBody(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body).toString();
  return Buffer.from(body, 'latin1').toString();
}

/** RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_match, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decodeQuotedPrintable(text.replace(/_/g, ' ')).toString(),
    );
}

function parseHeaders(block: string): Record<string, string> {
  const lines = block.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    }),
  );
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  return { headers: parseHeaders(raw.slice(0, end)), body: raw.slice(end + 4) };
}

/** The parts of a `multipart/alternative` mail. */
function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html' | 'raw'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const ofType = (type: string): string => {
    const part = parts.find(({ headers: own }) => own['content-type']?.startsWith(type));
    const decoded = part ? decodeBody(part.body, part.headers['content-transfer-encoding']) : '';
    return decoded.replace(/\r\n/g, '\n');
  };
  return {
    headers,
    subject: headers.subject ?? '',
    text: ofType('text/plain'),
    html: ofType('text/html'),
    raw,
  };
}

/** An error in the form that smtp-server sends as a reply. */
function reply(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** Greets at once. Otherwise smtp-server waits a tenth of a second for clients that talk before the greeting. */
class PromptConnection extends SMTPConnection {
  override init(): void {
    this._setListeners(() => this.connectionReady());
  }
}

class PromptServer extends SMTPServer {
  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    const connection = new PromptConnection(this, socket, options);
    this.connections.add(connection);
    connection.on('error', (error: Error) => this._onError(error));
    connection.init();
  }
}

export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const { encryption = 'none', auth, refuse } = options;
  const certificate = options.certificate ?? createCertificate();
  const received: ReceivedMail[] = [];
  const unread: ReceivedMail[] = [];
  const waiting: { to: string | undefined; take: (mail: ReceivedMail) => void }[] = [];
  let connections = 0;
  const refusal = (at: string, address = ''): Error | undefined =>
    refuse?.at === at && address === (refuse.only ?? address) && received.length >= (refuse.after ?? 0)
      ? reply(refuse.code, refuse.reply.replace('{address}', address))
      : undefined;

  const server = new PromptServer({
    secure: encryption === 'tls',
    ...certificate,
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    disabledCommands: [
      ...(encryption === 'starttls' ? [] : ['STARTTLS']),
      ...(auth === undefined ? ['AUTH'] : []),
    ],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    async onConnect(_session, done) {
      connections++;
      await options.beforeGreeting?.();
      done(refusal('connection'));
    },
    onAuth({ username, password }, _session, done) {
      if (username === auth?.user && password === auth?.pass) done(null, { user: username });
      else done(reply(535, `5.7.8 authentication of ${username} failed`));
    },
    onMailFrom: ({ address }, _session, done) => done(refusal('sender', address)),
    onRcptTo: ({ address }, _session, done) => done(refusal('recipient', address)),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const error = refusal('message');
        if (error) return done(error);
        await options.hold?.();
        const { mailFrom, rcptTo } = session.envelope;
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
          ...parseMail(Buffer.concat(chunks).toString('latin1')),
        };
        received.push(mail);
        done();
        const reader = waiting.findIndex(({ to }) => isFor(mail, to));
        if (reader === -1) unread.push(mail);
        else waiting.splice(reader, 1)[0]?.take(mail);
      });
    },
  });
  // A client that closes its connection early must not fail the test.
  server.on('error', () => {});
  const listening = server.listen(options.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');

  return {
    port: (listening.address() as AddressInfo).port,
    certificate,
    received,
    connections: () => connections,
    next(to) {
      const found = unread.findIndex((mail) => isFor(mail, to));
      const [mail] = found === -1 ? [] : unread.splice(found, 1);
      return new Promise((take) => {
        if (mail === undefined) waiting.push({ to, take });
        else take(mail);
      });
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function drip(socket: Socket): void {
  socket.write('220-');
  const timer = setInterval(() => socket.write('.'), 20);
  socket.on('close', () => clearInterval(timer));
}

/**
 * `silent`: accepts the connection and says nothing. `drips`: a greeting that never ends, a byte at a time. `stalls`:
 * takes everything, never confirms the mail.
 */
export function startBadSmtpServer(kind: 'silent' | 'drips' | 'stalls'): Promise<BadServer> {
  if (kind === 'drips') return listen(drip);
  return startFailingSmtpServer(kind === 'silent' ? 'greeting' : 'message', 'says nothing');
}

/** A port on which no server listens. */
export const closedPort = freePort;

/** The steps of sending a mail, in their order. `message`: the mail itself. */
export const smtpStages = [
  'greeting',
  'hello',
  'starttls',
  'login',
  'sender',
  'recipient',
  'data',
  'message',
] as const;
type SmtpStage = (typeof smtpStages)[number];

export const smtpFailures = [
  'refuses for now',
  'refuses for good',
  'hangs up',
  'talks nonsense',
  'says nothing',
] as const;
type SmtpFailure = (typeof smtpFailures)[number];

/** What the server does at the step that fails. The codes are not 550, 551 and 553, which refuse the recipient. */
const fail: Record<SmtpFailure, (socket: Socket) => void> = {
  'refuses for now': (socket) => socket.write('451 4.3.0 not now, try ada@example.org later\r\n'),
  'refuses for good': (socket) => socket.write('554 5.7.1 never, ada@example.org\r\n'),
  'hangs up': (socket) => socket.end(),
  'talks nonsense': (socket) => socket.write('\u0000\u0001HTTP/1.1 200 OK\r\nada@example.org\r\n\r\n'),
  'says nothing': () => {},
};

const commands: [RegExp, SmtpStage, string][] = [
  [/^(EHLO|HELO)/i, 'hello', ''],
  [/^STARTTLS/i, 'starttls', '220 go ahead\r\n'],
  [/^AUTH/i, 'login', '235 2.7.0 welcome\r\n'],
  [/^MAIL FROM/i, 'sender', '250 2.1.0 fine\r\n'],
  [/^RCPT TO/i, 'recipient', '250 2.1.5 fine\r\n'],
  [/^DATA/i, 'data', '354 go on\r\n'],
  [/^\.$/, 'message', '250 2.0.0 taken\r\n'],
];

/**
 * A mail server that works until `stage`. It offers STARTTLS only for that stage, and accepts any name and password.
 */
export async function startFailingSmtpServer(stage: SmtpStage, failure: SmtpFailure): Promise<BadServer> {
  const hello =
    stage === 'starttls' ? '250-mail\r\n250 STARTTLS\r\n' : '250-mail\r\n250 AUTH PLAIN LOGIN\r\n';
  return listen((socket) => {
    if (stage === 'greeting') return fail[failure](socket);
    socket.write('220 mail ESMTP\r\n');
    let inMessage = false;
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk.toString('latin1')}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (inMessage && line !== '.') continue;
        const [, asked, reply] = commands.find(([pattern]) => pattern.test(line)) ?? [];
        if (asked === stage) return fail[failure](socket);
        inMessage = asked === 'data';
        socket.write(asked === 'hello' ? hello : (reply ?? '502 5.5.1 what?\r\n'));
      }
    });
  });
}

interface BadServer extends BrokenServer {
  close(): Promise<void>;
}

async function listen(talk: (socket: Socket) => unknown): Promise<BadServer> {
  const server = await startBrokenServer(talk);
  return { ...server, close: server.stop };
}
