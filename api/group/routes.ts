/** Groups: creating, changing and removing them. reading.ts and members.ts have the other calls. */
import type { Request } from 'express';
import type * as z from 'zod';
import { accountIdOf } from '../../model/access/permissions';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { namesOfSetFields } from '../../model/events';
import { forEachInBatches } from '../../model/store/batches';
import { type MemberList, memberLists } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Handlers } from '../calls';
import { requireScope } from '../middleware/authorise';
import type { Services } from '../services';
import { welcomeAdded } from './added';
import { logGroupEvent, savedGroup } from './changed';
import { limitInvitations } from './invitationLimits';
import { overview, ownGroups, padNames, presentInOwnGroups, recentPads } from './lists';
import type { creation, GroupSavedAnswer, TagChange } from './schema';

type People = { [list in MemberList]?: readonly string[] | undefined };

/**
 * Throws API_TOKEN.SCOPE for an API token without `people` if the lists differ from those that the group has: this
 * scope allows to change people, whichever call does it. Programs send the lists back that they have got.
 */
function requirePeopleScope(request: Request, sent: People, before: People): void {
  const isChanged = memberLists.some((list) => {
    const [now, then] = [new Set(sent[list] ?? before[list]), new Set(before[list])];
    return now.size !== then.size || [...now].some((person) => !then.has(person));
  });
  if (isChanged) requireScope('people', request);
}

/** Creates a group on behalf of a server administrator, for the person in `admin`. */
async function createGroupFor(
  services: Services,
  body: z.output<typeof creation.body>,
  request: Request,
): Promise<GroupSavedAnswer> {
  const { groups, users } = services.model;
  /** The id of an account that is named by id, login or address. An unknown name is returned; the model refuses it. */
  const idOf = async (name: string): Promise<string> => (await users.named(name))?._id ?? name;
  const idsOf = async (names: string[] | undefined) => names && Promise.all(names.map(idOf));

  const { _id, admin, ifExists, ...fields } = body;
  if (admin === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_STR', { field: 'admin' });
  const input = {
    ...fields,
    admins: await idsOf(fields.admins),
    users: await idsOf(fields.users),
    readers: await idsOf(fields.readers),
  };
  const owner = await idOf(admin);
  requirePeopleScope(request, { ...input, admins: [owner, ...(input.admins ?? [])] }, { admins: [owner] });
  const { group, made } =
    ifExists === 'answer'
      ? await groups.createOnce(owner, input)
      : { group: await groups.create(owner, input), made: true };
  if (made) logGroupEvent(services, 'group created', request, group._id);
  return { ...(await savedGroup(services, { kind: 'admin' }, group)), ...(ifExists ? { made } : {}) };
}

export const groupHandlers = (services: Services) =>
  ({
    'GET /group': ({ caller }) => ownGroups(services.model, caller.actor),

    async 'POST /group'({ caller: { actor }, body }, request) {
      if (actor.kind === 'admin') return createGroupFor(services, body, request);
      const { _id, admin, ifExists, ...input } = body;
      if (ifExists !== undefined) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', { field: 'ifExists' });
      }
      const own = [actor.id];
      requirePeopleScope(request, { ...input, admins: [...own, ...(input.admins ?? [])] }, { admins: own });
      await services.limits.consume('folders', actor.id);
      await limitInvitations(services, actor, input);
      const group = await services.model.groups.create(actor.id, input);
      logGroupEvent(services, 'group created', request, group._id);
      await welcomeAdded(services, actor, [], group);
      return savedGroup(services, actor, group);
    },

    async 'PUT /group/{id}'({ caller: { actor }, group: before, params: { id }, body, check }, request) {
      const { _id, admin, pads, ctime, abilities, hasPassword, ...input } = body;
      requirePeopleScope(request, input, before);
      await limitInvitations(services, actor, input, id);
      const group = await services.model.groups.update(id, input, (current) => {
        check(current);
        // Somebody may have been removed since, whom the lists that were sent would put back.
        requirePeopleScope(request, input, current);
      });
      logGroupEvent(services, 'group changed', request, id, { changed: namesOfSetFields(input) });
      await welcomeAdded(services, actor, peopleOf(before), group);
      return savedGroup(services, actor, group);
    },

    async 'DELETE /group/{id}'(
      { caller: { actor }, query: { permanent }, group: { _id: id }, check },
      request,
    ) {
      const { groups, trash } = services.model;
      const keeps = trash.isOn() && !permanent;
      if (keeps) await trash.addGroup(id, accountIdOf(actor), check);
      else await groups.remove(id, check);
      logGroupEvent(services, keeps ? 'group put into the trash' : 'group removed', request, id);
      return { success: true, key: id };
    },

    /** Each group is changed on its own, so one that may not be changed does not stop the others. */
    async 'POST /group/tags'({ body: { changes }, of }, request) {
      const changed: TagChange[] = [];
      const failed: { group: string; error: ErrorKey }[] = [];
      await forEachInBatches(changes, async ({ group, ...change }) => {
        try {
          const { check } = await of(group);
          const done = await services.model.groups.changeTags(group, change, check);
          if (done.add.length + done.remove.length === 0) return;
          logGroupEvent(services, 'group changed', request, group, { changed: ['tags'] });
          changed.push({ group, add: [...done.add], remove: [...done.remove] });
        } catch (error) {
          if (!(error instanceof MyPadsError)) throw error;
          failed.push({ group, error: error.key });
        }
      });
      return { success: true, changed, failed };
    },
  }) satisfies Partial<Handlers>;

/** Summaries of the caller's groups and pads, for lists and searches. */
export const overviewHandlers = (services: Services) =>
  ({
    'GET /overview': ({ caller }) => overview(services.model, caller.actor),
    'GET /overview/pads': ({ caller }) => padNames(services.model, caller.actor),
    'GET /overview/recent': ({ caller }) => recentPads(services.model, caller.actor),
    'GET /overview/present': ({ caller }) => presentInOwnGroups(services, caller.actor),
  }) satisfies Partial<Handlers>;
