/**
 * A small plugin that tests put into a real Etherpad beside ours: over the network it reaches the database and the settings, moves the
 * clock, and closes and opens our plugin as a restart inside the process does. Only whoever knows the secret is listened to.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { core } from '../../host/core';

/** What a test asks for. */
export type Command =
  | { do: 'get' | 'remove'; key: string }
  | { do: 'set'; key: string; value: unknown }
  | { do: 'findKeys'; pattern: string; not: string | null }
  | { do: 'settings'; settings: Record<string, unknown> }
  | { do: 'clock'; ahead: number }
  | { do: 'open' | 'close' };

interface HostDatabase {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  findKeys(pattern: string, not: string | null): Promise<string[]>;
  db?: { flush?: (done: () => void) => void };
}

const database = core<HostDatabase>('node/db/DB');
const settings = core<Record<string, unknown>>('node/utils/Settings');

let ahead = 0;
/** Is our plugin open? */
let open = true;
const realNow = Date.now;
Date.now = () => realNow() + ahead;

// Hashes as cheap as those of the other tests.
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message: { rounds?: number }, ...more) {
  if (typeof message?.rounds === 'number') message.rounds = 4;
  postMessage.call(this, message, ...more);
};

/** Keys are looked for in what has been written out. */
function flush(): Promise<void> {
  return new Promise((done) => {
    if (database.db?.flush) database.db.flush(done);
    else done();
  });
}

async function obey(command: Command): Promise<unknown> {
  switch (command.do) {
    case 'get':
      return database.get(command.key);
    case 'set':
      return database.set(command.key, command.value);
    case 'remove':
      return database.remove(command.key);
    case 'findKeys':
      await flush();
      return database.findKeys(command.pattern, command.not);
    case 'settings':
      Object.assign(settings, command.settings);
      // As Etherpad does when it has read its file.
      return open ? require('ep_mypads/dist/index').loadSettings() : undefined;
    case 'clock':
      ahead = command.ahead;
      return undefined;
    case 'open':
      open = true;
      return require('ep_mypads/dist/index').loadSettings();
    case 'close':
      open = false;
      return require('ep_mypads/dist/index').shutdown();
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== process.env.REMOTE_CONTROL) {
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

/** Etherpad's hook. */
export function expressConfigure(
  _name: string,
  { app }: { app: { post(path: string, handler: Handler): void } },
) {
  app.post('/remote-control', (request, response) => void answer(request, response));
}
