/** Finds invalid settings in the database. Etherpad's settings file is not checked. */
import { type ConfigurationKey, configurationKeys, isFixed } from '../settings/definitions';
import { faultInside, storedValue } from '../settings/values';
import { keys } from '../store/store';
import type { Finding } from './findings';

interface StoredSettings {
  /** By name. */
  settings: Map<ConfigurationKey, unknown>;
}

/** The server uses the default instead, and logs it at every start. */
export function unusableSettings({ settings }: StoredSettings): Finding[] {
  return [...settings]
    .filter(([key, value]) => !isFixed(key) && storedValue(key, value) === undefined)
    .map(([key]) => ({ kind: 'unusableSettings', of: key, removes: [keys.conf(key)] }));
}

const services: Partial<Record<string, ConfigurationKey>> = {
  ldap: 'authLdapSettings',
  cas: 'authCasSettings',
};

export function contradictorySettings({ settings }: StoredSettings): Finding[] {
  const found: Finding[] = [];
  const value = (key: ConfigurationKey): unknown => storedValue(key, settings.get(key));
  const [min, max] = [value('passwordMin'), value('passwordMax')];
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const detail =
      'is smaller than passwordMin: only passwords of exactly passwordMin characters can be chosen';
    found.push({ kind: 'contradictorySettings', of: 'passwordMax', detail });
  }
  const service = services[String(value('authMethod'))];
  const fault = service && faultInside(service, value(service));
  if (service && fault) found.push({ kind: 'contradictorySettings', of: service, detail: fault.message });
  return found;
}

/** Stored settings by name. */
export async function readSettings(
  get: (keys: readonly string[]) => Promise<unknown[]>,
): Promise<Map<ConfigurationKey, unknown>> {
  const values = await get(configurationKeys.map(keys.conf));
  const stored = configurationKeys.map((key, index) => [key, values[index]] as const);
  return new Map(stored.filter(([, value]) => value !== undefined && value !== null));
}
