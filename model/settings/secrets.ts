/** Secrets in the settings. Administrators can set them; no answer contains them. */

import { isObject } from '../fields';
import { type ConfigurationKey, settings } from './definitions';
import type { ServiceSettings } from './kinds';

/** A place of a secret: the object that may hold it, the name there, and its path, such as `tlsOptions.key`. */
interface Place {
  holder: ServiceSettings;
  name: string;
  path: string;
}

/** The places in the value that a path means. `*` stands for every name of an object. */
function placesOf(value: unknown, path: string, before = ''): Place[] {
  if (!isObject(value)) return [];
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return [{ holder: value, name, path: before + name }];
  const names = name === '*' ? Object.keys(value) : Object.hasOwn(value, name) ? [name] : [];
  return names.flatMap((one) => placesOf(value[one], rest.join('.'), `${before}${one}.`));
}

const allPlaces = (value: unknown, paths: readonly string[]): Place[] =>
  paths.flatMap((path) => placesOf(value, path));

/** The value that administrators may see; `undefined` for a secret. */
export function shownValue(key: ConfigurationKey, value: unknown): unknown {
  const { seenBy, secrets } = settings[key];
  if (seenBy === 'nobody') return undefined;
  if (!secrets || !isObject(value)) return value;
  const copy = structuredClone(value);
  for (const { holder, name } of allPlaces(copy, secrets)) delete holder[name];
  return copy;
}

/** Adds the stored secrets to the value of a form, which never receives them. */
export function withSecretsOf(before: unknown, key: ConfigurationKey, value: unknown): unknown {
  const { secrets } = settings[key];
  if (!secrets || !isObject(before) || !isObject(value)) return value;
  const copy = structuredClone(value);
  const olds = new Map(allPlaces(before, secrets).map((place) => [place.path, place]));
  for (const { holder, name, path } of allPlaces(copy, secrets)) {
    const old = olds.get(path);
    if (old && Object.hasOwn(old.holder, name) && !Object.hasOwn(holder, name))
      holder[name] = old.holder[name];
  }
  return copy;
}

/** Names of the secrets in `value` that are set, such as `SMTPPass` and `authLdapSettings.bindCredentials`. */
export function secretsThatAreSet(key: ConfigurationKey, value: unknown): string[] {
  const { seenBy, secrets = [] } = settings[key];
  if (seenBy === 'nobody') return value ? [key] : [];
  return allPlaces(value, secrets)
    .filter(({ holder, name }) => Boolean(holder[name]))
    .map(({ path }) => `${key}.${path}`);
}
