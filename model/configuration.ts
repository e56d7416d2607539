/**
 * The settings that server administrators change while the server runs (spec 3, server.md 7). They are loaded once and kept, the
 * one exception to "no copies between requests": rules ask them on every step. Old databases may hold numbers as texts or values of the
 * wrong type; the first are understood, the second give way to the default.
 */
import { MyPadsError } from './errors';
import type { Events } from './events';
import { limits } from './limits';
import { mailAddress } from './mail';
import type { Log } from './ports';
import { keys, type Store } from './store';

export type AuthMethod = 'internal' | 'ldap' | 'cas';
type Settings = Record<string, unknown>;

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
  authLdapSettings: Settings;
  authCasSettings: Settings;
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

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isText =
  (longest: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= longest;
const isInteger =
  (least: number, most: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const isSettings = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText(10_000));

function isRootUrl(value: unknown): boolean {
  if (value === '') return true;
  if (typeof value !== 'string' || value.length > 300 || !URL.canParse(value)) return false;
  return ['http:', 'https:'].includes(new URL(value).protocol);
}

interface Definition<Value> {
  initial: Value;
  valid(value: unknown): boolean;
  /** Built in: what the database says does not count, and nobody changes it. */
  fixed?: true;
}

const languages = { en: 'English', fr: 'Français', de: 'Deutsch', es: 'Español', it: 'Italiano' };
const off: Definition<boolean> = { initial: false, valid: isBoolean };
const on: Definition<boolean> = { initial: true, valid: isBoolean };
const unsetText: Definition<string | undefined> = { initial: undefined, valid: isText(300) };

const definitions: { [Key in ConfigurationKey]: Definition<ConfigurationValues[Key]> } = {
  title: { initial: 'MyPads', valid: (value) => isText(limits.text)(value) && value !== '' },
  rootUrl: { initial: '', valid: isRootUrl },
  allowEtherPads: on,
  openRegistration: on,
  hideHelpBlocks: off,
  passwordMin: { initial: 8, valid: isInteger(1, limits.password) },
  passwordMax: { initial: 128, valid: isInteger(1, limits.password) },
  languages: { initial: languages, valid: isTexts, fixed: true },
  loginMsg: { initial: { en: '', fr: '', de: '', es: '', it: '' }, valid: isTexts },
  defaultLanguage: {
    initial: 'en',
    valid: (value) => typeof value === 'string' && Object.hasOwn(languages, value),
  },
  HTMLExtraHead: { initial: '', valid: isText(50_000) },
  checkMails: off,
  SMTPHost: unsetText,
  SMTPPort: { initial: undefined, valid: isInteger(1, 65_535) },
  SMTPSSL: off,
  SMTPTLS: on,
  SMTPUser: unsetText,
  SMTPPass: unsetText,
  SMTPEmailFrom: {
    initial: undefined,
    valid: (value) => typeof value === 'string' && (value === '' || mailAddress(value) !== undefined),
  },
  tokenDuration: { initial: 60, valid: isInteger(1, 10_080) },
  useFirstLastNameInPads: off,
  insensitiveMailMatch: off,
  authMethod: {
    initial: 'internal',
    valid: (value) => value === 'internal' || value === 'ldap' || value === 'cas',
  },
  availableAuthMethods: { initial: ['internal', 'ldap', 'cas'], valid: Array.isArray, fixed: true },
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
    valid: isSettings,
  },
  authCasSettings: {
    initial: {
      serverUrl: 'https://cas.example.org/cas',
      protocolVersion: 3,
      properties: { login: 'login', email: 'email', firstname: 'firstname', lastname: 'lastname' },
      defaultLang: 'en',
    },
    valid: isSettings,
  },
  allPadsPublicsAuthentifiedOnly: off,
  deleteJobQueue: off,
  trustProxy: off,
  disableLogoutButton: off,
  disableLangageSelect: off,
  disableUserList: off,
  disableUserProfile: off,
  userLoginsAsAdmin: {
    initial: [],
    valid: (value) => Array.isArray(value) && value.length <= 1_000 && value.every(isText(300)),
  },
};

/** Is this the name of a setting? Own names only: `constructor` is none. */
export function isConfigurationKey(name: string): name is ConfigurationKey {
  return Object.hasOwn(definitions, name);
}

