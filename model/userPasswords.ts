/** Which account a password opens. */
import type { Configuration } from './configuration';
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import { isDummyPassword, type Passwords } from './password';
import type { UserIndex } from './userIndex';

export interface UserPasswords {
  /**
   * The account that these belong to. Throws AUTHENTICATION.PASSWORD_INCORRECT for an unknown login as for a wrong password, in the
   * same time; ACTIVATION_NEEDED only after the right password; SERVER.BUSY before `ready`. Old hashes are replaced.
   */
  authenticate(loginOrEmail: string, password: string): Promise<UserRecord>;
  /** Is this the password of the account? */
  checkPassword(id: string, password: string): Promise<boolean>;
  /**
   * The account that waits for its first confirmation under exactly this login and address, and whose password this is. Where the
   * login is taken it takes the same time, whatever the rest.
   */
  findWaiting(who: {
    login: string;
    email: string;
    password: string | null;
  }): Promise<UserRecord | undefined>;
}

/** Duplicates of one login in an old database that sign-in tries; each costs a hash. */
const mostDuplicates = 3;

export function createUserPasswords(context: {
  index: UserIndex;
  configuration: Configuration;
  passwords: Passwords;
  get: (id: string) => Promise<UserRecord | undefined>;
  update: (
    id: string,
    change: (user: UserRecord) => UserRecord | undefined,
  ) => Promise<UserRecord | undefined>;
}): UserPasswords {
  const { index, configuration, passwords, get, update } = context;

  async function rehash(user: UserRecord, password: string): Promise<UserRecord> {
    const old = JSON.stringify(user.password);
    const hashed = await passwords.hash(password);
    const saved = await update(user._id, (current) =>
      JSON.stringify(current.password) === old ? { ...current, password: hashed } : undefined,
    );
    return saved ?? user;
  }

  return {
    async authenticate(loginOrEmail, password) {
      index.mustBeReady();
      const byLogin = await index.withLogin(loginOrEmail);
      const anyCase = configuration.get('insensitiveMailMatch');
      const possible = byLogin.length > 0 ? byLogin : await index.withEmail(loginOrEmail, anyCase);
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
    },

    checkPassword: async (id, password) => (await passwords.verify(password, (await get(id))?.password)).ok,

    async findWaiting({ login, email, password }) {
      index.mustBeReady();
      const [user] = await index.withLogin(login.trim());
      if (!user) return undefined;
      const waits = !user.active && user.unconfirmedUntil !== undefined && user.email === email;
      const { ok } = await passwords.verify(password ?? '', waits ? user.password : null);
      return waits && ok ? user : undefined;
    },
  };
}
