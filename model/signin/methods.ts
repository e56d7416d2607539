/**
 * The registry of the ways to sign in. What differs between them is said here: nothing outside of model/signin/ asks
 * which of them a method is.
 */
import type { ExternalIdentity } from '../externalIdentity';
import { hasProviderOf } from './oidcSettings';

export const methodNames = ['internal', 'ldap', 'cas', 'oidc', 'header'] as const;
export type MethodName = (typeof methodNames)[number];

export interface MethodFacts {
  /**
   * How people prove who they are: with a password that they type here, on a page of the service, or by what a proxy
   * says of them.
   */
  proof: 'typed' | 'redirect' | 'header';
  /** Where the password is: in the account's record, or with the service. */
  passwords: 'here' | 'elsewhere';
  /** The settings of the service, and the field in them that shows whether they are more than the sample. */
  service?: {
    settings: 'authLdapSettings' | 'authCasSettings' | 'authOidcSettings' | 'authHeaderSettings';
    sample: string;
  };
  /** The service sends people back to an address that begins with `rootUrl`. */
  needsRootUrl?: true;
}

export const signInMethods: Readonly<Record<MethodName, MethodFacts>> = {
  internal: { proof: 'typed', passwords: 'here' },
  ldap: {
    proof: 'typed',
    passwords: 'elsewhere',
    service: { settings: 'authLdapSettings', sample: 'url' },
  },
  cas: {
    proof: 'redirect',
    passwords: 'elsewhere',
    service: { settings: 'authCasSettings', sample: 'serverUrl' },
    needsRootUrl: true,
  },
  oidc: {
    proof: 'redirect',
    passwords: 'elsewhere',
    service: { settings: 'authOidcSettings', sample: 'providers' },
    needsRootUrl: true,
  },
  header: {
    proof: 'header',
    passwords: 'elsewhere',
    service: { settings: 'authHeaderSettings', sample: 'proxies' },
  },
};

/** The methods that are offered, in their order, from the settings `authMethod` and `authMethods`. */
const offeredMethods = (first: MethodName, all: readonly MethodName[]): readonly MethodName[] => [
  ...new Set([first, ...all]),
];

export interface OfferedMethods<Account> {
  names(): readonly MethodName[];
  offers(name: MethodName): boolean;
  /** The methods by which people type a password here. */
  byPassword(): readonly MethodName[];
  /** Whether accounts can have a password here, so that people can register, and get a mail to choose a new one. */
  storePasswords(): boolean;
  /** Whether somebody else says who this person is. A password here would open the account without them. */
  isElsewhere(account: Account): boolean;
  /** Who checks the password of an account. `undefined`: people prove who they are on a page of a service. */
  passwordMethodOf(account: Account): MethodName | undefined;
}

export interface OfferedMethodsContext<Account> {
  /** The settings `authMethod`, `authMethods` and `authOidcSettings`, read at each question. */
  read: () => { first: MethodName; all: readonly MethodName[]; oidc: unknown };
  /** Whether a password of the account is stored here. */
  hasPassword: (account: Account) => boolean;
}

export function createOfferedMethods<Account extends { identities?: readonly ExternalIdentity[] }>({
  read,
  hasPassword,
}: OfferedMethodsContext<Account>): OfferedMethods<Account> {
  const names = (): readonly MethodName[] => {
    const { first, all } = read();
    return offeredMethods(first, all);
  };
  const isPassword = (name: MethodName): boolean => signInMethods[name].proof === 'typed';
  const isHere = (name: MethodName): boolean => signInMethods[name].passwords === 'here';
  const storePasswords = (): boolean => names().some(isHere);
  // A provider that was removed or has another issuer can sign nobody in, so its people need passwords.
  const isConfigured = ({ method, issuer }: ExternalIdentity): boolean =>
    method !== 'oidc' || hasProviderOf(read().oidc, issuer);
  /** The offered methods by which the account is known elsewhere. */
  const knownBy = ({ identities = [] }: Account): MethodName[] =>
    names().filter((name) => identities.some((one) => one.method === name && isConfigured(one)));
  return {
    names,
    offers: (name) => names().includes(name),
    byPassword: () => names().filter(isPassword),
    storePasswords,
    isElsewhere: (account) => knownBy(account).length > 0 || (!hasPassword(account) && !storePasswords()),
    passwordMethodOf(account) {
      const known = knownBy(account);
      if (known.length > 0) return known.find(isPassword);
      const offered = names().filter(isPassword);
      // An account of ep_mypads 1.x without a password may be one of the directory that has not signed in since.
      return offered.find((name) => isHere(name) === hasPassword(account)) ?? offered[0];
    },
  };
}
