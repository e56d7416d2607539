/**
 * `ep-mypads doctor --online` prints the checkup of a running server, the same as in the administration. What only a
 * browser can check (address, proxy, cookies, websocket) is left out. `ep-mypads rebuild-index` begins to build its
 * index again.
 */
import { OperatorError } from '../host/standalone';
import texts from '../locales/en.json';
import type { Check, CheckState } from '../model/checkup/findings';
import { signIn } from './adminCall';
import { say } from './console';

const browserChecks: readonly string[] = ['address', 'proxy', 'cookies', 'websocket'];

const labels: Readonly<Record<CheckState, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  error: 'ERROR',
  unknown: 'unknown',
};

const known: Readonly<Record<string, string>> = texts;

/** A reason may be the key of an error. */
const inWords = (fact: string | number = ''): string => known[fact] ?? String(fact);

function textOf(key: string, facts: Check['facts'] = {}): string | undefined {
  return known[`admin.checkup.${key}`]?.replace(/\{\{(\w+)\}\}/g, (_, name: string) => inWords(facts[name]));
}

function describe({ id, finding, state, facts }: Check): void {
  const found = textOf(`${id}.${finding}`, facts) ?? textOf(finding, facts) ?? finding;
  say(`${labels[state].padEnd(8)} ${textOf(id) ?? id}: ${found}`);
  const fix = state === 'ok' ? undefined : textOf(`${id}.${finding}.fix`, facts);
  if (fix) say(`         ${fix}`);
}

/** Returns the exit code. 0: no warnings and no errors; checks may have no result. 1: warnings. 2: errors. */
export async function examineOnline(base: string): Promise<number> {
  const call = await signIn(base);
  const { checks, error } = await call('GET', 'admin/checkup');
  if (!Array.isArray(checks)) throw new OperatorError(`The checks could not be run: ${error}`);
  const shown = (checks as Check[]).filter(({ id }) => !browserChecks.includes(id));
  for (const check of shown) describe(check);
  if (shown.some(({ state }) => state === 'error')) return 2;
  return shown.some(({ state }) => state === 'warning') ? 1 : 0;
}

/** Returns the exit code 0. */
export async function rebuildIndex(base: string): Promise<number> {
  const call = await signIn(base);
  const { success, error } = await call('POST', 'admin/index/rebuild');
  if (success !== true) throw new OperatorError(`The index is not built again: ${error}`);
  say('The index is being built again. “doctor --online” says when that is done.');
  return 0;
}
