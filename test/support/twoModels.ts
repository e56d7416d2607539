/** Two models on one database, as in two processes that share state over a real Redis. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCoordination } from '../../cluster/exchange';
import { FilesOfProcess } from '../../host/ownFiles';
import { createModel, type Model } from '../../model/model';
import type { Database, OwnFiles } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import { createTestPorts } from './app';
import { createRedisNetwork, type RedisMember } from './redisNetwork';
import type { RedisServer } from './redisServer';
import { createTestSchedule, type TestSchedule } from './schedule';
import { createFaults, type Faults } from './serverFaults';

export interface ModelProcess {
  model: Model;
  member: RedisMember;
  schedule: TestSchedule;
  /** Of this process only. */
  faults: Faults;
  exportFiles: OwnFiles;
}

export type TwoModels = Awaited<ReturnType<typeof startTwoModels>>;

/** Call `stop` after each test. */
export async function startTwoModels(redis: RedisServer) {
  const ports = await createTestPorts();
  // Time between a read and the write that follows, as in a database of another process.
  createFaults(ports.database).inject({ fault: 'delay' });
  const network = createRedisNetwork(redis, ports.now);

  /** `databaseTimeLimit`: in milliseconds. `prepare`: called before the model starts. */
  async function start(
    databaseTimeLimit?: number,
    prepare: (faults: Faults) => void = () => {},
  ): Promise<ModelProcess> {
    const member = await network.join();
    const schedule = createTestSchedule(createSchedule());
    const hasher = { ...ports.hasher, close: async () => {} };
    const shared = { coordination: createCoordination(member), sharesDatabase: true } as const;
    const { database: common } = ports;
    const database: Database = {
      get: (key) => common.get(key),
      // As the driver of a real database does.
      set: (key, value) => common.set(key, JSON.parse(JSON.stringify(value))),
      remove: (key) => common.remove(key),
      findKeys: (pattern, not) => common.findKeys(pattern, not),
    };
    const faults = createFaults(database);
    prepare(faults);
    const limit = databaseTimeLimit === undefined ? {} : { databaseTimeLimit };
    // Each has a disk of its own.
    const exportFiles = new FilesOfProcess(join(tmpdir(), `mypads-exports-${randomUUID()}`));
    const own = { database, hasher, schedule, exportFiles };
    const model = await createModel({ ...ports, ...own, ...shared, ...limit });
    return { model, member, schedule, faults, exportFiles };
  }

  const [one, other] = [await start(), await start()];
  for (const { model } of [one, other]) await model.users.ready;

  async function stop(): Promise<void> {
    await one.model.close();
    await other.model.close();
    await network.close();
    await ports.closeDatabase();
  }

  return { ports, network, one, other, start, stop };
}

export const registerIn = ({ model }: Pick<ModelProcess, 'model'>, login: string) =>
  model.users.register({ login, email: `${login}@example.org`, password: 'long enough', active: true });
