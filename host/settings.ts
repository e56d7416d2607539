import type { HostSettings } from '../model/ports';
import { core } from './core';

type Settings = Record<string, unknown> & { trustProxy?: unknown };

function block(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Etherpad's settings.json as it is now; the host reloads it in place. */
export function createSettings(): HostSettings & { trustProxy(): boolean } {
  const settings = core<Settings>('node/utils/Settings');
  return {
    users: () => block(settings.users) as ReturnType<HostSettings['users']>,
    plugin: () => block(settings.ep_mypads),
    trustProxy: () => settings.trustProxy === true,
  };
}
