/** What Etherpad runs on, for the checks of the server. */
import type { HostFacts } from '../model/ports';
import { core, hostVersion, pluginDefinitions } from './core';

/** ueberDB: its wrapper, and the cache inside. 1.8.14 and later versions have the same names. */
interface HostDatabase {
  db?: { db?: { settings?: { cache?: unknown } } } | null;
}

interface Settings {
  dbType?: unknown;
  /** Not in 1.8.14. */
  authenticationMethod?: unknown;
  /** Not before 2.7.3. */
  updates?: { tier?: unknown };
}

/** The values of `updates.tier` with which Etherpad installs a newer version, after a click or without one. */
const selfUpdating: readonly unknown[] = ['manual', 'auto', 'autonomous'];

export function readHostFacts(): HostFacts {
  const { dbType, authenticationMethod, updates } = core<Settings>('node/utils/Settings');
  const cache = core<HostDatabase>('node/db/DB').db?.db?.settings?.cache;
  return {
    version: hostVersion(),
    node: process.versions.node,
    plugins: Object.keys(pluginDefinitions().plugins),
    acceptsTokens: authenticationMethod === 'sso',
    updatesItself: selfUpdating.includes(updates?.tier),
    database: { type: String(dbType), cache: typeof cache === 'number' ? cache : undefined },
  };
}
