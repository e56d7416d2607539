/** The measured server: an Etherpad with the built plugin, which is started here. */
import { temporaryFolder } from '../test/support/app';
import { type EtherpadOptions, type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { type Reply, send } from './http';
import { createProbe, mainThreadTime, once, type ProbeValues, summarise } from './measure';

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
  own: RunningEtherpad;
  /** Makes a call of the API. The answer is not decoded. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
  /** Makes a call and returns the parsed answer. Throws unless the status is 200. */
  ask<Answer>(method: string, path: string, call?: Call): Promise<Answer>;
  /** Signs in as the administrator of Etherpad. Returns the token. */
  signInAdmin(): Promise<string>;
  /** What the probe in the server has measured since the last call. `SIGWINCH`: collects garbage before. */
  probe(signal?: 'SIGWINCH'): Promise<ProbeValues>;
  /** Milliseconds of the longest work in one go of the server's main thread since the last call. */
  longestTask(): Promise<number>;
  close(): Promise<void>;
}

/** Name of the server in tables and files. */
export const serverName = process.env.ETHERPAD ?? 'our own Etherpad 1.8.14';

function createTarget(own: RunningEtherpad, { probe, close }: Pick<Target, 'probe' | 'close'>): Target {
  const { url, major, admin } = own;
  const call: Target['call'] = (method, place, { token, body, headers } = {}) =>
    send(`${url}/mypads/api/${place}`, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: method === 'GET' || method === 'HEAD' ? undefined : { ...body },
    });
  const ask: Target['ask'] = async (method, place, options) => {
    const { status, body } = await call(method, place, options);
    const text = body.toString('utf8');
    if (status !== 200) throw new Error(`${method} ${place} answers ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  return {
    url,
    major,
    own,
    call,
    ask,
    async signInAdmin() {
      const body = { login: admin.name, password: admin.password };
      return (await ask<{ token: string }>('POST', 'auth/admin/login', { body })).token;
    },
    probe,
    longestTask: async () => (await probe()).work.max,
    close,
  };
}

/** Starts an Etherpad. Close the target at the end. */
export async function openTarget(options: EtherpadOptions = {}): Promise<Target> {
  const folder = temporaryFolder();
  const probe = createProbe(folder.path);
  const own = await startEtherpad({ ...options, env: { ...probe.env, ...options.env } });
  return createTarget(own, {
    probe: (signal) => probe.ask(own.pid(), signal),
    async close() {
      await own.stop();
      folder.remove();
    },
  });
}

/** An Etherpad that is started and closed by the caller, without a probe. */
export const targetAt = (own: RunningEtherpad): Target =>
  createTarget(own, {
    probe: () => Promise.reject(new Error('this server has no probe')),
    close: async () => undefined,
  });

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

/** Milliseconds of one visit of a pad's page without the plugin, the unit of the goals. */
export async function visitPage(): Promise<number> {
  const { url } = await plainEtherpad();
  return once(async () => {
    const { status } = await send(`${url}/p/bench-page`, { headers: { accept: 'text/html' } });
    if (status !== 200) throw new Error(`the page of a pad without the plugin answers ${status}`);
  });
}

/** Main thread time of each run in milliseconds. */
async function mainThreadCost(pid: number, count: number, work: () => Promise<unknown>): Promise<number> {
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

/** The main thread time of a call, also in visits of a page. It hardly depends on other load of the machine. */
export async function mainThreadInPages(
  target: Target,
  count: number,
  work: () => Promise<unknown>,
): Promise<MainThread> {
  const page = await mainThreadCost((await plainEtherpad()).pid(), count, visitPage);
  const call = await mainThreadCost(target.own.pid(), count, work);
  return { call, pages: call / page };
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
