/**
 * Invitations to folders and single pads by email, for addresses without an account. They are in the group's record and
 * open nothing: an account of the invited address accepts them with the token of the mail.
 */

import { randomBytes } from 'node:crypto';
import { type Actor, mayAcceptInvitation } from '../access/permissions';
import type { Tokens } from '../access/token';
import { comparableAddress } from '../accounts/accountNames';
import type { Users } from '../accounts/user';
import { isError, MyPadsError, recordNotFound } from '../errors';
import type { GroupCheck, GroupRecords } from '../folders/groupRecords';
import type { Pads } from '../folders/pad';
import type { PadCheck } from '../folders/padRecords';
import { lifetimes, limits } from '../limits';
import { oneLine } from '../mail/mailer';
import { groupOfNote, type PartNote } from '../removal/partNotes';
import { sha256 } from '../sha256';
import type { Basics } from '../store/basics';
import type {
  GrantRole,
  GroupRecord,
  InvitationRecord,
  MemberList,
  PadRecord,
  UserRecord,
} from '../store/entities';
import { withGiven } from '../store/ruleGrants';
import { keys } from '../store/store';
import { type InvitationMail, shownName } from './invitationMail';

/** What is stored beside an invitation. */
export interface InvitationNote extends PartNote {
  created: number;
}

export interface InvitationInput {
  /** Each is one valid email address (`mailAddress`), and none has an account. */
  addresses: readonly string[];
  /** The pad of the group that is shared alone with them; missing: they join the group. */
  pad?: string | undefined;
  role: MemberList;
  sentence: string;
  lang: string;
}

/** An invitation that has not ended, its group, and the pad that it is for. */
export interface Invited {
  group: GroupRecord;
  pad: PadRecord | undefined;
  invitation: InvitationRecord;
}

interface Accepted {
  /** The id of the group. */
  group: string;
  pad: PadRecord | undefined;
}

interface InvitationContext extends Pick<Basics, 'store' | 'log' | 'now'> {
  records: GroupRecords;
  pads: Pick<Pads, 'find' | 'give'>;
  users: Pick<Users, 'get' | 'updateProfile' | 'releaseAddress'>;
  secrets: Pick<Tokens, 'ofInvitation'>;
  mails: InvitationMail;
  /** The setting `invitationDays`. */
  days: () => number;
}

const dayLength = 24 * 3600_000;
/** The role of a list, in a single pad. */
const padRole = (list: MemberList): GrantRole => (list === 'readers' ? 'reader' : 'writer');
const idOf = (token: string): string => sha256(token).slice(0, 32);
const incorrect = (): MyPadsError => new MyPadsError('BACKEND.ERROR.TOKEN.INCORRECT');
const otherAddress = (): MyPadsError => new MyPadsError('BACKEND.ERROR.INVITATION.OTHER_ADDRESS');

const requireRole = ({ pad, role }: Pick<InvitationRecord, 'role'> & { pad?: string | undefined }): void => {
  if (pad !== undefined && role === 'admins')
    throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'role' });
};

/** Seconds until another mail may be sent; 0: now. One that was not sent may be sent at once. */
function wait({ mail, mailed }: InvitationRecord, now: number): number {
  if (mail !== 'sent' || mailed === null) return 0;
  // Later than now: the clock was ahead then.
  return mailed > now ? 0 : Math.max(0, Math.ceil((mailed + lifetimes.betweenInvitations - now) / 1000));
}

/** What is set when the first mail is sent again. A reminder may follow this one too. */
const again = { mail: 'waiting', reminded: false } as const;

/** Changes one invitation under the lock of its group; `undefined` removes it. Throws KEY_NOT_FOUND. */
async function changeOne(
  records: GroupRecords,
  { group, id, check }: { group: string; id: string; check?: GroupCheck | undefined },
  change: (invitation: InvitationRecord) => InvitationRecord | undefined,
): Promise<GroupRecord> {
  return records.change(group, (current) => {
    check?.(current);
    if (!current.invitations.some(({ _id }) => _id === id)) throw recordNotFound(id);
    const invitations = current.invitations.flatMap((one) => (one._id === id ? (change(one) ?? []) : one));
    return { after: { ...current, invitations }, changed: ['invitations'] };
  });
}

