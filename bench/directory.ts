/**
 * Measures the runs over an LDAP directory (slapd) of 50,000 people with accounts: the first, which changes every
 * account and gives roles, and the next. `BENCH_PEOPLE=10000` uses fewer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/app';
import { startLdapServer } from '../test/support/ldapServer';
import { writeFileDatabase } from './accountsDatabase';
import { countTo } from './dataset';
import { once, summarise } from './measure';
import { report } from './results';
import { openTarget, type Target } from './target';

const people = Number(process.env.BENCH_PEOPLE ?? 50_000);
const classes = 100;

const values = (number: number): string[] => ['everybody', `class ${number % classes}`];

interface State {
  running: boolean;
  last: { began: number; ended: number; error: string | null; [count: string]: unknown } | null;
}

/** Rules for a folder of everybody, and one for each class. */
async function setUp(target: Target, token: string, settings: object): Promise<void> {
  const put = (key: string, value: unknown) =>
    target.ask('PUT', `configuration/${key}`, { token, body: { value } });
  await put('authLdapSettings', settings);
  await put('authMethod', 'ldap');
  const rules = ['everybody', ...countTo(classes).map((number) => `class ${number}`)].map((value) => ({
    ...{ source: 'ldap', attribute: 'employeeType', value, role: 'writer', managers: ['person0'] },
  }));
  await target.ask('PUT', 'admin/group-rules', { token, body: { rules } });
}

async function measureRun(target: Target, token: string, name: string): Promise<void> {
  const state = () => target.ask<State>('GET', 'admin/directory/sync', { token });
  await target.longTasks();
  await target.ask('POST', 'admin/directory/sync', { token, body: {} });
  const waits: number[] = [];
  let now = await state();
  while (now.running || now.last === null) {
    for (const _ of countTo(40)) {
      waits.push(await once(() => target.ask('GET', 'configuration')));
      await pause(5);
    }
    now = await state();
  }
  if (now.last.error !== null) throw new Error(now.last.error);
  const [longest = 0] = await target.longTasks();
  const { median, p99, max } = summarise(waits);
  report(`directory: ${people} people, ${name} run`, [
    { name: 'it takes', value: (now.last.ended - now.last.began) / 1000, unit: 's' },
    { name: 'a call of others, median', value: median, unit: 'ms' },
    { name: 'a call of others, p99', value: p99, unit: 'ms' },
    { name: 'a call of others, longest', value: max, unit: 'ms' },
    { name: 'longest work in one go', value: longest, unit: 'ms', goal: 20 },
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
