/** Passwords among the settings: administrators type them once, and nobody gets them back. */
import type { ConfigurationKey, ServiceSettings } from './settingDefinitions';
import { isSettings } from './signin/profile';

/** Under each name that the LDAP library knows. */
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

/** `authLdapSettings` that came back from a form, which never got the secrets: those of before stay. */
export function withSecretsOf(before: ServiceSettings, settings: ServiceSettings): ServiceSettings {
  const merged = { ...pick(before, (name) => ldapSecrets.includes(name)), ...settings };
  if (!isSettings(merged.tlsOptions)) return merged;
  const secrets = pick(before.tlsOptions, (name) => tlsSecrets.includes(name));
  return { ...merged, tlsOptions: { ...secrets, ...merged.tlsOptions } };
}

/** What administrators may see of a setting; `undefined` for one that is a secret. */
export function shownValue(key: ConfigurationKey, value: unknown): unknown {
  if (key === 'SMTPPass') return undefined;
  return key === 'authLdapSettings' && isSettings(value) ? withoutSecrets(value) : value;
}

/** The secrets that are set, as `SMTPPass` and `authLdapSettings.bindCredentials`. */
export function secretsThatAreSet(mailPassword: string | undefined, ldap: ServiceSettings): string[] {
  const tls = isSettings(ldap.tlsOptions) ? ldap.tlsOptions : {};
  return [
    ...(mailPassword ? ['SMTPPass'] : []),
    ...ldapSecrets.filter((name) => ldap[name]).map((name) => `authLdapSettings.${name}`),
    ...tlsSecrets.filter((name) => tls[name]).map((name) => `authLdapSettings.tlsOptions.${name}`),
  ];
}
