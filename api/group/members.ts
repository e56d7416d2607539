/** Who belongs to a group: adding people, changing their roles, removing them, leaving. */
import type { Actor } from '../../model/access/permissions';
import type { Invitation } from '../../model/folders/membership';
import { listOfRole, memberLists } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import { welcomeAdded } from './added';
import { logGroupEvent, presentWithPeople, savedGroup } from './changed';
import { limitInvitations } from './invitationLimits';
import type { InviteAnswer } from './schema';

async function invited(
  services: Services,
  actor: Actor,
  { group, present, absent }: Invitation,
): Promise<InviteAnswer> {
  return { success: true, ...(await presentWithPeople(services, actor, group)), present, absent };
}

/** People who are not named keep their roles. */
export const memberHandlers = (services: Services) => {
  const { bookmarks, groups } = services.model;
  return {
    async 'POST /group/{id}/members'({ caller: { actor }, group, body, check }, request) {
      const { _id: id } = group;
      const { loginsOrEmails, admin = false, role = admin ? 'manager' : 'writer' } = body;
      await limitInvitations(services, actor, { entries: loginsOrEmails }, id);
      const as = listOfRole[role];
      const added = await groups.add(id, as, loginsOrEmails, check);
      if (added.group[as].length > group[as].length)
        logGroupEvent(services, 'group changed', request, id, { changed: [as] });
      await welcomeAdded(services, actor, peopleOf(group), added.group);
      return invited(services, actor, added);
    },

    async 'PUT /group/{id}/members'({ caller: { actor }, group, params: { id }, body, check }, request) {
      const entries = memberLists.flatMap((list) => body[list]);
      await limitInvitations(services, actor, { entries }, id);
      const assigned = await groups.assign(id, body, check);
      logGroupEvent(services, 'group changed', request, id, { changed: [...memberLists] });
      await welcomeAdded(services, actor, peopleOf(group), assigned.group);
      return invited(services, actor, assigned);
    },

    async 'DELETE /group/{id}/members/{login}'({ caller: { actor }, params: { id }, user, check }, request) {
      const group = await groups.resign(id, user._id, check);
      logGroupEvent(services, 'group changed', request, id, { removed: user._id });
      return savedGroup(services, actor, group);
    },

    async 'POST /group/resign'({ caller: { actor }, body }, request) {
      const group = await groups.resign(body.gid, actor.id);
      await bookmarks.setMany(actor, 'groups', [group._id], false);
      logGroupEvent(services, 'group left', request, group._id);
      return savedGroup(services, actor, group);
    },

    /** Replaces the list of users or of administrators. */
    async 'POST /group/invite'({ caller: { actor }, group, body, check }, request) {
      const { _id: id } = group;
      const { invite, loginsOrEmails } = body;
      const as = invite ? 'users' : 'admins';
      await limitInvitations(services, actor, { entries: loginsOrEmails }, id);
      const listed = await groups.invite(id, as, loginsOrEmails, check);
      logGroupEvent(services, 'group changed', request, id, { changed: [as] });
      await welcomeAdded(services, actor, peopleOf(group), listed.group);
      return invited(services, actor, listed);
    },
  } satisfies Partial<Handlers>;
};
