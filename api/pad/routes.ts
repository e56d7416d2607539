/** Pads: reading, changing, moving, and the ticket that lets a frame enter. */
import { type Request, type Response, Router } from 'express';
import type { GroupRecord, PadRecord } from '../../model/entities';
import { MyPadsError } from '../../model/errors';
import {
  type Actor,
  type Entry,
  effectiveSettings,
  groupAbilities,
  mayReceivePad,
  padAbilities,
  padEntry,
} from '../../model/permissions';
import type { Guarded } from '../../model/unlock';
import { keyAnswer } from '../answers';
import { byId } from '../group/schema';
import { addReading, type Unlocked, unlock } from '../group/unlock';
import { demand, requireSignedIn } from '../middleware/authorise';
import { addressOf } from '../middleware/rateLimit';
import { callerFacts, namesOf } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { KeyAnswer, PadAnswer, PadSavedAnswer, PadTicketAnswer, PublicPadAnswer } from '../wire';
import { padIdentity } from './identity';
import { presentPad } from './presenter';
import { change, creation, padAnswer, padSavedAnswer, padTicketAnswer, publicPadAnswer } from './schema';

interface Place {
  pad: PadRecord;
  group: GroupRecord;
}

const refusals = {
  password: 'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
  signIn: 'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
  no: 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
} as const satisfies Partial<Record<Entry, string>>;

function guardOf({ pad, group }: Place): Guarded {
  return effectiveSettings(pad, group).passwordOf === 'pad'
    ? { what: 'pad', id: pad._id }
    : { what: 'group', id: group._id };
}

export function padRoutes(services: Services): Router {
  const { model, limits } = services;
  const { pads, groups } = model;
  const router = Router();

  function tell(what: string, request: Request, { _id, group }: PadRecord, facts: object = {}): void {
    model.log.info(what, { pad: _id, group, ...facts, ...callerFacts(request) });
  }

  /** The pad and its group; a pad without a group is closed to everybody. */
  async function find(id: string): Promise<Place | undefined> {
    const pad = await pads.find(id);
    const group = pad && (await groups.find(pad.group));
    return pad && group && { pad, group };
  }

  async function requirePad(id: string): Promise<Place> {
    const place = await find(id);
    if (place === undefined) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
    return place;
  }

  /** Throws NOT_AUTH, KEY_NOT_FOUND, DENIED_RECORD_EDIT. */
  async function requireAbility(
    request: Request,
    id: string,
    ability: 'edit' | 'remove' | 'removeChatHistory' | 'move',
  ): Promise<Place & { actor: Actor }> {
    const actor = requireSignedIn(request);
    const place = await requirePad(id);
    const allowed = padAbilities(actor, place.pad, place.group, model.policy())[ability];
    demand(allowed, 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT', id);
    return { ...place, actor };
  }

  /** Throws what the caller must do to get in: MUST_BE, PASSWORD_MISSING; else DENIED_RECORD. */
  function demandEntry(actor: Actor, { pad, group }: Place): 'read' | 'write' {
    const entry = padEntry(actor, pad, group, model.policy());
    if (entry === 'read' || entry === 'write') return entry;
    throw new MyPadsError(refusals[entry], { key: pad._id });
  }

  /** `password`: as it was typed; tried where the pad asks for one. */
  async function read(
    request: Request,
    response: Response,
    id: string,
    password: string | undefined,
  ): Promise<PadAnswer> {
    const asked = await requirePad(id);
    const policy = model.policy();
    const caller: Unlocked = { actor: request.mypads.actor };
    const locked = padEntry(caller.actor, asked.pad, asked.group, policy) === 'password';
    const { actor, token } =
      locked && password ? await unlock(services, request, response, guardOf(asked), password) : caller;
    // Proving an old password has made its hash new.
    const { pad, group } = await requirePad(id);
    if (actor.kind !== 'admin') demandEntry(actor, { pad, group });
    const time = (await pads.lastUpdates([pad])).get(id);
    return { key: id, value: presentPad(actor, pad, group, policy, time), token };
  }

  async function saved(actor: Actor, pad: PadRecord): Promise<PadSavedAnswer> {
    const group = await groups.find(pad.group);
    if (group === undefined) {
      throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: pad._id });
    }
    return { success: true, key: pad._id, value: presentPad(actor, pad, group, model.policy()) };
  }

  router.get(
    '/ispublic/:id',
    route(byId, publicPadAnswer, async ({ params }): Promise<PublicPadAnswer> => {
      const place = await find(params.id);
      const open = place !== undefined && !model.policy().allPadsPublicsAuthentifiedOnly;
      const ispublic = open && effectiveSettings(place.pad, place.group).visibility === 'public';
      return { success: true, key: params.id, ispublic };
    }),
  );

  router.delete(
    '/chathistory/:id',
    route(byId, keyAnswer, async ({ params }, request): Promise<KeyAnswer> => {
      const { pad } = await requireAbility(request, params.id, 'removeChatHistory');
      await pads.removeChatHistory(params.id);
      tell('chat history removed', request, pad);
      return { success: true, key: params.id };
    }),
  );

  router.post(
    '/',
    route(creation, padSavedAnswer, async ({ body }, request): Promise<PadSavedAnswer> => {
      const actor = requireSignedIn(request);
      const { _id, users, group: gid, ...input } = body;
      const group = await groups.find(gid);
      if (group === undefined) throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
      const { createPad } = groupAbilities(actor, group, model.policy());
      demand(createPad, 'BACKEND.ERROR.AUTHENTICATION.DENIED', gid);
      if (actor.kind === 'user') await limits.spend('pads', actor.id);
      const pad = await pads.create(gid, input);
      tell('pad made', request, pad);
      return saved(actor, pad);
    }),
  );

  addReading(router, padAnswer, read);

  router.post(
    '/:id/ticket',
    route(byId, padTicketAnswer, async ({ params: { id } }, request): Promise<PadTicketAnswer> => {
      const { actor, session, user } = request.mypads;
      const mode = demandEntry(actor, await requirePad(id));
      const ticket = model.tickets.create(session?._id, id, addressOf(request));
      const useFirstLastNameInPads = model.configuration.get('useFirstLastNameInPads');
      return { success: true, key: id, ticket, ...padIdentity(user, { useFirstLastNameInPads }), mode };
    }),
  );

  async function demandTarget(actor: Actor, id: string): Promise<void> {
    const target = await groups.find(id);
    if (target === undefined) throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
    demand(mayReceivePad(actor, target), 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT', id);
  }

  router.put(
    '/:id',
    route(change, padSavedAnswer, async ({ params, body }, request): Promise<PadSavedAnswer> => {
      const { _id, name, visibility, password, readonly, group } = body;
      demand(_id === undefined || _id === params.id, 'BACKEND.ERROR.TYPE.ID_STR');
      const { actor, pad } = await requireAbility(request, params.id, 'edit');
      if (group !== undefined && group !== pad.group) {
        await requireAbility(request, params.id, 'move');
        await demandTarget(actor, group);
      }
      const input = { name, visibility, password, readonly, group };
      const changed = await pads.update(pad, input);
      tell('pad changed', request, changed, { changed: namesOf(input) });
      return saved(actor, changed);
    }),
  );

  router.delete(
    '/:id',
    route(byId, keyAnswer, async ({ params }, request): Promise<KeyAnswer> => {
      const { pad } = await requireAbility(request, params.id, 'remove');
      await pads.remove(params.id);
      tell('pad removed', request, pad);
      return { success: true, key: params.id };
    }),
  );

  return router;
}
