/**
 * Removes an account everywhere. A note is stored first, so that a restart can finish the removal. Sessions, groups and
 * the record are removed before the answer; bookmarks, lists, mailed links and authors in the background.
 */
import type { Users } from '../accounts/user';
import { actingAs, byServer } from '../actor';
import type { Groups } from '../folders/group';
import type { Detached } from '../folders/membership';
import type { Coordination, Log } from '../ports';
import type { UserRecord } from '../store/entities';
import { createSharedRecord, type SharedRecord } from '../store/sharedRecord';
import { keys } from '../store/store';
import { AccountCleanup, type AccountCleanupContext, type RemovedAccount } from './accountCleanup';

export interface AccountRemoval {
  /**
   * Resolves when the account no longer exists for anybody, to what happened to its folders. Throws USER.NOT_FOUND.
   */
  remove(id: string): Promise<Detached>;
  /** What `remove` would do with the folders of this account. Changes nothing. */
  preview(user: UserRecord): Promise<Detached>;
  /** Resumes unfinished removals in the background. */
  resume(): Promise<void>;
  /** Resolves when no background work is left. */
  idle(): Promise<void>;
  /** Aborts the background work; the next start resumes it. Resolves when it has stopped. */
  stop(): Promise<void>;
}

interface AccountRemovalContext extends AccountCleanupContext {
  users: Users;
  groups: Groups;
  coordination: Pick<Coordination, 'lock' | 'tryLock'>;
  log: Log;
}

/** Unfinished removals, by account id. */
type Notes = Record<string, RemovedAccount>;

class NotedAccountRemoval implements AccountRemoval {
  private readonly notes: SharedRecord<Notes>;
  private readonly stopping = new AbortController();
  private readonly cleanup: AccountCleanup;
  private running: Promise<void> | undefined;

  constructor(private readonly context: AccountRemovalContext) {
    this.notes = createSharedRecord<Notes>(context.store, keys.removedAccounts, {
      read: (stored) => (stored as Notes | undefined) ?? {},
      isEmpty: (value) => Object.keys(value).length === 0,
    });
    this.cleanup = new AccountCleanup(context, this.stopping.signal);
  }

  private note({ _id, authors = [], ...user }: UserRecord): Promise<void> {
    const { eplAuthorToken: token, login, email, unconfirmedUntil } = user;
    return this.notes.change((now) => ({
      ...now,
      [_id]: { authors, token, login, email, unconfirmedUntil },
    }));
  }

  private removeNotes(ids: readonly string[]): Promise<void> {
    return this.notes.change((now) =>
      Object.fromEntries(Object.entries(now).filter(([id]) => !ids.includes(id))),
    );
  }

  // 1. Before the answer: sessions, groups and the record

  private async removeAccount(id: string): Promise<Detached> {
    const { users, groups } = this.context;
    let detached: Detached = { removed: [], left: 0 };
    await users.remove(id, async (closed) => {
      // The editor may have created another author for the person since the first note.
      await this.note(closed);
      detached = await groups.detach(closed);
    });
    return detached;
  }

  /** For an account that still exists. If it is not closed, its removal had not begun, and only the note is removed. */
  private async finish(user: UserRecord): Promise<void> {
    if (user.closed) await this.removeAccount(user._id);
    else await this.removeNotes([user._id]);
  }

  // 2. In the background: everything that refers to the account

  /** A call is removing the account now. The background work leaves it alone. */
  private async isBeingRemoved(id: string): Promise<boolean> {
    const release = await this.context.coordination.tryLock(keys.removalOf(id));
    release?.();
    return release === undefined;
  }

  private async processNotes(): Promise<void> {
    for (;;) {
      const noted: [string, RemovedAccount][] = [];
      for (const entry of Object.entries(await this.notes.read())) {
        if (!(await this.isBeingRemoved(entry[0]))) noted.push(entry);
      }
      if (noted.length === 0) return;
      const existing = await this.context.users.findMany(noted.map(([id]) => id));
      for (const user of existing.values()) await this.finish(user);
      const removed = noted.filter(([id]) => !existing.has(id));
      if (removed.length === 0) continue;
      await this.cleanup.remove(Object.fromEntries(removed));
      await this.removeNotes(removed.map(([id]) => id));
    }
  }

  /** After a failure the notes stay, and the work is retried some minutes later. */
  private startInBackground(): void {
    const work = (this.running ?? Promise.resolve()).then(() =>
      actingAs(byServer, () => this.processNotes()),
    );
    this.running = work.catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      this.context.log.error('removal of references to a deleted account failed, retrying later', {
        error: String(error),
      });
    });
  }

  preview(user: UserRecord): Promise<Detached> {
    return this.context.groups.previewDetach(user);
  }

  async remove(id: string): Promise<Detached> {
    const { users, coordination } = this.context;
    const release = await coordination.lock(keys.removalOf(id));
    try {
      const user = await users.get(id);
      if (user) await this.note(user);
      return await this.removeAccount(id);
    } finally {
      release();
      this.startInBackground();
    }
  }

  async resume(): Promise<void> {
    if (Object.keys(await this.notes.read()).length > 0) this.startInBackground();
  }

  async idle(): Promise<void> {
    await this.running;
    await this.context.referenceCleanup.idle();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }
}

export const createAccountRemoval = (context: AccountRemovalContext): AccountRemoval =>
  new NotedAccountRemoval(context);
