/** Invitations to folders by email: making, changing and ending them, and what the invited do with them. */
import type { Request } from 'express';
import type { Actor } from '../../model/access/permissions';
import { namesOfSetFields } from '../../model/events';
import { mailAddress } from '../../model/mail/address';
import { type GroupRecord, type InvitationRecord, listOfRole, roleOfList } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import { mailboxOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { welcomeAdded } from '../group/added';
import { logGroupEvent, presentWithPeople } from '../group/changed';
import { limitInvitations } from '../group/invitationLimits';
import { withLink } from '../recovery/routes';
import type { Services } from '../services';
import type { Invitation } from './schema';

const idOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.id : null);

function presented({ role, ...record }: InvitationRecord): Invitation {
  const { _id, address, sentence, lang, by, created, expires, mail, mailed } = record;
  return { _id, address, role: roleOfList[role], sentence, lang, by, created, expires, mail, mailed };
}

const presentOne = (invitation: InvitationRecord) =>
  ({ success: true, key: invitation._id, value: presented(invitation) }) as const;

/** Counts emails to addresses. Throws PERMISSION.TOO_MANY, and then counts none of them. */
async function limitMails({ limits }: Services, actor: Actor, addresses: readonly string[]): Promise<void> {
  const refunds: (() => Promise<void>)[] = [];
  try {
    for (const address of addresses) {
      if (actor.kind === 'user') refunds.push(await limits.consume('invitationMail', actor.id));
      refunds.push(await limits.consume('invitationMailbox', mailboxOf(address)));
    }
  } catch (error) {
    for (const refund of refunds) await refund();
    throw error;
  }
}

/** What people do who have got an invitation. */
const invitedHandlers = (services: Services) => {
  const { model } = services;
  const { invitations, registration } = model;
  return {
    /** Uses nothing up, and shows nothing of the folder but its name. */
    async 'POST /invitations/show'({ body: { token } }, request) {
      const { group, invitation } = await withLink(services, request, () => invitations.ofToken(token));
      const { address, role, sentence, expires } = invitation;
      return {
        value: {
          address,
          group: { name: group.name },
          by: await invitations.inviterOf(invitation),
          role: roleOfList[role],
          sentence,
          expires,
          mayRegister: registration.isOpen(true),
        },
      };
    },

    async 'POST /invitations/accept'({ body: { token }, caller: { actor, user } }, request) {
      const group = await withLink(services, request, () => invitations.accept(token, actor, user));
      logGroupEvent(services, 'group changed', request, group._id, { changed: ['invitations'] });
      return { success: true, key: group._id };
    },

    async 'POST /invitations/refuse'({ body: { token } }, request) {
      await withLink(services, request, () => invitations.refuse(token));
      return { success: true };
    },
  } satisfies Partial<Handlers>;
};

/** Adds the people with an account among the entries, and invites the addresses without one. */
async function inviteEntries(
  services: Services,
  request: Request,
  {
    actor,
    group,
    body,
    check,
  }: {
    actor: Actor;
    group: GroupRecord;
    body: Parameters<Handlers['POST /group/{id}/invitations']>[0]['body'];
    check: (group: GroupRecord) => void;
  },
) {
  const { groups, users, invitations } = services.model;
  const { _id: id } = group;
  const { role = 'writer', sentence = '', lang = '' } = body;
  const entries = [...new Set(body.loginsOrEmails.map((entry) => entry.trim()))];
  const known = await users.findByEntries(entries);
  const unknown = entries.filter((entry) => !known.has(entry));
  const addresses = unknown.filter((entry) => mailAddress(entry) !== undefined);
  if (addresses.length > 0) invitations.mustBeConfigured();
  await limitInvitations(services, actor, { entries }, id);
  await limitMails(services, actor, addresses);
  const as = listOfRole[role];
  const input = { addresses, role: as, sentence, lang };
  if (addresses.length > 0) await invitations.invite(id, input, idOf(actor), check);
  const { group: after, present: added } = await groups.add(id, as, [...known.keys()], check);
  await welcomeAdded(services, actor, peopleOf(group), after);
  logGroupEvent(services, 'group changed', request, id, { changed: [as, 'invitations'] });
  return {
    success: true as const,
    ...(await presentWithPeople(services, actor, after)),
    present: added,
    absent: unknown.filter((entry) => !addresses.includes(entry)),
    invited: addresses,
  };
}

export const invitationHandlers = (services: Services) => {
  const { invitations, addedMail, now } = services.model;
  return {
    ...invitedHandlers(services),

    'GET /group/{id}/invitations': ({ group }) => ({
      value: group.invitations.filter(({ expires }) => now() < expires).map(presented),
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
      return presentOne(changed);
    },

    async 'DELETE /invitations/{id}'({ group, invitation: { _id }, check }, request) {
      await invitations.end(group._id, _id, check);
      logGroupEvent(services, 'group changed', request, group._id, { changed: ['invitations'] });
      return { success: true, key: _id };
    },

    async 'POST /invitations/{id}/resend'({ caller: { actor }, group, invitation, check }) {
      invitations.requireResendable(invitation);
      await limitMails(services, actor, [invitation.address]);
      return presentOne(await invitations.resend(group._id, invitation._id, check));
    },
  } satisfies Partial<Handlers>;
};
