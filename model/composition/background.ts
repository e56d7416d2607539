/** Continues jobs after a start, and reads what other processes write. */
import type { DomainEvent } from '../events';
import { keys } from '../store/store';
import { UntilDone } from '../untilDone';
import type { AccessParts } from './accessParts';
import type { FolderParts } from './folderParts';
import type { Foundation } from './foundation';
import type { OperationParts } from './operationParts';
import type { PeopleParts } from './peopleParts';

export function createResuming({
  jobs,
  removals,
  referenceCleanup,
  schedule,
  log,
}: Foundation & Pick<FolderParts, 'removals' | 'referenceCleanup'>) {
  const earlier = new UntilDone({
    name: 'continue removals of an earlier version',
    schedule,
    async work() {
      await removals.continueEarlier();
      await referenceCleanup.rememberNoted();
    },
    failed: (error) =>
      log.warn('continuing removals of an earlier version failed, retrying in 5 s', {
        error: String(error),
      }),
  });
  return {
    /** Continues the jobs of an earlier run, of ended processes and of earlier versions. */
    async resume(): Promise<void> {
      await earlier.attempt();
      await jobs.resume();
    },
    end: (): Promise<void> => earlier.end(),
  };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds until it is next three o'clock where the server is. */
export function untilNight(now: number): number {
  const night = new Date(now).setHours(3, 0, 0, 0);
  // A timer can end a moment early, and the work of that night has begun then.
  return night - now > second ? night - now : new Date(now).setHours(27, 0, 0, 0) - now;
}

/** The last three o'clock. A second earlier, because a run of that night can begin a moment before it. */
export function lastNight(now: number): number {
  const night = new Date(now).setHours(3, 0, 0, 0) - second;
  return night <= now ? night : new Date(now).setHours(-21, 0, 0, 0) - second;
}

/** A process may start after three o'clock, or become the leader then. */
const missedNight = 15 * minute;

/** For `regularly`: some minutes after the start, then at three o'clock each night, and again a little later. */
export function nightlyTimes(now: () => number): () => number {
  let isFirst = true;
  return () => {
    const wait = Math.min(untilNight(now()), untilNight(now() - missedNight));
    const milliseconds = isFirst ? Math.min(wait, 3.5 * minute) : wait;
    isFirst = false;
    return milliseconds;
  };
}

/** What the leader does regularly. The numbers of the day need the people with a session, so these come first. */
export function beginRegularWork(
  parts: Foundation &
    Pick<AccessParts, 'sessions' | 'apiTokens' | 'formerPads'> &
    Pick<PeopleParts, 'mailTokens' | 'unconfirmed' | 'invitationSweep' | 'directorySync' | 'exports'> &
    Pick<FolderParts, 'trash'> &
    Pick<OperationParts, 'dailyNumbers'>,
): void {
  const { jobs, sessions, apiTokens, formerPads, mailTokens, unconfirmed, dailyNumbers, invitationSweep } =
    parts;
  const { directorySync, exports, now, trash } = parts;
  jobs.regularly('endExpiredSessions', { first: minute, every: day }, ({ signal }) => sessions.sweep(signal));
  jobs.regularly('endExpiredTokens', { first: 2.5 * minute, every: day }, ({ signal }) =>
    apiTokens.sweep(signal),
  );
  jobs.regularly('removeExpiredLinks', { first: minute, every: hour }, ({ signal }) =>
    mailTokens.sweep(signal),
  );
  jobs.regularly('removeUnconfirmedAccounts', { first: 1.5 * minute, every: hour }, ({ signal }) =>
    unconfirmed.sweep(signal),
  );
  jobs.regularly('endInvitations', { first: 3 * minute, every: hour }, ({ signal }) =>
    invitationSweep.run(signal),
  );
  jobs.regularly('beginDirectorySync', nightlyTimes(now), () => directorySync.nightly(lastNight(now())));
  jobs.regularly('emptyTrash', { first: 4 * minute, every: hour }, ({ signal }) => trash.sweep(signal));
  jobs.regularly('removeExports', { first: 4.5 * minute, every: hour }, ({ signal }) =>
    exports.sweep(signal),
  );
  jobs.regularly('storeNumbersOfTheDay', { first: 2 * minute, every: hour }, () => dailyNumbers.record());
  jobs.regularly('forgetRemovedPads', { first: 5 * minute, every: hour }, () => formerPads.sweep());
}

/** Brings what is in memory up to date with what other processes write. Returns a function that ends it. */
export function followOthers(parts: Foundation & AccessParts & FolderParts): () => void {
  const { configuration, coordination, events, groupContents, log, recordIndex, store } = parts;
  const { referenceCleanup, schedule, sessions, writes } = parts;
  async function readAccessAgain(): Promise<void> {
    groupContents.clear();
    // Open editors are decided again even if the settings cannot be read.
    await configuration.refresh().finally(events.reportMissed);
  }
  return coordination.follow({
    read: store.getMany,
    log,
    schedule,
    written(key, value) {
      configuration.receive(key, value);
      writes.report(key, value);
      if (key === keys.jobs) referenceCleanup.receive(value);
    },
    event: (event) => events.receive(event as DomainEvent),
    peopleSignedIn: sessions.receiveSignedIn,
    unavailable: readAccessAgain,
    async missed() {
      void recordIndex.refresh();
      await readAccessAgain();
    },
  });
}
