/**
 * The measured server: an Etherpad with the built plugin that is started here, or any server with the API at `BASE`.
 * Uses only calls of ep_mypads 1.x, with the token where 1.x expects it.
 */
import path from 'node:path';
import { temporaryFolder } from '../test/support/app';
import { type EtherpadOptions, type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { type Reply, send } from './http';
import { longTasks, mainThreadTime, once, summarise } from './measure';

export interface Call {
  token?: string | undefined;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

export interface Target {
  /** URL of the Etherpad, without a slash at the end. */
  url: string;
  /** Major version of Etherpad: 1 uses socket.io 2, later ones socket.io 4. */
  major: number;
  /** Process id of the server, if it was started here or is in `SERVER_PID`. */
  pid(): number | undefined;
  /** The server that was started here; undefined with `BASE`. */
  own: RunningEtherpad | undefined;
  /** Makes a call of the API. The answer is not decoded. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
  /** Makes a call and returns the parsed answer. Throws unless the status is 200. */
  ask<Answer>(method: string, path: string, call?: Call): Promise<Answer>;
  /** Signs in as the administrator of Etherpad. Returns the token. */
  signInAdmin(): Promise<string>;
  /**
   * The longest tasks of the server's main thread since the last call, in milliseconds; empty if it was not started
   * here.
   */
  longTasks(): Promise<number[]>;
  close(): Promise<void>;
}

const { BASE, ADMIN_LOGIN = 'admin', ADMIN_PASSWORD = '', SERVER_PID, PLAIN } = process.env;
const base = BASE?.replace(/\/(mypads\/?)?(api\/?)?$/, '');

/** Name of the server in tables and files. */
export const serverName = base ?? process.env.ETHERPAD ?? 'our own Etherpad 1.8.14';

/** Whether the server is that at `BASE`, which was not started here. */
export const foreign = base !== undefined;

/** Sends a request of socket.io 4. Etherpad 1.8, which has an older socket.io, answers in another form. */
async function majorOf(url: string): Promise<number> {
  const { body } = await send(`${url}/socket.io/?EIO=4&transport=polling`);
  return body.toString('utf8').startsWith('0{') ? 2 : 1;
}

function createCall(url: string): Target['call'] {
  return (method, place, { token, body, headers } = {}) => {
    const [query, authorization] = token
      ? [`${place.includes('?') ? '&' : '?'}auth_token=${encodeURIComponent(token)}`, `JWT ${token}`]
      : ['', undefined];
    const inQuery = method === 'GET' || method === 'HEAD';
    return send(`${url}/mypads/api/${place}${inQuery ? query : ''}`, {
      method,
      headers: { ...(authorization && { authorization }), ...headers },
      body: inQuery ? undefined : { ...body, ...(token && { auth_token: token }) },
    });
  };
}

interface Place {
  url: string;
  major: number;
  admin: { name: string; password: string };
}

function createTarget(
  { url, major, admin }: Place,
  rest: Omit<Target, keyof Place | 'call' | 'ask' | 'signInAdmin'>,
): Target {
  const call = createCall(url);
  const ask: Target['ask'] = async (method, place, options) => {
    const { status, body } = await call(method, place, options);
    const text = body.toString('utf8');
    if (status !== 200) throw new Error(`${method} ${place} answers ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  return {
    url,
    major,
    call,
    ask,
    async signInAdmin() {
      const body = { login: admin.name, password: admin.password };
      return (await ask<{ token: string }>('POST', 'auth/admin/login', { body })).token;
    },
    ...rest,
  };
}

/** The server at `BASE`, or else an Etherpad that is started with `options`. Close the target at the end. */
export async function openTarget(options: EtherpadOptions = {}): Promise<Target> {
  if (base !== undefined) {
    return createTarget(
      { url: base, major: await majorOf(base), admin: { name: ADMIN_LOGIN, password: ADMIN_PASSWORD } },
      {
        pid: () => (SERVER_PID ? Number(SERVER_PID) : undefined),
        own: undefined,
        longTasks: async () => [],
        close: async () => undefined,
      },
    );
  }
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'longTasks.json');
  const probe = path.join(__dirname, 'stallProbe.cjs');
  const env = { NODE_OPTIONS: `--require ${probe}`, STALL_FILE: file, ...options.env };
  const own = await startEtherpad({ ...options, env });
  return createTarget(own, {
    pid: () => own.pid(),
    own,
    longTasks: () => longTasks(own.pid(), file),
    async close() {
      await own.stop();
      folder.remove();
    },
  });
}

/** An Etherpad that is started and closed by the caller. */
export function targetAt(own: RunningEtherpad): Target {
  return createTarget(own, {
    pid: () => own.pid(),
    own,
    longTasks: async () => [],
    close: async () => undefined,
  });
}

let bare: Promise<RunningEtherpad> | undefined;

/**
 * The same Etherpad without the plugin, one for the whole run. With `ETHERPAD`, it must start before the plugin is
 * installed in that folder; run.ts ensures that.
 */
export function plainEtherpad(): Promise<RunningEtherpad> {
  bare ??= startEtherpad({ bare: true });
  return bare;
}

export async function stopPlainEtherpad(): Promise<void> {
  await (await bare)?.stop();
  bare = undefined;
}

/**
 * Milliseconds of one visit of a pad's page without the plugin, the unit of the goals. `PLAIN` names another server for
 * it.
 */
export async function visitPage(): Promise<number> {
  const url = PLAIN?.replace(/\/$/, '') ?? (await plainEtherpad()).url;
  return once(async () => {
    const { status } = await send(`${url}/p/bench-page`, { headers: { accept: 'text/html' } });
    if (status !== 200) throw new Error(`the page of a pad without the plugin answers ${status}`);
  });
}

async function pagePid(): Promise<number | undefined> {
  return PLAIN === undefined ? (await plainEtherpad()).pid() : undefined;
}

/** Main thread time of each run in milliseconds; undefined if the process is not known. */
async function mainThreadCost(
  pid: number | undefined,
  count: number,
  work: () => Promise<unknown>,
): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  const before = mainThreadTime(pid);
  for (let run = 0; run < count; run++) await work();
  return (mainThreadTime(pid) - before) / count;
}

export interface MainThread {
  /** Milliseconds for each call. */
  call: number;
  /** The same in visits of a pad's page. */
  pages: number;
}

/**
 * Measures the main thread time of a call, also in visits of a page. It hardly depends on other load of the machine.
 * Undefined if one of the processes is not known.
 */
export async function mainThreadInPages(
  target: Target,
  count: number,
  work: () => Promise<unknown>,
): Promise<MainThread | undefined> {
  const page = await mainThreadCost(await pagePid(), count, visitPage);
  const call = await mainThreadCost(target.pid(), count, work);
  return page === undefined || call === undefined ? undefined : { call, pages: call / page };
}

export interface PageComparison {
  /** Milliseconds. */
  median: number;
  p95: number;
  /** The median, divided by the median of page visits that were made alternately. */
  pages: number;
  /** Milliseconds. */
  page: number;
}

/** Runs `work` `count` times, alternating with visits of a page, so that changes in the machine's speed affect both. */
export async function timeInPages(
  count: number,
  work: () => Promise<unknown>,
  warmUp = 10,
): Promise<PageComparison> {
  const pages: number[] = [];
  const samples: number[] = [];
  for (let run = -warmUp; run < count; run++) {
    const page = await visitPage();
    const sample = await once(work);
    if (run < 0) continue;
    pages.push(page);
    samples.push(sample);
  }
  const { median, p95 } = summarise(samples);
  const page = summarise(pages).median;
  return { median, p95, page, pages: median / page };
}
