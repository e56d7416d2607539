/**
 * Index from logins and addresses to accounts, updated with every change. The records are authoritative. Each start
 * checks all accounts in the background and adds missing entries, for example for an old database or for accounts that
 * another program wrote.
 */
import { createHash, hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MyPadsError } from '../errors';
import type { Log, Schedule } from '../ports';
import { inBatches } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import { comparableAddress, comparableLogin } from './accountNames';
import type { Directory } from './directory';

/** Index entry of a login or address (in normal form). */
export interface Name {
  /** Key of the index record that contains the entry. */
  key: string;
  tag: string;
}

export interface UserIndex {
  /** Resolves when all accounts can be found by login and e-mail. */
  readonly ready: Promise<void>;
  isReady(): boolean;
  /** Throws SERVER.BUSY before `ready`. */
  mustBeReady(): void;
  /**
   * Accounts with this login: exact spelling first, then the oldest. Old databases contain duplicates, some with
   * composed and decomposed letters.
   */
  withLogin(login: string): Promise<UserRecord[]>;
  /** Accounts whose login looks the same, the oldest first. */
  withSimilarLogin(login: string): Promise<UserRecord[]>;
  /** Accounts with this mailbox: exact spelling first, then the oldest. */
  withEmail(email: string, anyCase: boolean): Promise<UserRecord[]>;
  /** Keys to lock while a name (login or address) is being taken. */
  keysOf(name: string): string[];
  /** Adds an account to a name. Call it under the lock of the name's key. */
  addEntry(name: Name, id: string): Promise<void>;
  /** Takes the same time as `addEntry` and changes nothing, so that the time does not tell which was called. */
  rewriteEntry(name: Name): Promise<void>;
  /** Removes an account from a name, unless the account still has that name. */
  removeEntry(name: Name, id: string): Promise<void>;
  /** Aborts the background work; the next start begins again. Resolves when it has stopped. */
  close(): Promise<void>;
}

/** An index record: one `<tag> <id>` per line. One text needs much less memory than an array. */
interface NamesRecord {
  names?: unknown;
}

const retryAfter = 5_000;
/** Hexadecimal digits of the digest that select the record. */
const digits = 3;
const tagLength = 12;
/** Index records checked at the same time. */
const batchSize = 256;
/** Milliseconds between two batches of the check, if there are many names. */
const verifyPause = 20;
const manyNames = 2_000;

/**
 * `createHash` makes an object with memory outside of the heap, which stays until a garbage collection: hundreds of
 * thousands of them at the first start. Node before 20.12 has no `hash`.
 */
const sha256: (text: string) => string =
  typeof hash === 'function'
    ? (text) => hash('sha256', text)
    : (text) => createHash('sha256').update(text).digest('hex');

function nameOf(kind: 'login' | 'mail', comparable: string): Name {
  const digest = sha256(`${kind}:${comparable}`);
  return { key: keys.names(digest.slice(0, digits)), tag: digest.slice(digits, digits + tagLength) };
}

export const loginName = (login: string): Name => nameOf('login', comparableLogin(login));
export const mailName = (email: string): Name => nameOf('mail', comparableAddress(email));

/** The index entries of an account. */
function namesOf({
  login,
  email,
  addressTaken,
}: Pick<UserRecord, 'login' | 'email' | 'addressTaken'>): Name[] {
  return email === '' || addressTaken ? [loginName(login)] : [loginName(login), mailName(email)];
}

const includesName = (user: UserRecord, { key, tag }: Name): boolean =>
  namesOf(user).some((name) => name.key === key && name.tag === tag);

/** Ids of ep_mypads 1.x may contain any character. An unpaired surrogate cannot be encoded, so it is replaced first. */
const lineOf = (tag: string, id: string): string =>
  `${tag} ${encodeURIComponent(Buffer.from(id).toString())}`;

/** The valid lines of an index record. */
export function linesOf(record: NamesRecord | undefined): string[] {
  const { names } = record ?? {};
  return typeof names === 'string' ? names.split('\n').filter((line) => /^[0-9a-f]+ \S+$/.test(line)) : [];
}

function idOf(line: string): string[] {
  try {
    return [decodeURIComponent(line.slice(tagLength + 1))];
  } catch {
    return [];
  }
}

const idsOf = (record: NamesRecord | undefined, tag: string): string[] =>
  linesOf(record)
    .filter((line) => line.startsWith(`${tag} `))
    .flatMap(idOf);

