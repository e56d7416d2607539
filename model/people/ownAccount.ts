/**
 * Changes of one's own account. With `checkMails`, a new address must be confirmed by a mailed link; until then the old
 * one stays. Neither the answer nor its time tells whether another account has the new address.
 */
import { randomBytes } from 'node:crypto';
import type { AccountChange, Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { Configuration } from '../settings/configuration';
import type { UserRecord } from '../store/entities';
import type { AccountMail } from './accountMail';

export function createOwnAccount(context: {
  users: Users;
  configuration: Configuration;
  accountMail: AccountMail;
}) {
  const { users, configuration, accountMail } = context;

  /** True when this new address must be confirmed, which sends a mail. */
  const needsConfirmation = (user: UserRecord, email: string | undefined): boolean =>
    email !== undefined && email !== user.email && configuration.get('checkMails');

  return {
    needsConfirmation,

    /**
     * As `Users.updateProfile`, but a new address becomes `pendingEmail`. Repeating it sends the mail again; the
     * current address cancels it. Throws as `AccountMail.requestConfirmation`, and AUTHENTICATION.PASSWORD_INCORRECT
     * when the password changed since `user` was read. A new password is reported by mail.
     */
    async change(
      user: UserRecord,
      changes: Omit<AccountChange, 'pendingEmail' | 'active'>,
      { keepSession, place }: { keepSession?: string; place?: string },
    ): Promise<UserRecord> {
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
        if (typeof fields.password === 'string') await accountMail.announcePasswordChange(user, place);
        return saved;
      };
      if (email === undefined || !needsConfirmation(user, email)) return save(changes);
      users.requireUsable({ email, password: rest.password });
      accountMail.mustBeConfigured();
      // If the same address is requested again, earlier links stay valid, unless the password changes.
      const again = user.pendingEmail?.address === email && rest.password === undefined;
      const wanted =
        again && user.pendingEmail
          ? user.pendingEmail
          : { address: email, id: randomBytes(16).toString('hex') };
      await accountMail.requestEmailChange(user, wanted);
      const saved = await save({ ...rest, pendingEmail: wanted });
      if (!again) await accountMail.announceEmailChange(user, wanted, place);
      return saved;
    },
  };
}

export type OwnAccount = ReturnType<typeof createOwnAccount>;
