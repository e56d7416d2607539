/**
 * Definitions of all settings: default and valid values. model/settings/configuration.ts stores them,
 * api/configuration/presenter.ts decides who sees them, bin/docsSettings.ts describes them.
 */
import { languageCodes, languages } from '../languages';
import { limits } from '../limits';
import { mailAddress } from '../mail/address';
import { casFault } from '../signin/casSettings';
import { ldapFault } from '../signin/ldapSettings';
import { isSettings } from '../signin/profile';
import type { SettingsFault } from '../signin/settingsFault';
import { type FirstStep, firstSteps } from './firstSteps';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type AuthMethod = 'internal' | 'ldap' | 'cas';
export type ServiceSettings = Record<string, unknown>;

export interface ConfigurationValues {
  title: string;
  /** Address of Etherpad without a slash at its end; `''` when not set. */
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
  mailContact: string | undefined;
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
  /** Steps of setting up this server that are finished or left out. */
  firstSteps: FirstStep[];
}

export type ConfigurationKey = keyof ConfigurationValues;

/** Valid values of a setting, in words (`accepts`, for docs/configuration.md) and as a check (`valid`). */
interface Rule {
  accepts: string;
  /** The same as JSON Schema, for the API description. `valid` or `fault` may refuse more. */
  schema: JsonSchema;
  valid(value: unknown): boolean;
  /** Converts other spellings, such as `"587"`, of forms, files and old databases. `valid` checks the result. */
  normalise?(value: unknown): unknown;
  /**
   * The nearest valid value for an invalid stored one, because ep_mypads 1.x had no limits. `valid` checks the result.
   */
  clamp?(value: unknown): unknown;
  /** Finds an error inside a valid object when it is to be stored. Stored values are not checked. */
  fault?(value: ServiceSettings): SettingsFault | undefined;
}

interface Definition<Value> extends Rule {
  initial: Value;
  /** Built in: cannot be changed, a stored value is ignored. */
  fixed?: true;
}

// 1. Kinds of values

const isText =
  (longest: number) =>
  (value: unknown): value is string =>
    typeof value === 'string' && value.length <= longest;

const boolean: Rule = {
  accepts: '`true` or `false`',
  schema: { type: 'boolean' },
  valid: (value) => typeof value === 'boolean',
};

const text = (longest: number): Rule => ({
  accepts: `text of at most ${longest} characters`,
  schema: { type: 'string', maxLength: longest },
  valid: isText(longest),
});

