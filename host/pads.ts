import { setTimeout as pause } from 'node:timers/promises';
import type { EditorPads } from '../model/ports';
import { core, hostMajor } from './core';
import { sessionInfos, socketsReady } from './sockets';

interface Pad {
  head: number;
  chatHead: number;
  getAllAuthors(): string[];
  remove(): Promise<void>;
  saveToDatabase(): Promise<void>;
  copyPadWithoutHistory(to: string, force: boolean): Promise<unknown>;
}

interface AuthorManager {
  removePad(authorId: string, padId: string): Promise<void>;
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
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
}

/** Operations per batch, and milliseconds between batches (of all pads together), so that editing stays responsive. */
const batchSize = 50;
const pauseBetweenBatches = 5;
let previousBatch: Promise<unknown> = Promise.resolve();

/** Resolves when the next batch may start. */
function nextBatch(): Promise<unknown> {
  const mine = previousBatch;
  previousBatch = mine.then(() => pause(pauseBetweenBatches));
  return mine;
}
/** Batches that may wait for the database at the same time, because many databases answer writes only every 100 ms. */
const maxPendingBatches = 10;

const neverAborted = new AbortController().signal;

/** Waits for `work`. Throws if `signal` is aborted first. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** Resolves the ids that a browser sends to pad ids. */
export interface PadIds {
  /** The pad that Etherpad opens for an id in a URL; `undefined` if it opens none. */
  ofUrl(id: string): Promise<string | undefined>;
  /** The pad that Etherpad opens for an id on the websocket; `undefined` if it opens none. */
  ofSocket(id: string): Promise<string | undefined>;
  /** The pad of a read-only id, which 1.8.14 accepts without its prefix too; `undefined` if there is none. */
  ofReadOnlyId(id: string): Promise<string | undefined>;
  isReadOnlyId(id: string): boolean;
}

