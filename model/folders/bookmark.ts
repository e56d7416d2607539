/**
 * Bookmarks on groups and pads. A bookmark on something that was removed, or that the person may no longer see, is not
 * shown.
 */

import { type Actor, groupAbilities, type Policy, padAbilities } from '../access/permissions';
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { UserRecord } from '../store/entities';
import type { Groups } from './group';
import type { Pads } from './pad';

export type BookmarkType = 'groups' | 'pads';

export interface Bookmarks {
  /**
   * Sets a bookmark, or removes an existing one. Throws USER.BOOKMARK_NOT_FOUND when the target does not exist or may
   * not be bookmarked. Removing always works.
   */
  toggle(actor: Actor & { kind: 'user' }, type: BookmarkType, id: string): Promise<void>;
}

export interface BookmarkContext {
  users: Users;
  groups: Groups;
  pads: Pads;
  policy: () => Policy;
}

/** Bookmarks of one kind per person. The oldest are dropped. */
const maxPerKind = 5_000;

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
          [type]: [...without(user, type, id).bookmarks[type], id].slice(-maxPerKind),
        },
      }));
    },
  };
}
