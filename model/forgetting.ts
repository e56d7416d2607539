/**
 * What is gone, taken out of the records of everybody who still names it: bookmarks on groups and pads, accounts on lists of people.
 * Nobody is shown any of it meanwhile. So it happens behind the answers, together for all that went in the last seconds; what an earlier run
 * of the server has left is done after the next start.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { UserListRecord, UserRecord } from './entities';
import type { Log } from './ports';
import { createSharedRecord } from './sharedRecord';
import { inSlices } from './slices';
import { keys, type Store } from './store';
import type { Users } from './user';

/** Ids. */
export interface Gone {
  users?: readonly string[];
  groups?: readonly string[];
  pads?: readonly string[];
}

export interface Forgetting {
  /** Resolves when it is noted. */
  note(gone: Gone): Promise<void>;
  /** Goes on with what an earlier run, or a failure, has left, in the background. */
  resume(): Promise<void>;
  /** Resolves when nothing is left to do; waits for nothing else to go. */
  idle(): Promise<void>;
  /** Breaks off what goes on. Resolves when nothing does any more. */
  stop(): Promise<void>;
}

type Kind = keyof Gone;
type Notes = Record<Kind, string[]>;
type Sets = Record<Kind, ReadonlySet<string>>;

const kinds: readonly Kind[] = ['users', 'groups', 'pads'];

const perKind = <Value>(of: (kind: Kind) => Value): Record<Kind, Value> => ({
  users: of('users'),
  groups: of('groups'),
  pads: of('pads'),
});

/** Milliseconds in which more may go: looking through all accounts is not done for each. */
const patience = 5_000;

const some = (ids: unknown, gone: ReadonlySet<string>): boolean =>
  Array.isArray(ids) && ids.some((id) => gone.has(id));

const without = (ids: readonly string[], gone: ReadonlySet<string>): string[] =>
  ids.filter((id) => !gone.has(id));

/** Of a record as it is stored, which may be damaged. */
function names(user: Partial<UserRecord> | undefined, gone: Sets): boolean {
  return (
    some(user?.bookmarks?.groups, gone.groups) ||
    some(user?.bookmarks?.pads, gone.pads) ||
    some(user?.groups, gone.groups) ||
    Object.values(user?.userlists ?? {}).some((list) => some(list?.uids, gone.users))
  );
}

function listWithout(list: UserListRecord, gone: ReadonlySet<string>): UserListRecord {
  if (!Array.isArray(list?.uids)) return list;
  const emails = Object.entries(list.emails ?? {}).filter(([uid]) => !gone.has(uid));
  return {
    ...list,
    uids: without(list.uids, gone),
    ...(list.emails ? { emails: Object.fromEntries(emails) } : {}),
  };
}

function recordWithout(user: UserRecord, gone: Sets): UserRecord {
  const lists = Object.entries(user.userlists).map(([id, list]) => [id, listWithout(list, gone.users)]);
  return {
    ...user,
    groups: without(user.groups, gone.groups),
    bookmarks: {
      ...user.bookmarks,
      groups: without(user.bookmarks.groups, gone.groups),
      pads: without(user.bookmarks.pads, gone.pads),
    },
    userlists: Object.fromEntries(lists),
  };
}

export function createForgetting(context: { store: Store; users: Users; log: Log }): Forgetting {
  const { store, users, log } = context;
  const notes = createSharedRecord<Notes>(store, keys.gone, {
    read: (stored) => ({ users: [], groups: [], pads: [], ...(stored as Partial<Notes>) }),
    isEmpty: (value) => kinds.every((kind) => value[kind].length === 0),
  });
  const stopping = new AbortController();
  let hurry = new AbortController();
  let wanted = false;
  let running: Promise<void> | undefined;

  async function sweep(noted: Notes): Promise<void> {
    const gone = perKind((kind) => new Set(noted[kind]));
    const prefix = keys.user('');
    await inSlices(
      await store.scan(prefix),
      async (part) => {
        const records = await store.getMany<Partial<UserRecord>>(part);
        const naming = part.filter((_, position) => names(records[position], gone));
        await Promise.all(
          naming.map((key) => users.update(key.slice(prefix.length), (user) => recordWithout(user, gone))),
        );
      },
      { signal: stopping.signal },
    );
    await notes.change((now) => perKind((kind) => without(now[kind], gone[kind])));
  }

  async function run(): Promise<void> {
    wanted = false;
    await pause(patience, undefined, { ref: false, signal: hurry.signal }).catch(() => {});
    if (stopping.signal.aborted) return;
    const noted = await notes.read();
    if (kinds.some((kind) => noted[kind].length > 0)) await sweep(noted);
  }

  /** What fails stays noted, and is tried again minutes later. */
  function start(): void {
    wanted = true;
    running ??= run()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        log.error('what is gone could not be forgotten everywhere yet', { error: String(error) });
      })
      .finally(() => {
        running = undefined;
        if (wanted && !stopping.signal.aborted) start();
      });
  }

  return {
    async note(gone) {
      if (kinds.every((kind) => (gone[kind] ?? []).length === 0)) return;
      await notes.change((now) => perKind((kind) => [...new Set([...now[kind], ...(gone[kind] ?? [])])]));
      start();
    },
    async resume() {
      if ((await store.get(keys.gone)) !== undefined) start();
    },
    async idle() {
      hurry.abort();
      while (running) await running;
      hurry = new AbortController();
    },
    async stop() {
      stopping.abort();
      hurry.abort();
      while (running) await running;
    },
  };
}
