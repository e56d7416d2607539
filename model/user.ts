/** Accounts: what one may hold, how it changes, who may open it with which password. How it is found: model/userIndex.ts. */
import type { Configuration } from './configuration';
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Events } from './events';
import { newId } from './ids';
import { limits } from './limits';
import { mailAddress } from './mail';
import { isDummyPassword, type Passwords } from './password';
import type { Log } from './ports';
import { readUser } from './records';
import type { Sessions } from './session';
import { keys, type Store } from './store';
import { createUserIndex } from './userIndex';

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
  /** Surrounding blanks are cut off. */
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
}

export interface Users {
  /** Resolves when every account can be found by login and e-mail. */
  readonly ready: Promise<void>;
  isReady(): boolean;
  get(id: string): Promise<UserRecord | undefined>;
  /** By id; those that are gone are not in it. */
  findMany(ids: readonly string[]): Promise<Map<string, UserRecord>>;
  findByLogin(login: string): Promise<UserRecord | undefined>;
  /** Letter case counts unless `insensitiveMailMatch` is on. */
  findByEmail(email: string): Promise<UserRecord | undefined>;
  /** Whom a new account may not take this address from: letter case never counts. */
  findOwner(email: string): Promise<UserRecord | undefined>;
  /** By login, else by e-mail address. */
  find(loginOrEmail: string): Promise<UserRecord | undefined>;
  /** The user id of each entry, a login or an e-mail address; entries that name nobody are not in it. SERVER.BUSY before `ready`. */
  findByEntries(entries: readonly string[]): Promise<Map<string, string>>;
  /**
   * Throws SERVER.BUSY before `ready`, TYPE.PARAM_STR, TYPE.MAIL, TYPE.PASSWORD_SIZE, USER.ALREADY_EXISTS,
   * USER.EMAIL_ALREADY_EXISTS. Emits `user`.
   */
  register(registration: Registration): Promise<UserRecord>;
  /**
   * The account that these belong to. Throws AUTHENTICATION.PASSWORD_INCORRECT for an unknown login as for a wrong password, in the
   * same time; ACTIVATION_NEEDED only after the right password; SERVER.BUSY before `ready`. Old hashes are replaced.
   */
  authenticate(loginOrEmail: string, password: string): Promise<UserRecord>;
  /** Is this the password of the account? */
  checkPassword(id: string, password: string): Promise<boolean>;
  /**
   * Changes what is given and nothing else, in one write. A new password (`null`: none any more) ends the account's sessions but the
   * one called `keepSession`; closing the account (`active: false`) ends all. Throws as `register`, and USER.NOT_FOUND. Emits `user`.
   */
  updateProfile(
    id: string,
    changes: Partial<ProfileFields> & { email?: string; password?: string | null; active?: boolean },
    keepSession?: string,
  ): Promise<UserRecord>;
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

/** Duplicates of one login in an old database that sign-in tries; each costs a hash. */
const mostDuplicates = 3;
/** A browser that keeps no cookies is a new author at each visit. */
const mostAuthors = 200;

export function createUsers(context: UserContext): Users {
  const { store, configuration, passwords, sessions, events, log, now } = context;
  const index = createUserIndex({ store, log, now });
  const { withLogin, withEmail, mustBeReady } = index;

  async function get(id: string): Promise<UserRecord | undefined> {
    return readUser(id, await store.get(keys.user(id)));
  }

  // 1. What an account may hold

  function checkSize(password: string): void {
    const min = configuration.get('passwordMin');
    // An old database or a settings file may have them the wrong way round: then nobody could choose any password.
    const max = Math.min(Math.max(min, configuration.get('passwordMax')), limits.password);
    if (password.length < min || password.length > max) {
      throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE', { field: 'password' });
    }
  }

  function checkEmail(email: string): void {
    if (mailAddress(email) === undefined) {
      throw new MyPadsError('BACKEND.ERROR.TYPE.MAIL', { field: 'email' });
    }
  }

  const knownLanguage = (lang: string | undefined): string =>
    lang !== undefined && Object.hasOwn(configuration.get('languages'), lang)
      ? lang
      : configuration.get('defaultLanguage');

  const emailTaken = () => new MyPadsError('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS', { field: 'email' });

  /** A login that is somebody's address, or the other way round, would catch that person's sign-in and invitations. */
  async function checkLogin(login: string): Promise<void> {
    if ((await withLogin(login)).length > 0 || (await withEmail(login, true)).length > 0) {
      throw new MyPadsError('BACKEND.ERROR.USER.ALREADY_EXISTS', { field: 'login' });
    }
  }

  /** Is it the address of somebody else than `self`? Throws USER.EMAIL_ALREADY_EXISTS where it is somebody's login only. */
  async function isTaken(email: string, self: string | undefined): Promise<boolean> {
    const others = (users: UserRecord[]): boolean => users.some((user) => user._id !== self);
    if (others(await withEmail(email, true))) return true;
    if (others(await withLogin(email))) throw emailTaken();
    return false;
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

  async function authenticate(loginOrEmail: string, password: string): Promise<UserRecord> {
    mustBeReady();
    const byLogin = await withLogin(loginOrEmail);
    const possible =
      byLogin.length > 0 ? byLogin : await withEmail(loginOrEmail, configuration.get('insensitiveMailMatch'));
    if (possible.length === 0) await passwords.verify(password, null);
    for (const user of possible.slice(0, mostDuplicates)) {
      const check = await passwords.verify(password, user.password);
      if (!check.ok && check.outdated && isDummyPassword(password)) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD');
      }
      if (!check.ok) continue;
      if (!user.active) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
      return check.outdated ? rehash(user, password) : user;
    }
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  }

  async function rehash(user: UserRecord, password: string): Promise<UserRecord> {
    const old = JSON.stringify(user.password);
    const hashed = await passwords.hash(password);
    const saved = await update(user._id, (current) =>
      JSON.stringify(current.password) === old ? { ...current, password: hashed } : undefined,
    );
    return saved ?? user;
  }

  /** Gives an account another address: the new index entry first, the old one goes last. */
  async function moveTo(
    email: string,
    before: UserRecord,
    save: (more: Partial<UserRecord>) => Promise<UserRecord>,
  ): Promise<UserRecord> {
    mustBeReady();
    const saved = await store.locked(index.keysOf(email), async () => {
      if (await isTaken(email, before._id)) throw emailTaken();
      await index.note(keys.mailIndex(email), before._id);
      return save({ email, addressTaken: undefined });
    });
    const old = keys.mailIndex(before.email);
    if (before.email !== '' && old !== keys.mailIndex(email)) await index.forget(old, before._id);
    return saved;
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
    findOwner: async (email) => (await withEmail(email, true))[0],
    find,

    async findByEntries(entries) {
      mustBeReady();
      const found = await Promise.all(entries.map(find));
      const pairs = entries.map((entry, index) => [entry, found[index]?._id] as const);
      return new Map(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
    },

    async register({ login: typed, password, email, active, hideTakenAddress = false, ...profile }) {
      mustBeReady();
      const login = typed.trim();
      if (login === '') throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_STR', { field: 'login' });
      checkEmail(email);
      if (password !== null) checkSize(password);
      /** Refuses what is taken, before the password is hashed and again under the locks. */
      const check = async (): Promise<boolean> => {
        await checkLogin(login);
        const taken = await isTaken(email, undefined);
        if (taken && !hideTakenAddress) throw emailTaken();
        return taken;
      };
      await check();
      const hashed = password === null ? null : await passwords.hash(password);
      const made = await store.locked([...index.keysOf(login), ...index.keysOf(email)], async () => {
        const taken = await check();
        const user: UserRecord = {
          _id: newId(login),
          login,
          email,
          password: hashed,
          firstname: profile.firstname ?? '',
          lastname: profile.lastname ?? '',
          organization: profile.organization ?? '',
          color: profile.color ?? '',
          padNickname: profile.padNickname ?? '',
          eplAuthorToken: '',
          groups: [],
          bookmarks: { groups: [], pads: [] },
          userlists: {},
          active,
          useLoginAndColorInPads: profile.useLoginAndColorInPads ?? true,
          hideHelp: profile.hideHelp ?? false,
          lang: knownLanguage(profile.lang),
          ctime: now(),
          ...(taken ? { addressTaken: true } : {}),
        };
        // The index first: an entry without a record is passed over, a record without an entry would never be found.
        await index.note(keys.loginIndex(login), user._id);
        if (!taken) await index.note(keys.mailIndex(email), user._id);
        await store.set(keys.user(user._id), user);
        return user;
      });
      events.emit('user', { id: made._id });
      return made;
    },

    authenticate,

    async checkPassword(id, password) {
      const user = await get(id);
      return (await passwords.verify(password, user?.password)).ok;
    },

    async updateProfile(id, { email, password, ...profile }, keepSession) {
      const before = await mustExist(id);
      const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
      const fields: Partial<UserRecord> = { ...given };
      if (profile.lang !== undefined) fields.lang = knownLanguage(profile.lang);
      if (profile.active !== undefined) fields.closed = profile.active ? undefined : true;
      if (typeof password === 'string') checkSize(password);
      const newEmail = email === before.email ? undefined : email;
      if (newEmail !== undefined) checkEmail(newEmail);
      if (password === null) fields.password = null;
      else if (password !== undefined) fields.password = await passwords.hash(password);
      const save = (more: Partial<UserRecord>) =>
        updateExisting(id, (user) => ({ ...user, ...fields, ...more }));
      const saved = newEmail === undefined ? await save({}) : await moveTo(newEmail, before, save);
      if (profile.active === false) await sessions.endAll('user', id);
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
