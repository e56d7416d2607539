/**
 * The settings that administrators change at run time. They are cached, because access rules read them all the time.
 * Wrong stored values give way to the default. Presets in the block `ep_mypads` of Etherpad's settings file override
 * the database and cannot be changed here.
 */
import { isDeepStrictEqual } from 'node:util';
import { MyPadsError } from '../errors';
import type { Events } from '../events';
import type { Log } from '../ports';
import { isSettings } from '../signin/profile';
import { keys, type Store } from '../store/store';
import {
  type ConfigurationKey,
  type ConfigurationValues,
  configurationKeys,
  faultOf,
  initialValue,
  isConfigurationKey,
  isFixed,
  type ServiceSettings,
  settingDecidesAccess,
  storedValue,
  usableValue,
} from './definitions';
import { secretsThatAreSet, shownValue, withoutSecrets, withSecretsOf } from './secrets';

export type { ConfigurationKey, ConfigurationValues } from './definitions';

export interface Configuration {
  get<Key extends ConfigurationKey>(key: Key): ConfigurationValues[Key];
  /** The value as administrators may see it, without passwords. Throws CONFIGURATION.KEY_NOT_FOUND. */
  shown(key: string): unknown;
  /** Every setting that has a value, as administrators may see it. */
  all(): Record<string, unknown>;
  /** The default of this database as administrators may see it; `undefined` if there is none. */
  initial(key: ConfigurationKey): unknown;
  /** Keys that Etherpad's settings file presets. */
  locked(): ConfigurationKey[];
  /** Names of the secrets that have a value: `SMTPPass`, or a path such as `authLdapSettings.bindCredentials`. */
  secrets(): string[];
  /**
   * Stores a setting and emits `configuration`. Secrets of a sign-in service that are left out are kept. Throws
   * CONFIGURATION.KEY_NOT_FOUND, CONFIGURATION.LOCKED, TYPE.PARAM_INVALID or TYPE.SMTP_CONFIG (with `field`),
   * TYPE.PASSWORD_SIZE when passwordMin would exceed passwordMax, and what `probe` throws.
   */
  set(key: string, value: unknown): Promise<void>;
  /**
   * The value as `set` would store it, with the secrets that are kept; for tests, not for answers. Throws
   * CONFIGURATION.KEY_NOT_FOUND and for an invalid value what `set` throws.
   */
  complete(key: string, value: unknown): unknown;
  /** Restores the default. Throws CONFIGURATION.KEY_NOT_FOUND, CONFIGURATION.LOCKED, TYPE.PASSWORD_SIZE. */
  remove(key: string): Promise<void>;
  /**
   * Reads the presets again after Etherpad reloaded its settings file. Emits `configuration` for each value that
   * changed.
   */
  reload(): Promise<void>;
  /** Call it with a record that another process has written. Others than those of settings are ignored. */
  receive(recordKey: string, stored: unknown): void;
  /** Reads all settings again; emits `configuration` in this process for each value that changed. */
  refresh(): Promise<void>;
}

export interface ConfigurationContext {
  store: Store;
  events: Events;
  log: Log;
  /** The block `ep_mypads` of Etherpad's settings file. Read at the start and at `reload`. */
  presets?: () => Record<string, unknown>;
  /** Tests a value before it is stored. If it throws, the value is refused. */
  probe?: (key: ConfigurationKey, value: unknown) => Promise<void>;
}

/** Names in the block that are not settings. */
const otherNames = ['ldap', 'removeDataOnUninstall'];

