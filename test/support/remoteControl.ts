/**
 * A small plugin that tests install into a real Etherpad beside ours. It gives access to the database and the settings,
 * injects faults (serverFaults.ts), moves the clock, and restarts our plugin within the process. It needs the secret of
 * the test.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { changePorts } from '../../hooks/lifecycle';
import { core, hostMajor } from '../../host/core';
import type { DomainEvent } from '../../model/events';
import type { Database, Followers, PasswordHasher } from '../../model/ports';
import { leakOf, type Secrets, watchDatabase } from './leaks';
import { createTestSchedule, type TestSchedule } from './schedule';
import { createFaults, type Fault } from './serverFaults';

/** A call of the database, with its parameters. */
export type DatabaseCall =
  | ['get' | 'remove', string]
  | ['set', string, unknown]
  | ['findKeys', string, string | null];

/** An answer of our plugin. `path`: below `/mypads`, without the query. */
export interface GivenAnswer {
  path: string;
  headers: Record<string, unknown>;
  body: string;
}

/** What a test asks for. */
export type Command =
  /** Calls the database; the calls begin in this order. */
  | { do: 'calls'; calls: DatabaseCall[] }
  | { do: 'settings'; settings: Record<string, unknown> }
  | { do: 'clock'; ahead: number }
  | { do: 'fault'; fault: Fault }
  | { do: 'operations' }
  /** Our plugin receives a message as from another process. */
  | { do: 'hear'; event: DomainEvent }
  /** Our plugin learns that a message of another process was lost. */
  | { do: 'missed' }
  /** Runs the hourly work of our plugin now. */
  | { do: 'hourly' }
  /** Runs the work at once that our plugin has planned for some seconds later. */
  | { do: 'hurry' }
  /** Writes a line to the output of the host, after everything that it has printed. */
  | { do: 'mark'; mark: string }
  /** Searches these answers for secrets of the database. Returns the kinds of secrets that they contain. */
  | { do: 'search'; answers: GivenAnswer[] }
  /** Stops our plugin and removes what it has stored. */
  | { do: 'empty' }
  /** `limitFactor`: rate limits are multiplied by it. */
  | { do: 'open'; limitFactor: number }
  | { do: 'close' };

/** The cost of hashes, as low as in the other tests. */
const rounds = 4;

interface HostDatabase extends Database {
  /** Of ueberDB; takes a callback in old versions. `db`: its cache. */
  db?: { flush(done: () => void): unknown; db: Pick<Database, 'get'> };
}

interface Plugin {
  loadSettings(): Promise<void>;
  shutdown(): Promise<void>;
}

const requireHere = createRequire(__filename);
const plugin = (): Plugin => requireHere('ep_mypads/dist/index') as Plugin;

/** By how many milliseconds the clock of our plugin is ahead of the real one. */
let ahead = 0;

/** A thread that hashes takes longer to start than most tests to run: one hasher serves every start of our plugin. */
let commonHasher: PasswordHasher | undefined;
/** By which rate limits are multiplied at the next start of our plugin. */
let limitFactor = 1;
/** The timers of our plugin, since its last start. */
let schedule: TestSchedule | undefined;
/** The models of our plugin that follow other processes. */
const followers = new Set<Followers>();

const { dir } = path.parse(requireHere.resolve('ep_mypads/dist/index'));
const server = requireHere(path.join(dir, 'server.js')) as { changePorts: typeof changePorts };
server.changePorts((ports, { createHasher, createCoordination }) => {
  commonHasher ??= createHasher({ rounds });
  const common = commonHasher;
  schedule = createTestSchedule(ports.schedule);
  const now = () => ports.now() + ahead;
  const coordination = createCoordination({ now });
  return {
    ...ports,
    schedule,
    now,
    coordination: {
      ...coordination,
      rateLimiter(name, { points, seconds }) {
        // Settings of the test are changed by an administrator (onEtherpad.ts).
        const factor = name.startsWith('adminSignIn') ? Math.max(limitFactor, 1) : limitFactor;
        return coordination.rateLimiter(name, { points: points * factor, seconds });
      },
      follow(given) {
        followers.add(given);
        return () => void followers.delete(given);
      },
    },
    hasher: {
      hash: (text) => taken.faults.hasher(common).hash(text),
      compare: (text, hash) => taken.faults.hasher(common).compare(text, hash),
      close: () => ports.hasher.close(),
    },
  };
});

