/** Reads and checks `authLdapSettings`. */
import { isIP } from 'node:net';
import type { Options } from 'ldapauth-fork';
import * as z from 'zod';
import { isObject } from '../fields';
import { type AttributeNames, attributeNames } from './profile';
import { certificates, choice, flag, properties, readSettings, text } from './settingsFault';
import { externalTimeLimit } from './signIn';

export interface LdapSettings {
  /** Client options for each server, in the order in which they are asked. */
  servers: Options[];
  names: AttributeNames;
  lang: unknown;
  /** Whom the sync takes for active: a search filter beside `searchFilter`. */
  activeFilter: string | undefined;
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

/** Paths of passwords and keys, with all names that the LDAP library accepts. */
export const ldapSecrets = [
  'bindCredentials',
  'Credentials',
  'adminPassword',
  'tlsOptions.key',
  'tlsOptions.pfx',
  'tlsOptions.passphrase',
];

function isDirectoryUrl(value: unknown): value is string {
  return typeof value === 'string' && /^ldaps?:\/\//i.test(value) && URL.canParse(value);
}

function isUrlOrList(value: unknown): value is string | string[] {
  return Array.isArray(value) ? value.length > 0 && value.every(isDirectoryUrl) : isDirectoryUrl(value);
}

const findsEverybody = 'does not contain {{username}}: it would find the same person for everybody';

/** The settings that sign-in needs. All others may have been stored with any value. */
const needed = z.looseObject(
  {
    url: z.custom<string | string[]>(isUrlOrList, 'is not of the form ldap://host or ldaps://host'),
    searchBase: z.string('is missing'),
    searchFilter: z.string(findsEverybody).includes('{{username}}', findsEverybody),
  },
  'are not an object',
);

/** Settings that may be stored; `languages` are the valid languages of accounts. */
export const ldapToStore = (languages: readonly string[]) =>
  needed.extend({
    bindDN: text.optional(),
    bindDn: text.optional(),
    adminDn: text.optional(),
    bindCredentials: text.optional(),
    Credentials: text.optional(),
    adminPassword: text.optional(),
    searchBase: needed.shape.searchBase.and(text),
    searchFilter: needed.shape.searchFilter.and(text),
    searchScope: choice(['base', 'one', 'sub']).optional(),
    activeFilter: text.optional(),
    searchAttributes: z.array(text, 'is not a list of texts').optional(),
    bindProperty: text.optional(),
    starttls: flag.optional(),
    strictDN: flag.optional(),
    tlsOptions: z
      .looseObject(
        {
          rejectUnauthorized: flag.optional(),
          servername: text.optional(),
          // Without this, the path of a file would be ignored, and the error be that no authority is given.
          ca: certificates.optional(),
        },
        'is not an object',
      )
      .optional(),
    properties: properties.optional(),
    defaultLang: choice(['', ...languages]).optional(),
  });

/**
 * Host name for the certificate check with StartTLS. The client does not pass it, so certificates for IP addresses
 * would never match.
 */
function expectedHost(url: string): { host?: string; servername?: string } {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (host === '') return {};
  return isIP(host) ? { host } : { host, servername: host };
}

/** Reads the settings into a copy; `wanted`: attributes to read besides. Throws a SettingsFault for unusable ones. */
export function readLdapSettings(value: unknown, wanted: readonly string[] = []): LdapSettings {
  const settings = readSettings(needed, value);
  const names = attributeNames(settings.properties, defaultNames);
  const options: Record<string, unknown> = structuredClone(
    Object.fromEntries(
      passedOn.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]),
    ),
  );
  options.timeLimit = externalTimeLimit / 1_000;
  if (options.searchAttributes === undefined) {
    // Only the attributes of a profile, so that no photos or password hashes are fetched.
    const bound = typeof options.bindProperty === 'string' ? [options.bindProperty] : [];
    options.searchAttributes = [...Object.values(names), ...bound];
  }
  options.searchAttributes = [...(options.searchAttributes as string[]), ...wanted];
  const given = isObject(options.tlsOptions) ? options.tlsOptions : {};
  const servers = [settings.url].flat().map((url) => {
    const tlsOptions = options.starttls ? { ...expectedHost(url), ...given } : given;
    return { ...options, url, tlsOptions } as unknown as Options;
  });
  const { activeFilter } = settings;
  return {
    servers,
    names,
    lang: settings.defaultLang,
    activeFilter: typeof activeFilter === 'string' && activeFilter.trim() !== '' ? activeFilter : undefined,
  };
}

/** Says in Active Directory whether an account is disabled. */
export const accountControl = 'userAccountControl';

/** Alone, a filter works without them too. */
const inParentheses = (filter: string): string =>
  filter.trim().startsWith('(') ? filter.trim() : `(${filter.trim()})`;

/** The same people, each found by the attribute that has their username, whatever they type to sign in. */
export const byLogin = ({ servers, names, ...settings }: LdapSettings): LdapSettings => ({
  ...settings,
  names,
  servers: servers.map((server) => {
    const everybody = inParentheses(server.searchFilter.replaceAll('{{username}}', '*'));
    return { ...server, searchFilter: `(&${everybody}(${names.login}={{username}}))` };
  }),
});

/** Options to list everybody: only the attributes of a profile, those that rules name, and who is disabled. */
export const listingOptions = ({ servers, names, activeFilter }: LdapSettings, wanted: readonly string[]) =>
  servers.map((server): Options => {
    const both = [server.searchFilter, activeFilter ?? ''].map(inParentheses).join('');
    return {
      ...server,
      searchFilter: activeFilter === undefined ? server.searchFilter : `(&${both})`,
      searchAttributes: [...new Set([...Object.values(names), ...wanted, accountControl])],
    };
  });
