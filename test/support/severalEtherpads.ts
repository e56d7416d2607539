/** Several real Etherpads with one database, coordinated over a Redis of their own, behind a real nginx. */
import { findNginx, findRedis } from '../../bin/programs';
import { type DatabaseKind, databaseServers, type FreshDatabase } from './databases';
import {
  type EtherpadOptions,
  type RunningEtherpad,
  removeAsHost,
  request,
  startOneEtherpad,
} from './etherpad';
import { readDirty } from './legacy';
import { type Nginx, startNginx } from './nginx';
import { type RedisServer, startRedis } from './redisServer';
import { type SwitchedProxy, startSwitchedProxy } from './switchedProxy';

export interface SeveralEtherpads {
  /** At least two. */
  processes: [RunningEtherpad, RunningEtherpad, ...RunningEtherpad[]];
  /** The processes at the address of nginx, as people reach them. */
  behindProxy: RunningEtherpad & { severalProcesses: true };
  nginx: Nginx;
  redis: RedisServer;
  /** The network between each process and Redis. */
  redisNetworks: SwitchedProxy[];
  database: FreshDatabase;
  /** The number of the process to which nginx sent this request last. */
  processOf(path: string): number;
  stop(): Promise<void>;
}

export interface SeveralOptions extends EtherpadOptions {
  count?: number;
  /** Keys that Redis has before they start. */
  redisContent?: Record<string, string>;
  /** Default: the one that `SEVERAL_DATABASE` names, or PostgreSQL. */
  kind?: string;
}

const usualKind = process.env.SEVERAL_DATABASE ?? 'PostgreSQL';

function kindOf(name: string): DatabaseKind {
  const kind = databaseServers.find((one) => one.name === name);
  if (!kind) throw new Error(`${name} does not answer here`);
  return kind;
}

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

export async function startSeveral(options: SeveralOptions = {}): Promise<SeveralEtherpads> {
  const { count = 2, kind = usualKind, settings, database: file, redisContent, ...rest } = options;
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const database = await kindOf(kind).create();
    stops.push(() => database.drop());
    if (file) await fill(database, file);
    const redis = await startRedis();
    stops.push(() => redis.close());
    if (redisContent) await redis.set(redisContent);
    const redisNetworks: SwitchedProxy[] = [];
    const starting: Promise<RunningEtherpad>[] = [];
    for (let index = 0; index < count; index++) {
      const network = await startSwitchedProxy({ host: '127.0.0.1', port: redis.port });
      redisNetworks.push(network);
      stops.push(() => network.stop());
      const plugin = (settings?.ep_mypads ?? {}) as object;
      const coordination = { redis: `redis://127.0.0.1:${network.port}/0` };
      const started = startOneEtherpad({
        ...rest,
        settings: {
          trustProxy: true,
          ...database.hostSettings(),
          ...settings,
          ep_mypads: { rootUrl: 'http://127.0.0.1', ...plugin, coordination },
        },
      });
      starting.push(started);
      // The first one creates the table.
      if (index === 0) await started;
    }
    const outcomes = await Promise.allSettled(starting);
    const processes = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const etherpad of processes) stops.push(() => stopProcess(etherpad));
    const failed = outcomes.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const nginx = await startNginx(processes.map(({ url }) => url));
    stops.push(() => nginx.stop());
    const [first] = processes as [RunningEtherpad];
    return {
      processes: processes as SeveralEtherpads['processes'],
      behindProxy: at(first, nginx.url),
      nginx,
      redis,
      redisNetworks,
      database,
      processOf(path) {
        const sent = new URL(path, nginx.url);
        const line = nginx.requests().findLast((one) => one.includes(` ${sent.pathname}${sent.search} `));
        const address = line?.split(' ').at(-1);
        return processes.findIndex(({ url }) => new URL(url).host === address);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stores the records of a file in the `dirty` format. */
async function fill(fresh: FreshDatabase, file: string): Promise<void> {
  const { database, close } = await fresh.connect();
  await Promise.all([...readDirty(file)].map(([key, value]) => database.set(key, value)));
  await close();
}

/** Several Etherpads behind nginx, as one: for the tests of `test/host` that look at one from outside. */
export async function startSeveralAsOne(options: SeveralOptions): Promise<SeveralEtherpads['behindProxy']> {
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