/** Etherpad's pads, and the resolution of their ids. */
export function createPads(): { pads: EditorPads; padIds: PadIds } {
  const manager = core<PadManager>('node/db/PadManager');
  const readOnly = core<ReadOnlyManager>('node/db/ReadOnlyManager');
  const authors = core<AuthorManager>('node/db/AuthorManager');
  const database = core<HostDatabase>('node/db/DB');
  const exists = async (padId: string) => Boolean(await manager.doesPadExist(padId));
  /**
   * Refuses ids with a colon: Etherpad stores revisions and chat under `pad:<id>:…`, and such an id would open them as
   * a pad, without the access check of their pad. Also refuses names such as `__proto__`, over which 1.8.14 exits.
   */
  const isSafeId = (padId: string): boolean =>
    manager.isValidPadId(padId) && !padId.includes(':') && !(padId in Object.prototype);
  const safeId = (padId: string): string | undefined => (isSafeId(padId) ? padId : undefined);
  const ofReadOnlyId = async (id: string) => safeId((await readOnly.getPadId(id)) ?? '');

  /** On the websocket too, 2.x and 3.x sanitise the id of a pad that does not exist. */
  const sanitisesOnSocket = hostMajor() > 1;

  const padIds: PadIds = {
    isReadOnlyId: (id) => readOnly.isReadOnlyId(id),
    ofReadOnlyId,
    async ofUrl(id) {
      if (!manager.isValidPadId(id)) return undefined;
      return readOnly.isReadOnlyId(id) ? ofReadOnlyId(id) : safeId(await manager.sanitizePadId(id));
    },
    async ofSocket(named) {
      const id = sanitisesOnSocket && !(await exists(named)) ? await manager.sanitizePadId(named) : named;
      return readOnly.isReadOnlyId(id) ? ofReadOnlyId(id) : safeId(id);
    },
  };

  /** Calls `work` for each number below `count`, in batches. Resolves when the database has stored everything. */
  async function inBatches(
    count: number,
    signal: AbortSignal,
    work: (number: number) => Promise<unknown> | undefined,
  ): Promise<void> {
    const pending: Promise<unknown>[] = [];
    try {
      for (let first = 0; first < count; first += batchSize) {
        await nextBatch();
        signal.throwIfAborted();
        const numbers = Array.from(
          { length: Math.min(batchSize, count - first) },
          (_, index) => first + index,
        );
        const done = Promise.all(numbers.map(work));
        // Awaited below. Without this, a failure before that would count as an unhandled rejection.
        done.catch(() => {});
        pending.push(done);
        if (pending.length >= maxPendingBatches) await pending.shift();
      }
    } finally {
      await Promise.all(pending);
    }
  }

  /**
   * Removes revisions, chat and author links in batches first, because Etherpad's own `remove` does it for minutes
   * without yielding. The pad record goes last, so that an interrupted removal can be resumed.
   */
  async function removeExisting(padId: string, signal: AbortSignal): Promise<void> {
    const pad = await manager.getPad(padId);
    await inBatches(pad.chatHead + 1, signal, (number) => database.remove(`pad:${padId}:chat:${number}`));
    await inBatches(pad.head + 1, signal, (number) => database.remove(`pad:${padId}:revs:${number}`));
    const writers = pad.getAllAuthors();
    await inBatches(writers.length, signal, (number) => authors.removePad(writers[number] ?? '', padId));
    pad.chatHead = -1;
    pad.head = -1;
    pad.getAllAuthors = () => [];
    await storeReadOnlyId(padId);
    signal.throwIfAborted();
    await pad.remove();
  }

  /**
   * `pad.remove` asks for the read-only id. If there is none, Etherpad 1.8 creates one, and does not wait for these
   * writes. At a stop they reach a closed database, and the error ends the process.
   */
  async function storeReadOnlyId(padId: string): Promise<void> {
    if (typeof (await database.get(`pad2readonly:${padId}`)) === 'string') return;
    await database.set(`pad2readonly:${padId}`, 'r.removed');
  }

  async function removeLeftovers(padId: string, signal: AbortSignal): Promise<void> {
    const found = await keysBelow(`pad:${padId}:`);
    await inBatches(found.length, signal, (number) => database.remove(found[number] ?? ''));
    await database.remove(`pad:${padId}`);
  }

  async function keysBelow(prefix: string): Promise<string[]> {
    const found = (await database.findKeys(`${prefix}*`, null)) ?? [];
    // Some databases treat `_` in the pattern as a wildcard.
    return found.filter((key) => key.startsWith(prefix));
  }

  /** The numbers of a pad's chat messages, newest first. */
  async function chatNumbers(padId: string, count: number | undefined): Promise<number[]> {
    if (count !== undefined) return Array.from({ length: count }, (_, index) => count - 1 - index);
    const prefix = `pad:${padId}:chat:`;
    const numbers = (await keysBelow(prefix)).map((key) => Number(key.slice(prefix.length)));
    return numbers.filter(Number.isInteger).sort((one, other) => other - one);
  }

  async function removeReadOnlyId(padId: string): Promise<void> {
    const readOnlyId = await database.get(`pad2readonly:${padId}`);
    if (typeof readOnlyId === 'string') await database.remove(`readonly2pad:${readOnlyId}`);
    await database.remove(`pad2readonly:${padId}`);
  }

  async function removeEverything(padId: string, leftovers: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const readOnlyId = await database.get(`pad2readonly:${padId}`);
    if (await exists(padId)) await removeExisting(padId, signal);
    else if (leftovers) await removeLeftovers(padId, signal);
    await removeReadOnlyId(padId);
    if (typeof readOnlyId === 'string') await database.remove(`readonly2pad:${readOnlyId}`);
  }

  /** The running removal of each pad. */
  const removals = new Map<string, Promise<void>>();

  const pads: EditorPads = {
    exists,
    async create(padId) {
      if (!(await exists(padId))) await manager.getPad(padId);
    },
    async copy(from, to) {
      if (!(await exists(from))) {
        await manager.getPad(to);
        return;
      }
      await (await manager.getPad(from)).copyPadWithoutHistory(to, false);
      // 1.8.14 does not wait until the text of the copy is stored.
      await (await manager.getPad(to)).saveToDatabase();
    },
    async remove(padId, { leftovers = false, signal = neverAborted } = {}) {
      await unlessAborted(socketsReady, signal);
      // One after the other: a second removal could load the pad after the first one removed it, and create it again.
      const before = removals.get(padId) ?? Promise.resolve();
      const mine = before.then(() => removeEverything(padId, leftovers, signal));
      const settled = mine.catch(() => {});
      removals.set(padId, settled);
      await mine.finally(() => {
        if (removals.get(padId) === settled) removals.delete(padId);
      });
    },
    removeReadOnlyId,
    async emptyChat(padId) {
      if (!(await exists(padId))) return 0;
      const pad = await manager.getPad(padId);
      const messages = pad.chatHead + 1;
      pad.chatHead = -1;
      await pad.saveToDatabase();
      return messages;
    },
    async removeOldChat(padId, { count, signal = neverAborted }) {
      // Newest first, because new messages are numbered from 0 again and must be kept.
      const old = await chatNumbers(padId, count);
      await inBatches(old.length, signal, async (index) => {
        const number = old[index] ?? 0;
        // Loaded each time, because Etherpad may have reloaded the pad meanwhile.
        const pad = (await exists(padId)) ? await manager.getPad(padId) : undefined;
        if (!pad || number > pad.chatHead) await database.remove(`pad:${padId}:chat:${number}`);
      });
    },
    async lastEdited(padId) {
      const record = (await database.get(`pad:${padId}`)) as { head?: number } | null | undefined;
      // Revision 0 is the text that the pad was created with.
      if (typeof record?.head !== 'number' || record.head === 0) return null;
      const revision = (await database.get(`pad:${padId}:revs:${record.head}`)) as
        | { meta?: { timestamp?: number } }
        | null
        | undefined;
      return revision?.meta?.timestamp ?? null;
    },
    visitors: (padId) => Object.values(sessionInfos()).filter((info) => info.padId === padId).length,
  };
  return { pads, padIds };
}
