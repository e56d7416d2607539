/**
 * Checks of the running server: settings, the servers that it talks to, its environment, its records. Each check has
 * its own time limit, and a failed check does not affect the others.
 */

import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { kinds } from '../doctor/findings';
import type { LiveDoctor } from '../doctor/liveDoctor';
import { type ErrorKey, MyPadsError } from '../errors';
import type { RecordIndex } from '../index/recordIndex';
import type { Mailer } from '../mail/mailer';
import type { DirectorySync } from '../people/directorySync';
import type { HostFacts, Processes } from '../ports';
import { readUnfinished } from '../removal/unfinished';
import type { Configuration } from '../settings/configuration';
import { testCas } from '../signin/cas';
import { readHeaderSettings } from '../signin/headerSettings';
import { testBind } from '../signin/ldap';
import { type OfferedMethods, signInMethods } from '../signin/methods';
import { testOidc } from '../signin/oidc';
import type { Basics } from '../store/basics';
import { databaseTimeLimit, withTimeout } from '../store/databaseGuard';
import { keys } from '../store/store';
import { type Check, type CheckId, checked, unchecked } from './findings';
import { checkDatabase, checkHost, checkNode, checkPlugins } from './hostChecks';

export interface CheckupContext extends Pick<Basics, 'store' | 'log' | 'now'> {
  configuration: Configuration;
  methods: Pick<OfferedMethods<never>, 'names' | 'offers' | 'storePasswords'>;
  mailer: Pick<Mailer, 'check'>;
  directorySync: Pick<DirectorySync, 'state'>;
  liveDoctor: LiveDoctor;
  recordIndex: Pick<RecordIndex, 'compare'>;
  /** Number of accounts, folders and pads. */
  records: () => Promise<number>;
  /** Missing without an Etherpad server. */
  host: (() => HostFacts) | undefined;
  /** Missing if no other process shares the database. */
  processes: Processes | undefined;
  /** Milliseconds for one check. */
  timeLimit?: number;
}

/** Two nights and two hours. */
const twoNights = 50 * 3600_000;
/** How many checks run at the same time. */
const concurrency = 4;

type Run = () => Check | Promise<Check>;

const reasonOf = ({ key, details }: MyPadsError): string => String(details.reason ?? key);

/** The settings that other checks depend on. */
function checkSettings({
  configuration,
  methods,
  mailer,
}: CheckupContext): Pick<Record<CheckId, Run>, 'address' | 'mail'> {
  const has = (key: 'SMTPHost' | 'SMTPEmailFrom' | 'rootUrl'): boolean =>
    (configuration.get(key) ?? '').trim() !== '';
  const needsAddress = () => methods.names().some((name) => signInMethods[name].needsRootUrl);
  const isMailUsed = () => has('SMTPHost') || configuration.get('checkMails');
  return {
    address() {
      const rootUrl = configuration.get('rootUrl');
      if (has('rootUrl')) return checked('address', 'good', { rootUrl });
      return checked('address', isMailUsed() || needsAddress() ? 'needed' : 'notSet');
    },
    async mail() {
      if (!has('SMTPHost') && !has('SMTPEmailFrom')) {
        const missed = configuration.get('checkMails') ? 'needed' : 'off';
        return checked('mail', methods.storePasswords() ? missed : 'unused');
      }
      try {
        const { host, port } = await mailer.check();
        return checked('mail', 'good', { host, port });
      } catch (error) {
        if (!(error instanceof MyPadsError)) throw error;
        const invalid = error.key === 'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED';
        return checked('mail', invalid ? 'invalid' : 'unreachable', {
          host: configuration.get('SMTPHost') ?? '',
          reason: reasonOf(error),
        });
      }
    },
  };
}

/** The services by which people sign in, if they are in use. */
function checkSignIn({
  configuration,
  methods,
}: CheckupContext): Pick<Record<CheckId, Run>, 'ldap' | 'cas' | 'oidc' | 'header'> {
  const tested = async (
    id: 'ldap' | 'cas' | 'oidc',
    test: () => Promise<unknown>,
    failed: (reason: string) => Check,
  ): Promise<Check> => {
    if (!methods.offers(id)) return checked(id, 'unused');
    try {
      await test();
      return checked(id, 'good');
    } catch (error) {
      if (!(error instanceof MyPadsError)) throw error;
      return failed(reasonOf(error));
    }
  };
  const rootUrl = () => configuration.get('rootUrl');
  return {
    ldap: () =>
      tested(
        'ldap',
        () => testBind(configuration.get('authLdapSettings')),
        (reason) => checked('ldap', 'failed', { reason }),
      ),
    cas: () =>
      tested(
        'cas',
        () => testCas(configuration.get('authCasSettings'), rootUrl()),
        (reason) => checked('cas', /SERVICE/.test(reason) ? 'service' : 'failed', { reason }),
      ),
    oidc: () =>
      tested(
        'oidc',
        () => testOidc(configuration.get('authOidcSettings'), rootUrl()),
        (reason) => checked('oidc', 'failed', { reason }),
      ),
    header() {
      if (!methods.offers('header')) return checked('header', 'unused');
      const usable = readHeaderSettings(configuration.get('authHeaderSettings')) !== undefined;
      return checked('header', usable ? 'good' : 'failed');
    },
  };
}

