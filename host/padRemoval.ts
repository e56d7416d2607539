/** Removes everything that Etherpad has of a pad. */
import { createTurns } from '../model/turns';
import { unlessAborted } from '../model/waiting';
import { inBatches } from './padBatches';
import { keysWithPrefix, type PadCore } from './padCore';
import { socketsReady } from './sockets';

/**
 * After a first start, ep_mypads 1.x may have left thousands of pads. A search reads all keys, and nothing else runs
 * meanwhile with an embedded database.
 */
const nextSearch = createTurns();
const pauseBetweenSearches = 200;

/** Removes the parts of a pad, in an order in which an interrupted removal can be resumed. */
class PadParts {
  constructor(private readonly core: PadCore) {}

  async removeEverything(padId: string, leftovers: boolean, signal: AbortSignal): Promise<void> {
    const { database, exists } = this.core;
    signal.throwIfAborted();
    const readOnlyId = await database.get(`pad2readonly:${padId}`);
    if (await exists(padId)) await this.removeExisting(padId, signal);
    else if (leftovers) await this.removeLeftovers(padId, signal);
    // Etherpad 2.7.3 and newer store it when a creator opens the pad, which can be while the pad is being removed.
    await database.remove(`pad:${padId}:deletionToken`);
    await this.removeReadOnlyId(padId);
    if (typeof readOnlyId === 'string') await database.remove(`readonly2pad:${readOnlyId}`);
  }

  async removeReadOnlyId(padId: string): Promise<void> {
    const { database } = this.core;
    const readOnlyId = await database.get(`pad2readonly:${padId}`);
    if (typeof readOnlyId === 'string') await database.remove(`readonly2pad:${readOnlyId}`);
    await database.remove(`pad2readonly:${padId}`);
  }

  /**
   * Removes revisions, chat and author links in batches first, because Etherpad's own `remove` does it for minutes
   * without yielding. The pad record goes last, so that an interrupted removal can be resumed.
   */
  private async removeExisting(padId: string, signal: AbortSignal): Promise<void> {
    const { manager, database, authors } = this.core;
    const pad = await manager.getPad(padId);
    await inBatches(pad.chatHead + 1, signal, (number) => database.remove(`pad:${padId}:chat:${number}`));
    await inBatches(pad.head + 1, signal, (number) => database.remove(`pad:${padId}:revs:${number}`));
    const writers = pad.getAllAuthors();
    await inBatches(writers.length, signal, (number) => authors.removePad(writers[number] ?? '', padId));
    pad.chatHead = -1;
    pad.head = -1;
    pad.getAllAuthors = () => [];
    await this.storeReadOnlyId(padId);
    signal.throwIfAborted();
    await pad.remove();
  }

  /**
   * Stores a read-only id for a pad without one. Otherwise `pad.remove` of 1.8.14 creates one without waiting for its
   * writes. At a stop these would reach a closed database, and the error would end the process.
   */
  private async storeReadOnlyId(padId: string): Promise<void> {
    const { database } = this.core;
    if (typeof (await database.get(`pad2readonly:${padId}`)) === 'string') return;
    await database.set(`pad2readonly:${padId}`, 'r.removed');
  }

  private async removeLeftovers(padId: string, signal: AbortSignal): Promise<void> {
    const { database } = this.core;
    await nextSearch(pauseBetweenSearches);
    signal.throwIfAborted();
    const found = await keysWithPrefix(database, `pad:${padId}:`);
    await inBatches(found.length, signal, (number) => database.remove(found[number] ?? ''));
    await database.remove(`pad:${padId}`);
  }
}

export function createPadRemoval(core: PadCore) {
  const parts = new PadParts(core);
  /** The running removal of each pad. */
  const removals = new Map<string, Promise<void>>();
  return {
    /**
     * Removes the pad. `leftovers`: also what is left of one that no longer exists, which reads all keys. Stops between
     * two batches when `signal` is aborted.
     */
    async remove(padId: string, leftovers: boolean, signal: AbortSignal): Promise<void> {
      await unlessAborted(socketsReady.reached, signal);
      // Removals of one pad run one after the other. At the same time, one could load the pad after the other has
      // removed it, which creates it again.
      const before = removals.get(padId) ?? Promise.resolve();
      const mine = before.then(() => parts.removeEverything(padId, leftovers, signal));
      const settled = mine.catch(() => {});
      removals.set(padId, settled);
      await mine.finally(() => {
        if (removals.get(padId) === settled) removals.delete(padId);
      });
    },
    removeReadOnlyId: (padId: string): Promise<void> => parts.removeReadOnlyId(padId),
  };
}
