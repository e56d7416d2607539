/** Which removals are unfinished, so that the start need not look through all keys for their notes. */
import { texts } from './records';
import { createSharedRecord } from './sharedRecord';
import { keys, type Store } from './store';

/**
 * `pads`, `groups`: to be removed. `vanished`: pads that the editor has removed by itself. `chats`: pads with messages that nobody is shown
 * any more.
 */
export type PendingKind = 'pads' | 'groups' | 'vanished' | 'chats';

export type Pending = Record<PendingKind, string[]> & {
  /** Notes of the earlier generation stand on no list: have they been looked for? */
  searched?: boolean;
};

export interface PendingJobs {
  read(): Promise<Pending>;
  enlist(kind: PendingKind, ids: readonly string[]): Promise<void>;
  strike(kind: PendingKind, ids: readonly string[]): Promise<void>;
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
    enlist: (kind, ids) =>
      record.change((now) => {
        const all = [...new Set([...now[kind], ...ids])];
        return all.length > now[kind].length ? { ...now, [kind]: all } : now;
      }),
    strike(kind, ids) {
      const done = new Set(ids);
      return record.change((now) => {
        const left = now[kind].filter((id) => !done.has(id));
        return left.length < now[kind].length ? { ...now, [kind]: left } : now;
      });
    },
    noteSearched: () => record.change((now) => ({ ...now, searched: true })),
  };
}