/** Searches through keys read only what was written to disk. */
function flush(database: HostDatabase): Promise<void> {
  return new Promise((done) => {
    const flushed = database.db?.flush(done);
    if (flushed instanceof Promise || database.db === undefined)
      void Promise.resolve(flushed).then(() => done());
  });
}

/** Injects faults into the host's database, and watches what the host reads and writes for secrets. */
function takeDatabase() {
  const database = core<HostDatabase>('node/db/DB');
  const cache = hostMajor() === 1 ? database.db?.db : undefined;
  // From there our plugin reads on 1.8.14.
  if (cache !== undefined) database.get = cache.get.bind(cache);
  const faults = createFaults(database);
  const { get, set, remove, findKeys } = database;
  let watched: Database;
  let secrets: Secrets;
  function forget(): void {
    watched = { get, set, remove, findKeys };
    secrets = watchDatabase(watched);
  }
  forget();
  database.get = async (key) => structuredClone(await watched.get(key));
  if (cache !== undefined) cache.get = (key) => watched.get(key);
  database.set = (key, value) => watched.set(key, value);

  /** For tests: ignores the faults. */
  async function call(one: DatabaseCall): Promise<unknown> {
    switch (one[0]) {
      case 'get':
        return faults.untouched.get(one[1]);
      case 'remove':
        return faults.untouched.remove(one[1]);
      case 'set':
        return faults.untouched.set(one[1], one[2]);
      case 'findKeys':
        await flush(database);
        return faults.untouched.findKeys(one[1], one[2]);
    }
  }

  function search({ path, ...answer }: GivenAnswer): string[] {
    const leak = leakOf(path, answer, secrets);
    return leak === undefined ? [] : [`${path} reveals ${leak}`];
  }
  return { faults, call, forget, search };
}

let taken: ReturnType<typeof takeDatabase>;

/** Is our plugin open? */
let open = true;

function close(): Promise<void> {
  open = false;
  return plugin().shutdown();
}

/** Makes the calls in batches, because some databases are much slower with thousands of calls at once. */
async function all(calls: DatabaseCall[]): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let first = 0; first < calls.length; first += 200) {
    values.push(...(await Promise.all(calls.slice(first, first + 200).map(taken.call))));
  }
  return values;
}

async function empty(): Promise<void> {
  taken.faults.inject({ fault: 'none' });
  await close();
  const left = (await taken.call(['findKeys', 'mypads:*', null])) as string[];
  await all(left.map((key) => ['remove', key]));
  taken.forget();
  ahead = 0;
}

async function obey(command: Command): Promise<unknown> {
  switch (command.do) {
    case 'calls':
      return all(command.calls);
    case 'settings':
      Object.assign(core<object>('node/utils/Settings'), command.settings);
      // Etherpad does the same when it has read its settings file.
      return open ? plugin().loadSettings() : undefined;
    case 'clock':
      ahead = command.ahead;
      return undefined;
    case 'fault':
      return taken.faults.inject(command.fault);
    case 'operations':
      return taken.faults.operations();
    case 'hear':
      for (const one of followers) one.event(command.event);
      return undefined;
    case 'missed':
      for (const one of followers) void one.missed();
      return undefined;
    case 'hourly':
      return schedule?.run('removeUnconfirmedAccounts');
    case 'hurry':
      for (const job of ['padImport', 'removeReferences', 'cleanUpAccounts']) schedule?.run(job);
      return undefined;
    case 'mark':
      return void process.stdout.write(`${command.mark}\n`);
    case 'search':
      return command.answers.flatMap(taken.search);
    case 'empty':
      return empty();
    case 'open':
      open = true;
      limitFactor = command.limitFactor;
      return plugin().loadSettings();
    case 'close':
      return close();
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const secret = process.env.REMOTE_CONTROL;
  if (!secret || request.headers.authorization !== secret) {
    response.writeHead(403).end();
    return;
  }
  try {
    const value = await obey((await json(request)) as Command);
    response.end(JSON.stringify({ value: value ?? null }));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Etherpad's hook. It runs after the database was opened. */
export function expressConfigure(
  _name: string,
  { app }: { app: { post(path: string, handler: Handler): void } },
) {
  taken ??= takeDatabase();
  app.post('/remote-control', (request, response) => void answer(request, response));
}
