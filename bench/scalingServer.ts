/** One or several Etherpads on a PostgreSQL of their own, behind nginx, for `scaling`. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import Redis from 'ioredis';
import { databaseServers } from '../test/support/databases';
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { startNginx } from '../test/support/nginx';
import { startRedis } from '../test/support/redisServer';
import { mainThreadTime, processorTime, time } from './measure';
import { type Target, targetAt } from './target';

export interface Setup {
  name: string;
  processes: number;
  /** One process can also run without Redis. */
  withRedis: boolean;
}

/** Processor time so far in milliseconds. */
export interface Spent {
  /** Of each Etherpad's main thread. */
  mainThreads: number[];
  nginx: number;
  redis: number;
  postgres: number;
}

/** What Redis has done so far. Round trips are scripts, which do almost all the work, and the pings of calls. */
interface RedisCounts {
  roundTrips: number;
  events: number;
}

export interface ScalingServer {
  /** The address of nginx. */
  target: Target;
  spent(): Spent;
  redisCounts(): Promise<RedisCounts>;
  /** Milliseconds of some round trips to Redis. */
  redisRoundTrips(): Promise<number[]>;
  stop(): Promise<void>;
}

/** The processor time of all processes with this name, also of those that were running before. */
function timeOf(name: string): number {
  let sum = 0;
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name) sum += processorTime(pid);
    } catch {
      // It has ended.
    }
  }
  return sum;
}

async function countCommands(client: Redis): Promise<RedisCounts> {
  const statistics = await client.info('commandstats');
  const callsOf = (name: string): number =>
    Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(statistics)?.[1] ?? 0);
  return { roundTrips: callsOf('evalsha') + callsOf('ping'), events: callsOf('publish') };
}

/** Starts the servers. `stop` ends all of them. If one does not start, the others are ended. */
export async function startScalingServer({ processes, withRedis }: Setup): Promise<ScalingServer> {
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const database = await databaseServers.find(({ name }) => name === 'PostgreSQL')?.create();
    if (!database) throw new Error('PostgreSQL does not answer here');
    stops.push(() => database.drop());
    const redis = await startRedis();
    stops.push(() => redis.close());
    const client = new Redis(redis.url);
    stops.push(() => client.disconnect());
    const plugin = { rootUrl: 'http://127.0.0.1', ...(withRedis && { coordination: { redis: redis.url } }) };
    const etherpads: RunningEtherpad[] = [];
    for (let number = 0; number < processes; number += 1) {
      const settings = { trustProxy: true, ...database.hostSettings(), ep_mypads: plugin };
      const etherpad = await startEtherpad({ settings, env: { NODE_ENV: 'production' } });
      stops.push(() => etherpad.stop());
      etherpads.push(etherpad);
    }
    const nginx = await startNginx(etherpads.map(({ url }) => url));
    stops.push(() => nginx.stop());
    const [first] = etherpads as [RunningEtherpad];
    return {
      target: targetAt({ ...first, url: nginx.url }),
      spent: () => ({
        mainThreads: etherpads.map((one) => mainThreadTime(one.pid())),
        nginx: timeOf('nginx'),
        redis: timeOf('redis-server'),
        postgres: timeOf('postgres'),
      }),
      redisCounts: () => countCommands(client),
      redisRoundTrips: () => time(500, () => client.ping()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
