/**
 * Passwords of groups and pads. A proved password gives access for the rest of the session, until that password
 * changes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Passwords } from '../passwords/password';
import type { NamedGuest, SessionRecord, StoredPassword } from '../store/entities';
import { keys, type Store } from '../store/store';
import type { Proved } from './devices';
import type { Guarded } from './permissions';
import type { Sessions, SignedIn } from './session';

export interface Proof {
  /** The session that contains the proof. */
  session: SessionRecord;
  /** Set when a session was created for a guest. */
  started?: SignedIn;
}

export interface UnlockContext {
  store: Store;
  passwords: Passwords;
  sessions: Sessions;
}

interface Lockable {
  visibility?: unknown;
  password?: StoredPassword | string | null;
}

export function createUnlocks({ store, passwords, sessions }: UnlockContext) {
  const keyOf = ({ what, id }: Guarded): string => (what === 'group' ? keys.group(id) : keys.pad(id));

  /** Returns the stored password that matches, `undefined` when none does. Replaces an old hash. */
  async function findMatching(guarded: Guarded, plain: string): Promise<StoredPassword | undefined> {
    const key = keyOf(guarded);
    const record = await store.get<Lockable>(key);
    const stored = record?.visibility === 'private' ? record.password : null;
    const { ok, outdated } = await passwords.verify(plain, stored);
    if (!ok || !stored || typeof stored === 'string') return undefined;
    if (!outdated) return stored;
    const rehashed = await passwords.hash(plain);
    const saved = await store.update<Lockable>(key, (current) =>
      isDeepStrictEqual(current?.password, stored) ? { ...current, password: rehashed } : undefined,
    );
    // If another call has changed it meanwhile, to the same or another password, it is checked again.
    return isDeepStrictEqual(saved?.password, rehashed) ? rehashed : findMatching(guarded, plain);
  }

  /**
   * Stores in the session what the caller has proved: `password` is what is stored of it. A guest without a session
   * gets one. `guest`: the name that a guest gave. `undefined` if the session has ended meanwhile.
   */
  const prove = async (
    what: 'group' | 'pad' | 'link',
    id: string,
    password: StoredPassword,
    caller: { session: SessionRecord | undefined; browser: string | undefined },
    guest?: NamedGuest,
  ): Promise<Proof | undefined> => {
    if (caller.session !== undefined) {
      const session = await sessions.unlock(caller.session._id, what, id, password, guest);
      if (session !== undefined) return { session };
    }
    const started = await sessions.create({ kind: 'guest', owner: '', browser: caller.browser });
    const session = await sessions.unlock(started.session._id, what, id, password, guest);
    return session && { session, started };
  };

  return {
    prove,
    /**
     * Checks a password (plain text) and stores the proof in the session; a guest without session gets one. `undefined`
     * when the password is wrong. Throws SERVER.BUSY when the hashing queue is full.
     */
    async unlock(
      guarded: Guarded,
      plain: string,
      caller: { session: SessionRecord | undefined; browser: string | undefined },
    ): Promise<Proof | undefined> {
      const stored = plain === '' ? undefined : await findMatching(guarded, plain);
      return stored && prove(guarded.what, guarded.id, stored, caller);
    },
    /** The folder or pad with its current password, for the cookie of browsers that have proved it. */
    provedOf: async (guarded: Guarded): Promise<Proved> => ({
      ...guarded,
      password: (await store.get<Lockable>(keyOf(guarded)))?.password,
    }),
  };
}

export type Unlocks = ReturnType<typeof createUnlocks>;

/**
 * Decodes Base64 (standard or URL-safe) of UTF-8, as passwords are sent in a query. Old links did not escape `+`, so it
 * may arrive as a blank. Invalid text decodes to `''`.
 */
export function decodePassword(encoded: string): string {
  const base64 = encoded.replaceAll(' ', '+');
  return /^[\w+/-]*={0,2}$/.test(base64) ? Buffer.from(base64, 'base64').toString('utf8') : '';
}
