/**
 * The ports of the model for tests: an embedded ueberDB, which also holds the pads and authors under the keys that
 * Etherpad uses.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Database as Ueberdb } from 'ueberdb2';
import { createOpenIndex } from '../../host/index/openIndex';
import { FilesOfProcess } from '../../host/ownFiles';
import { createInProcessCoordination } from '../../model/inProcessCoordination';
import { editorLimits } from '../../model/limits';
import { createHasher } from '../../model/passwords/hasher';
import type {
  ChatMessage,
  Database,
  EditorAuthors,
  EditorPads,
  HostAccounts,
  HostFacts,
  HostSession,
  HostSettings,
  ImportFault,
  ImportSource,
  Log,
  PadReader,
  PasswordHasher,
  Ports,
  Processes,
} from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import { createTestSchedule, type TestSchedule } from './schedule';

/** A low cost of hashing, so that tests can have many accounts. */
const hashing = { rounds: 4, workers: 1 };

/** All tests of a process share this hasher, because its thread takes long to start. It is never closed. */
const commonHasher: PasswordHasher = { ...createHasher(hashing), close: async () => {} };

/** Fast and without security, for tests about the order of writes. */
export const plainHasher: PasswordHasher = {
  hash: async (text) => `hash of ${text}`,
  compare: async (text, hash) => hash === `hash of ${text}`,
  close: async () => {},
};

/** All tests of a process share it. */
export const uploadFolder = path.join(tmpdir(), `mypads-uploads-${process.pid}`);
process.on('exit', () => rmSync(uploadFolder, { recursive: true, force: true }));

/** All of a process share one thread, because it takes long to start. */
export const openIndexInMemory = createOpenIndex(undefined);

/** One line of the log, for tests that look at it. */
export interface LogLine {
  level: keyof Log;
  message: string;
  facts: Record<string, unknown>;
}

export interface TestPorts extends Ports {
  schedule: TestSchedule;
  /** Moves the clock forward. */
  advance(milliseconds: number): void;
  lines: LogLine[];
  /** The accounts of settings.json: `root` (password `rootroot`) is an administrator, `plain` (`plainplain`) is not. */
  accounts: Record<string, { password?: unknown; is_admin?: unknown }>;
  /** The sessions that the host keeps, by the value of their cookie. Over the network the host has its own. */
  hostSessions: Map<string, HostSession>;
}

export interface PortsOptions {
  /** An embedded database in this file; in memory when it is missing. */
  file?: string;
  /** Another database (test/support/databases.ts). */
  connect?: () => Promise<{ database: Database; close(): Promise<void> }>;
  /** Milliseconds that an operation of the database, or a check, may take: long, unless that is what is tested. */
  databaseTimeLimit?: number;
  /** Milliseconds that a question waits for the index: long, unless that is what is tested. */
  indexTimeLimit?: number;
  /** Milliseconds that a conversation with the LDAP directory may take: long, unless that is what is tested. */
  directoryTimeLimit?: number;
  /** The `ep_mypads` block of the host's settings file. */
  plugin?: Record<string, unknown>;
  /** The environment of the host. Default: one without problems. */
  hostFacts?: () => HostFacts;
  /** Where exported files are. Default: a folder of its own. */
  exportFolder?: string;
  /** The processes that share the database. Default: only this one. */
  processes?: Processes;
  /** A plugin that knows accounts of the host; missing if there is none. */
  hostAccounts?: HostAccounts;
}

/** The database library of Etherpad 1.8.14 throws at such a record, and Etherpad ends. */
function refuseNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__') || Object.getPrototypeOf(value) === null)
    throw new Error(
      'Etherpad would end: a record has a value named __proto__, or an object without a prototype.',
    );
  for (const one of Object.values(value)) refuseNames(one);
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
      async set(key, value) {
        refuseNames(value);
        await ueberdb.set(key, value);
      },
      remove: async (key) => ueberdb.remove(key),
      findKeys: async (pattern, notPattern) => ueberdb.findKeys(pattern, notPattern ?? undefined),
    },
    close: async () => ueberdb.close(),
  };
}

/** What only a real Etherpad can check is left out. */
function faultOf(source: ImportSource): ImportFault | undefined {
  if (source.format === 'document') return 'invalid';
  if (source.text.length > editorLimits.padText) return 'tooLarge';
  return source.format === 'etherpad' && !source.text.startsWith('{') ? 'invalid' : undefined;
}

