/**
 * Removes references to deleted users, groups and pads from all account records: from their groups, bookmarks and user
 * lists. Such references are never shown, so a job does it in batches.
 */
import type { Users } from '../accounts/user';
import type { RecordIndex } from '../index/recordIndex';
import { readJobs } from '../jobs/jobList';
import type { JobQueue, Jobs } from '../jobs/types';
import { inBatches } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { texts } from '../store/records';
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

type Notes = Record<ReferenceKind, string[]>;

/** Milliseconds to wait for more ids, because each cleanup searches all accounts. */
const collectTime = 5_000;

function readNotes(stored: unknown): Notes {
  const noted = (stored ?? {}) as Partial<Record<ReferenceKind, unknown>>;
  return perKind((kind) => texts(noted[kind]));
}

const hasNone = (ids: RemovedIds): boolean => referenceKinds.every((kind) => (ids[kind] ?? []).length === 0);

/** What is stored may be damaged. */
const merge = (noted: Notes, more: Notes): Notes =>
  perKind((kind) => [...new Set([...readNotes(noted)[kind], ...more[kind]])]);

function without(noted: Notes, done: Notes): Notes | undefined {
  const [now, gone] = [readNotes(noted), readNotes(done)];
  const left = perKind((kind) => withoutIds(now[kind], new Set(gone[kind])));
  return hasNone(left) ? undefined : left;
}

const isEmpty = (sets: RemovedSets): boolean => referenceKinds.every((kind) => sets[kind].size === 0);

interface ReferenceCleanupContext {
  store: Store;
  users: Users;
  recordIndex: Pick<RecordIndex, 'referring'>;
  jobs: Pick<Jobs, 'define'>;
}

const type = 'removeReferences';

export class ReferenceCleanup {
  private readonly queue: JobQueue<Notes>;
  /** Ids that are noted and not cleaned up yet: by this process, and as another process has noted them. */
  private readonly known = perKind(() => new Set<string>());
  private knownElsewhere: RemovedSets = perKind(() => new Set());

  constructor(private readonly context: ReferenceCleanupContext) {
    this.queue = context.jobs.define<Notes>({
      type,
      run: (noted, { signal }) => this.removeReferences(readNotes(noted), signal),
      shared: { delay: collectTime, merge, without },
    });
  }

  private remember(removed: RemovedIds): void {
    for (const kind of referenceKinds) for (const id of removed[kind] ?? []) this.known[kind].add(id);
  }

  private async removeReferences(noted: Notes, signal: AbortSignal): Promise<void> {
    const { store, users, recordIndex } = this.context;
    const removed = perKind((kind) => new Set(noted[kind]));
    const ids = await recordIndex.referring(
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
    for (const kind of referenceKinds) for (const id of removed[kind]) this.known[kind].delete(id);
  }

  /** The account without references to deleted records. */
  withoutRemoved(user: UserRecord): UserRecord {
    const removedHereAndElsewhere = [this.known, this.knownElsewhere];
    return removedHereAndElsewhere.reduce(
      (left, removed) => (isEmpty(removed) ? left : recordWithout(left, removed)),
      user,
    );
  }

  /** Call it with the list of jobs after another process has written it. */
  receive(stored: unknown): void {
    const noted = readNotes(readJobs(stored)[type]?.facts);
    this.knownElsewhere = perKind((kind) => new Set(noted[kind]));
  }

  /** Starts the cleanup of these ids in the background. Resolves when the job is stored. */
  async schedule(removed: RemovedIds): Promise<void> {
    if (hasNone(removed)) return;
    this.remember(removed);
    await this.queue.begin(perKind((kind) => [...(removed[kind] ?? [])]));
  }

  /** Remembers what an earlier run has noted. Call it before `Jobs.resume`. */
  async rememberNoted(): Promise<void> {
    for (const noted of await this.queue.open()) this.remember(readNotes(noted));
  }
}
