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
/** As the file has it; still with Etherpad while it is not taken, as when the plugin is uninstalled by a tool that starts nothing. */
let ours: Record<string, unknown> | undefined;
let accounts: Accounts = {};
/** What Etherpad had as its accounts when it had read its file the last time. */
let seen: { container: unknown; accounts: Record<string, unknown> } | undefined;

/**
 * Takes our block out of Etherpad's settings. When it reads the file again, Etherpad fills what the file's block lacks from the block
 * that it has: a preset that was taken out of the file would stay.
 */
function takePluginBlock(settings: Settings): void {
  ours = block(settings[name]);
  delete settings[name];
}

/**
 * Notes the accounts of the file. Etherpad keeps those that are gone from it, as the very objects that they were; and plugins write there
 * whom they let in.
 */
function takeAccounts(settings: Settings): void {
  const present = block(settings.users);
  if (present === seen?.container) return;
  const before = seen?.accounts ?? {};
  const read = Object.entries(present).filter(([login, account]) => before[login] !== account);
  accounts = Object.fromEntries(read.map(([login, account]) => [login, { ...block(account) }]));
  seen = { container: present, accounts: { ...present } };
}

/** To be called whenever Etherpad has read its file. */
export function takeSettings(): void {
  const settings = core<Settings>('node/utils/Settings');
  takePluginBlock(settings);
  takeAccounts(settings);
}

/** For a start in the same process, which reads no file again. */
export function returnSettings(): void {
  if (ours) core<Settings>('node/utils/Settings')[name] = ours;
  ours = undefined;
  seen = undefined;
}

/** Etherpad's settings.json as it is now; the host reloads it in place. */
export function createSettings(): HostSettings & { trustProxy(): boolean } {
  const settings = core<Settings>('node/utils/Settings');
  return {
    users: () => accounts,
    plugin: () => ours ?? block(settings[name]),
    trustProxy: () => settings.trustProxy === true,
  };
}
