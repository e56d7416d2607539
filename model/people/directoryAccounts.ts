/** Accounts of people whom a directory (LDAP) or a sign-on server (CAS) knows: found, created and kept up to date. */
import type { Factors } from '../access/factors';
import { knows } from '../accounts/identityNotes';
import type { AccountChange, Users } from '../accounts/user';
import { isError, MyPadsError } from '../errors';
import { type ExternalIdentity, loginAtService } from '../externalIdentity';
import { hasOwnPassword } from '../passwords/password';
import type { Log } from '../ports';
import type { OfferedMethods } from '../signin/methods';
import type { ConfirmedPerson } from '../signin/signIn';
import type { UserRecord } from '../store/entities';
import { keys, type Store } from '../store/store';

export interface DirectoryContext {
  store: Store;
  users: Users;
  factors: Pick<Factors, 'removeAll'>;
  methods: OfferedMethods<UserRecord>;
  log: Log;
}

/** Creates the account of a person whom a service knows. */
export async function createAccount(
  { users, log }: DirectoryContext,
  { login, email, emailMade, firstname, lastname, lang, identity }: ConfirmedPerson,
): Promise<UserRecord> {
  const fields = { login, email, firstname, lastname, ...(lang === undefined ? {} : { lang }) };
  try {
    if (!emailMade) await users.releaseAddress(email);
    const user = await users.register({
      ...fields,
      password: null,
      active: true,
      identities: [identity],
    });
    log.info('account created', { user: user._id, by: identity.method });
    return user;
  } catch (error) {
    // The same person may have signed in at the same time in another window.
    const isTaken = isError(
      error,
      'BACKEND.ERROR.USER.ALREADY_EXISTS',
      'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
    );
    const meanwhile = isTaken ? await users.findByLogin(login) : undefined;
    if (meanwhile && knows(meanwhile, identity)) return meanwhile;
    throw error;
  }
}

/** What the service says otherwise than the account: the new address, and all else. */
export function changesFor(
  user: UserRecord,
  { email, firstname, lastname, identity }: ConfirmedPerson,
): { email?: string; changes: AccountChange } {
  const names = Object.entries({ firstname, lastname }).filter(
    ([field, value]) => value !== '' && value !== user[field as 'firstname' | 'lastname'],
  );
  const identities = knows(user, identity) ? undefined : [...(user.identities ?? []), identity];
  // An old password would open the account without the directory if `authMethod` became internal, so it is removed. A
  // new person of the account also ends what has begun without a password.
  const password = user.password === null && identities === undefined ? undefined : null;
  const changes = {
    ...Object.fromEntries(names),
    ...(password === null ? { password } : {}),
    ...(identities && { identities }),
  };
  return { changes, ...(email !== '' && email !== user.email && { email }) };
}

/** Updates names and address as the service has them. If another account has the address, the old one stays. */
export async function updateAccount(
  { users, log }: DirectoryContext,
  user: UserRecord,
  person: ConfirmedPerson,
): Promise<UserRecord> {
  const { email, changes } = changesFor(user, person);
  if (email === undefined && Object.keys(changes).length === 0) return user;
  try {
    if (email !== undefined && !person.emailMade) await users.releaseAddress(email);
    return await users.updateProfile(user._id, { ...changes, ...(email !== undefined && { email }) });
  } catch (error) {
    if (!isError(error, 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS')) throw error;
    log.warn('e-mail address of the sign-in service belongs to another account, not changed', {
      user: user._id,
    });
    return users.updateProfile(user._id, changes);
  }
}

/**
 * Makes the account this person's. Nothing of whoever had it before may open it: that may be somebody else. Call it
 * under the lock of the identity, so that a second window does not end the session of the first.
 */
export async function linkAccount(
  context: DirectoryContext,
  user: UserRecord,
  person: ConfirmedPerson,
): Promise<UserRecord> {
  // Before the identity is written: if the server stops then, the next sign-in finds the account as it is.
  await context.factors.removeAll(user);
  const linked = await updateAccount(context, user, person);
  // Until then sessions from before could add a factor.
  await context.factors.removeAll(user);
  return linked;
}

/** Updates an account that was found for this person, and links it unless it is known as theirs. */
export async function updateOrLink(
  context: DirectoryContext,
  user: UserRecord,
  person: ConfirmedPerson,
): Promise<UserRecord> {
  const { store, users } = context;
  if (knows(user, person.identity)) return updateAccount(context, user, person);
  return store.locked([keys.identity(person.identity)], async () => {
    const current = (await users.get(user._id)) ?? user;
    const change = knows(current, person.identity) ? updateAccount : linkAccount;
    return change(context, current, person);
  });
}

/**
 * Whether this person may have the account with their login: it is theirs, or nobody else could open it. Otherwise
 * somebody with the same login in two services, or here and in a service, would get the account of another person.
 */
function mayHave(
  { methods }: Pick<DirectoryContext, 'methods'>,
  user: UserRecord,
  identity: ExternalIdentity,
): boolean {
  if (knows(user, identity)) return true;
  if (methods.storePasswords() && hasOwnPassword(user.password)) return false;
  // Also if no provider has the issuer: with a wrong one in the settings, a namesake must not get the account.
  return !(user.identities ?? []).some(({ method }) => methods.names().some((name) => name === method));
}

/** Directories ignore letter case, so another spelling of the login means the same person. */
export const isAccountOf = (
  context: Pick<DirectoryContext, 'methods'>,
  user: UserRecord | undefined,
  { login, identity }: ConfirmedPerson,
): user is UserRecord =>
  user !== undefined &&
  loginAtService(user.login) === loginAtService(login) &&
  mayHave(context, user, identity);

/** The account of this person. */
export async function findAccount(
  context: DirectoryContext,
  person: ConfirmedPerson,
  typed = person.login,
): Promise<UserRecord | undefined> {
  const { users } = context;
  const { login, email } = person;
  const isSame = (user: UserRecord | undefined) => isAccountOf(context, user, person);
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
 * The account of a person whom a service knows, created or updated with their profile, and remembered. `typed`: the
 * login that they typed. Throws SERVER.BUSY until accounts are indexed, AUTHENTICATION.ACTIVATION_NEEDED, and for a
 * new person whose login or address is taken USER.ALREADY_EXISTS or USER.EMAIL_ALREADY_EXISTS.
 */
export async function accountOf(
  context: DirectoryContext,
  person: ConfirmedPerson,
  typed: string,
): Promise<UserRecord> {
  if (!context.users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  const known = await findAccount(context, person, typed);
  const user = known ?? (await createAccount(context, person));
  if (!user.active) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
  return known ? updateOrLink(context, user, person) : user;
}
