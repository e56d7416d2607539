import type { HostSettings } from '../model/ports';
import { core } from './core';

type Settings = Record<string, unknown> & { trustProxy?: unknown };

function block(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

type Accounts = ReturnType<HostSettings['users']>;

const name = 'ep_mypads';
/** Our block of the settings file; `undefined` while it is still in Etherpad's settings. */
let pluginBlock: Record<string, unknown> | undefined;
let accounts: Accounts = {};
/** Etherpad's `users` at the last read, to find out which accounts are in the file now. */
let lastRead: { container: unknown; accounts: Record<string, unknown> } | undefined;

/**
 * Takes our block out of Etherpad's settings. A reload merges the file into the settings in memory, so a key that was
 * deleted from the file would otherwise stay.
 */
function detachPluginBlock(settings: Settings): void {
  pluginBlock = block(settings[name]);
  delete settings[name];
}

/**
 * Copies the accounts of the file. After a reload, accounts deleted from the file stay in memory as the same objects,
 * so they are recognised and left out. A copy, because plugins add everybody who signs in to Etherpad's object.
 */
function readAccounts(settings: Settings): void {
  const present = block(settings.users);
  if (present === lastRead?.container) return;
  const before = lastRead?.accounts ?? {};
  const read = Object.entries(present).filter(([login, account]) => before[login] !== account);
  accounts = Object.fromEntries(read.map(([login, account]) => [login, { ...block(account) }]));
  lastRead = { container: present, accounts: { ...present } };
}

/** Call it whenever Etherpad has read its settings file. */
export function readHostSettings(): void {
  const settings = core<Settings>('node/utils/Settings');
  detachPluginBlock(settings);
  readAccounts(settings);
}

/** Puts our block back, because another start in the same process may not read the file again. */
export function restoreHostSettings(): void {
  if (pluginBlock) core<Settings>('node/utils/Settings')[name] = pluginBlock;
  pluginBlock = undefined;
  lastRead = undefined;
}

/** Etherpad's current settings. */
export function createSettings(): HostSettings & { trustProxy(): boolean } {
  const settings = core<Settings>('node/utils/Settings');
  return {
    users: () => accounts,
    plugin: () => pluginBlock ?? block(settings[name]),
    trustProxy: () => settings.trustProxy === true,
  };
}
