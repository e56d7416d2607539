/** Addresses of accounts that nobody has confirmed: whoever has registered with them may be somebody else. */
import type { UserRecord } from '../store/entities';
import { comparableAddress } from './accountNames';
import { mailName } from './nameRecords';
import type { UserIndex } from './userIndex';

/** Whether nobody has shown that the address of this account is theirs. */
export const isUnproved = ({
  active,
  addressTaken,
  unconfirmedUntil,
}: Pick<UserRecord, 'active' | 'addressTaken' | 'unconfirmedUntil'>): boolean =>
  addressTaken === true || (unconfirmedUntil !== undefined && !active);

/**
 * Takes the address from an account that has not confirmed it, for somebody who has shown that it is theirs. If they do
 * not take it, the account gets it when it is confirmed.
 */
export function createAddressRelease({
  index,
  update,
}: {
  index: Pick<UserIndex, 'withEmail' | 'removeEntry'>;
  /** As `Users.update`. */
  update(id: string, change: (user: UserRecord) => UserRecord | undefined): Promise<UserRecord | undefined>;
}) {
  return async (address: string): Promise<void> => {
    const has = ({ email }: UserRecord): boolean => comparableAddress(email) === comparableAddress(address);
    for (const { _id, email } of (await index.withEmail(address, true)).filter(isUnproved)) {
      await update(_id, (user) =>
        has(user) && isUnproved(user) ? { ...user, addressTaken: true } : undefined,
      );
      await index.removeEntry(mailName(email), _id);
    }
  };
}
