/**
 * Removal of an account from everywhere. It is written down first, so that a restart in the middle finishes it. What everybody sees is done
 * before the answer: sessions, groups, record. The rest follows behind: no list of anybody names the account any more, no mailed link leads to
 * it, and the editor forgets who wrote.
 */
import type { UserRecord } from './entities';
import type { Forgetting } from './forgetting';
import type { Groups } from './group';
import type { EditorAuthors, Log } from './ports';
import { peopleOf, readGroup } from './records';
import type { Sessions } from './session';
import { inSlices } from './slices';
import { keys, type Store } from './store';
import type { Users } from './user';

export interface AccountRemoval {
  /** Resolves when the account is gone for everybody. Throws USER.NOT_FOUND. */
  remove(id: string): Promise<void>;
  /** Goes on with what an earlier run has left, in the background. */
  resume(): Promise<void>;
  /** Resolves when nothing goes on behind an answer any more. */
  idle(): Promise<void>;
  /** Breaks off what goes on; the next start goes on with it. Resolves when nothing does any more. */
  stop(): Promise<void>;
}

export interface AccountRemovalContext {
  store: Store;
  users: Users;
  groups: Groups;
  sessions: Pick<Sessions, 'endAll'>;
  forgetting: Forgetting;
  authors: EditorAuthors | undefined;
  log: Log;
}

/** What is still to be done, by the id of the account. */
type Notes = Record<string, { authors: string[]; token: string; login?: string; email?: string }>;

export function createAccountRemoval(context: AccountRemovalContext): AccountRemoval {
  const { store, users, groups, sessions, forgetting, authors, log } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Accounts that a call removes just now. */
  const underWay = new Set<string>();
  let running: Promise<void> | undefined;

  const readNotes = async (): Promise<Notes> => (await store.get<Notes>(keys.removedAccounts)) ?? {};

  async function note({ _id, authors: ids = [], eplAuthorToken, login, email }: UserRecord): Promise<void> {
    await store.update<Notes>(keys.removedAccounts, (notes) => ({
      ...notes,
      [_id]: { authors: ids, token: eplAuthorToken, login, email },
    }));
  }

  async function strike(ids: readonly string[]): Promise<void> {
    await store.locked([keys.removedAccounts], async () => {
      const rest = Object.entries(await readNotes()).filter(([id]) => !ids.includes(id));
      if (rest.length === 0) await store.remove(keys.removedAccounts);
      else await store.set(keys.removedAccounts, Object.fromEntries(rest));
    });
  }

  // 1. What everybody sees

  async function removeAccount(id: string): Promise<void> {
    await users.remove(id, async (closed) => {
      // The editor may have made another author of the person since.
      await note(closed);
      await groups.detach(closed);
    });
  }

  /** An account that still lives: its removal was interrupted, or never got as far as closing it. */
  async function finish(user: UserRecord): Promise<void> {
    if (user.closed) await removeAccount(user._id);
    else await strike([user._id]);
  }

  // 2. What follows

  async function eachRecord<T>(
    prefix: string,
    visit: (id: string, stored: T | undefined) => Promise<void>,
  ): Promise<void> {
    await inSlices(
      await store.scan(prefix),
      async (part) => {
        const records = await store.getMany<T>(part);
        for (const [position, key] of part.entries())
          await visit(key.slice(prefix.length), records[position]);
      },
      { signal },
    );
  }

  /** Groups that the account's own list of groups had lost, and those that took it in at the last moment. */
  async function leaveGroups(gone: ReadonlySet<string>): Promise<void> {
    await eachRecord<unknown>(keys.group(''), async (id, stored) => {
      const group = readGroup(id, stored);
      const people = group ? peopleOf(group).filter((person) => gone.has(person)) : [];
      for (const person of people) await groups.detach({ _id: person, groups: [id] });
    });
  }

  /** Pads of the earlier generation name people, which gives no right. */
  async function leavePads(gone: ReadonlySet<string>): Promise<void> {
    await eachRecord<{ users?: unknown }>(keys.pad(''), async (id, stored) => {
      if (!Array.isArray(stored?.users) || !stored.users.some((person) => gone.has(person))) return;
      await store.update<{ users?: unknown }>(keys.pad(id), (pad) => {
        if (!Array.isArray(pad?.users)) return undefined;
        return { ...pad, users: pad.users.filter((person) => !gone.has(person)) };
      });
    });
  }

  async function endLinks(gone: ReadonlySet<string>): Promise<void> {
    await eachRecord<{ user?: unknown }>(keys.mailToken(''), async (hash, stored) => {
      if (typeof stored?.user === 'string' && gone.has(stored.user)) await store.remove(keys.mailToken(hash));
    });
  }

  async function forget(notes: Notes): Promise<void> {
    const gone = new Set(Object.keys(notes));
    for (const [_id, { login, email = '' }] of Object.entries(notes)) {
      await sessions.endAll('user', _id);
      if (login !== undefined) await users.forgetNames({ _id, login, email });
    }
    await leaveGroups(gone);
    await endLinks(gone);
    await forgetting.note({ users: [...gone] });
    await leavePads(gone);
    const facts = Object.values(notes);
    const ids = [...new Set(facts.flatMap(({ authors: noted }) => noted))];
    const tokens = facts.map(({ token }) => token).filter((token) => token !== '');
    if (ids.length + tokens.length > 0) await authors?.anonymise({ ids, tokens }, { signal });
  }

  async function workOff(): Promise<void> {
    for (;;) {
      const notes = Object.entries(await readNotes()).filter(([id]) => !underWay.has(id));
      if (notes.length === 0) return;
      const living = await users.findMany(notes.map(([id]) => id));
      for (const user of living.values()) await finish(user);
      const gone = notes.filter(([id]) => !living.has(id));
      if (gone.length === 0) continue;
      await forget(Object.fromEntries(gone));
      await strike(gone.map(([id]) => id));
    }
  }

  /** What fails stays noted, and is tried again at the next removal or start. */
  function inBackground(): void {
    running = (running ?? Promise.resolve()).then(workOff).catch((error: unknown) => {
      if (signal.aborted) return;
      log.error('a removed account could not be forgotten everywhere yet', { error: String(error) });
    });
  }

  return {
    async remove(id) {
      const user = await users.get(id);
      if (user) underWay.add(id);
      try {
        if (user) await note(user);
        await removeAccount(id);
      } finally {
        underWay.delete(id);
        inBackground();
      }
    },
    async resume() {
      if (Object.keys(await readNotes()).length > 0) inBackground();
    },
    async idle() {
      await running;
      await forgetting.idle();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
