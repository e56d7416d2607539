/**
 * Accounts. Each part has a file of its own: userReading (finding), userRegistration (creating), userProfile
 * (changing), userPasswords (signing in); userIndex is the index of names.
 */

import type { ApiTokens } from '../access/apiTokens';
import type { Sessions } from '../access/session';
import { asPartOf } from '../actor';
import { MyPadsError } from '../errors';
import type { RecordIndex } from '../index/recordIndex';
import type { Passwords } from '../passwords/password';
import type { Configuration } from '../settings/configuration';
import type { Basics } from '../store/basics';
import type { UserRecord } from '../store/entities';
import { type GroupIndex, readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import { forgetIdentities } from './identityNotes';
import { loginName, mailName } from './nameRecords';
import { removeFromUnconfirmed } from './unconfirmedLists';
import { createAddressRelease } from './unprovedAddress';
import { UserIndex } from './userIndex';
import { createUserPasswords } from './userPasswords';
import { createUserProfile } from './userProfile';
import { createUserReading } from './userReading';
import { createUserRegistration } from './userRegistration';
import { createUserRules } from './userRules';

export type { AccountChange } from './userProfile';
export type { Registration } from './userRegistration';

export interface UserContext extends Basics {
  recordIndex: RecordIndex;
  configuration: Configuration;
  passwords: Passwords;
  sessions: Sessions;
  apiTokens: Pick<ApiTokens, 'endAll'>;
}

type Update = (
  id: string,
  change: (user: UserRecord) => UserRecord | undefined,
) => Promise<UserRecord | undefined>;

function createUpdate(store: Store): Update {
  return async (id, change) => {
    const stored = await store.update<unknown>(keys.user(id), (current) => {
      const user = readUser(id, current);
      return user && change(user);
    });
    return readUser(id, stored);
  };
}

/** A browser without cookies is a new author at each visit, so the list is limited. */
export const maxAuthors = 200;

/** Notes of other parts of the model in the record of an account. */
function createUserNotes(update: Update) {
  return {
    /** Extends the time of an unconfirmed account. `undefined` when it is confirmed or closed. */
    async extendUnconfirmed(id: string, until: number): Promise<UserRecord | undefined> {
      const user = await update(id, (current) =>
        current.unconfirmedUntil === undefined || current.closed === true
          ? undefined
          : { ...current, unconfirmedUntil: Math.max(until, current.unconfirmedUntil) },
      );
      return user?.unconfirmedUntil === undefined || user.closed === true ? undefined : user;
    },

    /** Stores an Etherpad author as this person, so that a removal can anonymise it. */
    async noteAuthor(known: Pick<UserRecord, '_id' | 'authors'>, authorId: string): Promise<void> {
      if (known.authors?.includes(authorId)) return;
      await update(known._id, (user) => {
        const others = (user.authors ?? []).filter((other) => other !== authorId);
        return { ...user, authors: [...others, authorId].slice(-maxAuthors) };
      });
    },

    /** Adds groups to the indexes of the account; ignores unknown accounts. */
    async addGroups(id: string, groups: Partial<Record<GroupIndex, readonly string[]>>): Promise<void> {
      await update(id, (user) => {
        const { groups: listed, readerOf = [] } = user;
        const more = (groups.groups ?? []).filter((group) => !listed.includes(group));
        const read = (groups.readerOf ?? []).filter((group) => !readerOf.includes(group));
        if (more.length + read.length === 0) return undefined;
        const reading = read.length > 0 && { readerOf: [...readerOf, ...read] };
        // An account of 1.x without a group waits for its confirmation. With one, it would count as closed.
        const waiting = !user.active && { closed: user.closed === true };
        return { ...user, ...waiting, groups: [...listed, ...more], ...reading };
      });
    },

    /** Removes a group from this index of the account. The bookmark stays, for somebody who is added again. */
    async removeGroup(id: string, groupId: string, index: GroupIndex): Promise<void> {
      await update(id, (user) => {
        const listed = user[index] ?? [];
        if (!listed.includes(groupId)) return undefined;
        return { ...user, [index]: listed.filter((other) => other !== groupId) };
      });
    },
  };
}

/** Removing accounts. `updateExisting`: as `update`, but throws USER.NOT_FOUND. */
function createUserRemoval(
  { store, sessions, apiTokens, events }: UserContext,
  index: UserIndex,
  updateExisting: (id: string, change: (user: UserRecord) => UserRecord) => Promise<UserRecord>,
) {
  /**
   * Removes the names of a removed account from the index. `remove` does this; call it after an interrupted removal.
   */
  async function removeNames({ _id, login, email }: Pick<UserRecord, '_id' | 'login' | 'email'>) {
    await index.removeEntry(loginName(login), _id);
    if (email !== '') await index.removeEntry(mailName(email), _id);
  }

  return {
    /**
     * Closes an account, ends its sessions and API tokens, calls `detach` to remove it from groups, then removes record
     * and index. After an interruption a closed account remains, which can be removed again. Throws USER.NOT_FOUND.
     * Emits `user`.
     */
    async remove(id: string, detach: (user: UserRecord) => Promise<void>): Promise<void> {
      const user = await updateExisting(id, (current) => ({ ...current, active: false, closed: true }));
      await asPartOf('accountRemoval', async () => {
        events.emit({ about: 'user', what: 'changed', id, changed: ['active'], access: true });
        await sessions.endAll(id);
        await apiTokens.endAll(id);
        await detach(user);
      });
      await store.locked([keys.user(id)], () => store.remove(keys.user(id)));
      await removeNames(user);
      await forgetIdentities(store, user);
      if (user.unconfirmedUntil !== undefined) {
        await removeFromUnconfirmed(store, keys.unconfirmed(user.unconfirmedUntil), id);
      }
      events.emit({ about: 'user', what: 'removed', id, access: true });
    },
    removeNames,
  };
}

export function createUsers(context: UserContext) {
  const { store, configuration, passwords } = context;
  const index = new UserIndex(context);
  const rules = createUserRules(configuration);
  const reading = createUserReading({ store, index, configuration });
  /**
   * Any other change, under the record's lock. If `change` returns `undefined`, nothing is written. Returns `undefined`
   * when there is no such account.
   */
  const update = createUpdate(store);

  async function updateExisting(id: string, change: (user: UserRecord) => UserRecord): Promise<UserRecord> {
    const user = await update(id, change);
    if (!user) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND');
    return user;
  }

  const releaseAddress = createAddressRelease({ index, update });
  const removal = createUserRemoval(context, index, updateExisting);
  return {
    /** Resolves when all accounts can be found by login and e-mail. */
    ready: index.ready,
    isReady: (): boolean => index.isReady(),
    ...reading,
    ...createUserRegistration({ ...context, index, rules, reading, remove: removal.remove }),
    ...createUserProfile({ ...context, index, rules, reading, releaseAddress, updateExisting }),
    ...createUserPasswords({ index, configuration, passwords, get: reading.get, update }),
    ...createUserNotes(update),
    ...removal,
    update,
    releaseAddress,
    /** Aborts the background work. */
    close: (): Promise<void> => index.close(),
  };
}

export type Users = ReturnType<typeof createUsers>;
