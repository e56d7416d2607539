/** Several real Etherpads with one database, coordinated over a Redis of their own, behind a real nginx. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EtherpadFolder } from '../../bin/etherpad';
import { findNginx, findRedis } from '../../bin/programs';
import { type DatabaseKind, databaseServers, type FreshDatabase } from './databases';
import {
  type EtherpadOptions,
  type RunningEtherpad,
  removeAsHost,
  request,
  startOneEtherpad,
} from './etherpad';
import { startEtherpadProxy } from './etherpadProxy';
import { readDirty } from './legacy';
import { type RunningProxy, startNginx } from './nginx';
import { type RedisServer, startRedis } from './redisServer';
import type { SeveralCommand, SeveralPluginOptions } from './severalPlugin';
import { type SwitchedProxy, startSwitchedProxy } from './switchedProxy';
import { installTestPlugin } from './testPlugins';
import { succeeds, until } from './waiting';

/** Shorter waiting times of processes, in milliseconds. */
const shortTimes = {
  lease: { expiry: 6_000, renewEvery: 1_000, margin: 1_000 },
  pads: { opening: 2_000, lookEvery: 1_000 },
  routing: { moved: 4_000 },
  people: { tellEvery: 500 },
};
const isShort = process.env.SEVERAL_TIMES !== 'shipped';

/**
 * Milliseconds. `lease`: a process that has ended keeps what it had for so long. `moved`: a pad stays for so long where
 * people have it open, when the proxy sends them elsewhere.
 */
export const severalTimes = {
  lease: isShort ? shortTimes.lease.expiry : 15_000,
  moved: isShort ? shortTimes.routing.moved : 10_000,
};

const plugin = { name: 'ep_test_several', source: 'severalPlugin.ts', hooks: ['expressConfigure'] };
const pluginOptions: SeveralPluginOptions = {
  secret: randomBytes(24).toString('hex'),
  times: isShort ? shortTimes : {},
};
let prepared: Promise<unknown> | undefined;

/** For one Etherpad without Redis: the small plugin of the tests, to which `command` speaks. */
export const withCommands: EtherpadOptions = {
  env: { SEVERAL_PLUGIN: JSON.stringify(pluginOptions) },
  beside: async (folder) => void (await prepareFolder(folder)),
};

/** Prepares the folder once, because all processes run in it. */
function prepareFolder(folder: EtherpadFolder): Promise<unknown> {
  prepared ??= Promise.all([installTestPlugin(folder, plugin), writeKeys(folder)]);
  return prepared;
}

