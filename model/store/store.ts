/**
 * Access to the database: values by key, locks by key, key names. A change that depends on the stored value must use
 * `update` or `locked`, so that parallel changes run one after the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { MyPadsError } from '../errors';
import type { ExternalIdentity } from '../externalIdentity';
import type { BatchDatabase, Coordination, Database } from '../ports';
import { sha256 } from '../sha256';
import { nextSlice, sliceUsed } from './timeSlice';

/** Values that are read at the same time. */
const readsAtOnce = 50;

const digest = (text: string): string => sha256(text).slice(0, 40);

/**
 * Some SQL databases allow keys of at most 100 characters. Names and ids of ep_mypads 1.x can be longer, so long ones
 * are hashed.
 */
export const owner = (name: string): string => (/^[\w.@-]{1,60}$/.test(name) ? name : `#${digest(name)}`);
export const shortId = (id: string): string => (id.length <= 60 ? id : `#${digest(id)}`);

/** All our keys begin with this. */
export const ownPrefix = 'mypads:';
export const factorsPrefix = 'mypads:factors:';

/** All database keys. Keys up to `conf` that are not explained here are those of ep_mypads 1.x. */
export const keys = {
  user: (id: string) => `mypads:user:${id}`,
  group: (id: string) => `mypads:group:${id}`,
  pad: (id: string) => `mypads:pad:${id}`,
  deletePad: (padId: string) => `mypads:jobqueue:deletePad:${shortId(padId)}`,
  deleteGroup: (id: string) => `mypads:jobqueue:deleteGroup:${shortId(id)}`,
  /** Unfinished removals of an earlier version; see model/removal/oldNotes.ts. */
  pendingJobs: 'mypads:jobqueue:pending',
  /** Lock only, no value: creation of groups by one account. Taken before all other locks. */
  creationFor: (userId: string) => `mypads:creation:${userId}`,
  /** Locks only, no values: a registration whose mail is being sent; the removal of an account, and of a pad's text. */
  registration: (login: string, email: string) =>
    `mypads:registration:${digest(JSON.stringify([login, email]))}`,
  removalOf: (userId: string) => `mypads:removal:${userId}`,
  removalOfText: (padId: string) => `mypads:removal:pad:${padId}`,
  /** Work in the background, by id; see model/jobs/jobs.ts. */
  jobs: 'mypads:jobs',
  /** Lock only, no value: a job that runs. */
  job: (id: string) => `mypads:job:${id}`,
  /** Pads removed within the last year, by the first digits of a digest; see model/store/formerPads.ts. */
  formerPads: (start: string) => `mypads:formerpads:${start}`,
  conf: (name: string) => `mypads:conf:${name}`,
  /** Pads that a person has opened, `{pads: […]}`; see model/folders/recentPads.ts. */
  recent: (userId: string) => `mypads:recent:${owner(userId)}`,
  /** The last import of pads by a person; see model/padImport/padImports.ts. */
  padImport: (userId: string) => `mypads:padimport:${owner(userId)}`,
  /** What services sent about a person of the attributes that rules name; see model/rules/attributes.ts. */
  attributes: (userId: string) => `mypads:attributes:${shortId(userId)}`,
  /** Rules for groups of a directory; see model/rules/groupRules.ts. Taken before `names` and accounts. */
  groupRules: 'mypads:grouprules',
  /** The last run over all people of the directory; see model/people/directorySync.ts. */
  directorySync: 'mypads:directorysync',
  /** The group of a link, and how often it was opened; see model/folders/groupLinks.ts. */
  link: (id: string) => `mypads:link:${id}`,
  /** The group of an invitation; see model/people/invitations.ts. */
  invitation: (id: string) => `mypads:invitation:${id}`,
  /** An address that wants no invitations; see model/people/invitationMail.ts. */
  noInvitations: (address: string) => `mypads:noinvitations:${address}`,
  /** The account of a person of a service, `{user}`; see model/people/providerAccounts.ts. Taken before other locks. */
  identity: ({ method, issuer, subject }: ExternalIdentity) =>
    `mypads:accountidentity:${digest(JSON.stringify([method, issuer, subject]))}`,
  session: (id: string) => `mypads:session:${id}`,
  /** Session ids of a person: `{ids: […]}`. */
  sessionsOf: (kind: 'user' | 'admin', name: string) => `mypads:sessions:${kind}:${owner(name)}`,
  /** Ids of the sessions that began with one session at a provider: `{ids: […]}`. */
  sessionsOfSid: (issuer: string, sid: string) =>
    `mypads:providersession:${digest(JSON.stringify([issuer, sid]))}`,
  /** An API token, by its SHA-256; see model/access/apiTokens.ts. */
  apiToken: (hash: string) => `mypads:apitoken:${hash}`,
  /** The API tokens of a person, by their SHA-256: `{ids: […]}`. */
  apiTokensOf: (kind: 'user' | 'admin', name: string) => `mypads:apitokens:${kind}:${owner(name)}`,
  /** The second factors of an account; see model/access/factors.ts. */
  factors: (userId: string) => `${factorsPrefix}${owner(userId)}`,
  /** The account of a passkey, `{user}`, by the SHA-256 of its id. */
  passkey: (hash: string) => `mypads:passkey:${hash}`,
  /** Index of logins and addresses, by the first digits of a digest; see model/accounts/userIndex.ts. */
  names: (start: string) => `mypads:index:names:${start}`,
  /** Numbers of each day, `{days: […]}`; see model/accounts/dailyNumbers.ts. */
  dailyNumbers: 'mypads:numbers',
  /** Whether all pad records have the time of the last change; see model/folders/editTimes.ts. */
  editTimes: 'mypads:index:times',
  /** What server administrators did, `{entries: […]}`, and the newest such record; see model/adminLog/adminLog.ts. */
  adminLogPart: (number: number) => `mypads:adminlog:${number}`,
  adminLog: 'mypads:adminlog',
  tokenSecret: 'mypads:secret:token',
  /** What a person or an administrator has exported, `{exports: […]}`; see model/exports/exportRecords.ts. */
  exports: 'mypads:exports:',
  exportsOf: (kind: 'user' | 'admin', name: string) => `mypads:exports:${kind}:${owner(name)}`,
  /** Token of a mailed link, by its SHA-256; see model/people/mailToken.ts. */
  mailToken: (hash: string) => `mypads:mailtoken:${hash}`,
  /** Lock only, no value: all mailed links of one account. Taken before all other locks. */
  linksOf: (userId: string) => `mypads:accountlinks:${userId}`,
  /**
   * Unconfirmed accounts to check in the hour that ends at or after this time, `{uids: […]}`, and the next hour to
   * check; see model/people/unconfirmed.ts.
   */
  unconfirmed: (time: number) => `mypads:unconfirmed:${Math.ceil(time / 3600_000)}`,
  unconfirmedState: 'mypads:unconfirmed:state',
} as const;

