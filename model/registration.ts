/**
 * People who make their own account. With `checkMails` the account opens with a mailed link only, and neither the answer nor its time
 * tells whether an address is known: one that is gets an account that never opens, and its owner a mail that says so.
 */
import type { AccountMail } from './accountMail';
import type { Configuration } from './configuration';
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Registration as Fields, Users } from './user';

export interface Registration {
  /** Throws AUTHENTICATION.NO_REGISTRATION where registration is closed or accounts live elsewhere. */
  mustBeOpen(): void;
  /**
   * Beside what `Users.register` says, with `checkMails`: `active` is false, an address is never told to be taken, a login with an `@`
   * is refused with TYPE.LOGIN_STR (it would tell whether that address is known), and what `AccountMail.requestConfirmation` says is
   * thrown; then there is no account. `rootUrl`: as there.
   */
  register(fields: Omit<Fields, 'active' | 'hideTakenAddress'>, rootUrl?: string): Promise<UserRecord>;
}

export function createRegistration(context: {
  users: Users;
  configuration: Configuration;
  accountMail: AccountMail;
}): Registration {
  const { users, configuration, accountMail } = context;

  return {
    mustBeOpen() {
      if (configuration.get('authMethod') !== 'internal' || !configuration.get('openRegistration')) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION');
      }
    },

    async register(fields, rootUrl) {
      if (!configuration.get('checkMails')) return users.register({ ...fields, active: true });
      accountMail.mustBeConfigured(rootUrl);
      if (fields.login.includes('@')) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.LOGIN_STR', { field: 'login' });
      }
      const user = await users.register({ ...fields, active: false, hideTakenAddress: true });
      try {
        await accountMail.requestConfirmation(user, rootUrl);
      } catch (error) {
        await users.remove(user._id, async () => {});
        throw error;
      }
      return user;
    },
  };
}
