/** Accounts: how they are made, found, changed and removed. How a name leads to one: model/userIndex.ts; a password: model/userPasswords.ts. */
import type { Configuration } from './configuration';
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Events } from './events';
import { newId } from './ids';
import type { Passwords } from './password';
import type { Log } from './ports';
import { newUser, readUser } from './records';
import type { Sessions } from './session';
import { keys, type Store } from './store';
import { createUserIndex } from './userIndex';
import { createUserPasswords, type UserPasswords } from './userPasswords';
import { createUserRules } from './userRules';

/** What people may change about themselves, beside password and e-mail address. */
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
>;

export interface Registration extends Partial<ProfileFields> {
  /** Surrounding blanks are cut off, and letters composed (NFC). */
  login: string;
  /** `null`: an account of another sign-in service, which no password of ours opens. */
  password: string | null;
  email: string;
  active: boolean;
  /**
   * Makes an account also where the address is another's: one that no mail ever opens (`addressTaken`) and that is not found by its
   * address, so that who registers cannot tell the difference.
   */
  hideTakenAddress?: boolean;
  /** When it is given up unless somebody confirms it, in milliseconds since 1970. */
  unconfirmedUntil?: number;
}

/** What is given changes, and nothing else. */
export interface AccountChange extends Partial<ProfileFields> {
  /** At once. Ends what is pending. */
  email?: string;
  /** The address that shall follow once it is confirmed. */
  pendingEmail?: UserRecord['pendingEmail'];
  /** `null`: none any more. A new one ends the account's sessions, its mailed links, and an address that is pending. */
  password?: string | null;
  /** Closing ends all sessions. */
  active?: boolean;
}

export interface ChangeTerms {
  /** Id of the session that outlives a new password. */
  keepSession?: string;
  /** Looks at the record as it is when it is written. What it throws passes through, and nothing has changed. */
  check?: (current: UserRecord) => void;
}

export interface Users extends UserPasswords {
  /** Resolves when every account can be found by login and e-mail. */
  readonly ready: Promise<void>;
  isReady(): boolean;
  get(id: string): Promise<UserRecord | undefined>;
  /** By id; those that are gone are not in it. */
  findMany(ids: readonly string[]): Promise<Map<string, UserRecord>>;
  findByLogin(login: string): Promise<UserRecord | undefined>;
  /** Letter case counts unless `insensitiveMailMatch` is on. */
  findByEmail(email: string): Promise<UserRecord | undefined>;
  /** Whose address it is, or whose login: nobody but `self` may take it then. Letter case of addresses never counts. */
  findOwner(email: string, self?: string): Promise<UserRecord | undefined>;
  /** Gives an account that waits for its first confirmation more time. `undefined` when it does not wait any more. */
  keepWaiting(id: string, until: number): Promise<UserRecord | undefined>;
  /** By login, else by e-mail address. */
  find(loginOrEmail: string): Promise<UserRecord | undefined>;
  /** The user id of each entry, a login or an e-mail address; entries that name nobody are not in it. SERVER.BUSY before `ready`. */
  findByEntries(entries: readonly string[]): Promise<Map<string, string>>;
  /**
   * Throws SERVER.BUSY before `ready`, TYPE.PARAM_STR, TYPE.MAIL, TYPE.PASSWORD_SIZE, USER.ALREADY_EXISTS,
   * USER.EMAIL_ALREADY_EXISTS. Emits `user`.
   */
  register(registration: Registration): Promise<UserRecord>;
  /** What `register` and `updateProfile` would refuse, whatever other accounts there are. Throws as they do. */
  mustBeUsable(wanted: { email?: string; password?: string | null }): void;
  /** Changes an account in one write. Throws as `register`, and USER.NOT_FOUND. Emits `user`. */
  updateProfile(id: string, changes: AccountChange, terms?: ChangeTerms): Promise<UserRecord>;
  /**
   * Removes an account: closes it, ends its sessions, lets `detach` undo its part in groups, then removes record and index. Stopped
   * half-way it leaves a closed account that can be removed again. Throws USER.NOT_FOUND. Emits `user`.
   */
  remove(id: string, detach: (user: UserRecord) => Promise<void>): Promise<void>;
  /** The names of an account that is gone lead nowhere any more. Part of `remove`, for one that was stopped half-way. */
  forgetNames(user: Pick<UserRecord, '_id' | 'login' | 'email'>): Promise<void>;
  /** Remembers an author of the editor as this person, so that a removal finds it. */
  noteAuthor(user: Pick<UserRecord, '_id' | 'authors'>, authorId: string): Promise<void>;
  /** Any other change, under the record's lock; `undefined` leaves it. `undefined` when there is no such account. */
  update(id: string, change: (user: UserRecord) => UserRecord | undefined): Promise<UserRecord | undefined>;
  /** Notes in the account's index of groups; unknown accounts are passed over. */
  addGroup(id: string, groupId: string): Promise<void>;
  /** Also forgets the bookmark on the group. */
  removeGroup(id: string, groupId: string): Promise<void>;
  /** Breaks off what goes on in the background. */
  close(): Promise<void>;
}

