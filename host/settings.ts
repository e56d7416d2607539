import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { type Fields, isObject } from '../model/fields';
import type { HostSettings } from '../model/ports';
import { core } from './core';
import { indexFolderIn } from './index/openIndex';

type Settings = Record<string, unknown> & { trustProxy?: unknown };

/** `value` if it is an object; otherwise an empty object. */
const objectOf = (value: unknown): Fields => (isObject(value) ? value : {});

const name = 'ep_mypads';
/** Our block of the settings file; `undefined` while it is still in Etherpad's settings. */
let pluginBlock: Record<string, unknown> | undefined;
let accounts: ReturnType<HostSettings['users']> = {};
/** Etherpad's `users` object at the last read, and its accounts. */
let lastRead: { container: unknown; accounts: Record<string, unknown> } | undefined;

/**
 * Removes our block from Etherpad's settings in memory and keeps it here. A reload merges the file into the settings in
 * memory, so keys that were deleted from the file would stay in a block that is there.
 */
function detachPluginBlock(settings: Settings): void {
  pluginBlock = objectOf(settings[name]);
  delete settings[name];
}

/**
 * Copies the accounts, because plugins add everybody who signs in to Etherpad's object. After a reload, accounts that
 * were deleted from the file stay in memory. They are left out here; they are recognised as the same objects as before.
 */
function readAccounts(settings: Settings): void {
  const present = objectOf(settings.users);
  if (present === lastRead?.container) return;
  const before = lastRead?.accounts ?? {};
  const read = Object.entries(present).filter(([login, account]) => before[login] !== account);
  accounts = Object.fromEntries(read.map(([login, account]) => [login, { ...objectOf(account) }]));
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
    plugin: () => pluginBlock ?? objectOf(settings[name]),
    // As Etherpad takes it: `TRUST_PROXY=1` of the environment is a number.
    trustProxy: () => Boolean(settings.trustProxy),
  };
}

/** Does a program convert office documents? Without one, Etherpad 1.8.14 and 2.x read them as text. */
export function convertsDocuments(): boolean {
  const { soffice, abiword } = core<Settings>('node/utils/Settings');
  return Boolean(soffice ?? abiword);
}

/** Etherpad's module that runs the program, and the ending of what it makes. Call it only if there is one. */
export function documentConverter(): { module: string; format: string } {
  const { soffice } = core<Settings>('node/utils/Settings');
  return soffice
    ? { module: 'node/utils/LibreOffice', format: 'html' }
    : { module: 'node/utils/Abiword', format: 'htm' };
}

/** The folder for the index; `undefined` if Etherpad does not say where its own is. */
export function indexFolder(): string | undefined {
  const { root } = core<Settings>('node/utils/Settings');
  return typeof root === 'string' ? indexFolderIn(root) : undefined;
}

/** The folder for exported files. */
export function exportFolder(): string | undefined {
  const folder = indexFolder();
  return folder === undefined ? undefined : path.join(folder, 'exports');
}

/** Beside the index, or in the folder of the system for temporary files. There it is of our user alone. */
export function uploadFolders(): string[] {
  const ofUser = path.join(tmpdir(), `ep_mypads-uploads-${userInfo().uid}`);
  const folder = indexFolder();
  return folder === undefined ? [ofUser] : [path.join(folder, 'uploads'), ofUser];
}
