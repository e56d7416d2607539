/**
 * Every setting: its default, and what it may be (spec 3 and 5, server.md 7). What is done with them is model/configuration.ts; which of
 * them everybody sees is api/configuration/presenter.ts; what each does is told by bin/docsSettings.ts.
 */
import { limits } from './limits';
import { mailAddress } from './mail';
import { casFault } from './signin/casSettings';
import { ldapFault } from './signin/ldapSettings';
import { isSettings } from './signin/profile';
import type { SettingsFault } from './signin/settingsFault';

export type AuthMethod = 'internal' | 'ldap' | 'cas';
export type ServiceSettings = Record<string, unknown>;

export interface ConfigurationValues {
  title: string;
  /** Where people reach the host, without a slash at the end; `''` while nobody has said it. */
  rootUrl: string;
  allowEtherPads: boolean;
  openRegistration: boolean;
  hideHelpBlocks: boolean;
  passwordMin: number;
  passwordMax: number;
  languages: Record<string, string>;
  loginMsg: Record<string, string>;
  defaultLanguage: string;
  HTMLExtraHead: string;
  checkMails: boolean;
  SMTPHost: string | undefined;
  SMTPPort: number | undefined;
  SMTPSSL: boolean;
  SMTPTLS: boolean;
  SMTPUser: string | undefined;
  SMTPPass: string | undefined;
  SMTPEmailFrom: string | undefined;
  /** Minutes that a mailed link works. */
  tokenDuration: number;
  useFirstLastNameInPads: boolean;
  insensitiveMailMatch: boolean;
  authMethod: AuthMethod;
  availableAuthMethods: AuthMethod[];
  authLdapSettings: ServiceSettings;
  authCasSettings: ServiceSettings;
  allPadsPublicsAuthentifiedOnly: boolean;
  deleteJobQueue: boolean;
  trustProxy: boolean;
  disableLogoutButton: boolean;
  disableLangageSelect: boolean;
  disableUserList: boolean;
  disableUserProfile: boolean;
  userLoginsAsAdmin: string[];
}

export type ConfigurationKey = keyof ConfigurationValues;

/** What a setting may be: in words, for docs/configuration.md, and as a check. */
interface Rule {
  takes: string;
  valid(value: unknown): boolean;
  /** The value that forms, files and old databases mean by another spelling of it, as `"587"`. Checked by `valid` afterwards. */
  meant?(value: unknown): unknown;
  /** The nearest valid value, of one that a database has and that is none; the earlier generation had no limits. Checked by `valid` afterwards. */
  nearest?(value: unknown): unknown;
  /** What is wrong inside a valid value that somebody wants to store. What is stored already is not asked. */
  fault?(value: ServiceSettings): SettingsFault | undefined;
}

interface Definition<Value> extends Rule {
  initial: Value;
  /** Built in: what the database says does not count, and nobody changes it. */
  fixed?: true;
}

// 1. Kinds of values

const isText =
  (longest: number) =>
  (value: unknown): value is string =>
    typeof value === 'string' && value.length <= longest;

const boolean: Rule = { takes: '`true` or `false`', valid: (value) => typeof value === 'boolean' };

const text = (longest: number): Rule => ({
  takes: `text of at most ${longest} characters`,
  valid: isText(longest),
});

