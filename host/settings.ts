import type { HostSettings } from '../model/ports';
import { core } from './core';

type Settings = Record<string, unknown> & { trustProxy?: unknown };

function block(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

const name = 'ep_mypads';
let ours: Record<string, unknown> = {};

/**
 * Takes our block out of Etherpad's settings; to be called whenever Etherpad has read its file. When it reads the file again, Etherpad
 * fills what the file's block lacks from the block that it has: a preset that was taken out of the file would stay.
 */
export function takePluginBlock(): void {
  const settings = core<Settings>('node/utils/Settings');
  ours = block(settings[name]);
  delete settings[name];
}

/** For a start in the same process, which reads no file again. */
export function returnPluginBlock(): void {
  core<Settings>('node/utils/Settings')[name] = ours;
}

/** Etherpad's settings.json as it is now; the host reloads it in place. */
export function createSettings(): HostSettings & { trustProxy(): boolean } {
  const settings = core<Settings>('node/utils/Settings');
  return {
    users: () => block(settings.users) as ReturnType<HostSettings['users']>,
    plugin: () => ours,
    trustProxy: () => settings.trustProxy === true,
  };
}