/** The lines that each index record must contain for these accounts. */
export function linesByKey(users: Iterable<UserRecord>): Map<string, string[]> {
  const wanted = new Map<string, string[]>();
  for (const user of users) {
    for (const { key, tag } of namesOf(user)) {
      wanted.set(key, [...(wanted.get(key) ?? []), lineOf(tag, user._id)]);
    }
  }
  return wanted;
}

export const namesRecord = (lines: readonly string[]): { names: string } => ({ names: lines.join('\n') });

/** Moves exact matches to the front. */
function exactFirst(users: UserRecord[], isExact: (user: UserRecord) => boolean): UserRecord[] {
  return [...users.filter(isExact), ...users.filter((user) => !isExact(user))];
}

export function createUserIndex(context: {
  store: Store;
  directory: Directory;
  schedule: Schedule;
  log: Log;
}): UserIndex {
  const { store, directory, schedule, log } = context;
  const closing = new AbortController();
  const { signal } = closing;
  let built = false;
  let isFirst = false;
  let building: Promise<void> | undefined;

  async function candidates(
    { key, tag }: Name,
    matches: (user: UserRecord) => boolean,
  ): Promise<UserRecord[]> {
    const ids = idsOf(await store.get<NamesRecord>(key), tag);
    const records = await store.getMany<unknown>(ids.map(keys.user));
    return ids
      .map((id, position) => readUser(id, records[position]))
      .filter((user): user is UserRecord => user !== undefined && matches(user))
      .sort((one, other) => one.ctime - other.ctime);
  }

  async function addEntry({ key, tag }: Name, id: string): Promise<void> {
    const lines = linesOf(await store.get<NamesRecord>(key));
    const line = lineOf(tag, id);
    if (!lines.includes(line)) await store.set(key, namesRecord([...lines, line]));
  }

  /** Adds a missing entry if the account still has the name. Returns whether it was missing. */
  function addMissing(name: Name, id: string): Promise<boolean> {
    return store.locked([name.key], async () => {
      if (idsOf(await store.get<NamesRecord>(name.key), name.tag).includes(id)) return false;
      const user = readUser(id, await store.get(keys.user(id)));
      if (user === undefined || !includesName(user, name)) return false;
      await addEntry(name, id);
      return true;
    });
  }

  /** Returns the number of added entries. */
  async function addAllMissing(users: readonly UserRecord[]): Promise<number> {
    let added = 0;
    for (const user of users) {
      for (const name of namesOf(user)) if (await addMissing(name, user._id)) added += 1;
    }
    return added;
  }

  /** Account numbers, grouped by index record. Typed arrays, because there may be many. */
  async function numbersByRecord(): Promise<{ starts: Uint32Array; numbers: Uint32Array }> {
    const [records, accounts]: [number[], number[]] = [[], []];
    const starts = new Uint32Array(16 ** digits + 1);
    await directory.each((entry, number) => {
      for (const { key } of namesOf(entry)) {
        const record = Number.parseInt(key.slice(-digits), 16);
        records.push(record);
        accounts.push(number);
        starts[record + 1] = (starts[record + 1] ?? 0) + 1;
      }
    }, signal);
    for (let record = 0; record < 16 ** digits; record += 1) {
      starts[record + 1] = (starts[record + 1] ?? 0) + (starts[record] ?? 0);
    }
    const next = starts.slice();
    const numbers = new Uint32Array(accounts.length);
    for (const [index, record] of records.entries()) {
      const at = next[record] ?? 0;
      numbers[at] = accounts[index] ?? 0;
      next[record] = at + 1;
    }
    return { starts, numbers };
  }

  /**
   * Adds missing entries and returns their number. `first`: before any account can change, so each record is written at
   * once. `again`: one by one, after reading the account.
   */
  async function complete(how: 'first' | 'again'): Promise<number> {
    const { starts, numbers } = await numbersByRecord();
    let added = 0;

    async function completeRecord(record: number): Promise<void> {
      const key = keys.names(record.toString(16).padStart(digits, '0'));
      const mine = [...new Set(numbers.subarray(starts[record], starts[record + 1]))];
      if (mine.length === 0) return;
      const wanted = mine.flatMap((number) => {
        const entry = directory.entry(number);
        const names = entry ? namesOf(entry).filter((name) => name.key === key) : [];
        return names.map((name) => ({ name, id: entry?._id ?? '' }));
      });
      const lines = linesOf(await store.get<NamesRecord>(key));
      const known = new Set(lines);
      const missing = wanted.filter(({ name, id }) => !known.has(lineOf(name.tag, id)));
      if (missing.length === 0) return;
      if (how === 'again') {
        for (const { name, id } of missing) if (await addMissing(name, id)) added += 1;
        return;
      }
      added += missing.length;
      await store.set(key, namesRecord([...lines, ...missing.map(({ name, id }) => lineOf(name.tag, id))]));
    }

    for (let record = 0; record < 16 ** digits; record += batchSize) {
      signal.throwIfAborted();
      if (how === 'again' && numbers.length > manyNames) await pause(verifyPause, undefined, { signal });
      const part = Array.from(
        { length: Math.min(batchSize, 16 ** digits - record) },
        (_, more) => record + more,
      );
      await Promise.all(part.map(completeRecord));
    }
    return added;
  }

  /** Removes the index of an earlier version. */
  async function removeOldIndex(): Promise<void> {
    if ((await store.get(keys.oldNamesState)) === undefined) return;
    for (const prefix of keys.oldNames) {
      const old = (await store.scan(prefix)).filter((key) => key.startsWith(prefix));
      await inBatches(old, async (part) => void (await Promise.all(part.map((key) => store.remove(key)))), {
        signal,
      });
    }
    await store.remove(keys.oldNamesState);
  }

  /**
   * Opens the index only when all accounts can be found. Otherwise an imported account could not be told from an
   * unknown one, and its names could be taken.
   */
  async function makeReady(): Promise<void> {
    const imported: UserRecord[] = [];
    let added = 0;
    isFirst = await directory.load(async (users) => {
      if (imported.length < batchSize) imported.push(...users);
    }, signal);
    if (isFirst || imported.length >= batchSize) added += await complete('first');
    else added += await addAllMissing(imported);
    logAdded(added);
    directory.markReady();
  }

  function logAdded(added: number): void {
    if (isFirst || added === 0) return;
    log.warn('index entries added for accounts that another program wrote', { added });
  }

  async function verifyAll(): Promise<void> {
    let added = 0;
    if (isFirst) await directory.save();
    await directory.verify(async (users) => {
      added += await addAllMissing(users);
    }, signal);
    if (!isFirst) logAdded(added + (await complete('again')));
    isFirst = false;
    await removeOldIndex();
  }

  const ready = new Promise<void>((resolve) => {
    const build = async (): Promise<void> => {
      if (!built) await makeReady();
      built = true;
      resolve();
      await verifyAll();
    };
    const attempt = (): void => {
      building = build().catch((error: unknown) => {
        if (signal.aborted) return;
        log.error('building the account index failed, retrying in 5 s', { error: String(error) });
        schedule.later('build the account index again', retryAfter, attempt);
      });
    };
    attempt();
  });

  return {
    ready,
    isReady: () => built,
    mustBeReady() {
      if (!built) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    },
    async withLogin(login) {
      const wanted = login.normalize();
      const found = await candidates(loginName(login), (user) => user.login.normalize() === wanted);
      return exactFirst(found, (user) => user.login === login);
    },
    withSimilarLogin(login) {
      const wanted = comparableLogin(login);
      return candidates(loginName(login), (user) => comparableLogin(user.login) === wanted);
    },
    async withEmail(email, anyCase) {
      const terms = { keepCase: !anyCase };
      const wanted = comparableAddress(email, terms);
      const found = await candidates(
        mailName(email),
        (user) => comparableAddress(user.email, terms) === wanted,
      );
      return exactFirst(found, (user) => user.email === email);
    },
    keysOf: (name) => [loginName(name).key, mailName(name).key],
    addEntry,
    async rewriteEntry({ key }) {
      const record = await store.get<NamesRecord>(key);
      if (record) await store.set(key, record);
    },
    async removeEntry(name, id) {
      await store.locked([name.key], async () => {
        const lines = linesOf(await store.get<NamesRecord>(name.key));
        const line = lineOf(name.tag, id);
        const user = readUser(id, await store.get(keys.user(id)));
        if (!lines.includes(line) || (user && includesName(user, name))) return;
        const others = lines.filter((other) => other !== line);
        if (others.length === 0) await store.remove(name.key);
        else await store.set(name.key, namesRecord(others));
      });
    },
    async close() {
      closing.abort();
      await building;
    },
  };
}
