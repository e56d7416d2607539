/**
 * Removes an account everywhere. Sessions, groups and the record are removed before the answer; bookmarks, lists,
 * mailed links and authors in the background.
 */
import { isUnproved } from '../accounts/unprovedAddress';
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import type { Coordination } from '../ports';
import type { Basics } from '../store/basics';
import type { GroupRecord, UserRecord } from '../store/entities';
import { groupsOf } from '../store/records';
import { keys } from '../store/store';
import { readTrashedGroup } from '../store/trashNotes';
import {
  AccountCleanup,
  type AccountCleanupContext,
  type Detached,
  type RemovedAccount,
} from './accountCleanup';

interface AccountRemovalContext extends AccountCleanupContext, Pick<Basics, 'now'> {
  users: Users;
  groups: AccountCleanupContext['groups'] & {
    /** What `detach` would do. */
    previewDetach(user: Pick<UserRecord, '_id' | 'groups'>): Promise<Detached>;
  };
  jobs: Pick<Jobs, 'define'>;
  coordination: Pick<Coordination, 'lock'>;
}

type RemovedAccounts = Record<string, RemovedAccount>;

interface RemovalFacts extends RemovedAccount {
  _id: string;
}

function factsOf({ _id, authors = [], ...user }: UserRecord, removed: number): RemovalFacts {
  const { eplAuthorToken: token, login, email, unconfirmedUntil, identities } = user;
  return {
    _id,
    authors,
    token,
    login,
    email,
    unconfirmedUntil,
    identities,
    removed,
    ...(isUnproved(user) && { isUnproved: true }),
  };
}

export class AccountRemoval {
  private readonly removals: JobQueue<RemovalFacts, Detached | undefined>;
  /** Accounts share one cleanup, because it reads all groups and pads. */
  private readonly cleanups: JobQueue<RemovedAccounts>;

  constructor(private readonly context: AccountRemovalContext) {
    this.removals = context.jobs.define<RemovalFacts, Detached | undefined>({
      type: 'removeAccount',
      first: ({ _id }, run) => this.removeAccount(_id, run),
      run: async ({ _id, ...account }) => {
        // Otherwise it was interrupted before the account was closed: its removal had not begun.
        if ((await context.users.get(_id)) === undefined) await this.cleanups.begin({ [_id]: account });
      },
    });
    this.cleanups = context.jobs.define<RemovedAccounts>({
      type: 'cleanUpAccounts',
      run: (accounts, { signal }) => new AccountCleanup(context, signal).remove(accounts),
      shared: {
        delay: 0,
        merge: (accounts, more) => ({ ...accounts, ...more }),
        without(accounts, done) {
          const left = Object.entries(accounts ?? {}).filter(([id]) => !Object.hasOwn(done, id));
          return left.length === 0 ? undefined : Object.fromEntries(left);
        },
      },
    });
  }

  /** Removes sessions, groups and the record. */
  private async removeAccount(id: string, { reason, keep }: JobRun): Promise<Detached | undefined> {
    const { users, groups, now } = this.context;
    if (reason !== 'begun' && !(await users.get(id))?.closed) return undefined;
    let detached: Detached = { removed: [], left: 0 };
    await users.remove(id, async (closed) => {
      // The editor may have created another author for the person since the job was stored.
      await keep(factsOf(closed, now()));
      detached = await groups.detach(closed);
    });
    return detached;
  }

  /** What `remove` would do with the folders of this account, and with those in the trash. Changes nothing. */
  async preview(user: UserRecord): Promise<Detached & { trashed: GroupRecord[] }> {
    const { store, groups } = this.context;
    const ids = groupsOf(user);
    const [stored, notes] = await Promise.all([
      store.getMany<unknown>(ids.map(keys.group)),
      store.getMany<unknown>(ids.map(keys.deleteGroup)),
    ]);
    const trashed = notes.flatMap((note, index) => {
      const record = stored[index] ? undefined : readTrashedGroup(note)?.record;
      const isAlone = record?.admins.includes(user._id) && record.admins.every((one) => one === user._id);
      return record && isAlone ? [record] : [];
    });
    return { ...(await groups.previewDetach(user)), trashed };
  }

  /** Resolves when the account no longer exists for anybody, to what happened to its folders. Throws USER.NOT_FOUND. */
  async remove(id: string): Promise<Detached> {
    const { users, coordination, now } = this.context;
    const release = await coordination.lock(keys.removalOf(id));
    try {
      const user = await users.get(id);
      if (user === undefined) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND');
      const { result } = await this.removals.begin(factsOf(user, now()), { name: id });
      return result ?? { removed: [], left: 0 };
    } finally {
      release();
    }
  }
}
