/**
 * The effective value of each setting: the preset of Etherpad's settings file, else the stored value, else the default.
 * All values are in memory, because access rules read them often. Invalid ones are logged and ignored.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Fields, isObject } from '../fields';
import type { Log } from '../ports';
import { keys, type Store } from '../store/store';
import { type ConfigurationKey, configurationKeys, isConfigurationKey, isFixed } from './definitions';
import { shownValue } from './secrets';
import { faultInside, initialValue, storedValue, takes, usableValue } from './values';

/** The block `ep_mypads` of Etherpad's settings file. */
export type SettingsBlock = Readonly<Record<string, unknown>>;

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Names in the block that are not settings. */
const otherNames = ['coordination', 'ldap', 'metrics', 'removeDataOnUninstall'];

/** Why a preset cannot be used, for the log. Does not quote the value, because it may be a password. */
function faultOfPreset(key: ConfigurationKey | undefined, preset: unknown): string | undefined {
  if (key === undefined) return 'no setting that can be changed has this name';
  return preset === undefined ? `takes ${takes(key)}` : faultInside(key, preset)?.message;
}

/** The valid presets of the block. Others are logged as errors. */
function readPresets(block: SettingsBlock, log: Log): Map<ConfigurationKey, unknown> {
  const found = new Map<ConfigurationKey, unknown>();
  for (const [name, value] of Object.entries(block)) {
    if (otherNames.includes(name)) continue;
    const key = isConfigurationKey(name) && !isFixed(name) ? name : undefined;
    const preset = key && usableValue(key, value);
    const reason = faultOfPreset(key, preset);
    if (key !== undefined && reason === undefined) found.set(key, preset);
    else log.error('preset in the settings file invalid, ignored', { key: name, reason });
  }
  return found;
}

/**
 * Stores `ep_mypads.ldap` of the settings file, as ep_mypads 1.x did: once, while the database has no LDAP settings of
 * its own. Resolves to the keys that it stored.
 */
async function importLdap(store: Store, block: SettingsBlock, log: Log): Promise<ConfigurationKey[]> {
  const { ldap } = block;
  if (!isObject(ldap)) return [];
  const key = 'authLdapSettings';
  const stored = await store.get<unknown>(keys.conf(key));
  const standard = shownValue(key, initialValue(key));
  if (isObject(stored) && !isDeepStrictEqual(shownValue(key, stored), standard)) return [];
  await store.set(keys.conf(key), ldap);
  await store.set(keys.conf('authMethod'), 'ldap');
  log.info('LDAP settings imported from the settings file');
  return [key, 'authMethod'];
}

export class EffectiveValues {
  private readonly store: Store;
  private readonly log: Log;
  /** Whether the database comes from ep_mypads 1.x. Some defaults differ there. */
  private readonly old: boolean;
  private readonly storedValues = new Map<ConfigurationKey, unknown>();
  private presets = new Map<ConfigurationKey, unknown>();

  private constructor(store: Store, log: Log, old: boolean) {
    this.store = store;
    this.log = log;
    this.old = old;
  }

  static async open(store: Store, block: SettingsBlock, log: Log): Promise<EffectiveValues> {
    // ep_mypads 1.x writes this key at each start; this version never does.
    const old = (await store.get<unknown>(keys.conf('languages'))) !== undefined;
    const values = new EffectiveValues(store, log, old);
    await importLdap(store, block, log);
    await values.loadAll();
    values.presets = readPresets(block, log);
    return values;
  }

  get(key: ConfigurationKey): unknown {
    const value = this.chosen(key);
    // The minimum and the maximum may come from different places. If min > max, nobody could choose a password.
    return key === 'passwordMax' ? Math.max(Number(value), Number(this.chosen('passwordMin'))) : value;
  }

  /** The preset or stored value, or the default. Other settings are not taken into account. */
  chosen(key: ConfigurationKey): unknown {
    return this.presets.has(key) ? this.presets.get(key) : this.storedValues.get(key);
  }

  initial(key: ConfigurationKey): unknown {
    return initialValue(key, this.old);
  }

  isPreset(key: ConfigurationKey): boolean {
    return this.presets.has(key);
  }

  async set(key: ConfigurationKey, value: unknown): Promise<void> {
    await this.store.set(keys.conf(key), value);
    this.storedValues.set(key, value);
  }

  async reset(key: ConfigurationKey): Promise<void> {
    await this.store.remove(keys.conf(key));
    this.storedValues.set(key, this.initial(key));
  }

  /** Reads the presets again. */
  async readBlock(block: SettingsBlock): Promise<void> {
    this.presets = readPresets(block, this.log);
    await this.loadAll(await importLdap(this.store, block, this.log));
  }

  /** 1.x had no limits, so a message with a picture inside may be too long. */
  private logLeftOut(key: ConfigurationKey, value: Fields, found: Fields): void {
    const left = Object.keys(value).filter((name) => !Object.hasOwn(found, name) && isFilled(value[name]));
    if (left.length === 0) return;
    this.log.warn('texts of a stored setting left out', { key, languages: left.join(' ') });
  }

  /** Uses the stored value. If it is missing or invalid, uses the default. */
  load(key: ConfigurationKey, stored: unknown): void {
    const value = isFixed(key) ? undefined : stored;
    const found = value === undefined ? undefined : storedValue(key, value);
    this.storedValues.set(key, found ?? this.initial(key));
    if (found === undefined && value !== undefined) {
      this.log.warn('stored setting invalid, default used', { key });
    }
    if (isObject(value) && isObject(found)) this.logLeftOut(key, value, found);
  }

  /** Reads stored values from the database. */
  async loadAll(wanted: readonly ConfigurationKey[] = configurationKeys): Promise<void> {
    const stored = await this.store.getMany<unknown>(wanted.map(keys.conf));
    for (const [index, key] of wanted.entries()) this.load(key, stored[index]);
  }
}
