/**
 * Measures how long the server is blocked while a pad with 20,000 revisions is removed: by the delay of cheap calls,
 * and by the processor time of the server's main thread. Compares this with a removal by Etherpad itself.
 */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/app';
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { databaseWithLongPads } from '../test/support/longPads';
import { longTasks, ms, once, print, processorTime, summarise } from './measure';
import { listen } from './signIn';

const revisions = 20_000;
const [ours, queued, theirs] = ['bench-ours', 'bench-queued', 'bench-theirs'];

async function signIn(etherpad: RunningEtherpad, kind: 'admin' | 'person'): Promise<string> {
  for (;;) {
    const { name, password } = etherpad.admin;
    const answer =
      kind === 'admin'
        ? await etherpad.api('POST', 'auth/admin/login', { body: { login: name, password } })
        : await etherpad.api('POST', 'auth/login', {
            body: { login: 'alice', password: 'alice-password-1' },
          });
    const { token } = answer.body as { token?: string };
    if (token !== undefined) return token;
    if (answer.status !== 503) throw new Error(`sign-in answers ${answer.status}`);
    await pause(100);
  }
}

/** Returns the end of a database file. Reading all of it would block this process, which measures at the same time. */
async function endOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, 20_000);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}

const above = (limit: number, found: readonly number[]): number =>
  found.filter((task) => task > limit).length;

export async function removePad(): Promise<void> {
  const folder = temporaryFolder();
  const ids = [ours, queued, theirs];
  const database = databaseWithLongPads(folder.path, { ids, revisions, chat: 200 });
  const file = path.join(folder.path, 'longTasks.json');
  const probe = path.join(__dirname, 'stallProbe.cjs');
  const etherpad = await startEtherpad({
    database,
    env: { NODE_OPTIONS: `--require ${probe}`, STALL_FILE: file },
  });
  try {
    const token = await signIn(etherpad, 'person');
    const remove = async (id: string): Promise<void> => {
      const { status } = await etherpad.api('DELETE', `pad/${id}`, { token });
      if (status !== 200) throw new Error(`removal answers ${status}`);
    };
    await listen(etherpad, pause(3_000));
    await longTasks(etherpad, file);
    const quiet = summarise(await listen(etherpad, pause(5_000)));
    const [quietWork = 0] = await longTasks(etherpad, file);
    const rows: [string, string][] = [
      ['a cheap call, quiet server', `${ms(quiet.median)} median, ${ms(quiet.max)} worst`],
      ['longest work in one go, quiet server', ms(quietWork)],
    ];
    const measure = async (title: string, work: () => Promise<unknown>): Promise<void> => {
      let took = 0;
      const before = processorTime(etherpad.pid());
      const removal = once(work).then((time) => {
        took = time;
      });
      const { p95, max } = summarise(await listen(etherpad, removal));
      await removal;
      const found = await longTasks(etherpad, file);
      const used = processorTime(etherpad.pid()) - before;
      rows.push(
        [`${title}: stall`, `${ms(max - quiet.median)} longest, ${ms(p95 - quiet.median)} p95`],
        [
          '  longest work in one go',
          `${found.slice(0, 3).map(ms).join(', ')}; ${above(10, found)} above 10 ms, ${above(20, found)} above 20 ms`,
        ],
        ['  until it is gone', `${ms(took)}, processor ${ms(used)}`],
      );
    };
    await measure('removed by us', () => remove(ours));
    const admin = await signIn(etherpad, 'admin');
    await etherpad.api('PUT', 'configuration/deleteJobQueue', { token: admin, body: { value: true } });
    // The note of the removal is deleted last: the database writes a line with its key and no value.
    const deletedNote = `{"key":"mypads:jobqueue:deletePad:${queued}"}`;
    await measure('by us, queued', async () => {
      await remove(queued);
      while (!(await endOf(etherpad.databaseFile)).includes(deletedNote)) await pause(100);
    });
    await measure('by the host', () => etherpad.removeAsHost(theirs));
    print(`a pad with ${revisions} revisions is removed (goal: no stall of 20 ms)`, rows);
  } finally {
    await etherpad.stop();
    folder.remove();
  }
}
