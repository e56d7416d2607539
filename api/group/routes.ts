/** Groups: creating, changing and removing them. reading.ts and members.ts have the other routes. */
import { type Request, Router } from 'express';
import type * as z from 'zod';
import { mayCreateGroup } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { type KeyAnswer, keyAnswer } from '../answers';
import { groupRightErrors, memberErrors } from '../commonErrors';
import { groupAdministrators, throwUnless } from '../middleware/authorise';
import { namesOfSetFields } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { limitInvitations } from './invitationLimits';
import { overview, ownGroups, padNames, presentInOwnGroups, recentPads } from './lists';
import { createGroupLookup, type GroupLookup } from './lookup';
import { addInvitationRoute, addLeavingRoutes, addMemberRoutes } from './members';
import { addGroupReading } from './reading';
import {
  byId,
  change,
  creation,
  type GroupSavedAnswer,
  groupSavedAnswer,
  groupsAnswer,
  overviewAnswer,
  padNamesAnswer,
  presentAnswer,
  recentPadsAnswer,
} from './schema';
import { addTagging } from './tagging';

/** Adds `POST /`. */
function addCreationRoute(router: Router, services: Services, lookup: GroupLookup): void {
  const { model, limits } = services;
  const { groups, users } = model;

  /** The id of an account that is named by id, login or address. An unknown name is returned; the model refuses it. */
  async function idOf(name: string): Promise<string> {
    return (await users.named(name))?._id ?? name;
  }

  const idsOf = async (names: string[] | undefined): Promise<string[] | undefined> =>
    names && Promise.all(names.map(idOf));

  /** Creates a group on behalf of a server administrator, for the person in `admin`. */
  async function createGroupFor(
    body: z.output<typeof creation.body>,
    request: Request,
  ): Promise<GroupSavedAnswer> {
    const { _id, admin, ifExists, ...fields } = body;
    if (admin === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_STR', { field: 'admin' });
    const input = { ...fields, admins: await idsOf(fields.admins), users: await idsOf(fields.users) };
    const owner = await idOf(admin);
    const { group, made } =
      ifExists === 'answer'
        ? await groups.createOnce(owner, input)
        : { group: await groups.create(owner, input), made: true };
    if (made) lookup.logEvent('group created', request, group._id);
    return { ...(await lookup.saved({ kind: 'admin' }, group)), ...(ifExists ? { made } : {}) };
  }

  router.post(
    '/',
    route(
      {
        who: 'signedIn',
        summary:
          'Creates a group. A server administrator names its administrator in `admin` by login, e-mail address or id.',
        input: creation,
        answer: groupSavedAnswer,
        errors: ['BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', ...memberErrors],
        example: {
          body: { name: 'Minutes of the board', visibility: 'private', password: 'hémi', tags: ['board'] },
        },
      },
      async ({ caller: { actor }, body }, request): Promise<GroupSavedAnswer> => {
        throwUnless(mayCreateGroup(actor), 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
        if (actor.kind === 'admin') return createGroupFor(body, request);
        const { _id, admin, ifExists, ...input } = body;
        if (ifExists !== undefined) {
          throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', { field: 'ifExists' });
        }
        const owner = actor.id;
        await limits.consume('folders', owner);
        await limitInvitations(services, actor, input);
        const group = await groups.create(owner, input);
        lookup.logEvent('group created', request, group._id);
        return lookup.saved(actor, group);
      },
    ),
  );
}

/** Adds `PUT /:id` and `DELETE /:id`. */
function addChangeRoutes(router: Router, services: Services, lookup: GroupLookup): void {
  const { groups } = services.model;

  router.put(
    '/:id',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary: 'Changes the fields that are sent.',
        input: change,
        answer: groupSavedAnswer,
        errors: [...groupRightErrors, 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', ...memberErrors],
        example: { body: { description: 'Of the board', archived: false } },
      },
      async ({ params, body }, request): Promise<GroupSavedAnswer> => {
        const { _id, admin, pads, ctime, abilities, hasPassword, ...input } = body;
        throwUnless(_id === undefined || _id === params.id, 'BACKEND.ERROR.TYPE.ID_STR');
        const { actor, check } = await lookup.requireAbility(request, params.id, 'edit');
        await limitInvitations(services, actor, input, params.id);
        const group = await groups.update(params.id, input, check);
        lookup.logEvent('group changed', request, group._id, { changed: namesOfSetFields(input) });
        return lookup.saved(actor, group);
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary: 'Removes a group with its pads.',
        input: byId,
        answer: keyAnswer,
        errors: groupRightErrors,
        example: { answer: { success: true, key: 'minutes-of-the-board-x2k3v9' } },
      },
      async ({ params }, request): Promise<KeyAnswer> => {
        const { group } = await lookup.requireAbility(request, params.id, 'remove');
        await groups.remove(params.id);
        lookup.logEvent('group removed', request, params.id, { name: group.name });
        return { success: true, key: params.id };
      },
    ),
  );
}

export function groupRoutes(services: Services): Router {
  const { model } = services;
  const router = Router();
  const lookup = createGroupLookup(services);
  router.get(
    '/',
    route(
      {
        who: 'person',
        summary: 'Returns the caller’s groups with their pads and people, and the bookmarks.',
        answer: groupsAnswer,
      },
      ({ caller }) => ownGroups(model, caller.actor),
    ),
  );

  addCreationRoute(router, services, lookup);
  addGroupReading(router, services, lookup);
  addChangeRoutes(router, services, lookup);
  addTagging(router, services, lookup);
  addInvitationRoute(router, services, lookup);
  addMemberRoutes(router, services, lookup);
  addLeavingRoutes(router, services, lookup);
  return router;
}

/** Summaries of the caller's groups and pads, for lists and searches. */
export function overviewRoutes(services: Services): Router {
  const { model } = services;
  const router = Router();
  router.get(
    '/',
    route(
      {
        who: 'person',
        summary:
          'Returns a summary of the caller’s groups for lists, with the number of their pads, and the bookmarks.',
        answer: overviewAnswer,
      },
      ({ caller }) => overview(model, caller.actor),
    ),
  );
  router.get(
    '/pads',
    route(
      {
        who: 'person',
        summary:
          'Returns ids and names of the pads in the caller’s groups and in bookmarked ones, for a search.',
        answer: padNamesAnswer,
      },
      ({ caller }) => padNames(model, caller.actor),
    ),
  );
  router.get(
    '/recent',
    route(
      {
        who: 'person',
        summary:
          'Returns the pads that the caller opened last in the app and may still open, the latest first.',
        answer: recentPadsAnswer,
      },
      ({ caller }) => recentPads(model, caller.actor),
    ),
  );
  router.get(
    '/present',
    route(
      {
        who: 'person',
        summary: 'Returns who has pads of the caller’s groups and of bookmarked ones open now.',
        answer: presentAnswer,
      },
      ({ caller }) => presentInOwnGroups(services, caller.actor),
    ),
  );
  return router;
}
