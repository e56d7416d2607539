/** Finds invalid settings in the database. Etherpad's settings file is not checked. */
import { type ConfigurationKey, configurationKeys, isFixed } from '../settings/definitions';
import { faultInside, storedValue } from '../settings/values';
import { methodNames, signInMethods } from '../signin/methods';
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

/** The settings of the services by which people sign in. */
function servicesInUse(value: (key: ConfigurationKey) => unknown): ConfigurationKey[] {
  const methods = [value('authMethod'), value('authMethods')].flat();
  const names = methodNames.filter((name) => methods.includes(name));
  return names.flatMap((name) => signInMethods[name].service?.settings ?? []);
}

export function contradictorySettings({ settings }: StoredSettings): Finding[] {
  const found: Finding[] = [];
  const value = (key: ConfigurationKey): unknown => storedValue(key, settings.get(key));
  const [min, max] = [value('passwordMin'), value('passwordMax')];
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const detail =
      'is smaller than passwordMin: only passwords of exactly passwordMin characters can be chosen';
    found.push({ kind: 'contradictorySettings', of: 'passwordMax', detail });
  }
  for (const service of servicesInUse(value)) {
    const fault = faultInside(service, value(service));
    if (fault) found.push({ kind: 'contradictorySettings', of: service, detail: fault.message });
  }
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
