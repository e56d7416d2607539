/**
 * The product over real HTTP on an embedded ueberDB, without Etherpad. Pads of the editor are kept in the same database under
 * `pad:<id>`, as the editor would.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest, { type Agent } from 'supertest';
import { Database as Ueberdb } from 'ueberdb2';
import { type AppOptions, createApp } from '../../api/app';
import { createLimits } from '../../api/middleware/rateLimit';
import { createModel, type Model } from '../../model/model';
import { createHasher } from '../../model/passwordHasher';
import type {
  Database,
  EditorAuthors,
  EditorPads,
  HostAccounts,
  HostSession,
  HostSettings,
  Log,
  Ports,
} from '../../model/ports';
import { type Document, readDocument } from './document';
import { watchAnswers, watchDatabase } from './leaks';
import { type HostOptions, openHost, overNetwork } from './network';

/** One line of the log, for tests that look at it. */
export interface LogLine {
  level: keyof Log;
  message: string;
  facts: Record<string, unknown>;
}

export interface TestPorts extends Ports {
  /** Moves the clock forward. */
  advance(milliseconds: number): void;
  lines: LogLine[];
  /** The accounts of the host's settings file: `root` (password `rootroot`) administers, `plain` (`plainplain`) does not. */
  accounts: Record<string, { password?: unknown; is_admin?: unknown }>;
  /** The sessions that the host keeps, by the value of their cookie. Over the network the host has its own. */
  hostSessions: Map<string, HostSession>;
}

export interface PortsOptions {
  /** An embedded database in this file; in memory when it is missing. */
  file?: string;
  /** Another database (test/support/databases.ts). */
  connect?: () => Promise<{ database: Database; close(): Promise<void> }>;
  /** Milliseconds that an operation of the database may take. */
  databaseTimeLimit?: number;
  /** The `ep_mypads` block of the host's settings file. */
  plugin?: Record<string, unknown>;
  authors?: EditorAuthors;
  /** Who else knows the host's accounts; nobody when it is missing. */
  hostAccounts?: HostAccounts;
}

/** Wraps an embedded ueberDB in the port; `close` writes what is left. */
async function openDatabase(
  file: string | undefined,
): Promise<{ database: Database; close(): Promise<void> }> {
  const ueberdb =
    file === undefined
      ? new Ueberdb('memory', {}, {})
      : new Ueberdb('dirty', { filename: file }, { writeInterval: 0 });
  await ueberdb.init();
  return {
    database: {
      get: async (key) => ueberdb.get(key),
      set: async (key, value) => ueberdb.set(key, value),
      remove: async (key) => ueberdb.remove(key),
      findKeys: async (pattern, notPattern) => ueberdb.findKeys(pattern, notPattern ?? undefined),
    },
    close: async () => ueberdb.close(),
  };
}

/** The editor's pads, as far as our model knows them. */
function createEditorPads(database: Database, now: () => number): EditorPads {
  const key = (padId: string): string => `pad:${padId}`;
  async function read(
    padId: string,
  ): Promise<{ text: string; edited: number | null; chatHead: number } | undefined> {
    const value = await database.get(key(padId));
    return value === null || value === undefined
      ? undefined
      : (value as { text: string; edited: number | null; chatHead: number });
  }
  return {
    exists: async (padId) => (await read(padId)) !== undefined,
    async create(padId) {
      if (!(await read(padId)))
        await database.set(key(padId), { text: 'Welcome\n', edited: now(), chatHead: -1 });
    },
    remove: (padId) => database.remove(key(padId)),
    removeReadOnlyId: async () => {},
    async emptyChat(padId) {
      const pad = await read(padId);
      if (pad) await database.set(key(padId), { ...pad, chatHead: -1 });
      return (pad?.chatHead ?? -1) + 1;
    },
    removeOldChat: async () => {},
    lastEdited: async (padId) => (await read(padId))?.edited ?? null,
    visitors: () => 0,
  };
}

export async function createTestPorts(
  options: PortsOptions = {},
): Promise<TestPorts & { closeDatabase(): Promise<void> }> {
  const { database, close } = await (options.connect?.() ?? openDatabase(options.file));
  const lines: LogLine[] = [];
  const line =
    (level: keyof Log) =>
    (message: string, facts: Record<string, unknown> = {}): void => {
      lines.push({ level, message, facts });
    };
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const accounts: TestPorts['accounts'] = {
    root: { password: 'rootroot', is_admin: true },
    plain: { password: 'plainplain', is_admin: false },
  };
  const settings: HostSettings = { users: () => accounts, plugin: () => options.plugin ?? {} };
  return {
    database,
    pads: createEditorPads(database, now),
    ...(options.authors ? { authors: options.authors } : {}),
    ...(options.hostAccounts ? { hostAccounts: options.hostAccounts } : {}),
    settings,
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    hasher: createHasher({ rounds: 4, workers: 1 }),
    now,
    checkLocks: true,
    databaseTimeLimit: options.databaseTimeLimit,
    advance(milliseconds) {
      ahead += milliseconds;
    },
    lines,
    accounts,
    hostSessions: new Map(),
    closeDatabase: close,
  };
}

