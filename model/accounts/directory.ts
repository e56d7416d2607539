/**
 * Search over all accounts. A compact copy of the records is kept in memory and in the database, so that a start need
 * not read every record. The records are authoritative: each start compares the keys, and then verifies all records in
 * the background.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { MyPadsError } from '../errors';
import { plainText } from '../ids';
import type { AccountSorting } from '../sortings';
import type { UserRecord } from '../store/entities';
import { readUser } from '../store/records';
import { keys } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { orBusy } from '../timeLimit';
import { AccountOrder } from './accountOrder';
import { AccountSearch, type Found } from './accountSearch';
import { type AccountEntry, type AccountFacts, AccountTable, fingerprint } from './accountTable';
import { type SavedContext, SavedDirectory } from './savedDirectory';
import { createMilestone, unlessAborted } from './waiting';

export type { Found } from './accountSearch';
export type { AccountEntry, AccountFacts } from './accountTable';

export interface DirectoryQuery {
  /**
   * Part of login, e-mail, first name, last name, or both names together. Letter case and accents do not matter; `''`
   * finds everybody.
   */
  text?: string;
  /** Only accounts in this state. */
  filter?: Partial<AccountFacts>;
  /** Default: `login`. */
  sort?: AccountSorting;
  descending?: boolean;
  offset?: number;
  /** Default: all from `offset` on. */
  limit?: number;
}

/** Called with accounts that are new or changed, for the index of names. */
export type AccountListener = (users: readonly UserRecord[]) => Promise<void>;

