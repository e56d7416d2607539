/**
 * Stores and checks passwords of people, groups and pads. New ones are bcrypt of the Base64 SHA-384, so that bcrypt's
 * limit of 72 bytes cuts nothing off. Old ones (SHA-512 of salt and password) still verify.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { MyPadsError } from '../errors';
import { limits } from '../limits';
import type { PasswordHasher } from '../ports';
import type { StoredPassword } from '../store/entities';

/** Dummy password that ep_mypads 1.x stored for LDAP and CAS accounts. It is public and never accepted. */
const dummyPassword = 'soooooo_useless';

export interface PasswordCheck {
  ok: boolean;
  /** True when the stored hash is old. If the password is right, hash it again. */
  outdated: boolean;
}

/** Identifies a stored password without revealing it. Sessions store it as the proof. */
export function fingerprint(stored: StoredPassword): string {
  return createHash('sha256')
    .update(`${stored.scheme ?? ''}\n${stored.salt ?? ''}\n${stored.hash}`)
    .digest('hex')
    .slice(0, 32);
}

/** True for the dummy password of ep_mypads 1.x. */
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

/** False for an account of a directory or sign-on server: no password is stored, or the dummy one of 1.x. */
export function hasOwnPassword(stored: StoredPassword | string | null | undefined): boolean {
  if (typeof stored !== 'object' || typeof stored?.hash !== 'string') return false;
  return stored.scheme !== undefined || !matchesOldHash(dummyPassword, stored);
}

export function createPasswords(hasher: PasswordHasher) {
  let dummyHash: Promise<string> | undefined;

  /** Takes the time of a comparison, so that a missing hash cannot be noticed. */
  async function compareWithDummy(plain: string): Promise<void> {
    dummyHash ??= hasher.hash(randomBytes(32).toString('base64')).catch((error: unknown) => {
      dummyHash = undefined;
      throw error;
    });
    await hasher.compare(prehash(plain), await dummyHash);
  }

  return {
    /** Throws TYPE.PASSWORD_SIZE above `limits.password`, SERVER.BUSY when the queue is full. */
    async hash(plain: string): Promise<StoredPassword> {
      if (plain.length > limits.password) throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      return { scheme: 'bcrypt', hash: await hasher.hash(prehash(plain)) };
    },
    /**
     * Takes the same time for a wrong password, an old hash and no hash, so that the time tells nothing. Throws
     * SERVER.BUSY when the queue is full.
     */
    async verify(plain: string, stored: StoredPassword | string | null | undefined): Promise<PasswordCheck> {
      const usable =
        stored !== null && typeof stored === 'object' && typeof stored.hash === 'string' ? stored : undefined;
      if (usable?.scheme === 'bcrypt' && plain.length <= limits.password) {
        return { ok: await hasher.compare(prehash(plain), usable.hash), outdated: false };
      }
      if (usable && usable.scheme === undefined && plain.length <= limits.password) {
        if (matchesOldHash(plain, usable)) return { ok: !isDummyPassword(plain), outdated: true };
      }
      await compareWithDummy(plain.slice(0, limits.password));
      return { ok: false, outdated: false };
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;
