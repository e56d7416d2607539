/** Finds the account that a login and password belong to. */

import { MyPadsError } from '../errors';
import { hasOwnPassword, isDummyPassword, type Passwords } from '../passwords/password';
import type { Configuration } from '../settings/configuration';
import type { UserRecord } from '../store/entities';
import { usedTwinFirst } from './twins';
import type { UserIndex } from './userIndex';
import type { Registration } from './userRegistration';

/** Accounts with the same login (old databases) that a sign-in tries. Each costs a hash. */
const maxDuplicates = 3;

export function createUserPasswords(context: {
  index: UserIndex;
  configuration: Configuration;
  passwords: Passwords;
  get: (id: string) => Promise<UserRecord | undefined>;
  update: (
    id: string,
    change: (user: UserRecord) => UserRecord | undefined,
  ) => Promise<UserRecord | undefined>;
}) {
  const { index, configuration, passwords, get, update } = context;

  /** Throws AUTHENTICATION.PASSWORD_INCORRECT if the password is another one meanwhile. */
  async function rehash(user: UserRecord, password: string): Promise<UserRecord> {
    const old = JSON.stringify(user.password);
    const hashed = await passwords.hash(password);
    const saved = await update(user._id, (current) =>
      JSON.stringify(current.password) === old ? { ...current, password: hashed } : undefined,
    );
    if (!saved || JSON.stringify(saved.password) === JSON.stringify(hashed)) return saved ?? user;
    // Another sign-in may have hashed it anew, or the owner has another password now.
    const { ok } = await passwords.verify(password, saved.password);
    if (!ok) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    return saved;
  }

  /**
   * Accounts that this login or address may mean. In old databases several accounts share a login or mailbox; an exact
   * address then selects its account alone, so that no other account's password works for it.
   */
  async function possibleAccounts(loginOrEmail: string): Promise<UserRecord[]> {
    const byLogin = await index.withLogin(loginOrEmail);
    if (byLogin.length === 1) return byLogin;
    const byEmail = await index.withEmail(loginOrEmail, configuration.get('insensitiveMailMatch'));
    const exact = byEmail.filter((user) => user.email === loginOrEmail);
    if (exact.length > 0) return exact;
    return byLogin.length > 0 ? byLogin : byEmail;
  }

  /**
   * An account without a password needs one. Strangers may only learn that where registration is open, because it tells
   * them which logins exist (but not which addresses). The dummy password of 1.x is answered alike for every login.
   */
  function refusal(loginOrEmail: string, password: string, tried: readonly UserRecord[]): MyPadsError {
    const isTold = configuration.get('openRegistration') && !loginOrEmail.includes('@');
    const needsOne = isTold && tried.some((user) => user.active && !hasOwnPassword(user.password));
    return new MyPadsError(
      needsOne || isDummyPassword(password)
        ? 'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD'
        : 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
    );
  }

  return {
    /**
     * Returns the account. Throws AUTHENTICATION.PASSWORD_INCORRECT (also for an unknown login, after the same time),
     * ACTIVATION_NEEDED only after the right password, PLEASE_CHANGE_YOUR_PASSWORD (see `refusal`), SERVER.BUSY before
     * `ready`. Replaces old hashes.
     */
    async authenticate(loginOrEmail: string, password: string): Promise<UserRecord> {
      index.mustBeReady();
      const possible = usedTwinFirst(await possibleAccounts(loginOrEmail)).slice(0, maxDuplicates);
      let refused = refusal(loginOrEmail, password, possible);
      if (possible.length === 0) await passwords.verify(password, null);
      for (const user of possible) {
        const check = await passwords.verify(password, user.password);
        if (check.ok && user.active) return check.outdated ? rehash(user, password) : user;
        if (check.ok) refused = new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
        if (check.ok && user.closed) break; // No other account of the same person opens instead.
      }
      throw refused;
    },

    /** True when this is the account's password. */
    checkPassword: async (id: string, password: string): Promise<boolean> =>
      (await passwords.verify(password, (await get(id))?.password)).ok,

    /**
     * The unconfirmed account with exactly this login, address and password. If the login exists, this always takes the
     * same time.
     */
    async findUnconfirmed({ login, email, password }: Pick<Registration, 'login' | 'email' | 'password'>) {
      index.mustBeReady();
      const [user] = await index.withLogin(login.trim());
      if (!user) return undefined;
      const waits = !user.active && user.unconfirmedUntil !== undefined && user.email === email;
      const { ok } = await passwords.verify(password ?? '', waits ? user.password : null);
      return waits && ok ? user : undefined;
    },
  };
}
