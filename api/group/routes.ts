/** Groups: reading, changing, and who belongs to them. */
import { type Request, type Response, Router } from 'express';
import type { GroupRecord } from '../../model/entities';
import { MyPadsError } from '../../model/errors';
import type { GroupCheck } from '../../model/group';
import {
  type Actor,
  type GroupAbilities,
  groupAbilities,
  groupSight,
  mayCreateGroup,
} from '../../model/permissions';
import { keyAnswer } from '../answers';
import { demand, requirePerson, requireSignedIn } from '../middleware/authorise';
import { addressOf, limitTable } from '../middleware/rateLimit';
import { callerFacts, namesOf } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { Group, GroupAnswer, GroupSavedAnswer, GroupsAnswer, InviteAnswer, KeyAnswer } from '../wire';
import { payForJoining } from './joining';
import { presentLocked, presentScene } from './presenter';
import { loadOwn, loadScene } from './scene';
import {
  byId,
  change,
  creation,
  groupAnswer,
  groupSavedAnswer,
  groupsAnswer,
  invitation,
  inviteAnswer,
  resignation,
} from './schema';
import { addReading, unlock } from './unlock';

export function groupRoutes(services: Services): Router {
  const { model, limits } = services;
  const { groups } = model;
  const router = Router();

  function tell(what: string, request: Request, group: string, facts: object = {}): void {
    model.log.info(what, { group, ...facts, ...callerFacts(request) });
  }

  async function requireGroup(id: string): Promise<GroupRecord> {
    const group = await groups.find(id);
    if (group === undefined) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
    return group;
  }

  /** Throws NOT_AUTH, KEY_NOT_FOUND, DENIED_RECORD_EDIT. `check` asks the same of the group as it is by then. */
  async function requireAbility(
    request: Request,
    id: string,
    ability: keyof GroupAbilities,
  ): Promise<{ actor: Actor; check: GroupCheck }> {
    const actor = requireSignedIn(request);
    const check: GroupCheck = (group) => {
      const allowed = groupAbilities(actor, group, model.policy())[ability];
      demand(allowed, 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT', id);
    };
    check(await requireGroup(id));
    return { actor, check };
  }

  async function present(actor: Actor, group: GroupRecord) {
    const shown = presentScene(actor, await loadScene(model, actor, [group]), model.policy());
    return { value: shown.groups[group._id] as Group, users: shown.users };
  }

  async function saved(actor: Actor, group: GroupRecord): Promise<GroupSavedAnswer> {
    return { success: true, key: group._id, value: (await present(actor, group)).value };
  }

  /** A large folder takes long to be read; even the largest can be opened once in that time. */
  async function open(request: Request, actor: Actor, group: GroupRecord): Promise<GroupAnswer> {
    const payer = actor.kind === 'user' ? actor.id : addressOf(request);
    const cost = Math.min(group.pads.length, limitTable.padsListed.points);
    if (actor.kind !== 'admin') await limits.spend('padsListed', payer, cost);
    const scene = await loadScene(model, actor, [group]);
    const times = await model.pads.lastUpdates(scene.pads.get(group._id) ?? []);
    const { groups: shown, pads, users } = presentScene(actor, scene, model.policy(), times);
    return { key: group._id, value: shown[group._id] as Group, pads, users };
  }

  /** What `actor` sees; a private group shows its name. Throws KEY_NOT_FOUND, MUST_BE, DENIED_RECORD, TOO_MANY. */
  async function show(request: Request, actor: Actor, id: string): Promise<GroupAnswer> {
    const group = await requireGroup(id);
    const sight = groupSight(actor, group, model.policy());
    if (sight === 'all' || sight === 'open') return open(request, actor, group);
    if (sight === 'name') return { key: id, value: presentLocked(group) };
    const mayHelp = actor.kind === 'guest' && model.policy().allPadsPublicsAuthentifiedOnly;
    throw new MyPadsError(
      mayHelp ? 'BACKEND.ERROR.AUTHENTICATION.MUST_BE' : 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
      { key: id },
    );
  }

  /** `password`: as it was typed; tried where the group asks for one. */
  async function read(
    request: Request,
    response: Response,
    id: string,
    password: string | undefined,
  ): Promise<GroupAnswer> {
    const shown = await show(request, request.mypads.actor, id);
    if (!password || shown.pads !== undefined) return shown;
    const { actor, token } = await unlock(services, request, response, { what: 'group', id }, password);
    return { ...(await show(request, actor, id)), token };
  }

  router.get(
    '/',
    route({}, groupsAnswer, async (_input, request): Promise<GroupsAnswer> => {
      return { value: await loadOwn(model, requirePerson(request)) };
    }),
  );

  router.post(
    '/invite',
    route(invitation, inviteAnswer, async ({ body }, request): Promise<InviteAnswer> => {
      const { gid, invite, loginsOrEmails } = body;
      if (gid === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAMS_REQUIRED', { field: 'gid' });
      const { actor, check } = await requireAbility(request, gid, invite ? 'invite' : 'share');
      await payForJoining(services, actor, { entries: loginsOrEmails }, gid);
      const result = await groups.invite(gid, invite ? 'users' : 'admins', loginsOrEmails, check);
      tell('group changed', request, gid, { changed: [invite ? 'users' : 'admins'] });
      const { present: known, absent } = result;
      return { success: true, ...(await present(actor, result.group)), present: known, absent };
    }),
  );

  router.post(
    '/resign',
    route(resignation, groupSavedAnswer, async ({ body }, request): Promise<GroupSavedAnswer> => {
      const actor = requirePerson(request);
      const group = await groups.resign(body.gid, actor.id);
      tell('group left', request, group._id);
      return saved(actor, group);
    }),
  );

  router.post(
    '/',
    route(creation, groupSavedAnswer, async ({ body }, request): Promise<GroupSavedAnswer> => {
      const { actor } = request.mypads;
      demand(mayCreateGroup(actor), 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
      const { _id, admin, ...input } = body;
      const owner = actor.kind === 'user' ? actor.id : admin;
      if (owner === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_STR', { field: 'admin' });
      if (actor.kind === 'user') await limits.spend('folders', actor.id);
      await payForJoining(services, actor, input);
      const group = await groups.create(owner, input);
      tell('group made', request, group._id);
      return saved(actor, group);
    }),
  );

  addReading(router, groupAnswer, read);

  router.put(
    '/:id',
    route(change, groupSavedAnswer, async ({ params, body }, request): Promise<GroupSavedAnswer> => {
      const { _id, admin, pads, ctime, abilities, hasPassword, ...input } = body;
      demand(_id === undefined || _id === params.id, 'BACKEND.ERROR.TYPE.ID_STR');
      const { actor, check } = await requireAbility(request, params.id, 'edit');
      await payForJoining(services, actor, input, params.id);
      const group = await groups.update(params.id, input, check);
      tell('group changed', request, group._id, { changed: namesOf(input) });
      return saved(actor, group);
    }),
  );

  router.delete(
    '/:id',
    route(byId, keyAnswer, async ({ params }, request): Promise<KeyAnswer> => {
      await requireAbility(request, params.id, 'remove');
      await groups.remove(params.id);
      tell('group removed', request, params.id);
      return { success: true, key: params.id };
    }),
  );

  return router;
}
