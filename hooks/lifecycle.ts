/**
 * Start and stop. The runtime is created when Etherpad calls `loadSettings`, because Etherpad's database is open then.
 * It survives restarts of Etherpad inside its process, and ends at shutdown. Without a runtime, every pad is closed.
 */
import path from 'node:path';
import { createApp } from '../api/app';
import { metricsFault } from '../api/metrics';
import { sharePeopleInPads } from '../cluster/peopleElsewhere';
import { routingKeyOf } from '../cluster/routingKey';
import { openSharing, type Sharing } from '../cluster/sharing';
import { createAuthors } from '../host/authors';
import { keepReportsInLine } from '../host/clientReports';
import { beforeDatabaseCloses, createDatabase, failWritesAfterClose } from '../host/database';
import { createAccounts, sessionOf } from '../host/etherpadSignIn';
import { readHostFacts } from '../host/facts';
import { deleteFormUploads } from '../host/formUploads';
import { createOpenIndex, removeIndexFiles } from '../host/index/openIndex';
import { createLog } from '../host/log';
import { hostMetrics } from '../host/metrics';
import { cleanRegularly, FilesOfProcess } from '../host/ownFiles';
import type { PadIds } from '../host/padIds';
import { HostPadReader } from '../host/padReader';
import { createPads } from '../host/pads';
import { checkRequirements } from '../host/requirements';
import {
  createSettings,
  exportFolder,
  indexFolder,
  readHostSettings,
  restoreHostSettings,
  uploadFolders,
} from '../host/settings';
import { removeOtherSignalListeners } from '../host/signals';
import { catchHandlerErrors } from '../host/sockets';
import { createInProcessCoordination } from '../model/inProcessCoordination';
import { createModel, type Model } from '../model/model';
import { createHasher } from '../model/passwords/hasher';
import type { Log, Ports } from '../model/ports';
import { createSchedule } from '../model/schedule';
import { withTimeout } from '../model/store/databaseGuard';
import { eraseEverything } from '../model/store/erasure';
import { withinTime } from '../model/timeLimit';
import { waitingCalls } from '../web/callQueue';
import { createMetrics, type Metrics } from '../web/metrics';
import { waitingPasswordCalls } from '../web/passwordQueue';
import { createLimits } from '../web/rateLimit';
import { watchAccessChanges } from './accessChanges';
import { closeEditors } from './editorAccess';
import { waitingHistoryRequests } from './historyRequests';
import { countOpenEditors, peopleInPads } from './openEditors';
import { watchPageChanges } from './pageChanges';
import { currentRuntime, type Runtime, setRuntime } from './runtime';

/** Relative to dist/, where the bundle is. */
const packageRoot = path.resolve(__dirname, '..');

let starting: Promise<void> | undefined;

/** Milliseconds until a failed start is retried; the database may be available again by then. */
const retryAfter = 15_000;
let cancelRetry = (): void => {};

/**
 * Milliseconds that shutdown waits for running work. Etherpad closes its database after that, and exits with an error
 * if both take over 3 s.
 */
const stopLimit = 2_000;
let stopping: Promise<void> = Promise.resolve();
/** The number of shutdowns. A start that finds it changed ends, because a shutdown happened meanwhile. */
let stopCount = 0;

/** Adds a time-out to the look-ups, because Etherpad reads its database for them. */
function withTimeLimit({ isReadOnlyId, ofReadOnlyId, ofSocket, ofUrl }: PadIds): PadIds {
  return {
    isReadOnlyId,
    ofReadOnlyId: (id) => withTimeout(ofReadOnlyId(id)),
    ofSocket: (id) => withTimeout(ofSocket(id)),
    ofUrl: (id) => withTimeout(ofUrl(id)),
  };
}

/** For ports that a test makes itself. */
interface Factories {
  createHasher: typeof createHasher;
  createCoordination: typeof createInProcessCoordination;
}

type PortsChange = (ports: Ports, factories: Factories) => Ports;

let portsChange: PortsChange = (ports) => ports;

/** For tests in a real Etherpad: changes the ports of every later start. */
export function changePorts(change: PortsChange): void {
  portsChange = change;
}

