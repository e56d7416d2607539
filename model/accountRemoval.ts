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
import { createSharedRecord } from './sharedRecord';
import { inSlices } from './slices';
import { keys, type Store } from './store';
import type { Users } from './user';

export interface AccountRemoval {
  /** Resolves when the account is gone for everybody. Throws USER.NOT_FOUND. */
  remove(id: string): Promise<void>;
  /** Goes on with what an earlier run, or a failure, has left, in the background. */
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
type Notes = Record<string, Note>;

interface Note {
  authors: string[];
  /** Of the author whom old records name, or `''`. */
  token: string;
  login?: string;
  email?: string;
  unconfirmedUntil?: number;
}

export function createAccountRemoval(context: AccountRemovalContext): AccountRemoval {
  const { store, users, groups, sessions, forgetting, authors, log } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Accounts that a call removes just now. */
  const underWay = new Set<string>();
  let running: Promise<void> | undefined;

  const notes = createSharedRecord<Notes>(store, keys.removedAccounts, {
    read: (stored) => (stored as Notes | undefined) ?? {},
    isEmpty: (value) => Object.keys(value).length === 0,
  });

  function note({ _id, authors: ids = [], ...user }: UserRecord): Promise<void> {
    const { eplAuthorToken: token, login, email, unconfirmedUntil } = user;
    return notes.change((now) => ({
      ...now,
      [_id]: { authors: ids, token, login, email, unconfirmedUntil },
    }));
  }

  const strike = (ids: readonly string[]): Promise<void> =>
    notes.change((now) => Object.fromEntries(Object.entries(now).filter(([id]) => !ids.includes(id))));

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

  /** It is on the list of accounts that are given up when nobody confirms them. */
  async function waitNoLonger(id: string, until: number): Promise<void> {
    await store.update<{ uids: string[] }>(keys.unconfirmed(until), (list) => {
      if (!list?.uids.includes(id)) return undefined;
      return { ...list, uids: list.uids.filter((other) => other !== id) };
    });
  }

  async function endLinks(gone: ReadonlySet<string>): Promise<void> {
    await eachRecord<{ user?: unknown }>(keys.mailToken(''), async (hash, stored) => {
      if (typeof stored?.user === 'string' && gone.has(stored.user)) await store.remove(keys.mailToken(hash));
    });
  }

  async function forget(noted: Notes): Promise<void> {
    const gone = new Set(Object.keys(noted));
    for (const [_id, { login, email = '', unconfirmedUntil }] of Object.entries(noted)) {
      await sessions.endAll('user', _id);
      if (login !== undefined) await users.forgetNames({ _id, login, email });
      if (unconfirmedUntil !== undefined) await waitNoLonger(_id, unconfirmedUntil);
    }
    await leaveGroups(gone);
    await endLinks(gone);
    await forgetting.note({ users: [...gone] });
    await leavePads(gone);
    const facts = Object.values(noted);
    const ids = [...new Set(facts.flatMap(({ authors: own }) => own))];
    const tokens = facts.map(({ token }) => token).filter((token) => token !== '');
    if (ids.length + tokens.length > 0) await authors?.anonymise({ ids, tokens }, { signal });
  }

  async function workOff(): Promise<void> {
    for (;;) {
      const noted = Object.entries(await notes.read()).filter(([id]) => !underWay.has(id));
      if (noted.length === 0) return;
      const living = await users.findMany(noted.map(([id]) => id));
      for (const user of living.values()) await finish(user);
      const gone = noted.filter(([id]) => !living.has(id));
      if (gone.length === 0) continue;
      await forget(Object.fromEntries(gone));
      await strike(gone.map(([id]) => id));
    }
  }

  /** What fails stays noted, and is tried again minutes later. */
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
      if (Object.keys(await notes.read()).length > 0) inBackground();
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
