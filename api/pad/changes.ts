/** Routes that create, copy, change and remove pads. */
import type { Router } from 'express';
import { mayReceivePad, padAbilities } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { PadCheck } from '../../model/folders/pad';
import type { GroupRecord } from '../../model/store/entities';
import { type KeyAnswer, keyAnswer } from '../answers';
import { groupRightErrors, padEntryErrors } from '../commonErrors';
import { byId } from '../group/schema';
import { groupAdministrators, throwUnless } from '../middleware/authorise';
import { namesOfSetFields } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import type { PadInGroup, PadLookup } from './lookup';
import { change, creation, duplication, type PadSavedAnswer, padSavedAnswer } from './schema';

/** Adds `POST /` and `POST /:id/duplicate`. */
export function addCreationRoutes(router: Router, { model, limits }: Services, lookup: PadLookup): void {
  const { pads, groups } = model;

  router.post(
    '/',
    route(
      {
        who: 'signedIn',
        openTo: 'the group’s administrators, its users with `allowUsersToCreatePads`, server administrator',
        summary: 'Creates a pad in a group.',
        input: creation,
        answer: padSavedAnswer,
        errors: [
          'BACKEND.ERROR.AUTHENTICATION.DENIED',
          'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
          'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: { body: { name: 'First meeting', group: 'minutes-of-the-board-x2k3v9' } },
      },
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
      {
        who: 'person',
        openTo: 'who may open the pad and create pads in its group',
        summary: 'Creates a pad with the same text and settings, without history and chat.',
        input: duplication,
        answer: padSavedAnswer,
        errors: [
          ...padEntryErrors,
          'BACKEND.ERROR.AUTHENTICATION.DENIED',
          'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: { body: { name: 'Second meeting' } },
      },
      async ({ caller: { actor }, params: { id }, body }, request): Promise<PadSavedAnswer> => {
        const original = await lookup.require(id);
        lookup.requireEntry(actor, original);
        const check = lookup.mayCreate(actor);
        check(original.group);
        await limits.consume('pads', actor.id);
        const pad = await pads.duplicate(id, { name: body.name, by: actor.id }, check);
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
  async function findTarget({ pad }: PadInGroup, id: string | undefined): Promise<GroupRecord | undefined> {
    if (id === undefined || id === pad.group) return undefined;
    const target = await groups.find(id);
    if (target === undefined) throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
    return target;
  }

  router.put(
    '/:id',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary: 'Changes the fields that are sent. Another `group` moves the pad.',
        input: change,
        answer: padSavedAnswer,
        errors: [
          ...groupRightErrors,
          'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
          'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND',
        ],
        example: { body: { name: 'First meeting of the year', readonly: true } },
      },
      async ({ caller: { actor }, params, body }, request): Promise<PadSavedAnswer> => {
        const { _id, name, visibility, password, readonly, group } = body;
        throwUnless(_id === undefined || _id === params.id, 'BACKEND.ERROR.TYPE.ID_STR');
        const check: PadCheck = (pad, source, target) => {
          const { edit, move } = padAbilities(actor, pad, source, model.policy());
          const denied = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT';
          throwUnless(edit && (move || !target), denied, params.id);
          throwUnless(!target || mayReceivePad(actor, target), denied, group);
        };
        const current = await lookup.require(params.id);
        check(current.pad, current.group);
        check(current.pad, current.group, await findTarget(current, group));
        const input = { name, visibility, password, readonly, group };
        const changed = await pads.update(params.id, input, check);
        lookup.logEvent('pad changed', request, changed, { changed: namesOfSetFields(input) });
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
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary: 'Removes the chat messages of a pad.',
        input: byId,
        answer: keyAnswer,
        errors: groupRightErrors,
      },
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
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary: 'Removes a pad with its text and history.',
        input: byId,
        answer: keyAnswer,
        errors: groupRightErrors,
        example: { answer: { success: true, key: 'first-meeting-h5t8s1' } },
      },
      async ({ params }, request): Promise<KeyAnswer> => {
        const { pad } = await lookup.requireAbility(request, params.id, 'remove');
        await pads.remove(params.id);
        lookup.logEvent('pad removed', request, pad);
        return { success: true, key: params.id };
      },
    ),
  );
}
