/** Secrets in the settings. Administrators can set them; no answer contains them. */

import { isSettings } from '../signin/profile';
import type { ConfigurationKey, ServiceSettings } from './definitions';

/** All names that the LDAP library accepts. */
const ldapSecrets = ['bindCredentials', 'Credentials', 'adminPassword'];
const tlsSecrets = ['key', 'pfx', 'passphrase'];

function pick(settings: unknown, wanted: (name: string) => boolean): ServiceSettings {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => wanted(name)));
}

/** `authLdapSettings` without its secrets. */
export function withoutSecrets(settings: ServiceSettings): ServiceSettings {
  const rest = pick(settings, (name) => !ldapSecrets.includes(name));
  if (!isSettings(rest.tlsOptions)) return rest;
  return { ...rest, tlsOptions: pick(rest.tlsOptions, (name) => !tlsSecrets.includes(name)) };
}

/** Adds the stored secrets to `authLdapSettings` of a form, which never receives them. */
export function withSecretsOf(before: ServiceSettings, settings: ServiceSettings): ServiceSettings {
  const merged = { ...pick(before, (name) => ldapSecrets.includes(name)), ...settings };
  if (!isSettings(merged.tlsOptions)) return merged;
  const secrets = pick(before.tlsOptions, (name) => tlsSecrets.includes(name));
  return { ...merged, tlsOptions: { ...secrets, ...merged.tlsOptions } };
}

/** The value that administrators may see; `undefined` for a secret. */
export function shownValue(key: ConfigurationKey, value: unknown): unknown {
  if (key === 'SMTPPass') return undefined;
  return key === 'authLdapSettings' && isSettings(value) ? withoutSecrets(value) : value;
}

/** Names of secrets that have a value, such as `SMTPPass` and `authLdapSettings.bindCredentials`. */
export function secretsThatAreSet(mailPassword: string | undefined, ldap: ServiceSettings): string[] {
  const tls = isSettings(ldap.tlsOptions) ? ldap.tlsOptions : {};
  return [
    ...(mailPassword ? ['SMTPPass'] : []),
    ...ldapSecrets.filter((name) => ldap[name]).map((name) => `authLdapSettings.${name}`),
    ...tlsSecrets.filter((name) => tls[name]).map((name) => `authLdapSettings.tlsOptions.${name}`),
  ];
}
