/** Background work of the whole model: unfinished removals, and reading what other processes write. */
import { keys } from '../store/store';
import type { AccessParts } from './accessParts';
import type { AccountParts } from './accountParts';
import type { FolderParts } from './folderParts';
import type { Foundation } from './foundation';
import type { PeopleParts } from './peopleParts';

type Removals = Pick<FolderParts, 'jobs' | 'referenceCleanup'> & Pick<PeopleParts, 'accountRemoval'>;

/** Failed removals are retried at this interval, in milliseconds. */
const retryEvery = 5 * 60_000;

/** Continues unfinished removals of an earlier run. */
export async function resumeRemovals({ jobs, accountRemoval, referenceCleanup }: Removals): Promise<void> {
  await jobs.resume();
  await accountRemoval.resume();
  await referenceCleanup.resume();
}

/** Returns a function that ends it. */
export function retryRemovals(parts: Foundation & Removals): () => void {
  const { jobs, accountRemoval, referenceCleanup, leaderSchedule, log } = parts;
  async function retry(): Promise<void> {
    await jobs.retry();
    await accountRemoval.resume();
    await referenceCleanup.resume();
  }
  return leaderSchedule.every('retry removals', retryEvery, () => {
    retry().catch((error: unknown) =>
      log.warn('resuming unfinished removals failed, retrying later', { error: String(error) }),
    );
  });
}

/** Brings what is in memory up to date with what other processes write. Returns a function that ends it. */
export function followOthers(parts: Foundation & AccessParts & AccountParts & FolderParts): () => void {
  const { configuration, directory, events, exchange, groupContents, log, statistics, store } = parts;
  const { referenceCleanup, sessions, writes } = parts;
  async function readAccessAgain(): Promise<void> {
    groupContents.clear();
    await configuration.refresh();
    events.reportMissed();
  }
  return exchange.follow({
    store,
    events,
    log,
    written(key, value) {
      configuration.receive(key, value);
      directory.recordWritten(key, undefined, value);
      writes.report(key, value);
      if (key === keys.removedIds) referenceCleanup.receive(value);
    },
    counted: statistics.receive,
    signedIn: sessions.receiveSignedIn,
    unavailable: readAccessAgain,
    async missed() {
      directory.refresh().catch((error: unknown) => {
        log.warn('reading all accounts again failed', { error: String(error) });
      });
      statistics.start();
      await readAccessAgain();
    },
  });
}
