/**
 * Passwords of people, groups and pads: how they are stored and checked. New ones are bcrypt over the Base64 of their SHA-384, so
 * that bcrypt's 72 bytes cut nothing off. Old ones (server.md 3.6: one SHA-512 over salt and password) still verify.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StoredPassword } from './entities';
import { MyPadsError } from './errors';
import { limits } from './limits';
import type { PasswordHasher } from './ports';

/** What the earlier generation stored for people of LDAP and CAS. It is public and opens nothing. */
const dummyPassword = 'soooooo_useless';

export interface PasswordCheck {
  ok: boolean;
  /** Right, but stored in the old way: hash it anew while it is known. */
  outdated: boolean;
}

export interface Passwords {
  /** Throws TYPE.PASSWORD_SIZE beyond `limits.password`, SERVER.BUSY when too many wait. */
  hash(plain: string): Promise<StoredPassword>;
  /**
   * Takes the same time for a wrong password, an old hash and nothing stored, so that the time tells nothing. Throws SERVER.BUSY
   * when too many wait.
   */
  verify(plain: string, stored: StoredPassword | string | null | undefined): Promise<PasswordCheck>;
}

/** Names a stored password without telling it: a session that proved it remembers this. */
export function fingerprint(stored: StoredPassword): string {
  return createHash('sha256')
    .update(`${stored.scheme ?? ''}\n${stored.salt ?? ''}\n${stored.hash}`)
    .digest('hex')
    .slice(0, 32);
}

/** The stand-in that the earlier generation stored for accounts of other sign-in services. */
export function isDummyPassword(plain: string): boolean {
  return plain === dummyPassword;
}

const prehash = (plain: string): string => createHash('sha384').update(plain, 'utf8').digest('base64');

function equalText(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

function matchesOldHash(plain: string, stored: StoredPassword): boolean {
  if (typeof stored.salt !== 'string') return false;
  return equalText(createHash('sha512').update(stored.salt).update(plain, 'utf8').digest('hex'), stored.hash);
}

export function createPasswords(hasher: PasswordHasher): Passwords {
  let standIn: Promise<string> | undefined;

  /** Does the work of a comparison that cannot succeed. */
  async function waste(plain: string): Promise<void> {
    standIn ??= hasher.hash(randomBytes(32).toString('base64')).catch((error: unknown) => {
      standIn = undefined;
      throw error;
    });
    await hasher.compare(prehash(plain), await standIn);
  }

  return {
    async hash(plain) {
      if (plain.length > limits.password) throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      return { scheme: 'bcrypt', hash: await hasher.hash(prehash(plain)) };
    },
    async verify(plain, stored) {
      const usable =
        stored !== null && typeof stored === 'object' && typeof stored.hash === 'string' ? stored : undefined;
      if (usable?.scheme === 'bcrypt' && plain.length <= limits.password) {
        return { ok: await hasher.compare(prehash(plain), usable.hash), outdated: false };
      }
      if (usable && usable.scheme === undefined && plain.length <= limits.password) {
        if (matchesOldHash(plain, usable)) return { ok: !isDummyPassword(plain), outdated: true };
      }
      await waste(plain.slice(0, limits.password));
      return { ok: false, outdated: false };
    },
  };
}
