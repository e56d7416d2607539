/**
 * The settings that server administrators change while the server runs (spec 3, server.md 7). They are loaded once and kept, the
 * one exception to "no copies between requests": rules ask them on every step. Old databases may hold numbers as texts or values of the
 * wrong type; the first are understood, the second give way to the default. What the host's settings file presets (its block
 * `ep_mypads`) counts before the database, and only whoever edits that file changes it.
 */
import { isDeepStrictEqual } from 'node:util';
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

/** What a setting may be: in words, for docs/configuration.md, and as a check. */
interface Rule {
  takes: string;
  valid(value: unknown): boolean;
}

const isText =
  (longest: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= longest;
const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const longestMessage = 10_000;
/** Texts by language. */
const isTexts = (value: unknown): boolean =>
  isSettings(value) &&
  Object.keys(value).every((name) => /^[a-z]{2,3}(-\w{2,8})*$/i.test(name)) &&
  Object.values(value).every(isText(longestMessage));

function isRootUrl(value: unknown): boolean {
  if (value === '') return true;
  if (typeof value !== 'string' || value.length > 300 || !URL.canParse(value)) return false;
  return ['http:', 'https:'].includes(new URL(value).protocol);
}

const boolean: Rule = { takes: '`true` or `false`', valid: (value) => typeof value === 'boolean' };
const text = (longest: number): Rule => ({
  takes: `text of at most ${longest} characters`,
  valid: isText(longest),
});
const integer = (least: number, most: number): Rule => ({
  takes: `whole number from ${least} to ${most}`,
  valid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
});
const oneOf = (names: readonly string[]): Rule => ({
  takes: names.map((name) => `\`${name}\``).join(', '),
  valid: (value) => typeof value === 'string' && names.includes(value),
});
const texts: Rule = {
  takes: `object: language code to text of at most ${longestMessage} characters`,
  valid: isTexts,
};
const settings: Rule = { takes: 'object', valid: isSettings };

interface Definition<Value> extends Rule {
  initial: Value;
  /** Built in: what the database says does not count, and nobody changes it. */
  fixed?: true;
}

const languages = { en: 'English', fr: 'Français', de: 'Deutsch', es: 'Español', it: 'Italiano' };
const authMethods: AuthMethod[] = ['internal', 'ldap', 'cas'];
const mostLogins = 1_000;
const off: Definition<boolean> = { initial: false, ...boolean };
const on: Definition<boolean> = { initial: true, ...boolean };
const unsetText: Definition<string | undefined> = { initial: undefined, ...text(300) };

const definitions: { [Key in ConfigurationKey]: Definition<ConfigurationValues[Key]> } = {
  title: {
    initial: 'MyPads',
    takes: `text of 1 to ${limits.text} characters`,
    valid: (value) => isText(limits.text)(value) && value !== '',
  },
  rootUrl: {
    initial: '',
    takes: '`http` or `https` address of at most 300 characters, or empty',
    valid: isRootUrl,
  },
  allowEtherPads: on,
  openRegistration: on,
  hideHelpBlocks: off,
  passwordMin: { initial: 8, ...integer(1, limits.password) },
  passwordMax: { initial: 128, ...integer(1, limits.password) },
  languages: { initial: languages, ...texts, fixed: true },
  loginMsg: { initial: { en: '', fr: '', de: '', es: '', it: '' }, ...texts },
  defaultLanguage: { initial: 'en', ...oneOf(Object.keys(languages)) },
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
    ...settings,
  },
  authCasSettings: {
    initial: {
      serverUrl: 'https://cas.example.org/cas',
      protocolVersion: 3,
      properties: { login: 'login', email: 'email', firstname: 'firstname', lastname: 'lastname' },
      defaultLang: 'en',
    },
    ...settings,
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
    takes: `list of at most ${mostLogins} texts`,
    valid: (value) => Array.isArray(value) && value.length <= mostLogins && value.every(isText(300)),
  },
};

/** Is this the name of a setting? Own names only: `constructor` is none. */
export function isConfigurationKey(name: string): name is ConfigurationKey {
  return Object.hasOwn(definitions, name);
}

const names = Object.keys(definitions).filter(isConfigurationKey);

export interface SettingFacts {
  key: ConfigurationKey;
  /** What it may be, in words. */
  takes: string;
  /** `undefined`: none. */
  initial: unknown;
  fixed: boolean;
}

