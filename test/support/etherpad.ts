/**
 * A real Etherpad with the built plugin, on a free port and with its own database: 1.8.14, or the one that `ETHERPAD`
 * and `ETHERPAD_NODE` name, prepared as `npm start` does.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type EtherpadFolder,
  etherpadSettings,
  prepareBareEtherpad,
  prepareEtherpad,
  removeEtherpad,
  spawnEtherpad,
} from '../../bin/etherpad';
import { freePort } from './freePort';
import { leakOf } from './leaks';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON; otherwise the text. */
  body: unknown;
}

export interface Call {
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  form?: FormData;
  /** For the API, as `Authorization: Bearer`. */
  token?: string;
  /** A `Cookie` header. */
  cookie?: string;
  accept?: string;
}

export interface RunningEtherpad {
  /** Without a slash at the end. */
  url: string;
  /** The major version of Etherpad: 1, 2 or 3. */
  major: number;
  /** There are several processes, and the proxy in front of them is at `url`. */
  severalProcesses?: true;
  admin: { name: string; password: string };
  /** Everything that the server has printed so far. */
  log(): string;
  /** Any address of the host; a redirect is an answer, not followed. */
  get(path: string, call?: Call): Promise<Answer>;
  /** `path` below /mypads/api/. */
  api(method: string, path: string, call?: Call): Promise<Answer>;
  folder: EtherpadFolder;
  settingsFile: string;
  /** The file of its database. */
  databaseFile: string;
  /** The process id of the server. It changes with `restart`. */
  pid(): number;
  /** Removes a pad through Etherpad's own API, without the plugin. Returns whether the pad existed. */
  removeAsHost(padId: string): Promise<boolean>;
  /** Kills it (SIGKILL), as a power cut would. */
  kill9(): Promise<void>;
  /** Stops it and leaves its data. */
  halt(): Promise<void>;
  /** Starts it again with the same data. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

export interface EtherpadOptions {
  /** Settings that replace those of the generated settings.json. */
  settings?: Record<string, unknown>;
  env?: NodeJS.ProcessEnv;
  /** The start resolves when Etherpad answers, even if the plugin cannot start. */
  broken?: boolean;
  /** Without the plugin, to measure what the plugin costs. */
  bare?: boolean;
  /** Changes the folder of Etherpad before it starts, for example installs another plugin. */
  beside?: (folder: EtherpadFolder) => Promise<void>;
  /** A database in the `dirty` format to start with; it is copied. */
  database?: string;
  /** Called with what the server prints. */
  printed?: (text: string) => void;
}

const own = `test-${process.pid}`;

/** Tests hash passwords cheaply, except those that set NODE_OPTIONS. `npm run bench` measures the usual cost. */
const environment: NodeJS.ProcessEnv =
  'after' in globalThis ? { NODE_OPTIONS: `--require ${path.join(__dirname, 'cheapHashes.cjs')}` } : {};

/** Servers that are still running. */
const running = new Set<ChildProcess>();

// A test that times out while its server starts cannot stop it, and mocha would wait for the process.
if ('after' in globalThis) {
  after(() => {
    for (const server of running) server.kill('SIGKILL');
  });
}
let prepared: Promise<EtherpadFolder> | undefined;

/** Builds the plugin, unless `BUILT=1` says that this is done. Loads what it needs only then: that takes a second. */
export async function buildUnlessBuilt(): Promise<void> {
  if (process.env.BUILT) return;
  const { buildAll } = await import('../../bin/build.js');
  await buildAll();
}

async function buildAndInstall(): Promise<EtherpadFolder> {
  await buildUnlessBuilt();
  process.once('exit', () => removeEtherpad(own));
  return prepareEtherpad(own);
}

/** Builds and installs once per process. */
function prepare(): Promise<EtherpadFolder> {
  prepared ??= buildAndInstall();
  return prepared;
}

function prepareBare(): Promise<EtherpadFolder> {
  process.once('exit', () => removeEtherpad(`${own}-bare`));
  return prepareBareEtherpad(`${own}-bare`);
}

/** One call, as a program makes it; a redirect is an answer, not followed. */
export async function request(url: string, call: Call = {}): Promise<Answer> {
  const { method = 'GET', body, form, token, cookie, accept } = call;
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  if (cookie) headers.cookie = cookie;
  if (accept) headers.accept = accept;
  const payload = form ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, { method, headers, body: payload, redirect: 'manual' });
  const text = await response.text();
  const leak = leakOf(new URL(url).pathname.replace(/^(\/\w+)?\/mypads\//i, '/'), {
    headers: { ...Object.fromEntries(response.headers), 'set-cookie': [] },
    body: text,
  });
  if (leak !== undefined) throw new Error(`${method} ${url} ${response.status} reveals ${leak}`);
  const json = response.headers.get('content-type')?.includes('application/json') ?? false;
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Waits for the first answer. Throws with the end of the log when the server ends or is silent for five minutes. */
async function untilReady(
  url: string,
  server: ChildProcess,
  good: (status: number) => boolean,
  log: () => string,
) {
  for (const end = performance.now() + 300_000; performance.now() < end; ) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (good(status)) return;
    await wait(50);
  }
  const ended = `exit code ${server.exitCode}, signal ${server.signalCode}`;
  throw new Error(`Etherpad did not start (${ended}):\n${log().slice(-4000)}`);
}

