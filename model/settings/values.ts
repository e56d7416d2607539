/** Reads single values of settings: defaults, other spellings, stored values and errors inside. */
import { faultOf, type SettingsFault } from '../signin/settingsFault';
import { type ConfigurationKey, settings } from './definitions';

/** The default; `old`: for a database of ep_mypads 1.x. */
export function initialValue(key: ConfigurationKey, old = false): unknown {
  const { initial, initialFrom1x } = settings[key];
  return old ? (initialFrom1x ?? initial) : initial;
}

/** The valid values of a setting, in words. */
export const takes = (key: ConfigurationKey): string => settings[key].value.description ?? 'another value';

/** The value in its usual spelling; `undefined` when it is invalid. */
export function usableValue(key: ConfigurationKey, value: unknown): unknown {
  return settings[key].value.safeParse(value).data;
}

/** The same for a stored value. A value out of range becomes the nearest limit. */
export function storedValue(key: ConfigurationKey, value: unknown): unknown {
  const { stored, value: valid } = settings[key];
  return (stored ?? valid).safeParse(value).data;
}

/** The first error inside a valid value that is to be stored or preset; `undefined` if there is none, or no value. */
export function faultInside(key: ConfigurationKey, value: unknown): SettingsFault | undefined {
  const { toStore } = settings[key];
  return toStore && value !== undefined ? faultOf(toStore, value) : undefined;
}
