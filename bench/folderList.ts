/**
 * Measures `GET overview` for a person with 500 folders of 10 pads and 10 members: main thread time, warm and after a
 * start, and bytes. lists.ts measures the lists for programs.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { countTo, Dataset, inParallel } from './dataset';
import type { Reply } from './http';
import { once } from './measure';
import { report } from './results';
import { mainThreadInPages, openTarget } from './target';

const [folders, padsOfEach, members, calls] = [500, 10, 10, 40];

export async function folderList(): Promise<void> {
  const target = await openTarget();
  try {
    const data = await Dataset.open(target);
    const people = await data.people(100);
    const owner = await data.person();
    await inParallel(countTo(folders), (folder) => {
      const users = countTo(members).map((member) => people[(folder * members + member) % people.length]?.id);
      return data.filledFolder(owner, padsOfEach, { name: `Folder ${folder}`, tags: ['one', 'two'], users });
    });
    const { token } = await data.signIn(owner);
    const ask = async (etag?: string): Promise<Reply> => {
      const headers = { 'accept-encoding': 'br, gzip', ...(etag && { 'if-none-match': etag }) };
      const reply = await target.call('GET', 'overview', { token, headers });
      if (![200, 304].includes(reply.status)) throw new Error(`the list answers ${reply.status}`);
      return reply;
    };
    await target.own?.restart();
    await pause(2_000);
    const first = await once(() => ask());
    const { body, headers } = await ask();
    const full = await mainThreadInPages(target, calls, () => ask());
    const unchanged = await mainThreadInPages(target, calls, () => ask(headers.etag));
    report(`the page’s list: ${folders} folders × ${padsOfEach} pads × ${members} members`, [
      { name: 'main thread of the server', value: full?.call ?? 0, unit: 'ms', goal: 10 },
      { name: 'main thread, nothing changed', value: unchanged?.call ?? 0, unit: 'ms' },
      { name: 'first call after a start, until it is answered', value: first, unit: 'ms' },
      { name: 'size of the answer', value: body.length / 1000, unit: 'kB' },
      {
        name: 'size of the answer, nothing changed',
        value: (await ask(headers.etag)).body.length / 1000,
        unit: 'kB',
        goal: 0,
      },
    ]);
  } finally {
    await target.close();
  }
}
