import { setTimeout as pause } from 'node:timers/promises';
import type { EditorPads } from '../model/ports';
import { core } from './core';
import { sessionInfos, socketsReady } from './sockets';

interface Pad {
  head: number;
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
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
}

/** Keys that are removed at once, and milliseconds in which others have their turn before the next ones. */
const slice = 50;
const breath = 5;

const never = new AbortController().signal;

/** Resolves, or throws when it is aborted first. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
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

  /** `keyOf` is asked right before the removal; `undefined` leaves that one out. */
  async function removeSlices(
    count: number,
    signal: AbortSignal,
    keyOf: (number: number) => string | undefined,
  ): Promise<void> {
    for (let first = 0; first < count; first += slice) {
      signal.throwIfAborted();
      const numbers = Array.from({ length: Math.min(slice, count - first) }, (_, index) => first + index);
      await Promise.all(
        numbers.map((number) => {
          const key = keyOf(number);
          return key === undefined ? undefined : database.remove(key);
        }),
      );
      await pause(breath);
    }
  }

  /** The host removes revision by revision without a break, which can take minutes: it gets a pad that has none any more. */
  async function removeExisting(padId: string, signal: AbortSignal): Promise<void> {
    const pad = await manager.getPad(padId);
    await removeSlices(pad.chatHead + 1, signal, (number) => `pad:${padId}:chat:${number}`);
    await removeSlices(pad.head + 1, signal, (number) => `pad:${padId}:revs:${number}`);
    pad.chatHead = -1;
    pad.head = -1;
    await pad.remove();
  }

  async function removeLeftovers(padId: string, signal: AbortSignal): Promise<void> {
    const prefix = `pad:${padId}:`;
    const found = ((await database.findKeys(`${prefix}*`, null)) ?? []).filter((key) =>
      key.startsWith(prefix),
    );
    await removeSlices(found.length, signal, (number) => found[number]);
    await database.remove(`pad:${padId}`);
  }

  const pads: EditorPads = {
    exists,
    async create(padId) {
      if (!(await exists(padId))) await manager.getPad(padId);
    },
    async remove(padId, { leftovers = false, signal = never } = {}) {
      await unlessAborted(socketsReady, signal);
      const readOnlyId = await database.get(`pad2readonly:${padId}`);
      if (await exists(padId)) await removeExisting(padId, signal);
      else if (leftovers) await removeLeftovers(padId, signal);
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
      // The last ones first: who goes on chatting meanwhile starts again with the first, and keeps it.
      await removeSlices(messages, never, (number) => {
        const old = messages - 1 - number;
        return old > pad.chatHead ? `pad:${padId}:chat:${old}` : undefined;
      });
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
