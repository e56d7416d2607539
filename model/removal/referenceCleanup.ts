/**
 * Removes references to deleted users, groups and pads from all account records: bookmarks and user lists. References
 * to deleted records are never shown, so this runs in batches in the background. The next start resumes what is left.
 */
import type { Directory } from '../accounts/directory';
import type { Users } from '../accounts/user';
import type { Log, Schedule } from '../ports';
import { inBatches } from '../store/batches';
import type { UserListRecord, UserRecord } from '../store/entities';
import { createSharedRecord } from '../store/sharedRecord';
import { keys, type Store } from '../store/store';

/** Ids of deleted records. */
export interface RemovedIds {
  users?: readonly string[];
  groups?: readonly string[];
  pads?: readonly string[];
}

export interface ReferenceCleanup {
  /** Stores a note of these ids and starts the cleanup in the background. Resolves when the note is stored. */
  schedule(removed: RemovedIds): Promise<void>;
  /** The account without references to deleted records. */
  withoutRemoved(user: UserRecord): UserRecord;
  /** Call it with the note after another process has written it. */
  receive(stored: unknown): void;
  /** Resumes an unfinished cleanup in the background. */
  resume(): Promise<void>;
  /** Runs the cleanup at once, without waiting for more ids. Resolves when nothing is left. */
  idle(): Promise<void>;
  /** Aborts the cleanup. Resolves when it has stopped. */
  stop(): Promise<void>;
}

type Kind = keyof RemovedIds;
type Notes = Record<Kind, string[]>;
type Sets = Record<Kind, ReadonlySet<string>>;

const kinds: readonly Kind[] = ['users', 'groups', 'pads'];

const perKind = <Value>(of: (kind: Kind) => Value): Record<Kind, Value> => ({
  users: of('users'),
  groups: of('groups'),
  pads: of('pads'),
});

/** Milliseconds to wait for more ids, because each cleanup searches all accounts. */
const collectTime = 5_000;

const containsAny = (ids: unknown, removed: ReadonlySet<string>): boolean =>
  Array.isArray(ids) && ids.some((id) => removed.has(id));

const withoutIds = (ids: readonly string[], removed: ReadonlySet<string>): string[] =>
  ids.filter((id) => !removed.has(id));

/** True when a stored record, which may be damaged, refers to one of these ids. */
function refersTo(user: Partial<UserRecord> | undefined, removed: Sets): boolean {
  return (
    containsAny(user?.bookmarks?.groups, removed.groups) ||
    containsAny(user?.bookmarks?.pads, removed.pads) ||
    containsAny(user?.groups, removed.groups) ||
    Object.values(user?.userlists ?? {}).some((list) => containsAny(list?.uids, removed.users))
  );
}

function listWithout(list: UserListRecord, removed: ReadonlySet<string>): UserListRecord {
  if (!Array.isArray(list?.uids)) return list;
  const emails = Object.entries(list.emails ?? {}).filter(([uid]) => !removed.has(uid));
  return {
    ...list,
    uids: withoutIds(list.uids, removed),
    ...(list.emails ? { emails: Object.fromEntries(emails) } : {}),
  };
}

function recordWithout(user: UserRecord, removed: Sets): UserRecord {
  const lists = Object.entries(user.userlists).map(([id, list]) => [id, listWithout(list, removed.users)]);
  return {
    ...user,
    groups: withoutIds(user.groups, removed.groups),
    bookmarks: {
      ...user.bookmarks,
      groups: withoutIds(user.bookmarks.groups, removed.groups),
      pads: withoutIds(user.bookmarks.pads, removed.pads),
    },
    userlists: Object.fromEntries(lists),
  };
}

const readNotes = (stored: unknown): Notes => ({
  users: [],
  groups: [],
  pads: [],
  ...(stored as Partial<Notes>),
});

const isEmpty = (sets: Sets): boolean => kinds.every((kind) => sets[kind].size === 0);

export function createReferenceCleanup(context: {
  store: Store;
  users: Users;
  directory: Directory;
  schedule: Schedule;
  log: Log;
}): ReferenceCleanup {
  const { store, users, directory, schedule, log } = context;
  const notes = createSharedRecord<Notes>(store, keys.removedIds, {
    read: readNotes,
    isEmpty: (value) => kinds.every((kind) => value[kind].length === 0),
  });
  const stopping = new AbortController();
  /** True while nobody waits for more ids, and the function that ends such a wait. */
  let hurried = false;
  let endWaiting = (): void => {};
  /** Ids that are noted and not cleaned up yet: by this process, and as another process has noted them. */
  const known = perKind(() => new Set<string>());
  let knownElsewhere: Sets = perKind(() => new Set());
  let wanted = false;
  let running: Promise<void> | undefined;

  function remember(removed: RemovedIds): void {
    for (const kind of kinds) for (const id of removed[kind] ?? []) known[kind].add(id);
  }

  async function removeReferences(noted: Notes): Promise<void> {
    const removed = perKind((kind) => new Set(noted[kind]));
    const ids = await directory.findReferring(
      kinds.flatMap((kind) => [...removed[kind]]),
      stopping.signal,
    );
    await inBatches(
      ids,
      async (part) => {
        const records = await store.getMany<Partial<UserRecord>>(part.map(keys.user));
        const referring = part.filter((_, position) => refersTo(records[position], removed));
        await Promise.all(referring.map((id) => users.update(id, (user) => recordWithout(user, removed))));
      },
      { signal: stopping.signal },
    );
    await notes.change((now) => perKind((kind) => withoutIds(now[kind], removed[kind])));
    for (const kind of kinds) for (const id of removed[kind]) known[kind].delete(id);
  }

  function waitForMore(): Promise<void> {
    if (hurried) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = schedule.later('remove references', collectTime, resolve);
      endWaiting = () => {
        cancel();
        resolve();
      };
    });
  }

  function hurry(): void {
    hurried = true;
    endWaiting();
  }

  async function run(): Promise<void> {
    wanted = false;
    await waitForMore();
    if (stopping.signal.aborted) return;
    const noted = await notes.read();
    if (kinds.some((kind) => noted[kind].length > 0)) await removeReferences(noted);
  }

  /** After a failure the note stays, and the cleanup is retried some minutes later. */
  function start(): void {
    wanted = true;
    running ??= run()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        log.error('removal of references to deleted records failed, retrying later', {
          error: String(error),
        });
      })
      .finally(() => {
        running = undefined;
        if (wanted && !stopping.signal.aborted) start();
      });
  }

  return {
    withoutRemoved: (user) =>
      [known, knownElsewhere].reduce(
        (left, removed) => (isEmpty(removed) ? left : recordWithout(left, removed)),
        user,
      ),
    receive(stored) {
      const noted = readNotes(stored);
      knownElsewhere = perKind((kind) => new Set(noted[kind]));
    },
    async schedule(removed) {
      if (kinds.every((kind) => (removed[kind] ?? []).length === 0)) return;
      remember(removed);
      await notes.change((now) => perKind((kind) => [...new Set([...now[kind], ...(removed[kind] ?? [])])]));
      start();
    },
    async resume() {
      if ((await store.get(keys.removedIds)) === undefined) return;
      remember(await notes.read());
      start();
    },
    async idle() {
      hurry();
      while (running) await running;
      hurried = false;
    },
    async stop() {
      stopping.abort();
      hurry();
      while (running) await running;
    },
  };
}
