/**
 * The same application for the same tests, but over the network: the built plugin in a real Etherpad, one for the whole process, emptied
 * and opened anew for each `startApp`. `API_HOST=1` asks for it (part `network` of `npm test`).
 */
import { randomBytes, randomInt } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../api/app';
import type { Database } from '../../model/ports';
import { putBeside } from './beside';
import { type RunningEtherpad, signInAtAdmin, startEtherpad } from './etherpad';
import type { Command } from './remoteControl';

export const overNetwork = process.env.API_HOST === '1';

/**
 * Tests that look inside the server (its log, its clock's parts, a database that fails) or bring a server of their own: over the network
 * there is nothing to look into, and these two leave them out there.
 */
export const insideOnly = {
  describe: (title: string, work: () => void): void => {
    if (!overNetwork) describe(title, work);
  },
  it: (title: string, work: Mocha.AsyncFunc): void => {
    if (!overNetwork) it(title, work);
  },
};

const control = { name: 'ep_remote_control', source: 'remoteControl.ts', hooks: ['expressConfigure'] };
const secret = randomBytes(24).toString('hex');
const agent = new http.Agent({ keepAlive: true });
let host: Promise<RunningEtherpad> | undefined;

function theHost(): Promise<RunningEtherpad> {
  host ??= startEtherpad({
    env: { REMOTE_CONTROL: secret },
    beside: async (folder) => void (await putBeside(folder, control)),
    settings: { loglevel: 'WARN' },
  });
  return host;
}

if (overNetwork) {
  after('stop the host', async () => {
    await (await host)?.stop();
    agent.destroy();
  });
}

async function command(etherpad: RunningEtherpad, wanted: Command): Promise<unknown> {
  const answer = await fetch(`${etherpad.url}/remote-control`, {
    method: 'POST',
    headers: { authorization: secret },
    body: JSON.stringify(wanted),
  });
  if (answer.status !== 200) throw new Error(`The host: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { value: unknown }).value;
}

function databaseOf(etherpad: RunningEtherpad): Database {
  return {
    get: (key) => command(etherpad, { do: 'get', key }),
    set: async (key, value) => void (await command(etherpad, { do: 'set', key, value })),
    remove: async (key) => void (await command(etherpad, { do: 'remove', key })),
    findKeys: async (pattern, not) =>
      (await command(etherpad, { do: 'findKeys', pattern, not: not ?? null })) as string[],
  };
}

/** Passes calls on to the plugin in the host, bytes as they are. */
function passOn(etherpad: RunningEtherpad, manyAddresses: boolean, before: () => Promise<unknown>): App {
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await before();
    const { hostname, port } = new URL(etherpad.url);
    const headers = { ...request.headers };
    if (manyAddresses)
      headers['x-forwarded-for'] ??= `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
    const options = { hostname, port, agent, method: request.method, path: `/mypads${request.url}`, headers };
    const onward = http.request(options, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const { connection, 'transfer-encoding': encoding, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest);
      response.end(Buffer.concat(chunks));
    });
    onward.on('error', (error) => response.destroy(error));
    request.pipe(onward);
  }
  return (request, response) => void pass(request, response);
}

export interface HostOptions {
  /** The `ep_mypads` block of settings.json. */
  plugin: Record<string, unknown>;
  /** The accounts of settings.json; looked at again before each call. */
  accounts: Record<string, unknown>;
  prepare?: (database: Database) => Promise<void>;
  /** Every call from an address of its own, so that the limits of addresses stay out of sight. */
  manyAddresses: boolean;
}

export interface Opened {
  app: App;
  database: Database;
  /** Moves the clock of the host forward, at the latest before the next call. */
  advance(milliseconds: number): void;
  /** Signs in at Etherpad's /admin. Returns the `Cookie` header. */
  signIn(login: string, password: string): Promise<string>;
}

/** Empties the host and opens the plugin in it anew. */
export async function openHost(options: HostOptions): Promise<Opened> {
  const etherpad = await theHost();
  const database = databaseOf(etherpad);
  await command(etherpad, { do: 'close' });
  const left = await database.findKeys('mypads:*', null);
  await Promise.all(left.map((key) => database.remove(key)));
  await command(etherpad, { do: 'clock', ahead: 0 });
  let told = '';
  let ahead = 0;
  let clock = 0;

  async function tell(): Promise<void> {
    const settings = {
      users: options.accounts,
      ep_mypads: options.plugin,
      trustProxy: options.manyAddresses,
    };
    const text = JSON.stringify(settings);
    if (text !== told) await command(etherpad, { do: 'settings', settings });
    told = text;
    if (clock !== ahead) await command(etherpad, { do: 'clock', ahead });
    clock = ahead;
  }

  await tell();
  await options.prepare?.(database);
  await command(etherpad, { do: 'open' });
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await etherpad.api('GET', 'cache/check');
    if ((body as { userCacheReady?: boolean }).userCacheReady) break;
    await pause(10);
  }
  return {
    app: passOn(etherpad, options.manyAddresses, tell),
    database,
    advance(milliseconds) {
      ahead += milliseconds;
    },
    signIn: (login, password) => signInAtAdmin(etherpad, login, password),
  };
}
