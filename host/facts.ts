/** What Etherpad runs on, for the checks of the server. */
import type { HostFacts } from '../model/ports';
import { core, hostVersion } from './core';

/** ueberDB: its wrapper, and the cache inside. 1.8.14 and later versions have the same names. */
interface HostDatabase {
  db?: { db?: { settings?: { cache?: unknown } } } | null;
}

interface Settings {
  dbType?: unknown;
  /** Not in 1.8.14. */
  authenticationMethod?: unknown;
}

export function readHostFacts(): HostFacts {
  const { dbType, authenticationMethod } = core<Settings>('node/utils/Settings');
  const cache = core<HostDatabase>('node/db/DB').db?.db?.settings?.cache;
  return {
    version: hostVersion(),
    node: process.versions.node,
    acceptsTokens: authenticationMethod === 'sso',
    database: { type: String(dbType), cache: typeof cache === 'number' ? cache : undefined },
  };
}
