/**
 * How people sign in, whichever way is configured (`authMethod`), and what becomes of somebody whom a directory or a sign-on server
 * knows: an account of the same login, made at the first sign-in and brought up to date at the next ones.
 */
import type { Configuration } from '../configuration';
import type { UserRecord } from '../entities';
import { MyPadsError } from '../errors';
import type { Log } from '../ports';
import type { Users } from '../user';
import type { CasSignIn } from './cas';
import type { LdapSignIn } from './ldap';
import type { Profile } from './signIn';

export interface PersonSignIn {
  /**
   * Throws AUTHENTICATION.PASSWORD_INCORRECT for an unknown login as for a wrong password, AUTHENTICATION.ACTIVATION_NEEDED after the
   * right one, AUTHENTICATION.CAS_NO_TICKET where only tickets count, SERVER.BUSY before accounts are indexed, and of `LdapSignIn`.
   * Somebody new whose login or address another account has is refused with USER.ALREADY_EXISTS or USER.EMAIL_ALREADY_EXISTS.
   */
  byPassword(login: string, password: string): Promise<UserRecord>;
  /** As `byPassword` and `CasSignIn`; AUTHENTICATION.CAS_FAILED where tickets do not count. */
  byTicket(ticket: string): Promise<UserRecord>;
  /** Is this the password with which the person signs in? With CAS there is none. */
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

  async function make({ login, email, firstname, lastname, lang }: Profile): Promise<UserRecord> {
    const fields = { login, email, firstname, lastname, ...(lang === undefined ? {} : { lang }) };
    try {
      const user = await users.register({ ...fields, password: null, active: true });
      log.info('account made', { user: user._id, by: configuration.get('authMethod') });
      return user;
    } catch (error) {
      // Perhaps by the same person in another window, this moment.
      const meanwhile = await users.findByLogin(login);
      if (isError(error, 'BACKEND.ERROR.USER.ALREADY_EXISTS') && meanwhile) return meanwhile;
      throw error;
    }
  }

  /** Names and address as the other side has them. An address that another account has is left as it was. */
  async function update(user: UserRecord, { email, firstname, lastname }: Profile): Promise<UserRecord> {
    const names = Object.entries({ firstname, lastname }).filter(
      ([field, value]) => value !== '' && value !== user[field as 'firstname' | 'lastname'],
    );
    // A password from before would open the account again, past the directory, once people sign in here.
    const password = user.password === null ? undefined : null;
    const changes = { ...Object.fromEntries(names), ...(password === null ? { password } : {}) };
    const moved = email !== user.email;
    if (!moved && Object.keys(changes).length === 0) return user;
    try {
      return await users.updateProfile(user._id, { ...changes, ...(moved ? { email } : {}) });
    } catch (error) {
      if (!isError(error, 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS')) throw error;
      log.warn('an address from the sign-in service belongs to another account', { user: user._id });
      return users.updateProfile(user._id, changes);
    }
  }

  /**
   * The account of this person. Directories do not tell letters by their case: one that writes a name in another way than before means the
   * same person.
   */
  async function find({ login, email }: Profile, typed: string): Promise<UserRecord | undefined> {
    const isSame = (user: UserRecord | undefined): boolean =>
      user?.login.toLowerCase() === login.toLowerCase();
    for (const name of new Set([login, typed.trim(), login.toLowerCase()])) {
      const user = await users.findByLogin(name);
      if (isSame(user)) return user;
    }
    const owner = await users.findOwner(email);
    return isSame(owner) ? owner : undefined;
  }

  async function accountOf(profile: Profile, typed: string): Promise<UserRecord> {
    if (!users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    const known = await find(profile, typed);
    const user = known ?? (await make(profile));
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
