/**
 * The settings that administrators change at run time. Presets in the block `ep_mypads` of Etherpad's settings file
 * override the database and cannot be changed here.
 */

import { isDeepStrictEqual } from 'node:util';
import { MyPadsError, recordNotFound } from '../errors';
import { isObject } from '../fields';
import { type MethodFacts, type MethodName, signInMethods } from '../signin/methods';
import type { Basics } from '../store/basics';
import { keys } from '../store/store';
import {
  type ConfigurationKey,
  type ConfigurationValues,
  configurationKeys,
  isConfigurationKey,
  isFixed,
  settings,
} from './definitions';
import { EffectiveValues, type SettingsBlock } from './effectiveValues';
import { secretsThatAreSet, shownValue, withSecretsOf } from './secrets';
import { faultInside, usableValue } from './values';

export type { ConfigurationKey, ConfigurationValues } from './definitions';

export interface ConfigurationContext extends Pick<Basics, 'store' | 'events' | 'log'> {
  /** The block `ep_mypads` of Etherpad's settings file. Read at the start and at `reload`. */
  presets?: () => SettingsBlock;
  /** Tests a value before it is stored. If it throws, the value is refused. */
  probe?: (key: ConfigurationKey, value: unknown) => Promise<void>;
}

/** A setting as it was read: without secrets, and without `value` if it had none. */
export interface ReadSetting {
  value?: unknown;
}

function requireKey(name: string): ConfigurationKey {
  if (!isConfigurationKey(name)) {
    throw recordNotFound(name.slice(0, 100));
  }
  return name;
}

function requireChangeable(values: EffectiveValues, name: string): ConfigurationKey {
  const key = requireKey(name);
  if (values.isPreset(key)) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LOCKED', { key });
  return key;
}

/**
 * Throws CONFIGURATION.CHANGED when the setting has another value than `was`. Not if it has the `wanted` value already:
 * somebody else wanted the same, or the first answer to the caller was lost.
 */
function requireSame(
  values: EffectiveValues,
  key: ConfigurationKey,
  was: ReadSetting | undefined,
  wanted: unknown,
): void {
  if (was === undefined || isDeepStrictEqual(values.get(key), wanted)) return;
  // As JSON has it, which `was` came from.
  const now = JSON.parse(JSON.stringify({ value: shownValue(key, values.get(key)) }));
  if (!isDeepStrictEqual(now, was)) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.CHANGED', { key });
}

/** Throws TYPE.PASSWORD_SIZE when passwordMin would exceed passwordMax. */
function requireLengths(values: EffectiveValues, key: ConfigurationKey, value: unknown): void {
  if (key !== 'passwordMin' && key !== 'passwordMax') return;
  const min = Number(key === 'passwordMin' ? value : values.chosen('passwordMin'));
  const max = Number(key === 'passwordMax' ? value : values.chosen('passwordMax'));
  if (min > max) throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE', { key });
}

type Service = NonNullable<MethodFacts['service']>;

const notConfigured = (key: ConfigurationKey, reason?: string) =>
  new MyPadsError('BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED', { key, ...(reason && { reason }) });

/** Whether these settings of a service are more than the sample. ep_mypads 1.x stored its sample. */
function isFilled(values: EffectiveValues, service: Service, value: unknown): boolean {
  const sample = values.initial(service.settings);
  return (
    isObject(value) && isObject(sample) && !isDeepStrictEqual(value[service.sample], sample[service.sample])
  );
}

/**
 * Throws CONFIGURATION.SIGN_IN_NOT_CONFIGURED when nobody could sign in by this method. `key`: the setting that would
 * offer it.
 */
function requireService(values: EffectiveValues, key: ConfigurationKey, method: MethodName): void {
  const { service, needsRootUrl } = signInMethods[method];
  if (!service) return;
  const value = values.chosen(service.settings);
  if (!isFilled(values, service, value)) throw notConfigured(key);
  const fault = faultInside(service.settings, value);
  if (fault) throw notConfigured(key, `${service.settings}: ${fault.message}`);
  if (needsRootUrl && values.chosen('rootUrl') === '') throw notConfigured(key, 'rootUrl');
}

/** The methods that a value of one of the two settings offers. */
const methodsIn = (key: ConfigurationKey, value: unknown): MethodName[] =>
  key === 'authMethod' || key === 'authMethods' ? ([value].flat() as MethodName[]) : [];

/** Throws CONFIGURATION.SIGN_IN_NOT_CONFIGURED when nobody could sign in any more by a method that is in use. */
function requireInUse(values: EffectiveValues, key: ConfigurationKey, value: unknown): void {
  const inUse = [values.chosen('authMethod'), values.chosen('authMethods')].flat() as MethodName[];
  for (const { service, needsRootUrl } of inUse.map((method) => signInMethods[method])) {
    const isLost = service?.settings === key && !isFilled(values, service, value);
    if (isLost || (needsRootUrl && key === 'rootUrl' && value === '')) throw notConfigured(key);
  }
}

/** The value to store for a value that was sent. Throws when it is invalid. */
function valueToStore(values: EffectiveValues, key: ConfigurationKey, value: unknown): unknown {
  const error = key.startsWith('SMTP')
    ? 'BACKEND.ERROR.TYPE.SMTP_CONFIG'
    : 'BACKEND.ERROR.TYPE.PARAM_INVALID';
  const invalid = (field: string, reason?: string) =>
    new MyPadsError(error, { field, key, ...(reason && { reason }) });
  const usable = isFixed(key) ? undefined : usableValue(key, value);
  if (usable === undefined) throw invalid('value');
  requireLengths(values, key, usable);
  for (const method of methodsIn(key, usable)) requireService(values, key, method);
  const known = values.chosen(key);
  // The secrets of a preset go only where it sends them: administrators could otherwise name a server of their own.
  const isOther = values.isPreset(key) && !isDeepStrictEqual(usable, shownValue(key, known));
  const whole = isOther ? usable : withSecretsOf(known, key, usable);
  const fault = faultInside(key, whole);
  if (fault) throw invalid(fault.field === '' ? 'value' : `value.${fault.field}`, fault.message);
  requireInUse(values, key, whole);
  return whole;
}