export interface UserContext {
  store: Store;
  configuration: Configuration;
  passwords: Passwords;
  sessions: Sessions;
  events: Events;
  log: Log;
  now: () => number;
}

/** A browser that keeps no cookies is a new author at each visit. */
const mostAuthors = 200;

const onlyGiven = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;

export function createUsers(context: UserContext): Users {
  const { store, configuration, passwords, sessions, events, log, now } = context;
  const index = createUserIndex({ store, log, now });
  const { withLogin, withEmail, mustBeReady } = index;
  const rules = createUserRules(configuration);

  async function get(id: string): Promise<UserRecord | undefined> {
    return readUser(id, await store.get(keys.user(id)));
  }

  // 1. Names that are taken

  const emailTaken = () => new MyPadsError('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS', { field: 'email' });

  /** A login that is somebody's address, or the other way round, would catch that person's sign-in and invitations. */
  async function checkLogin(login: string): Promise<void> {
    if ((await withLogin(login)).length > 0 || (await withEmail(login, true)).length > 0) {
      throw new MyPadsError('BACKEND.ERROR.USER.ALREADY_EXISTS', { field: 'login' });
    }
  }

  async function findOwner(email: string, self?: string): Promise<UserRecord | undefined> {
    const users = [...(await withEmail(email, true)), ...(await withLogin(email))];
    return users.find((user) => user._id !== self);
  }

  function mustBeUsable({ email, password }: { email?: string; password?: string | null }): void {
    mustBeReady();
    if (email !== undefined) rules.checkEmail(email);
    if (typeof password === 'string') rules.checkPassword(password);
  }

  async function mustExist(id: string): Promise<UserRecord> {
    const user = await get(id);
    if (!user) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND');
    return user;
  }

  async function update(
    id: string,
    change: (user: UserRecord) => UserRecord | undefined,
  ): Promise<UserRecord | undefined> {
    const stored = await store.update<unknown>(keys.user(id), (current) => {
      const user = readUser(id, current);
      return user && change(user);
    });
    return readUser(id, stored);
  }

  async function updateExisting(id: string, change: (user: UserRecord) => UserRecord): Promise<UserRecord> {
    const user = await update(id, change);
    if (!user) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND');
    return user;
  }

  // 2. Finding

  async function findByLogin(login: string): Promise<UserRecord | undefined> {
    return (await withLogin(login))[0];
  }

  async function findByEmail(email: string): Promise<UserRecord | undefined> {
    return (await withEmail(email, configuration.get('insensitiveMailMatch')))[0];
  }

  async function find(loginOrEmail: string): Promise<UserRecord | undefined> {
    return (await findByLogin(loginOrEmail)) ?? findByEmail(loginOrEmail);
  }

  /** Gives an account another address: the new index entry first, the old one goes last. */
  async function moveTo(
    email: string,
    { _id, email: old }: UserRecord,
    save: (more: Partial<UserRecord>) => Promise<UserRecord>,
  ): Promise<UserRecord> {
    mustBeReady();
    try {
      const saved = await store.locked(index.keysOf(email), async () => {
        if (await findOwner(email, _id)) throw emailTaken();
        await index.note(keys.mailIndex(email), _id);
        return save({ email, addressTaken: undefined });
      });
      if (old !== '') await index.forget(keys.mailIndex(old), _id);
      return saved;
    } catch (error) {
      await index.forget(keys.mailIndex(email), _id).catch(() => {});
      throw error;
    }
  }

  async function forgetNames({ _id, login, email }: Pick<UserRecord, '_id' | 'login' | 'email'>) {
    await index.forget(keys.loginIndex(login), _id);
    if (email !== '') await index.forget(keys.mailIndex(email), _id);
  }

  return {
    ready: index.ready,
    isReady: index.isReady,
    get,
    async findMany(ids) {
      const records = await store.getMany<unknown>(ids.map(keys.user));
      const users = ids.map((id, position) => readUser(id, records[position]));
      return new Map(
        users.filter((user) => user !== undefined).map((user): [string, UserRecord] => [user._id, user]),
      );
    },
    findByLogin,
    findByEmail,
    findOwner,
    find,
    ...createUserPasswords({ index, configuration, passwords, get, update }),

    async keepWaiting(id, until) {
      const user = await update(id, (current) =>
        current.unconfirmedUntil === undefined || current.closed === true
          ? undefined
          : { ...current, unconfirmedUntil: Math.max(until, current.unconfirmedUntil) },
      );
      return user?.unconfirmedUntil === undefined || user.closed === true ? undefined : user;
    },

    async findByEntries(entries) {
      mustBeReady();
      const found = await Promise.all(entries.map(find));
      const pairs = entries.map((entry, index) => [entry, found[index]?._id] as const);
      return new Map(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
    },

    async register({
      login: typed,
      password,
      email,
      active,
      hideTakenAddress,
      unconfirmedUntil,
      ...profile
    }) {
      const login = typed.trim().normalize();
      rules.checkLogin(login);
      mustBeUsable({ email, password });
      /** Refuses what is taken, before the password is hashed and again under the locks. */
      const check = async (): Promise<boolean> => {
        await checkLogin(login);
        const taken = (await findOwner(email)) !== undefined;
        if (taken && !hideTakenAddress) throw emailTaken();
        return taken;
      };
      await check();
      const hashed = password === null ? null : await passwords.hash(password);
      const waitingRoom = unconfirmedUntil === undefined ? [] : [keys.unconfirmed(unconfirmedUntil)];
      const locks = [...index.keysOf(login), ...index.keysOf(email), ...waitingRoom];
      const made = await store.locked(locks, async () => {
        const taken = await check();
        const user: UserRecord = {
          ...newUser({ _id: newId(login), login, email, password: hashed, active, ctime: now() }),
          ...onlyGiven(profile),
          lang: rules.knownLanguage(profile.lang),
          ...(taken ? { addressTaken: true } : {}),
          ...(unconfirmedUntil === undefined ? {} : { unconfirmedUntil }),
        };
        // The index first: an entry without a record is passed over, a record without an entry would never be found.
        await index.note(keys.loginIndex(login), user._id);
        if (taken) await index.rewrite(keys.mailIndex(email));
        else await index.note(keys.mailIndex(email), user._id);
        for (const key of waitingRoom) await index.note(key, user._id);
        await store.set(keys.user(user._id), user);
        return user;
      });
      events.emit('user', { id: made._id });
      return made;
    },

    mustBeUsable,

    async updateProfile(id, { email, password, ...given }, { keepSession, check } = {}) {
      const before = await mustExist(id);
      const takesOwn = before.addressTaken === true && given.active === true;
      const newEmail = email === before.email && !takesOwn ? undefined : email;
      if (newEmail !== undefined) rules.checkEmail(newEmail);
      if (typeof password === 'string') rules.checkPassword(password);
      const fields: Partial<UserRecord> = {
        ...(email === undefined && password === undefined ? {} : { pendingEmail: undefined }),
        ...onlyGiven(given),
      };
      if (given.lang !== undefined) fields.lang = rules.knownLanguage(given.lang);
      if (given.active !== undefined) {
        fields.closed = given.active ? undefined : true;
        fields.unconfirmedUntil = undefined;
      }
      if (password === null) fields.password = null;
      else if (password !== undefined) fields.password = await passwords.hash(password);
      const save = (more: Partial<UserRecord>) =>
        updateExisting(id, (user) => {
          check?.(user);
          return onlyGiven({ ...user, ...fields, ...more }) as UserRecord;
        });
      const saved = newEmail === undefined ? await save({}) : await moveTo(newEmail, before, save);
      if (given.active === false) await sessions.endAll('user', id);
      else if (password !== undefined) await sessions.endAll('user', id, keepSession);
      events.emit('user', { id });
      return saved;
    },

    async remove(id, detach) {
      const user = await updateExisting(id, (current) => ({ ...current, active: false, closed: true }));
      await sessions.endAll('user', id);
      await detach(user);
      await store.locked([keys.user(id)], () => store.remove(keys.user(id)));
      await forgetNames(user);
      if (user.unconfirmedUntil !== undefined) {
        await index.forget(keys.unconfirmed(user.unconfirmedUntil), id);
      }
      events.emit('user', { id });
    },
    forgetNames,

    async noteAuthor(known, authorId) {
      if (known.authors?.includes(authorId)) return;
      await update(known._id, (user) => {
        const others = (user.authors ?? []).filter((other) => other !== authorId);
        return { ...user, authors: [...others, authorId].slice(-mostAuthors) };
      });
    },

    update,

    async addGroup(id, groupId) {
      await update(id, (user) =>
        user.groups.includes(groupId) ? undefined : { ...user, groups: [...user.groups, groupId] },
      );
    },

    async removeGroup(id, groupId) {
      const without = (ids: string[]): string[] => ids.filter((other) => other !== groupId);
      await update(id, (user) => ({
        ...user,
        groups: without(user.groups),
        bookmarks: { ...user.bookmarks, groups: without(user.bookmarks.groups) },
      }));
    },

    close: index.close,
  };
}
