/**
 * Measures the lists for the page and programs: 200 and 500 folders of 10 pads and 10 members, and a folder of 500
 * pads. Time in visits of a pad's page without the plugin, bytes, and how long others wait meanwhile.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, startChild } from './children';
import { countTo, Dataset, inParallel, type Person, type SignedIn } from './dataset';
import { type Reply, send } from './http';
import { compareLatencies, type LatencyProbe, latencyRows, startLatencyProbe } from './latency';
import { mainThreadTime, once } from './measure';
import { type Result, report } from './results';
import type { StoredAnswer } from './storedAnswer';
import { mainThreadInPages, openTarget, type Target, timeInPages } from './target';

const calls = 40;

interface List {
  title: string;
  path: string;
  reader: SignedIn;
  /** Goal in visits of a pad's page. */
  goal: number;
  /** Goal for the compressed size in kB. */
  sizeGoal?: number;
}

async function expect(wanted: number, answer: Promise<Reply>): Promise<Reply> {
  const reply = await answer;
  if (reply.status !== wanted) throw new Error(`a list answers ${reply.status} and not ${wanted}`);
  return reply;
}

async function ownerOf(
  data: Dataset,
  people: Person[],
  folders: number,
  { readers = 0, links = 0 } = {},
): Promise<SignedIn> {
  const owner = await data.person();
  await inParallel(countTo(folders), async (folder) => {
    const some = (count: number): unknown[] =>
      countTo(count).map((one) => people[(folder * 10 + one) % people.length]?.id);
    const [users, others] = [some(10), some(10 + readers).slice(10)];
    const shared = readers > 0 && { readers: others };
    const fields = { name: `Folder ${folder}`, tags: [`tag ${folder % 30}`], users, ...shared };
    const group = await data.filledFolder(owner, 10, fields);
    for (let link = 0; link < links; link += 1) await data.link(group);
  });
  return data.signIn(owner);
}

type Ask = (encoding: string, etag?: string) => Promise<Reply>;

function askFor(target: Target, { path, reader }: List): Ask {
  return (encoding, etag) =>
    target.call('GET', path, {
      token: reader.token,
      headers: { 'accept-encoding': encoding, ...(etag && { 'if-none-match': etag }) },
    });
}

async function firstCallAfterStart(target: Target, list: List): Promise<Result[]> {
  await target.own.restart();
  await pause(2_000);
  // Reads session and account first, which any first call would do.
  await target.ask('GET', `user/${list.reader.login}`, { token: list.reader.token });
  const pid = target.own.pid();
  const before = mainThreadTime(pid);
  const value = await once(() => expect(200, askFor(target, list)('br, gzip')));
  const mainThread = mainThreadTime(pid) - before;
  return [
    { name: 'first call after a start', value, unit: 'ms' },
    { name: 'first call after a start, main thread', value: mainThread, unit: 'ms' },
  ];
}

async function speed(target: Target, ask: Ask, goal: number): Promise<Result[]> {
  const full = (encoding: string): Promise<Reply> => expect(200, ask(encoding));
  const warm = await timeInPages(calls, () => full('br, gzip'));
  const plain = await timeInPages(calls, () => full('identity'));
  const cost = await mainThreadInPages(target, calls, () => full('br, gzip'));
  return [
    { name: 'warm, median in pages', value: warm.pages, unit: 'pages', goal },
    { name: 'warm, median', value: warm.median, unit: 'ms' },
    { name: 'warm, p95', value: warm.p95, unit: 'ms' },
    { name: 'warm, not compressed, median in pages', value: plain.pages, unit: 'pages' },
    { name: 'a page of a pad', value: warm.page, unit: 'ms' },
    { name: 'main thread of the server, in pages', value: cost.pages, unit: 'pages', goal },
    { name: 'main thread of the server', value: cost.call, unit: 'ms' },
  ];
}

