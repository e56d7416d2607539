/** Who belongs to a group: adding people, changing their roles, removing them, leaving. */
import type { Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { groupRightErrors, memberErrors } from '../commonErrors';
import { groupAdministrators } from '../middleware/authorise';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { limitInvitations } from './invitationLimits';
import type { GroupLookup } from './lookup';
import {
  type GroupSavedAnswer,
  groupSavedAnswer,
  type InviteAnswer,
  invitation,
  inviteAnswer,
  leaving,
  memberAddition,
  memberRemoval,
  roleChange,
} from './schema';

/** Adds `POST /:id/members` and `PUT /:id/members`. People who are not named keep their roles. */
export function addMemberRoutes(router: Router, services: Services, lookup: GroupLookup): void {
  const { groups } = services.model;

  router.post(
    '/:id/members',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary:
          'Adds people by login or e-mail address as users or, with `admin` true, as administrators. Administrators keep their role.',
        input: memberAddition,
        answer: inviteAnswer,
        errors: [...groupRightErrors, 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
        example: { body: { loginsOrEmails: ['bob'], admin: false } },
      },
      async ({ params: { id }, body }, request): Promise<InviteAnswer> => {
        const { loginsOrEmails, admin = false } = body;
        const { actor, check, group } = await lookup.requireAbility(request, id, admin ? 'share' : 'invite');
        await limitInvitations(services, actor, { entries: loginsOrEmails }, id);
        const as = admin ? 'admins' : 'users';
        const added = await groups.add(id, as, loginsOrEmails, check);
        if (added.group[as].length > group[as].length)
          lookup.logEvent('group changed', request, id, { changed: [as] });
        const { present: known, absent } = added;
        return {
          success: true,
          ...(await lookup.presentWithPeople(actor, added.group)),
          present: known,
          absent,
        };
      },
    ),
  );

  router.put(
    '/:id/members',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary:
          'Changes the roles of people, named by login or e-mail: administrator, user, or removed. Everybody else keeps their role.',
        input: roleChange,
        answer: inviteAnswer,
        errors: [
          ...groupRightErrors,
          'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: { body: { admins: ['bob'], users: ['carol'], removed: ['dave'] } },
      },
      async ({ params: { id }, body }, request): Promise<InviteAnswer> => {
        // `share` is enough: people who may add administrators may also invite members.
        const { actor, check } = await lookup.requireAbility(request, id, 'share');
        await limitInvitations(services, actor, { entries: [...body.admins, ...body.users] }, id);
        const { group, present: known, absent } = await groups.assign(id, body, check);
        lookup.logEvent('group changed', request, id, { changed: ['admins', 'users'] });
        return { success: true, ...(await lookup.presentWithPeople(actor, group)), present: known, absent };
      },
    ),
  );
}

/** Adds `DELETE /:id/members/:login` and `POST /resign`. */
export function addLeavingRoutes(
  router: Router,
  { model: { users, groups } }: Services,
  lookup: GroupLookup,
): void {
  router.delete(
    '/:id/members/:login',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary: 'Removes a person from the group.',
        input: memberRemoval,
        answer: groupSavedAnswer,
        errors: [
          ...groupRightErrors,
          'BACKEND.ERROR.GROUP.NOT_USER',
          'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
        ],
      },
      async ({ params: { id, login } }, request): Promise<GroupSavedAnswer> => {
        const { actor, check } = await lookup.requireAbility(request, id, 'invite');
        const user = await users.find(login);
        // The same error for an unknown account, so that nobody can find out which accounts exist.
        if (!user) throw new MyPadsError('BACKEND.ERROR.GROUP.NOT_USER');
        const group = await groups.resign(id, user._id, check);
        lookup.logEvent('group changed', request, id, { removed: user._id });
        return lookup.saved(actor, group);
      },
    ),
  );

  router.post(
    '/resign',
    route(
      {
        who: 'person',
        summary: 'Leaves a group.',
        input: leaving,
        answer: groupSavedAnswer,
        errors: [
          'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
          'BACKEND.ERROR.GROUP.NOT_USER',
          'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
        ],
        example: { body: { gid: 'minutes-of-the-board-x2k3v9' } },
      },
      async ({ caller: { actor }, body }, request): Promise<GroupSavedAnswer> => {
        const group = await groups.resign(body.gid, actor.id);
        lookup.logEvent('group left', request, group._id);
        return lookup.saved(actor, group);
      },
    ),
  );
}

/** Adds `POST /invite`, which replaces the list of users or of administrators. */
export function addInvitationRoute(router: Router, services: Services, lookup: GroupLookup): void {
  const { groups } = services.model;

  router.post(
    '/invite',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary: 'Replaces the list of users or, with `invite` false, the list of administrators.',
        input: invitation,
        answer: inviteAnswer,
        errors: [...groupRightErrors, 'BACKEND.ERROR.TYPE.PARAMS_REQUIRED', ...memberErrors],
        example: {
          body: {
            gid: 'minutes-of-the-board-x2k3v9',
            invite: true,
            loginsOrEmails: ['bob', 'carol@example.org'],
          },
        },
      },
      async ({ body }, request): Promise<InviteAnswer> => {
        const { gid, invite, loginsOrEmails } = body;
        if (gid === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAMS_REQUIRED', { field: 'gid' });
        const { actor, check } = await lookup.requireAbility(request, gid, invite ? 'invite' : 'share');
        await limitInvitations(services, actor, { entries: loginsOrEmails }, gid);
        const result = await groups.invite(gid, invite ? 'users' : 'admins', loginsOrEmails, check);
        lookup.logEvent('group changed', request, gid, { changed: [invite ? 'users' : 'admins'] });
        const { present: known, absent } = result;
        return {
          success: true,
          ...(await lookup.presentWithPeople(actor, result.group)),
          present: known,
          absent,
        };
      },
    ),
  );
}
