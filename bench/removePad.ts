/**
 * How long does the event loop that carries everybody's keystrokes stall while a pad with 20,000 revisions is removed? Measured as for sign-in: a
 * cheap call goes out every few milliseconds, and its answer's delay, less what it takes on a quiet server, is the stall. The
 * same removal by the host itself stands beside it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/app';
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { databaseWithLongPads } from '../test/support/longPads';
import { ms, once, print, summarise } from './measure';
import { listen } from './signIn';

const revisions = 20_000;
const [ours, theirs] = ['bench-ours', 'bench-theirs'];

async function signIn(etherpad: RunningEtherpad): Promise<string> {
  for (;;) {
    const body = { login: 'alice', password: 'alice-password-1' };
    const answer = await etherpad.api('POST', 'auth/login', { body });
    const { token } = answer.body as { token?: string };
    if (token !== undefined) return token;
    if (answer.status !== 503) throw new Error(`sign-in answers ${answer.status}`);
    await pause(100);
  }
}

export async function removePad(): Promise<void> {
  const folder = temporaryFolder();
  const database = databaseWithLongPads(folder.path, { ids: [ours, theirs], revisions, chat: 200 });
  const etherpad = await startEtherpad({ database });
  try {
    const token = await signIn(etherpad);
    const quiet = summarise(await listen(etherpad, pause(2_000)));
    const measured = async (work: () => Promise<unknown>): Promise<[string, string]> => {
      let took = 0;
      const removal = once(work).then((time) => {
        took = time;
      });
      const { p95, max } = summarise(await listen(etherpad, removal));
      await removal;
      return [`${ms(max - quiet.median)} longest, ${ms(p95 - quiet.median)} p95`, ms(took)];
    };
    const [stall, time] = await measured(async () => {
      const { status } = await etherpad.api('DELETE', `pad/${ours}`, { token });
      if (status !== 200) throw new Error(`removal answers ${status}`);
    });
    const [hostStall, hostTime] = await measured(() => etherpad.removeAsHost(theirs));
    print(`a pad with ${revisions} revisions is removed (aim: no stall of 20 ms)`, [
      ['a cheap call, quiet server', `${ms(quiet.median)} median, ${ms(quiet.max)} worst`],
      ['stall, removed by us', stall],
      ['until it is gone', time],
      ['stall, removed by the host', hostStall],
      ['until it is gone', hostTime],
    ]);
  } finally {
    await etherpad.stop();
    folder.remove();
  }
}
