/** Background work of the whole model: unfinished removals, and reading what other processes write. */
import { SharedRuns } from '../coordination/sharedRuns';
import { UntilDone } from '../coordination/untilDone';
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
export function retryRemovals(parts: Foundation & Removals & Pick<AccessParts, 'formerPads'>): () => void {
  const { jobs, accountRemoval, formerPads, referenceCleanup, leaderSchedule, log } = parts;
  const removals = [() => jobs.retry(), () => accountRemoval.resume(), () => referenceCleanup.resume()];
  async function retry(): Promise<void> {
    // A record that cannot be read stops only the step that needs it.
    for (const resume of removals) {
      await resume().catch((error: unknown) =>
        log.warn('resuming unfinished removals failed, retrying later', { error: String(error) }),
      );
    }
    await formerPads
      .sweep()
      .catch((error: unknown) =>
        log.warn('forgetting pads removed a year ago failed, retrying later', { error: String(error) }),
      );
  }
  return leaderSchedule.every('retry removals', retryEvery, () => void retry());
}

/** Brings what is in memory up to date with what other processes write. Returns a function that ends it. */
export function followOthers(parts: Foundation & AccessParts & AccountParts & FolderParts): () => void {
  const { configuration, directory, events, exchange, groupContents, log, statistics, store } = parts;
  const { referenceCleanup, schedule, sessions, writes } = parts;
  // One at a time: two of them would not notice what is written while they read.
  const readings = new SharedRuns(() => directory.refresh());
  const accounts = new UntilDone({
    name: 'read all accounts again',
    schedule,
    work: () => readings.run(),
    failed: (error) =>
      log.warn('reading all accounts again failed, retrying in 5 s', { error: String(error) }),
  });
  async function readAccessAgain(): Promise<void> {
    groupContents.clear();
    // Open editors are decided again even if the settings cannot be read.
    await configuration.refresh().finally(events.reportMissed);
  }
  const endFollowing = exchange.follow({
    store,
    events,
    log,
    schedule,
    written(key, value) {
      configuration.receive(key, value);
      directory.recordWritten(key, undefined, value);
      writes.report(key, value);
      if (key === keys.removedIds) referenceCleanup.receive(value);
    },
    counted: statistics.receive,
    peopleSignedIn: sessions.receiveSignedIn,
    unavailable: readAccessAgain,
    async missed() {
      void accounts.attempt();
      statistics.start();
      await readAccessAgain();
    },
  });
  return () => {
    endFollowing();
    accounts.end();
  };
}
