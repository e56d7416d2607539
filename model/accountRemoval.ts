/**
 * Removal of an account from everywhere. What everybody sees is done before the answer: sessions, groups, record. The rest is noted in
 * the database and follows behind, also after a restart: no list of anybody names the account any more, and the editor forgets who wrote.
 */
import type { UserListRecord, UserRecord } from './entities';
import type { Groups } from './group';
import type { EditorAuthors, Log } from './ports';
import { keys, type Store } from './store';
import type { Users } from './user';

export interface AccountRemoval {
  /** Resolves when the account is gone for everybody. Throws USER.NOT_FOUND. */
  remove(id: string): Promise<void>;
  /** Goes on with what an earlier run has left, in the background. */
  resume(): Promise<void>;
  /** Resolves when nothing goes on behind an answer any more. */
  idle(): Promise<void>;
}

export interface AccountRemovalContext {
  store: Store;
  users: Users;
  groups: Groups;
  authors: EditorAuthors | undefined;
  log: Log;
}

/** What is still to be done, by the id of the account. */
type Notes = Record<string, { authors: string[]; token: string }>;

/** Records that are read at once. */
const slice = 200;

function names(user: Partial<UserRecord> | undefined, gone: ReadonlySet<string>): boolean {
  return Object.values(user?.userlists ?? {}).some(
    (list) => Array.isArray(list?.uids) && list.uids.some((uid) => gone.has(uid)),
  );
}

function withoutGone(list: UserListRecord, gone: ReadonlySet<string>): UserListRecord {
  if (!Array.isArray(list?.uids)) return list;
  const emails = Object.entries(list.emails ?? {}).filter(([uid]) => !gone.has(uid));
  const uids = list.uids.filter((uid) => !gone.has(uid));
  return { ...list, uids, ...(list.emails ? { emails: Object.fromEntries(emails) } : {}) };
}

export function createAccountRemoval(context: AccountRemovalContext): AccountRemoval {
  const { store, users, groups, authors, log } = context;
  let running: Promise<void> | undefined;

  const readNotes = async (): Promise<Notes> => (await store.get<Notes>(keys.removedAccounts)) ?? {};

  async function note({ _id, authors: ids = [], eplAuthorToken }: UserRecord): Promise<void> {
    await store.update<Notes>(keys.removedAccounts, (notes) => ({
      ...notes,
      [_id]: { authors: ids, token: eplAuthorToken },
    }));
  }

  async function strike(ids: readonly string[]): Promise<void> {
    await store.locked([keys.removedAccounts], async () => {
      const rest = Object.entries(await readNotes()).filter(([id]) => !ids.includes(id));
      if (rest.length === 0) await store.remove(keys.removedAccounts);
      else await store.set(keys.removedAccounts, Object.fromEntries(rest));
    });
  }

  async function leaveLists(gone: ReadonlySet<string>): Promise<void> {
    const found = await store.scan(keys.user(''));
    for (let start = 0; start < found.length; start += slice) {
      const part = found.slice(start, start + slice);
      const records = await store.getMany<Partial<UserRecord>>(part);
      for (const [index, key] of part.entries()) {
        if (!names(records[index], gone)) continue;
        await users.update(key.slice(keys.user('').length), (user) => ({
          ...user,
          userlists: Object.fromEntries(
            Object.entries(user.userlists).map(([id, list]) => [id, withoutGone(list, gone)]),
          ),
        }));
      }
    }
  }

  async function forgetAuthors({ authors: ids, token }: Notes[string]): Promise<void> {
    if (!authors) return;
    for (const id of ids) await authors.anonymise({ id });
    if (token !== '') await authors.anonymise({ token });
  }

  /** Works off the notes of accounts that are really gone, until there is none. */
  async function workOff(): Promise<void> {
    for (;;) {
      const notes = Object.entries(await readNotes());
      const living = await users.findMany(notes.map(([id]) => id));
      const gone = notes.filter(([id]) => !living.has(id));
      if (gone.length === 0) return;
      for (const [, facts] of gone) await forgetAuthors(facts);
      const ids = gone.map(([id]) => id);
      await leaveLists(new Set(ids));
      await strike(ids);
    }
  }

  /** What fails stays noted, and is tried again at the next removal or start. */
  function inBackground(): void {
    running = (running ?? Promise.resolve()).then(workOff).catch((error: unknown) => {
      log.error('a removed account could not be forgotten everywhere yet', { error: String(error) });
    });
  }

  return {
    async remove(id) {
      await users.remove(id, async (user) => {
        await note(user);
        await groups.detach(user);
      });
      inBackground();
    },
    async resume() {
      if (Object.keys(await readNotes()).length > 0) inBackground();
    },
    async idle() {
      await running;
    },
  };
}
