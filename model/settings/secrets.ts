/** Secrets in the settings. Administrators can set them; no answer contains them. */
import { isSettings } from '../signin/profile';
import { type ConfigurationKey, settings } from './definitions';
import type { ServiceSettings } from './kinds';

/** For a path such as `tlsOptions.key`: the object `tlsOptions`, if the value has it, and the name `key`. */
function placeOf(value: ServiceSettings, path: string): { holder?: ServiceSettings; name: string } {
  const names = path.split('.');
  const name = names.pop() ?? '';
  const holder = names.reduce<unknown>((inner, one) => (isSettings(inner) ? inner[one] : undefined), value);
  return isSettings(holder) ? { holder, name } : { name };
}

/** The value that administrators may see; `undefined` for a secret. */
export function shownValue(key: ConfigurationKey, value: unknown): unknown {
  const { seenBy, secrets } = settings[key];
  if (seenBy === 'nobody') return undefined;
  if (!secrets || !isSettings(value)) return value;
  const copy = structuredClone(value);
  for (const { holder, name } of secrets.map((path) => placeOf(copy, path))) delete holder?.[name];
  return copy;
}

/** Adds the stored secrets to the value of a form, which never receives them. */
export function withSecretsOf(before: unknown, key: ConfigurationKey, value: unknown): unknown {
  const { secrets } = settings[key];
  if (!secrets || !isSettings(before) || !isSettings(value)) return value;
  const copy = structuredClone(value);
  for (const path of secrets) {
    const { holder: old, name } = placeOf(before, path);
    const { holder } = placeOf(copy, path);
    if (old && holder && Object.hasOwn(old, name) && !Object.hasOwn(holder, name)) holder[name] = old[name];
  }
  return copy;
}

/** Names of the secrets in `value` that are set, such as `SMTPPass` and `authLdapSettings.bindCredentials`. */
export function secretsThatAreSet(key: ConfigurationKey, value: unknown): string[] {
  const { seenBy, secrets = [] } = settings[key];
  if (seenBy === 'nobody') return value ? [key] : [];
  if (!isSettings(value)) return [];
  const isSet = (path: string): boolean => {
    const { holder, name } = placeOf(value, path);
    return Boolean(holder?.[name]);
  };
  return secrets.filter(isSet).map((path) => `${key}.${path}`);
}
