/** `admin/locks`: what is locked now because a limit was reached, and lifting that. */
import { isHostAdministrator } from '../../model/access/administrator';
import type { Model } from '../../model/model';
import type { UserRecord } from '../../model/store/entities';
import { isCountedAs, limitTable } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import { idOfLock, type Locked } from '../serverRecords';
import type { Services } from '../services';
import type { AdminLock } from './schema';

/** Locks in an answer. There are more only during an attack from many addresses. */
const maxShown = 200;

type AccountName = Pick<UserRecord, '_id' | 'login'>;

/** The parts of a key by what they name. The last part may contain spaces. */
function partsOf({ limit, key }: Locked): {
  [part in (typeof limitTable)[typeof limit]['key'][number]]?: string;
} {
  const names = limitTable[limit].key;
  const space = names.length > 1 ? key.indexOf(' ') : key.length;
  const values = [key.slice(0, space), key.slice(space + 1)];
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

/** The account that the name in a key belongs to, which has neither capitals nor accents. */
async function findCounted({ users, recordIndex }: Model, name: string): Promise<AccountName | undefined> {
  const owner = await users.findOwner(name);
  if (owner) return owner;
  // While the index is being built, limits can be lifted without the name.
  const { entries } = await recordIndex.accounts({ text: name, limit: 50 }).catch(() => ({ entries: [] }));
  return entries.find(({ login, email }) => isCountedAs(login, name) || isCountedAs(email, name));
}

/** Whom or what the lock is about, if not an address only. Without id and name if there is no such account. */
async function objectOf(model: Model, locked: Locked): Promise<AdminLock['object']> {
  const { account, administrator, user, record } = partsOf(locked);
  const [what, ...rest] = (record ?? '').split(':');
  const id = rest.join(':');
  if (what === 'group')
    return { kind: what, id, name: (await model.groups.findMany([id])).get(id)?.name ?? null };
  if (what === 'pad')
    return { kind: what, id, name: (await model.pads.findMany([id])).get(id)?.name ?? null };
  const admin = administrator ?? (what === 'admin' ? id : undefined);
  if (admin !== undefined) {
    const isThis = (one: string): boolean => one === admin || isCountedAs(one, admin);
    const administrators = Object.keys(model.settings.users());
    const name =
      administrators.find((one) => isHostAdministrator(model.settings, one) && isThis(one)) ?? null;
    return { kind: 'admin', id: name, name };
  }
  const userId = user ?? (what === 'user' ? id : undefined);
  if (userId === undefined && account === undefined) return null;
  const found = await (userId === undefined ? findCounted(model, account ?? '') : model.users.get(userId));
  return { kind: 'user', id: found?._id ?? null, name: found?.login ?? null };
}

async function present(model: Model, locked: Locked): Promise<AdminLock> {
  const { address, browser } = partsOf(locked);
  return {
    id: idOfLock(locked),
    limit: locked.limit,
    address: address ?? null,
    object: await objectOf(model, locked),
    knownBrowser: browser !== undefined,
    tries: locked.points,
    until: model.now() + locked.wait,
  };
}

export const lockHandlers = ({ model, limits }: Services) =>
  ({
    async 'GET /admin/locks'() {
      const all = (await limits.locked()).sort((one, other) => other.wait - one.wait);
      const shown = await Promise.all(all.slice(0, maxShown).map((one) => present(model, one)));
      // Names that no account has are last, because whoever guesses makes up many of them.
      const isUnknown = ({ object }: AdminLock): number => (object?.name === null ? 1 : 0);
      shown.sort((one, other) => isUnknown(one) - isUnknown(other));
      return { locks: shown, count: all.length };
    },

    async 'DELETE /admin/locks/{id}'({ params: { id: key }, lock }, request) {
      const object = await objectOf(model, lock);
      await limits.lift(lock.limit, lock.key);
      model.log.info('limit lifted', { limit: lock.limit, ...callerFacts(request) });
      const about = object?.id && object.kind !== 'admin' && { object: { kind: object.kind, id: object.id } };
      model.events.emit({ about: 'limit', what: 'lifted', ...about });
      return { success: true, key };
    },
  }) satisfies Partial<Handlers>;
