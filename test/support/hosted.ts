/**
 * Opens our plugin anew for each test in the one real Etherpad of this process, with its own records, settings, clock
 * and page. Only one is open at a time: a test that opens a second one finds the first unchanged after closing it.
 */
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { App } from '../../api/app';
import type { Database } from '../../model/ports';
import { untilAccountsAreIndexed } from './hostFixture';
import { readableText } from './leaks';
import { readDirty } from './legacy';
import type { LogLine } from './ports';
import type { GivenAnswer } from './remoteControl';
import { agent, type RemoteHost, readLog, remoteHost } from './remoteHost';

export interface HostedOptions {
  /** The `ep_mypads` block of settings.json. */
  plugin: Record<string, unknown>;
  /** The accounts of settings.json. They are sent to the host again before each call. */
  accounts: Record<string, unknown>;
  /** Rate limits are multiplied by this number. */
  limitFactor: number;
  /** Etherpad's own setting `trustProxy`. */
  trustProxy: boolean;
  /** An embedded database: its records are the host's while this is open, and written back at the end. */
  file?: string | undefined;
  prepare?: ((database: Database) => Promise<void>) | undefined;
  /** Replaces the folder of the built page. */
  staticRoot?: string | undefined;
  templateRoot?: string | undefined;
  held?: boolean | undefined;
}

export interface Hosted {
  host: RemoteHost;
  /** The plugin, reached over the network. */
  app: App;
  database: Database;
  /** Moves the clock of the host forward, at the latest before the next call. */
  advance(milliseconds: number): void;
  /** Tells the host what has changed on this side. Calls through `app` do it by themselves. */
  tell(): Promise<void>;
  lines(): Promise<LogLine[]>;
  ready(): Promise<void>;
  restart(): Promise<void>;
  /** Throws when one of the answers had a secret of the database in it. */
  close(): Promise<void>;
}

interface Hosting extends Hosted {
  suspend(): Promise<void>;
  resume(): Promise<void>;
}

/** The opened plugins. Only the last one is running. */
const open: Hosting[] = [];

/** Forwards calls to the plugin in the host unchanged. */
function passOn(url: string, before: () => Promise<unknown>, after: (answer: GivenAnswer) => void): App {
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await before();
    const { hostname, port } = new URL(url);
    const { connection, ...headers } = request.headers;
    const options = { hostname, port, agent, method: request.method, path: `/mypads${request.url}`, headers };
    const onward = http.request(options, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const { connection, 'transfer-encoding': encoding, ...rest } = answer.headers;
      const [place = ''] = (request.url ?? '').split('?');
      after({ path: place, headers: rest, body: readableText(body, rest) });
      response.writeHead(answer.statusCode ?? 502, rest);
      response.end(body);
    });
    onward.on('error', (error) => response.destroy(error));
    request.pipe(onward);
  }
  return (request, response) => void pass(request, response);
}

/** Replaces a folder of the plugin by another one. `undefined` restores the plugin's own folder. */
function replaceFolder(place: string, other: string | undefined): void {
  const kept = `${place}.kept`;
  if (existsSync(kept)) {
    rmSync(place);
    renameSync(kept, place);
  }
  if (other === undefined) return;
  renameSync(place, kept);
  symlinkSync(other, place, 'junction');
}

async function recordsOf(database: Database, keys: string[]): Promise<[string, unknown][]> {
  return Promise.all(keys.map(async (key): Promise<[string, unknown]> => [key, await database.get(key)]));
}

function createHosting(host: RemoteHost, options: HostedOptions): Hosting & { begin(): Promise<void> } {
  const { etherpad, command, database } = host;
  const { root, major } = etherpad.folder;
  const plugin = path.join(
    root,
    ...(major === 1 ? ['node_modules'] : ['src', 'plugin_packages']),
    'ep_mypads',
  );
  const answers: GivenAnswer[] = [];
  let told = '';
  let ahead = 0;
  let clock = 0;
  let start = '';
  let heard: LogLine[] = [];
  let aside: [string, unknown][] = [];
  /** Keys of the host that are not in `file`. */
  let foreign: Set<string> | undefined;

  async function tell(): Promise<void> {
    const { accounts, plugin: block, trustProxy } = options;
    const settings = { users: accounts, ep_mypads: block, trustProxy };
    const text = JSON.stringify(settings);
    if (text !== told) await command({ do: 'settings', settings });
    told = text;
    if (clock !== ahead) await command({ do: 'clock', ahead });
    clock = ahead;
  }

  const ready = (): Promise<void> => untilAccountsAreIndexed(etherpad);

  /** Opens the plugin in the host, whose database is empty. */
  async function openPlugin(): Promise<void> {
    start = await host.mark();
    told = '';
    clock = 0;
    await tell();
    replaceFolder(path.join(plugin, 'static', 'dist'), options.staticRoot);
    replaceFolder(path.join(plugin, 'templates'), options.templateRoot);
    if (options.held) await command({ do: 'fault', fault: { fault: 'block', calls: ['findKeys'] } });
    await command({ do: 'open', limitFactor: options.limitFactor });
    if (!options.held) await ready();
  }

  async function lines(): Promise<LogLine[]> {
    return [...heard, ...readLog(await host.printedSince(start))];
  }

  async function search(): Promise<void> {
    const faults = (await command({ do: 'search', answers: answers.splice(0) })) as string[];
    if (faults.length > 0) throw new Error(`A secret was told: ${faults.join('; ')}`);
  }

  /** Writes the records back to the file that they came from, and removes them from the host. */
  async function saveFile(file: string): Promise<void> {
    await command({ do: 'close' });
    const own = (await database.findKeys('*', null)).filter((key) => !foreign?.has(key));
    const records = await recordsOf(database, own);
    writeFileSync(file, records.map(([key, val]) => `${JSON.stringify({ key, val })}\n`).join(''));
    await Promise.all(own.map((key) => database.remove(key)));
  }

  return {
    host,
    app: passOn(etherpad.url, tell, (answer) => answers.push(answer)),
    database,
    advance(milliseconds) {
      ahead += milliseconds;
    },
    tell,
    lines,
    ready,
    async begin() {
      await command({ do: 'empty' });
      if (options.file !== undefined) {
        foreign = new Set(await database.findKeys('*', null));
        const records = existsSync(options.file) ? readDirty(options.file) : new Map<string, unknown>();
        await Promise.all([...records].map(([key, value]) => database.set(key, value)));
      }
      await options.prepare?.(database);
      await openPlugin();
    },
    async suspend() {
      heard = await lines();
      await search();
      await command({ do: 'close' });
      aside = await recordsOf(database, await database.findKeys('mypads:*', null));
    },
    async resume() {
      await command({ do: 'empty' });
      await Promise.all(aside.map(([key, value]) => database.set(key, value)));
      await openPlugin();
    },
    async restart() {
      await tell();
      await command({ do: 'close' });
      await command({ do: 'open', limitFactor: options.limitFactor });
      await ready();
    },
    async close() {
      const [, ...left] = open.splice(open.indexOf(this));
      // Also closes those that a failed test has opened after this one and not closed.
      try {
        if (left.length === 0) await search();
      } finally {
        if (left.length === 0 && options.file !== undefined) await saveFile(options.file);
        await open.at(-1)?.resume();
      }
    },
  };
}

/** Empties the host and opens the plugin in it. */
export async function openHosted(options: HostedOptions): Promise<Hosted> {
  const host = await remoteHost();
  await open.at(-1)?.suspend();
  const hosting = createHosting(host, options);
  open.push(hosting);
  await hosting.begin();
  return hosting;
}