/** The calls that change settings. */
function changes(
  { store, events, log, probe = async () => {}, presets }: ConfigurationContext,
  values: EffectiveValues,
) {
  // passwordMin and passwordMax are checked against each other, so all settings share one lock.
  const locked = (work: () => Promise<void>): Promise<void> => store.locked([keys.conf('')], work);
  const changeOf = (key: ConfigurationKey, what: 'changed' | 'reset' = 'changed') =>
    ({ about: 'configuration', what, key, access: settings[key].decidesAccess === true }) as const;

  /** Runs `work` and returns the settings that have another value after it. */
  async function changedBy(work: () => Promise<void>, run = locked): Promise<ConfigurationKey[]> {
    const before = new Map(configurationKeys.map((key) => [key, values.get(key)]));
    await run(work);
    return configurationKeys.filter((key) => !isDeepStrictEqual(before.get(key), values.get(key)));
  }

  return {
    /**
     * Stores a setting and emits `configuration`. Secrets of a service that are left out are kept. Throws CHANGED when
     * it is no longer as `was` says, the other keys of CONFIGURATION (except UNABLE_TO_BIND), TYPE.PARAM_INVALID or
     * TYPE.SMTP_CONFIG (with `field`), TYPE.PASSWORD_SIZE, and what `probe` throws.
     */
    async set(name: string, value: unknown, was?: ReadSetting): Promise<void> {
      const key = requireChangeable(values, name);
      await probe(key, valueToStore(values, key, value));
      await locked(async () => {
        const wanted = valueToStore(values, requireChangeable(values, key), value);
        requireSame(values, key, was, wanted);
        await values.set(key, wanted);
      });
      events.emit(changeOf(key));
    },
    /**
     * Restores the default. Throws CHANGED as `set`, CONFIGURATION.KEY_NOT_FOUND, CONFIGURATION.LOCKED,
     * TYPE.PASSWORD_SIZE, and CONFIGURATION.SIGN_IN_NOT_CONFIGURED for what people need to sign in.
     */
    async remove(name: string, was?: ReadSetting): Promise<void> {
      const key = requireChangeable(values, name);
      await locked(async () => {
        requireSame(values, key, was, values.initial(key));
        requireLengths(values, requireChangeable(values, key), values.initial(key));
        requireInUse(values, key, values.initial(key));
        await values.reset(key);
      });
      events.emit(changeOf(key, 'reset'));
    },
    /**
     * Reads the presets again after Etherpad reloaded its settings file. Emits `configuration` for each value that
     * changed.
     */
    async reload(): Promise<void> {
      for (const key of await changedBy(() => values.readBlock(presets?.() ?? {}))) {
        log.info('setting changed in the settings file', { key });
        events.emit(changeOf(key));
      }
    },
    /** Reads all settings again; emits `configuration` in this process for each value that changed. */
    async refresh(): Promise<void> {
      // Without Redis there is no lock. This process writes no settings then, so it can read them without one.
      const lockedIfPossible: typeof locked = (work) => locked(work).catch(work);
      for (const key of await changedBy(() => values.loadAll(), lockedIfPossible)) {
        events.receive(changeOf(key));
      }
    },
  };
}

export async function createConfiguration(context: ConfigurationContext) {
  const values = await EffectiveValues.open(context.store, context.presets?.() ?? {}, context.log);
  const get = <Key extends ConfigurationKey>(key: Key) => values.get(key) as ConfigurationValues[Key];
  const shown = (key: ConfigurationKey): unknown => shownValue(key, get(key));
  return {
    get,
    /** The value as administrators may see it, without passwords. Throws CONFIGURATION.KEY_NOT_FOUND. */
    shown: (key: string): unknown => shown(requireKey(key)),
    /** Every setting that has a value, as administrators may see it. */
    all: (): Record<string, unknown> =>
      Object.fromEntries(
        configurationKeys.map((key) => [key, shown(key)]).filter(([, value]) => value !== undefined),
      ),
    /** The default in this database, as administrators may see it; `undefined` if there is none. */
    initial: (key: ConfigurationKey): unknown => shownValue(key, values.initial(key)),
    /** Keys that Etherpad's settings file presets. */
    locked: (): ConfigurationKey[] => configurationKeys.filter((key) => values.isPreset(key)),
    /** Names of the secrets that have a value: `SMTPPass`, or a path such as `authLdapSettings.bindCredentials`. */
    secrets: (): string[] => configurationKeys.flatMap((key) => secretsThatAreSet(key, get(key))),
    /**
     * The value as `set` would store it, with the secrets that are kept; for tests, not for answers. Throws
     * CONFIGURATION.KEY_NOT_FOUND and for an invalid value what `set` throws.
     */
    complete: (name: string, value: unknown): unknown => valueToStore(values, requireKey(name), value),
    /** Call it with a record that another process has written. Records that are not settings are ignored. */
    receive(recordKey: string, stored: unknown): void {
      const key = recordKey.startsWith(keys.conf('')) ? recordKey.slice(keys.conf('').length) : '';
      if (isConfigurationKey(key)) values.load(key, stored);
    },
    ...changes(context, values),
  };
}

export type Configuration = Awaited<ReturnType<typeof createConfiguration>>;
