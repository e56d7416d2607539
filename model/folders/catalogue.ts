/**
 * All folders and pads, for the lists of server administrators. The database can only be read by key, so the fields of
 * the filters are copied into memory: in the background at the first list, then updated by events.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { Events } from '../events';
import { plainText } from '../ids';
import type { Log } from '../ports';
import { inBatches } from '../store/batches';
import type { PadRecord, Visibility } from '../store/entities';
import { readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import { orBusy } from '../timeLimit';
import type { Pads } from './pad';
import { mergeSorted, sortInBatches } from './sorting';

export interface CatalogueQuery {
  /** Part of the id, the name or a tag. Letter case and accents do not matter. */
  text?: string;
  /** The exact name. */
  name?: string;
  /** For a pad: its own visibility, else that of its folder. */
  visibility?: Visibility;
  /** For a pad: whether its folder is archived. */
  archived?: boolean;
  /** User ids: an administrator of the folder; a member in any role. */
  admin?: string;
  member?: string;
  /** Id of the folder; for pads only. */
  group?: string;
  /**
   * Time of the last change in milliseconds since 1970: from (inclusive), and before. A change of a pad also counts for
   * its folder.
   */
  changedAfter?: number;
  changedBefore?: number;
  offset: number;
  limit: number;
}

/** One page of ids in order, and the total number of matches. */
export interface CataloguePage {
  ids: string[];
  count: number;
}

export interface Catalogue {
  /** Both lists throw SERVER.BUSY until the first read has finished. */
  groups(query: CatalogueQuery): Promise<CataloguePage>;
  pads(query: CatalogueQuery): Promise<CataloguePage>;
  /** All ids with a valid record, also of pads without a folder. Throws SERVER.BUSY as the lists do. */
  ids(): Promise<{ groups: readonly string[]; pads: readonly string[] }>;
  /** Number of pads and time of the last change of a folder. */
  factsOf(groupId: string): { padCount: number; lastUpdate: number };
  close(): void;
}

export interface CatalogueContext {
  store: Store;
  pads: Pick<Pads, 'lastUpdates'>;
  events: Events;
  log: Log;
}

interface GroupLine {
  name: string;
  plain: string;
  visibility: Visibility;
  archived: boolean;
  admins: readonly string[];
  users: readonly string[];
  ctime: number;
}

interface PadLine {
  name: string;
  plain: string;
  group: string;
  visibility: Visibility | null;
  /** Time of the last change. Until it is known: when the pad was created. */
  changed: number;
}

/** Milliseconds that a list waits for the catalogue before it answers SERVER.BUSY. */
const waitLimit = 2_000;
/** Lines compared before yielding to the event loop. */
const batchSize = 500;

interface Table<Line> {
  lines: Map<string, Line>;
  /** Sorted ids. The array is replaced, never modified. */
  order: readonly string[];
}

const emptyTable = <Line>(): Table<Line> => ({ lines: new Map(), order: [] });