/** The editor's pads, as far as our model knows them. */
export function createEditorPads(database: Database, now: () => number): EditorPads {
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
        await database.set(key(padId), { text: 'Welcome\n', edited: null, chatHead: -1 });
    },
    async copy(from, to, texts = {}) {
      const pad = await read(from);
      let text = pad?.text ?? 'Welcome\n';
      for (const [name, value] of Object.entries(texts)) text = text.replaceAll(`{{${name}}}`, value);
      await database.set(key(to), { text, edited: now(), chatHead: -1 });
    },
    convertible: () => [],
    checkImport: async (source) => faultOf(source),
    async import(padId, source) {
      const fault = faultOf(source);
      if (fault !== undefined || source.format === 'document') return fault ?? 'invalid';
      await database.set(key(padId), { text: `${source.text}\n`, edited: now(), chatHead: -1 });
      return undefined;
    },
    remove: (padId) => database.remove(key(padId)),
    removeReadOnlyId: async () => {},
    async emptyChat(padId) {
      const pad = await read(padId);
      if (pad) await database.set(key(padId), { ...pad, chatHead: -1 });
      return (pad?.chatHead ?? -1) + 1;
    },
    async removeOldChat(padId, { count = 0 }) {
      for (let number = 0; number < count; number += 1) await database.remove(`${key(padId)}:chat:${number}`);
    },
    text: async (padId) => (await read(padId))?.text,
    lastEdited: async (padId) => (await read(padId))?.edited ?? null,
    visited: () => new Set(),
  };
}

/** What exports read of the pads above. Authors are in records as Etherpad has them, chats too. */
function createStoredPads(database: Database): PadReader {
  return {
    async read(padId) {
      const pad = (await database.get(`pad:${padId}`)) as
        | { text: string; chatHead: number }
        | null
        | undefined;
      if (!pad) return undefined;
      async function* chat() {
        for (let number = 0; number <= (pad?.chatHead ?? -1); number += 1)
          yield (await database.get(`pad:${padId}:chat:${number}`)) as ChatMessage;
      }
      return {
        text: async () => pad.text,
        html: async (title) => `<!doctype html><title>${title}</title><p>${pad.text}</p>`,
        async *etherpad(withChat) {
          yield JSON.stringify({ [`pad:${padId}`]: { ...pad, ...(withChat ? {} : { chatHead: -1 }) } });
        },
        chat,
      };
    },
    async authorsOf({ ids, tokens }) {
      const named = await Promise.all(tokens.map((token) => database.get(`token2author:${token}`)));
      return [...ids, ...named.filter((id) => typeof id === 'string')];
    },
    async writtenBy(ids) {
      const authors = await Promise.all(ids.map((id) => database.get(`globalAuthor:${id}`)));
      return authors.flatMap((author) => Object.keys((author as { padIDs?: object } | null)?.padIDs ?? {}));
    },
  };
}

/** The editor's authors, as far as our model knows them. */
function createEditorAuthors(database: Database): EditorAuthors {
  return {
    async anonymise({ ids, tokens }) {
      const named = await Promise.all(tokens.map((token) => database.get(`token2author:${token}`)));
      const gone = [...ids, ...named.map(String)];
      for (const id of gone) {
        const author = await database.get(`globalAuthor:${id}`);
        if (author) await database.set(`globalAuthor:${id}`, { ...author, name: null });
      }
      for (const key of await database.findKeys('token2author:*', null)) {
        if (gone.includes(String(await database.get(key)))) await database.remove(key);
      }
    },
  };
}

const goodHost = (): HostFacts => ({
  version: '3.3.20',
  node: '24.0.0',
  plugins: ['ep_etherpad-lite', 'ep_mypads'],
  acceptsTokens: true,
  updatesItself: false,
  database: { type: 'postgres', cache: 10_000 },
});

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
    openIndex: openIndexInMemory,
    uploadFolders: [uploadFolder],
    pads: createEditorPads(database, now),
    padReader: createStoredPads(database),
    exportFiles: new FilesOfProcess(
      options.exportFolder ?? path.join(tmpdir(), `mypads-exports-${randomUUID()}`),
    ),
    authors: createEditorAuthors(database),
    ...(options.hostAccounts ? { hostAccounts: options.hostAccounts } : {}),
    hostFacts: options.hostFacts ?? goodHost,
    processes: options.processes,
    settings,
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    hasher: { ...commonHasher },
    coordination: createInProcessCoordination({ now }),
    schedule: createTestSchedule(createSchedule()),
    now,
    checkLocks: true,
    databaseTimeLimit: options.databaseTimeLimit ?? 120_000,
    directoryTimeLimit: options.directoryTimeLimit ?? 40_000,
    indexTimeLimit: options.indexTimeLimit ?? 60_000,
    advance(milliseconds) {
      ahead += milliseconds;
    },
    lines,
    accounts,
    hostSessions: new Map(),
    closeDatabase: close,
  };
}
