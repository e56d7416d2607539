/**
 * Sends one letter at a time through the operator's mail server. Settings are read at each letter, so a change acts at once; every
 * step has a time limit, and so has the whole. What goes wrong is told in the log without addresses, links or what the server said
 * about them, because a reply of a mail server repeats both.
 */
import { connect, type Socket } from 'node:net';
import { domainToASCII } from 'node:url';
import nodemailer from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { MyPadsError } from './errors';
import { limits } from './limits';
import type { Log } from './ports';

/** What a mailer asks of the configuration (server.md 7). Old databases hold some as texts: values are checked here. */
export type MailSetting =
  | 'SMTPHost'
  | 'SMTPPort'
  | 'SMTPSSL'
  | 'SMTPTLS'
  | 'SMTPUser'
  | 'SMTPPass'
  | 'SMTPEmailFrom'
  | 'title';

export interface Letter {
  /** One address, as in the account's record. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Two-letter code of the language it is written in. */
  language: string;
}

export interface Mailer {
  /** Throws CONFIGURATION.MAIL_NOT_CONFIGURED without a usable host, port and sender. */
  mustBeConfigured(): void;
  /**
   * Is the mail server there, and does it take our name and password? Asked of the server itself, once for all who ask in `probeLasts`.
   * Throws CONFIGURATION.MAIL_NOT_CONFIGURED, SERVER.MAIL_UNAVAILABLE.
   */
  probe(): Promise<void>;
  /**
   * Resolves when the server has taken the letter. Throws CONFIGURATION.MAIL_NOT_CONFIGURED; TYPE.TO_MAIL when it is no address or the
   * server knows no such person; SERVER.MAIL_UNAVAILABLE when the server is down, slow or refuses; SERVER.BUSY when too many wait.
   */
  send(letter: Letter): Promise<void>;
  /**
   * Does the work of `send` without sending: nobody shall learn from how busy we are that there was nobody to write to. Fails silently.
   */
  rehearse(letter: Letter): Promise<void>;
  /** Gives up what is under way and what waits; nothing is sent any more. */
  close(): void;
}

export interface MailerContext {
  settings(name: MailSetting): unknown;
  log: Log;
  /**
   * Milliseconds: `start` for connecting and for the greeting, each; `step` between two answers, because a server may look at a letter
   * for a while before it takes it; `total` for a letter.
   */
  times?: { start: number; step: number; total: number };
  /** PEM certificates trusted instead of the system's. */
  certificateAuthorities?: string[];
}

interface Smtp {
  host: string;
  port: number;
  /** TLS from the first byte, STARTTLS before anything else, or neither. */
  encryption: 'tls' | 'starttls' | 'none';
  auth: { user: string; pass: string } | undefined;
  from: string;
}

const defaultTimes = { start: 5_000, step: 10_000, total: 20_000 };
const mostAtOnce = 5;
const mostWaiting = 50;
/** What was found is believed for so long, in milliseconds; that a server is down not long, so that it can soon be tried again. */
const probeLasts = { good: 10_000, bad: 2_000 };
const portOf = { tls: 465, starttls: 587, none: 25 } as const;

/** Replies to RCPT TO that mean the address, not the server (RFC 5321, 4.2.3). */
const noSuchPerson: readonly unknown[] = [550, 551, 553];

// 1. Addresses

/** RFC 5322 dot-atom; letters beyond ASCII as RFC 6531 allows. No quotes, no comments, no lists. */
const localPart = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainPart = /^[\p{L}\p{N}\p{M}.-]+$/u;
const asciiDomain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/;

/**
 * The address as it may stand in a mail's envelope and headers, its domain in ASCII; `undefined` for whatever is not exactly one
 * address. Old records may hold anything.
 */
export function mailAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > limits.email) return undefined;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const typedDomain = text.slice(at + 1);
  if (Buffer.byteLength(local) > 64 || !localPart.test(local) || !domainPart.test(typedDomain))
    return undefined;
  const domain = domainToASCII(typedDomain);
  return domain.length <= 253 && asciiDomain.test(domain) ? `${local}@${domain}` : undefined;
}

/** A text for one line of a mail: no line breaks, no other control characters, nothing that turns the writing direction. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
}

// 2. Settings

const filled = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function readPort(value: unknown, standard: number): number | undefined {
  if (value === undefined || value === null || value === '') return standard;
  const port = Number(value);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}

// 3. What went wrong, fit for a log

interface SmtpError {
  code?: unknown;
  command?: unknown;
  response?: unknown;
  responseCode?: unknown;
}

/** The code and the enhanced status of RFC 3463; the words after them may repeat addresses. */
const statusOf = (response: string): string => /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? '';

function factsOf(error: unknown): Record<string, unknown> {
  const { code, command, response } = (error instanceof Error ? error : {}) as SmtpError;
  const own = error instanceof Error && code !== 'EENVELOPE' ? error.message.slice(0, 200) : undefined;
  return {
    code,
    command,
    reason: typeof response === 'string' ? statusOf(response) : own,
  };
}

function isAboutRecipient(error: unknown): boolean {
  const { command, responseCode } = (error instanceof Error ? error : {}) as SmtpError;
  return command === 'RCPT TO' && noSuchPerson.includes(responseCode);
}

// 4. The mailer

