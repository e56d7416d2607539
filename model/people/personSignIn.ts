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
import type { UserRecord } from '../store/entities';
import { accountOf } from './directoryAccounts';

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

export function createPersonSignIn(context: PersonSignInContext): PersonSignIn {
  const { users, configuration, ldap, cas } = context;
  return {
    async byPassword(login, password) {
      const method = configuration.get('authMethod');
      if (method === 'cas') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
      if (method === 'internal') return users.authenticate(login, password);
      return accountOf(context, await ldap.authenticate({ login, password }), login);
    },

    async byTicket(ticket) {
      if (configuration.get('authMethod') !== 'cas') {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
      }
      const profile = await cas.authenticate({ ticket });
      return accountOf(context, profile, profile.login);
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
