/** Addresses of accounts that nobody has confirmed: whoever has registered with them may be somebody else. */
import type { UserRecord } from '../store/entities';

/** Whether nobody has shown that the address of this account is theirs. */
export const isUnproved = ({
  active,
  addressTaken,
  unconfirmedUntil,
}: Pick<UserRecord, 'active' | 'addressTaken' | 'unconfirmedUntil'>): boolean =>
  addressTaken === true || (unconfirmedUntil !== undefined && !active);
