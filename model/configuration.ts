/**
 * The settings that server administrators change while the server runs (spec 3, server.md 7). They are loaded once and kept, the
 * one exception to "no copies between requests": rules ask them on every step. Old databases may hold numbers as texts or values of the
 * wrong type; the first are understood, the second give way to the default. What the host's settings file presets (its block
 * `ep_mypads`) counts before the database, and only whoever edits that file changes it.
 */
import { isDeepStrictEqual } from 'node:util';
import { MyPadsError } from './errors';
import type { Events } from './events';
import type { Log } from './ports';
import {
  type ConfigurationKey,
  type ConfigurationValues,
  configurationKeys,
  faultOf,
  initialValue,
  isConfigurationKey,
  isFixed,
  type ServiceSettings,
  storedValue,
  usableValue,
} from './settingDefinitions';
import { secretsThatAreSet, shownValue, withoutSecrets, withSecretsOf } from './settingSecrets';
import { isSettings } from './signin/profile';
import { keys, type Store } from './store';

export type { AuthMethod, ConfigurationKey, ConfigurationValues } from './settingDefinitions';

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
   * Stores a setting and emits `configuration`. Throws CONFIGURATION.KEY_NOT_FOUND, CONFIGURATION.LOCKED, TYPE.PARAM_INVALID or
   * TYPE.SMTP_CONFIG (`field` says where inside the value), TYPE.PASSWORD_SIZE when passwordMin would exceed passwordMax, and what `probe` throws. The secrets of a
   * sign-in service are kept when they are left out.
   */
  set(key: string, value: unknown): Promise<void>;
  /** Back to the default. Throws CONFIGURATION.KEY_NOT_FOUND, CONFIGURATION.LOCKED, TYPE.PASSWORD_SIZE. */
  remove(key: string): Promise<void>;
  /** The host has read its settings file again: takes over what it presets now, and emits `configuration` for what that changes. */
  reload(): Promise<void>;
}

export interface ConfigurationContext {
  store: Store;
  events: Events;
  log: Log;
  /** The `ep_mypads` block of the host's settings file, asked at the start and at `reload`. */
  presets?: () => Record<string, unknown>;
  /** Tries out a setting before it is stored; what it throws refuses it. */
  probe?: (key: ConfigurationKey, value: unknown) => Promise<void>;
}

/** Names in the block that are no settings. */
const otherNames = ['ldap', 'removeDataOnUninstall'];