const names = Object.keys(definitions).filter(isConfigurationKey);

/** What administrators type once and nobody gets back. */
const secretOf = { authLdapSettings: 'bindCredentials' } as const;

export interface Configuration {
  get<Key extends ConfigurationKey>(key: Key): ConfigurationValues[Key];
  /** As administrators may see it: without passwords. Throws CONFIGURATION.KEY_NOT_FOUND. */
  shown(key: string): unknown;
  /** Every setting that has a value, as administrators may see it. */
  all(): Record<string, unknown>;
  /**
   * Stores a setting and emits `configuration`. Throws CONFIGURATION.KEY_NOT_FOUND, TYPE.PARAM_INVALID, and TYPE.PASSWORD_SIZE when
   * passwordMin would exceed passwordMax. The secret of a sign-in service is kept when it is left out.
   */
  set(key: string, value: unknown): Promise<void>;
  /** Back to the default. Throws CONFIGURATION.KEY_NOT_FOUND. */
  remove(key: string): Promise<void>;
}

export async function createConfiguration(context: {
  store: Store;
  events: Events;
  log: Log;
}): Promise<Configuration> {
  const { store, events, log } = context;
  const values: ConfigurationValues = Object.fromEntries(
    names.map((name) => [name, definitions[name].initial]),
  ) as { [Key in ConfigurationKey]: ConfigurationValues[Key] };

  function keep<Key extends ConfigurationKey>(key: Key, value: unknown): void {
    values[key] = value as ConfigurationValues[Key];
  }

  function known(name: string): ConfigurationKey {
    if (!isConfigurationKey(name)) {
      throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: name.slice(0, 100) });
    }
    return name;
  }

  function load(key: ConfigurationKey, stored: unknown): void {
    const { initial, valid, fixed } = definitions[key];
    const asNumber = typeof stored === 'string' && /^\d+$/.test(stored) ? Number(stored) : stored;
    if (fixed || stored === undefined) keep(key, initial);
    else if (valid(stored)) keep(key, stored);
    else if (valid(asNumber)) keep(key, asNumber);
    else {
      log.warn('a stored setting is not usable, its default is taken', { key });
      keep(key, initial);
    }
  }

  const stored = await store.getMany<unknown>(names.map(keys.conf));
  for (const [index, name] of names.entries()) load(name, stored[index]);

  function withoutSecret(key: ConfigurationKey): unknown {
    if (key === 'SMTPPass') return undefined;
    if (key !== 'authLdapSettings') return values[key];
    const { [secretOf.authLdapSettings]: _, ...rest } = values.authLdapSettings;
    return rest;
  }

  /** What will be stored for a value that somebody sent. */
  function prepared(key: ConfigurationKey, value: unknown): unknown {
    const { valid, fixed } = definitions[key];
    if (fixed || !valid(value))
      throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'value', key });
    const min = key === 'passwordMin' ? Number(value) : values.passwordMin;
    const max = key === 'passwordMax' ? Number(value) : values.passwordMax;
    if (min > max && (key === 'passwordMin' || key === 'passwordMax')) {
      throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE', { key });
    }
    if (key === 'rootUrl') return String(value).replace(/\/+$/, '');
    if (key === 'authLdapSettings') {
      const secret = values.authLdapSettings[secretOf.authLdapSettings];
      return { [secretOf.authLdapSettings]: secret, ...(value as Settings) };
    }
    return value;
  }

  return {
    get: (key) => values[key],
    shown: (key) => withoutSecret(known(key)),
    all: () =>
      Object.fromEntries(
        names.map((name) => [name, withoutSecret(name)]).filter(([, value]) => value !== undefined),
      ),
    async set(name, value) {
      const key = known(name);
      // One lock for all: passwordMin and passwordMax are checked against each other.
      await store.locked([keys.conf('')], async () => {
        const next = prepared(key, value);
        await store.set(keys.conf(key), next);
        keep(key, next);
      });
      events.emit('configuration', { key });
    },
    async remove(name) {
      const key = known(name);
      await store.locked([keys.conf('')], async () => {
        await store.remove(keys.conf(key));
        load(key, undefined);
      });
      events.emit('configuration', { key });
    },
  };
}
