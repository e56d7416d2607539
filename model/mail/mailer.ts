/**
 * Sends mails through the operator's mail server. Settings are read for each mail. Each step and the whole have a time
 * limit. The log contains no addresses, links or replies of the server, because replies repeat addresses.
 */
import nodemailer from 'nodemailer';
import { MyPadsError } from '../errors';
import { inOneLine } from '../inOneLine';
import type { Log } from '../ports';
import { mailAddress } from './address';
import { createSmtpConnections, type MailTimes } from './smtpConnection';
import { type MailSetting, portOf, readSmtp, type Smtp, trimmedText } from './smtpSettings';

export type { MailSetting } from './smtpSettings';

export interface MailMessage {
  /** One address, as in the account record. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Code of the language, such as `fr` or `zh-Hans`. */
  language: string;
}

/** Which mail server has accepted a mail, and its reply. */
export interface MailReceipt {
  host: string;
  port: number;
  encryption: Smtp['encryption'];
  /** One line of at most 300 characters, such as `250 2.0.0 Ok: queued as 4F2A`. */
  reply: string;
}

export interface MailerContext {
  settings(name: MailSetting): unknown;
  log: Log;
  times?: MailTimes;
  /** Trusted PEM certificates, instead of the system's. */
  certificateAuthorities?: string[];
}

const defaultTimes = { start: 5_000, step: 10_000, total: 20_000 };
/**
 * How long a result of `probe` is reused, in milliseconds. A failure is kept briefly, so that a retry is soon possible.
 */
const probeCacheTime = { good: 10_000, bad: 2_000 };
/** Reply codes to RCPT TO that refuse the address (RFC 5321, 4.2.3). */
const recipientRejected: readonly unknown[] = [550, 551, 553];

// 1. Errors without addresses, for the log

interface SmtpError {
  code?: unknown;
  command?: unknown;
  response?: unknown;
  responseCode?: unknown;
}

/** Reply code and enhanced status (RFC 3463). The text after them may repeat addresses, so it is left out. */
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

/**
 * What the mail server said, for administrators. A server may repeat what it was sent, so a text with the password is
 * left out.
 */
function replyOf(text: string, { auth }: Smtp): string {
  // As it is, and as the commands AUTH LOGIN and AUTH PLAIN send it.
  const base64 = (secret: string): string => Buffer.from(secret).toString('base64');
  const secrets = auth?.pass ? [auth.pass, base64(auth.pass), base64(`\0${auth.user}\0${auth.pass}`)] : [];
  return secrets.some((secret) => text.includes(secret)) ? '' : oneLine(text).slice(0, 300);
}

/** In plain words instead of OpenSSL's, when the port and `SMTPSSL` do not fit. `undefined` for all other errors. */
function encryptionFault(error: unknown, { encryption, port }: Smtp): string | undefined {
  const words = error instanceof Error ? error.message : '';
  if (encryption === 'tls' && /wrong version number|packet length too long/i.test(words)) {
    return `port ${port} does not start with TLS: switch SMTPSSL off; with SMTPTLS on, STARTTLS encrypts the mail`;
  }
  const isSilent = encryption !== 'tls' && port === portOf.tls && /greeting never received/i.test(words);
  return isSilent ? `port ${port} starts with TLS: switch SMTPSSL on` : undefined;
}

function reasonOf(error: unknown, smtp: Smtp): { reason?: string; field?: string } {
  const fault = encryptionFault(error, smtp);
  if (fault !== undefined) return { reason: fault, field: 'SMTPSSL' };
  const { command, response } = (error instanceof Error ? error : {}) as SmtpError;
  const words = typeof response === 'string' ? response : error instanceof Error ? error.message : '';
  // A server that knows no STARTTLS says only that it does not know a command.
  const reason = replyOf(command === 'STARTTLS' ? `STARTTLS: ${words}` : words, smtp);
  return reason === '' ? {} : { reason };
}

/** Not with the status 5.7: the server passes on nothing for this server, or not from its address. */
function isAboutRecipient(error: unknown): boolean {
  const { command, response, responseCode } = (error instanceof Error ? error : {}) as SmtpError;
  const isPolicy = /^\d{3}[ -]5\.7\./.test(statusOf(String(response)));
  return command === 'RCPT TO' && recipientRejected.includes(responseCode) && !isPolicy;
}

// 2. Texts

