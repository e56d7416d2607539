/**
 * Looking people up by parts of their names, for server administrators. The database can only be asked by key, so what is searched is
 * a small copy in memory: read in the background at the first search, and kept up by the events of accounts from then on.
 */
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Events } from './events';
import { plainText } from './ids';
import type { Log } from './ports';
import { readUser } from './records';
import { keys, type Store } from './store';

export type DirectoryEntry = Pick<
  UserRecord,
  '_id' | 'login' | 'email' | 'firstname' | 'lastname' | 'active'
>;

export interface Found {
  /** One page of them, by login. */
  entries: DirectoryEntry[];
  /** How many there are in all. */
  count: number;
}

export interface Directory {
  /**
   * The accounts that have `text` in login, e-mail, first or last name (or in both names as one), whatever the letter case and the
   * accents; everybody for `''`. `limit` left out: all from `offset` on. Throws SERVER.BUSY while the directory is being read.
   */
  search(text: string, page?: { offset?: number; limit?: number }): Promise<Found>;
  close(): void;
}

/** What a search waits for the directory to be read, in milliseconds; then it is BUSY, and asked again. */
const patience = 2_000;
/** Records that are read at once. */
const slice = 500;

interface Line extends DirectoryEntry {
  ctime: number;
  /** What is searched in. */
  plain: string[];
}

const collator = new Intl.Collator('en', { numeric: true });

export function createDirectory(context: { store: Store; events: Events; log: Log }): Directory {
  const { store, events, log } = context;
  const lines = new Map<string, Line>();
  const changed = new Set<string>();
  let sorted: Line[] | undefined;
  let reading: Promise<void> | undefined;
  let read = false;
  let closed = false;

  function put(id: string, stored: unknown): void {
    const user = readUser(id, stored);
    sorted = undefined;
    if (!user) {
      lines.delete(id);
      return;
    }
    const { login, email, firstname, lastname, active, ctime } = user;
    const plain = [login, email, `${firstname} ${lastname}`].map(plainText);
    lines.set(id, { _id: id, login, email, firstname, lastname, active, ctime, plain });
  }

  async function readRecords(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length && !closed; start += slice) {
      const part = ids.slice(start, start + slice);
      const records = await store.getMany<unknown>(part.map(keys.user));
      for (const [index, id] of part.entries()) put(id, records[index]);
    }
  }

  /** Reads what has not been read yet or has changed since, until nothing is left. */
  async function catchUp(): Promise<void> {
    if (!read) {
      const prefix = keys.user('');
      const found = await store.scan(prefix);
      await readRecords(found.map((key) => key.slice(prefix.length)));
      read = true;
    }
    while (changed.size > 0 && !closed) {
      const ids = [...changed];
      changed.clear();
      await readRecords(ids).catch((error: unknown) => {
        for (const id of ids) changed.add(id);
        throw error;
      });
    }
  }

  function upToDate(): Promise<void> {
    reading ??= catchUp().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** Nobody asked yet: then nothing is read, and nothing needs to be noted. */
  const silence = events.on('user', ({ id }) => {
    if (read || reading) changed.add(id);
  });

  function inOrder(): Line[] {
    sorted ??= [...lines.values()].sort(
      (one, other) => collator.compare(one.login, other.login) || one.ctime - other.ctime,
    );
    return sorted;
  }

  return {
    async search(text, { offset = 0, limit } = {}) {
      let alarm: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        alarm = setTimeout(() => reject(new MyPadsError('BACKEND.ERROR.SERVER.BUSY')), patience);
      });
      const work = upToDate();
      // It goes on when this search has given up.
      work.catch((error: unknown) => log.warn('the directory could not be read', { error: String(error) }));
      await Promise.race([work, late]).finally(() => clearTimeout(alarm));
      const wanted = plainText(text.trim());
      const found = inOrder().filter(({ plain }) => plain.some((field) => field.includes(wanted)));
      const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
      return { entries: page.map(({ ctime: _, plain: __, ...entry }) => entry), count: found.length };
    },
    close() {
      closed = true;
      silence();
    },
  };
}
