/**
 * Searches the records of a running server for damage, in the background. It reads accounts, folders and pads by key,
 * because searching all keys, as `ep-mypads doctor` does, would slow down the server. It finds less than that command.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LongRun } from '../longRun';
import { readUnfinished } from '../removal/unfinished';
import { readGroup, readPad, readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import {
  danglingBookmarks,
  danglingUserLists,
  duplicateAccounts,
  staleGroupIndexes,
  staleSharedPads,
} from './accounts';
import type { Facts, Found, TrashFacts } from './facts';
import { canRepair, type Finding, type Kind } from './findings';
import { danglingPeople, unreachablePads, unusedFields, wrongPadLists } from './groupsAndPads';
import { contradictorySettings, readSettings, unusableSettings } from './settings';

/** `done`: number of records read so far. `findings`: how many of each kind. `repairable`: some of them at least. */
export type LiveReport =
  | { kind: 'found'; findings: ReadonlyMap<Kind, number>; repairable: boolean; records: number }
  | { kind: 'searching'; done: number }
  | { kind: 'tooMany'; records: number };

export interface LiveIds {
  users: readonly string[];
  groups: readonly string[];
  pads: readonly string[];
  trash: Pick<TrashFacts, 'pads' | 'groups'>;
}

export interface LiveDoctorContext {
  store: Store;
  /** All ids that the server knows. May throw SERVER.BUSY. */
  ids: () => Promise<LiveIds>;
}

/** With more records, the search would need too much memory in the running server, so it is not done. */
const maxRecords = 20_000;
/** Records read together, and milliseconds between two batches. */
const batchSize = 100;
const pauseBetweenBatches = 5;
/**
 * Milliseconds until findings are checked again. A change that was in progress during the first search has ended then,
 * so it is not reported as damage.
 */
const secondSearchAfter = 1_000;

/** Accounts without a password are not reported: people of a directory, and people who were just invited, have none. */
const checks: readonly ((facts: Facts) => Finding[])[] = [
  duplicateAccounts,
  danglingPeople,
  wrongPadLists,
  unusedFields,
  staleGroupIndexes,
  staleSharedPads,
  danglingBookmarks,
  danglingUserLists,
  unusableSettings,
  contradictorySettings,
  unreachablePads,
];

const nameOf = ({ kind, of }: Finding): string => `${kind} ${of}`;

function countByKind(findings: readonly Finding[]): Map<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

interface Reading {
  signal: AbortSignal;
  /** Called after each batch. */
  onRead: (count: number) => void;
}

async function readRecords<Record>(
  store: Store,
  ids: readonly string[],
  {
    keyOf,
    read,
  }: { keyOf: (id: string) => string; read: (id: string, stored: unknown) => Record | undefined },
  { signal, onRead }: Reading,
): Promise<Map<string, Found<Record>>> {
  const found = new Map<string, Found<Record>>();
  for (let start = 0; start < ids.length; start += batchSize) {
    await pause(pauseBetweenBatches, undefined, { signal });
    const part = ids.slice(start, start + batchSize);
    const values = await store.getMany<unknown>(part.map(keyOf));
    for (const [index, id] of part.entries()) {
      const stored = values[index];
      if (stored !== undefined) found.set(id, { stored, record: read(id, stored) });
    }
    onRead(part.length);
  }
  return found;
}

/** Without sessions, links, the index and Etherpad's own records, because only a search of all keys finds these. */
async function readLiveFacts(store: Store, ids: LiveIds, reading: Reading): Promise<Facts> {
  const unfinished = await readUnfinished(store);
  return {
    settings: await readSettings((wanted) => store.getMany<unknown>(wanted)),
    users: await readRecords(store, ids.users, { keyOf: keys.user, read: readUser }, reading),
    groups: await readRecords(store, ids.groups, { keyOf: keys.group, read: readGroup }, reading),
    pads: await readRecords(store, ids.pads, { keyOf: keys.pad, read: readPad }, reading),
    unfinished,
    padRemovals: new Map([...unfinished.pads, ...unfinished.vanished].map((id) => [id, true])),
    groupRemovals: new Map(),
    trash: { ...ids.trash, parts: new Set() },
    sessions: new Map(),
    sessionLists: new Map(),
    indexes: new Map(),
    mailTokens: new Map(),
    ownKeys: new Set(),
    links: new Map(),
    invitations: new Map(),
    indexed: false,
    editorPads: new Set(),
    leftovers: new Map(),
    keysOfPad: () => [],
    formerPads: new Map(),
    allowEtherPads: true,
    needsPassword: () => true,
  };
}

export function createLiveDoctor({ store, ids }: LiveDoctorContext) {
  const closing = new AbortController();
  const { signal } = closing;
  let done = 0;

  /** Searches once. Without `findings` if there are too many records. */
  async function searchOnce(): Promise<{ findings?: Finding[]; records: number }> {
    const known = await ids();
    const records = known.users.length + known.groups.length + known.pads.length;
    done = 0;
    if (records > maxRecords) return { records };
    const onRead = (count: number): void => {
      done += count;
    };
    const facts = await readLiveFacts(store, known, { signal, onRead });
    const findings: Finding[] = [];
    for (const check of checks) {
      findings.push(...check(facts));
      if (sliceUsed()) await nextSlice();
    }
    return { findings, records };
  }

  async function run(): Promise<LiveReport> {
    let { findings, records } = await searchOnce();
    if (findings && findings.length > 0) {
      await pause(secondSearchAfter, undefined, { signal });
      const second = await searchOnce();
      const again = new Set(second.findings?.map(nameOf));
      findings = second.findings && findings.filter((finding) => again.has(nameOf(finding)));
      records = second.records;
    }
    if (findings === undefined) return { kind: 'tooMany', records };
    return { kind: 'found', findings: countByKind(findings), repairable: findings.some(canRepair), records };
  }

  const searches = new LongRun(run);
  return {
    /**
     * Starts a search and waits for at most `limit` milliseconds. If it takes longer, it continues, and the result of
     * the search before it is returned if there is one. Throws the errors of the database.
     */
    search: async (limit: number): Promise<LiveReport> =>
      (await searches.within(limit)) ?? { kind: 'searching', done },
    close: (): void => closing.abort(),
  };
}

export type LiveDoctor = ReturnType<typeof createLiveDoctor>;
