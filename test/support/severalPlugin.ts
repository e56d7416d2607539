/**
 * A small plugin that tests of several processes install beside ours. It shortens what processes wait for and hashes
 * passwords cheaply; it says whether its process does the background work, runs such work now, and moves the clock. It
 * does nothing unless a test has set its variable.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { changePorts } from '../../hooks/lifecycle';
import type { sharingTimes } from '../../hooks/sharing';
import type { Coordination } from '../../model/ports';
import { createTestSchedule, type TestSchedule } from './schedule';

/** What a test asks for. */
export type SeveralCommand =
  | { do: 'isLeader' }
  /** Moves the clock of our plugin forward by so many milliseconds, until the process ends. */
  | { do: 'clock'; ahead: number }
  /** Runs the work of these timers now. */
  | { do: 'run'; timers: string[] }
  /** From now on the process tells the others nothing. It is killed when it should tell that a setting has changed. */
  | { do: 'tellNothing' };

/** JSON in the variable `SEVERAL_PLUGIN`. */
export interface SeveralPluginOptions {
  secret: string;
  times: { [Kind in keyof typeof sharingTimes]?: Partial<(typeof sharingTimes)[Kind]> };
}

/** The cost of hashes, as low as in the other tests. */
const rounds = 4;

const requireHere = createRequire(__filename);
const options = JSON.parse(process.env.SEVERAL_PLUGIN ?? 'null') as SeveralPluginOptions | null;

let coordination: Coordination | undefined;
let schedule: TestSchedule | undefined;
/** By how many milliseconds the clock of our plugin is ahead of the real one. */
let ahead = 0;

function changeOurs({ times }: SeveralPluginOptions): void {
  const { dir } = path.parse(requireHere.resolve('ep_mypads/dist/index'));
  const server = requireHere(path.join(dir, 'server.js')) as {
    changePorts: typeof changePorts;
    sharingTimes: typeof sharingTimes;
  };
  for (const kind of Object.keys(server.sharingTimes) as (keyof typeof sharingTimes)[])
    Object.assign(server.sharingTimes[kind], times[kind]);
  server.changePorts((ports, { createHasher }) => {
    const hasher = createHasher({ rounds });
    coordination = ports.coordination;
    schedule = createTestSchedule(ports.schedule);
    const close = async () => void (await Promise.all([hasher.close(), ports.hasher.close()]));
    const now = () => ports.now() + ahead;
    return { ...ports, now, schedule, hasher: { ...hasher, close } };
  });
}

if (options) changeOurs(options);

function obey(command: SeveralCommand): boolean {
  if (command.do === 'clock') ahead = command.ahead;
  if (command.do === 'run') for (const timer of command.timers) schedule?.run(timer);
  if (command.do === 'tellNothing' && coordination) {
    coordination.publish = (_topic, content) => {
      if (String(content).startsWith('mypads:conf:')) process.kill(process.pid, 'SIGKILL');
    };
  }
  return coordination?.isLeader() ?? false;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!options || request.headers.authorization !== options.secret) {
    response.writeHead(403).end();
    return;
  }
  const command = (await json(request)) as SeveralCommand;
  response.end(JSON.stringify(obey(command)));
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Etherpad's hook. */
export function expressConfigure(
  _name: string,
  { app }: { app: { post(path: string, handler: Handler): void } },
) {
  app.post('/several-plugin', (request, response) => void answer(request, response));
}
