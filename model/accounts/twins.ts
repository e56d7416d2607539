/** Accounts of 1.x that exist twice, with the same login and address: which of them the person uses. */
import type { UserRecord } from '../store/entities';
import { comparableAddress } from './accountNames';

/** Whether the owner has signed in to this version: it writes the password anew, or notes who they are at a service. */
const isUsed = ({ password, identities = [] }: UserRecord): number =>
  Number(identities.length > 0 || (typeof password === 'object' && password?.scheme !== undefined));

/** Sorts twins: first one whose owner has signed in, then the one with the most groups, then the oldest. */
function byUse(one: UserRecord, other: UserRecord): number {
  return isUsed(other) - isUsed(one) || other.groups.length - one.groups.length || one.ctime - other.ctime;
}

/**
 * Sorts the first account and its twins: one that was never confirmed comes last. Accounts with another login or
 * address stay behind them, however many groups they have: they may be somebody else's.
 */
export function usedTwinFirst(users: readonly UserRecord[]): UserRecord[] {
  const [first] = users;
  const isTwin = ({ login, email }: UserRecord): boolean =>
    login === first?.login && comparableAddress(email) === comparableAddress(first.email);
  const waits = ({ active, closed }: UserRecord): number => Number(!active && closed !== true);
  const twins = users.filter(isTwin).sort((one, other) => waits(one) - waits(other) || byUse(one, other));
  return [...twins, ...users.filter((user) => !isTwin(user))];
}