export function createMailer(context: MailerContext): Mailer {
  const { settings, log, times = defaultTimes, certificateAuthorities } = context;
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let active = 0;
  let closed = false;
  let probed: { settings: string; until: number; result: Promise<void> } | undefined;

  function notConfigured(setting?: MailSetting): MyPadsError {
    if (setting) log.warn('mail is not configured: a setting is not usable', { setting });
    return new MyPadsError('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
  }

  function readSmtp(): Smtp {
    const host = filled(settings('SMTPHost'));
    const sender = filled(settings('SMTPEmailFrom'));
    if (host === '' || sender === '') throw notConfigured();
    if (!/^[\p{L}\p{N}_.:-]{1,253}$/u.test(host)) throw notConfigured('SMTPHost');
    const from = mailAddress(sender);
    if (!from) throw notConfigured('SMTPEmailFrom');
    const unencrypted = settings('SMTPTLS') === false ? 'none' : 'starttls';
    const encryption = settings('SMTPSSL') === true ? 'tls' : unencrypted;
    const port = readPort(settings('SMTPPort'), portOf[encryption]);
    if (port === undefined) throw notConfigured('SMTPPort');
    const user = filled(settings('SMTPUser'));
    const pass = settings('SMTPPass');
    const auth = user === '' ? undefined : { user, pass: typeof pass === 'string' ? pass : '' };
    return { host, port, encryption, auth, from };
  }

  /** A connected socket of our own: the system resolves the name, and the total time limit has something to cut. */
  function openSocket(
    smtp: Smtp,
    done: (error: Error | null, options?: { connection: Socket }) => void,
  ): Socket {
    const socket = connect({ host: smtp.host, port: smtp.port });
    const failed = (error: Error): void => done(error);
    const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), times.start);
    sockets.add(socket);
    // Once TLS runs over it, nobody else listens to the plain socket.
    socket.on('error', () => {});
    socket.once('error', failed);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(socket);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', failed);
      done(null, { connection: socket });
    });
    return socket;
  }

  /** Runs `work` over one connection, for `times.total` at most. */
  async function connected<T>(
    smtp: Smtp,
    work: (transport: nodemailer.Transporter<SMTPTransport.SentMessageInfo>) => Promise<T>,
  ): Promise<T> {
    if (closed) throw new Error('the server stops');
    let socket: Socket | undefined;
    const options: SMTPTransport.Options = {
      host: smtp.host,
      port: smtp.port,
      secure: smtp.encryption === 'tls',
      requireTLS: smtp.encryption === 'starttls',
      ignoreTLS: smtp.encryption === 'none',
      auth: smtp.auth,
      tls: certificateAuthorities && { ca: certificateAuthorities },
      connectionTimeout: times.start,
      greetingTimeout: times.start,
      socketTimeout: times.step,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_options, done) => {
        socket = openSocket(smtp, done);
      },
    };
    const transport = nodemailer.createTransport(options);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error('not done in time'));
        socket?.destroy();
      }, times.total);
    });
    try {
      return await Promise.race([work(transport), late]);
    } finally {
      clearTimeout(timer);
      socket?.destroySoon();
    }
  }

  /** Lets `mostAtOnce` work at the same time; nobody waits longer for a turn than the work before may last. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + times.total;
    if (active < mostAtOnce) active++;
    else if (waiting.length >= mostWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (performance.now() > until) throw new Error('no turn in time');
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else active--;
    }
  }

  function unavailable(smtp: Smtp, error: unknown): MyPadsError {
    if (error instanceof MyPadsError) return error;
    log.warn('the mail server did not take a mail', { host: smtp.host, port: smtp.port, ...factsOf(error) });
    return new MyPadsError(
      isAboutRecipient(error) ? 'BACKEND.ERROR.TYPE.TO_MAIL' : 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
    );
  }

  /** Throws TYPE.TO_MAIL. */
  function compose({ to, subject, text, html, language }: Letter, from: string) {
    const address = mailAddress(to);
    if (!address) throw new MyPadsError('BACKEND.ERROR.TYPE.TO_MAIL');
    return {
      from: { name: oneLine(filled(settings('title'))), address: from },
      to: { name: '', address },
      subject: oneLine(subject),
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
      xMailer: false as const,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }

  /** Tells `done` until when this is believed. */
  async function probeNow(smtp: Smtp, done: (until: number) => void): Promise<void> {
    try {
      await connected(smtp, (transport) => transport.verify());
      done(performance.now() + probeLasts.good);
    } catch (error) {
      done(performance.now() + probeLasts.bad);
      throw unavailable(smtp, error);
    }
  }

  return {
    mustBeConfigured() {
      readSmtp();
    },
    async probe() {
      const smtp = readSmtp();
      const fresh = JSON.stringify(smtp);
      if (probed?.settings !== fresh || performance.now() > probed.until) {
        const probe = { settings: fresh, until: Number.POSITIVE_INFINITY, result: Promise.resolve() };
        probe.result = probeNow(smtp, (until) => {
          probe.until = until;
        });
        probed = probe;
      }
      await probed.result;
    },
    async send(letter) {
      const smtp = readSmtp();
      const envelope = compose(letter, smtp.from);
      try {
        await inTurn(() => connected(smtp, (transport) => transport.sendMail(envelope)));
      } catch (error) {
        throw unavailable(smtp, error);
      }
    },
    async rehearse(letter) {
      try {
        const smtp = readSmtp();
        const envelope = compose(letter, smtp.from);
        await inTurn(() =>
          connected(smtp, async (transport) => {
            await transport.verify();
            await nodemailer.createTransport({ streamTransport: true, buffer: true }).sendMail(envelope);
          }),
        );
      } catch (error) {
        log.debug('a mail to nobody could not be rehearsed', factsOf(error));
      }
    },
    close() {
      closed = true;
      for (const socket of sockets) socket.destroy(new Error('the server stops'));
    },
  };
}