async function sentBytes(ask: Ask, goal?: number): Promise<Result[]> {
  const sizes: Result[] = [];
  for (const encoding of ['identity', 'gzip', 'br']) {
    const { body, headers } = await expect(200, ask(encoding));
    const got = headers['content-encoding'] ?? 'identity';
    const name = `size of the answer, ${encoding} asked for${got === encoding ? '' : `, ${got} sent`}`;
    sizes.push({
      name,
      value: body.length / 1000,
      unit: 'kB',
      goal: got === 'br' ? goal : undefined,
    });
  }
  return sizes;
}

async function unchangedList(ask: Ask): Promise<Result[]> {
  const { etag } = (await expect(200, ask('br, gzip'))).headers;
  if (etag === undefined)
    return [{ name: 'nothing changed: answers without an ETag', value: 1, unit: '', goal: 0 }];
  const { body } = await ask('br, gzip', etag);
  const unchanged = await timeInPages(calls, () => ask('br, gzip', etag));
  return [
    { name: 'nothing changed, size of the answer', value: body.length / 1000, unit: 'kB', goal: 0 },
    { name: 'nothing changed, median in pages', value: unchanged.pages, unit: 'pages' },
  ];
}

/** Starts the server that answers every request with this. The caller disconnects it. */
async function startStoredAnswer({ headers, body }: Reply): Promise<{ url: string; child: ChildProcess }> {
  const child = startChild('storedAnswer.ts');
  const order: StoredAnswer = { headers, body: body.toString('base64') };
  return { url: await answerOf<string>(child, order), child };
}

async function delayOfOthers(probe: LatencyProbe, ask: Ask): Promise<Result[]> {
  const { url, child } = await startStoredAnswer(await expect(200, ask('br, gzip')));
  const repeat = (call: () => Promise<Reply>) => async (): Promise<void> => {
    for (let number = 0; number < calls; number += 1) {
      await expect(200, call());
      await pause(50);
    }
  };
  try {
    const { busy, base } = await compareLatencies(
      probe,
      repeat(() => ask('br, gzip')),
      repeat(() => send(url)),
    );
    return [
      {
        name: 'the same from another server: an edit arrives after, worst',
        value: base.edits.max,
        unit: 'ms',
      },
      ...latencyRows('meanwhile', base, busy, 10),
    ];
  } finally {
    child.disconnect();
  }
}

export async function lists(): Promise<void> {
  const target = await openTarget();
  try {
    const data = await Dataset.open(target);
    const people = await data.people(100);
    const [first] = people;
    if (first === undefined) throw new Error('no person was created');
    const open = await data.publicPad(first);
    const of200 = await ownerOf(data, people, 200);
    const of500 = await ownerOf(data, people, 500);
    const single = await data.person();
    const folder = await data.filledFolder(single, 500);
    const all: List[] = [
      { title: '200 folders × 10 pads × 10 members', path: 'group', reader: of200, goal: 4.5, sizeGoal: 60 },
      { title: '500 folders × 10 pads × 10 members', path: 'group', reader: of500, goal: 12 },
      {
        title: 'one folder of 500 pads',
        path: `group/${folder}`,
        reader: await data.signIn(single),
        goal: 1,
      },
      {
        title: '200 folders × 10 pads × 10 members, 50 links and 20 readers in each',
        path: 'group',
        reader: await ownerOf(data, people, 200, { readers: 20, links: 50 }),
        goal: 4.5,
      },
      { title: '500 folders in the page', path: 'overview', reader: of500, goal: 3 },
    ];
    const tables = new Map<List, Result[]>();
    for (const list of all) {
      const ask = askFor(target, list);
      tables.set(list, [
        ...(await firstCallAfterStart(target, list)),
        ...(await speed(target, ask, list.goal)),
        ...(await sentBytes(ask, list.sizeGoal)),
        ...(await unchangedList(ask)),
      ]);
    }
    // Last, because these edits and requests would slow down the other measurements.
    const probe = await startLatencyProbe(target, open);
    try {
      for (const list of all) {
        const rows = await delayOfOthers(probe, askFor(target, list));
        report(`lists: ${list.title}`, [...(tables.get(list) ?? []), ...rows]);
      }
    } finally {
      probe.stop();
    }
  } finally {
    await target.close();
  }
}
