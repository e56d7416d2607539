/** Processes that share a real Redis, each through a proxy that tests can cut. */
import type { Shared } from '../../cluster/exchange';
import { createRedisCoordination, type RedisCoordination } from '../../cluster/redis/coordination';
import { readRedisSettings } from '../../cluster/redis/options';
import type { SignsDatabase } from '../../cluster/redis/signsOfLife';
import type { Log } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import type { RedisServer } from './redisServer';
import { startSwitchedProxy } from './switchedProxy';
import { until } from './waiting';

export interface RedisMember extends Shared, Omit<RedisCoordination, keyof Shared> {
  /** Cuts this process off from the others. Resolves when it has noticed. */
  cutOff(): Promise<void>;
  /** Reconnects this process, which has missed messages. */
  comeBack(): Promise<void>;
  /** The process has ended. */
  leave(): Promise<void>;
  /** As `comeBack`, but does not wait until this process has noticed. */
  restore(): Promise<void>;
  /** See `SwitchedProxy`. */
  holdRequests(): () => Promise<void>;
  dropAnswers(): void;
}

export interface JoinOptions {
  /** This process cannot reach the database either. */
  withoutDatabase?: true;
}

export interface RedisNetwork {
  /** The setting `prefix` of its processes. */
  prefix: string;
  join(options?: JoinOptions): Promise<RedisMember>;
  close(): Promise<void>;
}

let networks = 0;
const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** In memory. */
export function createSignsDatabase(): SignsDatabase {
  const values = new Map<string, unknown>();
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    remove: async (key) => void values.delete(key),
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('no database'));
const unreachable: SignsDatabase = { get: refuse, set: refuse, remove: refuse };

/** `now`: milliseconds since 1970. Networks of one server do not see each other. */
export function createRedisNetwork(redis: RedisServer, now: () => number): RedisNetwork {
  networks += 1;
  const prefix = `test${networks}`;
  const ends: (() => Promise<void>)[] = [];
  const database = createSignsDatabase();
  return {
    prefix,
    async join({ withoutDatabase } = {}) {
      const proxy = await startSwitchedProxy({ host: '127.0.0.1', port: redis.port });
      const settings = readRedisSettings({ redis: `redis://127.0.0.1:${proxy.port}`, prefix });
      if (!settings) throw new Error('no settings');
      const coordination = await createRedisCoordination(settings, {
        database: withoutDatabase ? unreachable : database,
        log: silentLog,
        schedule: createSchedule(),
        now,
      });
      let left: Promise<void> | undefined;
      const leave = (): Promise<void> => {
        left ??= coordination.close().then(() => proxy.stop());
        return left;
      };
      ends.push(leave);
      return {
        ...coordination,
        async cutOff() {
          await proxy.cut();
          await until('the cut is noticed', () => !coordination.isConnected());
        },
        restore: () => proxy.restore(),
        holdRequests: () => proxy.holdRequests(),
        dropAnswers: () => proxy.dropAnswers(),
        async comeBack() {
          await proxy.restore();
          await until('the connection is back', () => coordination.isConnected());
        },
        leave,
      };
    },
    async close() {
      await Promise.all(ends.map((end) => end()));
    },
  };
}