/**
 * Text for one line of a mail: without line breaks, control characters and characters that change the writing
 * direction.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
}

// 3. The mailer

/** Builds the mail. Throws TYPE.TO_MAIL. */
function compose(
  { to, subject, text, html, language }: MailMessage,
  { from, settings }: { from: string; settings: MailerContext['settings'] },
) {
  const address = mailAddress(to);
  if (!address) throw new MyPadsError('BACKEND.ERROR.TYPE.TO_MAIL');
  return {
    from: { name: oneLine(trimmedText(settings('title'))), address: from },
    to: { name: '', address },
    replyTo: mailAddress(trimmedText(settings('mailContact'))),
    // The values in it are cleaned already; around them, languages have characters that isolate their direction.
    subject: inOneLine(subject),
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Tells Exchange and Outlook not to answer automatically.
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': language,
    },
    xMailer: false as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Shares the result of `verify` between calls with the same settings, for `probeCacheTime`. */
function createProbe(verify: (smtp: Smtp) => Promise<void>): (smtp: Smtp) => Promise<void> {
  let last: { settings: string; until: number; result: Promise<void> } | undefined;
  return (smtp) => {
    const settings = JSON.stringify(smtp);
    if (last?.settings === settings && performance.now() <= last.until) return last.result;
    const probe = { settings, until: Number.POSITIVE_INFINITY, result: verify(smtp) };
    const keepFor = (time: number) => (): void => {
      probe.until = performance.now() + time;
    };
    probe.result.then(keepFor(probeCacheTime.good), keepFor(probeCacheTime.bad));
    last = probe;
    return probe.result;
  };
}

export function createMailer(context: MailerContext) {
  const { settings, log, times = defaultTimes, certificateAuthorities } = context;
  const connections = createSmtpConnections(times, certificateAuthorities);
  const smtpNow = () => readSmtp(settings, log);

  /** Logs an error of the mail server and throws ours, for administrators with the reason. */
  async function attempt<T>(smtp: Smtp, action: () => Promise<T>, forWhom?: 'administrators'): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof MyPadsError) throw error;
      log.warn('mail not accepted by the mail server', {
        host: smtp.host,
        port: smtp.port,
        ...factsOf(error),
      });
      throw new MyPadsError(
        isAboutRecipient(error) ? 'BACKEND.ERROR.TYPE.TO_MAIL' : 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
        forWhom && reasonOf(error, smtp),
      );
    }
  }

  const verify = (smtp: Smtp) => connections.run(smtp, (transport) => transport.verify());
  const deliver = (smtp: Smtp, message: MailMessage) => {
    const envelope = compose(message, { from: smtp.from, settings });
    return connections.runInTurn(smtp, (transport) => transport.sendMail(envelope));
  };
  const probe = createProbe(async (smtp) => void (await attempt(smtp, () => verify(smtp))));

  return {
    /** Throws CONFIGURATION.MAIL_NOT_CONFIGURED unless host, port and sender are usable. */
    mustBeConfigured(): void {
      smtpNow();
    },
    /**
     * Connects and signs in to the mail server. Parallel and repeated calls share the result for `probeCacheTime`.
     * Throws CONFIGURATION.MAIL_NOT_CONFIGURED, SERVER.MAIL_UNAVAILABLE.
     */
    probe: async (): Promise<void> => probe(smtpNow()),
    /**
     * Resolves when the mail server has accepted the mail. Throws CONFIGURATION.MAIL_NOT_CONFIGURED; TYPE.TO_MAIL when
     * the address is invalid or unknown to the server; SERVER.MAIL_UNAVAILABLE; SERVER.BUSY when the queue is full.
     */
    async send(message: MailMessage): Promise<void> {
      const smtp = smtpNow();
      await attempt(smtp, () => deliver(smtp, message));
    },
    /**
     * As `probe`, for administrators: the result is not shared, and errors have the mail server's words as `reason`. If
     * `SMTPSSL` does not fit the port, `reason` says so and `field` is `SMTPSSL`.
     */
    async check(): Promise<{ host: string; port: number }> {
      const smtp = smtpNow();
      await attempt(smtp, () => verify(smtp), 'administrators');
      return { host: smtp.host, port: smtp.port };
    },
    /** As `send`, for administrators, with errors as of `check`. */
    async sendTest(message: MailMessage): Promise<MailReceipt> {
      const smtp = smtpNow();
      const { response } = await attempt(smtp, () => deliver(smtp, message), 'administrators');
      const { host, port, encryption } = smtp;
      return { host, port, encryption, reply: replyOf(response, smtp) };
    },
    /**
     * Does the work of `send` without sending, so that the load does not tell whether an address is known. Errors are
     * only logged.
     */
    async simulateSend(message: MailMessage): Promise<void> {
      try {
        const smtp = smtpNow();
        const envelope = compose(message, { from: smtp.from, settings });
        await connections.runInTurn(smtp, async (transport) => {
          await transport.verify();
          await nodemailer.createTransport({ streamTransport: true, buffer: true }).sendMail(envelope);
        });
      } catch (error) {
        log.debug('simulated mail failed', factsOf(error));
      }
    },
    /** The number of mails that wait for a connection. */
    waiting: connections.waiting,
    /** Aborts running and waiting mails. Nothing is sent afterwards. */
    close: connections.close,
  };
}

export type Mailer = ReturnType<typeof createMailer>;
