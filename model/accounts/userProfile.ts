/** Changes profile, address and password of an account, and opens or closes it. */

import { isDeepStrictEqual } from 'node:util';
import type { ApiTokens } from '../access/apiTokens';
import type { Sessions } from '../access/session';
import { MyPadsError } from '../errors';
import { namesOfSetFields } from '../events';
import type { Passwords } from '../passwords/password';
import type { Basics } from '../store/basics';
import type { UserRecord } from '../store/entities';
import { mailName } from './nameRecords';
import { isUnproved } from './unprovedAddress';
import type { UserIndex } from './userIndex';
import type { UserReading } from './userReading';
import { emailTaken, onlyGiven, type ProfileFields } from './userRegistration';
import type { UserRules } from './userRules';

/** Changes of an account. Missing fields stay. */
export interface AccountChange extends Partial<ProfileFields> {
  /** Takes effect at once. Cancels a pending address. */
  email?: string;
  /** The address to use after confirmation. */
  pendingEmail?: UserRecord['pendingEmail'];
  /** `null` removes it. A new password ends the account's sessions, API tokens, mailed links and pending address. */
  password?: string | null;
  /** Who the person is for services by which they sign in. */
  identities?: UserRecord['identities'];
  /** `false` closes the account and ends all its sessions and API tokens. */
  active?: boolean;
  /** Why it is closed or opened, if the directory is the reason. */
  absent?: UserRecord['absent'];
  /** The same for a sync of a file. */
  bySync?: UserRecord['bySync'];
}

export interface ChangeOptions {
  /** Id of the session that is kept after a new password. */
  keepSession?: string;
  /** Checks the record right before it is written. An error that it throws cancels the change. */
  check?: (current: UserRecord) => void;
}

export interface UserProfile {
  /** Changes an account in one write. Throws as `register`, and USER.NOT_FOUND. Emits `user`. */
  updateProfile(id: string, changes: AccountChange, options?: ChangeOptions): Promise<UserRecord>;
}

interface ProfileContext extends Pick<Basics, 'store' | 'events'> {
  index: UserIndex;
  rules: UserRules;
  passwords: Passwords;
  sessions: Sessions;
  apiTokens: Pick<ApiTokens, 'endAll'>;
  reading: UserReading;
  /** As `Users.releaseAddress`. */
  releaseAddress(address: string): Promise<void>;
  /** As `Users.update`. Throws USER.NOT_FOUND. */
  updateExisting(id: string, change: (user: UserRecord) => UserRecord): Promise<UserRecord>;
}

/** Ends API tokens and sessions of an account, except the session `except`. */
const createEnding =
  ({ apiTokens, sessions }: Pick<ProfileContext, 'apiTokens' | 'sessions'>) =>
  async (id: string, except: string | undefined): Promise<void> => {
    await apiTokens.endAll(id);
    await sessions.endAll(id, except);
  };

/** The fields to store. Throws TYPE.PASSWORD_SIZE. */
async function fieldsOf(
  { rules, passwords }: Pick<ProfileContext, 'rules' | 'passwords'>,
  { email, password, ...given }: AccountChange,
): Promise<Partial<UserRecord>> {
  const fields: Partial<UserRecord> = {
    ...(email === undefined && password === undefined ? {} : { pendingEmail: undefined }),
    ...onlyGiven(given),
  };
  if (given.lang !== undefined) fields.lang = rules.knownLanguage(given.lang);
  if (given.active !== undefined) {
    fields.closed = given.active ? undefined : true;
    fields.unconfirmedUntil = undefined;
    // If somebody else closes or opens it, that counts, whatever the directory says, and its days begin anew.
    fields.absent = given.absent;
  }
  if (password === null) fields.password = null;
  else if (password !== undefined) fields.password = await passwords.hash(password);
  return fields;
}

export function createUserProfile(context: ProfileContext): UserProfile {
  const { store, index, rules, events, reading, releaseAddress, updateExisting } = context;
  const endAll = createEnding(context);

  /** Changes the address of an account. The new index entry is written first, the old one is removed last. */
  async function changeEmail(
    email: string,
    { _id, email: old }: UserRecord,
    save: (more: Partial<UserRecord>) => Promise<UserRecord>,
  ): Promise<UserRecord> {
    index.mustBeReady();
    try {
      const saved = await store.locked(index.keysOf(email), async () => {
        if (await reading.findOwner(email, _id)) throw emailTaken();
        await index.addEntry(mailName(email), _id);
        return save({ email, addressTaken: undefined });
      });
      if (old !== '') await index.removeEntry(mailName(old), _id);
      return saved;
    } catch (error) {
      await index.removeEntry(mailName(email), _id).catch(() => {});
      throw error;
    }
  }

  return {
    async updateProfile(id, changes, { keepSession, check } = {}) {
      const { email, password, active } = changes;
      const before = await reading.get(id);
      if (before === undefined) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND');
      // When an account whose address was taken is activated, it gets the address if that is free now.
      const claimsAddress = before.addressTaken === true && !before.active && active === true;
      const newEmail = claimsAddress ? (email ?? before.email) : email === before.email ? undefined : email;
      if (newEmail !== undefined) rules.checkEmail(newEmail);
      if (typeof password === 'string') rules.checkPassword(password);
      const fields = await fieldsOf(context, changes);
      // Closed, it would keep the address from its owner.
      if (active === false && isUnproved(before)) await releaseAddress(before.email);
      const endUses = () => endAll(id, active === false ? undefined : keepSession);
      const save = async (more: Partial<UserRecord>) => {
        check?.(before);
        // Before the change too: if it fails, the old password still is the right one for another try.
        if (password !== undefined) await endUses();
        return updateExisting(id, (user) => {
          check?.(user);
          // If somebody else closes or opens it, that counts, whatever the next file says.
          const bySync = user.bySync && active !== undefined ? { bySync: changes.bySync ?? {} } : {};
          return onlyGiven({ ...user, ...bySync, ...fields, ...more }) as UserRecord;
        });
      };
      const saved = newEmail === undefined ? await save({}) : await changeEmail(newEmail, before, save);
      const changed = namesOfSetFields(changes).filter(
        (field) =>
          field !== 'bySync' && (field !== 'password' || !isDeepStrictEqual(saved.password, before.password)),
      );
      events.emit({ about: 'user', what: 'changed', id, changed, access: active !== undefined });
      // Opening ends what is left of the time before, if the closing was interrupted.
      if (password !== undefined || active === false || (active && !before.active)) await endUses();
      return saved;
    },
  };
}
