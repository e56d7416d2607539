/**
 * People who make their own account. With `checkMails` the account opens with a mailed link only, and neither the answer nor its time
 * tells whether an address is known: one that is gets an account that never opens, and its owner a mail that says so.
 */
import type { AccountMail } from './accountMail';
import type { Configuration } from './configuration';
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import { lifetimes } from './limits';
import { tokenMinutes } from './mailToken';
import type { Registration as Fields, Users } from './user';

export interface Registered {
  user: UserRecord;
  /** `false`: the account was there and waits for its confirmation, whose mail was sent again. */
  made: boolean;
}

export interface Registration {
  /** Throws AUTHENTICATION.NO_REGISTRATION where registration is closed or accounts live elsewhere. */
  mustBeOpen(): void;
  /**
   * Beside what `Users.register` says, with `checkMails`: `active` is false, an address is never told to be taken, a login with an `@`
   * is refused with TYPE.LOGIN_STR (it would tell whether that address is known), and what `AccountMail.requestConfirmation` says is
   * thrown; then there is no account. The same login, address and password once more send the mail again, as long as the account
   * waits; at the same moment they are SERVER.BUSY. `rootUrl`: as there.
   */
  register(
    fields: Omit<Fields, 'active' | 'hideTakenAddress' | 'unconfirmedUntil'>,
    rootUrl?: string,
  ): Promise<Registered>;
}

export function createRegistration(context: {
  users: Users;
  configuration: Configuration;
  accountMail: AccountMail;
  now: () => number;
}): Registration {
  const { users, configuration, accountMail, now } = context;
  /** Registrations whose mail is on its way: the account may still be taken back. */
  const underWay = new Set<string>();

  async function wait(
    fields: Parameters<Registration['register']>[0],
    rootUrl?: string,
  ): Promise<Registered> {
    const unconfirmedUntil =
      now() + tokenMinutes(configuration.get('tokenDuration')) * 60_000 + lifetimes.unconfirmed;
    const waiting = await users.findWaiting(fields);
    const again = waiting && (await users.keepWaiting(waiting._id, unconfirmedUntil));
    const more = { active: false, hideTakenAddress: true, unconfirmedUntil };
    const user = again ?? (await users.register({ ...fields, ...more }));
    try {
      await accountMail.requestConfirmation(user, rootUrl);
    } catch (error) {
      if (!again) await users.remove(user._id, async () => {});
      throw error;
    }
    return { user, made: !again };
  }

  return {
    mustBeOpen() {
      if (configuration.get('authMethod') !== 'internal' || !configuration.get('openRegistration')) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION');
      }
    },

    async register(fields, rootUrl) {
      if (!configuration.get('checkMails')) {
        return { user: await users.register({ ...fields, active: true }), made: true };
      }
      accountMail.mustBeConfigured(rootUrl);
      if (fields.login.includes('@')) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.LOGIN_STR', { field: 'login' });
      }
      const name = JSON.stringify([fields.login.trim(), fields.email]);
      if (underWay.has(name)) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      underWay.add(name);
      try {
        return await wait(fields, rootUrl);
      } finally {
        underWay.delete(name);
      }
    },
  };
}
