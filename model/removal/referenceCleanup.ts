/**
 * Removes references to deleted users, groups and pads from all account records: from their groups, bookmarks and user
 * lists. Such references are never shown, so this runs in batches in the background. The next start resumes it.
 */
import type { Directory } from '../accounts/directory';
import type { Users } from '../accounts/user';
import type { Log, Schedule } from '../ports';
import { inBatches } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { createSharedRecord, type SharedRecord } from '../store/sharedRecord';
import { keys, type Store } from '../store/store';
import {
  perKind,
  type ReferenceKind,
  type RemovedIds,
  type RemovedSets,
  recordWithout,
  referenceKinds,
  refersTo,
  withoutIds,
} from './references';

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

type Notes = Record<ReferenceKind, string[]>;

/** Milliseconds to wait for more ids, because each cleanup searches all accounts. */
const collectTime = 5_000;

const readNotes = (stored: unknown): Notes => ({
  users: [],
  groups: [],
  pads: [],
  ...(stored as Partial<Notes>),
});

const hasNone = (ids: RemovedIds): boolean => referenceKinds.every((kind) => (ids[kind] ?? []).length === 0);

const isEmpty = (sets: RemovedSets): boolean => referenceKinds.every((kind) => sets[kind].size === 0);

/** Waits for some seconds, unless somebody needs the result now. */
class CollectingTime {
  private isEnded = false;
  private endWaiting = (): void => {};

  constructor(private readonly schedule: Schedule) {}

  wait(): Promise<void> {
    if (this.isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.schedule.later('remove references', collectTime, resolve);
      this.endWaiting = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Ends the wait, and each wait until `restart`. */
  end(): void {
    this.isEnded = true;
    this.endWaiting();
  }

  restart(): void {
    this.isEnded = false;
  }
}

interface ReferenceCleanupContext {
  store: Store;
  users: Users;
  directory: Directory;
  schedule: Schedule;
  log: Log;
}

class NotedReferenceCleanup implements ReferenceCleanup {
  private readonly notes: SharedRecord<Notes>;
  private readonly collecting: CollectingTime;
  private readonly stopping = new AbortController();
  /** Ids that are noted and not cleaned up yet: by this process, and as another process has noted them. */
  private readonly known = perKind(() => new Set<string>());
  private knownElsewhere: RemovedSets = perKind(() => new Set());
  private isWanted = false;
  private running: Promise<void> | undefined;

  constructor(private readonly context: ReferenceCleanupContext) {
    this.notes = createSharedRecord<Notes>(context.store, keys.removedIds, {
      read: readNotes,
      isEmpty: hasNone,
    });
    this.collecting = new CollectingTime(context.schedule);
  }

  private remember(removed: RemovedIds): void {
    for (const kind of referenceKinds) for (const id of removed[kind] ?? []) this.known[kind].add(id);
  }

  private async removeReferences(noted: Notes): Promise<void> {
    const { store, users, directory } = this.context;
    const { signal } = this.stopping;
    const removed = perKind((kind) => new Set(noted[kind]));
    const ids = await directory.findReferring(
      referenceKinds.flatMap((kind) => [...removed[kind]]),
      signal,
    );
    await inBatches(
      ids,
      async (part) => {
        const records = await store.getMany<Partial<UserRecord>>(part.map(keys.user));
        const referring = part.filter((_, position) => refersTo(records[position], removed));
        await Promise.all(referring.map((id) => users.update(id, (user) => recordWithout(user, removed))));
      },
      { signal },
    );
    await this.notes.change((now) => perKind((kind) => withoutIds(now[kind], removed[kind])));
    for (const kind of referenceKinds) for (const id of removed[kind]) this.known[kind].delete(id);
  }

  private async run(): Promise<void> {
    this.isWanted = false;
    await this.collecting.wait();
    if (this.stopping.signal.aborted) return;
    const noted = await this.notes.read();
    if (!hasNone(noted)) await this.removeReferences(noted);
  }

  /** After a failure the note stays, and the cleanup is retried some minutes later. */
  private start(): void {
    const { signal } = this.stopping;
    this.isWanted = true;
    this.running ??= this.run()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        this.context.log.error('removal of references to deleted records failed, retrying later', {
          error: String(error),
        });
      })
      .finally(() => {
        this.running = undefined;
        if (this.isWanted && !signal.aborted) this.start();
      });
  }

  withoutRemoved(user: UserRecord): UserRecord {
    const removedHereAndElsewhere = [this.known, this.knownElsewhere];
    return removedHereAndElsewhere.reduce(
      (left, removed) => (isEmpty(removed) ? left : recordWithout(left, removed)),
      user,
    );
  }

  receive(stored: unknown): void {
    const noted = readNotes(stored);
    this.knownElsewhere = perKind((kind) => new Set(noted[kind]));
  }

  async schedule(removed: RemovedIds): Promise<void> {
    if (hasNone(removed)) return;
    this.remember(removed);
    await this.notes.change((now) =>
      perKind((kind) => [...new Set([...now[kind], ...(removed[kind] ?? [])])]),
    );
    this.start();
  }

  async resume(): Promise<void> {
    if ((await this.context.store.get(keys.removedIds)) === undefined) return;
    this.remember(await this.notes.read());
    this.start();
  }

  async idle(): Promise<void> {
    this.collecting.end();
    while (this.running) await this.running;
    this.collecting.restart();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.collecting.end();
    while (this.running) await this.running;
  }
}

export const createReferenceCleanup = (context: ReferenceCleanupContext): ReferenceCleanup =>
  new NotedReferenceCleanup(context);
