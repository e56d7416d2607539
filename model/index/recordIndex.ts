/**
 * The index of all accounts, folders and pads: it answers what the database, which can only be read by key, cannot.
 * Nothing is only here, and no decision about access asks it. All questions throw SERVER.BUSY while the index is being
 * built for the first time.
 */
import { accountQuestions } from './accountQuestions';
import { folderQuestions } from './folderQuestions';
import { type AccountListener, type Comparison, type IndexContext, Indexing } from './indexing';
import { trashQuestions } from './trashQuestions';

/** In the format of ep_mypads 1.x: `pad` in the singular, `timestamp` in seconds since 1970. */
export interface Counts {
  timestamp: number;
  users: number;
  /** Those that people can reach. */
  pad: number;
  groups: number;
}

/** `offered`: the ways to sign in. */
export function createRecordIndex(
  context: IndexContext & { now: () => number; offered: () => readonly string[] },
) {
  const indexing = new Indexing(context);
  const accounts = accountQuestions(indexing, context.offered);
  const folders = folderQuestions(indexing);
  const trash = trashQuestions(indexing);
  return {
    ...accounts,
    ...folders,
    ...tokenQuestions(indexing, context.now),
    ...trash,
    async counts(): Promise<Counts> {
      const [users, { groups, pads }] = await Promise.all([
        accounts.countAccounts(),
        folders.countFoldersAndPads(),
      ]);
      return { timestamp: Math.floor(context.now() / 1000), users, pad: pads, groups };
    },
    /** Ids of all valid records, also of pads without a folder. */
    async ids(): Promise<{
      users: string[];
      groups: string[];
      pads: string[];
      trash: { pads: Set<string>; groups: Set<string> };
    }> {
      // Awaited together: a rejection that nobody awaits yet would end the process.
      const [users, groups, pads, inTrash] = await Promise.all([
        indexing.ids('users'),
        indexing.ids('groups'),
        indexing.ids('pads'),
        trash.allTrashed(),
      ]);
      return { users, groups, pads, trash: inTrash };
    },
    /** Begins to read all records. `listener` gets all accounts, in batches. */
    start: (listener: AccountListener): void => indexing.start(listener),
    /** Resolves when all records have been read since the start. Rejects when `signal` aborts. */
    whenVerified: (signal: AbortSignal): Promise<void> => indexing.whenVerified(signal),
    /** Reads all records again, because other processes may have changed any. */
    refresh: (): Promise<void> => indexing.refresh(),
    /** See `Indexing`. */
    compare: (limit: number): Promise<Comparison> => indexing.compare(limit),
    /** Begins to build it in another file. Questions wait as after a first start. */
    rebuild: (): Promise<void> => indexing.rebuild(),
    /** Call it after each write to the database. */
    recordWritten: indexing.recordWritten,
    close: (): Promise<void> => indexing.close(),
  };
}

export type RecordIndex = ReturnType<typeof createRecordIndex>;

function tokenQuestions(index: Indexing, now: () => number) {
  return {
    /** A page of the hashes of all API tokens that have not ended, the newest first, and the number of all. */
    async apiTokens(offset: number, limit: number): Promise<{ ids: string[]; count: number }> {
      const time = now();
      const [counted] = await index.ask<{ count: number }>(
        ['apiTokens'],
        'SELECT count(*) AS count FROM apiTokens WHERE ends > ?',
        [time],
      );
      const rows = await index.ask<{ id: string }>(
        ['apiTokens'],
        'SELECT id FROM apiTokens WHERE ends > ? ORDER BY created DESC, id LIMIT ? OFFSET ?',
        [time, limit, offset],
      );
      return { ids: rows.map(({ id }) => id), count: counted?.count ?? 0 };
    },

    /** The hash of the API token that has this name in answers. */
    async apiTokenNamed(handle: string): Promise<string | undefined> {
      const [row] = await index.ask<{ id: string }>(
        ['apiTokens'],
        'SELECT id FROM apiTokens WHERE handle = ?',
        [handle],
      );
      return row?.id;
    },
  };
}