/** Writes the keys that all processes must share. Without these files, each process would create its own keys. */
async function writeKeys({ root }: EtherpadFolder): Promise<void> {
  for (const name of ['SESSIONKEY.txt', 'APIKEY.txt']) {
    await writeFile(path.join(root, name), randomBytes(32).toString('hex'), { flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

async function ask({ url }: RunningEtherpad, wanted: SeveralCommand): Promise<unknown> {
  const answer = await fetch(`${url}/several-plugin`, {
    method: 'POST',
    headers: { authorization: pluginOptions.secret },
    body: JSON.stringify(wanted),
  });
  if (answer.status !== 200) throw new Error(`${wanted.do}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Asks the small plugin of the tests. Returns true if the process does the background work, or its own answer. */
export const command = async (etherpad: RunningEtherpad, wanted: SeveralCommand): Promise<boolean> =>
  (await ask(etherpad, wanted)) as boolean;

/** The keys whose writes wait, after `holdWrites`. */
export const heldKeys = async (etherpad: RunningEtherpad): Promise<string[]> =>
  (await ask(etherpad, { do: 'heldKeys' })) as string[];

/** Waits until a write of a key with this beginning waits. */
export const untilHeld = (etherpad: RunningEtherpad, beginning: string): Promise<void> =>
  until(`${beginning} is about to be written`, async () =>
    (await heldKeys(etherpad)).some((key) => key.startsWith(beginning)),
  );

export const isLeader = (etherpad: RunningEtherpad): Promise<boolean> =>
  command(etherpad, { do: 'isLeader' });

/** Runs the work of these timers now, as far as this process does it. */
export async function runTimers(etherpad: RunningEtherpad, timers: string[]): Promise<void> {
  await command(etherpad, { do: 'run', timers });
}

/** Moves the clock of the plugin forward, until the process ends. */
export async function moveClock(etherpad: RunningEtherpad, milliseconds: number): Promise<void> {
  await command(etherpad, { do: 'clock', ahead: milliseconds });
}

/** From now on the process tells the others nothing. It is killed between writing a setting and telling it. */
export async function tellNothing(etherpad: RunningEtherpad): Promise<void> {
  await command(etherpad, { do: 'tellNothing' });
}

export interface SeveralEtherpads {
  /** At least two. The first one does the background work when all have started. */
  processes: [RunningEtherpad, RunningEtherpad, ...RunningEtherpad[]];
  /** The processes at the address of the proxy, as people reach them. */
  behindProxy: RunningEtherpad & { severalProcesses: true };
  proxy: RunningProxy;
  redis: RedisServer;
  /** The network between each process and Redis, in the same order. */
  redisNetworks: SwitchedProxy[];
  database: FreshDatabase;
  /** The numbers of the processes to which the proxy sent the requests for this path, in their order. */
  processesFor(path: string): number[];
  stop(): Promise<void>;
}

export interface SeveralOptions extends EtherpadOptions {
  count?: number;
  /** Keys that Redis has before they start. */
  redisContent?: Record<string, string>;
  /** They start one after the other. By default at the same time. */
  inOrder?: true;
  /** Default: the one that `SEVERAL_DATABASE` names, or PostgreSQL. */
  kind?: string;
}

export const usualKind = process.env.SEVERAL_DATABASE ?? 'PostgreSQL';

function kindOf(name: string): DatabaseKind {
  const kind = databaseServers.find((one) => one.name === name);
  if (!kind) throw new Error(`${name} does not answer here`);
  return kind;
}

/** nginx, or the etherpad-proxy whose program `ETHERPAD_PROXY` names. */
const startProxy = (targets: string[]): Promise<RunningProxy> =>
  process.env.ETHERPAD_PROXY ? startEtherpadProxy(process.env.ETHERPAD_PROXY, targets) : startNginx(targets);

/** The same Etherpad, reached at another address. */
function at(etherpad: RunningEtherpad, url: string): SeveralEtherpads['behindProxy'] {
  return {
    ...etherpad,
    severalProcesses: true,
    url,
    get: (place, call) => request(`${url}${place}`, call),
    api: (method, place, call) => request(`${url}/mypads/api/${place}`, { ...call, method }),
    removeAsHost: (padId) => removeAsHost(url, etherpad.folder, padId),
  };
}

/** One process, and the network between it and Redis. */
type Member = [etherpad: RunningEtherpad, network: SwitchedProxy];

/** Puts the process that does the background work first. Keeps the order if none of them does it. */
async function leaderFirst(members: Member[]): Promise<Member[]> {
  const leads = await Promise.all(members.map(([etherpad]) => isLeader(etherpad)));
  return members
    .map((member, index) => ({ member, leads: leads[index] }))
    .sort((one, other) => Number(other.leads) - Number(one.leads))
    .map(({ member }) => member);
}

export async function startSeveral(options: SeveralOptions = {}): Promise<SeveralEtherpads> {
  const { count = 2, kind = usualKind, settings, database: file, redisContent, inOrder, ...rest } = options;
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  const fromStart = async <T>(started: Promise<T>, end: (one: T) => unknown): Promise<T> => {
    const one = await started;
    stops.push(() => end(one));
    return one;
  };

  async function startMember(database: FreshDatabase, redis: RedisServer): Promise<Member> {
    const network = await fromStart(startSwitchedProxy({ host: '127.0.0.1', port: redis.port }), (one) =>
      one.stop(),
    );
    const own = (settings?.ep_mypads ?? {}) as object;
    const coordination = { redis: `redis://127.0.0.1:${network.port}/0` };
    const etherpad = startOneEtherpad({
      ...rest,
      env: { ...rest.env, SEVERAL_PLUGIN: JSON.stringify(pluginOptions) },
      async beside(folder) {
        await prepareFolder(folder);
        await rest.beside?.(folder);
      },
      settings: {
        trustProxy: true,
        ...database.hostSettings(),
        ...settings,
        ep_mypads: { rootUrl: 'http://127.0.0.1', ...own, coordination },
      },
    });
    return [await fromStart(etherpad, stopProcess), network];
  }

  try {
    const database = await fromStart(kindOf(kind).create(), (one) => one.drop());
    await fill(database, file);
    const redis = await fromStart(startRedis(), (one) => one.close());
    if (redisContent) await redis.set(redisContent);
    const starting: Promise<Member>[] = [];
    for (let index = 0; index < count; index++) {
      starting.push(startMember(database, redis));
      if (inOrder) await starting[index];
    }
    const outcomes = await Promise.allSettled(starting);
    const failed = outcomes.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const members = await leaderFirst(await Promise.all(starting));
    const processes = members.map(([etherpad]) => etherpad);
    const proxy = await fromStart(startProxy(processes.map(({ url }) => url)), (one) => one.stop());
    const [first] = processes as [RunningEtherpad];
    return {
      processes: processes as SeveralEtherpads['processes'],
      behindProxy: at(first, proxy.url),
      proxy,
      redis,
      redisNetworks: members.map(([, network]) => network),
      database,
      processesFor(path) {
        const sent = new URL(path, proxy.url);
        const lines = proxy.requests().filter((one) => one.includes(` ${sent.pathname}${sent.search} `));
        const hosts = processes.map(({ url }) => new URL(url).host);
        return lines.map((line) => hosts.indexOf(line.split(' ').at(-1) ?? ''));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

let pair: Promise<SeveralEtherpads> | undefined;

/** Two Etherpads as operators run them, which all test files of this mocha process share. They stop at its end. */
export async function sharedPair(): Promise<SeveralEtherpads> {
  pair ??= startSeveral({ env: { NODE_ENV: 'production' } });
  const several = await pair;
  for (const one of several.processes) {
    const isRunning = await succeeds(one.get('/mypads/api/cache/check'));
    if (!isRunning) await one.restart();
  }
  // All files register people from the same address.
  await several.redis.removeKeys('ep_mypads:limit:*');
  return several;
}

// `startEtherpad` may load this file in a hook, when the files of the tests have been loaded.
if ('after' in globalThis) after(async () => (await pair?.catch(() => undefined))?.stop());

/** Creates the table, and stores the records of a file in the `dirty` format. */
async function fill(fresh: FreshDatabase, file: string | undefined): Promise<void> {
  const { database, close } = await fresh.connect();
  if (file) await Promise.all([...readDirty(file)].map(([key, value]) => database.set(key, value)));
  await close();
}

type AsOne = SeveralEtherpads['behindProxy'];

/** The shared pair, while `startEtherpad` gives it to tests that look at one Etherpad. */
let pairAsOne: AsOne | undefined;

/** From now on, `startEtherpad` gives the shared pair as one Etherpad. Returns a function that ends this. */
export async function lookAsOne(): Promise<() => void> {
  const { behindProxy } = await sharedPair();
  pairAsOne = { ...behindProxy, stop: async () => {} };
  return () => {
    pairAsOne = undefined;
  };
}

/** Several Etherpads behind nginx, as one: for the tests of `test/host` that look at one from outside. */
export const startSeveralAsOne = async (options: SeveralOptions): Promise<AsOne> =>
  pairAsOne ?? startOwnAsOne(options);

async function startOwnAsOne(options: SeveralOptions): Promise<AsOne> {
  let output = '';
  const several = await startSeveral({
    ...options,
    printed(text) {
      output += text;
    },
  });
  const { processes, behindProxy, stop } = several;
  const onAll = async (work: (one: RunningEtherpad) => Promise<void>): Promise<void> => {
    await Promise.all(processes.map(work));
  };
  return {
    ...behindProxy,
    log: () => output,
    get databaseFile(): string {
      throw new Error('several processes have no database in a file');
    },
    kill9: () => onAll((one) => one.kill9()),
    halt: () => onAll((one) => one.halt()),
    restart: () => onAll((one) => one.restart()),
    stop,
  };
}

/** Stops a process, also one that is suspended. */
async function stopProcess(etherpad: RunningEtherpad): Promise<void> {
  try {
    process.kill(etherpad.pid(), 'SIGCONT');
  } catch {
    // It has ended.
  }
  await etherpad.stop();
}

/** A program that these tests need and that is missing here; `undefined` if none is. */
export const missingForSeveral: string | undefined = [
  ...(findNginx() ? [] : ['nginx']),
  ...(findRedis() ? [] : ['redis-server']),
  ...(databaseServers.some(({ name }) => name === usualKind) ? [] : [usualKind]),
][0];
