/** `npm start` runs a real Etherpad with the plugin. README lists its variables. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describeFaultyLine, faultyLines, leaveOutFaultyLines } from '../host/dirtyFile';
import { processesWithOpen } from '../host/standalone';
import { buildAll } from './build';
import {
  databaseFileIn,
  etherpadSettings,
  ownEtherpad,
  prepareEtherpad,
  projectRoot,
  spawnEtherpad,
  UserError,
} from './etherpad';

const { PORT = '9001', IP = '127.0.0.1', ADMIN_PASSWORD, DATA, SETTINGS } = process.env;

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
  /** `undefined` if only the settings file knows it. */
  url?: string;
}

async function generateSettings(): Promise<StartPlan> {
  const data = path.resolve(DATA ?? path.join(projectRoot, '.etherpad', 'data'));
  const port = portNumber();
  await checkPort(port);
  await mkdir(data, { recursive: true, mode: 0o700 });
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
  ];
  return { settingsFile, lines, url };
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

async function start(): Promise<void> {
  const plan = SETTINGS ? existingSettings(SETTINGS) : await generateSettings();
  ownEtherpad();
  console.log('Building …');
  await buildAll();
  const etherpad = await prepareEtherpad('start');
  const server = spawnEtherpad(etherpad, plan.settingsFile, { stdio: 'inherit' });
  const ended = new Promise<number>((resolve) => server.once('exit', (code) => resolve(code ?? 0)));
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) console.log('\nStopping …');
      stopping = true;
      server.kill('SIGTERM');
    });
  }
  const started =
    plan.url === undefined ||
    (await answersWell(`${plan.url}api/cache/check`, () => server.exitCode === null && !stopping));
  if (started) console.log(['', ...plan.lines, 'Ctrl+C stops it.', ''].join('\n'));
  else if (!stopping) console.error('Etherpad did not start correctly. The log above says why.');
  process.exitCode = await ended;
}

start().catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exit(1);
});
