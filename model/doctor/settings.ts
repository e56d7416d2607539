/** Settings in the database that cannot count as they stand there. Those in Etherpad's settings file are not looked at. */
import {
  type ConfigurationKey,
  configurationKeys,
  faultOf,
  isFixed,
  storedValue,
} from '../settingDefinitions';
import { keys } from '../store';
import type { Facts } from './facts';
import type { Finding } from './findings';

/** The server takes the default instead, and says so in its log at every start. */
export function unusableSettings({ settings }: Facts): Finding[] {
  return [...settings]
    .filter(([key, value]) => !isFixed(key) && storedValue(key, value) === undefined)
    .map(([key]) => ({ kind: 'unusableSettings', of: key, removes: [keys.conf(key)] }));
}

const services: Partial<Record<string, ConfigurationKey>> = {
  ldap: 'authLdapSettings',
  cas: 'authCasSettings',
};

export function contradictorySettings({ settings }: Facts): Finding[] {
  const found: Finding[] = [];
  const value = (key: ConfigurationKey): unknown => storedValue(key, settings.get(key));
  const [min, max] = [value('passwordMin'), value('passwordMax')];
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const detail = 'is smaller than passwordMin: only passwords of exactly that length can be chosen';
    found.push({ kind: 'contradictorySettings', of: 'passwordMax', detail });
  }
  const service = services[String(value('authMethod'))];
  const fault = service && faultOf(service, value(service));
  if (service && fault) found.push({ kind: 'contradictorySettings', of: service, detail: fault.message });
  return found;
}

/** The settings by name, of which there are few. */
export async function readSettings(
  get: (keys: readonly string[]) => Promise<unknown[]>,
): Promise<Map<ConfigurationKey, unknown>> {
  const values = await get(configurationKeys.map(keys.conf));
  const stored = configurationKeys.map((key, index) => [key, values[index]] as const);
  return new Map(stored.filter(([, value]) => value !== undefined && value !== null));
}
