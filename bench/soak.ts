/**
 * `npm run soak -- --minutes 30`: a load test like a school day, with hundreds of open editors and hostile guests,
 * against a real Etherpad. Prints a line each minute and exits with 1 if a goal is missed. See bench/README.md.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { answerOf, startChild } from './children';
import { EmbeddedRecords } from './embeddedRecords';
import { closeConnections } from './http';
import type { ProbeValues } from './measure';
import { missedGoals, writeResults } from './results';
import { Callers } from './soakCallers';
import type { CrowdReport, Order } from './soakEditors';
import type { HostilityReport } from './soakHostile';
import { type Minute, printMinute, printResults } from './soakReport';
import { createSchool } from './soakSchool';
import { openTarget, serverName, type Target } from './target';

const options = {
  minutes: { type: 'string', default: '30' },
  /** Open editors. */
  editors: { type: 'string', default: '500' },
  /** Editors for each pad. */
  'per-pad': { type: 'string', default: '8' },
  /** Share of the people who type at any time. */
  typing: { type: 'string', default: '0.08' },
  /** Seconds between two changes by one person. */
  pace: { type: 'string', default: '2' },
  /** Factor for the rate of API calls. */
  calls: { type: 'string', default: '1' },
  /** Folders with 5 pads for each of the twelve teachers. */
  folders: { type: 'string', default: '40' },
  /** Hostile messages per second; 0 for none. */
  hostile: { type: 'string', default: '3' },
  out: { type: 'string' },
} as const;
const { values } = parseArgs({ options });
const numberOf = (name: Exclude<keyof typeof values, 'out'>): number => Number(values[name]);
const minutes = numberOf('minutes');
const editors = numberOf('editors');
const hostile = numberOf('hostile');

/** Pauses typing during the garbage collection, because its delay would be measured too. */
async function readProbeWhileQuiet(crowd: ChildProcess, target: Target): Promise<ProbeValues> {
  crowd.send({ hold: true } satisfies Order);
  await pause(1_000);
  try {
    return await target.probe('SIGWINCH');
  } finally {
    await pause(500);
    crowd.send({ hold: false } satisfies Order);
  }
}

async function soak(): Promise<void> {
  const target = await openTarget({ settings: { loglevel: 'WARN' } });
  const { own: ownServer } = target;
  const [crowd, hostileGuests] = [startChild('soakEditors.ts'), startChild('soakHostile.ts')];
  try {
    console.log(`${serverName}: creating a school for ${editors} editors …`);
    const size = { editors, perPad: numberOf('per-pad'), folders: numberOf('folders') };
    const { school, seats, hostilePad } = await createSchool(target, size);
    const { url, major } = target;
    console.log('Everybody opens a pad …');
    const [typing, pace] = [numberOf('typing'), numberOf('pace')];
    await answerOf(crowd, { open: { url, major, seats, typing, pace, reloadInterval: 2 } } satisfies Order);
    if (hostile > 0) hostileGuests.send({ server: { url, major, pad: hostilePad }, perSecond: hostile });
    const callers = new Callers(school);
    callers.start(numberOf('calls'));
    const records = new EmbeddedRecords(ownServer.databaseFile);
    // A warm-up, so that first connections and code that is not compiled yet are not measured.
    await pause(20_000);
    await answerOf<CrowdReport>(crowd, 'report' satisfies Order);
    await readProbeWhileQuiet(crowd, target);
    const measured: Minute[] = [];
    while (measured.length < minutes) {
      await pause(60_000);
      const minute: Minute = {
        crowd: await answerOf<CrowdReport>(crowd, 'report' satisfies Order),
        hostile: await answerOf<HostilityReport>(hostileGuests, 'report'),
        server: await readProbeWhileQuiet(crowd, target),
        records: await records.size(),
      };
      measured.push(minute);
      printMinute(measured.length, minute, callers);
    }
    callers.stop();
    printResults({ editors, measured, callers, log: ownServer.log() });
  } catch (error) {
    console.error(ownServer.log().slice(-4_000));
    // SIGKILL, because it may hang and ignore SIGTERM.
    await ownServer.kill9();
    throw error;
  } finally {
    crowd.disconnect();
    hostileGuests.disconnect();
    await target.close();
    closeConnections();
    if (values.out !== undefined) writeResults(values.out, serverName);
  }
  const goals = missedGoals();
  if (goals.length === 0) return console.log('\nAll goals are met.');
  console.log(`\nGoals that were missed:\n  ${goals.join('\n  ')}`);
  process.exitCode = 1;
}

soak().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