export interface Directory {
  /** Throws SERVER.BUSY until the directory is loaded. */
  search(query: DirectoryQuery): Promise<Found>;
  /**
   * Ids of accounts that refer to one of these groups, pads or accounts. A few of the ids may be wrong. Waits until
   * `verify` has finished.
   */
  findReferring(ids: Iterable<string>, signal?: AbortSignal): Promise<string[]>;
  /** Ids of all accounts. Throws SERVER.BUSY until the directory is loaded. */
  ids(): Promise<string[]>;
  /** Number of accounts. Throws SERVER.BUSY until the directory is loaded. */
  count(): Promise<number>;
  /**
   * Loads the saved copy and reads accounts that are new since then; `found` is called with them. Resolves to true when
   * nothing had been saved.
   */
  load(found: AccountListener, signal: AbortSignal): Promise<boolean>;
  /** Call it when all accounts are loaded and indexed. Searches can start then. */
  markReady(): void;
  /**
   * Reads all records again, unless `load` did; `changed` is called with those that differ from the saved copy.
   */
  verify(changed: AccountListener, signal: AbortSignal): Promise<void>;
  /** Reads all records again, because other processes may have changed any. */
  refresh(): Promise<void>;
  /** Visits every account. */
  each(visit: (entry: AccountEntry, number: number) => void, signal: AbortSignal): Promise<void>;
  /** The account with this number from `each`; `undefined` when it was removed. */
  entry(number: number): AccountEntry | undefined;
  /** Call it after each write to the database. */
  recordWritten(key: string, before: unknown, after: unknown): void;
  /** Saves the changed parts. */
  save(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that a search waits for loading before it answers SERVER.BUSY. */
const waitLimit = 2_000;
/** Records read at the same time. */
const batchSize = 200;
/** Milliseconds between two batches of `verify`. */
const verifyPause = 20;

const prefix = keys.user('');

class AccountDirectory implements Directory {
  private table = new AccountTable();
  private order = new AccountOrder(this.table);
  private searches = new AccountSearch(this.table, this.order);
  private readonly saved: SavedDirectory;
  private readonly closing = new AbortController();
  /** Accounts written during the current read. What was read of them is out of date. */
  private writtenMeanwhile: Set<string> | undefined;
  private isReady = false;
  /** True when every record was read during this start, so that none needs to be read a second time. */
  private wasReadWhole = false;
  private readonly loaded = createMilestone();
  private readonly verified = createMilestone();

  constructor(private readonly context: SavedContext) {
    this.saved = new SavedDirectory(context, () => ({ table: this.table, order: this.order }));
  }

  // 1. Keeping it up to date

  /** Returns whether anything changed. */
  private put(user: UserRecord): boolean {
    const before = this.table.numberOf(user._id);
    const login = before < 0 ? undefined : this.table.loginOf(before);
    if (!this.table.put(user)) return false;
    const number = before < 0 ? this.table.numberOf(user._id) : before;
    if (login !== user.login) this.order.loginChanged(number);
    this.searches.changed(number);
    this.saved.noteChange();
    return true;
  }

  private remove(id: string): void {
    const number = this.table.numberOf(id);
    if (!this.table.remove(id)) return;
    this.order.removed();
    this.searches.changed(number);
    this.saved.noteChange();
  }

  readonly recordWritten = (key: string, _before: unknown, stored: unknown): void => {
    if (!key.startsWith(prefix)) return;
    const id = key.slice(prefix.length);
    this.writtenMeanwhile?.add(id);
    const user = readUser(id, stored);
    if (user === undefined) this.remove(id);
    else this.put(user);
  };

  /** Reads accounts and passes on those that are new or changed. */
  private async readRecords(
    ids: readonly string[],
    onChanged: AccountListener,
    { signal, isNew }: { signal: AbortSignal; isNew: boolean },
  ): Promise<void> {
    for (let start = 0; start < ids.length; start += batchSize) {
      signal.throwIfAborted();
      const part = ids.slice(start, start + batchSize);
      const written = new Set<string>();
      this.writtenMeanwhile = written;
      const records = await this.context.store.getMany<unknown>(part.map(keys.user));
      const fresh: UserRecord[] = [];
      for (const [index, id] of part.entries()) {
        if (written.has(id)) continue;
        const user = readUser(id, records[index]);
        if (user === undefined) {
          if (isNew) this.context.log.warn('damaged account record ignored', { key: keys.user(id) });
          this.remove(id);
        } else if (this.put(user)) fresh.push(user);
      }
      this.writtenMeanwhile = undefined;
      if (fresh.length > 0) await onChanged(fresh);
      await turn();
    }
  }

  /** Returns the ids of unknown accounts. Removes accounts whose record no longer exists. */
  private async compareKeys(): Promise<string[]> {
    const present = new Uint8Array(this.table.capacity);
    const unknown: string[] = [];
    for (const key of await this.context.store.scan(prefix)) {
      if (!key.startsWith(prefix)) continue;
      const id = key.slice(prefix.length);
      const number = this.table.numberOf(id);
      if (number < 0) unknown.push(id);
      else present[number] = 1;
      if (sliceUsed()) await nextSlice();
    }
    for (const [number, isPresent] of present.entries()) {
      const id = isPresent === 1 ? undefined : this.table.idOf(number);
      if (id !== undefined) this.remove(id);
    }
    return unknown;
  }

  // 2. The start

  async load(found: AccountListener, signal: AbortSignal): Promise<boolean> {
    const saved = await this.saved.read().catch((error: unknown) => {
      if (error instanceof MyPadsError) throw error;
      this.context.log.warn('saved account directory unreadable, reading all accounts', {
        error: String(error),
      });
      return undefined;
    });
    this.table = saved?.table ?? new AccountTable();
    this.order = saved?.order ?? new AccountOrder(this.table);
    this.searches = new AccountSearch(this.table, this.order);
    const unknown = await this.compareKeys();
    await this.readRecords(unknown, found, { signal, isNew: true });
    this.wasReadWhole = saved === undefined;
    return this.wasReadWhole;
  }

  markReady(): void {
    this.isReady = true;
    this.saved.saveChanges();
    this.loaded.reach();
  }

  async verify(changed: AccountListener, signal: AbortSignal): Promise<void> {
    if (!this.wasReadWhole) await this.readAllAgain(changed, signal);
    this.verified.reach();
    if (this.saved.isOutdated) await this.save();
  }

  async refresh(): Promise<void> {
    const { signal } = this.closing;
    await unlessAborted(this.verified.reached, signal);
    const unchanged = async (): Promise<void> => {};
    await this.readRecords(await this.compareKeys(), unchanged, { signal, isNew: true });
    await this.readAllAgain(unchanged, signal);
  }

  private async readAllAgain(changed: AccountListener, signal: AbortSignal): Promise<void> {
    for (let start = 0; start < this.table.capacity; start += batchSize) {
      const ids: string[] = [];
      for (let number = start; number < start + batchSize; number += 1) {
        const id = this.table.idOf(number);
        if (id !== undefined) ids.push(id);
      }
      if (start > 0) await pause(verifyPause, undefined, { signal });
      await this.readRecords(ids, changed, { signal, isNew: false });
    }
  }

  // 3. Reading

  private async waitForLoading(): Promise<void> {
    if (!this.isReady) await orBusy(this.loaded.reached, waitLimit);
  }

  async search({
    text = '',
    filter = {},
    sort = 'login',
    descending = false,
    offset = 0,
    limit = Number.POSITIVE_INFINITY,
  }: DirectoryQuery): Promise<Found> {
    await this.waitForLoading();
    if (!this.order.isComplete) await orBusy(this.order.complete(), waitLimit);
    return this.searches.search(plainText(text.trim()), filter, { sort, descending, offset, limit });
  }

  async findReferring(ids: Iterable<string>, signal?: AbortSignal): Promise<string[]> {
    await (signal ? unlessAborted(this.verified.reached, signal) : this.verified.reached);
    const references = new Set(Array.from(ids, fingerprint));
    const found: string[] = [];
    for (let number = 0; number < this.table.capacity; number += 1) {
      const id = this.table.mayReferTo(number, references) ? this.table.idOf(number) : undefined;
      if (id !== undefined) found.push(id);
      if (number % 256 === 0 && sliceUsed()) await nextSlice();
    }
    return found;
  }

  async ids(): Promise<string[]> {
    await this.waitForLoading();
    const found: string[] = [];
    for (let number = 0; number < this.table.capacity; number += 1) {
      const id = this.table.idOf(number);
      if (id !== undefined) found.push(id);
      if (number % 256 === 0 && sliceUsed()) await nextSlice();
    }
    return found;
  }

  async count(): Promise<number> {
    await this.waitForLoading();
    return this.table.size;
  }

  async each(visit: (entry: AccountEntry, number: number) => void, signal: AbortSignal): Promise<void> {
    for (let number = 0; number < this.table.capacity; number += 1) {
      const entry = this.table.entry(number);
      if (entry) visit(entry, number);
      if (number % 64 === 0 && sliceUsed()) await nextSlice();
      signal.throwIfAborted();
    }
  }

  entry(number: number): AccountEntry | undefined {
    return this.table.entry(number);
  }

  save(): Promise<void> {
    return this.saved.save();
  }

  close(): Promise<void> {
    this.closing.abort();
    return this.saved.close();
  }
}

export function createDirectory(context: SavedContext): Directory {
  return new AccountDirectory(context);
}