/** The same for invitations of one address to the same group or pad. */
const nameOf = ({ pad = '', address }: { pad?: string | undefined; address: string }): string =>
  `${pad} ${comparableAddress(address)}`;

/** Throws MEMBER.TOO_MANY when a group would have so many. */
function requireAtMost(count: number): void {
  if (count > limits.invitations)
    throw new MyPadsError('BACKEND.ERROR.MEMBER.TOO_MANY', { most: limits.invitations });
}

/**
 * The invitations of the group with new ones. An address that is invited already keeps its own with the new facts.
 * `mailed`: ids of those to mail. Throws MEMBER.TOO_MANY when there are too many.
 */
function withInvited(
  { invitations: before }: GroupRecord,
  made: readonly InvitationRecord[],
  now: number,
): { invitations: InvitationRecord[]; mailed: string[] } {
  const mailed: string[] = [];
  const earlier = new Map(before.map((one) => [nameOf(one), one]));
  const next = made.map((one): InvitationRecord => {
    const known = earlier.get(nameOf(one));
    const mails = known === undefined || wait(known, now) === 0;
    if (mails) mailed.push((known ?? one)._id);
    if (known === undefined) return one;
    const { role, sentence, lang, by, expires } = one;
    return { ...known, role, sentence, lang, by, expires, ...(mails && again) };
  });
  const ids = new Set(next.map(({ _id }) => _id));
  const invitations = [...before.filter(({ _id }) => !ids.has(_id)), ...next];
  requireAtMost(invitations.length);
  return { invitations, mailed };
}

