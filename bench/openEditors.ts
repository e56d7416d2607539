/**
 * Measures how long edits and cheap calls of others take, and the server's longest tasks, while a setting or a folder
 * with 2,000 open editors changes. At the end, everybody loses access: it measures when the last editor is closed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once as event } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createModel } from '../model/model';
import { temporaryFolder } from '../test/support/app';
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { createFixture, password } from '../test/support/hostFixture';
import { createTestPorts } from '../test/support/ports';
import { PadClient } from '../test/support/socketClient';
import type { EditorOrders, Report, Seat } from './editors';
import { longTasks, once, summarise } from './measure';
import { type Result, report as showResults } from './results';

const people = Number(process.env.EDITORS ?? 2_000);
const peoplePerPad = 10;
const rounds = 10;

interface School {
  group: string;
  cookies: string[];
}

/** Creates a folder with all people. Only the owner's password is hashed, because hashing is slow. */
async function makeSchool(file: string): Promise<School> {
  const ports = await createTestPorts({ file });
  const model = await createModel({ ...ports, checkLocks: false });
  await model.users.ready;
  const person = (login: string, secret: string | null) =>
    model.users.register({ login, password: secret, email: `${login}@example.org`, active: true });
  const owner = await person('owner', password);
  const ids: string[] = [];
  const cookies: string[] = [];
  for (let made = 0; made < people; made++) {
    const { _id } = await person(`person${made}`, null);
    ids.push(_id);
    const session = await model.sessions.create({ kind: 'user', owner: _id, browser: undefined });
    cookies.push(`mypads_entry=${session.entryToken}`);
  }
  const group = await model.groups.create(owner._id, {
    name: 'The whole school',
    visibility: 'restricted',
    users: ids,
  });
  await model.close();
  await ports.closeDatabase();
  return { group: group._id, cookies };
}

function report(editors: ChildProcess): Promise<Report> {
  const answer = event(editors, 'message').then(([message]) => message as Report);
  editors.send('count');
  return answer;
}

async function openEditorsOf(etherpad: RunningEtherpad, seats: Seat[]): Promise<ChildProcess> {
  const editors = fork(path.join(__dirname, 'editors.ts'), { execArgv: ['--require', 'tsx/cjs'] });
  const { url, major } = etherpad;
  editors.send({ url, major, seats } satisfies EditorOrders);
  const [first] = (await event(editors, 'message')) as [Report];
  if (first.failed) throw new Error(first.failed);
  return editors;
}

/** Repeats edits until the promise settles. Returns the milliseconds of each. */
async function edits(writer: PadClient, until: Promise<unknown>): Promise<number[]> {
  const delays: number[] = [];
  let going = true;
  const stop = (): void => {
    going = false;
  };
  until.then(stop, stop);
  while (going) {
    delays.push(await once(() => writer.write('x')));
    await pause(2);
  }
  return delays;
}

/** Accounts that were written into the database can sign in when the server has read them all. */
async function untilIndexed({ api }: Awaited<ReturnType<typeof startEtherpad>>): Promise<void> {
  for (;;) {
    const { body } = await api('GET', 'cache/check');
    if ((body as { userCacheReady?: boolean }).userCacheReady) return;
    await pause(100);
  }
}

/** Etherpad with the school: its owner, one writer in a pad of their own, and an editor for each other person. */
async function openSchool(etherpad: RunningEtherpad, { group, cookies }: School) {
  const fixture = createFixture(etherpad);
  await untilIndexed(etherpad);
  const owner = { login: 'owner', ...(await fixture.signIn('owner')) };
  const pads: string[] = [];
  while (pads.length < people / peoplePerPad) pads.push(await fixture.pad(owner, group));
  const other = await fixture.person('writer');
  const writer = await PadClient.connect(etherpad, other.cookie);
  await writer.join(await fixture.pad(other, await fixture.group(other)));
  for (let warm = 0; warm < 200; warm++) await writer.write('x');
  const { name: login, password: secret } = etherpad.admin;
  const signedIn = await etherpad.api('POST', 'auth/admin/login', { body: { login, password: secret } });
  const { token } = signedIn.body as { token: string };
  const seats = cookies.map((cookie, index) => ({ cookie, pad: pads[index % pads.length] ?? '' }));
  const editors = await openEditorsOf(etherpad, seats);
  await pause(2_000);
  return {
    writer,
    editors,
    setSetting: (key: string, value: unknown) =>
      etherpad.api('PUT', `configuration/${key}`, { token, body: { value } }),
    changeFolder: (change: Record<string, unknown>) => fixture.change(owner, `group/${group}`, change),
  };
}

