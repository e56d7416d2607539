/** Routes that create, copy, change and remove pads. */
import type { Router } from 'express';
import { mayReceivePad, padAbilities } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { PadCheck } from '../../model/folders/pad';
import type { GroupRecord } from '../../model/store/entities';
import { type KeyAnswer, keyAnswer } from '../answers';
import { byId } from '../group/schema';
import { throwUnless } from '../middleware/authorise';
import { namesOf } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { PadLookup, Place } from './lookup';
import { change, creation, duplication, type PadSavedAnswer, padSavedAnswer } from './schema';

/** Adds `POST /` and `POST /:id/duplicate`. */
export function addCreationRoutes(router: Router, { model, limits }: Services, lookup: PadLookup): void {
  const { pads, groups } = model;

  router.post(
    '/',
    route(
      { who: 'signedIn', input: creation, answer: padSavedAnswer },
      async ({ caller: { actor }, body }, request): Promise<PadSavedAnswer> => {
        const { _id, users, group: gid, ...input } = body;
        const group = await groups.find(gid);
        if (group === undefined)
          throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
        const check = lookup.mayCreate(actor);
        check(group);
        if (actor.kind === 'user') await limits.consume('pads', actor.id);
        const pad = await pads.create(gid, input, check);
        lookup.logEvent('pad created', request, pad);
        return lookup.saved(actor, pad);
      },
    ),
  );

  router.post(
    '/:id/duplicate',
    route(
      { who: 'person', input: duplication, answer: padSavedAnswer },
      async ({ caller: { actor }, params: { id }, body }, request): Promise<PadSavedAnswer> => {
        const place = await lookup.require(id);
        lookup.requireEntry(actor, place);
        const check = lookup.mayCreate(actor);
        check(place.group);
        await limits.consume('pads', actor.id);
        const pad = await pads.duplicate(id, body.name, check);
        lookup.logEvent('pad duplicated', request, pad, { from: id });
        return lookup.saved(actor, pad);
      },
    ),
  );
}

/** Adds `PUT /:id`. */
export function addChangeRoute(router: Router, { model }: Services, lookup: PadLookup): void {
  const { pads, groups } = model;

  /** The target of a move; `undefined` if the pad stays in its group. Throws PAD.ITEMS_NOT_FOUND. */
  async function findTarget({ pad }: Place, id: string | undefined): Promise<GroupRecord | undefined> {
    if (id === undefined || id === pad.group) return undefined;
    const target = await groups.find(id);
    if (target === undefined) throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
    return target;
  }

  router.put(
    '/:id',
    route(
      { who: 'signedIn', input: change, answer: padSavedAnswer },
      async ({ caller: { actor }, params, body }, request): Promise<PadSavedAnswer> => {
        const { _id, name, visibility, password, readonly, group } = body;
        throwUnless(_id === undefined || _id === params.id, 'BACKEND.ERROR.TYPE.ID_STR');
        const check: PadCheck = (pad, source, target) => {
          const { edit, move } = padAbilities(actor, pad, source, model.policy());
          const denied = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT';
          throwUnless(edit && (move || !target), denied, params.id);
          throwUnless(!target || mayReceivePad(actor, target), denied, group);
        };
        const place = await lookup.require(params.id);
        check(place.pad, place.group);
        check(place.pad, place.group, await findTarget(place, group));
        const input = { name, visibility, password, readonly, group };
        const changed = await pads.update(params.id, input, check);
        lookup.logEvent('pad changed', request, changed, { changed: namesOf(input) });
        return lookup.saved(actor, changed);
      },
    ),
  );
}

/** Adds `DELETE /:id` and `DELETE /chathistory/:id`. */
export function addRemovalRoutes(router: Router, { model: { pads } }: Services, lookup: PadLookup): void {
  router.delete(
    '/chathistory/:id',
    route(
      { who: 'signedIn', input: byId, answer: keyAnswer },
      async ({ params }, request): Promise<KeyAnswer> => {
        const { pad } = await lookup.requireAbility(request, params.id, 'removeChatHistory');
        await pads.removeChatHistory(params.id);
        lookup.logEvent('chat history removed', request, pad);
        return { success: true, key: params.id };
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      { who: 'signedIn', input: byId, answer: keyAnswer },
      async ({ params }, request): Promise<KeyAnswer> => {
        const { pad } = await lookup.requireAbility(request, params.id, 'remove');
        await pads.remove(params.id);
        lookup.logEvent('pad removed', request, pad);
        return { success: true, key: params.id };
      },
    ),
  );
}