/** Logs it if the value of `ep_mypads.metrics` cannot be used. The metrics are off then. */
function reportMetricsFault(log: Log): void {
  const reason = metricsFault(createSettings().plugin().metrics);
  if (reason) log.error('preset in the settings file invalid, ignored', { key: 'metrics', reason });
}

function provideMetrics(metrics: Metrics, { queues, recordIndex, removals }: Model): void {
  metrics.readFrom({
    openEditors: countOpenEditors,
    queues: () => ({
      ...queues(),
      calls: waitingCalls(),
      passwordCalls: waitingPasswordCalls(),
      historyRequests: waitingHistoryRequests(),
    }),
    removals: () => removals.unfinished(),
    async totals() {
      const { users, groups, pad } = await recordIndex.counts();
      return { accounts: users, folders: groups, pads: pad };
    },
  });
}

/** What one process has for itself, and does not share with others. */
type OwnPorts = Pick<Ports, 'pads' | 'log' | 'hasher' | 'schedule' | 'now'> & {
  authors: ReturnType<typeof createAuthors>;
  settings: ReturnType<typeof createSettings>;
};

function createPorts(given: OwnPorts, sharing: Sharing): Ports {
  const { coordination, database, pads, processes, sharesDatabase } = sharing;
  return portsChange(
    {
      ...given,
      pads,
      database,
      sharesDatabase,
      processes,
      hostFacts: readHostFacts,
      openIndex: createOpenIndex(indexFolder()),
      padReader: new HostPadReader(database),
      exportFiles: new FilesOfProcess(exportFolder()),
      uploadFolders: uploadFolders(),
      hostAccounts: createAccounts(given.settings),
      coordination,
    },
    { createHasher, createCoordination: createInProcessCoordination },
  );
}

interface Parts {
  own: OwnPorts;
  sharing: Sharing;
  ports: Ports;
  model: Model;
  metrics: Metrics;
  padIds: Runtime['padIds'];
}

/** Puts together what the hooks work with. */
function createRuntime({ own, sharing, ports, model, metrics, padIds }: Parts): Runtime {
  const { authors, settings, log } = own;
  const { close: closeSharing, padSharing } = sharing;
  const people = padSharing && sharePeopleInPads({ ...ports, peopleInPads });
  const limits = createLimits(ports.coordination);
  const endCleaning = cleanRegularly(
    { exports: exportFolder(), index: indexFolder() },
    { ...ports, sweepUploads: model.padImports.sweep },
  );
  const trustsProxy = () => settings.trustProxy() || model.configuration.get('trustProxy');
  const app = createApp({
    model,
    limits,
    trustProxy: trustsProxy,
    hostSession: sessionOf,
    peopleInPads: people?.peopleInPads ?? peopleInPads,
    metrics,
    metricsAccess: () => settings.plugin().metrics,
    padOfReadOnlyId: padIds.ofReadOnlyId,
    routingKeyOf,
    staticRoot: path.join(packageRoot, 'static/dist'),
    templateRoot: path.join(packageRoot, 'templates'),
  });
  return {
    model,
    pads: ports.pads,
    padIds,
    padSharing,
    close: () => model.close().finally(endCleaning).finally(people?.close).finally(closeSharing),
    authors,
    log,
    schedule: ports.schedule,
    limits,
    trustsProxy,
    app,
  };
}

