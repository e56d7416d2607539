/** The password of a folder or pad: only private ones have one, and every private one needs one. */
import { MyPadsError } from '../errors';
import type { Passwords } from '../passwords/password';
import type { StoredPassword, Visibility } from '../store/entities';

interface Lockable {
  visibility: Visibility | null;
  password: StoredPassword | string | null;
}

/** Hashes a password as it was typed. `''` and `null` mean that none was given. */
export async function hashedIfGiven(
  passwords: Passwords,
  typed: string | null | undefined,
): Promise<StoredPassword | null> {
  return typed ? passwords.hash(typed) : null;
}

/**
 * The password to store. A private folder or pad keeps its password unless a new one is given; plain texts of old
 * records match no password and are not kept. Throws PASSWORD_INCORRECT for a private one without a password.
 */
export function passwordToStore(
  visibility: Visibility | null,
  given: StoredPassword | null,
  current?: Lockable,
): StoredPassword | null {
  if (visibility !== 'private') return null;
  const own = current?.visibility === 'private' ? current.password : null;
  const password = given ?? (typeof own === 'object' ? own : null);
  if (password === null) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  return password;
}