/** The last run over everybody in the directory. */
async function checkSync({ configuration, methods, directorySync, now }: CheckupContext): Promise<Check> {
  const { last, waiting } = methods.offers('ldap') ? await directorySync.state() : {};
  if (last?.error !== undefined) return checked('sync', 'failed', { reason: last.error });
  // In the future: the clock was ahead.
  const isCurrent = (began: number): boolean => began <= now() && now() - began < twoNights;
  if (last && configuration.get('directorySync') && !isCurrent(last.began))
    return checked('sync', 'failed', { reason: `no run since ${new Date(last.began).toISOString()}` });
  if (waiting) return checked('sync', 'waiting', { count: waiting.people });
  return last ? checked('sync', 'good', { people: last.read ?? 0 }) : checked('sync', 'unused');
}

/** Asks the database itself: records that exist may be in the memory of Etherpad. */
async function askDatabase(store: Basics['store'], timeLimit: number): Promise<Check | undefined> {
  try {
    await withTimeout(store.get(keys.conf(randomUUID())), timeLimit);
    return undefined;
  } catch {
    const reason: ErrorKey = 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE';
    return { ...checked('database', unchecked, { reason }), state: 'error' };
  }
}

async function checkProcesses(processes: Processes): Promise<Check> {
  try {
    const [count, pads] = await Promise.all([processes.count(), processes.misroutedPads()]);
    return pads === 0 ? checked('processes', 'good', { count }) : checked('processes', 'misrouted', { pads });
  } catch {
    return checked('processes', 'unavailable');
  }
}

function checkRecords({
  store,
  liveDoctor,
  recordIndex,
  timeLimit = databaseTimeLimit,
}: CheckupContext): Pick<Record<CheckId, Run>, 'removals' | 'damage' | 'index'> {
  return {
    async removals() {
      const { pads, groups, chats, accounts } = await readUnfinished(store);
      const count = pads.length + groups.length + chats.length + accounts.length;
      return count === 0 ? checked('removals', 'good') : checked('removals', 'unfinished', { count });
    },
    async damage() {
      // The search continues in the background.
      const result = await liveDoctor.search(timeLimit / 2);
      if (result.kind === 'searching') return checked('damage', 'searching', { done: result.done });
      if (result.kind === 'tooMany') return checked('damage', 'tooMany', { records: result.records });
      const { findings, repairable, records } = result;
      const names = [...findings].map(([kind, count]) => `${kinds[kind]} (${count})`).join('; ');
      const count = [...findings.values()].reduce((sum, one) => sum + one, 0);
      return count === 0
        ? checked('damage', 'good', { records })
        : checked('damage', repairable ? 'found' : 'undecided', { count, kinds: names });
    },
    async index() {
      // The comparison continues in the background.
      const result = await recordIndex.compare(timeLimit / 2);
      if (result.kind === 'building') return checked('index', 'building');
      if (result.kind === 'comparing') return checked('index', 'comparing', { done: result.done });
      const { records, corrected, inMemory } = result;
      if (corrected > 0) return checked('index', 'corrected', { count: corrected });
      return checked('index', inMemory ? 'memory' : 'good', { records });
    },
  };
}

export function createCheckup(context: CheckupContext) {
  const { host, processes, records, store, log, now, timeLimit = databaseTimeLimit } = context;
  const runs: Partial<Record<CheckId, Run>> = {
    ...checkSettings(context),
    ...checkSignIn(context),
    sync: () => checkSync(context),
    ...(host && {
      host: () => checkHost(host()),
      database: async () =>
        (await askDatabase(store, timeLimit / 2)) ?? checkDatabase(host().database, await records()),
      plugins: () => checkPlugins(host().plugins),
      node: () => checkNode(host().node, now()),
    }),
    ...(processes && { processes: () => checkProcesses(processes) }),
    ...checkRecords(context),
  };

  async function runOne(id: CheckId, run: Run): Promise<Check> {
    try {
      return await withTimeout(Promise.resolve(run()), context.timeLimit);
    } catch (error) {
      log.warn('server check ended without a result', { check: id, error: String(error) });
      return checked(id, unchecked, {
        reason: error instanceof MyPadsError ? error.key : error instanceof Error ? error.message : '',
      });
    }
  }

  async function runAll(): Promise<Check[]> {
    const turns = pLimit(concurrency);
    const entries = Object.entries(runs) as [CheckId, Run][];
    return Promise.all(entries.map(([id, run]) => turns(() => runOne(id, run))));
  }

  let running: Promise<Check[]> | undefined;
  return {
    /** Version of Etherpad; `undefined` without one. */
    hostVersion: (): string | undefined => host?.().version,
    /**
     * Runs all checks that need no browser, in the order of `checkFindings`. Parallel calls share one run. Never
     * throws; a check without a result has the finding `unchecked`.
     */
    run(): Promise<Check[]> {
      running ??= runAll().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
