/**
 * Accounts of people whom a provider of OpenID Connect knows. The provider's issuer and its name for the person (`sub`)
 * say who somebody is, and neither username nor address: people can often choose these themselves.
 */

import { comparableAddress, comparableLogin } from '../accounts/accountNames';
import { knows, noteAccount, notedAccount } from '../accounts/identityNotes';
import { isUnproved } from '../accounts/unprovedAddress';
import { cutText } from '../cutText';
import { type ErrorKey, isError, MyPadsError } from '../errors';
import type { ExternalIdentity } from '../externalIdentity';
import { limits } from '../limits';
import type { OidcPerson } from '../signin/oidcPerson';
import type { OidcProvider } from '../signin/oidcSettings';
import type { UserRecord } from '../store/entities';
import { keys } from '../store/store';
import { createAccount, type DirectoryContext, linkAccount, updateAccount } from './directoryAccounts';

/** How many usernames are tried if the own one is taken: `ada`, `ada2` and so on. */
const maxNumber = 50;

/** The account that is remembered for this person. */
export async function accountOfIdentity(
  { store, users }: Pick<DirectoryContext, 'store' | 'users'>,
  identity: ExternalIdentity,
): Promise<UserRecord | undefined> {
  const noted = await notedAccount(store, identity);
  const user = noted === undefined ? undefined : await users.get(noted);
  return user && knows(user, identity) ? user : undefined;
}

/**
 * The account that was created for this person or linked, and not noted, because the server stopped in between. With
 * another username than the provider's it is found by its address.
 */
async function unnoted(
  { users }: DirectoryContext,
  { login, email, identity }: OidcPerson,
): Promise<UserRecord | undefined> {
  const found = [await users.findByLogin(login), email === '' ? undefined : await users.findOwner(email)];
  return found.find((user) => user && knows(user, identity));
}

/** The existing account that a verified address may open. Never one that another person of this provider has. */
async function linkable(
  { users }: DirectoryContext,
  { email, mayLink, identity }: OidcPerson,
): Promise<UserRecord | undefined> {
  if (!mayLink) return undefined;
  const owner = await users.findOwner(email);
  if (!owner?.active || owner.addressTaken || owner.email.toLowerCase() !== email.toLowerCase())
    return undefined;
  const isOther = (owner.identities ?? []).some(
    ({ method, issuer }) => method === identity.method && issuer === identity.issuer,
  );
  return isOther ? undefined : owner;
}

/**
 * The username of a new account. Of an address that is not the person's own, only what is before the `@`: its owner
 * could not get an account, and what others share with them would be shared with this person.
 */
function usernameOf({ login, email }: Pick<OidcPerson, 'login' | 'email'>): string {
  const isOwn = comparableLogin(login) === comparableLogin(email);
  return isOwn ? login : login.replace(/[@\uFF20\uFE6B].*$/su, '');
}

async function createOne(
  context: DirectoryContext,
  person: OidcPerson,
  { takenLogin }: Pick<OidcProvider, 'takenLogin'>,
): Promise<UserRecord> {
  if (person.email === '') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL');
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : String(number);
    const login = cutText(usernameOf(person), limits.text - ending.length) + ending;
    try {
      return await createAccount(context, { ...person, login });
    } catch (error) {
      const isTaken = isError(error, 'BACKEND.ERROR.USER.ALREADY_EXISTS');
      if (!isTaken || takenLogin !== 'number' || number === maxNumber) throw error;
    }
  }
}

/** The account of somebody who signs in for the first time: linked or created. */
async function findOrCreate(
  context: DirectoryContext,
  person: OidcPerson,
  provider: OidcProvider,
): Promise<UserRecord> {
  const { store, log } = context;
  const key = keys.identity(person.identity);
  // Two windows may sign the same person in at the same time.
  return store.locked([key], async () => {
    const known = await accountOfIdentity(context, person.identity);
    if (known) return known;
    const unfinished = await unnoted(context, person);
    const linked = unfinished ?? (await linkable(context, person));
    const change = unfinished ? updateAccount : linkAccount;
    const user = linked ? await change(context, linked, person) : await createOne(context, person, provider);
    if (linked) log.info('account linked', { user: user._id, by: provider.id });
    await noteAccount(store, person.identity, user._id);
    return user;
  });
}

/**
 * The account of this person, created or updated, and remembered. Throws SERVER.BUSY until accounts are indexed,
 * AUTHENTICATION.ACTIVATION_NEEDED, and for a new person AUTHENTICATION.LDAP_NO_VALID_MAIL without an address,
 * USER.ALREADY_EXISTS and USER.EMAIL_ALREADY_EXISTS.
 */
export async function accountOfProvider(
  context: DirectoryContext,
  person: OidcPerson,
  provider: OidcProvider,
): Promise<UserRecord> {
  if (!context.users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  const known = await accountOfIdentity(context, person.identity);
  const user = known ?? (await findOrCreate(context, person, provider));
  if (!user.active) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
  return known ? updateAccount(context, user, person) : user;
}

/** Whether another account has the address of a new person, and keeps it: see `Users.releaseAddress`. */
async function keepsAddress({ users }: DirectoryContext, { email, emailMade }: OidcPerson): Promise<boolean> {
  const owner = await users.findOwner(email);
  if (owner === undefined) return false;
  const isReleased =
    !emailMade && isUnproved(owner) && comparableAddress(owner.email) === comparableAddress(email);
  return !isReleased;
}

/** What a sign-in of this person would do. */
export type Preview =
  | { outcome: 'known' | 'linked'; account: UserRecord }
  | { outcome: 'new' }
  | { outcome: 'refused'; reason: ErrorKey };

/** As `accountOfProvider`, but changes nothing. */
export async function previewOfProvider(
  context: DirectoryContext,
  person: OidcPerson,
  { takenLogin }: Pick<OidcProvider, 'takenLogin'>,
): Promise<Preview> {
  const { users } = context;
  const refused = (reason: ErrorKey): Preview => ({ outcome: 'refused', reason });
  const known = (await accountOfIdentity(context, person.identity)) ?? (await unnoted(context, person));
  if (known && !known.active) return refused('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
  if (known) return { outcome: 'known', account: known };
  const account = await linkable(context, person);
  if (account) return { outcome: 'linked', account };
  if (person.email === '') return refused('BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL');
  if (await keepsAddress(context, person)) return refused('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS');
  const isTaken = await users.findSimilarLogin(usernameOf(person));
  if (isTaken && takenLogin !== 'number') return refused('BACKEND.ERROR.USER.ALREADY_EXISTS');
  return { outcome: 'new' };
}