function createMaking({ store, records, secrets, mails, days, now }: InvitationContext) {
  function newInvitation(address: string, facts: Omit<InvitationInput, 'addresses'>, by: string | null) {
    const seed = randomBytes(16).toString('base64url');
    const _id = idOf(secrets.ofInvitation(seed));
    const created = now();
    const times = { created, expires: created + days() * dayLength };
    const mail = { mail: 'waiting' as const, mailed: null, reminded: false };
    return { _id, address, ...facts, by, ...times, ...mail, seed } satisfies InvitationRecord;
  }

  return {
    /**
     * Call it before `invite`, and before others of the same call are added. Throws MEMBER.TOO_MANY as `invite`,
     * SERVER.BUSY when too many mails wait, and as `mustBeConfigured` of the mails.
     */
    async requireRoom(
      { _id, invitations }: GroupRecord,
      { addresses, pad }: Pick<InvitationInput, 'addresses' | 'pad'>,
    ): Promise<void> {
      mails.mustBeConfigured();
      await mails.requireRoom(_id, addresses.length);
      const made = addresses.map((address) => nameOf({ pad, address }));
      requireAtMost(new Set([...invitations.map(nameOf), ...made]).size);
    },

    /**
     * Invites addresses. One that is invited already gets the new role and sentence, and a mail only after an hour.
     * `by`: as in `InvitationRecord`. Throws KEY_NOT_FOUND, MEMBER.TOO_MANY when the group would have too many.
     */
    async invite(
      group: string,
      { addresses, role, sentence: typed, lang, pad }: InvitationInput,
      by: string | null,
      check?: GroupCheck,
    ): Promise<GroupRecord> {
      const facts = { role, sentence: oneLine(typed), lang, ...(pad !== undefined && { pad }) };
      const wanted = new Map(addresses.map((address) => [comparableAddress(address), address]));
      const made = [...wanted.values()].map((address) => newInvitation(address, facts, by));
      // First, so that an invitation in a group can always be found by its token.
      for (const { _id, created } of made)
        await store.set(keys.invitation(_id), { group, pad, created } satisfies InvitationNote);
      let toSend: string[] = [];
      const removeNotes = async (kept: readonly string[]): Promise<void> => {
        for (const { _id } of made) if (!kept.includes(_id)) await store.remove(keys.invitation(_id));
      };
      const invited = await records
        .change(group, (current) => {
          check?.(current);
          if (pad !== undefined && !current.pads.includes(pad)) throw recordNotFound(pad);
          const { invitations, mailed } = withInvited(current, made, now());
          toSend = mailed;
          return { after: { ...current, invitations }, changed: ['invitations'] };
        })
        .catch(async (error: unknown) => {
          await removeNotes([]);
          throw error;
        });
      await removeNotes(toSend);
      for (const id of toSend) await mails.begin(group, id, 'invitation');
      return invited;
    },

    /** While registration is closed, nobody can register with it again. Does nothing when it has gone. */
    async noteRegistration({ group, invitation }: Pick<Invited, 'group' | 'invitation'>): Promise<void> {
      const of = { group: group._id, id: invitation._id };
      await changeOne(records, of, (one) => ({ ...one, registered: true })).catch((error: unknown) => {
        if (!isError(error, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND')) throw error;
      });
    },
  };
}

/** True when the invitation is for this address. */
const isFor = ({ address }: InvitationRecord, own: string): boolean =>
  comparableAddress(address) === comparableAddress(own);

/** The invitation of the group, at this time. Throws TOKEN.INCORRECT and TOKEN.EXPIRED. */
function validIn(group: GroupRecord, id: string, time: number): InvitationRecord {
  const invitation = group.invitations.find(({ _id }) => _id === id);
  if (invitation === undefined) throw incorrect();
  if (time >= invitation.expires) throw new MyPadsError('BACKEND.ERROR.TOKEN.EXPIRED');
  return invitation;
}

const withoutInvitation = (group: GroupRecord, id: string): GroupRecord => ({
  ...group,
  invitations: group.invitations.filter(({ _id }) => _id !== id),
});

function createAccepting({ store, records, pads, users, log, now }: InvitationContext) {
  /** The group that has this invitation, as its note says. */
  const groupOfInvitation = (id: string): Promise<string | undefined> =>
    groupOfNote(store, keys.invitation(id));

  /** Throws TOKEN.INCORRECT for an unknown, accepted or withdrawn one, TOKEN.EXPIRED. */
  async function ofToken(token: string): Promise<Invited> {
    const id = idOf(token);
    const place = await groupOfInvitation(id);
    const group = place === undefined ? undefined : await records.find(place);
    if (group === undefined) throw incorrect();
    const invitation = validIn(group, id, now());
    if (invitation.pad === undefined) return { group, pad: undefined, invitation };
    const pad = await pads.find(invitation.pad);
    // It is being removed. Nobody may take the invitation for one to the group.
    if (pad === undefined) throw incorrect();
    return { group, pad, invitation };
  }

  /** The address of the account, after the token has confirmed a new one. */
  async function confirmedAddress(user: UserRecord, invitation: InvitationRecord): Promise<string> {
    const { _id, email, pendingEmail } = user;
    if (pendingEmail === undefined || !isFor(invitation, pendingEmail.address)) return email;
    const check = (current: UserRecord): void => {
      if (current.pendingEmail?.id !== pendingEmail.id) throw otherAddress();
    };
    await users.releaseAddress(pendingEmail.address);
    return (await users.updateProfile(_id, { email: pendingEmail.address }, { check })).email;
  }

  return {
    ofToken,
    /** Name of the person who invites; `null` for a server administrator and a removed account. */
    async inviterOf({ by }: InvitationRecord): Promise<string | null> {
      const inviter = by === null ? undefined : await users.get(by);
      return inviter === undefined ? null : shownName(inviter);
    },
    groupOfInvitation,
    /**
     * Makes the account a member, or shares the pad with it; nobody gets a role with fewer rights than before. The
     * token also proves a new address that waits for its confirmation. Throws as `ofToken`; INVITATION.OTHER_ADDRESS
     * for the account of another address, MEMBER.TOO_MANY when the pad is shared with too many.
     */
    async accept(token: string, actor: Actor, user: UserRecord): Promise<Accepted> {
      const { group, invitation } = await ofToken(token);
      const own = comparableAddress(await confirmedAddress(user, invitation));
      const { role } = invitation;
      const require: GroupCheck = (current) => {
        const stored = validIn(current, invitation._id, now());
        if (!mayAcceptInvitation(actor, own, comparableAddress(stored.address))) throw otherAddress();
        if (stored.role !== role) throw incorrect();
      };
      const without = (current: GroupRecord) => withoutInvitation(current, invitation._id);
      const accepted = async (place: string): Promise<void> => {
        await store.remove(keys.invitation(invitation._id));
        log.info('invitation accepted', { group: place, user: user._id });
      };
      if (invitation.pad !== undefined) {
        const ends = { of: without, changed: ['invitations'] };
        const check: PadCheck = (_, current) => require(current);
        const pad = await pads.give(invitation.pad, user._id, padRole(role), check, ends);
        await accepted(pad.group);
        return { group: pad.group, pad };
      }
      const joined = await records.change(group._id, (current) => {
        require(current);
        return { after: withGiven(without(current), [user._id], role), changed: [role, 'invitations'] };
      });
      await accepted(joined._id);
      return { group: joined._id, pad: undefined };
    },
  };
}

export function createInvitations(context: InvitationContext) {
  const { store, records, mails, days, now } = context;
  /** Throws PERMISSION.TOO_MANY less than an hour after the last mail. */
  function requireResendable(invitation: InvitationRecord): void {
    const retryAfter = wait(invitation, now());
    if (retryAfter > 0) throw new MyPadsError('BACKEND.ERROR.PERMISSION.TOO_MANY', { retryAfter });
  }
  return {
    /** Throws TYPE.PARAM_INVALID for a role that nobody has in a single pad. */
    requireRole,
    requireResendable,
    isFor,
    canSend: mails.canSend,
    refuse: mails.refuse,
    ...createMaking(context),
    ...createAccepting(context),

    /** Changes role or sentence. Throws KEY_NOT_FOUND, and as `requireRole`. */
    async changeInvitation(
      group: string,
      id: string,
      { role, sentence }: Partial<Pick<InvitationRecord, 'role' | 'sentence'>>,
      check?: GroupCheck,
    ): Promise<InvitationRecord> {
      const changed = await changeOne(records, { group, id, check }, (one) => {
        const said = sentence === undefined ? one.sentence : oneLine(sentence);
        const next = { ...one, role: role ?? one.role, sentence: said };
        requireRole(next);
        return next;
      });
      return changed.invitations.find(({ _id }) => _id === id) as InvitationRecord;
    },

    /** Ends an invitation: its token opens nothing. Throws KEY_NOT_FOUND. */
    async end(group: string, id: string, check?: GroupCheck): Promise<void> {
      await changeOne(records, { group, id, check }, () => undefined);
      await store.remove(keys.invitation(id));
    },

    /**
     * Ends those of these addresses, whose accounts are in the group now, or have this pad. Throws KEY_NOT_FOUND
     * without the group.
     */
    async endFor(group: string, addresses: readonly string[], pad?: string): Promise<void> {
      const joined = new Set(addresses.map((address) => comparableAddress(address)));
      let ended: InvitationRecord[] = [];
      await records.change(group, (current) => {
        ended = current.invitations.filter(
          (one) => one.pad === pad && joined.has(comparableAddress(one.address)),
        );
        const invitations = current.invitations.filter((one) => !ended.includes(one));
        return ended.length === 0
          ? undefined
          : { after: { ...current, invitations }, changed: ['invitations'] };
      });
      for (const { _id } of ended) await store.remove(keys.invitation(_id));
    },

    /**
     * Sends the mail again, in the name of `by` if that is a person; it is valid as long as a new one. Throws as
     * `requireResendable` and `invite`.
     */
    async resend(group: string, id: string, by: string | null, check?: GroupCheck) {
      mails.mustBeConfigured();
      await mails.requireRoom(group, 1);
      const changed = await changeOne(records, { group, id, check }, (one) => {
        requireResendable(one);
        return { ...one, ...again, by: by ?? one.by, expires: now() + days() * dayLength };
      });
      await mails.begin(group, id, 'invitation');
      return changed.invitations.find(({ _id }) => _id === id) as InvitationRecord;
    },
  };
}
