import type { EditorPads } from '../model/ports';
import { core } from './core';
import { sessionInfos, socketsReady } from './sockets';

interface Pad {
  chatHead: number;
  remove(): Promise<void>;
  saveToDatabase(): Promise<void>;
}

interface PadManager {
  doesPadExist(padId: string): Promise<unknown>;
  getPad(padId: string): Promise<Pad>;
  isValidPadId(padId: string): boolean;
  sanitizePadId(padId: string): Promise<string>;
}

interface ReadOnlyManager {
  isReadOnlyId(id: string): boolean;
  getPadId(readOnlyId: string): Promise<string | null | undefined>;
}

interface HostDatabase {
  get(key: string): Promise<unknown>;
  remove(key: string): Promise<void>;
}

/** Which pad stands behind an id that a browser names. */
export interface PadNames {
  /** The pad that the host opens for an id in a URL; `undefined` where it opens none. */
  ofUrl(id: string): Promise<string | undefined>;
  /** The pad behind a read-only id, which 1.8.14 accepts without its prefix; `undefined` where there is none. */
  ofReadOnlyId(id: string): Promise<string | undefined>;
  isReadOnlyId(id: string): boolean;
}

/** Etherpad's pads, and its two kinds of names for them. */
export function createPads(): { pads: EditorPads; names: PadNames } {
  const manager = core<PadManager>('node/db/PadManager');
  const readOnly = core<ReadOnlyManager>('node/db/ReadOnlyManager');
  const database = core<HostDatabase>('node/db/DB');
  const exists = async (padId: string) => Boolean(await manager.doesPadExist(padId));
  const ofReadOnlyId = async (id: string) => (await readOnly.getPadId(id)) ?? undefined;

  const names: PadNames = {
    isReadOnlyId: (id) => readOnly.isReadOnlyId(id),
    ofReadOnlyId,
    async ofUrl(id) {
      if (!manager.isValidPadId(id)) return undefined;
      return readOnly.isReadOnlyId(id) ? ofReadOnlyId(id) : manager.sanitizePadId(id);
    },
  };

  const pads: EditorPads = {
    exists,
    async create(padId) {
      if (!(await exists(padId))) await manager.getPad(padId);
    },
    async remove(padId) {
      await socketsReady;
      if (!(await exists(padId))) return;
      const readOnlyId = await database.get(`pad2readonly:${padId}`);
      await (await manager.getPad(padId)).remove();
      // The host makes a read-only id for a pad that had none in order to remove it, and leaves one half of it behind.
      await database.remove(`pad2readonly:${padId}`);
      if (typeof readOnlyId === 'string') await database.remove(`readonly2pad:${readOnlyId}`);
    },
    async removeChatHistory(padId) {
      if (!(await exists(padId))) return;
      const pad = await manager.getPad(padId);
      const messages = pad.chatHead + 1;
      pad.chatHead = -1;
      await pad.saveToDatabase();
      for (let first = 0; first < messages; first += 100) {
        const numbers = Array.from({ length: Math.min(100, messages - first) }, (_, index) => first + index);
        await Promise.all(numbers.map((number) => database.remove(`pad:${padId}:chat:${number}`)));
      }
    },
    async lastEdited(padId) {
      const record = (await database.get(`pad:${padId}`)) as { head?: number } | null | undefined;
      if (typeof record?.head !== 'number') return null;
      const revision = (await database.get(`pad:${padId}:revs:${record.head}`)) as
        | { meta?: { timestamp?: number } }
        | null
        | undefined;
      return revision?.meta?.timestamp ?? null;
    },
    visitors: (padId) => Object.values(sessionInfos()).filter((info) => info.padId === padId).length,
  };
  return { pads, names };
}