export async function createConfiguration(context: ConfigurationContext): Promise<Configuration> {
  const { store, events, log, probe = async () => {} } = context;
  const readBlock = context.presets ?? ((): Record<string, unknown> => ({}));

  function known(name: string): ConfigurationKey {
    if (!isConfigurationKey(name)) {
      throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: name.slice(0, 100) });
    }
    return name;
  }

  // 1. The database

  /** What the earlier generation wrote at each start, and we never do. */
  const isOld = (await store.get<unknown>(keys.conf('languages'))) !== undefined;
  const values = new Map<ConfigurationKey, unknown>();

  function load(key: ConfigurationKey, stored: unknown): void {
    const found = stored === undefined || isFixed(key) ? undefined : storedValue(key, stored);
    values.set(key, found ?? initialValue(key, isOld));
    if (found === undefined && stored !== undefined && !isFixed(key)) {
      log.warn('a stored setting is not usable, its default is taken', { key });
    }
  }

  async function loadAll(wanted: readonly ConfigurationKey[]): Promise<void> {
    const stored = await store.getMany<unknown>(wanted.map(keys.conf));
    for (const [index, key] of wanted.entries()) load(key, stored[index]);
  }

  /** `ep_mypads.ldap`, as the earlier generation took it over: once, while the database has no settings of its own. */
  async function adoptLdap(): Promise<boolean> {
    const { ldap } = readBlock();
    if (!isSettings(ldap)) return false;
    const stored = await store.get<unknown>(keys.conf('authLdapSettings'));
    const standard = withoutSecrets(initialValue('authLdapSettings') as ServiceSettings);
    if (isSettings(stored) && !isDeepStrictEqual(withoutSecrets(stored), standard)) return false;
    await store.set(keys.conf('authLdapSettings'), ldap);
    await store.set(keys.conf('authMethod'), 'ldap');
    log.info('the LDAP settings of the settings file were taken over');
    return true;
  }

  // 2. The host's settings file

  let presets = new Map<ConfigurationKey, unknown>();

  function readPresets(): Map<ConfigurationKey, unknown> {
    const found = new Map<ConfigurationKey, unknown>();
    for (const [name, value] of Object.entries(readBlock())) {
      if (otherNames.includes(name)) continue;
      const key = isConfigurationKey(name) && !isFixed(name) ? name : undefined;
      const preset = key && usableValue(key, value);
      const fault = key && faultOf(key, preset);
      if (key !== undefined && preset !== undefined && !fault) found.set(key, preset);
      else {
        const reason = fault && { reason: fault.message };
        log.error('a setting of the settings file is not usable, it does not count', {
          key: name,
          ...reason,
        });
      }
    }
    return found;
  }

  const plain = (key: ConfigurationKey): unknown => (presets.has(key) ? presets.get(key) : values.get(key));

  function get<Key extends ConfigurationKey>(key: Key): ConfigurationValues[Key] {
    const value = plain(key);
    // The two lengths may come from different places, and with none between them nobody could choose a password.
    const counting = key === 'passwordMax' ? Math.max(Number(value), Number(plain('passwordMin'))) : value;
    return counting as ConfigurationValues[Key];
  }

  await adoptLdap();
  await loadAll(configurationKeys);
  presets = readPresets();

  // 3. What is shown and what is stored

  function changeable(name: string): ConfigurationKey {
    const key = known(name);
    if (presets.has(key)) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LOCKED', { key });
    return key;
  }

  const shown = (key: ConfigurationKey): unknown => shownValue(key, get(key));

  function requireLengths(key: ConfigurationKey, value: unknown): void {
    if (key !== 'passwordMin' && key !== 'passwordMax') return;
    const min = Number(key === 'passwordMin' ? value : plain('passwordMin'));
    const max = Number(key === 'passwordMax' ? value : plain('passwordMax'));
    if (min > max) throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE', { key });
  }

  /** What will be stored for a value that somebody sent. */
  function prepared(key: ConfigurationKey, value: unknown): unknown {
    const error = key.startsWith('SMTP')
      ? 'BACKEND.ERROR.TYPE.SMTP_CONFIG'
      : 'BACKEND.ERROR.TYPE.PARAM_INVALID';
    const invalid = (field: string, reason?: string) =>
      new MyPadsError(error, { field, key, ...(reason && { reason }) });
    const usable = isFixed(key) ? undefined : usableValue(key, value);
    if (usable === undefined) throw invalid('value');
    requireLengths(key, usable);
    const before = values.get(key);
    const whole =
      key === 'authLdapSettings' && isSettings(usable) && isSettings(before)
        ? withSecretsOf(before, usable)
        : usable;
    const fault = faultOf(key, whole);
    if (fault) throw invalid(fault.field === '' ? 'value' : `value.${fault.field}`, fault.message);
    return whole;
  }

  return {
    get,
    shown: (key) => shown(known(key)),
    all: () =>
      Object.fromEntries(
        configurationKeys.map((key) => [key, shown(key)]).filter(([, value]) => value !== undefined),
      ),
    locked: () => configurationKeys.filter((key) => presets.has(key)),
    secrets: () => secretsThatAreSet(get('SMTPPass'), get('authLdapSettings')),
    async set(name, value) {
      const key = changeable(name);
      await probe(key, prepared(key, value));
      // One lock for all: passwordMin and passwordMax are checked against each other.
      await store.locked([keys.conf('')], async () => {
        const next = prepared(changeable(key), value);
        await store.set(keys.conf(key), next);
        values.set(key, next);
      });
      events.emit('configuration', { key });
    },
    async remove(name) {
      const key = changeable(name);
      await store.locked([keys.conf('')], async () => {
        requireLengths(changeable(key), initialValue(key, isOld));
        await store.remove(keys.conf(key));
        load(key, undefined);
      });
      events.emit('configuration', { key });
    },
    async reload() {
      const before = new Map(configurationKeys.map((key) => [key, get(key)]));
      await store.locked([keys.conf('')], async () => {
        presets = readPresets();
        if (await adoptLdap()) await loadAll(['authLdapSettings', 'authMethod']);
      });
      for (const key of configurationKeys) {
        if (isDeepStrictEqual(before.get(key), get(key))) continue;
        log.info('setting changed in the settings file', { key });
        events.emit('configuration', { key });
      }
    },
  };
}
