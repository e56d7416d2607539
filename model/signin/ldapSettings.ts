/** Reads and checks `authLdapSettings`. */
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
  /** Client options for each server, in the order in which they are asked. */
  servers: Options[];
  names: AttributeNames;
  lang: unknown;
}

const defaultNames: AttributeNames = { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' };

/**
 * Options passed to the client. Left out: its cache (a changed password must count at once), its reconnecting (a
 * connection lives for one sign-in), its time limits (we limit the whole) and its search for groups (unused).
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
 * Host name for the certificate check with StartTLS. The client does not pass it, so certificates for IP addresses
 * would never match.
 */
function expectedHost(url: string): { host?: string; servername?: string } {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (host === '') return {};
  return isIP(host) ? { host } : { host, servername: host };
}

/** Reads the settings into a copy. Throws a SettingsFault when something is unusable. */
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
    // Only the attributes of a profile, so that no photos or password hashes are fetched.
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

/** Finds an error in settings that are to be stored; `languages` are the valid languages of accounts. */
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
