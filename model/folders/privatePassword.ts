/** Which password a folder or a pad has: only what is private has one, and nothing is private without. */
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
 * The password to store. What stays private keeps its own unless a new one is given; texts of old records match no
 * password and are not kept. Throws PASSWORD_INCORRECT when something would be private without a password.
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
