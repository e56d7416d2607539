/** Converts the attributes of a directory or sign-on server to a `Profile`. */
import { cutText } from '../cutText';
import { MyPadsError } from '../errors';
import { loginAtService } from '../externalIdentity';
import { type Fields, isObject } from '../fields';
import { hasLoginCharacters, limits } from '../limits';
import { mailAddress } from '../mail/address';
import type { MethodName } from './methods';
import type { Attributes, ConfirmedPerson, Profile } from './signIn';

/** Attribute names in the directory. */
export interface AttributeNames {
  login: string;
  email: string;
  firstname: string;
  lastname: string;
}

/** Reads `properties` of the settings; missing names come from `defaults`. */
export function attributeNames(properties: unknown, defaults: AttributeNames): AttributeNames {
  const given = isObject(properties) ? properties : {};
  const name = (field: keyof AttributeNames): string => {
    const value = given[field];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : defaults[field];
  };
  return {
    login: name('login'),
    email: name('email'),
    firstname: name('firstname'),
    lastname: name('lastname'),
  };
}

/** Letter case of attribute names does not matter, as in LDAP. */
function attributeIn(attributes: Fields, name: string): unknown {
  const wanted = name.toLowerCase();
  return Object.entries(attributes).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** First value of an attribute as trimmed text, `''` when missing. */
export function firstText(attributes: Fields, name: string): string {
  const found = attributeIn(attributes, name);
  const value: unknown = Array.isArray(found) ? found[0] : found;
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * `undefined` without a valid login: a guessed one could give several people the same account. Without a valid address,
 * `email` is `''`.
 */
function profileOf(attributes: Fields, names: AttributeNames, lang: unknown): Profile | undefined {
  const login = firstText(attributes, names.login).normalize();
  if (login === '' || login.length > limits.text || !hasLoginCharacters(login)) return undefined;
  const email = firstText(attributes, names.email);
  return {
    login,
    email: mailAddress(email) === undefined ? '' : email,
    firstname: cutText(firstText(attributes, names.firstname), limits.text),
    lastname: cutText(firstText(attributes, names.lastname), limits.text),
    ...(typeof lang === 'string' && lang !== '' ? { lang } : {}),
  };
}

const isText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The wanted attributes. What is no text, such as an object, counts as nothing sent: nobody must lose access by it. */
export function attributesOf(wanted: readonly string[], sent: (name: string) => unknown): Attributes {
  const valuesOf = (name: string): string[] | null => {
    const all = [sent(name)].flat();
    const texts = all.filter(isText).map((value) => String(value).trim());
    if (texts.length === 0 && all.length > 0) return null;
    return [...new Set(texts.filter((text) => text !== '' && text.length <= limits.attributeValue))];
  };
  return Object.fromEntries(wanted.map((name) => [name, valuesOf(name)]));
}

/**
 * A person on a list of everybody; `undefined` without a valid login. `email` is `''` without a valid address: somebody
 * whose address is wrong is there all the same. Services of which there is one ignore letter case in logins.
 */
export function listedPersonOf(
  method: MethodName,
  attributes: Fields,
  settings: { names: AttributeNames; lang: unknown },
  wanted: readonly string[] = [],
): ConfirmedPerson | undefined {
  const profile = profileOf(attributes, settings.names, settings.lang);
  return (
    profile && {
      ...profile,
      identity: { method, issuer: '', subject: loginAtService(profile.login) },
      attributes: attributesOf(wanted, (name) => attributeIn(attributes, name)),
    }
  );
}

/** A person who signs in. Throws TYPE.USER_INVALID and AUTHENTICATION.LDAP_NO_VALID_MAIL. */
export function personOf(...listed: Parameters<typeof listedPersonOf>): ConfirmedPerson {
  const person = listedPersonOf(...listed);
  if (person === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.USER_INVALID', { field: 'login' });
  if (person.email === '') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL');
  return person;
}
