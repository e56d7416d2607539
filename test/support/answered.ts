/**
 * Which calls have succeeded in the tests of a run, and which errors were answered. `npm test` fails when one is
 * missing (bin/test.ts). Each answer was compared with its description (document.ts).
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { calls } from '../../api/calls';
import { errorMeanings } from '../../bin/docsErrors';
import type { Answer } from './leaks';

const noted = new Set<string>();

/** Notes an answer that is as described, in the folder of the run. `call` is its name in the description. */
export function noteAnswer(call: string | undefined, { status, text }: Answer): void {
  const place = process.env.ANSWERS;
  const what = status < 400 ? call : /"error":"([\w.]+)"/.exec(text)?.[1];
  if (place === undefined || what === undefined || noted.has(what)) return;
  noted.add(what);
  appendFileSync(path.join(place, String(process.pid)), `${what}\n`);
}

/** Calls and errors that other parts test, each with a file that names it. The description cannot describe itself. */
const elsewhere: Record<string, string> = {
  'GET /openapi.json': 'api/openapi',
  'GET /admin/directory/sync': 'ldap/directorySync',
  'POST /admin/directory/sync': 'ldap/directorySync',
  'GET /admin/import': 'tools/syncPeople',
  'POST /admin/import/roles': 'tools/syncPeople',
  'POST /admin/import/accounts': 'tools/syncPeople',
  // These two are in the answer about an export.
  'BACKEND.ERROR.EXPORT.FAILED': 'api/exportFailures',
  'BACKEND.ERROR.EXPORT.TOO_LARGE': 'api/exportFailures',
  // The addresses of pads, and the numbers for Prometheus, answer these.
  'BACKEND.ERROR.AUTHENTICATION.TOKEN_INCORRECT': 'host/metrics',
  'BACKEND.ERROR.PERMISSION.UNEXPECTED': 'host/visits',
  'BACKEND.ERROR.TYPE.ADDRESS': 'host/refusals',
};

const isNamed = ([what, file]: [string, string]): boolean =>
  readFileSync(path.join('test', `${file}.test.ts`), 'utf8').includes(what.replace(/^[A-Z]+ \//, ''));

/** Calls that never succeeded in the tests of a run, and errors that were never answered, one sentence each. */
export function answersMissing(place: string): string[] {
  const texts = readdirSync(place).map((name) => readFileSync(path.join(place, name), 'utf8'));
  const others = Object.entries(elsewhere).filter(isNamed);
  const found = new Set([...texts.flatMap((text) => text.split('\n')), ...others.map(([what]) => what)]);
  const sent = Object.entries(errorMeanings).filter(([, meaning]) => !meaning.startsWith('Not sent: '));
  const missing = (what: string): boolean => !found.has(what);
  return [
    ...Object.keys(calls)
      .filter(missing)
      .map((call) => `${call} succeeds in no test of test/api and test/network`),
    ...sent
      .map(([key]) => key)
      .filter(missing)
      .map((key) => `${key} is answered in no test of test/api and test/network`),
  ];
}