export interface Store {
  /** The stored value, or `undefined`. Never modify the returned object. */
  get<T>(key: string): Promise<T | undefined>;
  /** Values in the order of `keys`, `undefined` for missing ones. */
  getMany<T>(keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Resolves when the value is in the database. Use it only when the old value does not matter, or under `locked`. */
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * Reads, changes and writes one value under its lock. `change` gets a copy; returning `undefined` writes nothing; an
   * error it throws is passed on. Returns the stored value.
   */
  update<T>(
    key: string,
    change: (current: T | undefined) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined>;
  /**
   * Runs `work` under the locks of these keys; use `get`, `set` and `remove` inside. Nested locks must be taken in
   * alphabetical order of their keys (group before user), or a deadlock is possible. Tests check this (`checkLocks`).
   */
  locked<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /** All keys with this prefix. Slow on large databases: for background work only. */
  scan(prefix: string): Promise<string[]>;
}

export interface StoreOptions {
  /**
   * Throws when locks are taken out of order. For tests only: tracking the held locks slows down every promise of the
   * process (Node 20 and 22).
   */
  checkLocks?: boolean;
}

type Locks = Pick<Coordination, 'lock' | 'isConnected'>;

/** Locks held by the running code, outer ones first. Shared by all stores; unused in production. */
const held = new AsyncLocalStorage<readonly { of: Locks; keys: Set<string> }[]>();

/** Runs `work` and records its locks. Throws when a lock breaks the alphabetical order. */
function inLockOrder<T>(of: Locks, sorted: readonly string[], work: () => Promise<T>): Promise<T> {
  const outer = held.getStore() ?? [];
  const first = sorted[0];
  if (first !== undefined) {
    for (const key of outer.flatMap((lock) => (lock.of === of ? [...lock.keys] : []))) {
      if (key >= first) throw new Error(`lock of ${first} requested while holding ${key}`);
    }
  }
  const keys = new Set(sorted);
  return held.run([...outer, { of, keys }], work).finally(() => keys.clear());
}

function createLocked(locks: Locks, checkLocks: boolean): Store['locked'] {
  async function acquireAll<T>(sorted: readonly string[], work: () => Promise<T>): Promise<T> {
    const releases: (() => void)[] = [];
    try {
      for (const key of sorted) releases.push(await locks.lock(key));
      return await work();
    } finally {
      for (const release of releases.reverse()) release();
    }
  }

  return async (wanted, work) => {
    const sorted = [...new Set(wanted)].sort();
    if (!checkLocks) return acquireAll(sorted, work);
    return inLockOrder(locks, sorted, () => acquireAll(sorted, work));
  };
}

/** While `locks` are not connected, the store refuses to write: SERVER.DATABASE_UNAVAILABLE. */
export function createStore(
  database: Database & Partial<BatchDatabase>,
  locks: Locks,
  { checkLocks = false }: StoreOptions = {},
): Store {
  const locked = createLocked(locks, checkLocks);
  const readAll =
    database.getMany ?? ((wanted: readonly string[]) => Promise.all(wanted.map((key) => database.get(key))));

  async function get<T>(key: string): Promise<T | undefined> {
    const value = await database.get(key);
    return (value ?? undefined) as T | undefined;
  }

  function write(work: () => Promise<void>): Promise<void> {
    // Another process may have the lock that this one has lost.
    if (!locks.isConnected())
      return Promise.reject(new MyPadsError('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE'));
    return work();
  }

  const set: Store['set'] = (key, value) => write(() => database.set(key, value));

  return {
    get,
    async getMany<T>(wanted: readonly string[]) {
      const values: (T | undefined)[] = [];
      for (let start = 0; start < wanted.length; start += readsAtOnce) {
        for (const value of await readAll(wanted.slice(start, start + readsAtOnce)))
          values.push((value ?? undefined) as T | undefined);
        // Values from Etherpad's cache arrive without a turn of the event loop, so this yields.
        if (sliceUsed()) await nextSlice();
      }
      return values;
    },
    set,
    remove: (key) => write(() => database.remove(key)),
    update<T>(key: string, change: (current: T | undefined) => T | undefined | Promise<T | undefined>) {
      return locked([key], async () => {
        const current = await get<T>(key);
        const next = await change(structuredClone(current));
        if (next === undefined) return current;
        await set(key, next);
        return next;
      });
    },
    locked,
    scan: (prefix) => database.findKeys(`${prefix}*`, null),
  };
}
