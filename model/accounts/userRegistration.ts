/** Creates accounts. */

import { asPartOf } from '../actor';
import { MyPadsError } from '../errors';
import { newId } from '../ids';
import type { Passwords } from '../passwords/password';
import type { Basics } from '../store/basics';
import type { UserRecord } from '../store/entities';
import { newUser } from '../store/records';
import { keys } from '../store/store';
import { loginName, mailName } from './nameRecords';
import { addToUnconfirmed } from './unconfirmedLists';
import type { UserIndex } from './userIndex';
import type { UserReading } from './userReading';
import type { UserRules } from './userRules';

/** Fields that people may change in their profile, besides password and e-mail address. */
export type ProfileFields = Pick<
  UserRecord,
  | 'firstname'
  | 'lastname'
  | 'organization'
  | 'color'
  | 'padNickname'
  | 'lang'
  | 'useLoginAndColorInPads'
  | 'hideHelp'
  | 'singleKeys'
  | 'mailWhenAdded'
>;

export interface Registration extends Partial<ProfileFields> {
  /** Is trimmed and normalised (NFC). */
  login: string;
  /** `null`: an account of LDAP or CAS, without a password here. */
  password: string | null;
  email: string;
  active: boolean;
  /**
   * Also creates an account when the address is taken: it never opens and is not found by its address (`addressTaken`),
   * so that the caller cannot tell the difference.
   */
  hideTakenAddress?: boolean;
  /** When the account is removed unless it is confirmed, in milliseconds since 1970. */
  unconfirmedUntil?: number;
  /** Who the person is for services by which they sign in. */
  identities?: UserRecord['identities'];
  /** A sync of a file makes it. */
  bySync?: UserRecord['bySync'];
}

/** The fields that have a value. */
export const onlyGiven = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;

export const emailTaken = () =>
  new MyPadsError('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS', { field: 'email' });

export interface UserRegistration {
  /**
   * Creates an account. Throws SERVER.BUSY before `ready`, TYPE.PARAM_STR, TYPE.MAIL, TYPE.PASSWORD_SIZE,
   * USER.ALREADY_EXISTS, USER.EMAIL_ALREADY_EXISTS. Emits `user`. `complete` is part of it: if it rejects, so does the
   * call, and no account is left.
   */
  register(registration: Registration, complete?: (user: UserRecord) => Promise<void>): Promise<UserRecord>;
  /** Throws the errors of `register` and `updateProfile` that do not depend on other accounts. */
  requireUsable(wanted: { email?: string; password?: string | null }): void;
}

interface RegistrationContext extends Pick<Basics, 'store' | 'events' | 'now'> {
  index: UserIndex;
  rules: UserRules;
  passwords: Passwords;
  reading: Pick<UserReading, 'findOwner' | 'get'>;
  /** As `Users.remove`. */
  remove(id: string, detach: (user: UserRecord) => Promise<void>): Promise<void>;
}

const createUndo =
  ({ remove }: Pick<RegistrationContext, 'remove'>) =>
  async (id: string, error: unknown): Promise<never> => {
    await asPartOf('failedCreation', () => remove(id, async () => {}));
    throw error;
  };

/**
 * A login that equals another person's address (or the reverse) would receive that person's sign-ins and invitations.
 * With one that equals another person's id, what administrators do with one account could reach the other.
 */
const createLoginCheck =
  ({ index, reading }: Pick<RegistrationContext, 'index' | 'reading'>) =>
  async (login: string): Promise<void> => {
    const looksTaken =
      (await index.withSimilarLogin(login)).length > 0 || (await index.withEmail(login, true)).length > 0;
    if (looksTaken || (await reading.get(login)) !== undefined) {
      throw new MyPadsError('BACKEND.ERROR.USER.ALREADY_EXISTS', { field: 'login' });
    }
  };

export function createUserRegistration(context: RegistrationContext): UserRegistration {
  const { store, index, rules, passwords, events, now, reading } = context;
  const undo = createUndo(context);
  const checkLogin = createLoginCheck(context);

  function requireUsable({ email, password }: { email?: string; password?: string | null }): void {
    index.mustBeReady();
    if (email !== undefined) rules.checkEmail(email);
    if (typeof password === 'string') rules.checkPassword(password);
  }

  /** Writes the record and the index. `taken`: another account has the address. Needs the locks of both names. */
  async function write(user: UserRecord, taken: boolean, unconfirmedLists: string[]): Promise<UserRecord> {
    // The index is written first: an entry without a record is ignored, a record without an entry could not be
    // found.
    await index.addEntry(loginName(user.login), user._id);
    if (taken) await index.rewriteEntry(mailName(user.email));
    else await index.addEntry(mailName(user.email), user._id);
    for (const key of unconfirmedLists) await addToUnconfirmed(store, key, user._id);
    await store.set(keys.user(user._id), user);
    return user;
  }

  const register: UserRegistration['register'] = async (registration, complete = async () => {}) => {
    const {
      login: typed,
      password,
      email,
      active,
      hideTakenAddress,
      unconfirmedUntil,
      ...profile
    } = registration;
    const login = typed.trim().normalize();
    rules.checkLogin(login);
    requireUsable({ email, password });
    /** Refuses taken names: before hashing the password, to save time, and again under the locks. */
    const check = async (): Promise<boolean> => {
      await checkLogin(login);
      const taken = (await reading.findOwner(email)) !== undefined;
      if (taken && !hideTakenAddress) throw emailTaken();
      return taken;
    };
    await check();
    const hashed = password === null ? null : await passwords.hash(password);
    const unconfirmedLists = unconfirmedUntil === undefined ? [] : [keys.unconfirmed(unconfirmedUntil)];
    const locks = [...index.keysOf(login), ...index.keysOf(email), ...unconfirmedLists];
    const made = await store.locked(locks, async () => {
      const taken = await check();
      const user: UserRecord = {
        ...newUser({ _id: newId(login), login, email, password: hashed, active, ctime: now() }),
        ...onlyGiven(profile),
        lang: rules.knownLanguage(profile.lang),
        ...(taken ? { addressTaken: true } : {}),
        ...(unconfirmedUntil === undefined ? {} : { unconfirmedUntil }),
      };
      return write(user, taken, unconfirmedLists);
    });
    await complete(made).catch((error: unknown) => undo(made._id, error));
    events.emit({ about: 'user', what: 'created', id: made._id, access: false });
    return made;
  };

  return { register, requireUsable };
}