export async function createConfiguration(context: ConfigurationContext): Promise<Configuration> {
  const { store, events, log, probe = async () => {} } = context;
  const readBlock = context.presets ?? ((): Record<string, unknown> => ({}));

  function requireKey(name: string): ConfigurationKey {
    if (!isConfigurationKey(name)) {
      throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: name.slice(0, 100) });
    }
    return name;
  }

  // 1. The database

  /** ep_mypads 1.x writes this key at each start; this version never does. */
  const isOld = (await store.get<unknown>(keys.conf('languages'))) !== undefined;
  const values = new Map<ConfigurationKey, unknown>();

  function load(key: ConfigurationKey, stored: unknown): void {
    const found = stored === undefined || isFixed(key) ? undefined : storedValue(key, stored);
    values.set(key, found ?? initialValue(key, isOld));
    if (found === undefined && stored !== undefined && !isFixed(key)) {
      log.warn('stored setting invalid, default used', { key });
    }
  }

  async function loadAll(wanted: readonly ConfigurationKey[]): Promise<void> {
    const stored = await store.getMany<unknown>(wanted.map(keys.conf));
    for (const [index, key] of wanted.entries()) load(key, stored[index]);
  }

  /**
   * Imports `ep_mypads.ldap` from the settings file, as ep_mypads 1.x did: once, while the database has no LDAP
   * settings of its own.
   */
  async function importLdapPreset(): Promise<boolean> {
    const { ldap } = readBlock();
    if (!isSettings(ldap)) return false;
    const stored = await store.get<unknown>(keys.conf('authLdapSettings'));
    const standard = withoutSecrets(initialValue('authLdapSettings') as ServiceSettings);
    if (isSettings(stored) && !isDeepStrictEqual(withoutSecrets(stored), standard)) return false;
    await store.set(keys.conf('authLdapSettings'), ldap);
    await store.set(keys.conf('authMethod'), 'ldap');
    log.info('LDAP settings imported from the settings file');
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
        log.error('preset in the settings file invalid, ignored', {
          key: name,
          ...reason,
        });
      }
    }
    return found;
  }

  const effectiveValue = (key: ConfigurationKey): unknown =>
    presets.has(key) ? presets.get(key) : values.get(key);

  function get<Key extends ConfigurationKey>(key: Key): ConfigurationValues[Key] {
    const value = effectiveValue(key);
    // The minimum and the maximum may come from different places. If min > max, nobody could choose a password.
    const counting =
      key === 'passwordMax' ? Math.max(Number(value), Number(effectiveValue('passwordMin'))) : value;
    return counting as ConfigurationValues[Key];
  }

  await importLdapPreset();
  await loadAll(configurationKeys);
  presets = readPresets();

  // 3. What is shown and what is stored

  function requireChangeable(name: string): ConfigurationKey {
    const key = requireKey(name);
    if (presets.has(key)) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LOCKED', { key });
    return key;
  }

  const shown = (key: ConfigurationKey): unknown => shownValue(key, get(key));

  function requireLengths(key: ConfigurationKey, value: unknown): void {
    if (key !== 'passwordMin' && key !== 'passwordMax') return;
    const min = Number(key === 'passwordMin' ? value : effectiveValue('passwordMin'));
    const max = Number(key === 'passwordMax' ? value : effectiveValue('passwordMax'));
    if (min > max) throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE', { key });
  }

  /** The value to store for a value that was sent. Throws when it is invalid. */
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

  /** Runs `work` and returns the settings that have another value after it. */
  async function changedBy(work: () => Promise<void>): Promise<ConfigurationKey[]> {
    const before = new Map(configurationKeys.map((key) => [key, get(key)]));
    await store.locked([keys.conf('')], work);
    return configurationKeys.filter((key) => !isDeepStrictEqual(before.get(key), get(key)));
  }

  return {
    get,
    shown: (key) => shown(requireKey(key)),
    all: () =>
      Object.fromEntries(
        configurationKeys.map((key) => [key, shown(key)]).filter(([, value]) => value !== undefined),
      ),
    initial: (key) => shownValue(key, initialValue(key, isOld)),
    locked: () => configurationKeys.filter((key) => presets.has(key)),
    secrets: () => secretsThatAreSet(get('SMTPPass'), get('authLdapSettings')),
    async set(name, value) {
      const key = requireChangeable(name);
      await probe(key, prepared(key, value));
      // passwordMin and passwordMax are checked against each other, so all settings share one lock.
      await store.locked([keys.conf('')], async () => {
        const next = prepared(requireChangeable(key), value);
        await store.set(keys.conf(key), next);
        values.set(key, next);
      });
      events.emit('configuration', { key, access: settingDecidesAccess(key) });
    },
    complete: (name, value) => prepared(requireKey(name), value),
    async remove(name) {
      const key = requireChangeable(name);
      await store.locked([keys.conf('')], async () => {
        requireLengths(requireChangeable(key), initialValue(key, isOld));
        await store.remove(keys.conf(key));
        load(key, undefined);
      });
      events.emit('configuration', { key, access: settingDecidesAccess(key) });
    },
    async reload() {
      const changed = await changedBy(async () => {
        presets = readPresets();
        if (await importLdapPreset()) await loadAll(['authLdapSettings', 'authMethod']);
      });
      for (const key of changed) {
        log.info('setting changed in the settings file', { key });
        events.emit('configuration', { key, access: settingDecidesAccess(key) });
      }
    },
    receive(recordKey, stored) {
      const key = recordKey.startsWith(keys.conf('')) ? recordKey.slice(keys.conf('').length) : '';
      if (isConfigurationKey(key)) load(key, stored);
    },
    async refresh() {
      for (const key of await changedBy(() => loadAll(configurationKeys))) {
        events.receive('configuration', { key, access: settingDecidesAccess(key) });
      }
    },
  };
}
