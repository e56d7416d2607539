/** Reads the operator's settings for mail. */
import { MyPadsError } from '../errors';
import type { Log } from '../ports';
import { mailAddress } from './address';

/** Settings that the mailer reads. Old databases may hold text instead of numbers, so values are checked here. */
export type MailSetting =
  | 'SMTPHost'
  | 'SMTPPort'
  | 'SMTPSSL'
  | 'SMTPTLS'
  | 'SMTPUser'
  | 'SMTPPass'
  | 'SMTPEmailFrom'
  | 'mailContact'
  | 'title';

export interface Smtp {
  host: string;
  port: number;
  /** TLS from the start, STARTTLS before anything else, or no encryption. */
  encryption: 'tls' | 'starttls' | 'none';
  auth: { user: string; pass: string } | undefined;
  from: string;
}

/** The usual port of each kind of encryption. */
export const portOf = { tls: 465, starttls: 587, none: 25 } as const;

/** Text without blanks around it; anything else is no text. */
export const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function readPort(value: unknown, standard: number): number | undefined {
  if (value === undefined || value === null || value === '') return standard;
  const port = Number(value);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}

/** Throws CONFIGURATION.MAIL_NOT_CONFIGURED unless host, port and sender are usable. */
export function readSmtp(settings: (name: MailSetting) => unknown, log: Log): Smtp {
  function notConfigured(setting?: MailSetting): MyPadsError {
    if (setting) log.warn('mail setting invalid, no mail can be sent', { setting });
    return new MyPadsError('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
  }

  const host = trimmedText(settings('SMTPHost'));
  const sender = trimmedText(settings('SMTPEmailFrom'));
  if (host === '' || sender === '') throw notConfigured();
  if (!/^[\p{L}\p{N}_.:-]{1,253}$/u.test(host)) throw notConfigured('SMTPHost');
  const from = mailAddress(sender);
  if (!from) throw notConfigured('SMTPEmailFrom');
  const unencrypted = settings('SMTPTLS') === false ? 'none' : 'starttls';
  const encryption = settings('SMTPSSL') === true ? 'tls' : unencrypted;
  const port = readPort(settings('SMTPPort'), portOf[encryption]);
  if (port === undefined) throw notConfigured('SMTPPort');
  const user = trimmedText(settings('SMTPUser'));
  const pass = settings('SMTPPass');
  const auth = user === '' ? undefined : { user, pass: typeof pass === 'string' ? pass : '' };
  return { host, port, encryption, auth, from };
}
