/**
 * Passwords of groups and pads: proving one opens what it guards for the rest of the session, until that password changes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { SessionRecord, StoredPassword } from './entities';
import type { Passwords } from './password';
import type { Sessions, SignedIn } from './session';
import { keys, type Store } from './store';

/** Where the password stands that is to be proved. */
export interface Guarded {
  what: 'group' | 'pad';
  id: string;
}

export interface Proof {
  /** The session that holds the proof now. */
  session: SessionRecord;
  /** A guest without session got this one. */
  started?: SignedIn;
}

export interface Unlocks {
  /**
   * Proves a password (plain text) and remembers it in the session; a guest without one gets one. `undefined` when the password is
   * wrong. Throws SERVER.BUSY when too many passwords wait to be checked.
   */
  unlock(
    guarded: Guarded,
    plain: string,
    caller: { session: SessionRecord | undefined; browser: string | undefined },
  ): Promise<Proof | undefined>;
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

export function createUnlocks({ store, passwords, sessions }: UnlockContext): Unlocks {
  /** The stored password that the plain one matches; an old hash is made new on the way. `undefined` when it is wrong. */
  async function prove({ what, id }: Guarded, plain: string): Promise<StoredPassword | undefined> {
    const key = what === 'group' ? keys.group(id) : keys.pad(id);
    const record = await store.get<Lockable>(key);
    const stored = record?.visibility === 'private' ? record.password : null;
    const { ok, outdated } = await passwords.verify(plain, stored);
    if (!ok || !stored || typeof stored === 'string') return undefined;
    if (!outdated) return stored;
    const fresh = await passwords.hash(plain);
    const saved = await store.update<Lockable>(key, (current) =>
      isDeepStrictEqual(current?.password, stored) ? { ...current, password: fresh } : undefined,
    );
    // Somebody else was faster, with the same password or with a new one: only the database knows.
    return isDeepStrictEqual(saved?.password, fresh) ? fresh : prove({ what, id }, plain);
  }

  async function unlock(
    guarded: Guarded,
    plain: string,
    caller: { session: SessionRecord | undefined; browser: string | undefined },
  ): Promise<Proof | undefined> {
    const stored = plain === '' ? undefined : await prove(guarded, plain);
    if (stored === undefined) return undefined;
    if (caller.session !== undefined) {
      const session = await sessions.unlock(caller.session._id, guarded.what, guarded.id, stored);
      if (session !== undefined) return { session };
    }
    const started = await sessions.create({ kind: 'guest', owner: '', browser: caller.browser });
    const session = await sessions.unlock(started.session._id, guarded.what, guarded.id, stored);
    return session && { session, started };
  }

  return { unlock };
}

/**
 * Base64 (standard or URL-safe) of UTF-8, as passwords travel in a query. Old links did not encode the `+`, so it may arrive as a
 * blank. Anything else decodes to nothing.
 */
export function decodePassword(encoded: string): string {
  const base64 = encoded.replaceAll(' ', '+');
  return /^[\w+/-]*={0,2}$/.test(base64) ? Buffer.from(base64, 'base64').toString('utf8') : '';
}
