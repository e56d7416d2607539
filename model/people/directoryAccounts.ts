/** Accounts of people whom a directory (LDAP) or a sign-on server (CAS) knows: found, created and kept up to date. */
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { Log } from '../ports';
import type { Configuration } from '../settings/configuration';
import type { Profile } from '../signin/signIn';
import type { UserRecord } from '../store/entities';

interface Context {
  users: Users;
  configuration: Configuration;
  log: Log;
}

function isError(error: unknown, key: MyPadsError['key']): boolean {
  return error instanceof MyPadsError && error.key === key;
}

async function createAccount(
  { users, configuration, log }: Context,
  { login, email, firstname, lastname, lang }: Profile,
): Promise<UserRecord> {
  const fields = { login, email, firstname, lastname, ...(lang === undefined ? {} : { lang }) };
  try {
    const user = await users.register({ ...fields, password: null, active: true });
    log.info('account created', { user: user._id, by: configuration.get('authMethod') });
    return user;
  } catch (error) {
    // The same person may have signed in at the same time in another window.
    const meanwhile = await users.findByLogin(login);
    if (isError(error, 'BACKEND.ERROR.USER.ALREADY_EXISTS') && meanwhile) return meanwhile;
    throw error;
  }
}

/** Updates names and address from the directory. If another account has the address, the old one stays. */
async function update(
  { users, log }: Context,
  user: UserRecord,
  { email, firstname, lastname }: Profile,
): Promise<UserRecord> {
  const names = Object.entries({ firstname, lastname }).filter(
    ([field, value]) => value !== '' && value !== user[field as 'firstname' | 'lastname'],
  );
  // An old password would open the account without the directory if `authMethod` became internal, so it is removed.
  const password = user.password === null ? undefined : null;
  const changes = { ...Object.fromEntries(names), ...(password === null ? { password } : {}) };
  const moved = email !== user.email;
  if (!moved && Object.keys(changes).length === 0) return user;
  try {
    return await users.updateProfile(user._id, { ...changes, ...(moved ? { email } : {}) });
  } catch (error) {
    if (!isError(error, 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS')) throw error;
    log.warn('e-mail address of the sign-in service belongs to another account, not changed', {
      user: user._id,
    });
    return users.updateProfile(user._id, changes);
  }
}

/**
 * The account of this person. Directories ignore letter case, so another spelling of the login means the same person.
 */
async function find(users: Users, { login, email }: Profile, typed: string): Promise<UserRecord | undefined> {
  const isSame = (user: UserRecord | undefined): boolean => user?.login.toLowerCase() === login.toLowerCase();
  for (const name of new Set([login, typed.trim(), login.toLowerCase()])) {
    const user = await users.findByLogin(name);
    if (isSame(user)) return user;
  }
  const like = await users.findSimilarLogin(login);
  if (isSame(like)) return like;
  const owner = await users.findOwner(email);
  return isSame(owner) ? owner : undefined;
}

/**
 * The account of a person whom the directory or sign-on server knows, created or updated with their profile. `typed`:
 * the login that they typed. Throws SERVER.BUSY until accounts are indexed, AUTHENTICATION.ACTIVATION_NEEDED, and for a
 * new person whose login or address is taken USER.ALREADY_EXISTS or USER.EMAIL_ALREADY_EXISTS.
 */
export async function accountOf(context: Context, profile: Profile, typed: string): Promise<UserRecord> {
  const { users } = context;
  if (!users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  const known = await find(users, profile, typed);
  const user = known ?? (await createAccount(context, profile));
  if (!user.active) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
  return known ? update(context, user, profile) : user;
}