export function createCatalogue({ store, pads, events, log }: CatalogueContext): Catalogue {
  const groupTable = emptyTable<GroupLine>();
  const padTable = emptyTable<PadLine>();
  const padsOf = new Map<string, Set<string>>();
  const changed = { groups: new Set<string>(), pads: new Set<string>() };
  const closing = new AbortController();
  const { signal } = closing;
  let reading: Promise<void> | undefined;
  let read = false;
  /** Events of other processes were lost: every record is read again. */
  let missed = false;

  // 1. Reading

  function putGroup(id: string, stored: unknown): boolean {
    const group = readGroup(id, stored);
    groupTable.lines.delete(id);
    if (!group) return false;
    const { name, visibility, archived, admins, users, ctime, tags } = group;
    const plain = plainText([id, name, ...tags].join('\n'));
    groupTable.lines.set(id, { name, plain, visibility, archived, admins, users, ctime });
    return true;
  }

  function removePadLine(id: string): void {
    const group = padTable.lines.get(id)?.group;
    if (group !== undefined) padsOf.get(group)?.delete(id);
    padTable.lines.delete(id);
  }

  function putPad(id: string, stored: unknown, removal: unknown): boolean {
    const known = padTable.lines.get(id);
    removePadLine(id);
    const pad = removal === undefined ? readPad(id, stored) : undefined;
    if (!pad) return false;
    const { name, group, visibility, ctime, lastUpdate } = pad;
    const line = { name, plain: plainText(`${id}\n${name}`), group, visibility };
    padTable.lines.set(id, { ...line, changed: Math.max(lastUpdate ?? ctime, known?.changed ?? 0) });
    padsOf.set(group, (padsOf.get(group) ?? new Set()).add(id));
    return true;
  }

  /** Reads these records again and updates the sorted ids. */
  async function readInto<Line>(
    table: Table<Line>,
    ids: readonly string[],
    readSome: (ids: string[]) => Promise<string[]>,
  ): Promise<void> {
    const present: string[] = [];
    await inBatches(ids, async (part) => void present.push(...(await readSome(part))), { signal });
    const touched = new Set(ids);
    const others = table.order.filter((id) => !touched.has(id));
    table.order = mergeSorted(others, await sortInBatches(present));
  }

  const readGroups = (ids: readonly string[]): Promise<void> =>
    readInto(groupTable, ids, async (part) => {
      const stored = await store.getMany<unknown>(part.map(keys.group));
      return part.filter((id, index) => putGroup(id, stored[index]));
    });

  const readPads = (ids: readonly string[]): Promise<void> =>
    readInto(padTable, ids, async (part) => {
      const stored = await store.getMany<unknown>(part.map(keys.pad));
      const removals = await store.getMany<unknown>(part.map(keys.deletePad));
      return part.filter((id, index) => putPad(id, stored[index], removals[index]));
    });

  async function readAll(): Promise<void> {
    const idsOf = async (prefix: string): Promise<string[]> =>
      (await store.scan(prefix)).map((key) => key.slice(prefix.length));
    // Known ids too: their records may have been removed.
    await readGroups([...new Set([...(await idsOf(keys.group(''))), ...groupTable.order])]);
    await readPads([...new Set([...(await idsOf(keys.pad(''))), ...padTable.order])]);
    read = true;
    readEditTimes().catch((error: unknown) => {
      if (!signal.aborted) log.warn('reading the times of pads failed', { error: String(error) });
    });
  }

  /** Pad records of ep_mypads 1.x have no time of the last change. Etherpad is asked for it. */
  async function readEditTimes(): Promise<void> {
    await inBatches(
      padTable.order,
      async (part) => {
        const stored = await store.getMany<unknown>(part.map(keys.pad));
        const unknown = part
          .map((id, index) => readPad(id, stored[index]))
          .filter((pad): pad is PadRecord => pad !== undefined && pad.lastUpdate === undefined);
        for (const [id, time] of await pads.lastUpdates(unknown)) if (time !== null) noteTime(id, time);
      },
      { signal },
    );
  }

  function noteTime(id: string, time: number): void {
    const line = padTable.lines.get(id);
    if (line) line.changed = Math.max(line.changed, time);
  }

  async function takeChanges(noted: Set<string>, readAgain: (ids: string[]) => Promise<void>) {
    const ids = [...noted];
    noted.clear();
    await readAgain(ids).catch((error: unknown) => {
      for (const id of ids) noted.add(id);
      throw error;
    });
  }

  async function readChanges(): Promise<void> {
    if (!read || missed) {
      missed = false;
      await readAll().catch((error: unknown) => {
        missed = true;
        throw error;
      });
    }
    while (changed.groups.size + changed.pads.size > 0 && !signal.aborted) {
      await takeChanges(changed.groups, readGroups);
      await takeChanges(changed.pads, readPads);
    }
  }

  /**
   * Waits until all changes are read. Throws SERVER.BUSY after `waitLimit`; the reading continues in the background.
   */
  async function waitUntilCurrent(): Promise<void> {
    reading ??= readChanges().finally(() => {
      reading = undefined;
    });
    reading.catch((error: unknown) => log.warn('reading the catalogue failed', { error: String(error) }));
    await orBusy(reading, waitLimit);
  }

  // Before the first list nothing has been read, so no change needs to be noted.
  const note = (kind: keyof typeof changed, id: string): void => {
    if (read || reading) changed[kind].add(id);
  };
  const unsubscribers = [
    events.on('group', ({ id }) => note('groups', id)),
    events.on('pad', ({ id }) => note('pads', id)),
    events.on('edited', ({ id, time }) => noteTime(id, time)),
    events.onMissed(() => {
      missed = true;
    }),
  ];

  // 2. Finding

  function groupFits(query: CatalogueQuery, id: string, line: GroupLine): boolean {
    const { visibility, archived, admin, member } = query;
    return (
      (visibility === undefined || line.visibility === visibility) &&
      (archived === undefined || line.archived === archived) &&
      (admin === undefined || line.admins.includes(admin)) &&
      (member === undefined || line.users.includes(member) || line.admins.includes(member)) &&
      (query.group === undefined || query.group === id)
    );
  }

  function timeFits({ changedAfter = 0, changedBefore }: CatalogueQuery, time: number): boolean {
    return time >= changedAfter && (changedBefore === undefined || time < changedBefore);
  }

  const hasTimes = ({ changedAfter, changedBefore }: CatalogueQuery): boolean =>
    changedAfter !== undefined || changedBefore !== undefined;

  function factsOf(groupId: string): { padCount: number; lastUpdate: number } {
    const own = padsOf.get(groupId) ?? new Set<string>();
    let lastUpdate = groupTable.lines.get(groupId)?.ctime ?? 0;
    for (const id of own) lastUpdate = Math.max(lastUpdate, padTable.lines.get(id)?.changed ?? 0);
    return { padCount: own.size, lastUpdate };
  }

  /** A pad whose folder does not exist is on no list. */
  function padFits(query: CatalogueQuery, { group, visibility }: PadLine): boolean {
    const folder = groupTable.lines.get(group);
    return (
      folder !== undefined &&
      groupFits(query, group, { ...folder, visibility: visibility ?? folder.visibility })
    );
  }

  async function find<Line extends { name: string; plain: string }>(
    { lines, order }: Table<Line>,
    query: CatalogueQuery,
    fits: (line: Line, id: string) => boolean,
  ): Promise<CataloguePage> {
    const wanted = plainText(query.text?.trim() ?? '');
    const ids: string[] = [];
    let count = 0;
    for (const [index, id] of order.entries()) {
      if (index % batchSize === batchSize - 1) await pause();
      const line = lines.get(id);
      if (!line?.plain.includes(wanted) || !fits(line, id)) continue;
      if (query.name !== undefined && line.name !== query.name) continue;
      if (count >= query.offset && ids.length < query.limit) ids.push(id);
      count += 1;
    }
    return { ids, count };
  }

  return {
    async groups(query) {
      await waitUntilCurrent();
      return find(
        groupTable,
        query,
        (line, id) =>
          groupFits(query, id, line) && (!hasTimes(query) || timeFits(query, factsOf(id).lastUpdate)),
      );
    },
    async pads(query) {
      await waitUntilCurrent();
      return find(padTable, query, (line) => padFits(query, line) && timeFits(query, line.changed));
    },
    async ids() {
      await waitUntilCurrent();
      return { groups: groupTable.order, pads: padTable.order };
    },
    factsOf,
    close() {
      closing.abort();
      for (const unsubscribe of unsubscribers) unsubscribe();
    },
  };
}
