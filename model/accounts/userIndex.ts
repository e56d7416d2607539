/**
 * Index from logins and addresses to accounts, updated with every change. The records are authoritative. Each start
 * checks all accounts in the background and adds missing entries, for example for an old database or for accounts that
 * another program wrote.
 */

import { MyPadsError } from '../errors';
import type { RecordIndex } from '../index/recordIndex';
import type { Basics } from '../store/basics';
import type { UserRecord } from '../store/entities';
import { comparableAddress, comparableLogin } from './accountNames';
import { NameEntries } from './nameEntries';
import { loginName, mailName, type Name } from './nameRecords';
import { UserIndexStart } from './userIndexStart';

export interface UserIndexContext extends Pick<Basics, 'store' | 'log' | 'schedule'> {
  recordIndex: RecordIndex;
}

/** Moves exact matches to the front. */
function exactFirst(users: UserRecord[], isExact: (user: UserRecord) => boolean): UserRecord[] {
  return [...users.filter(isExact), ...users.filter((user) => !isExact(user))];
}

/** Begins to build the index when it is made. */
export class UserIndex {
  private readonly entries: NameEntries;
  private readonly start: UserIndexStart;

  constructor(context: UserIndexContext) {
    this.entries = new NameEntries(context.store);
    this.start = new UserIndexStart(context, this.entries);
  }

  /** Resolves when all accounts can be found by login and e-mail. */
  get ready(): Promise<void> {
    return this.start.ready;
  }

  isReady(): boolean {
    return this.start.isReady;
  }

  /** Throws SERVER.BUSY before `ready`. */
  mustBeReady(): void {
    if (!this.start.isReady) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  }

  /**
   * Accounts with this login: exact spelling first, then the oldest. Old databases contain duplicates, some with
   * composed and decomposed letters, and logins with blanks at the ends, which the page cannot send.
   */
  async withLogin(login: string): Promise<UserRecord[]> {
    const wanted = login.normalize().trim();
    const found = await this.entries.find(
      loginName(login),
      (user) => user.login.normalize().trim() === wanted,
    );
    return exactFirst(found, (user) => user.login === login);
  }

  /** Accounts whose login looks the same, the oldest first. */
  withSimilarLogin(login: string): Promise<UserRecord[]> {
    const wanted = comparableLogin(login);
    return this.entries.find(loginName(login), (user) => comparableLogin(user.login) === wanted);
  }

  /** Accounts with this mailbox: exact spelling first, then the oldest. */
  async withEmail(email: string, anyCase: boolean): Promise<UserRecord[]> {
    const terms = { keepCase: !anyCase };
    const wanted = comparableAddress(email, terms);
    const found = await this.entries.find(
      mailName(email),
      (user) => comparableAddress(user.email, terms) === wanted,
    );
    return exactFirst(found, (user) => user.email === email);
  }

  /** Keys to lock while a name (login or address) is being taken. */
  keysOf(name: string): string[] {
    return [loginName(name).key, mailName(name).key];
  }

  /** Adds an account to a name. Call it under the lock of the name's key. */
  addEntry(name: Name, id: string): Promise<void> {
    return this.entries.add(name, id);
  }

  /** Takes the same time as `addEntry` and changes nothing, so that the time does not tell which was called. */
  rewriteEntry(name: Name): Promise<void> {
    return this.entries.rewrite(name);
  }

  /** Removes an account from a name, unless the account still has that name. */
  removeEntry(name: Name, id: string): Promise<void> {
    return this.entries.remove(name, id);
  }

  /** Aborts the background work; the next start begins again. Resolves when it has stopped. */
  close(): Promise<void> {
    return this.start.close();
  }
}
