/**
 * Builds the whole product from its ports; each part uses the parts before it. It does not depend on HTTP or Etherpad.
 */
import type { Tokens } from './access/token';
import { type AccessParts, createAccessParts } from './composition/accessParts';
import { beginRegularWork, createResuming, followOthers } from './composition/background';
import { createFolderParts, type FolderParts } from './composition/folderParts';
import { createFoundation, type Foundation } from './composition/foundation';
import { createOperationParts, type OperationParts } from './composition/operationParts';
import { createPeopleParts, type PeopleParts } from './composition/peopleParts';
import type { Coordination, PasswordHasher, Ports } from './ports';
import type { DatabaseHealth } from './store/databaseGuard';

type Parts = Foundation & AccessParts & FolderParts & PeopleParts & OperationParts;

/** What the parts only use among themselves is left out. */
export interface Model
  extends Pick<
      Foundation,
      'store' | 'events' | 'configuration' | 'methods' | 'policy' | 'settings' | 'jobs' | 'log' | 'now'
    >,
    Omit<AccessParts, 'tokens'>,
    FolderParts,
    Omit<PeopleParts, 'mailer' | 'mailTokens' | 'invitationSweep' | 'ldap'>,
    Omit<OperationParts, 'liveDoctor'> {
  /** See `Tokens`. */
  authorToken: Tokens['ofAuthor'];
  /** See `Exchange` of model/ports.ts. */
  upToDate: Coordination['upToDate'];
  isUpToDate: Coordination['isUpToDate'];
  /** See `DatabaseHealth`. */
  databaseHealth: DatabaseHealth['health'];
  published: Coordination['published'];
  /** What several processes share for a while: see `Coordination`. */
  coordination: Pick<Coordination, 'keep' | 'take'>;
  /** How much work waits in each queue. */
  queues(): { passwordHashing: number; mail: number; ldap: number };
  /** Stops the background work. Does not close the database. */
  close(): Promise<void>;
}

async function createParts(ports: Ports): Promise<Parts> {
  const foundation = await createFoundation(ports);
  const access = { ...foundation, ...(await createAccessParts(foundation, ports)) };
  const folders = { ...access, ...createFolderParts(access, ports) };
  const people = { ...folders, ...createPeopleParts(folders, ports) };
  return { ...people, ...createOperationParts(people, ports) };
}

/** Rejects with the first failure. The rest is closed all the same. */
async function closeParts(parts: Parts, hasher: PasswordHasher): Promise<void> {
  // Before the connections are closed that jobs use: what is aborted by this has not failed.
  const jobsEnded = parts.jobs.stop();
  parts.liveDoctor.close();
  parts.mailer.close();
  parts.ldap.close();
  // All are stopped before the first is awaited, because Etherpad gives plugins only limited time.
  const ended = await Promise.allSettled([
    parts.users.close(),
    parts.pads.close(),
    parts.editTimes.close(),
    parts.textIndex.close(),
    parts.adminLog.close(),
    jobsEnded,
    hasher.close(),
  ]);
  // Nothing is written any more that the index would have to follow.
  await parts.recordIndex.close();
  await parts.exports.close();
  parts.database.close();
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/**
 * Rejects when the database fails. Accounts of an old database may still be indexed when it resolves: see
 * `users.ready`.
 */
export async function createModel(ports: Ports): Promise<Model> {
  const parts = await createParts(ports);
  beginRegularWork(parts);
  const resuming = createResuming(parts);
  const endFollowing = followOthers(parts);
  const model: Model = {
    ...parts,
    authorToken: parts.tokens.ofAuthor,
    databaseHealth: parts.database.health,
    upToDate: parts.coordination.upToDate,
    isUpToDate: parts.coordination.isUpToDate,
    published: parts.coordination.published,
    queues: () => ({
      passwordHashing: ports.hasher.waiting?.() ?? 0,
      mail: parts.mailer.waiting(),
      ldap: parts.ldap.waiting(),
    }),
    close() {
      endFollowing();
      void resuming.end();
      return closeParts(parts, ports.hasher);
    },
  };
  parts.editTimes.start();
  parts.textIndex.start();
  try {
    // Nothing has followed what other processes have changed since the settings were read.
    if (ports.sharesDatabase) await parts.configuration.refresh();
    await parts.coordination.lead(resuming.resume);
  } catch (error) {
    await model.close();
    throw error;
  }
  return model;
}
