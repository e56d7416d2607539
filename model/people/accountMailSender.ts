/** Writes and sends the mails about accounts, with their links. */

import { MyPadsError } from '../errors';
import { mailAddress } from '../mail/address';
import type { Mailer } from '../mail/mailer';
import {
  type MailAction,
  type MailFacts,
  type MailSubject,
  type MailText,
  mailLanguage,
  writeMail,
} from '../mail/texts';
import type { Basics } from '../store/basics';
import type { GroupRecord, PadRecord, UserRecord } from '../store/entities';
import type { MailTokens } from './mailToken';

export interface LinkOptions {
  change?: string;
  /** How many minutes the link works. Default: the setting `tokenDuration`. */
  validMinutes?: number;
  send: (link: string, minutes: number) => Promise<void>;
}

type Facts = Pick<
  MailFacts,
  'link' | 'home' | 'address' | 'place' | 'person' | 'thing' | 'sentence' | 'about'
> & {
  minutes?: number;
  /** When it happened. Default: now; an email of a job can be sent hours later. */
  time?: number;
};

/** Path of each link in the page. Old mails and other programs contain these paths, so they cannot change. */
const paths: Record<MailAction, string> = {
  accountconfirm: 'accountconfirm',
  emailchange: 'accountconfirm',
  passrecover: 'passrecover',
};

/** The address without a slash at its end; `undefined` when it is no http or https address. */
function baseUrlOf(rootUrl: string | undefined): string | undefined {
  if (!rootUrl || !URL.canParse(rootUrl)) return undefined;
  const url = new URL(rootUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** An address in the page. `base`: as `requireBaseUrl` returns it. */
export const linkTo = (base: string, place: string): string => `${base}/mypads/index.html?/${place}`;
/** Of a folder, or of a pad that is shared alone: who has only the pad learns neither name nor id of its folder. */
export const linkToShared = (base: string, { _id: group }: GroupRecord, pad: PadRecord | undefined): string =>
  linkTo(
    base,
    pad === undefined
      ? `mypads/group/${encodeURIComponent(group)}/view`
      : `mypads/group/-/pad/view/${encodeURIComponent(pad._id)}`,
  );
export const homeOf = (base: string): string => `${base}/mypads/`;

/** A mail that cannot be sent is tried so often, within about two hours. */
export const mailAttempts = 8;

/** Addresses that are not confirmed, or that another account has, get no mail. */
export const isReachable = ({ active, closed, addressTaken, email }: UserRecord): boolean =>
  active && closed !== true && addressTaken !== true && mailAddress(email) !== undefined;

/** What a mail needs to know about its recipient. */
export type Recipient = Pick<UserRecord, '_id' | 'login' | 'lang' | 'email'>;

export interface SenderContext extends Pick<Basics, 'log' | 'now'> {
  tokens: MailTokens;
  mailer: Mailer;
  settings(name: 'defaultLanguage' | 'rootUrl' | 'title'): string | undefined;
}

export function createAccountMailSender(context: SenderContext) {
  const { tokens, mailer, settings, log, now } = context;

  /**
   * The address of this site. Only the setting counts: whoever makes a call chooses the host in its headers, and would
   * get the link of somebody else's mail. Throws CONFIGURATION.ROOTURL_NOT_CONFIGURED.
   */
  function requireBaseUrl(): string {
    const base = baseUrlOf(settings('rootUrl'));
    if (base === undefined) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    return base;
  }

  /**
   * Checks the settings for mail without a connection to the mail server. Throws CONFIGURATION.ROOTURL_NOT_CONFIGURED,
   * CONFIGURATION.MAIL_NOT_CONFIGURED.
   */
  function mustBeConfigured(): void {
    requireBaseUrl();
    mailer.mustBeConfigured();
  }

  /** Whether `mustBeConfigured` throws nothing. */
  function isConfigured(): boolean {
    try {
      mustBeConfigured();
      return true;
    } catch (error) {
      if (error instanceof MyPadsError) return false;
      throw error;
    }
  }

  function write(
    { login, lang }: Pick<Recipient, 'login' | 'lang'>,
    about: MailSubject,
    facts: Facts,
  ): MailText {
    // Later than now: the clock was ahead then.
    const time = Math.min(facts.time ?? now(), now());
    const words = { login, title: settings('title') ?? '', minutes: 0, ...facts, time };
    return writeMail(about, mailLanguage(lang, settings('defaultLanguage')), words);
  }

  /** Sends a mail to the account, or to the address `to`. Throws as `Mailer.send`. */
  async function mail(
    user: Recipient,
    about: MailSubject,
    { to = user.email, ...facts }: Facts & { to?: string },
  ): Promise<void> {
    await mailer.send({ to, ...write(user, about, facts) });
    log.info('mail sent', { action: about, user: user._id });
  }

  /**
   * Issues a link and mails it. If the mail fails, withdraws the link. Resolves to the time when the link expires, in
   * milliseconds since 1970.
   */
  async function withLink(
    user: UserRecord,
    action: MailAction,
    base: string,
    { change, validMinutes, send }: LinkOptions,
  ): Promise<number> {
    const { token, minutes, expires, withdraw } = await tokens.issue(user, action, change, validMinutes);
    try {
      await send(linkTo(base, `${paths[action]}/${token}`), minutes);
      return expires;
    } catch (error) {
      await withdraw();
      throw error;
    }
  }

  return { requireBaseUrl, mustBeConfigured, isConfigured, write, mail, withLink };
}

export type AccountMailSender = ReturnType<typeof createAccountMailSender>;
