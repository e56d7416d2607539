/**
 * What people change about their own account. With `checkMails` another address has to be confirmed first: until the link that is
 * mailed there is followed, the account keeps the old one, and neither the answer nor its time tells whether somebody else has the new.
 */
import { randomBytes } from 'node:crypto';
import type { AccountMail } from './accountMail';
import type { Configuration } from './configuration';
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { AccountChange, Users } from './user';

export interface OwnAccount {
  /** Whether this would have to be confirmed, and so sends a mail. */
  needsConfirmation(user: UserRecord, email: string | undefined): boolean;
  /**
   * As `Users.updateProfile`, but another address becomes `pendingEmail`; the same once more sends the mail again, and the account's
   * own withdraws it. Throws what `AccountMail.requestConfirmation` throws; then nothing has changed. `user` is the account as it was
   * when its owner proved who that is: AUTHENTICATION.PASSWORD_INCORRECT when its password has changed meanwhile. A new password is told
   * to the address that the account had, by mail. `rootUrl` as there.
   */
  change(
    user: UserRecord,
    changes: Omit<AccountChange, 'pendingEmail' | 'active'>,
    context: { keepSession?: string; rootUrl?: string },
  ): Promise<UserRecord>;
}

export function createOwnAccount(context: {
  users: Users;
  configuration: Configuration;
  accountMail: AccountMail;
}): OwnAccount {
  const { users, configuration, accountMail } = context;

  const needsConfirmation: OwnAccount['needsConfirmation'] = (user, email) =>
    email !== undefined && email !== user.email && configuration.get('checkMails');

  return {
    needsConfirmation,

    async change(user, changes, { keepSession, rootUrl }) {
      const { email, ...rest } = changes;
      const sensitive = changes.password !== undefined || (email !== undefined && email !== user.email);
      const proved = JSON.stringify(user.password);
      const check = (current: UserRecord): void => {
        if (!sensitive || JSON.stringify(current.password) === proved) return;
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', {
          field: 'currentPassword',
        });
      };
      const save = async (fields: AccountChange): Promise<UserRecord> => {
        const saved = await users.updateProfile(user._id, fields, { keepSession, check });
        if (typeof fields.password === 'string') accountMail.announcePasswordChange(user, rootUrl);
        return saved;
      };
      if (email === undefined || !needsConfirmation(user, email)) return save(changes);
      users.mustBeUsable({ email, password: rest.password });
      accountMail.mustBeConfigured(rootUrl);
      // Links of the same wish stay good when it is sent again, but not when the password changes.
      const again = user.pendingEmail?.address === email && rest.password === undefined;
      const wanted =
        again && user.pendingEmail
          ? user.pendingEmail
          : { address: email, id: randomBytes(16).toString('hex') };
      await accountMail.requestEmailChange(user, wanted, rootUrl);
      const saved = await save({ ...rest, pendingEmail: wanted });
      if (!again) accountMail.announceEmailChange(user, wanted, rootUrl);
      return saved;
    },
  };
}
