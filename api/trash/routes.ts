/** The trash: seeing, restoring, deleting for good. */
import { type Actor, peopleSight } from '../../model/access/permissions';
import { MyPadsError, recordNotFound } from '../../model/errors';
import { limits } from '../../model/limits';
import type { Trashed } from '../../model/removal/trash';
import type { UserRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Handlers } from '../calls';
import { presentPerson } from '../group/presenter';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import type { TrashAnswer, TrashedAnswer } from './schema';

function present(
  { model }: Services,
  actor: Actor,
  { id, kind, pad, group, at, by }: Trashed,
  people: ReadonlyMap<string, UserRecord>,
): TrashedAnswer {
  const deleter = by === null ? undefined : people.get(by);
  const isOfGroup = deleter !== undefined && peopleOf(group).includes(deleter._id);
  return {
    _id: id,
    kind,
    name: (pad ?? group).name,
    group: pad ? { _id: group._id, name: group.name } : null,
    padCount: pad ? 0 : group.pads.length,
    deleted: at,
    by: deleter
      ? presentPerson(deleter, isOfGroup ? peopleSight(actor, group, model.policy()) : 'logins')
      : null,
    until: model.trash.until(at),
  };
}

const factsOf = ({ kind, id, group }: Trashed) =>
  kind === 'pad' ? { pad: id, group: group._id } : { group: id };

export const trashHandlers = (services: Services) => {
  const { groupRules, log, trash, users, pads, groups } = services.model;
  return {
    async 'GET /trash'({
      caller: { actor },
      query: { offset = 0, limit = limits.page },
    }): Promise<TrashAnswer> {
      const { entries, count } = await trash.list(actor, offset, limit);
      const people = await users.findMany(entries.flatMap(({ by }) => by ?? []));
      return { entries: entries.map((entry) => present(services, actor, entry, people)), count };
    },

    async 'POST /trash/{id}/restore'({ params: { id }, body, trashed, checkPad, checkGroup }, request) {
      if (trashed.kind === 'group') {
        if (body.group !== undefined)
          throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'group' });
        await groupRules.restore(trashed.group, () => trash.restoreGroup(id, checkGroup));
      } else await trash.restorePad(id, body.group ?? trashed.group._id, checkPad);
      log.info('restored from the trash', { ...factsOf(trashed), ...callerFacts(request) });
      return { success: true, key: id };
    },

    async 'DELETE /trash/{id}'({ params: { id }, trashed }, request) {
      await trash.remove([trashed]);
      // Somebody has restored it since this call found it.
      if (await (trashed.kind === 'pad' ? pads : groups).find(id)) throw recordNotFound(id);
      log.info('deleted from the trash', { ...factsOf(trashed), ...callerFacts(request) });
      return { success: true, key: id };
    },

    async 'DELETE /trash'({ caller: { actor } }, request) {
      const removed = await trash.empty(actor);
      log.info('trash emptied', { removed, ...callerFacts(request) });
      return { success: true, removed };
    },
  } satisfies Partial<Handlers>;
};