/** Every setting, in the order in which they are told, for the documentation. */
export function describeSettings(): SettingFacts[] {
  return names.map((key) => {
    const { takes, initial, fixed = false } = definitions[key];
    return { key, takes, initial, fixed };
  });
}

/** What new installations allow; the earlier generation allowed less, and whoever comes from it keeps that. */
const oldPasswordMax = 30;

/** What administrators type once and nobody gets back, under each name that the LDAP library knows. */
const ldapSecrets = ['bindCredentials', 'Credentials', 'adminPassword'];
const tlsSecrets = ['key', 'pfx', 'passphrase'];

function pick(settings: unknown, wanted: (name: string) => boolean): Settings {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => wanted(name)));
}

function withoutSecrets(settings: Settings): Settings {
  const rest = pick(settings, (name) => !ldapSecrets.includes(name));
  if (!isSettings(rest.tlsOptions)) return rest;
  return { ...rest, tlsOptions: pick(rest.tlsOptions, (name) => !tlsSecrets.includes(name)) };
}

/** Settings that came back from a form, which never got the secrets. */
function withSecretsOf(before: Settings, settings: Settings): Settings {
  const merged = { ...pick(before, (name) => ldapSecrets.includes(name)), ...settings };
  if (!isSettings(merged.tlsOptions)) return merged;
  const secrets = pick(before.tlsOptions, (name) => tlsSecrets.includes(name));
  return { ...merged, tlsOptions: { ...secrets, ...merged.tlsOptions } };
}

type Presets = Partial<Record<ConfigurationKey, unknown>>;

export interface Configuration {
  get<Key extends ConfigurationKey>(key: Key): ConfigurationValues[Key];
  /** As administrators may see it: without passwords. Throws CONFIGURATION.KEY_NOT_FOUND. */
  shown(key: string): unknown;
  /** Every setting that has a value, as administrators may see it. */
  all(): Record<string, unknown>;
  /** The settings that are preset by the host's settings file. */
  locked(): ConfigurationKey[];
  /** The secrets that are set: `SMTPPass`, or a name inside a setting, as in `authLdapSettings.bindCredentials`. */
  secrets(): string[];
  /**
   * Stores a setting and emits `configuration`. Throws CONFIGURATION.KEY_NOT_FOUND, CONFIGURATION.LOCKED, TYPE.PARAM_INVALID,
   * TYPE.PASSWORD_SIZE when passwordMin would exceed passwordMax, and what `probe` throws. The secrets of a sign-in service are kept
   * when they are left out.
   */
  set(key: string, value: unknown): Promise<void>;
  /** Back to the default. Throws CONFIGURATION.KEY_NOT_FOUND, CONFIGURATION.LOCKED. */
  remove(key: string): Promise<void>;
}

export interface ConfigurationContext {
  store: Store;
  events: Events;
  log: Log;
  /** The `ep_mypads` block of the host's settings file, asked at each call: the host can reload it. */
  presets?: () => Record<string, unknown>;
  /** Tries out a setting before it is stored; what it throws refuses it. */
  probe?: (key: ConfigurationKey, value: unknown) => Promise<void>;
}

