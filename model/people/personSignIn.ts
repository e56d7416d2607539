/**
 * Sign-in of people by the configured method (`authMethod`). A person known to LDAP or CAS gets an account with the
 * same login at the first sign-in; it is updated at each later one.
 */

import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { Log } from '../ports';
import type { Configuration } from '../settings/configuration';
import type { CasSignIn } from '../signin/cas';
import type { LdapSignIn } from '../signin/ldap';
import type { Profile } from '../signin/signIn';
import type { UserRecord } from '../store/entities';

export interface PersonSignIn {
  /**
   * Throws AUTHENTICATION.PASSWORD_INCORRECT (also for an unknown login), ACTIVATION_NEEDED after the right password,
   * CAS_NO_TICKET with CAS, SERVER.BUSY until accounts are indexed, and as `LdapSignIn`. A new person whose login or
   * address is taken: USER.ALREADY_EXISTS or USER.EMAIL_ALREADY_EXISTS.
   */
  byPassword(login: string, password: string): Promise<UserRecord>;
  /** Throws as `byPassword` and `CasSignIn`, and AUTHENTICATION.CAS_FAILED unless `authMethod` is CAS. */
  byTicket(ticket: string): Promise<UserRecord>;
  /** True when the person signs in with this password. Always false with CAS. */
  checkPassword(user: UserRecord, password: string): Promise<boolean>;
}

export interface PersonSignInContext {
  users: Users;
  configuration: Configuration;
  ldap: LdapSignIn;
  cas: CasSignIn;
  log: Log;
}

function isError(error: unknown, key: MyPadsError['key']): boolean {
  return error instanceof MyPadsError && error.key === key;
}

export function createPersonSignIn(context: PersonSignInContext): PersonSignIn {
  const { users, configuration, ldap, cas, log } = context;

  async function createAccount({ login, email, firstname, lastname, lang }: Profile): Promise<UserRecord> {
    const fields = { login, email, firstname, lastname, ...(lang === undefined ? {} : { lang }) };
    try {
      const user = await users.register({ ...fields, password: null, active: true });
      log.info('account created', { user: user._id, by: configuration.get('authMethod') });
      return user;
    } catch (error) {
      // The same person may have signed in at the same time in another window.
      const meanwhile = await users.findByLogin(login);
      if (isError(error, 'BACKEND.ERROR.USER.ALREADY_EXISTS') && meanwhile) return meanwhile;
      throw error;
    }
  }

  /** Updates names and address from the directory. If another account has the address, the old one stays. */
  async function update(user: UserRecord, { email, firstname, lastname }: Profile): Promise<UserRecord> {
    const names = Object.entries({ firstname, lastname }).filter(
      ([field, value]) => value !== '' && value !== user[field as 'firstname' | 'lastname'],
    );
    // An old password would open the account without the directory if `authMethod` became internal, so it is removed.
    const password = user.password === null ? undefined : null;
    const changes = { ...Object.fromEntries(names), ...(password === null ? { password } : {}) };
    const moved = email !== user.email;
    if (!moved && Object.keys(changes).length === 0) return user;
    try {
      return await users.updateProfile(user._id, { ...changes, ...(moved ? { email } : {}) });
    } catch (error) {
      if (!isError(error, 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS')) throw error;
      log.warn('e-mail address of the sign-in service belongs to another account, not changed', {
        user: user._id,
      });
      return users.updateProfile(user._id, changes);
    }
  }

  /**
   * The account of this person. Directories ignore letter case, so another spelling of the login means the same person.
   */
  async function find({ login, email }: Profile, typed: string): Promise<UserRecord | undefined> {
    const isSame = (user: UserRecord | undefined): boolean =>
      user?.login.toLowerCase() === login.toLowerCase();
    for (const name of new Set([login, typed.trim(), login.toLowerCase()])) {
      const user = await users.findByLogin(name);
      if (isSame(user)) return user;
    }
    const like = await users.findSimilarLogin(login);
    if (isSame(like)) return like;
    const owner = await users.findOwner(email);
    return isSame(owner) ? owner : undefined;
  }

  async function accountOf(profile: Profile, typed: string): Promise<UserRecord> {
    if (!users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    const known = await find(profile, typed);
    const user = known ?? (await createAccount(profile));
    if (!user.active) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    return known ? update(user, profile) : user;
  }

  return {
    async byPassword(login, password) {
      const method = configuration.get('authMethod');
      if (method === 'cas') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
      if (method === 'internal') return users.authenticate(login, password);
      return accountOf(await ldap.authenticate({ login, password }), login);
    },

    async byTicket(ticket) {
      if (configuration.get('authMethod') !== 'cas') {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
      }
      const profile = await cas.authenticate({ ticket });
      return accountOf(profile, profile.login);
    },

    async checkPassword(user, password) {
      const method = configuration.get('authMethod');
      if (method === 'cas') return false;
      return method === 'ldap'
        ? ldap.checkPassword(user.login, password)
        : users.checkPassword(user._id, password);
    },
  };
}
