/** The parts that all others use: records, events, settings, and what other processes write. */
import type { Policy } from '../access/permissions';
import { MyPadsError } from '../errors';
import { createEvents } from '../events';
import { createJobs } from '../jobs/jobs';
import { hasOwnPassword } from '../passwords/password';
import type { Ports } from '../ports';
import { inLeader } from '../schedule';
import { createConfiguration } from '../settings/configuration';
import { testBind } from '../signin/ldap';
import { createOfferedMethods } from '../signin/methods';
import { guardDatabase } from '../store/databaseGuard';
import type { UserRecord } from '../store/entities';
import { readGroup } from '../store/records';
import { createStore, keys, type Store } from '../store/store';
import { watchWrites } from '../store/writeWatch';

/** Otherwise nobody would be offered a template after a typing error, and nothing would say why. */
async function requireFolder(store: Store, key: string, id: string): Promise<void> {
  if (id === '' || readGroup(id, await store.get(keys.group(id)))) return;
  throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'value', key });
}

/** Rejects when the database fails. */
export async function createFoundation(ports: Ports) {
  const { coordination, log, now, schedule, settings } = ports;
  const database = guardDatabase(ports.database, {
    log,
    schedule,
    timeLimit: ports.databaseTimeLimit,
    ...(ports.sharesDatabase ? { lock: coordination.lock, writePermit: coordination.writePermit } : {}),
    rolledBack: coordination.recordWritten,
  });
  const writes = watchWrites(database, (key) => coordination.recordWritten(key));
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
      if (key === 'templatesFolder') await requireFolder(store, key, String(value));
    },
  });
  const leaderSchedule = inLeader(schedule, coordination);
  return {
    store,
    events,
    configuration,
    /** The ways to sign in that are offered. */
    methods: createOfferedMethods<Pick<UserRecord, 'identities' | 'password'>>({
      read: () => ({
        first: configuration.get('authMethod'),
        all: configuration.get('authMethods'),
        oidc: configuration.get('authOidcSettings'),
      }),
      hasPassword: ({ password }) => hasOwnPassword(password),
    }),
    /** The settings that the permission rules depend on. */
    policy: (): Policy => ({
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
    coordination,
    schedule,
    /** For background work that one process does for all. */
    leaderSchedule,
    jobs: createJobs({ store, coordination, schedule, leaderSchedule, log, now }),
  };
}

export type Foundation = Awaited<ReturnType<typeof createFoundation>>;