type OpenSchool = Awaited<ReturnType<typeof openSchool>>;

/** Reads and forgets the server's longest tasks. */
type LongTasks = () => Promise<number[]>;

async function rowsOf(name: string, delays: readonly number[], tasks: LongTasks): Promise<Result[]> {
  const { median, p95 } = summarise(delays);
  const [longest = 0] = await tasks();
  return [
    { name: `${name}: an edit, median`, value: median, unit: 'ms' },
    { name: `${name}: an edit, p95`, value: p95, unit: 'ms' },
    { name: `${name}: longest work in one go`, value: longest, unit: 'ms', goal: 20 },
  ];
}

/** Changes that leave every editor open. */
async function measureChanges(school: OpenSchool, tasks: LongTasks): Promise<Result[]> {
  const { writer, setSetting, changeFolder } = school;
  const changes: [string, (round: number) => Promise<unknown>][] = [
    ['quiet server', async () => {}],
    ['a title is set', (round) => setSetting('title', `Title ${round}`)],
    [
      'guests are kept out, and let in again',
      (round) => setSetting('allPadsPublicsAuthentifiedOnly', round % 2 === 0),
    ],
    ["the folder's description changes", (round) => changeFolder({ description: `Description ${round}` })],
    [
      'the folder becomes public, and restricted',
      (round) => changeFolder({ visibility: round % 2 === 0 ? 'public' : 'restricted' }),
    ],
  ];
  const rows: Result[] = [];
  for (const [title, change] of changes) {
    await tasks();
    const all = (async () => {
      for (let round = 0; round < rounds; round++) {
        await change(round);
        await pause(600);
      }
    })();
    const delays = await edits(writer, all);
    await all;
    rows.push(...(await rowsOf(title, delays, tasks)));
  }
  return rows;
}

/** The folder becomes read-only, which closes every editor of others. */
async function measureClosing(school: OpenSchool, tasks: LongTasks): Promise<Result[]> {
  const { writer, editors, changeFolder } = school;
  const { open } = await report(editors);
  if (open !== people) throw new Error(`${people - open} editors were disconnected without a reason`);
  await tasks();
  let answered = Number.POSITIVE_INFINITY;
  const closing = (async () => {
    await changeFolder({ readonly: true });
    answered = Date.now();
    while ((await report(editors)).open > 0) await pause(100);
  })();
  const delays = await edits(writer, closing);
  await closing;
  const { lastGone } = await report(editors);
  return [
    ...(await rowsOf('everybody loses the right to write', delays, tasks)),
    { name: 'the last one is out after the answer', value: lastGone - answered, unit: 'ms', goal: 1_000 },
  ];
}

export async function openEditors(): Promise<void> {
  const folder = temporaryFolder();
  const database = path.join(folder.path, 'school.db');
  const file = path.join(folder.path, 'longTasks.json');
  const made = await makeSchool(database);
  const probe = path.join(__dirname, 'stallProbe.cjs');
  const etherpad = await startEtherpad({
    database,
    env: { NODE_OPTIONS: `--require ${probe}`, STALL_FILE: file },
  });
  let school: OpenSchool | undefined;
  try {
    school = await openSchool(etherpad, made);
    const tasks: LongTasks = () => longTasks(etherpad, file);
    const rows = [...(await measureChanges(school, tasks)), ...(await measureClosing(school, tasks))];
    showResults(`openEditors: ${people} in one folder`, rows);
    school.writer.close();
  } finally {
    school?.editors.disconnect();
    await etherpad.stop();
    folder.remove();
  }
}
