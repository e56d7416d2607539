/** Rate limits for passwords of folders and pads that are sent to the API or in the URL of a pad. */
import type { Guarded } from '../model/access/permissions';
import { runInPasswordQueue } from './passwordQueue';
import type { LimitName, Limits } from './rateLimit';

interface Caller {
  /** As `addressOf` returns it. */
  address: string;
  guarded: Guarded | { what: 'link'; id: string };
  /** A known browser, as `deviceOf` returns it. It has a limit of its own. */
  device: string | undefined;
  /** The caller has no session. A point of the limit `guest` is consumed if the attempt starts one. */
  guest: boolean;
}

/**
 * Runs `attempt`, which throws for a wrong password and returns in `started` the session that it has started, if any.
 * Throws PERMISSION.TOO_MANY after too many wrong passwords.
 */
export function attemptPassword<Result extends { started?: unknown }>(
  limits: Limits,
  { address, guarded: { what, id }, device, guest }: Caller,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const record = `${what}:${id}`;
  const caller = device === undefined ? { keys: [address, record] } : { keys: [device], known: true };
  const costs: [LimitName, string][] =
    device === undefined
      ? [
          ['passwordProofAddress', address],
          ['passwordProof', `${address} ${record}`],
        ]
      : [['passwordProofBrowser', device]];
  return runInPasswordQueue('passwordProof', caller, async () => {
    const refundGuest = guest ? await limits.consume('guest', address) : undefined;
    let started: unknown;
    try {
      const result = await limits.attempt(costs, attempt);
      started = result.started;
      return result;
    } finally {
      if (started === undefined) await refundGuest?.();
    }
  });
}
