/** The rate limits of attempts at the password of a folder or pad, for the API and for the URL of a pad. */
import type { Guarded } from '../model/access/permissions';
import type { Limits } from './rateLimit';

interface Caller {
  /** As `addressOf` returns it. */
  address: string;
  guarded: Guarded;
  /** Whether the caller has no session. `guest` is then consumed for the session that is started for them. */
  guest: boolean;
}

/**
 * Runs `attempt`, which throws for a wrong password and says in `started` whether it has started a session. Throws
 * PERMISSION.TOO_MANY when there were too many wrong passwords.
 */
export async function attemptPassword<Result extends { started?: unknown }>(
  limits: Limits,
  { address, guarded: { what, id }, guest }: Caller,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const refundGuest = guest ? await limits.consume('guest', address) : undefined;
  let started: unknown;
  try {
    const costs = [
      ['passwordProofAddress', address],
      ['passwordProof', `${address} ${what}:${id}`],
    ] as const;
    const result = await limits.attempt(costs, attempt);
    started = result.started;
    return result;
  } finally {
    if (started === undefined) await refundGuest?.();
  }
}