export interface TestApp {
  /** Speaks to the API over HTTP: `app.agent.post('/api/auth/login')`. Keeps no cookies. */
  agent: Agent;
  handler: ReturnType<typeof createApp>;
  model: Model;
  ports: TestPorts;
  /** Signs an account of the settings file in at the host itself, as at its /admin. Returns the `Cookie` header. */
  signInAtHost(login: string): Promise<string>;
  /** Stops the model and closes the database. */
  close(): Promise<void>;
}

export interface StartOptions extends Partial<Omit<AppOptions, 'model' | 'limits'>>, PortsOptions {
  /** Widens the rate limits. */
  limitFactor?: number;
  /** Writes records of an old database before the model starts. */
  prepare?: (database: Database) => Promise<void>;
}

/** The description of the API, once per process: it is the same for every application. */
let document: Promise<Document> | undefined;

/**
 * Every answer of the API is looked through for secrets (leaks.ts) and held against the API's own description (document.ts). Rate
 * limits are widened a thousandfold unless `limitFactor` says otherwise.
 */
export async function startApp(options: StartOptions = {}): Promise<TestApp> {
  if (overNetwork) return startOnHost(options);
  const { closeDatabase, ...ports } = await createTestPorts(options);
  const secrets = watchDatabase(ports.database);
  await options.prepare?.(ports.database);
  const model = await createModel(ports);
  await model.users.ready;
  const app = createApp({
    staticRoot: join(tmpdir(), 'no-such-page'),
    templateRoot: join(tmpdir(), 'no-such-templates'),
    limits: createLimits(options.limitFactor ?? 1_000),
    hostSession: ({ headers }) =>
      ports.hostSessions.get(/\bexpress_sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''),
    ...options,
    model,
  });
  document ??= readDocument(supertest(app));
  const { faultOf } = await document;
  const handler = watchAnswers(app, faultOf, secrets);
  return {
    agent: supertest(handler),
    handler,
    model,
    ports,
    async signInAtHost(login) {
      const id = `sid${ports.hostSessions.size}`;
      ports.hostSessions.set(id, { id, user: { ...ports.accounts[login], username: login } });
      return `express_sid=${id}`;
    },
    async close() {
      await model.close();
      await closeDatabase();
    },
  };
}

/**
 * With the plugin in a real Etherpad. `model` is one of our own on the same database: it reads what the host has written, and the
 * settings that it is given it gives to the host too.
 */
async function startOnHost(options: StartOptions): Promise<TestApp> {
  const hosted: HostOptions = {
    plugin: options.plugin ?? {},
    accounts: {},
    prepare: options.prepare,
    manyAddresses: options.limitFactor === undefined,
  };
  const local = await createTestPorts({ plugin: options.plugin });
  hosted.accounts = local.accounts;
  const { app, database, advance, signIn } = await openHost(hosted);
  await local.closeDatabase();
  const ports: TestPorts = {
    ...local,
    database,
    pads: createEditorPads(database, local.now),
    advance(milliseconds) {
      local.advance(milliseconds);
      advance(milliseconds);
    },
  };
  const model = await createModel(ports);
  await model.users.ready;
  document ??= readDocument(supertest(app));
  const { faultOf } = await document;
  const handler = watchAnswers(app, faultOf);
  const agent = supertest(handler);
  giveSettingsOn(model.configuration, agent);
  const signInAtHost = (login: string) => signIn(login, String(ports.accounts[login]?.password));
  return { agent, handler, model, ports, signInAtHost, close: () => model.close() };
}

/** What a test sets in its own process is set in the host by an administrator. */
function giveSettingsOn(configuration: Model['configuration'], agent: Agent): void {
  let token: string | undefined;
  const { set, remove } = configuration;
  async function administer(method: 'put' | 'delete', key: string, body: object): Promise<void> {
    token ??= (await agent.post('/api/auth/admin/login').send({ login: 'root', password: 'rootroot' })).body
      .token as string;
    const call = agent[method](`/api/configuration/${key}`).set('Authorization', `Bearer ${token}`);
    const { status, text } = await call.send(body);
    if (status !== 200) throw new Error(`setting ${key} in the host: ${status} ${text}`);
  }
  configuration.set = async (key, value) => {
    await set(key, value);
    await administer('put', key, { value });
  };
  configuration.remove = async (key) => {
    await remove(key);
    await administer('delete', key, {});
  };
}

/** A folder of its own for a test; `remove` deletes it with everything in it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'mypads-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
