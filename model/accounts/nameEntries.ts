/** Adds and removes entries of the index: one account under one name. */
import type { UserRecord } from '../store/entities';
import { readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import {
  idsOf,
  includesName,
  lineOf,
  linesOf,
  type Name,
  type NamesRecord,
  namesRecord,
} from './nameRecords';

export class NameEntries {
  constructor(private readonly store: Store) {}

  /** Accounts that have this name and match, the oldest first. */
  async find({ key, tag }: Name, matches: (user: UserRecord) => boolean): Promise<UserRecord[]> {
    const ids = idsOf(await this.store.get<NamesRecord>(key), tag);
    const records = await this.store.getMany<unknown>(ids.map(keys.user));
    return ids
      .map((id, position) => readUser(id, records[position]))
      .filter((user): user is UserRecord => user !== undefined && matches(user))
      .sort((one, other) => one.ctime - other.ctime);
  }

  /** Call it under the lock of the name's key. */
  async add({ key, tag }: Name, id: string): Promise<void> {
    const lines = linesOf(await this.store.get<NamesRecord>(key));
    const line = lineOf(tag, id);
    if (!lines.includes(line)) await this.store.set(key, namesRecord([...lines, line]));
  }

  /** Adds a missing entry if the account still has the name. Returns whether it was missing. */
  addMissing(name: Name, id: string): Promise<boolean> {
    return this.store.locked([name.key], async () => {
      if (idsOf(await this.store.get<NamesRecord>(name.key), name.tag).includes(id)) return false;
      const user = readUser(id, await this.store.get(keys.user(id)));
      if (user === undefined || !includesName(user, name)) return false;
      await this.add(name, id);
      return true;
    });
  }

  /** Writes the record of a name without a change. `rewriteEntry` of userIndex.ts says why. */
  async rewrite({ key }: Name): Promise<void> {
    const record = await this.store.get<NamesRecord>(key);
    if (record) await this.store.set(key, record);
  }

  /** Removes an account from a name, unless the account still has that name. */
  remove(name: Name, id: string): Promise<void> {
    return this.store.locked([name.key], async () => {
      const lines = linesOf(await this.store.get<NamesRecord>(name.key));
      const line = lineOf(name.tag, id);
      const user = readUser(id, await this.store.get(keys.user(id)));
      if (!lines.includes(line) || (user && includesName(user, name))) return;
      const others = lines.filter((other) => other !== line);
      if (others.length === 0) await this.store.remove(name.key);
      else await this.store.set(name.key, namesRecord(others));
    });
  }
}
