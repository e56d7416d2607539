import { isTime } from '../model/dateFormat';
import type { EditorPads, Log } from '../model/ports';
import type { Authors } from './authors';
import { getUncached, type HostDatabase } from './database';
import { inBatches } from './padBatches';
import { keysWithPrefix, loadPadCore, type PadCore } from './padCore';
import { createPadIds, type PadIds } from './padIds';
import { PadImport } from './padImport';
import { createPadRemoval } from './padRemoval';
import { fillPlaceholders, withoutLastLine } from './placeholders';
import { sessionInfos } from './sockets';

const neverAborted = new AbortController().signal;

function creation({ manager, exists }: PadCore): Pick<EditorPads, 'create' | 'copy'> {
  return {
    async create(padId) {
      if (!(await exists(padId))) await manager.getPad(padId);
    },
    async copy(from, to, texts = {}) {
      if (!(await exists(from))) {
        await manager.getPad(to);
        return;
      }
      const source = await manager.getPad(from);
      if (source.text() === '\n') {
        // Etherpad 3 copies an empty pad with text of an author that is not in the pad's list. Nobody could open it.
        await manager.getPad(to, '');
        return;
      }
      await source.copyPadWithoutHistory(to, false);
      // 1.8.14 does not wait until the text of the copy is stored.
      const copy = await manager.getPad(to);
      await copy.saveToDatabase();
      // Etherpad adds an empty line to each copy.
      if (copy.text() === `${source.text()}\n`) await copy.appendRevision(withoutLastLine(copy.text()));
      const filled = fillPlaceholders(copy.atext, texts);
      if (filled !== undefined) await copy.appendRevision(filled);
    },
  };
}

/** The numbers of a pad's chat messages, newest first. */
async function chatNumbers(
  { database }: PadCore,
  padId: string,
  count: number | undefined,
): Promise<number[]> {
  if (count !== undefined) return Array.from({ length: count }, (_, index) => count - 1 - index);
  const prefix = `pad:${padId}:chat:`;
  const numbers = (await keysWithPrefix(database, prefix)).map((key) => Number(key.slice(prefix.length)));
  return numbers.filter(Number.isInteger).sort((one, other) => other - one);
}

function chat(core: PadCore): Pick<EditorPads, 'emptyChat' | 'removeOldChat'> {
  const { manager, database, exists } = core;
  return {
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
      const old = await chatNumbers(core, padId, count);
      await inBatches(old.length, signal, async (index) => {
        const number = old[index] ?? 0;
        // Loaded each time, because Etherpad may have reloaded the pad meanwhile.
        const pad = (await exists(padId)) ? await manager.getPad(padId) : undefined;
        if (!pad || number > pad.chatHead) await database.remove(`pad:${padId}:chat:${number}`);
      });
    },
  };
}

/** A record that is no JSON counts as missing: the database works, and other pads must not wait for this one. */
async function readable(database: Pick<HostDatabase, 'get'>, key: string): Promise<unknown> {
  try {
    return await database.get(key);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Milliseconds since 1970; `null` if nobody has written in the pad. */
export async function lastEdited(database: Pick<HostDatabase, 'get'>, padId: string): Promise<number | null> {
  const record = (await readable(database, `pad:${padId}`)) as { head?: number } | null | undefined;
  // Revision 0 is the text that the pad was created with.
  if (typeof record?.head !== 'number' || record.head === 0) return null;
  const revision = (await readable(database, `pad:${padId}:revs:${record.head}`)) as
    | { meta?: { timestamp?: unknown } }
    | null
    | undefined;
  const time = revision?.meta?.timestamp;
  return isTime(time) ? time : null;
}

/** The text as it is stored; `undefined` if there is no pad. */
export async function textOf(
  database: Pick<HostDatabase, 'get'>,
  padId: string,
): Promise<string | undefined> {
  const record = (await readable(database, `pad:${padId}`)) as
    | { atext?: { text?: unknown } }
    | null
    | undefined;
  const text = record?.atext?.text;
  return typeof text === 'string' ? text : undefined;
}

/** Implements the port, and resolves pad ids. */
export function createPads(context: { authors: Pick<Authors, 'known'>; log: Log }): {
  pads: EditorPads;
  padIds: PadIds;
} {
  const core = loadPadCore();
  const { remove, removeReadOnlyId } = createPadRemoval(core);
  const pads: EditorPads = {
    exists: core.exists,
    ...creation(core),
    ...new PadImport(core, context),
    remove: (padId, { leftovers = false, signal = neverAborted } = {}) => remove(padId, leftovers, signal),
    removeReadOnlyId,
    ...chat(core),
    text: (padId) => textOf({ get: getUncached }, padId),
    lastEdited: (padId) => lastEdited(core.database, padId),
    visited: () => new Set(Object.values(sessionInfos()).flatMap(({ padId }) => padId ?? [])),
  };
  return { pads, padIds: createPadIds(core) };
}
