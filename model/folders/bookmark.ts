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

/** What `setMany` has done. */
export interface MarkedMany {
  /** The ids whose bookmark was set or removed. The others already were as requested. */
  changed: string[];
  /** The ids that do not exist or may not be bookmarked. */
  refused: string[];
}

export interface BookmarkContext {
  users: Users;
  groups: Groups;
  pads: Pads;
  policy: () => Policy;
}

/** Bookmarks of one kind per person. The oldest are dropped. */
const maxPerKind = 5_000;

export function createBookmarks({ users, groups, pads, policy }: BookmarkContext) {
  async function allowed(actor: Actor, type: BookmarkType, id: string): Promise<boolean> {
    const pad = type === 'pads' ? await pads.find(id) : undefined;
    const group = await groups.find(pad?.group ?? id);
    if (group === undefined) return false;
    if (type === 'groups') return groupAbilities(actor, group, policy()).bookmark;
    return pad !== undefined && padAbilities(actor, pad, group, policy()).bookmark;
  }

  /** Those of `ids` that exist and that the actor may bookmark. */
  async function allowedOf(actor: Actor, type: BookmarkType, ids: readonly string[]): Promise<Set<string>> {
    const found = type === 'pads' ? await pads.findMany(ids) : undefined;
    const places = await groups.findMany(found ? [...found.values()].map(({ group }) => group) : ids);
    const may = (id: string): boolean => {
      const pad = found?.get(id);
      const group = places.get(found ? (pad?.group ?? '') : id);
      if (group === undefined) return false;
      if (pad === undefined) return groupAbilities(actor, group, policy()).bookmark;
      return padAbilities(actor, pad, group, policy()).bookmark;
    };
    return new Set(ids.filter(may));
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
    /**
     * Sets a bookmark, or removes an existing one. Throws USER.BOOKMARK_NOT_FOUND when the target does not exist or may
     * not be bookmarked. Removing always works.
     */
    async toggle(actor: Actor & { kind: 'user' }, type: BookmarkType, id: string): Promise<void> {
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
    /** Sets (`marked`) or removes many bookmarks with one write of the account. Removing always works. */
    async setMany(
      actor: Actor & { kind: 'user' },
      type: BookmarkType,
      ids: readonly string[],
      marked: boolean,
    ): Promise<MarkedMany> {
      const wanted = [...new Set(ids)];
      const allowed = marked ? await allowedOf(actor, type, wanted) : new Set(wanted);
      let changed: string[] = [];
      await users.update(actor.id, (user) => {
        const before = new Set(user.bookmarks[type]);
        changed = wanted.filter((id) => allowed.has(id) && before.has(id) !== marked);
        if (changed.length === 0) return undefined;
        const gone = new Set(changed);
        const next = marked
          ? [...before, ...changed].slice(-maxPerKind)
          : [...before].filter((id) => !gone.has(id));
        return { ...user, bookmarks: { ...user.bookmarks, [type]: next } };
      });
      return { changed, refused: wanted.filter((id) => !allowed.has(id)) };
    },
  };
}
