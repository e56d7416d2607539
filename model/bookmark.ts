/** Bookmarks of people on groups and pads. What a bookmark points to may be gone or closed by now: then it is not shown. */
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Groups } from './group';
import type { Pads } from './pad';
import { type Actor, groupAbilities, type Policy, padAbilities } from './permissions';
import type { Users } from './user';

export type BookmarkType = 'groups' | 'pads';

export interface Bookmarks {
  /**
   * Sets a bookmark, or takes it away where there is one. Throws USER.BOOKMARK_NOT_FOUND for what does not exist as for what the person
   * may not bookmark; taking away always works.
   */
  toggle(actor: Actor & { kind: 'user' }, type: BookmarkType, id: string): Promise<void>;
}

export interface BookmarkContext {
  users: Users;
  groups: Groups;
  pads: Pads;
  policy: () => Policy;
}

/** Bookmarks of one kind that a person may have. */
const most = 5_000;

export function createBookmarks({ users, groups, pads, policy }: BookmarkContext): Bookmarks {
  async function allowed(actor: Actor, type: BookmarkType, id: string): Promise<boolean> {
    const pad = type === 'pads' ? await pads.find(id) : undefined;
    const group = await groups.find(pad?.group ?? id);
    if (group === undefined) return false;
    if (type === 'groups') return groupAbilities(actor, group, policy()).bookmark;
    return pad !== undefined && padAbilities(actor, pad, group, policy()).bookmark;
  }

  function without(user: UserRecord, type: BookmarkType, id: string): UserRecord {
    const kept = user.bookmarks[type].filter((other) => other !== id);
    return { ...user, bookmarks: { ...user.bookmarks, [type]: kept } };
  }

  async function remove(user: string, type: BookmarkType, id: string): Promise<boolean> {
    let removed = false;
    await users.update(user, (current) => {
      removed = current.bookmarks[type].includes(id);
      return removed ? without(current, type, id) : undefined;
    });
    return removed;
  }

  return {
    async toggle(actor, type, id) {
      if (await remove(actor.id, type, id)) return;
      if (!(await allowed(actor, type, id))) throw new MyPadsError('BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND');
      await users.update(actor.id, (user) => ({
        ...user,
        bookmarks: {
          ...user.bookmarks,
          [type]: [...without(user, type, id).bookmarks[type], id].slice(-most),
        },
      }));
    },
  };
}
