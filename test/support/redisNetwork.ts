/** Processes that share a real Redis, each through a proxy that tests can cut. */
import { createRedisCoordination, type RedisCoordination } from '../../host/redis/coordination';
import { readRedisSettings } from '../../host/redis/options';
import type { Log } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import type { Member, Network } from './processes';
import type { RedisServer } from './redisServer';
import { startSwitchedProxy } from './switchedProxy';
import { until } from './waiting';

export interface RedisMember extends Member, Omit<RedisCoordination, keyof Member> {
  /** As `comeBack`, but does not wait until this process has noticed. */
  restore(): Promise<void>;
}

export interface RedisNetwork extends Network {
  /** The setting `prefix` of its processes. */
  prefix: string;
  join(): Promise<RedisMember>;
}

let networks = 0;
const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `now`: milliseconds since 1970. Networks of one server do not see each other. */
export function createRedisNetwork(redis: RedisServer, now: () => number): RedisNetwork {
  networks += 1;
  const prefix = `test${networks}`;
  const ends: (() => Promise<void>)[] = [];
  return {
    prefix,
    async join() {
      const proxy = await startSwitchedProxy({ host: '127.0.0.1', port: redis.port });
      const settings = readRedisSettings({ redis: `redis://127.0.0.1:${proxy.port}`, prefix });
      if (!settings) throw new Error('no settings');
      const coordination = await createRedisCoordination(settings, {
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
