/** Everything in the database that the doctor looks at, read once, a slice at a time. */
import type { GroupRecord, PadRecord, SessionRecord, UserRecord } from '../entities';
import { createPendingJobs, type Pending } from '../pendingJobs';
import type { Database } from '../ports';
import { readGroup, readPad, readUser } from '../records';
import type { ConfigurationKey } from '../settingDefinitions';
import { keys, type Store } from '../store';
import { readSettings } from './settings';

/** A record as it stands there, and what the server reads in it: nothing, where it makes no sense of it. */
export interface Found<Record> {
  stored: unknown;
  record: Record | undefined;
}

interface IndexEntry {
  uids?: unknown;
}

export interface Facts {
  /** By id, as in the key. */
  users: Map<string, Found<UserRecord>>;
  groups: Map<string, Found<GroupRecord>>;
  pads: Map<string, Found<PadRecord>>;
  sessions: Map<string, SessionRecord>;
  /** Lists of somebody's sessions, index entries and tokens of mails, by key. */
  sessionLists: Map<string, { ids?: unknown }>;
  indexes: Map<string, IndexEntry>;
  mailTokens: Map<string, { user?: unknown; expires?: unknown }>;
  /** Does the index of accounts claim to be complete? */
  indexed: boolean;
  /** The notes about pads that wait for their removal, by id. */
  doomed: Map<string, unknown>;
  editorPads: Set<string>;
  /** Keys of pads that the editor has no more, by pad; `*` at the end stands for all that start so. */
  remains: Map<string, string[]>;
  allowEtherPads: boolean;
  /** As they are stored, by name; those that are not stored are not in it. */
  settings: Map<ConfigurationKey, unknown>;
  /** Pads and groups that the next start goes on removing. */
  pending: Pending;
  /** Groups with a note that they are being removed, by id. */
  doomedGroups: Map<string, unknown>;
}

/** Records that are read at once. */
const slice = 200;

/** Called after each slice; `total` may grow. */
export type Progress = (what: string, done: number, total: number) => void;

async function readAll<T>(
  store: Store,
  prefix: string,
  progress: Progress,
  keep: (key: string, value: T) => void,
): Promise<void> {
  // Some databases take `_` for any letter.
  const found = (await store.scan(prefix)).filter((key) => key.startsWith(prefix)).sort();
  for (let start = 0; start < found.length; start += slice) {
    const part = found.slice(start, start + slice);
    const values = await store.getMany<T>(part);
    for (const [index, key] of part.entries()) {
      const value = values[index];
      if (value !== undefined) keep(key, value);
    }
    progress(prefix, start + part.length, found.length);
  }
}

async function readById<Record>(
  store: Store,
  prefix: string,
  progress: Progress,
  read: (id: string, stored: unknown) => Record | undefined,
): Promise<Map<string, Found<Record>>> {
  const found = new Map<string, Found<Record>>();
  await readAll<unknown>(store, prefix, progress, (key, stored) => {
    const id = key.slice(prefix.length);
    found.set(id, { stored, record: read(id, stored) });
  });
  return found;
}

/** By the id that the note names; those of the earlier generation are the id. */
async function readNotes(store: Store, prefix: string, progress: Progress): Promise<Map<string, unknown>> {
  const found = await readByKey<{ pad?: unknown; _id?: unknown }>(store, prefix, progress);
  return new Map(
    [...found].map(([key, note]) => {
      const id = note?.pad ?? note?._id;
      return [typeof id === 'string' ? id : key.slice(prefix.length), note];
    }),
  );
}

async function readByKey<T>(store: Store, prefix: string, progress: Progress): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  await readAll<T>(store, prefix, progress, (key, value) => found.set(key, value));
  return found;
}

/** The ids in keys of the shape `pad:<id><tail>`. */
async function padIds(database: Database, tail: string, notPattern: string | null): Promise<string[]> {
  const found = await database.findKeys(`pad:*${tail}`, notPattern);
  return found
    .filter((key) => key.startsWith('pad:') && key.endsWith(tail))
    .map((key) => key.slice('pad:'.length, key.length - tail.length))
    .filter((id) => id !== '' && !id.includes(':'));
}

async function readEditor(
  store: Store,
  database: Database,
  progress: Progress,
): Promise<Pick<Facts, 'editorPads' | 'remains'>> {
  const editorPads = new Set(await padIds(database, '', '*:*:*'));
  const remains = new Map<string, string[]>();
  const note = (id: string, key: string): void => {
    if (!editorPads.has(id)) remains.set(id, [...(remains.get(id) ?? []), key]);
  };
  // Every history starts with 0, as every chat does: nobody needs to look through millions of revisions.
  for (const id of await padIds(database, ':revs:0', null)) note(id, `pad:${id}:revs:*`);
  for (const id of await padIds(database, ':chat:0', null)) note(id, `pad:${id}:chat:*`);
  const [toReadOnly, fromReadOnly] = ['pad2readonly:', 'readonly2pad:'];
  for (const key of await store.scan(toReadOnly)) {
    if (key.startsWith(toReadOnly)) note(key.slice(toReadOnly.length), key);
  }
  await readAll<unknown>(store, fromReadOnly, progress, (key, id) => {
    if (typeof id === 'string') note(id, key);
  });
  return { editorPads, remains };
}

/** Slow on large databases, which is all right here. */
export async function readFacts(store: Store, database: Database, progress: Progress): Promise<Facts> {
  const users = await readById(store, keys.user(''), progress, readUser);
  const groups = await readById(store, keys.group(''), progress, readGroup);
  const pads = await readById(store, keys.pad(''), progress, readPad);
  const sessions = await readByKey<SessionRecord>(store, keys.session(''), progress);
  const settings = await readSettings((wanted) => store.getMany<unknown>(wanted));
  return {
    users,
    groups,
    pads,
    sessions,
    sessionLists: await readByKey(store, 'mypads:sessions:', progress),
    indexes: await readByKey(store, 'mypads:index:', progress),
    mailTokens: await readByKey(store, keys.mailToken(''), progress),
    indexed: (await store.get(keys.indexState)) !== undefined,
    doomed: await readNotes(store, keys.deletePad(''), progress),
    ...(await readEditor(store, database, progress)),
    allowEtherPads: settings.get('allowEtherPads') !== false,
    settings,
    pending: await createPendingJobs(store).read(),
    doomedGroups: await readNotes(store, keys.deleteGroup(''), progress),
  };
}
