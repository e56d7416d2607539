/** What each check of a running server can find. The page has a text about each finding and about what to do. */

export type CheckState = 'ok' | 'warning' | 'error' | 'unknown';

/** States by check and finding. Those of `address`, `proxy`, `cookies` and `websocket` are completed in the browser. */
export const checkFindings = {
  address: { good: 'ok', notSet: 'warning', needed: 'error', elsewhere: 'error' },
  proxy: {
    none: 'ok',
    trusted: 'ok',
    notTrusted: 'warning',
    silent: 'warning',
    names: 'warning',
    host: 'warning',
    scheme: 'error',
  },
  cookies: { good: 'ok', lost: 'error' },
  websocket: { good: 'ok', slow: 'warning', broken: 'error' },
  mail: {
    good: 'ok',
    unused: 'ok',
    off: 'warning',
    needed: 'error',
    invalid: 'error',
    unreachable: 'error',
  },
  ldap: { good: 'ok', unused: 'ok', failed: 'error' },
  cas: { good: 'ok', unused: 'ok', failed: 'error', service: 'error' },
  oidc: { good: 'ok', unused: 'ok', failed: 'error' },
  header: { good: 'ok', unused: 'ok', failed: 'error' },
  sync: { good: 'ok', unused: 'ok', waiting: 'warning', failed: 'warning' },
  host: { good: 'ok', old: 'warning', selfUpdate: 'warning', signIn: 'error', tokens: 'error' },
  database: { good: 'ok', embedded: 'warning', smallCache: 'warning' },
  plugins: { good: 'ok', showPads: 'error' },
  node: { good: 'ok', ended: 'warning', tooOld: 'error' },
  processes: { good: 'ok', misrouted: 'error', unavailable: 'error' },
  removals: { good: 'ok', unfinished: 'warning' },
  damage: { good: 'ok', found: 'warning', undecided: 'warning', searching: 'unknown', tooMany: 'unknown' },
  index: { good: 'ok', corrected: 'warning', memory: 'warning', building: 'unknown', comparing: 'unknown' },
} as const satisfies Record<string, Record<string, CheckState>>;

export type CheckId = keyof typeof checkFindings;

/** Any check can end without a result; `reason` says why. */
export const unchecked = 'unchecked';

export type FindingOf<Id extends CheckId> = keyof (typeof checkFindings)[Id] | typeof unchecked;

/** Values for the texts, such as `{ host: 'mail.example.org' }`. */
export type CheckFacts = Readonly<Record<string, string | number>>;

export interface Check {
  id: CheckId;
  state: CheckState;
  finding: string;
  facts: CheckFacts;
}

export const checkIds = Object.keys(checkFindings) as CheckId[];

/** All findings of all checks, each once. */
export const findingNames: readonly string[] = [
  ...new Set([unchecked, ...Object.values(checkFindings).flatMap((findings) => Object.keys(findings))]),
];

/** A result; the state follows from the finding. */
export function checked<Id extends CheckId>(id: Id, finding: FindingOf<Id>, facts: CheckFacts = {}): Check {
  const states: Readonly<Record<string, CheckState>> = checkFindings[id];
  return { id, finding: String(finding), state: states[String(finding)] ?? 'unknown', facts };
}
