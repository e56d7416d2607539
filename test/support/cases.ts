/** Many cases of one rule in one test. */

type Cases<Case> = { readonly [name: string]: Case } | Iterable<readonly [name: string, value: Case]>;

/** The cases as a list. */
function listOf<Case>(cases: Cases<Case>): (readonly [name: string, value: Case])[] {
  const list = Symbol.iterator in cases ? [...(cases as Iterable<[string, Case]>)] : Object.entries(cases);
  if (list.length === 0) throw new Error('There are no cases.');
  return list;
}

type Check<Case> = (value: Case, name: string) => unknown;

/** What is wrong with a case, in words; nothing when it is right. */
async function faultOf<Case>([name, value]: readonly [string, Case], check: Check<Case>): Promise<string[]> {
  try {
    await check(value, name);
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function report(cases: number, faults: string[]): void {
  if (faults.length > 0)
    throw new Error(`${faults.length} of ${cases} cases are wrong:\n${faults.join('\n')}`);
}

/** Checks the cases one after the other. Throws one error that names every case that is wrong. */
export async function checkEach<Case>(cases: Cases<Case>, check: Check<Case>): Promise<void> {
  const list = listOf(cases);
  const faults: string[] = [];
  for (const one of list) faults.push(...(await faultOf(one, check)));
  report(list.length, faults);
}

/** As `checkEach`, for cases that wait for time limits: all at once. */
export async function checkTogether<Case>(cases: Cases<Case>, check: Check<Case>): Promise<void> {
  const list = listOf(cases);
  report(list.length, (await Promise.all(list.map((one) => faultOf(one, check)))).flat());
}