export async function createConfiguration(context: ConfigurationContext): Promise<Configuration> {
  const { store, events, log, probe = async () => {} } = context;
  const readBlock = context.presets ?? ((): Record<string, unknown> => ({}));
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

  // 1. The database

  /** What the earlier generation wrote at each start, and we never do. */
  const isOld = (await store.get<unknown>(keys.conf('languages'))) !== undefined;

  const initialOf = (key: ConfigurationKey): unknown =>
    key === 'passwordMax' && isOld ? oldPasswordMax : definitions[key].initial;

  /** The value that a stored or preset one stands for; `undefined` when it makes no sense. */
  function usable(key: ConfigurationKey, value: unknown): unknown {
    const { valid } = definitions[key];
    const asNumber = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    const found = [value, asNumber].find(valid);
    return key === 'rootUrl' && typeof found === 'string' ? found.replace(/\/+$/, '') : found;
  }

  function load(key: ConfigurationKey, stored: unknown): void {
    const found = stored === undefined || definitions[key].fixed ? undefined : usable(key, stored);
    keep(key, found ?? initialOf(key));
    if (found === undefined && stored !== undefined && !definitions[key].fixed) {
      log.warn('a stored setting is not usable, its default is taken', { key });
    }
  }

  /** `ep_mypads.ldap`, as the earlier generation took it over: once, while the database has no settings of its own. */
  async function adoptLdap(): Promise<void> {
    const { ldap } = readBlock();
    if (!isSettings(ldap)) return;
    const stored = await store.get<unknown>(keys.conf('authLdapSettings'));
    const standard = withoutSecrets(definitions.authLdapSettings.initial);
    if (isSettings(stored) && !isDeepStrictEqual(withoutSecrets(stored), standard)) return;
    await store.set(keys.conf('authLdapSettings'), ldap);
    await store.set(keys.conf('authMethod'), 'ldap');
    log.info('the LDAP settings of the settings file were taken over');
  }

  await adoptLdap();
  const stored = await store.getMany<unknown>(names.map(keys.conf));
  for (const [index, name] of names.entries()) load(name, stored[index]);

  // 2. The host's settings file

  let block: unknown;
  let presets: Presets = {};

  function readPresets(entries: Record<string, unknown>): Presets {
    const found: Presets = {};
    for (const [name, value] of Object.entries(entries)) {
      if (name === 'ldap' || name === 'removeDataOnUninstall') continue;
      const key = isConfigurationKey(name) && !definitions[name].fixed ? name : undefined;
      const preset = key && usable(key, value);
      if (key !== undefined && preset !== undefined) found[key] = preset;
      else log.error('a setting of the settings file is not usable, it does not count', { key: name });
    }
    return found;
  }

  /** Read again only when the host has read its file again. */
  function presetsNow(): Presets {
    const current = readBlock();
    if (current !== block) {
      block = current;
      presets = readPresets(current);
    }
    return presets;
  }

  function get<Key extends ConfigurationKey>(key: Key): ConfigurationValues[Key] {
    const found = presetsNow();
    return Object.hasOwn(found, key) ? (found[key] as ConfigurationValues[Key]) : values[key];
  }

  function changeable(name: string): ConfigurationKey {
    const key = known(name);
    if (Object.hasOwn(presetsNow(), key))
      throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LOCKED', { key });
    return key;
  }

  // 3. What is shown and what is stored

  function shown(key: ConfigurationKey): unknown {
    if (key === 'SMTPPass') return undefined;
    return key === 'authLdapSettings' ? withoutSecrets(get('authLdapSettings')) : get(key);
  }

  /** What will be stored for a value that somebody sent. */
  function prepared(key: ConfigurationKey, value: unknown): unknown {
    const { valid, fixed } = definitions[key];
    if (fixed || !valid(value))
      throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'value', key });
    const min = key === 'passwordMin' ? Number(value) : get('passwordMin');
    const max = key === 'passwordMax' ? Number(value) : get('passwordMax');
    if (min > max && (key === 'passwordMin' || key === 'passwordMax')) {
      throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE', { key });
    }
    if (key === 'authLdapSettings') return withSecretsOf(values.authLdapSettings, value as Settings);
    return usable(key, value);
  }

  return {
    get,
    shown: (key) => shown(known(key)),
    all: () =>
      Object.fromEntries(names.map((name) => [name, shown(name)]).filter(([, value]) => value !== undefined)),
    locked: () => names.filter((name) => Object.hasOwn(presetsNow(), name)),
    secrets() {
      const ldap = get('authLdapSettings');
      const tls = isSettings(ldap.tlsOptions) ? ldap.tlsOptions : {};
      return [
        ...(get('SMTPPass') ? ['SMTPPass'] : []),
        ...ldapSecrets.filter((name) => ldap[name]).map((name) => `authLdapSettings.${name}`),
        ...tlsSecrets.filter((name) => tls[name]).map((name) => `authLdapSettings.tlsOptions.${name}`),
      ];
    },
    async set(name, value) {
      const key = changeable(name);
      await probe(key, prepared(key, value));
      // One lock for all: passwordMin and passwordMax are checked against each other.
      await store.locked([keys.conf('')], async () => {
        const next = prepared(key, value);
        await store.set(keys.conf(key), next);
        keep(key, next);
      });
      events.emit('configuration', { key });
    },
    async remove(name) {
      const key = changeable(name);
      await store.locked([keys.conf('')], async () => {
        await store.remove(keys.conf(key));
        load(key, undefined);
      });
      events.emit('configuration', { key });
    },
  };
}