/** Signs in at Etherpad's administration. Returns the `Cookie` header. Throws when the account is refused. */
export async function signInAtAdmin(
  { url, major }: Pick<RunningEtherpad, 'url' | 'major'>,
  login: string,
  password: string,
): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  const [method, place] = major === 1 ? ['GET', '/admin'] : ['POST', '/admin-auth/'];
  const { status, headers } = await fetch(`${url}${place}`, { method, headers: { authorization } });
  if (status !== 200) throw new Error(`Etherpad's administration does not let ${login} in: ${status}`);
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** With `SEVERAL=2`, two Etherpads behind a proxy, which look like one. */
export async function startEtherpad(options: EtherpadOptions = {}): Promise<RunningEtherpad> {
  const count = Number(process.env.SEVERAL ?? 1);
  if (count === 1 || options.bare || options.broken) return startOneEtherpad(options);
  // Loaded only here, because that file needs this one.
  const { startSeveralAsOne } = await import('./severalEtherpads.js');
  return startSeveralAsOne({ ...options, count });
}

export async function removeAsHost(url: string, folder: EtherpadFolder, padId: string): Promise<boolean> {
  const apikey = readFileSync(path.join(folder.root, 'APIKEY.txt'), 'utf8');
  const query = new URLSearchParams({ apikey, padID: padId });
  const answer = await request(`${url}/api/1.2.1/deletePad?${query}`);
  return (answer.body as { code?: number }).code === 0;
}

export async function startOneEtherpad(options: EtherpadOptions = {}): Promise<RunningEtherpad> {
  const folder = await (options.bare ? prepareBare() : prepare());
  await options.beside?.(folder);
  const data = await mkdtemp(path.join(tmpdir(), 'mypads-host-'));
  const port = await freePort();
  const admin = { name: 'admin', password: 'the administrator of the host' };
  const settings = {
    ...etherpadSettings({ ip: '127.0.0.1', port, data, admin }),
    commitRateLimiting: { duration: 1, points: 100_000 },
    importExportRateLimiting: { windowMs: 90_000, max: 100_000 },
    // 1.8.14 would minify scripts for each server and styles for each visit: 8 s of processor time and more.
    ...(folder.major === 1 && { minify: false }),
    // 2.x and 3.x keep their key in a file, as 1.8.14 does.
    authenticationMethod: 'apikey',
    ...options.settings,
  };
  if (options.database) await copyFile(options.database, path.join(data, 'etherpad.db'));
  const settingsFile = path.join(data, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings));
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  let server: ChildProcess;
  let ending = false;

  async function start(): Promise<void> {
    ending = false;
    server = spawnEtherpad(folder, settingsFile, { stdio: 'pipe', env: { ...environment, ...options.env } });
    const started = server;
    running.add(started);
    started.once('exit', (code) => {
      running.delete(started);
      // Killed at the end of the run, it has no code.
      if (code && !ending)
        console.error(`Etherpad has ended by itself, with code ${code}:\n${output.slice(-2_000)}`);
    });
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        options.printed?.(text);
      });
    }
    const good = options.broken ? (status: number) => status !== 0 : (status: number) => status === 200;
    const first = options.bare ? '/' : '/mypads/api/cache/check';
    await untilReady(`${url}${first}`, server, good, () => output);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    ending = true;
    server.kill(signal);
    await gone;
  }

  const cleanUp = () => {
    if (server?.exitCode === null) server.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  };
  process.once('exit', cleanUp);
  try {
    await start();
  } catch (error) {
    cleanUp();
    throw error;
  }

  return {
    url,
    major: folder.major,
    admin,
    log: () => output,
    get: (place, call) => request(`${url}${place}`, call),
    api: (method, place, call) => request(`${url}/mypads/api/${place}`, { ...call, method }),
    folder,
    settingsFile,
    databaseFile: path.join(data, 'etherpad.db'),
    pid: () => server.pid ?? 0,
    removeAsHost: (padId) => removeAsHost(url, folder, padId),
    kill9: () => end('SIGKILL'),
    halt: () => end('SIGTERM'),
    async restart() {
      await end('SIGTERM');
      await start();
    },
    async stop() {
      // Its data goes too. Otherwise Etherpad would wait seconds for connections that stay open.
      await end('SIGKILL');
      process.off('exit', cleanUp);
      cleanUp();
    },
  };
}
