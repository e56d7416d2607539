/** Invitations to folders by email: making, changing and ending them, and what the invited do with them. */
import type { Request } from 'express';
import { type Actor, accountIdOf } from '../../model/access/permissions';
import { recordNotFound } from '../../model/errors';
import { namesOfSetFields } from '../../model/events';
import { mailAddress } from '../../model/mail/address';
import {
  type GroupRecord,
  type InvitationRecord,
  listOfRole,
  type PadRecord,
  roleOfList,
} from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import { mailboxOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { welcomeAdded, welcomeToPad } from '../group/added';
import { logGroupEvent, presentWithPeople } from '../group/changed';
import { limitInvitations } from '../group/invitationLimits';
import { logPadEvent } from '../pad/changed';
import { withLink } from '../recovery/routes';
import type { Services } from '../services';
import type { Invitation } from './schema';

async function requirePad({ model }: Services, { _id }: GroupRecord, id: string): Promise<PadRecord> {
  const pad = await model.pads.find(id);
  if (pad?.group !== _id) throw recordNotFound(id);
  return pad;
}

async function presented(
  { model }: Services,
  invitations: readonly InvitationRecord[],
): Promise<Invitation[]> {
  const pads = await model.pads.findMany(invitations.flatMap(({ pad }) => pad ?? []));
  return invitations.flatMap(({ pad: padId, role, ...record }) => {
    const { _id, address, sentence, lang, by, created, expires, mail, mailed } = record;
    const found = pads.get(padId ?? '');
    // The pad is being removed.
    if (padId !== undefined && found === undefined) return [];
    const pad = found ? { _id: found._id, name: found.name } : null;
    const shown = { _id, address, pad, role: roleOfList[role], sentence, lang };
    return { ...shown, by, created, expires, mail, mailed };
  });
}

async function presentOne(services: Services, invitation: InvitationRecord) {
  const [value] = await presented(services, [invitation]);
  return { success: true, key: invitation._id, value: value as Invitation } as const;
}

/** Counts emails to addresses. Throws PERMISSION.TOO_MANY, and then counts none of them. */
async function limitMails({ limits }: Services, actor: Actor, addresses: readonly string[]): Promise<void> {
  const costs = addresses.flatMap((address) => {
    const mailbox = ['invitationMailbox', mailboxOf(address)] as const;
    return actor.kind === 'user' ? [['invitationMail', actor.id] as const, mailbox] : [mailbox];
  });
  await limits.spend(costs);
}

/** What people do who have got an invitation. */
const invitedHandlers = (services: Services) => {
  const { model } = services;
  const { invitations, registration } = model;
  return {
    /** Uses nothing up, and shows nothing of the folder but its name. */
    async 'POST /invitations/show'({ body: { token } }, request) {
      const { group, pad, invitation } = await withLink(services, request, () => invitations.ofToken(token));
      const { address, role, sentence, expires } = invitation;
      return {
        value: {
          address,
          group: pad === undefined ? { name: group.name } : null,
          pad: pad === undefined ? null : { name: pad.name },
          by: await invitations.inviterOf(invitation),
          role: roleOfList[role],
          sentence,
          expires,
          mayRegister: registration.isOpen(!invitation.registered),
        },
      };
    },

    async 'POST /invitations/accept'({ body: { token }, caller: { actor, user } }, request) {
      const { group, pad } = await withLink(services, request, () => invitations.accept(token, actor, user));
      logGroupEvent(services, 'group changed', request, group, { changed: ['invitations'] });
      if (pad !== undefined) logPadEvent(services, 'pad changed', request, pad, { changed: ['people'] });
      return { success: true, key: pad?._id ?? group, isPad: pad !== undefined };
    },

    async 'POST /invitations/refuse'({ body: { token } }, request) {
      await withLink(services, request, () => invitations.refuse(token));
      return { success: true };
    },
  } satisfies Partial<Handlers>;
};

interface Inviting {
  actor: Actor;
  group: GroupRecord;
  body: Parameters<Handlers['POST /group/{id}/invitations']>[0]['body'];
  check: (group: GroupRecord) => void;
}

/** Adds people to the group, or shares the pad with them. `entries`: usernames and addresses with an account. */
async function addNow(
  services: Services,
  request: Request,
  { actor, group, body: { pad: padId, role = 'writer' }, check }: Inviting,
  entries: readonly string[],
): Promise<GroupRecord> {
  const { groups, pads } = services.model;
  if (padId === undefined || role === 'manager') {
    const { group: after } = await groups.add(group._id, listOfRole[role], entries, check);
    await welcomeAdded(services, actor, peopleOf(group), after);
    return after;
  }
  const before = await requirePad(services, group, padId);
  if (entries.length === 0) return group;
  const { pad } = await pads.share(padId, entries, role, ({ group: place }, current) => {
    if (place !== group._id) throw recordNotFound(padId);
    check(current);
  });
  logPadEvent(services, 'pad changed', request, pad, { changed: ['people'] });
  await welcomeToPad(services, actor, before, { group, pad });
  return group;
}

/** Adds the people with an account among the entries, and invites the addresses without one. */
async function inviteEntries(services: Services, request: Request, asked: Inviting) {
  const { users, invitations } = services.model;
  const { actor, group, body, check } = asked;
  const { _id: id } = group;
  const { role = 'writer', sentence = '', lang = '', pad } = body;
  if (pad !== undefined) await requirePad(services, group, pad);
  const entries = [...new Set(body.loginsOrEmails.map((entry) => entry.trim()))];
  const known = await users.findByEntries(entries);
  const unknown = entries.filter((entry) => !known.has(entry));
  const addresses = unknown.filter((entry) => mailAddress(entry) !== undefined);
  if (addresses.length > 0) await invitations.requireRoom(group, { addresses, pad });
  await limitInvitations(services, actor, { entries }, id);
  await limitMails(services, actor, addresses);
  const as = listOfRole[role];
  const input = { addresses, role: as, sentence, lang, pad };
  invitations.requireRole(input);
  const present = [...known.keys()];
  // First, because a mail to somebody else cannot be taken back when nobody can be added any more.
  const after = await addNow(services, request, asked, present);
  if (addresses.length > 0) await invitations.invite(id, input, accountIdOf(actor), check);
  const changed = pad === undefined ? [as, 'invitations'] : ['invitations'];
  logGroupEvent(services, 'group changed', request, id, { changed });
  return {
    success: true as const,
    ...(await presentWithPeople(services, actor, after)),
    present,
    absent: unknown.filter((entry) => !addresses.includes(entry)),
    invited: addresses,
  };
}

export const invitationHandlers = (services: Services) => {
  const { invitations, addedMail, pads, now } = services.model;
  return {
    ...invitedHandlers(services),

    'GET /group/{id}/invitations': async ({ group }) => ({
      value: await presented(
        services,
        (await pads.aboutOwn(group)).invitations.filter(({ expires }) => now() < expires),
      ),
      canSend: invitations.canSend(),
      mailsAdded: addedMail.isOn(),
    }),

    'POST /group/{id}/invitations': ({ caller: { actor }, group, body, check }, request) =>
      inviteEntries(services, request, { actor, group, body, check }),

    async 'PUT /invitations/{id}'({ group, invitation: { _id }, body, check }, request) {
      const { role, sentence } = body;
      const change = { role: role && listOfRole[role], sentence };
      const changed = await invitations.changeInvitation(group._id, _id, change, check);
      const names = ['invitations', ...namesOfSetFields(body)];
      logGroupEvent(services, 'group changed', request, group._id, { changed: names });
      return presentOne(services, changed);
    },

    async 'DELETE /invitations/{id}'({ group, invitation: { _id }, check }, request) {
      await invitations.end(group._id, _id, check);
      logGroupEvent(services, 'group changed', request, group._id, { changed: ['invitations'] });
      return { success: true, key: _id };
    },

    async 'POST /invitations/{id}/resend'({ caller: { actor }, group, invitation, check }) {
      invitations.requireResendable(invitation);
      await limitMails(services, actor, [invitation.address]);
      const by = accountIdOf(actor);
      return presentOne(services, await invitations.resend(group._id, invitation._id, by, check));
    },
  } satisfies Partial<Handlers>;
};
