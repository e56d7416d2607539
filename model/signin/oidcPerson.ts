/** The person whom a provider of OpenID Connect describes by claims. */
import { cutText } from '../cutText';
import { MyPadsError } from '../errors';
import { hasLoginCharacters, limits } from '../limits';
import { mailAddress } from '../mail/address';
import type { Log } from '../ports';
import { type OidcProvider, standardClaims } from './oidcSettings';
import { attributesOf } from './profile';
import type { ConfirmedPerson } from './signIn';

export interface OidcPerson extends ConfirmedPerson {
  /** `''` if there is none that may be used: only addresses that the provider vouches for are the person's. */
  email: string;
  /** The address may open an existing account: the provider calls it verified, and its domain may be linked. */
  mayLink: boolean;
  /** The session at the provider. */
  sid?: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** A claim by its name, or by a path such as `realm_access.roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((inner, name) => {
    const isObject = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name);
    return isObject ? (inner as Claims)[name] : undefined;
  }, claims);
}

function textAt(claims: Claims, path: string): string {
  const value = claimAt(claims, path);
  return typeof value === 'string' ? value.trim() : '';
}

/** Whether somebody with these claims may enter. */
function mayEnter({ allow }: Pick<OidcProvider, 'allow'>, claims: Claims): boolean {
  if (allow === undefined) return true;
  return [claimAt(claims, allow.claim)].flat().some((value) => allow.values.includes(String(value)));
}

/** The address, and whether the provider calls it verified. `''`: none that may be used. */
function emailOf(
  { trustEmail, emailDomain }: OidcProvider,
  { email, login, verified }: { email: string; login: string; verified: boolean },
): string {
  if (mailAddress(email) !== undefined && (verified || trustEmail === true)) return email;
  const made = emailDomain === undefined ? '' : `${login}@${emailDomain}`;
  return mailAddress(made) === undefined ? '' : made;
}

/** `email_verified` is about the claim `email`: nobody may have checked the address in another claim. */
const isVerified = ({ email, email_verified: verified }: Claims, given: string): boolean =>
  verified === true && typeof email === 'string' && email.trim() === given;

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Throws AUTHENTICATION.OIDC_DENIED for somebody who may not enter, TYPE.USER_INVALID without a usable username. */
export function personOfClaims(
  provider: OidcProvider,
  claims: Claims & { sub: string; iss: string },
  { log, wanted }: { log: Log; wanted: readonly string[] },
): OidcPerson {
  const { id, defaultLang, linkDomains = [] } = provider;
  const names = { ...standardClaims, ...provider.claims };
  const facts = { provider: id, claims: Object.keys(claims).slice(0, 50).join(' ') };
  if (!mayEnter(provider, claims)) {
    log.warn('OpenID Connect person may not enter', facts);
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.OIDC_DENIED');
  }
  const login = textAt(claims, names.login);
  if (login === '' || login.length > limits.text || !hasLoginCharacters(login)) {
    log.warn('OpenID Connect profile unusable, sign-in refused', facts);
    throw new MyPadsError('BACKEND.ERROR.TYPE.USER_INVALID', { field: 'login' });
  }
  const given = textAt(claims, names.email);
  const verified = isVerified(claims, given);
  const email = emailOf(provider, { email: given, login, verified });
  const domains = linkDomains.map((one) => one.toLowerCase());
  return {
    login,
    email,
    ...(email !== given && { emailMade: true }),
    mayLink: verified && email === given && domains.includes(domainOf(email)),
    firstname: cutText(textAt(claims, names.firstname), limits.text),
    lastname: cutText(textAt(claims, names.lastname), limits.text),
    ...(defaultLang ? { lang: defaultLang } : {}),
    ...(typeof claims.sid === 'string' ? { sid: claims.sid } : {}),
    identity: { method: 'oidc', issuer: claims.iss, subject: claims.sub },
    attributes: attributesOf(wanted, (name) => claimAt(claims, name)),
  };
}
