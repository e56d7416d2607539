/** The parts that all others use: records, events, settings, and what other processes write. */
import type { Policy } from '../access/permissions';
import { createEvents } from '../events';
import { createJobs } from '../jobs/jobs';
import type { Jobs } from '../jobs/types';
import { hasOwnPassword } from '../passwords/password';
import type { Coordination, HostSettings, Ports, Schedule } from '../ports';
import { inLeader } from '../schedule';
import { type Configuration, createConfiguration } from '../settings/configuration';
import { testBind } from '../signin/ldap';
import { createOfferedMethods, type OfferedMethods } from '../signin/methods';
import type { Basics } from '../store/basics';
import { type GuardedDatabase, guardDatabase } from '../store/databaseGuard';
import type { UserRecord } from '../store/entities';
import { createStore } from '../store/store';
import { type WriteWatch, watchWrites } from '../store/writeWatch';

type WriteListener = (key: string, before: unknown, after: unknown) => void;

export interface Foundation extends Basics {
  configuration: Configuration;
  /** The ways to sign in that are offered. */
  methods: OfferedMethods<Pick<UserRecord, 'identities' | 'password'>>;
  /** The settings that the permission rules depend on. */
  policy: () => Policy;
  settings: HostSettings;
  database: GuardedDatabase;
  writes: WriteWatch;
  /** Calls the listener after each write of this process. */
  onWritten(listener: WriteListener): void;
  coordination: Coordination;
  /** For background work that one process does for all. */
  leaderSchedule: Schedule;
  jobs: Jobs;
}

/** Rejects when the database fails. */
export async function createFoundation(ports: Ports): Promise<Foundation> {
  const { coordination, log, now, schedule, settings } = ports;
  const writeListeners: WriteListener[] = [];
  const database = guardDatabase(ports.database, {
    log,
    schedule,
    timeLimit: ports.databaseTimeLimit,
    ...(ports.sharesDatabase ? { lock: coordination.lock, writePermit: coordination.writePermit } : {}),
    onWritten: (key, before, after) => {
      for (const listener of writeListeners) listener(key, before, after);
      coordination.recordWritten(key);
    },
  });
  const writes = watchWrites(database);
  const locks = ports.sharesDatabase ? database.guardLocks(coordination) : coordination;
  const store = createStore(writes.database, locks, { checkLocks: ports.checkLocks });
  const events = createEvents({ log, now, publish: (event) => coordination.publish('event', event) });
  const configuration = await createConfiguration({
    store,
    events,
    log,
    presets: () => settings.plugin(),
    probe: async (key, value) => {
      if (key === 'authLdapSettings') await testBind(value, ports.directoryTimeLimit);
    },
  });
  const leaderSchedule = inLeader(schedule, coordination);
  return {
    store,
    events,
    configuration,
    methods: createOfferedMethods({
      read: () => ({
        first: configuration.get('authMethod'),
        all: configuration.get('authMethods'),
        oidc: configuration.get('authOidcSettings'),
      }),
      hasPassword: ({ password }) => hasOwnPassword(password),
    }),
    policy: () => ({
      allPadsPublicsAuthentifiedOnly: configuration.get('allPadsPublicsAuthentifiedOnly'),
      linksBy: configuration.get('linksBy'),
      templatesFolder: configuration.get('templatesFolder'),
      now: now(),
    }),
    settings,
    log,
    now,
    database,
    writes,
    onWritten: (listener) => void writeListeners.push(listener),
    coordination,
    schedule,
    leaderSchedule,
    jobs: createJobs({ store, coordination, schedule, leaderSchedule, log, now }),
  };
}