const integer = (least: number, most: number): Rule => ({
  accepts: `whole number from ${least} to ${most}`,
  schema: { type: 'integer', minimum: least, maximum: most },
  valid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  // The form of ep_mypads 1.x stored numbers as text.
  normalise: (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  clamp: (value) => (typeof value === 'number' ? Math.min(most, Math.max(least, Math.round(value))) : value),
});

const oneOf = (names: readonly string[]): Rule => ({
  accepts: names.map((name) => `\`${name}\``).join(', '),
  schema: { type: 'string', enum: names },
  valid: (value) => typeof value === 'string' && names.includes(value),
});

const maxMessageLength = 10_000;
const isMessage = ([name, value]: [string, unknown]): boolean =>
  /^[a-z]{2,3}(-\w{2,8})*$/i.test(name) && isText(maxMessageLength)(value);
/** The page of ep_mypads 1.x adds a field `attrs` to every object that it sends. */
function withoutAttrs(value: unknown): unknown {
  if (!isSettings(value) || !Object.hasOwn(value, 'attrs')) return value;
  const { attrs: _, ...rest } = value;
  return rest;
}

/** Texts by language. */
const texts: Rule = {
  accepts: `object: language code to text of at most ${maxMessageLength} characters`,
  schema: { type: 'object', additionalProperties: { type: 'string', maxLength: maxMessageLength } },
  valid: (value) => isSettings(value) && Object.entries(value).every(isMessage),
  normalise: withoutAttrs,
  clamp: (value) => (isSettings(value) ? Object.fromEntries(Object.entries(value).filter(isMessage)) : value),
};

/** Address that a path can be appended to: scheme, host, optional port and path. */
const address: Rule = {
  accepts: '`http` or `https` address of at most 300 characters without `?`, `#` and password, or empty',
  schema: { type: 'string', maxLength: 300 },
  valid: (value) =>
    value === '' ||
    (isText(300)(value) && /^https?:\/\/[^\s/?#\\@]+(\/[^\s?#\\]*)?$/i.test(value) && URL.canParse(value)),
  normalise: (value) => (typeof value === 'string' ? value.trim().replace(/\/+$/, '') : value),
};

const maxLogins = 1_000;
const logins: Rule = {
  accepts: `list of at most ${maxLogins} texts, or one text with commas`,
  schema: { type: 'array', maxItems: maxLogins, items: { type: 'string', maxLength: 300 } },
  valid: (value) => Array.isArray(value) && value.length <= maxLogins && value.every(isText(300)),
  normalise(value) {
    const names: unknown[] | unknown = typeof value === 'string' ? value.split(',') : value;
    if (!Array.isArray(names)) return value;
    const trimmed = names.map((name: unknown) => (typeof name === 'string' ? name.trim() : name));
    return [...new Set(trimmed)].filter((name) => name !== '');
  },
};

/** Limits of nested settings. Without them, deep nesting could overflow the stack. */
const maxDepth = 8;
const maxValues = 1_000;

function isWithinSize(value: ServiceSettings): boolean {
  const waiting: [unknown, number][] = [[value, 1]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [inner, depth] = next;
    count += 1;
    if (count > maxValues || depth > maxDepth) return false;
    if (typeof inner !== 'object' || inner === null) continue;
    for (const one of Object.values(inner)) waiting.push([one, depth + 1]);
  }
  return true;
}

const settings = (page: string, fault: (value: ServiceSettings) => SettingsFault | undefined): Rule => ({
  accepts: `object, see [${page}](${page}#the-settings)`,
  schema: { type: 'object', additionalProperties: true },
  valid: (value) => isSettings(value) && isWithinSize(value),
  normalise: withoutAttrs,
  fault,
});

// 2. The settings

const languageNames = Object.fromEntries(languageCodes.map((code) => [code, languages[code].name]));
const authMethods: AuthMethod[] = ['internal', 'ldap', 'cas'];
const off: Definition<boolean> = { initial: false, ...boolean };
const on: Definition<boolean> = { initial: true, ...boolean };
const unsetAddress: Definition<string | undefined> = {
  initial: undefined,
  accepts: 'e-mail address, or empty',
  schema: { type: 'string' },
  valid: (value) => typeof value === 'string' && (value === '' || mailAddress(value) !== undefined),
  // Accepts `MyPads <pads@example.org>`. The sender's name is always the title of the site.
  normalise: (value) => (typeof value === 'string' ? (/<([^<>]*)>\s*$/.exec(value)?.[1] ?? value) : value),
};
const unsetText: Definition<string | undefined> = { initial: undefined, ...text(300) };

const definitions: { [Key in ConfigurationKey]: Definition<ConfigurationValues[Key]> } = {
  title: {
    initial: 'MyPads',
    accepts: `text of 1 to ${limits.text} characters`,
    schema: { type: 'string', minLength: 1, maxLength: limits.text },
    valid: (value) => isText(limits.text)(value) && value.trim() !== '',
    clamp: (value) => (typeof value === 'string' ? value.slice(0, limits.text) : value),
  },
  rootUrl: { initial: '', ...address },
  allowEtherPads: on,
  openRegistration: on,
  hideHelpBlocks: off,
  passwordMin: { initial: 8, ...integer(1, limits.password) },
  passwordMax: { initial: 128, ...integer(1, limits.password) },
  languages: { initial: languageNames, ...texts, fixed: true },
  loginMsg: { initial: Object.fromEntries(languageCodes.map((code) => [code, ''])), ...texts },
  defaultLanguage: { initial: 'en', ...oneOf(languageCodes) },
  HTMLExtraHead: { initial: '', ...text(50_000) },
  checkMails: off,
  SMTPHost: unsetText,
  SMTPPort: { initial: undefined, ...integer(1, 65_535) },
  SMTPSSL: off,
  SMTPTLS: on,
  SMTPUser: unsetText,
  SMTPPass: unsetText,
  SMTPEmailFrom: unsetAddress,
  mailContact: unsetAddress,
  tokenDuration: { initial: 60, ...integer(1, 10_080) },
  useFirstLastNameInPads: off,
  insensitiveMailMatch: off,
  authMethod: { initial: 'internal', ...oneOf(authMethods) },
  availableAuthMethods: {
    initial: authMethods,
    accepts: 'list',
    schema: { type: 'array', items: { type: 'string', enum: authMethods } },
    valid: Array.isArray,
    fixed: true,
  },
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
  firstSteps: {
    initial: [],
    accepts: `list of ${firstSteps.map((step) => `\`${step}\``).join(', ')}`,
    schema: { type: 'array', uniqueItems: true, items: { type: 'string', enum: firstSteps } },
    valid: (value) =>
      Array.isArray(value) &&
      value.every((step) => firstSteps.includes(step)) &&
      new Set(value).size === value.length,
  },
};

/** Installations that come from ep_mypads 1.x keep its lower maximum. */
const oldPasswordMax = 30;

// 3. Asking for them

/** True for the name of a setting. Only own names count, so `constructor` is none. */
export function isConfigurationKey(name: string): name is ConfigurationKey {
  return Object.hasOwn(definitions, name);
}

/** All keys in the order of the documentation. */
export const configurationKeys: readonly ConfigurationKey[] =
  Object.keys(definitions).filter(isConfigurationKey);

export const isFixed = (key: ConfigurationKey): boolean => definitions[key].fixed === true;

/** The default; `old`: for a database of ep_mypads 1.x. */
export function initialValue(key: ConfigurationKey, old = false): unknown {
  if (old && key === 'passwordMax') return oldPasswordMax;
  // These servers are set up already.
  if (old && key === 'firstSteps') return firstSteps;
  return definitions[key].initial;
}

/** The normalised value; `undefined` when it is invalid. */
export function usableValue(key: ConfigurationKey, value: unknown): unknown {
  const { valid, normalise } = definitions[key];
  const found = normalise ? normalise(value) : value;
  return valid(found) ? found : undefined;
}

/** The same for a stored value. A value out of range becomes the nearest limit. */
export function storedValue(key: ConfigurationKey, value: unknown): unknown {
  const { normalise, clamp } = definitions[key];
  const usable = usableValue(key, value);
  return usable === undefined && clamp
    ? usableValue(key, clamp(normalise ? normalise(value) : value))
    : usable;
}

/** Finds an error inside a valid value that is to be stored or preset. */
export function faultOf(key: ConfigurationKey, value: unknown): SettingsFault | undefined {
  return isSettings(value) ? definitions[key].fault?.(value) : undefined;
}

export interface SettingFacts {
  key: ConfigurationKey;
  /** Valid values, in words and as JSON Schema. */
  accepts: string;
  schema: JsonSchema;
  /** `undefined`: no default. */
  initial: unknown;
  fixed: boolean;
}

/** All settings, for the documentation. */
export function describeSettings(): SettingFacts[] {
  return configurationKeys.map((key) => {
    const { accepts, schema, initial, fixed = false } = definitions[key];
    return { key, accepts, schema, initial, fixed };
  });
}

/** Settings that the access rules read (access/permissions.ts, access/padAccess.ts). */
const deciding: readonly ConfigurationKey[] = ['allPadsPublicsAuthentifiedOnly', 'allowEtherPads'];

export function settingDecidesAccess(key: ConfigurationKey): boolean {
  return deciding.includes(key);
}
