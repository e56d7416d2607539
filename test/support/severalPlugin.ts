/**
 * A small plugin that tests of several processes, and of processes that are killed, install beside ours. It shortens
 * what processes wait for and hashes passwords cheaply; it says whether its process does the background work, runs such
 * work now, moves the clock, and lets writes wait. It does nothing unless a test has set its variable.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { sharingTimes } from '../../cluster/sharing';
import type { changePorts } from '../../hooks/lifecycle';
import type { Coordination, Ports } from '../../model/ports';
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
  /**
   * From now on, writes and removals of keys with these beginnings wait too: those of our plugin, and with `host` those
   * of Etherpad. `read:<id>` stands for the reading of a pad for an export or for the search.
   */
  | { do: 'holdWrites'; keys: string[]; host?: true }
  /** The process suspends itself when Etherpad is about to write a record whose key has one of these beginnings. */
  | { do: 'suspendAtWrite'; keys: string[] }
  /** The answer is true if so many writes wait. */
  | { do: 'heldWrites'; count: number }
  /** The answer has the keys whose writes wait. */
  | { do: 'heldKeys' }
  /** The writes that wait go on. With `keys` only those, and later ones do not wait. */
  | { do: 'endWrites'; keys?: string[] }
  /** The writes of keys with this beginning that wait go on. Later ones wait. */
  | { do: 'letPass'; key: string }
  /** Moves the clock of the machine, as this process sees it. */
  | { do: 'wallClock'; ahead: number };

/** JSON in the variable `SEVERAL_PLUGIN`. */
export interface SeveralPluginOptions {
  secret: string;
  times: { [Kind in keyof typeof sharingTimes]?: Partial<(typeof sharingTimes)[Kind]> };
}

/** The cost of hashes, as low as in the other tests. */
const rounds = 4;
/** Milliseconds. A write that waits must not count as failed. */
const databaseTimeLimit = 300_000;

const requireHere = createRequire(__filename);
const options = JSON.parse(process.env.SEVERAL_PLUGIN ?? 'null') as SeveralPluginOptions | null;

interface Waiting {
  key: string;
  go(): void;
}

/** The beginnings of keys whose writes wait, and those that wait. */
const held: { keys: string[]; writes: Waiting[] } = { keys: [], writes: [] };
/** The beginnings of keys at whose next write the process suspends itself. */
let suspending: string[] = [];
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
    const { set, remove } = ports.database;
    ports.database.set = async (key, ...more) => {
      await untilReleased([key]);
      return set(key, ...more);
    };
    ports.database.remove = async (key, ...more) => {
      await untilReleased([key]);
      return remove(key, ...more);
    };
    holdReading(ports);
    schedule = createTestSchedule(ports.schedule);
    const close = async () => void (await Promise.all([hasher.close(), ports.hasher.close()]));
    const now = () => ports.now() + ahead;
    return { ...ports, now, schedule, databaseTimeLimit, hasher: { ...hasher, close } };
  });
}

if (options) changeOurs(options);

async function untilReleased(keys: string[]): Promise<void> {
  if (keys.some((one) => suspending.some((beginning) => one.startsWith(beginning)))) {
    suspending = [];
    process.kill(process.pid, 'SIGSTOP');
  }
  const key = keys.find((one) => held.keys.some((beginning) => one.startsWith(beginning)));
  if (key !== undefined) await new Promise<void>((go) => void held.writes.push({ key, go }));
}

/** Lets the reading of pads wait too. */
function holdReading({ padReader, pads }: Pick<Ports, 'padReader' | 'pads'>): void {
  const read = padReader.read.bind(padReader);
  padReader.read = async (id) => {
    await untilReleased([`read:${id}`]);
    return read(id);
  };
  const text = pads.text.bind(pads);
  pads.text = async (id) => {
    await untilReleased([`read:${id}`]);
    return text(id);
  };
}

function letPass(beginnings: readonly string[]): void {
  const isMeant = ({ key }: Waiting): boolean => beginnings.some((beginning) => key.startsWith(beginning));
  const passing = held.writes.filter(isMeant);
  held.writes = held.writes.filter((one) => !isMeant(one));
  for (const { go } of passing) go();
}

function endWrites(ended = held.keys): void {
  held.keys = held.keys.filter((key) => !ended.includes(key));
  letPass(ended);
}

/** What writes for Etherpad. */
interface Driver {
  set(key: string, value: unknown): Promise<void>;
  doBulk?(operations: { key: string }[]): Promise<void>;
}

let holdsHost = false;

/** Lets writes of Etherpad wait too, or suspend the process. */
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

function obey(command: SeveralCommand): boolean | string[] {
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
      held.keys.push(...command.keys);
      if (command.host) holdHost();
      break;
    case 'suspendAtWrite':
      suspending = command.keys;
      holdHost();
      break;
    case 'endWrites':
      endWrites(command.keys);
      break;
    case 'letPass':
      letPass([command.key]);
      break;
    case 'heldWrites':
      return held.writes.length >= command.count;
    case 'heldKeys':
      return held.writes.map(({ key }) => key);
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
