/**
 * Mails of invitations. They are sent in the background, so that a mail server that does not answer delays no call. An
 * address can refuse all further ones; the record of that has no address in it.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Tokens } from '../access/token';
import { comparableMailbox } from '../accounts/accountNames';
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { GroupRecords } from '../folders/groupRecords';
import type { Pads } from '../folders/pad';
import { fullName } from '../fullName';
import type { JobQueue, Jobs } from '../jobs/types';
import { limits } from '../limits';
import type { FolderFacts } from '../mail/texts';
import type { GroupRecord, InvitationRecord, UserRecord } from '../store/entities';
import { keys, type Store } from '../store/store';
import {
  createAccountMailSender,
  homeOf,
  linkTo,
  mailAttempts,
  type SenderContext,
} from './accountMailSender';

/** `invitationreminder`: nobody has answered the first one. */
type About = 'invitation' | 'invitationreminder';

export interface InvitationMailContext extends SenderContext {
  store: Store;
  records: GroupRecords;
  pads: Pick<Pads, 'find'>;
  users: Pick<Users, 'get'>;
  jobs: Pick<Jobs, 'define' | 'list'>;
  secrets: Pick<Tokens, 'ofInvitation' | 'ofAddress' | 'ofRefusal'>;
}

interface MailFacts {
  group: string;
  invitation: string;
  about: About;
}

const type = 'mailInvitation';
/** First mails of invitations that may wait at the same time. */
const maxWaiting = 200;
/** Reminders are begun only while fewer mails wait. */
const maxReminders = 100;
const minute = 60_000;
const day = 24 * 60;

/** How others know a person. */
export const shownName = (user: UserRecord): string => fullName(user) || user.login;

/** Whole days, or hours on the last day, because the mail says it in words. */
function minutesLeft(milliseconds: number): number {
  const minutes = Math.max(1, milliseconds / minute);
  const unit = minutes >= day ? day : minutes >= 60 ? 60 : 1;
  return Math.round(minutes / unit) * unit;
}

function createRefusals({ store, secrets, now, log }: InvitationMailContext) {
  const nameOf = (address: string): string => secrets.ofAddress(comparableMailbox(address));
  return {
    tokenFor: (address: string): string => `${nameOf(address)}${secrets.ofRefusal(nameOf(address))}`,
    isRefused: async (address: string): Promise<boolean> =>
      (await store.get(keys.noInvitations(nameOf(address)))) !== undefined,
    async refuse(token: string): Promise<void> {
      const [name, signature] = [token.slice(0, 32), token.slice(32)].map((text) => Buffer.from(text));
      const right = Buffer.from(secrets.ofRefusal(token.slice(0, 32)));
      if (name?.length !== 32 || signature?.length !== right.length || !timingSafeEqual(signature, right))
        throw new MyPadsError('BACKEND.ERROR.TOKEN.INCORRECT');
      await store.set(keys.noInvitations(token.slice(0, 32)), { since: now() });
      log.info('invitations refused');
    },
  };
}

type Refusals = ReturnType<typeof createRefusals>;

/** Writes into an invitation what became of its mail. Does nothing when it has ended. */
async function noteMail(
  records: GroupRecords,
  { group, invitation: id }: MailFacts,
  note: (invitation: InvitationRecord) => Partial<InvitationRecord>,
): Promise<void> {
  await records.change(group, (current) => {
    if (!current.invitations.some(({ _id }) => _id === id)) return undefined;
    const invitations = current.invitations.map((one) => (one._id === id ? { ...one, ...note(one) } : one));
    return { after: { ...current, invitations }, changed: ['invitations'] };
  });
}

/** A reminder that was not sent changes nothing about the first mail. */
const noteFailure = (records: GroupRecords, facts: MailFacts): Promise<void> =>
  noteMail(records, facts, ({ mail }) => (mail === 'waiting' ? { mail: 'failed' } : {}));

