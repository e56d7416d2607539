/**
 * Removes an account everywhere. A note is stored first, so that a restart can finish the removal. Sessions, groups and
 * the record are removed before the answer; bookmarks, lists, mailed links and authors in the background.
 */

import type { AdminLog } from '../access/adminLog';
import type { Sessions } from '../access/session';
import type { Users } from '../accounts/user';
import type { Groups } from '../folders/group';
import type { Coordination, EditorAuthors, Log } from '../ports';
import type { ReferenceCleanup } from '../removal/referenceCleanup';
import { inBatches } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { peopleOf, readGroup } from '../store/records';
import { createSharedRecord } from '../store/sharedRecord';
import { keys, type Store } from '../store/store';

export interface AccountRemoval {
  /** Resolves when the account no longer exists for anybody. Throws USER.NOT_FOUND. */
  remove(id: string): Promise<void>;
  /** Resumes unfinished removals in the background. */
  resume(): Promise<void>;
  /** Resolves when no background work is left. */
  idle(): Promise<void>;
  /** Aborts the background work; the next start resumes it. Resolves when it has stopped. */
  stop(): Promise<void>;
}

export interface AccountRemovalContext {
  store: Store;
  users: Users;
  groups: Groups;
  sessions: Pick<Sessions, 'endAll'>;
  referenceCleanup: ReferenceCleanup;
  adminLog: Pick<AdminLog, 'forget'>;
  authors: EditorAuthors | undefined;
  coordination: Pick<Coordination, 'lock' | 'tryLock'>;
  log: Log;
}

/** Unfinished removals, by account id. */
type Notes = Record<string, Note>;

interface Note {
  authors: string[];
  /** Author token of an old record, or `''`. */
  token: string;
  login?: string;
  email?: string;
  unconfirmedUntil?: number;
}

export function createAccountRemoval(context: AccountRemovalContext): AccountRemoval {
  const { store, users, groups, sessions, referenceCleanup, adminLog, authors, coordination, log } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
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

  const removeNotes = (ids: readonly string[]): Promise<void> =>
    notes.change((now) => Object.fromEntries(Object.entries(now).filter(([id]) => !ids.includes(id))));

  // 1. What everybody sees

  async function removeAccount(id: string): Promise<void> {
    await users.remove(id, async (closed) => {
      // The editor may have created another author for the person since the first note.
      await note(closed);
      await groups.detach(closed);
    });
  }

  /** The account still exists: its removal was interrupted, or never started to close it. */
  async function finish(user: UserRecord): Promise<void> {
    if (user.closed) await removeAccount(user._id);
    else await removeNotes([user._id]);
  }

  // 2. What follows

  async function eachRecord<T>(
    prefix: string,
    visit: (id: string, stored: T | undefined) => Promise<void>,
  ): Promise<void> {
    await inBatches(
      await store.scan(prefix),
      async (part) => {
        const records = await store.getMany<T>(part);
        for (const [position, key] of part.entries())
          await visit(key.slice(prefix.length), records[position]);
      },
      { signal },
    );
  }

  /** Groups that the account's own list misses, and those that added the account at the last moment. */
  async function removeFromGroups(removed: ReadonlySet<string>): Promise<void> {
    await eachRecord<unknown>(keys.group(''), async (id, stored) => {
      const group = readGroup(id, stored);
      const people = group ? peopleOf(group).filter((person) => removed.has(person)) : [];
      for (const person of people) await groups.detach({ _id: person, groups: [id] });
    });
  }

  /** Pads of ep_mypads 1.x list users. That list gives no rights. */
  async function removeFromPads(removed: ReadonlySet<string>): Promise<void> {
    await eachRecord<{ users?: unknown }>(keys.pad(''), async (id, stored) => {
      if (!Array.isArray(stored?.users) || !stored.users.some((person) => removed.has(person))) return;
      await store.update<{ users?: unknown }>(keys.pad(id), (pad) => {
        if (!Array.isArray(pad?.users)) return undefined;
        return { ...pad, users: pad.users.filter((person) => !removed.has(person)) };
      });
    });
  }

  /** Takes the account off the list of unconfirmed accounts. */
  async function removeFromUnconfirmed(id: string, until: number): Promise<void> {
    await store.update<{ uids: string[] }>(keys.unconfirmed(until), (list) => {
      if (!list?.uids.includes(id)) return undefined;
      return { ...list, uids: list.uids.filter((other) => other !== id) };
    });
  }

  async function removeMailLinks(removed: ReadonlySet<string>): Promise<void> {
    await eachRecord<{ user?: unknown }>(keys.mailToken(''), async (hash, stored) => {
      if (typeof stored?.user === 'string' && removed.has(stored.user))
        await store.remove(keys.mailToken(hash));
    });
  }

  async function removeReferences(noted: Notes): Promise<void> {
    const removed = new Set(Object.keys(noted));
    for (const [_id, { login, email = '', unconfirmedUntil }] of Object.entries(noted)) {
      await sessions.endAll('user', _id);
      await store.remove(keys.recent(_id));
      if (login !== undefined) await users.removeNames({ _id, login, email });
      if (unconfirmedUntil !== undefined) await removeFromUnconfirmed(_id, unconfirmedUntil);
    }
    await adminLog.forget(removed);
    await removeFromGroups(removed);
    await removeMailLinks(removed);
    await referenceCleanup.schedule({ users: [...removed] });
    await removeFromPads(removed);
    const facts = Object.values(noted);
    const ids = [...new Set(facts.flatMap(({ authors: own }) => own))];
    const tokens = facts.map(({ token }) => token).filter((token) => token !== '');
    if (ids.length + tokens.length > 0) await authors?.anonymise({ ids, tokens }, { signal });
  }

  /** A call is removing the account now. The background work leaves it alone. */
  async function isBeingRemoved(id: string): Promise<boolean> {
    const release = await coordination.tryLock(keys.removalOf(id));
    release?.();
    return release === undefined;
  }

  async function processNotes(): Promise<void> {
    for (;;) {
      const noted: [string, Note][] = [];
      for (const entry of Object.entries(await notes.read())) {
        if (!(await isBeingRemoved(entry[0]))) noted.push(entry);
      }
      if (noted.length === 0) return;
      const existing = await users.findMany(noted.map(([id]) => id));
      for (const user of existing.values()) await finish(user);
      const removed = noted.filter(([id]) => !existing.has(id));
      if (removed.length === 0) continue;
      await removeReferences(Object.fromEntries(removed));
      await removeNotes(removed.map(([id]) => id));
    }
  }

  /** After a failure the notes stay, and the work is retried some minutes later. */
  function startInBackground(): void {
    running = (running ?? Promise.resolve()).then(processNotes).catch((error: unknown) => {
      if (signal.aborted) return;
      log.error('removal of references to a deleted account failed, retrying later', {
        error: String(error),
      });
    });
  }

  return {
    async remove(id) {
      const release = await coordination.lock(keys.removalOf(id));
      try {
        const user = await users.get(id);
        if (user) await note(user);
        await removeAccount(id);
      } finally {
        release();
        startInBackground();
      }
    },
    async resume() {
      if (Object.keys(await notes.read()).length > 0) startInBackground();
    },
    async idle() {
      await running;
      await referenceCleanup.idle();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
