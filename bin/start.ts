/** `npm start` runs a real Etherpad with the plugin; `--demo`: one with people and pads. README has its variables. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describeFaultyLine, faultyLines, leaveOutFaultyLines } from '../host/dirtyFile';
import { processesWithOpen } from '../host/standalone';
import { buildAll } from './build';
import { demoPassword, mainPerson, people } from './demo/content';
import { fillDemo } from './demo/fill';
import {
  databaseFileIn,
  type EtherpadFolder,
  etherpadSettings,
  ownEtherpad,
  prepareEtherpad,
  projectRoot,
  spawnEtherpad,
  UserError,
} from './etherpad';

const { PORT = '9001', IP = '127.0.0.1', ADMIN_PASSWORD, DATA, SETTINGS, DEMO_RESET } = process.env;

const options = process.argv.slice(2);

/** npm takes `--demo` for an option of its own in `npm start --demo`, and says so in a variable. */
const isDemo = options.includes('--demo') || process.env.npm_config_demo === 'true';

/** A folder of its own, because all of it is deleted when the demo begins again. */
const dataFolder = isDemo
  ? path.join(path.resolve(DATA ?? path.join(projectRoot, '.etherpad')), 'demo')
  : path.resolve(DATA ?? path.join(projectRoot, '.etherpad', 'data'));

/** Exists once the demo is complete. */
const demoMarker = path.join(dataFolder, 'demo-is-complete');

interface Administrator {
  name: string;
  password: string;
}

/**
 * The administrator: `ADMIN_PASSWORD`, or else a generated password, which is stored beside the data for the owner
 * only.
 */
async function administrator(data: string): Promise<Administrator> {
  const file = path.join(data, 'administrator.json');
  if (ADMIN_PASSWORD) return { name: 'admin', password: ADMIN_PASSWORD };
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Administrator;
  const made = { name: 'admin', password: randomBytes(12).toString('base64url') };
  await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

function portNumber(): number {
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError(`PORT=${PORT} is not a port number.`);
  return port;
}

/** Checks that the port is free. Etherpad's own error would be a page of text. */
function checkPort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'is in use: set PORT to another one' : `fails: ${error.message}`;
      reject(new UserError(`Port ${port} of ${IP} ${why}.`));
    });
    probe.listen(port, IP, () => probe.close(() => resolve()));
  });
}

/** Etherpad does not start if it cannot read a line of its database, for example after the disk was full. */
async function repairDatabase(file: string): Promise<void> {
  const lines = existsSync(file) ? await faultyLines(file) : [];
  if (lines.length === 0) return;
  const [user] = processesWithOpen(file) ?? [];
  if (user !== undefined) throw new UserError(`Process ${user} uses ${file}.`);
  const copy = await leaveOutFaultyLines(file);
  console.log(`Etherpad cannot read ${lines.length} lines of ${file}. They are left out now:`);
  for (const line of lines.slice(0, 10)) console.log(`  ${describeFaultyLine(line)}`);
  console.log(`The file as it was is ${copy}.`);
}

interface StartPlan {
  settingsFile: string;
  /** Lines to print once it runs. */
  lines: string[];
  /** Both are `undefined` if only the settings file knows them. */
  url?: string;
  admin?: Administrator;
}

/** Deletes all of the demo but the administrator's password. */
async function emptyDemo(): Promise<void> {
  for (const name of await readdir(dataFolder))
    if (!['administrator.json', 'settings.json'].includes(name))
      await rm(path.join(dataFolder, name), { recursive: true, force: true });
}

/** After how many milliseconds the demo begins again; `undefined`: never. */
function demoDuration(): number | undefined {
  const minutes = Number(DEMO_RESET ?? 0);
  if (!(minutes >= 0)) throw new UserError(`DEMO_RESET=${DEMO_RESET} is not a number of minutes.`);
  return isDemo && minutes > 0 ? minutes * 60_000 : undefined;
}

/** Whom one can sign in as. With two people, one sees what sharing does. */
function demoLines(): string[] {
  const others = people.map(([login]) => login);
  return [
    '',
    `Sign in as:     ${mainPerson.login}`,
    `Or as:          ${others.join(', ')}`,
    `Password:       ${demoPassword}`,
  ];
}