/** Throws as `Mailer.send`, and CONFIGURATION.ROOTURL_NOT_CONFIGURED. */
async function sendMail(
  context: InvitationMailContext,
  {
    group,
    invitation,
    about,
    refusal,
    time,
  }: {
    group: GroupRecord;
    invitation: InvitationRecord;
    about: About;
    /** The token of the link that refuses all further ones. */
    refusal: string;
    time: number;
  },
): Promise<void> {
  const { mailer, users, pads, secrets, settings, now, log } = context;
  const sender = createAccountMailSender(context);
  const { address, role, sentence, lang, seed, expires, by } = invitation;
  const base = sender.requireBaseUrl();
  const pad = invitation.pad === undefined ? undefined : await pads.find(invitation.pad);
  // It has just been removed.
  if (invitation.pad !== undefined && pad === undefined) return;
  const inviter = by === null ? undefined : await users.get(by);
  const facts: FolderFacts = {
    name: inviter === undefined ? (settings('title') ?? '') : shownName(inviter),
    folder: pad?.name ?? group.name,
    isPad: pad !== undefined,
    role,
    sentence,
    refusal: linkTo(base, `noinvitations/${refusal}`),
  };
  const text = sender.write({ login: '', lang }, about, {
    link: linkTo(base, `invitation/${secrets.ofInvitation(seed)}`),
    home: homeOf(base),
    minutes: minutesLeft(expires - now()),
    about: facts,
    time,
  });
  await mailer.send({ to: address, ...text });
  log.info('invitation sent', { action: about, group: group._id });
}

function defineMails(context: InvitationMailContext, refusals: Refusals): JobQueue<MailFacts> {
  const { jobs, records, now } = context;
  return jobs.define<MailFacts>({
    type,
    maxAttempts: mailAttempts,
    canCancel: true,
    async cancelled(facts) {
      if (await records.find(facts.group)) await noteFailure(records, facts);
    },
    async run(facts, { begun: time }) {
      const group = await records.find(facts.group);
      const invitation = group?.invitations.find(({ _id }) => _id === facts.invitation);
      if (group === undefined || invitation === undefined || now() >= invitation.expires) return;
      // Somebody has asked for it twice.
      if (facts.about === 'invitation' && invitation.mail === 'sent') return;
      if (await refusals.isRefused(invitation.address))
        return noteMail(records, facts, () => ({ mail: 'refused' }));
      // It was sent again while the reminder waited for its next attempt.
      const about = invitation.mail === 'waiting' ? 'invitation' : facts.about;
      try {
        const refusal = refusals.tokenFor(invitation.address);
        await sendMail(context, { group, invitation, about, refusal, time });
      } catch (error) {
        await noteFailure(records, facts);
        throw error;
      }
      await noteMail(records, facts, () => ({ mail: 'sent', mailed: now() }));
    },
  });
}

export function createInvitationMail(context: InvitationMailContext) {
  const jobOf = async (invitation: string) =>
    (await context.jobs.list()).find(({ id }) => id === `${type}:${invitation}`);
  const refusals = createRefusals(context);
  const mails = defineMails(context, refusals);
  const { mustBeConfigured, isConfigured } = createAccountMailSender(context);
  return {
    mustBeConfigured,
    canSend: isConfigured,
    /**
     * Throws SERVER.BUSY when so many mails more of this folder would be too many that wait. Folders of which few wait
     * have room, also when those of others wait for a mail server that refuses them.
     */
    async requireRoom(group: string, more: number): Promise<void> {
      const waiting = (await mails.open()).filter(({ about }) => about === 'invitation');
      const own = waiting.filter((one) => one.group === group);
      if (waiting.length + more > maxWaiting && own.length + more > limits.invited)
        throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    },
    hasRoomForReminder: async (): Promise<boolean> => (await mails.open()).length < maxReminders,
    /** Queues the mail of an invitation. What became of it is noted in the invitation. */
    async begin(group: string, invitation: string, about: About): Promise<void> {
      const isRunning = (await jobOf(invitation))?.isRunning ?? false;
      const begun = mails.begin({ group, invitation, about }, { name: invitation });
      // It begins when the job that runs has ended, for which the mail server can take long. If it cannot begin then,
      // for example because the server stops, the mail waits until `beginMissing`.
      if (isRunning) begun.catch(() => {});
      else await begun;
    },
    /** Queues the mail of an invitation that waits for it, unless its job is on the list, or has failed for good. */
    async beginMissing(group: string, invitation: string): Promise<void> {
      if ((await jobOf(invitation)) === undefined)
        await mails.begin({ group, invitation, about: 'invitation' }, { name: invitation });
    },
    /** Stores that the address of this link wants no invitations. Throws TOKEN.INCORRECT. */
    refuse: refusals.refuse,
    isRefused: refusals.isRefused,
  };
}

export type InvitationMail = ReturnType<typeof createInvitationMail>;
