/** What server administrators did, newest first, with the current names of the objects. */
import type { AdminEntry, AdminObject, AdminObjectKind } from '../../model/adminLog/adminLogEntry';
import { limits } from '../../model/limits';
import type { Model } from '../../model/model';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import type { AdminLogEntry } from './schema';

function idsOf(entries: readonly AdminEntry[], kind: AdminObjectKind): string[] {
  const ids = entries.flatMap(({ object }) => (object?.kind === kind ? (object.id ?? []) : []));
  return [...new Set(ids)];
}

/** Returns a function that finds the current name of an object; for an account, its login. */
async function namesOf(model: Model, entries: readonly AdminEntry[]) {
  const [users, groups, pads] = await Promise.all([
    model.users.findMany(idsOf(entries, 'user')),
    model.groups.findMany(idsOf(entries, 'group')),
    model.pads.findMany(idsOf(entries, 'pad')),
  ]);
  return ({ kind, id = '', name }: AdminObject): string | null => {
    const found = { user: users.get(id)?.login, group: groups.get(id)?.name, pad: pads.get(id)?.name };
    return (kind === 'setting' ? id : found[kind]) ?? name ?? null;
  };
}

export const adminLogHandlers = ({ model }: Services) =>
  ({
    async 'GET /admin/log'({ query: { offset = 0, limit = limits.page } }) {
      const { entries, count } = await model.adminLog.list(offset, limit);
      const nameOf = await namesOf(model, entries);
      const shown = entries.map(
        ({ time, action, by, token, object, changed = [], count: times = 1, until }): AdminLogEntry => ({
          time: until ?? time,
          action,
          by: by ?? null,
          token: token ?? null,
          object: object ? { kind: object.kind, id: object.id ?? null, name: nameOf(object) } : null,
          changed,
          count: times,
        }),
      );
      return { entries: shown, count };
    },
  }) satisfies Partial<Handlers>;