const integer = (least: number, most: number): Rule => ({
  takes: `whole number from ${least} to ${most}`,
  valid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  // The form of the earlier generation stored what was typed.
  meant: (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  nearest: (value) =>
    typeof value === 'number' ? Math.min(most, Math.max(least, Math.round(value))) : value,
});

const oneOf = (names: readonly string[]): Rule => ({
  takes: names.map((name) => `\`${name}\``).join(', '),
  valid: (value) => typeof value === 'string' && names.includes(value),
});

const longestMessage = 10_000;
const isMessage = ([name, value]: [string, unknown]): boolean =>
  /^[a-z]{2,3}(-\w{2,8})*$/i.test(name) && isText(longestMessage)(value);
/** Texts by language. */
const texts: Rule = {
  takes: `object: language code to text of at most ${longestMessage} characters`,
  valid: (value) => isSettings(value) && Object.entries(value).every(isMessage),
  nearest: (value) =>
    isSettings(value) ? Object.fromEntries(Object.entries(value).filter(isMessage)) : value,
};

/** Scheme, host, perhaps a port and a path: more is written behind it. */
const address: Rule = {
  takes: '`http` or `https` address of at most 300 characters without `?`, `#` and password, or empty',
  valid: (value) =>
    value === '' ||
    (isText(300)(value) && /^https?:\/\/[^\s/?#\\@]+(\/[^\s?#\\]*)?$/i.test(value) && URL.canParse(value)),
  meant: (value) => (typeof value === 'string' ? value.trim().replace(/\/+$/, '') : value),
};

const mostLogins = 1_000;
const logins: Rule = {
  takes: `list of at most ${mostLogins} texts, or one text with commas`,
  valid: (value) => Array.isArray(value) && value.length <= mostLogins && value.every(isText(300)),
  meant(value) {
    const names: unknown[] | unknown = typeof value === 'string' ? value.split(',') : value;
    if (!Array.isArray(names)) return value;
    const trimmed = names.map((name: unknown) => (typeof name === 'string' ? name.trim() : name));
    return [...new Set(trimmed)].filter((name) => name !== '');
  },
};

/** Nobody needs more; and what nests deeper than the stack could not be written. */
const mostDepth = 8;
const mostValues = 1_000;

function isSmall(value: ServiceSettings): boolean {
  const waiting: [unknown, number][] = [[value, 1]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [inner, depth] = next;
    count += 1;
    if (count > mostValues || depth > mostDepth) return false;
    if (typeof inner !== 'object' || inner === null) continue;
    for (const one of Object.values(inner)) waiting.push([one, depth + 1]);
  }
  return true;
}

const settings = (page: string, fault: (value: ServiceSettings) => SettingsFault | undefined): Rule => ({
  takes: `object, see [${page}](${page}#the-settings)`,
  valid: (value) => isSettings(value) && isSmall(value),
  fault,
});

// 2. The settings

const languages = { en: 'English', fr: 'Français', de: 'Deutsch', es: 'Español', it: 'Italiano' };
const languageCodes = Object.keys(languages);
const authMethods: AuthMethod[] = ['internal', 'ldap', 'cas'];
const off: Definition<boolean> = { initial: false, ...boolean };
const on: Definition<boolean> = { initial: true, ...boolean };
const unsetText: Definition<string | undefined> = { initial: undefined, ...text(300) };

const definitions: { [Key in ConfigurationKey]: Definition<ConfigurationValues[Key]> } = {
  title: {
    initial: 'MyPads',
    takes: `text of 1 to ${limits.text} characters`,
    valid: (value) => isText(limits.text)(value) && value.trim() !== '',
    nearest: (value) => (typeof value === 'string' ? value.slice(0, limits.text) : value),
  },
  rootUrl: { initial: '', ...address },
  allowEtherPads: on,
  openRegistration: on,
  hideHelpBlocks: off,
  passwordMin: { initial: 8, ...integer(1, limits.password) },
  passwordMax: { initial: 128, ...integer(1, limits.password) },
  languages: { initial: languages, ...texts, fixed: true },
  loginMsg: { initial: { en: '', fr: '', de: '', es: '', it: '' }, ...texts },
  defaultLanguage: { initial: 'en', ...oneOf(languageCodes) },
  HTMLExtraHead: { initial: '', ...text(50_000) },
  checkMails: off,
  SMTPHost: unsetText,
  SMTPPort: { initial: undefined, ...integer(1, 65_535) },
  SMTPSSL: off,
  SMTPTLS: on,
  SMTPUser: unsetText,
  SMTPPass: unsetText,
  SMTPEmailFrom: {
    initial: undefined,
    takes: 'e-mail address, or empty',
    valid: (value) => typeof value === 'string' && (value === '' || mailAddress(value) !== undefined),
    // As `MyPads <pads@example.org>`; the name before the address is always the title.
    meant: (value) => (typeof value === 'string' ? (/<([^<>]*)>\s*$/.exec(value)?.[1] ?? value) : value),
  },
  tokenDuration: { initial: 60, ...integer(1, 10_080) },
  useFirstLastNameInPads: off,
  insensitiveMailMatch: off,
  authMethod: { initial: 'internal', ...oneOf(authMethods) },
  availableAuthMethods: { initial: authMethods, takes: 'list', valid: Array.isArray, fixed: true },
  authLdapSettings: {
    initial: {
      url: 'ldaps://ldap.example.org',
      bindDN: 'uid=ldap,ou=users,dc=example,dc=org',
      bindCredentials: '',
      searchBase: 'ou=users,dc=example,dc=org',
      searchFilter: '(uid={{username}})',
      tlsOptions: { rejectUnauthorized: true },
      properties: { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' },
      defaultLang: 'en',
    },
    ...settings('ldap.md', (value) => ldapFault(value, languageCodes)),
  },
  authCasSettings: {
    initial: {
      serverUrl: 'https://cas.example.org/cas',
      protocolVersion: 3,
      properties: { login: 'user', email: 'email', firstname: 'firstname', lastname: 'lastname' },
      defaultLang: 'en',
    },
    ...settings('cas.md', (value) => casFault(value, languageCodes)),
  },
  allPadsPublicsAuthentifiedOnly: off,
  deleteJobQueue: off,
  trustProxy: off,
  disableLogoutButton: off,
  disableLangageSelect: off,
  disableUserList: off,
  disableUserProfile: off,
  userLoginsAsAdmin: { initial: [], ...logins },
};

/** What new installations allow; the earlier generation allowed less, and whoever comes from it keeps that. */
const oldPasswordMax = 30;

// 3. Asking for them

/** Is this the name of a setting? Own names only: `constructor` is none. */
export function isConfigurationKey(name: string): name is ConfigurationKey {
  return Object.hasOwn(definitions, name);
}

/** In the order in which they are told. */
export const configurationKeys: readonly ConfigurationKey[] =
  Object.keys(definitions).filter(isConfigurationKey);

export const isFixed = (key: ConfigurationKey): boolean => definitions[key].fixed === true;

/** The default; `old` in a database of the earlier generation. */
export function initialValue(key: ConfigurationKey, old = false): unknown {
  return old && key === 'passwordMax' ? oldPasswordMax : definitions[key].initial;
}

/** The value that this one stands for, in whatever spelling; `undefined` when it makes no sense. */
export function usableValue(key: ConfigurationKey, value: unknown): unknown {
  const { valid, meant } = definitions[key];
  const found = meant ? meant(value) : value;
  return valid(found) ? found : undefined;
}

/** The same of a value that the database has: what is out of bounds counts as the bound. */
export function storedValue(key: ConfigurationKey, value: unknown): unknown {
  const { meant, nearest } = definitions[key];
  const usable = usableValue(key, value);
  return usable === undefined && nearest ? usableValue(key, nearest(meant ? meant(value) : value)) : usable;
}

/** What is wrong inside a usable value that somebody wants to store or to preset. */
export function faultOf(key: ConfigurationKey, value: unknown): SettingsFault | undefined {
  return isSettings(value) ? definitions[key].fault?.(value) : undefined;
}

export interface SettingFacts {
  key: ConfigurationKey;
  /** What it may be, in words. */
  takes: string;
  /** `undefined`: none. */
  initial: unknown;
  fixed: boolean;
}

/** Every setting, for the documentation. */
export function describeSettings(): SettingFacts[] {
  return configurationKeys.map((key) => {
    const { takes, initial, fixed = false } = definitions[key];
    return { key, takes, initial, fixed };
  });
}
