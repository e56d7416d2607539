/**
 * Measures how long edits and cheap calls of others take, and the server's longest tasks, while a setting or a folder
 * with 2,000 open editors changes. Then everybody loses the right to write, and 1,000 guests the access to a public
 * folder: it measures when the last editor is closed.
 */
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createModel } from '../model/model';
import { temporaryFolder } from '../test/support/app';
import type { RunningEtherpad } from '../test/support/etherpad';
import { createFixture, password, signInAsAdmin, untilAccountsAreIndexed } from '../test/support/hostFixture';
import { createTestPorts } from '../test/support/ports';
import { PadClient } from '../test/support/socketClient';
import { answerOf, startChild } from './children';
import { once, summarise } from './measure';
import { type Result, report } from './results';
import type { CrowdReport, Order, Seat } from './soakEditors';
import { openTarget } from './target';

const people = Number(process.env.EDITORS ?? 2_000);
const guests = people / 2;
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

const stateOf = (editors: ChildProcess): Promise<CrowdReport> => answerOf(editors, 'report' satisfies Order);

/** Opens the editors in a process of their own. */
async function openEditorsOf(etherpad: RunningEtherpad, seats: Seat[]): Promise<ChildProcess> {
  const editors = startChild('soakEditors.ts');
  const { url, major } = etherpad;
  await answerOf(editors, { open: { url, major, seats, typing: 0, pace: 0 } } satisfies Order);
  await pause(2_000);
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

/** Etherpad with the school: its owner, one writer in a pad of their own, and an editor for each other person. */
async function openSchool(etherpad: RunningEtherpad, { group, cookies }: School) {
  const fixture = createFixture(etherpad);
  await untilAccountsAreIndexed(etherpad);
  const owner = { login: 'owner', ...(await fixture.signIn('owner')) };
  const padsFor = async (folder: string, count: number): Promise<string[]> => {
    const pads: string[] = [];
    while (pads.length < count / peoplePerPad) pads.push(await fixture.pad(owner, folder));
    return pads;
  };
  const pads = await padsFor(group, people);
  const other = await fixture.person('writer');
  const pad = await fixture.pad(other, await fixture.group(other));
  const writer = await PadClient.writer(etherpad, other.cookie, pad);
  for (let warm = 0; warm < 200; warm++) await writer.write('x');
  const token = await signInAsAdmin(etherpad);
  const seats = cookies.map((cookie, index) => ({ cookie, pad: pads[index % pads.length] ?? '' }));
  return {
    writer,
    editors: await openEditorsOf(etherpad, seats),
    setSetting: (key: string, value: unknown) =>
      etherpad.api('PUT', `configuration/${key}`, { token, body: { value } }),
    changeFolder: (change: Record<string, unknown>, folder = group) =>
      fixture.change(owner, `group/${folder}`, change),
    /** Opens pads of a new public folder for guests. */
    async openForGuests(): Promise<{ folder: string; editors: ChildProcess }> {
      const folder = await fixture.group(owner, { visibility: 'public' });
      const open = (await padsFor(folder, guests)).flatMap((pad) =>
        Array.from({ length: peoplePerPad }, () => ({ pad, cookie: undefined })),
      );
      return { folder, editors: await openEditorsOf(etherpad, open) };
    },
  };
}

type OpenSchool = Awaited<ReturnType<typeof openSchool>>;

/** Milliseconds of the server's longest work in one go since the last question. */
type LongestTask = () => Promise<number>;

async function rowsOf(name: string, delays: readonly number[], longestTask: LongestTask): Promise<Result[]> {
  const { median, p95 } = summarise(delays);
  const longest = await longestTask();
  return [
    { name: `${name}: an edit, median`, value: median, unit: 'ms' },
    { name: `${name}: an edit, p95`, value: p95, unit: 'ms' },
    { name: `${name}: longest work in one go`, value: longest, unit: 'ms', goal: 20 },
  ];
}

/** Changes that leave every editor open. */
async function measureChanges(school: OpenSchool, longestTask: LongestTask): Promise<Result[]> {
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
    await longestTask();
    const all = (async () => {
      for (let round = 0; round < rounds; round++) {
        await change(round);
        await pause(600);
      }
    })();
    const delays = await edits(writer, all);
    await all;
    rows.push(...(await rowsOf(title, delays, longestTask)));
  }
  return rows;
}

/** `change` closes every one of the editors, of which there are `count`. */
async function measureClosing(
  { name, last, goal }: { name: string; last: string; goal: number },
  { writer, longestTask }: { writer: PadClient; longestTask: LongestTask },
  { editors, count }: { editors: ChildProcess; count: number },
  change: () => Promise<unknown>,
): Promise<Result[]> {
  const { open } = await stateOf(editors);
  if (open !== count) throw new Error(`${count - open} editors were disconnected without a reason`);
  await longestTask();
  let answered = Number.POSITIVE_INFINITY;
  const closing = (async () => {
    await change();
    answered = Date.now();
    while ((await stateOf(editors)).open > 0) await pause(100);
  })();
  const delays = await edits(writer, closing);
  await closing;
  const { lastLost } = await stateOf(editors);
  editors.disconnect();
  return [
    ...(await rowsOf(name, delays, longestTask)),
    { name: `${last} is out after the answer`, value: lastLost - answered, unit: 'ms', goal },
  ];
}

export async function openEditors(): Promise<void> {
  const folder = temporaryFolder();
  const database = path.join(folder.path, 'school.db');
  const made = await makeSchool(database);
  const { own, longestTask, close } = await openTarget({ database });
  try {
    const school = await openSchool(own, made);
    const { writer, changeFolder } = school;
    const rows = await measureChanges(school, longestTask);
    const lost = { name: 'everybody loses the right to write', last: 'the last one', goal: 1_000 };
    const members = { editors: school.editors, count: people };
    rows.push(
      ...(await measureClosing(lost, { writer, longestTask }, members, () =>
        changeFolder({ readonly: true }),
      )),
    );
    report(`openEditors: ${people} in one folder`, rows);
    const open = await school.openForGuests();
    const kept = { name: 'the folder becomes restricted', last: 'the last guest', goal: 800 };
    report(
      `openEditors: ${guests} guests of a public folder`,
      await measureClosing(kept, { writer, longestTask }, { editors: open.editors, count: guests }, () =>
        changeFolder({ visibility: 'restricted' }, open.folder),
      ),
    );
    writer.close();
  } finally {
    await close();
    folder.remove();
  }
}
