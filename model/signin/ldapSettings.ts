/** `authLdapSettings` as administrators write it, turned into what the LDAP conversation is told. */
import { isIP } from 'node:net';
import type { Options } from 'ldapauth-fork';
import { type AttributeNames, attributeNames, isSettings } from './profile';
import {
  flag,
  object,
  oneOf,
  propertiesFault,
  SettingsFault,
  shapeFault,
  text,
  texts,
} from './settingsFault';
import { externalTimeLimit } from './signIn';

export interface LdapSettings {
  /** What each server is told, in the order in which they are asked. */
  servers: Options[];
  names: AttributeNames;
  lang: unknown;
}

const defaultNames: AttributeNames = { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' };

/**
 * What we take over. Not its cache (a password changed in the directory counts at once), not its reconnecting (a connection lives
 * for one sign-in), not its time limits (ours is for the whole), and not its search for groups (nothing asks for them).
 */
const passedOn = [
  'url',
  'bindDN',
  'bindDn',
  'adminDn',
  'bindCredentials',
  'Credentials',
  'adminPassword',
  'searchBase',
  'searchFilter',
  'searchScope',
  'searchAttributes',
  'bindProperty',
  'starttls',
  'strictDN',
  'tlsOptions',
] as const;

function isDirectoryUrl(value: unknown): value is string {
  return typeof value === 'string' && /^ldaps?:\/\//i.test(value) && URL.canParse(value);
}

/**
 * With StartTLS the certificate is held against the name in the URL; the LDAP client does not say it, so that only names, and no
 * addresses, would ever fit.
 */
function expectedHost(url: string): { host?: string; servername?: string } {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (host === '') return {};
  return isIP(host) ? { host } : { host, servername: host };
}

/** Reads the settings into a copy of their own. Throws a SettingsFault for what is not usable. */
export function readLdapSettings(value: unknown): LdapSettings {
  if (!isSettings(value)) throw new SettingsFault('', 'the settings are not an object');
  const urls: unknown[] = Array.isArray(value.url) ? value.url : [value.url];
  if (urls.length === 0 || !urls.every(isDirectoryUrl)) {
    throw new SettingsFault('url', 'url is not of the form ldap://host or ldaps://host');
  }
  if (typeof value.searchBase !== 'string') throw new SettingsFault('searchBase', 'searchBase is missing');
  if (typeof value.searchFilter !== 'string' || !value.searchFilter.includes('{{username}}')) {
    throw new SettingsFault(
      'searchFilter',
      'searchFilter does not contain {{username}}: it would find the same person for everybody',
    );
  }
  const names = attributeNames(value.properties, defaultNames);
  const options: Record<string, unknown> = structuredClone(
    Object.fromEntries(
      passedOn.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
    ),
  );
  options.timeLimit = externalTimeLimit / 1_000;
  if (options.searchAttributes === undefined) {
    // Only what a profile is made of, so that no photograph and no password hash is fetched.
    const bound = typeof options.bindProperty === 'string' ? [options.bindProperty] : [];
    options.searchAttributes = [...Object.values(names), ...bound];
  }
  const given = isSettings(options.tlsOptions) ? options.tlsOptions : {};
  const servers = urls.map((url) => {
    const tlsOptions = options.starttls ? { ...expectedHost(url), ...given } : given;
    return { ...options, url, tlsOptions } as unknown as Options;
  });
  return { servers, names, lang: value.defaultLang };
}

/** What is wrong in settings that somebody wants to store; `languages` are those that accounts can have. */
export function ldapFault(
  settings: Record<string, unknown>,
  languages: readonly string[],
): SettingsFault | undefined {
  try {
    readLdapSettings(settings);
  } catch (error) {
    if (error instanceof SettingsFault) return error;
    throw error;
  }
  const shapes = {
    bindDN: text,
    bindDn: text,
    adminDn: text,
    bindCredentials: text,
    Credentials: text,
    adminPassword: text,
    searchBase: text,
    searchFilter: text,
    searchScope: oneOf(['base', 'one', 'sub']),
    searchAttributes: texts,
    bindProperty: text,
    starttls: flag,
    strictDN: flag,
    tlsOptions: object,
    properties: object,
    defaultLang: oneOf(['', ...languages]),
  };
  const tls = isSettings(settings.tlsOptions) ? settings.tlsOptions : {};
  return (
    shapeFault(settings, shapes) ??
    shapeFault(tls, { rejectUnauthorized: flag, servername: text }, 'tlsOptions.') ??
    propertiesFault(settings.properties)
  );
}
