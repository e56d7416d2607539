/**
 * A small plugin that tests of several processes install beside ours. It shortens what processes wait for and hashes
 * passwords cheaply; it says whether its process does the background work, runs such work now, and moves the clock. It
 * does nothing unless a test has set its variable.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { sharingTimes } from '../../cluster/sharing';
import type { changePorts } from '../../hooks/lifecycle';
import type { Coordination } from '../../model/ports';
import { createTestSchedule, type TestSchedule } from './schedule';

/** What a test asks for. */
export type SeveralCommand =
  | { do: 'isLeader' }
  /** Moves the clock of our plugin forward by so many milliseconds, until the process ends. */
  | { do: 'clock'; ahead: number }
  /** Runs the work of these timers now. */
  | { do: 'run'; timers: string[] }
  /** From now on the process tells the others nothing. It is killed when it should tell that a setting has changed. */
  | { do: 'tellNothing' }
  /** From now on, writes of keys with these beginnings wait: those of our plugin, and with `host` those of Etherpad. */
  | { do: 'holdWrites'; keys: string[]; host?: true }
  /** The answer is true if so many writes wait. */
  | { do: 'heldWrites'; count: number }
  /** The writes that wait go on. */
  | { do: 'endWrites' }
  /** Moves the clock of the machine, as this process sees it. */
  | { do: 'wallClock'; ahead: number };

/** JSON in the variable `SEVERAL_PLUGIN`. */
export interface SeveralPluginOptions {
  secret: string;
  times: { [Kind in keyof typeof sharingTimes]?: Partial<(typeof sharingTimes)[Kind]> };
}

/** The cost of hashes, as low as in the other tests. */
const rounds = 4;

const requireHere = createRequire(__filename);
const options = JSON.parse(process.env.SEVERAL_PLUGIN ?? 'null') as SeveralPluginOptions | null;

/** Writes that wait, and the beginnings of their keys. */
let held: { keys: string[]; writes: (() => void)[] } | undefined;
let coordination: Coordination | undefined;
let schedule: TestSchedule | undefined;
/** By how many milliseconds the clock of our plugin is ahead of the real one. */
let ahead = 0;

function changeOurs({ times }: SeveralPluginOptions): void {
  const { dir } = path.parse(requireHere.resolve('ep_mypads/dist/index'));
  const server = requireHere(path.join(dir, 'server.js')) as {
    changePorts: typeof changePorts;
    sharingTimes: typeof sharingTimes;
  };
  for (const kind of Object.keys(server.sharingTimes) as (keyof typeof sharingTimes)[])
    Object.assign(server.sharingTimes[kind], times[kind]);
  server.changePorts((ports, { createHasher }) => {
    const hasher = createHasher({ rounds });
    coordination = ports.coordination;
    const { set } = ports.database;
    ports.database.set = async (key, ...more) => {
      await untilReleased([key]);
      return set(key, ...more);
    };
    schedule = createTestSchedule(ports.schedule);
    const close = async () => void (await Promise.all([hasher.close(), ports.hasher.close()]));
    const now = () => ports.now() + ahead;
    return { ...ports, now, schedule, hasher: { ...hasher, close } };
  });
}

if (options) changeOurs(options);

async function untilReleased(keys: string[]): Promise<void> {
  const { writes } = held ?? {};
  if (writes && keys.some((key) => held?.keys.some((beginning) => key.startsWith(beginning))))
    await new Promise<void>((resolve) => void writes.push(resolve));
}

/** What writes for Etherpad. */
interface Driver {
  set(key: string, value: unknown): Promise<void>;
  doBulk?(operations: { key: string }[]): Promise<void>;
}

let holdsHost = false;

/** Lets writes of Etherpad wait too. */
function holdHost(): void {
  if (holdsHost) return;
  holdsHost = true;
  const loaded = requireHere('ep_etherpad-lite/node/db/DB');
  const { wrappedDB: driver } = (loaded.default ?? loaded).db.db as { wrappedDB: Driver };
  const { set, doBulk } = driver;
  driver.set = async (key, value) => {
    await untilReleased([key]);
    return set.call(driver, key, value);
  };
  if (!doBulk) return;
  driver.doBulk = async (operations) => {
    await untilReleased(operations.map(({ key }) => key));
    return doBulk.call(driver, operations);
  };
}

const { now: wallClock } = Date;

function obey(command: SeveralCommand): boolean {
  switch (command.do) {
    case 'clock':
      ahead = command.ahead;
      break;
    case 'wallClock':
      Date.now = () => wallClock() + command.ahead;
      break;
    case 'run':
      for (const timer of command.timers) schedule?.run(timer);
      break;
    case 'tellNothing':
      if (coordination) Object.assign(coordination, { publish: () => {}, recordWritten: dieAtSetting });
      break;
    case 'holdWrites':
      held = { keys: command.keys, writes: [] };
      if (command.host) holdHost();
      break;
    case 'endWrites':
      for (const go of held?.writes ?? []) go();
      held = undefined;
      break;
    case 'heldWrites':
      return (held?.writes.length ?? 0) >= command.count;
  }
  return coordination?.isLeader() ?? false;
}

function dieAtSetting(key: string): void {
  if (key.startsWith('mypads:conf:')) process.kill(process.pid, 'SIGKILL');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!options || request.headers.authorization !== options.secret) {
    response.writeHead(403).end();
    return;
  }
  const command = (await json(request)) as SeveralCommand;
  response.end(JSON.stringify(obey(command)));
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Etherpad's hook. */
export function expressConfigure(
  _name: string,
  { app }: { app: { post(path: string, handler: Handler): void } },
) {
  app.post('/several-plugin', (request, response) => void answer(request, response));
}
