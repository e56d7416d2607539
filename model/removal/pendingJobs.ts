/** List of unfinished removals, so that a start need not scan all keys for notes. */
import { texts } from '../store/records';
import { createSharedRecord } from '../store/sharedRecord';
import { keys, type Store } from '../store/store';

/**
 * `pads`, `groups`: to be removed. `vanished`: pads removed by Etherpad itself. `chats`: pads with old messages in the
 * database.
 */
export type PendingKind = 'pads' | 'groups' | 'vanished' | 'chats';

export type Pending = Record<PendingKind, string[]> & {
  /** True when notes of ep_mypads 1.x, which are on no list, have been searched for. */
  searched?: boolean;
};

export interface PendingJobs {
  read(): Promise<Pending>;
  add(kind: PendingKind, ids: readonly string[]): Promise<void>;
  remove(kind: PendingKind, ids: readonly string[]): Promise<void>;
  noteSearched(): Promise<void>;
}

export function createPendingJobs(store: Store): PendingJobs {
  const record = createSharedRecord<Pending>(store, keys.pendingJobs, {
    read(stored) {
      const { pads, groups, vanished, chats, searched } = (stored ?? {}) as {
        [Field in keyof Pending]?: unknown;
      };
      return {
        pads: texts(pads),
        groups: texts(groups),
        vanished: texts(vanished),
        chats: texts(chats),
        ...(searched === true ? { searched } : {}),
      };
    },
    isEmpty: () => false,
  });
  return {
    read: record.read,
    add: (kind, ids) =>
      record.change((now) => {
        const all = [...new Set([...now[kind], ...ids])];
        return all.length > now[kind].length ? { ...now, [kind]: all } : now;
      }),
    remove(kind, ids) {
      const done = new Set(ids);
      return record.change((now) => {
        const left = now[kind].filter((id) => !done.has(id));
        return left.length < now[kind].length ? { ...now, [kind]: left } : now;
      });
    },
    noteSearched: () => record.change((now) => ({ ...now, searched: true })),
  };
}
