/** Finds accounts by id, login and e-mail address. */
import type { Configuration } from '../settings/configuration';
import { forEachInSlices } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { usedTwinFirst } from './twins';
import { isUnproved } from './unprovedAddress';
import type { UserIndex } from './userIndex';

export function createUserReading(context: { store: Store; index: UserIndex; configuration: Configuration }) {
  const { store, index, configuration } = context;

  const findByLogin = async (login: string) => usedTwinFirst(await index.withLogin(login))[0];
  /** Letter case matters unless `insensitiveMailMatch` is on. */
  const findByEmail = async (email: string) =>
    usedTwinFirst(await index.withEmail(email, configuration.get('insensitiveMailMatch')))[0];
  /** Finds by login, else by e-mail address. */
  const find = async (loginOrEmail: string) => (await findByLogin(loginOrEmail)) ?? findByEmail(loginOrEmail);

  async function findNamed(entry: string): Promise<UserRecord | undefined> {
    const byLogin = await findByLogin(entry);
    if (byLogin) return byLogin;
    const byEmail = await findByEmail(entry);
    return byEmail && isUnproved(byEmail) ? undefined : byEmail;
  }

  /** The account with this id. */
  const get = async (id: string) => readUser(id, await store.get(keys.user(id)));

  return {
    get,
    /** Existing accounts, by id. */
    async findMany(ids: readonly string[]): Promise<Map<string, UserRecord>> {
      const records = await store.getMany<unknown>(ids.map(keys.user));
      const found = new Map<string, UserRecord>();
      for (const [position, id] of ids.entries()) {
        if (sliceUsed()) await nextSlice();
        const user = readUser(id, records[position]);
        if (user !== undefined) found.set(id, user);
      }
      return found;
    },
    findByLogin,
    /** Also finds logins that look the same: other letter case, or letters that look alike. */
    findSimilarLogin: async (login: string): Promise<UserRecord | undefined> =>
      (await findByLogin(login)) ?? (await index.withSimilarLogin(login))[0],
    findByEmail,
    /**
     * The account, other than `self`, that has this text as address or login, so that nobody else may use it. Letter
     * case of addresses does not matter.
     */
    async findOwner(email: string, self?: string): Promise<UserRecord | undefined> {
      const users = [...(await index.withEmail(email, true)), ...(await index.withSimilarLogin(email))];
      return users.find((user) => user._id !== self);
    },
    find,
    /**
     * Finds by login, by id, by e-mail address: what server administrators may name an account by. The login comes
     * first, because it is what they see: an older account may have the id of another one as its login.
     */
    named: async (name: string): Promise<UserRecord | undefined> =>
      (await findByLogin(name)) ?? (await get(name)) ?? findByEmail(name),
    /**
     * The user id for each login or e-mail address; unknown entries are missing, and addresses that their account has
     * not confirmed: whoever has registered with them may be somebody else. Throws SERVER.BUSY before `ready`.
     */
    async findByEntries(entries: readonly string[]): Promise<Map<string, string>> {
      index.mustBeReady();
      const found = new Map<string, string | undefined>();
      await forEachInSlices(new Set(entries), async (entry) => {
        found.set(entry, (await findNamed(entry))?._id);
      });
      // In the order of the entries, whichever was found first.
      const pairs = entries.map((entry) => [entry, found.get(entry)] as const);
      return new Map(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
    },
  };
}

export type UserReading = ReturnType<typeof createUserReading>;
