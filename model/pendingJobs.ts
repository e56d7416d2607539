/** Which removals are unfinished, so that the start need not look through all keys for their notes. */
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
  async function read(): Promise<Pending> {
    const stored = await store.get<Partial<Pending>>(keys.pendingJobs);
    return { pads: [], groups: [], vanished: [], chats: [], ...stored };
  }

  /** `undefined` leaves everything as it is. */
  function change(decide: (now: Pending) => Pending | undefined): Promise<void> {
    return store.locked([keys.pendingJobs], async () => {
      const next = decide(await read());
      if (next !== undefined) await store.set(keys.pendingJobs, next);
    });
  }

  return {
    read,
    enlist: (kind, ids) =>
      change((now) => {
        const next = [...new Set([...now[kind], ...ids])];
        return next.length > now[kind].length ? { ...now, [kind]: next } : undefined;
      }),
    strike(kind, ids) {
      const done = new Set(ids);
      return change((now) => {
        const next = now[kind].filter((id) => !done.has(id));
        return next.length < now[kind].length ? { ...now, [kind]: next } : undefined;
      });
    },
    noteSearched: () => change((now) => ({ ...now, searched: true })),
  };
}
