/**
 * Metrics for Prometheus. Events are counted where they are logged, so that the log and the numbers agree. Labels have
 * few values: never names, ids or addresses.
 */
import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from '../model/ports';

/** Open editors of one kind. */
export interface OpenEditors {
  who: 'person' | 'guest';
  mode: 'read' | 'write';
  count: number;
}

/** Values that are read for each answer. */
export interface MetricSources {
  openEditors(): readonly OpenEditors[];
  /** The number of waiting tasks in each queue, by the name of the queue. */
  queues(): Readonly<Record<string, number>>;
  /** Unfinished removals by kind. Rejects if the database does not work. */
  removals(): Promise<Readonly<Record<string, number>>>;
  /** Rejects while they are not known yet. */
  totals(): Promise<Readonly<Record<'accounts' | 'folders' | 'pads', number>>>;
}

const registers = (register: Registry) => ({ registers: [register] });

/** The counters that a line of the log increases. */
function createCounters(register: Registry) {
  const lines = new Counter({
    name: 'mypads_log_lines_total',
    help: 'Lines in the log, by level and message. docs/log-lines.md says what each message means.',
    labelNames: ['level', 'message'],
    ...registers(register),
  });
  const signIns = new Counter({
    name: 'mypads_sign_ins_total',
    help: 'Sign-ins of people and server administrators.',
    labelNames: ['who', 'result'],
    ...registers(register),
  });
  const refusals = new Counter({
    name: 'mypads_refusals_total',
    help: 'Refused API calls and refused visits of pads, by error key.',
    labelNames: ['what', 'reason'],
    ...registers(register),
  });

  return (level: keyof Log, message: string, facts: Record<string, unknown>): void => {
    lines.inc({ level, message });
    const reason = String(facts.reason ?? '');
    if (message === 'signed in') signIns.inc({ who: 'person', result: 'success' });
    if (message === 'administrator signed in') signIns.inc({ who: 'administrator', result: 'success' });
    if (message === 'sign-in refused') {
      signIns.inc({ who: 'administrator' in facts ? 'administrator' : 'person', result: 'refused' });
    }
    if (message === 'call refused') refusals.inc({ what: 'call', reason });
    if (message === 'pad access refused') refusals.inc({ what: 'pad', reason });
  };
}

function createTimer(register: Registry): RequestHandler {
  const durations = new Histogram({
    name: 'mypads_call_duration_seconds',
    help: 'How long calls of the API take, by resource and status.',
    labelNames: ['method', 'resource', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    ...registers(register),
  });
  return (request, response, next) => {
    const begin = performance.now();
    response.once('finish', () => {
      // Unknown paths have no route: they share one name.
      const [, resource = 'unknown'] = String(request.route?.path ?? '').split('/');
      const labels = { method: request.method, resource, status: String(response.statusCode) };
      durations.observe(labels, (performance.now() - begin) / 1000);
    });
    next();
  };
}

/** Leaves out numbers that cannot be read, because monitoring must work while the database does not. */
const orEmpty = (values: Promise<Readonly<Record<string, number>>>): Promise<Record<string, number>> =>
  values.catch(() => ({}));

/** Gauges that are set from their sources for each answer. */
function createGauges(register: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, ...registers(register) });
  const editors = gauge('mypads_open_editors', 'Open editors of pads in folders.', ['who', 'mode']);
  const queues = gauge('mypads_queue_length', 'Waiting tasks, by queue.', ['queue']);
  const removals = gauge('mypads_unfinished_removals', 'Removals in progress, by kind.', ['kind']);
  const totals = {
    accounts: gauge('mypads_accounts', 'Accounts.'),
    folders: gauge('mypads_folders', 'Folders.'),
    pads: gauge('mypads_pads', 'Pads of folders.'),
  };

  return async (sources: MetricSources): Promise<void> => {
    editors.reset();
    for (const { who, mode, count } of sources.openEditors()) editors.inc({ who, mode }, count);
    for (const [queue, length] of Object.entries(sources.queues())) queues.set({ queue }, length);
    const [unfinished, known] = await Promise.all([orEmpty(sources.removals()), orEmpty(sources.totals())]);
    removals.reset();
    for (const [kind, count] of Object.entries(unfinished)) removals.set({ kind }, count);
    for (const [name, one] of Object.entries(totals)) {
      const total = known[name];
      if (total === undefined) one.remove();
      else one.set(total);
    }
  };
}

/**
 * `hostMetrics`: the metrics of Etherpad as text, which contain those of the process (memory, event loop); `undefined`
 * if this Etherpad has none. Those of the process are measured here then.
 */
export function createMetrics(hostMetrics: () => Promise<string | undefined>) {
  const register = new Registry();
  const count = createCounters(register);
  /** Middleware that measures how long calls of the API take. */
  const timeCalls = createTimer(register);
  const update = createGauges(register);
  let sources: MetricSources | undefined;
  let ofProcess: Registry | undefined;

  /** Measuring the event loop begins with the first call, so that servers without monitoring do not measure it. */
  function processMetrics(): Promise<string> {
    if (ofProcess === undefined) {
      ofProcess = new Registry();
      collectDefaultMetrics({ register: ofProcess });
    }
    return ofProcess.metrics();
  }

  return {
    /** The same log, but each of its lines is counted. */
    withCounters(log: Log): Log {
      const counted =
        (level: keyof Log) =>
        (message: string, facts: Record<string, unknown> = {}): void => {
          count(level, message, facts);
          log[level](message, ...(Object.keys(facts).length > 0 ? [facts] : []));
        };
      return {
        debug: counted('debug'),
        info: counted('info'),
        warn: counted('warn'),
        error: counted('error'),
      };
    },
    timeCalls,
    /** Sets where the current values are read. */
    readFrom(given: MetricSources): void {
      sources = given;
    },
    /** All metrics in the text format of Prometheus, after those of Etherpad if it has any. */
    async text(): Promise<string> {
      const host = (await hostMetrics()) ?? (await processMetrics());
      if (sources !== undefined) await update(sources);
      return `${host.trimEnd()}\n${await register.metrics()}`;
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
