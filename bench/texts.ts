/**
 * Measures the search in the texts of 50,000 pads of 5 kB: the first build, its size, a question in the worker, a call,
 * and how long edits wait meanwhile. `BENCH_PADS=5000` uses fewer.
 */
import { copyFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openEngine } from '../host/index/engine';
import { findNextTexts, matchesAtOnce, textsForExcerpts } from '../model/texts/textIndex';
import { matchOf } from '../model/texts/textQuery';
import { temporaryFolder } from '../test/support/app';
import { Dataset } from './dataset';
import { compareLatencies, type LatencyProbe, latencyRows, startLatencyProbe } from './latency';
import { once, summarise } from './measure';
import { type Result, report } from './results';
import { openTarget, type Target } from './target';
import { type TextPads, wordOf, writeTextPads } from './textPads';

const pads = Number(process.env.BENCH_PADS ?? 50_000);
const length = 5_000;
/** Results on a page of the search. */
const shown = 50;

/** What people look for: words from rare to frequent, several words, a phrase, the beginning of a word. */
const questions: Record<string, string> = {
  'a rare word': wordOf(29_000),
  'a word in some pads': wordOf(3_000),
  'a frequent word': wordOf(100),
  'a word in nearly all pads': wordOf(0),
  'two words': `${wordOf(200)} ${wordOf(2_000)}`,
  'three words': `${wordOf(20)} ${wordOf(300)} ${wordOf(1_500)}`,
  'a phrase': `"${wordOf(0)} ${wordOf(1)}"`,
  'the beginning of a word': `${wordOf(5_000).slice(0, 5)}*`,
  nothing: 'xyzzy',
};

const megabytes = (file: string): number => statSync(file).size / 1e6;

function allMatches(engine: ReturnType<typeof openEngine>, match: string): string[] {
  const found: string[] = [];
  for (let last = 0; ; ) {
    const [row] = engine.all(findNextTexts, [match, last]) as { ids: string; last: number | null }[];
    const ids = JSON.parse(row?.ids ?? '[]') as string[];
    found.push(...ids);
    last = row?.last ?? 0;
    if (ids.length < matchesAtOnce) return found;
  }
}

/** Milliseconds of each question in the file, as the worker asks it: which pads, then the texts of a page. */
function measureWorker(file: string): Result[] {
  const engine = openEngine(file);
  const rows: Result[] = [];
  const medians: number[] = [];
  for (const [name, text] of Object.entries(questions)) {
    const match = matchOf(text) ?? '';
    const times: number[] = [];
    let count = 0;
    for (let round = -2; round < 11; round += 1) {
      const start = performance.now();
      const found = allMatches(engine, match);
      const page = JSON.stringify(found.slice(0, shown));
      engine.all(textsForExcerpts, [page]);
      if (round >= 0) times.push(performance.now() - start);
      count = found.length;
    }
    medians.push(summarise(times).median);
    rows.push({
      name: `worker, ${name} (${count} pads), median`,
      value: summarise(times).median,
      unit: 'ms',
    });
  }
  engine.close();
  return [...rows, { name: 'worker, median of all', value: summarise(medians).median, unit: 'ms', goal: 30 }];
}

async function measureCalls(target: Target, token: string, probe: LatencyProbe): Promise<Result[]> {
  const search = (text: string) =>
    target.ask('GET', `search?text=${encodeURIComponent(text)}&limit=${shown}`, { token });
  const rows: Result[] = [];
  for (const [name, text] of Object.entries(questions)) {
    const times: number[] = [];
    for (let round = -2; round < 9; round += 1) {
      const time = await once(() => search(text));
      if (round >= 0) times.push(time);
    }
    rows.push({ name: `call, ${name}, median`, value: summarise(times).median, unit: 'ms' });
  }
  const { busy, base } = await compareLatencies(
    probe,
    async () => {
      for (const text of Object.values(questions)) await search(text);
    },
    () => pause(2_000),
  );
  return [...rows, ...latencyRows('searches of one person', base, busy, 5)];
}

interface SearchAnswer {
  count: number;
  complete: boolean;
}

/** Seconds. After a start, code is compiled and the heap grows: for the first minute, edits wait for that too. */
const settling = 60;

/**
 * `token`: of someone with one pad, so that their searches cost nothing. Compares with two minutes before the build:
 * differences that are no larger than that of these two mean nothing.
 */
async function measureBuild(target: Target, token: string, probe: LatencyProbe): Promise<Result[]> {
  const admin = await target.signInAdmin();
  const search = (value: boolean) =>
    target.ask('PUT', 'configuration/searchTexts', { token: admin, body: { value } });
  const isComplete = async (): Promise<boolean> => {
    const { status, body } = await target.call('GET', 'search?text=xyzzy', { token });
    return status === 200 && (JSON.parse(body.toString('utf8')) as SearchAnswer).complete;
  };
  await search(false);
  await pause(settling * 1_000);
  const minute = () => probe.during(() => pause(60_000));
  const [base, again] = [await minute(), await minute()];
  await search(true);
  const began = performance.now();
  const busy = await probe.during(async () => {
    while (!(await isComplete())) await pause(1_000);
  });
  return [
    { name: 'first build', value: (performance.now() - began) / 1_000, unit: 's' },
    { name: 'before: an edit arrives after, median', value: base.edits.median, unit: 'ms' },
    { name: 'first build: an edit arrives after, median', value: busy.edits.median, unit: 'ms' },
    ...latencyRows('another minute without it', base, again),
    ...latencyRows('first build', base, busy, 5),
  ];
}

/** Resolves to the token of the person to whom all pads belong. */
export async function signIn(target: Target, { login, password }: TextPads): Promise<string> {
  let answer = await target.call('POST', 'auth/login', { body: { login, password } });
  // The accounts are read after the start.
  for (let tries = 0; answer.status !== 200 && tries < 300; tries += 1) {
    await pause(200);
    answer = await target.call('POST', 'auth/login', { body: { login, password } });
  }
  return (JSON.parse(answer.body.toString('utf8')) as { token: string }).token;
}

async function measure(folder: string, written: TextPads): Promise<void> {
  const target = await openTarget({ database: written.file });
  try {
    const data = await Dataset.open(target);
    const owner = await data.signIn(await data.person());
    const open = await data.publicPad(owner);
    const token = await signIn(target, written);
    const probe = await startLatencyProbe(target, open);
    const build = await measureBuild(target, owner.token, probe);
    const calls = await measureCalls(target, token, probe);
    probe.stop();
    const own = path.join(target.own.folder.root, 'var', 'ep_mypads');
    await target.own.halt();
    const file = path.join(folder, 'texts-copy.db');
    copyFileSync(path.join(own, 'texts-1.db'), file);
    report(`texts: ${pads} pads of ${length / 1_000} kB`, [
      ...build,
      { name: 'size of the file on disk', value: megabytes(file), unit: 'MB', goal: 600 },
      { name: 'index of the records on disk', value: megabytes(path.join(own, 'index-1.db')), unit: 'MB' },
      ...measureWorker(file),
      ...calls,
    ]);
  } finally {
    await target.close();
  }
}

export async function texts(): Promise<void> {
  const folder = temporaryFolder();
  try {
    const written = await writeTextPads(folder.path, { pads, length });
    await measure(folder.path, written);
  } finally {
    folder.remove();
  }
}
