/**
 * Measures the runs over an LDAP directory (slapd) of 50,000 people with accounts: the first, which changes every
 * account and gives roles, and the next. `BENCH_PEOPLE=10000` uses fewer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/app';
import { startLdapServer } from '../test/support/ldapServer';
import { writeFileDatabase } from './accountsDatabase';
import { countTo } from './dataset';
import { mainThreadTime, once, summarise } from './measure';
import { report } from './results';
import { openTarget, type Target, visitPage } from './target';

const people = Number(process.env.BENCH_PEOPLE ?? 50_000);
const classes = 100;

const values = (number: number): string[] => ['everybody', `class ${number % classes}`];

interface State {
  running: boolean;
  last: { began: number; ended: number; error: string | null; [count: string]: unknown } | null;
}

/** On a busy machine, the process that asks the directory may not have started in time. */
async function patiently<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 30) throw error;
      await pause(1_000);
    }
  }
}

/** Rules for a folder of everybody, and one for each class. */
async function setUp(target: Target, token: string, settings: object): Promise<void> {
  const put = (key: string, value: unknown) =>
    target.ask('PUT', `configuration/${key}`, { token, body: { value } });
  await patiently(() => put('authLdapSettings', settings));
  await put('authMethod', 'ldap');
  const rules = ['everybody', ...countTo(classes).map((number) => `class ${number}`)].map((value) => ({
    ...{ source: 'ldap', attribute: 'employeeType', value, role: 'writer', managers: ['person0'] },
  }));
  await target.ask('PUT', 'admin/group-rules', { token, body: { rules } });
}

/** The manager of all folders of the rules. */
const manager = { uid: 'person0', password: 'password of the manager' };

interface OwnGroups {
  value: { groups: Record<string, { name: string }> };
}

/** What others do during a run. The last two use the folder of everybody, once it is there. */
function others(target: Target, token: string): Record<string, () => Promise<unknown>> {
  let everybody: string | undefined;
  let pads = 0;
  const inFolder = (work: (id: string) => Promise<unknown>) => async () => {
    if (everybody !== undefined) await work(everybody);
  };
  return {
    'a call of others': () => target.ask('GET', 'configuration'),
    'a page of a server without the plugin': visitPage,
    'a list of 101 folders': async () => {
      const { value } = await target.ask<OwnGroups>('GET', 'group', { token });
      everybody ??= Object.entries(value.groups).find(([, { name }]) => name === 'everybody')?.[0];
    },
    'a new pad in the folder of everybody': inFolder((group) =>
      target.ask('POST', 'pad', { token, body: { group, name: `Pad ${pads++}` } }),
    ),
    'a new name of the folder of everybody': inFolder((group) =>
      target.ask('PUT', `group/${group}`, { token, body: { name: 'everybody', description: `${pads}` } }),
    ),
  };
}

/** Makes each call again and again, all kinds at the same time, until `done`. Resolves to the times. */
async function measureOthers(
  calls: Record<string, () => Promise<unknown>>,
  done: () => boolean,
): Promise<[string, number[]][]> {
  const measured = Object.entries(calls).map(async ([name, call]): Promise<[string, number[]]> => {
    const waits: number[] = [];
    while (!done()) {
      waits.push(await once(call));
      await pause(name === 'a call of others' ? 5 : 200);
    }
    return [name, waits];
  });
  return Promise.all(measured);
}

async function measureRun(target: Target, token: string, name: string): Promise<void> {
  const state = () => target.ask<State>('GET', 'admin/directory/sync', { token });
  const body = { login: manager.uid, password: manager.password };
  const signedIn = await patiently(() => target.ask<{ token: string }>('POST', 'auth/login', { body }));
  await target.longestTask();
  const pid = target.own.pid();
  const before = mainThreadTime(pid);
  await target.ask('POST', 'admin/directory/sync', { token, body: {} });
  let now = await state();
  let done = false;
  const measuring = measureOthers(others(target, signedIn.token), () => done);
  while (now.running || now.last === null) {
    await pause(500);
    now = await state();
  }
  const used = mainThreadTime(pid) - before;
  done = true;
  const waits = await measuring;
  if (now.last.error !== null) throw new Error(now.last.error);
  const longest = await target.longestTask();
  report(`directory: ${people} people, ${name} run`, [
    { name: 'it takes', value: (now.last.ended - now.last.began) / 1000, unit: 's' },
    { name: 'main thread, with the calls of others', value: used / 1000, unit: 's' },
    ...waits.flatMap(([call, times]) => {
      const { median, p99, max } = summarise(times);
      const found = Object.entries({ median, p99, longest: max });
      return found.map(([what, value]) => ({ name: `${call}, ${what}`, value, unit: 'ms' as const }));
    }),
    { name: 'longest work in one go', value: longest, unit: 'ms', goal: 50 },
    ...['changed', 'gained', 'lost'].map((what) => ({
      ...{ name: `people ${what}`, value: Number(now.last?.[what]), unit: '' as const },
    })),
  ]);
}

export async function directory(): Promise<void> {
  const folder = temporaryFolder();
  const more = countTo(people).map((number) => ({
    ...{ uid: `person${number}`, givenName: ['Ada'], sn: `Lovelace${number}`, employeeType: values(number) },
    mail: [`person${number}@school.example.org`],
    ...(number === 0 && { password: manager.password }),
  }));
  const ldap = await startLdapServer({ more });
  const database = await writeFileDatabase(folder.path, people);
  const target = await openTarget({ database });
  try {
    const token = await target.signInAdmin();
    // Until then, the index of all records answers that it is busy.
    while ((await target.call('GET', 'search-users/ada', { token })).status !== 200) await pause(1_000);
    await pause(10_000);
    await setUp(target, token, ldap.settings());
    for (const name of ['first', 'second']) await measureRun(target, token, name);
  } finally {
    await target.close();
    await ldap.stop();
    folder.remove();
  }
}