async function start(): Promise<void> {
  const stopCountBefore = stopCount;
  const metrics = createMetrics(hostMetrics);
  const log = metrics.withCounters(createLog());
  const hasher = createHasher();
  let sharing: Sharing | undefined;
  // Nothing else keeps the process running yet: not our timers and threads, and with 3.x not a write of the database.
  const keepRunning = setInterval(() => {}, retryAfter);
  try {
    checkRequirements();
    removeOtherSignalListeners();
    deleteFormUploads();
    keepReportsInLine();
    beforeDatabaseCloses(shutdown);
    readHostSettings();
    reportMetricsFault(log);
    const authors = createAuthors();
    const { pads, padIds } = createPads({ authors, log });
    const own: OwnPorts = {
      pads,
      authors,
      settings: createSettings(),
      log,
      hasher,
      schedule: createSchedule(),
      now: Date.now,
    };
    sharing = await openSharing({ ...own, closeEditors });
    const ports = createPorts(own, sharing);
    const model = await createModel(ports);
    const runtime = createRuntime({ own, sharing, ports, model, metrics, padIds: withTimeLimit(padIds) });
    if (stopCount !== stopCountBefore) {
      await runtime.close();
      return;
    }
    setRuntime(runtime);
    watchAccessChanges(runtime);
    watchPageChanges(runtime);
    provideMetrics(metrics, model);
    catchHandlerErrors(log);
    log.info('started');
  } catch (error) {
    log.error('start failed, retrying in 15 s; every pad stays closed', {
      error: error instanceof Error ? error.stack : String(error),
    });
    restoreHostSettings();
    await hasher.close();
    await sharing?.close().catch(() => {});
  } finally {
    clearInterval(keepRunning);
  }
}

/** Etherpad has reloaded its settings file, as it does before a restart inside its process. Applies it at once. */
async function reload({ model, log }: Runtime): Promise<void> {
  try {
    readHostSettings();
    reportMetricsFault(log);
    await model.configuration.reload();
  } catch (error) {
    log.error('settings reload failed', { error: String(error) });
  }
}

/** Etherpad awaits this before it serves requests. Never throws, because 1.8.14 would exit. */
export async function loadSettings(): Promise<void> {
  const runtime = currentRuntime();
  if (runtime) {
    await reload(runtime);
    return;
  }
  const stopCountBefore = stopCount;
  starting ??= start();
  await starting;
  if (currentRuntime() || stopCount !== stopCountBefore) return;
  starting = undefined;
  cancelRetry();
  cancelRetry = createSchedule().later('start again', retryAfter, () => void loadSettings());
}

/** Resolves when the work is done or after `stopLimit`, whichever comes first. */
async function withinStopLimit(work: Promise<void>, log: Log): Promise<void> {
  const late = new Error('work still runs');
  await withinTime(work, stopLimit, () => late).catch((error: unknown) => {
    if (error !== late) throw error;
    log.warn('stopped before running work had finished; the next start resumes it');
  });
}

/** `runtime`: `undefined` if no start has finished since the last stop. Never throws. */
async function stop(runtime: Runtime | undefined): Promise<void> {
  // Our timers and threads do not keep the process running. Without this one, it could end before the database closes.
  const keepRunning = setInterval(() => {}, stopLimit);
  try {
    restoreHostSettings();
    failWritesAfterClose();
    runtime?.limits.close();
    if (runtime) await withinStopLimit(runtime.close(), runtime.log);
  } catch (error) {
    runtime?.log.error('stop failed', { error: String(error) });
  } finally {
    clearInterval(keepRunning);
  }
}

/** Called by Etherpad, and again before its database closes (`beforeDatabaseCloses`). Both calls wait for one stop. */
export function shutdown(): Promise<void> {
  const runtime = currentRuntime();
  stopCount += 1;
  setRuntime(undefined);
  starting = undefined;
  cancelRetry();
  const earlier = stopping;
  stopping = stop(runtime).then(() => earlier);
  return stopping;
}

/**
 * Called when any plugin is uninstalled. Our data is kept for a later installation, unless `removeDataOnUninstall`
 * is true in the block `ep_mypads` of the settings file.
 */
export async function pluginUninstall(_name: string, { pluginName }: { pluginName?: string }): Promise<void> {
  if (pluginName !== 'ep_mypads') return;
  const log = createLog();
  if (createSettings().plugin().removeDataOnUninstall !== true) {
    log.warn('uninstalled, data kept; every pad is now open to everybody who knows its address');
    return;
  }
  try {
    await shutdown();
    const keys = await eraseEverything(createDatabase());
    removeIndexFiles(indexFolder());
    log.warn('uninstalled, data removed; every pad is now open to everybody who knows its address', { keys });
  } catch (error) {
    log.error('uninstalled, removing the data failed', { error: String(error) });
  }
}