async function generateSettings(): Promise<StartPlan> {
  const data = dataFolder;
  const port = portNumber();
  await checkPort(port);
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (isDemo && !existsSync(demoMarker)) await emptyDemo();
  const admin = await administrator(data);
  const settingsFile = path.join(data, 'settings.json');
  const settings = etherpadSettings({ ip: IP, port, data, admin });
  await repairDatabase(databaseFileIn(data));
  await writeFile(settingsFile, JSON.stringify(settings, null, 2), { mode: 0o600 });
  const shownIp = IP === '0.0.0.0' || IP === '::' ? 'localhost' : IP.includes(':') ? `[${IP}]` : IP;
  const url = `http://${shownIp}:${port}/mypads/`;
  const lines = [
    `MyPads:         ${url}`,
    `Administrator:  ${admin.name}`,
    `Password:       ${admin.password}`,
    ...(isDemo ? demoLines() : []),
  ];
  return { settingsFile, lines, url, admin };
}

function existingSettings(file: string): StartPlan {
  const settingsFile = path.resolve(file);
  if (!existsSync(settingsFile)) throw new UserError(`There is no ${settingsFile}.`);
  return { settingsFile, lines: [`MyPads runs at /mypads/ of the address in ${settingsFile}.`] };
}

/** Waits for the first answer, at most a minute. True if it is no error of the server. */
async function answersWell(url: string, running: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 600 && running(); tries++) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status !== 0) return status < 500;
    await wait(100);
  }
  return false;
}

/** Fills the demo, unless that was done before. */
async function completeDemo({ url, admin }: StartPlan, major: number): Promise<void> {
  if (url === undefined || admin === undefined || existsSync(demoMarker)) return;
  console.log('Writing the pads of the demo …');
  await fillDemo({ url: new URL('..', url).href.replace(/\/$/, ''), major }, admin);
  await writeFile(demoMarker, '');
}

/** Runs Etherpad until it ends, or for `duration`. Resolves to its exit code, or to `again` after that time. */
async function serve(
  etherpad: EtherpadFolder,
  plan: StartPlan,
  { stop, duration }: { stop: AbortSignal; duration: number | undefined },
): Promise<number | 'again'> {
  const server = spawnEtherpad(etherpad, plan.settingsFile, { stdio: 'inherit' });
  const ended = new Promise<number>((resolve) => server.once('exit', (code) => resolve(code ?? 0)));
  const kill = () => void server.kill('SIGTERM');
  stop.addEventListener('abort', kill);
  if (stop.aborted) kill();
  const started =
    plan.url === undefined ||
    (await answersWell(`${plan.url}api/cache/check`, () => server.exitCode === null && !stop.aborted));
  try {
    if (started && isDemo) await completeDemo(plan, etherpad.major);
    if (started) console.log(['', ...plan.lines, 'Ctrl+C stops it.', ''].join('\n'));
    else if (!stop.aborted) console.error('Etherpad did not start correctly. The log above says why.');
  } catch (error) {
    kill();
    await ended;
    throw error;
  }
  const timer = duration === undefined ? undefined : setTimeout(kill, duration);
  const code = await ended;
  clearTimeout(timer);
  stop.removeEventListener('abort', kill);
  return started && duration !== undefined && !stop.aborted && code === 0 ? 'again' : code;
}

async function start(): Promise<void> {
  const unknown = options.find((option) => option !== '--demo');
  if (unknown !== undefined)
    throw new UserError(
      `Unknown: ${unknown}. README.md has the variables of npm start; its only option is --demo.`,
    );
  if (isDemo && SETTINGS) throw new UserError('The demo has its own settings: leave out SETTINGS.');
  const duration = demoDuration();
  const plan = SETTINGS ? existingSettings(SETTINGS) : await generateSettings();
  ownEtherpad();
  if (process.env.BUILT !== '1') {
    console.log('Building … (one to six minutes)');
    await buildAll();
  }
  const etherpad = await prepareEtherpad(isDemo ? 'demo' : 'start');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) console.log('\nStopping …');
      stopping.abort();
    });
  }
  for (;;) {
    const outcome = await serve(etherpad, plan, { stop: stopping.signal, duration });
    if (outcome !== 'again') {
      process.exitCode = outcome;
      return;
    }
    console.log('The demo begins again …');
    await emptyDemo();
  }
}

start().catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exit(1);
});
