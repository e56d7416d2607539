import { setTimeout as pause } from 'node:timers/promises';
import type { EditorPads } from '../model/ports';
import { core } from './core';
import { sessionInfos, socketsReady } from './sockets';

interface Pad {
  head: number;
  chatHead: number;
  getAllAuthors(): string[];
  remove(): Promise<void>;
  saveToDatabase(): Promise<void>;
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
  remove(key: string): Promise<void>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
}

/** Things that are done at once, and milliseconds in which others have their turn before the next ones, whatever pad they are of. */
const slice = 50;
const breath = 5;
let turn: Promise<unknown> = Promise.resolve();

/** Resolves when it is this slice's turn. */
function nextTurn(): Promise<unknown> {
  const mine = turn;
  turn = mine.then(() => pause(breath));
  return mine;
}
/** Slices that the database may be writing at the same moment: many answer only every 100 ms. */
const mostUnderWay = 10;

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
  /** The pad that the host opens for an id on the websocket, where it takes every id as it is; `undefined` where it opens none. */
  ofSocket(id: string): Promise<string | undefined>;
  /** The pad behind a read-only id, which 1.8.14 accepts without its prefix; `undefined` where there is none. */
  ofReadOnlyId(id: string): Promise<string | undefined>;
  isReadOnlyId(id: string): boolean;
}

/** Etherpad's pads, and its two kinds of names for them. */
export function createPads(): { pads: EditorPads; names: PadNames } {
  const manager = core<PadManager>('node/db/PadManager');
  const readOnly = core<ReadOnlyManager>('node/db/ReadOnlyManager');
  const authors = core<AuthorManager>('node/db/AuthorManager');
  const database = core<HostDatabase>('node/db/DB');
  const exists = async (padId: string) => Boolean(await manager.doesPadExist(padId));
  /**
   * Etherpad keeps the revisions and the chat of a pad under its key and a colon. An id with a colon would open these as a pad, past the
   * door of the pad that they belong to. 1.8.14 exits over names that every object has, such as `__proto__`.
   */
  const isWhole = (padId: string): boolean =>
    manager.isValidPadId(padId) && !padId.includes(':') && !(padId in Object.prototype);
  const whole = (padId: string): string | undefined => (isWhole(padId) ? padId : undefined);
  const ofReadOnlyId = async (id: string) => whole((await readOnly.getPadId(id)) ?? '');

  const names: PadNames = {
    isReadOnlyId: (id) => readOnly.isReadOnlyId(id),
    ofReadOnlyId,
    async ofUrl(id) {
      if (!manager.isValidPadId(id)) return undefined;
      return readOnly.isReadOnlyId(id) ? ofReadOnlyId(id) : whole(await manager.sanitizePadId(id));
    },
    ofSocket: async (id) => (readOnly.isReadOnlyId(id) ? ofReadOnlyId(id) : whole(id)),
  };

  /** Does something for each number below `count`, a slice at a time; resolves when the database has it all. */
  async function inSlices(
    count: number,
    signal: AbortSignal,
    work: (number: number) => Promise<unknown> | undefined,
  ): Promise<void> {
    const underWay: Promise<unknown>[] = [];
    try {
      for (let first = 0; first < count; first += slice) {
        await nextTurn();
        signal.throwIfAborted();
        const numbers = Array.from({ length: Math.min(slice, count - first) }, (_, index) => first + index);
        const done = Promise.all(numbers.map(work));
        // Awaited below; until then a failure must not look like one that nobody waits for.
        done.catch(() => {});
        underWay.push(done);
        if (underWay.length >= mostUnderWay) await underWay.shift();
      }
    } finally {
      await Promise.all(underWay);
    }
  }

  /**
   * The host removes revision by revision without a break, which can take minutes: it gets a pad that has none any more. What would lead
   * to the pad goes before the pad itself, so that an interrupted removal finds it again.
   */
  async function removeExisting(padId: string, signal: AbortSignal): Promise<void> {
    const pad = await manager.getPad(padId);
    await inSlices(pad.chatHead + 1, signal, (number) => database.remove(`pad:${padId}:chat:${number}`));
    await inSlices(pad.head + 1, signal, (number) => database.remove(`pad:${padId}:revs:${number}`));
    const writers = pad.getAllAuthors();
    await inSlices(writers.length, signal, (number) => authors.removePad(writers[number] ?? '', padId));
    pad.chatHead = -1;
    pad.head = -1;
    pad.getAllAuthors = () => [];
    await pad.remove();
  }

  async function removeLeftovers(padId: string, signal: AbortSignal): Promise<void> {
    const found = await keysBelow(`pad:${padId}:`);
    await inSlices(found.length, signal, (number) => database.remove(found[number] ?? ''));
    await database.remove(`pad:${padId}`);
  }

  async function keysBelow(prefix: string): Promise<string[]> {
    const found = (await database.findKeys(`${prefix}*`, null)) ?? [];
    // Some databases take `_` for any letter.
    return found.filter((key) => key.startsWith(prefix));
  }

  /** The messages of a pad, the last ones first. */
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

  async function removeWhole(padId: string, leftovers: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const readOnlyId = await database.get(`pad2readonly:${padId}`);
    if (await exists(padId)) await removeExisting(padId, signal);
    else if (leftovers) await removeLeftovers(padId, signal);
    // The host makes a read-only id for a pad that had none in order to remove it, and leaves one half of it behind.
    await removeReadOnlyId(padId);
    if (typeof readOnlyId === 'string') await database.remove(`readonly2pad:${readOnlyId}`);
  }

  /** Removals under way, by pad. */
  const removals = new Map<string, Promise<void>>();

  const pads: EditorPads = {
    exists,
    async create(padId) {
      if (!(await exists(padId))) await manager.getPad(padId);
    },
    async remove(padId, { leftovers = false, signal = never } = {}) {
      await unlessAborted(socketsReady, signal);
      // Not twice at the same moment: the second could ask the host for a pad that the first has just removed, which would make it anew.
      const before = removals.get(padId) ?? Promise.resolve();
      const mine = before.then(() => removeWhole(padId, leftovers, signal));
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
    async removeOldChat(padId, { count, signal = never }) {
      // The last ones first: who goes on chatting meanwhile starts again with the first, and keeps it.
      const old = await chatNumbers(padId, count);
      await inSlices(old.length, signal, async (index) => {
        const number = old[index] ?? 0;
        // Asked each time: the host may have loaded the pad anew since.
        const pad = (await exists(padId)) ? await manager.getPad(padId) : undefined;
        if (!pad || number > pad.chatHead) await database.remove(`pad:${padId}:chat:${number}`);
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
