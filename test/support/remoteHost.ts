/**
 * One real Etherpad for the whole process, with our plugin and the remote control (remoteControl.ts): its commands and
 * its output.
 */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import type { Database } from '../../model/ports';
import { type RunningEtherpad, startEtherpad } from './etherpad';
import { overNetwork } from './network';
import type { LogLine } from './ports';
import type { Command, DatabaseCall } from './remoteControl';
import { installTestPlugin } from './testPlugins';
import { until } from './waiting';

const control = {
  name: 'ep_remote_control',
  source: 'remoteControl.ts',
  hooks: ['expressConfigure'],
};
const secret = randomBytes(24).toString('hex');
export const agent = new http.Agent({ keepAlive: true });
let running: Promise<RemoteHost> | undefined;

export interface RemoteHost {
  etherpad: RunningEtherpad;
  /** Sends a command to the remote control. Throws if it fails there. */
  command(wanted: Command): Promise<unknown>;
  database: Database;
  /** Marks this place in what the host prints. */
  mark(): Promise<string>;
  /** What the host has printed between that place and this moment. */
  printedSince(mark: string): Promise<string>;
}

/** A database whose calls are sent in batches: those that begin at the same moment are sent together. */
function batched(send: (calls: DatabaseCall[]) => Promise<unknown[]>): Database {
  let waiting: { call: DatabaseCall; done(value: unknown): void; fail(error: unknown): void }[] = [];

  async function leave(): Promise<void> {
    const together = waiting;
    waiting = [];
    try {
      const values = await send(together.map(({ call }) => call));
      for (const [index, { done }] of together.entries()) done(values[index]);
    } catch (error) {
      for (const { fail } of together) fail(error);
    }
  }
  function ask(call: DatabaseCall): Promise<unknown> {
    if (waiting.length === 0) setImmediate(() => void leave());
    return new Promise((done, fail) => waiting.push({ call, done, fail }));
  }
  return {
    get: (key) => ask(['get', key]),
    set: async (key, value) => void (await ask(['set', key, value])),
    remove: async (key) => void (await ask(['remove', key])),
    findKeys: async (pattern, not) => (await ask(['findKeys', pattern, not])) as string[],
  };
}

/** Started once for the whole process. */
export function remoteHost(): Promise<RemoteHost> {
  running ??= startRemoteHost();
  return running;
}

if (overNetwork) {
  before('start the host', async function () {
    // The first time, Etherpad is installed.
    this.timeout(300_000);
    await remoteHost();
  });
  after('stop the host', async () => {
    await (await running)?.etherpad.stop();
    agent.destroy();
  });
}

async function startRemoteHost(): Promise<RemoteHost> {
  const etherpad = await startEtherpad({
    env: { REMOTE_CONTROL: secret },
    beside: async (folder) => void (await installTestPlugin(folder, control)),
    // By default, Etherpad 3 does not log addresses.
    settings: { logLayoutType: 'basic', ipLogging: 'full' },
  });
  const { hostname, port } = new URL(etherpad.url);
  const options = { hostname, port, agent, method: 'POST', path: '/remote-control' };
  let marks = 0;

  function command(wanted: Command): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = http.request({ ...options, headers: { authorization: secret } }, (answer) => {
        if (answer.statusCode !== 200) {
          answer.setEncoding('utf8').once('data', (text) => reject(new Error(`The host: ${text}`)));
          answer.once('end', () => reject(new Error(`The host: ${answer.statusCode}`)));
        } else json(answer).then((body) => resolve((body as { value: unknown }).value), reject);
      });
      request.on('error', reject);
      // As plain text, because some versions of Etherpad parse JSON before a plugin can read it.
      request.setHeader('Content-Type', 'text/plain');
      request.end(JSON.stringify(wanted));
    });
  }

  async function mark(): Promise<string> {
    marks += 1;
    const text = `${control.name}: mark ${marks}.`;
    await command({ do: 'mark', mark: text });
    return text;
  }

  return {
    etherpad,
    command,
    database: batched(async (calls) => (await command({ do: 'calls', calls })) as unknown[]),
    mark,
    async printedSince(start) {
      const end = await mark();
      await until('what the host prints', () => etherpad.log().lastIndexOf(end) >= 0);
      const log = etherpad.log();
      return log.slice(log.lastIndexOf(start) + start.length, log.lastIndexOf(end));
    },
  };
}

const printed = /^\[[^\]]*\] \[(\w+)\] (\S+) - (.*)$/;
/** Colours, as Etherpad 1.8.14 prints them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of.
const colours = /\u001b\[\d+m/g;

function lineOf(level: string, source: string, text: string): LogLine {
  const known = level.toLowerCase() as LogLine['level'];
  const [, message = text, facts] = /^(.*?)(?: (\{.*\}))?$/s.exec(text) ?? [];
  if (source !== 'ep_mypads' || facts === undefined) return { level: known, message: text, facts: {} };
  return { level: known, message, facts: JSON.parse(facts) as Record<string, unknown> };
}

/** The lines of the log in Etherpad's output. A line that does not begin with a time belongs to the one before it. */
export function readLog(output: string): LogLine[] {
  const lines: LogLine[] = [];
  for (const text of output.replaceAll(colours, '').split('\n')) {
    const [, level, source, message] = printed.exec(text) ?? [];
    const last = lines.at(-1);
    if (level !== undefined && source !== undefined) lines.push(lineOf(level, source, message ?? ''));
    else if (last !== undefined && text !== '' && !text.startsWith(control.name)) last.message += `\n${text}`;
  }
  return lines;
}
