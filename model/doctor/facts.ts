/** Reads all data for the doctor once, in batches. */

import type { StoredPads } from '../ports';
import { readUnfinished, type Unfinished } from '../removal/unfinished';
import type { ConfigurationKey } from '../settings/definitions';
import type { SettingsBlock } from '../settings/effectiveValues';
import { initialValue, storedValue, usableValue } from '../settings/values';
import { createOfferedMethods, type MethodName } from '../signin/methods';
import type { GroupRecord, PadRecord, SessionRecord, UserRecord } from '../store/entities';
import { hasFactor, readFactors, readGroup, readPad, readUser } from '../store/records';
import { factorsPrefix, keys, type Store } from '../store/store';
import { readTrashedGroup, readTrashedPad, readVanishedPad } from '../store/trashNotes';
import { readSettings } from './settings';

/** A stored record, and what the server reads from it (`undefined` if invalid). */
export interface Found<Record> {
  stored: unknown;
  record: Record | undefined;
}

interface IndexEntry {
  names?: unknown;
}

export interface Facts {
  /** By id. */
  users: Map<string, Found<UserRecord>>;
  groups: Map<string, Found<GroupRecord>>;
  pads: Map<string, Found<PadRecord>>;
  sessions: Map<string, SessionRecord>;
  /** Lists of session ids, index records and mail tokens, by key. */
  sessionLists: Map<string, { ids?: unknown }>;
  indexes: Map<string, IndexEntry>;
  mailTokens: Map<string, { user?: unknown; expires?: unknown }>;
  /** Keys of second factors, and of lists of API tokens: only their own account can use them. */
  ownKeys: Set<string>;
  /** Notes about links, by the id of the link. */
  links: Map<string, unknown>;
  /** Notes about invitations, by the id of the invitation. */
  invitations: Map<string, unknown>;
  /** True when the index of accounts is complete. */
  indexed: boolean;
  /** Notes about pads that are to be removed, by id. */
  padRemovals: Map<string, unknown>;
  /** Records about pads that were removed, by key. */
  formerPads: Map<string, unknown>;
  editorPads: Set<string>;
  /** Keys left over from pads that Etherpad no longer has, by pad. `*` at the end means all keys with that prefix. */
  leftovers: Map<string, string[]>;
  /** All keys that Etherpad may have for a pad. */
  keysOfPad: StoredPads['keysOf'];
  allowEtherPads: boolean;
  /** Whether an account needs a password here to be used. */
  needsPassword: (user: UserRecord) => boolean;
  /** Stored settings by name. */
  settings: Map<ConfigurationKey, unknown>;
  /** Unfinished removals that the next start resumes. */
  unfinished: Unfinished;
  /** Notes about groups that are being removed, by id. */
  groupRemovals: Map<string, unknown>;
  trash: TrashFacts;
}

/** Ids of what is in the trash. It looks missing, and is not. */
export interface TrashFacts {
  pads: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  /** Links and invitations, also those of pads that Etherpad removed and that may return. */
  parts: ReadonlySet<string>;
}

function trashIn(padNotes: Map<string, unknown>, groupNotes: Map<string, unknown>): TrashFacts {
  const pads = [...padNotes.values()].flatMap((note) => readTrashedPad(note) ?? []);
  const groups = [...groupNotes.values()].flatMap((note) => readTrashedGroup(note)?.record ?? []);
  const vanished = [...padNotes.values()].flatMap((note) => readVanishedPad(note) ?? []);
  const parts = [...pads, ...vanished, ...groups].flatMap(({ links, invitations }) => [
    ...links,
    ...invitations,
  ]);
  return {
    pads: new Set(pads.map(({ record }) => record._id)),
    groups: new Set(groups.map(({ _id }) => _id)),
    parts: new Set(parts.map(({ _id }) => _id)),
  };
}

/** Records read at the same time. */
const batchSize = 200;

/** Called after each batch; `total` may grow. */
export type Progress = (what: string, done: number, total: number) => void;

async function readAll<T>(
  store: Store,
  prefix: string,
  progress: Progress,
  keep: (key: string, value: T) => void,
): Promise<void> {
  // Some databases treat `_` as a wildcard.
  const found = (await store.scan(prefix)).filter((key) => key.startsWith(prefix)).sort();
  for (let start = 0; start < found.length; start += batchSize) {
    const part = found.slice(start, start + batchSize);
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

/** Notes by id. A note of ep_mypads 1.x is the id itself. */
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

/** Reads everything. Slow on large databases, which is acceptable here. */
export async function readFacts(
  store: Store,
  { storedPads, presets, progress }: { storedPads: StoredPads; presets: SettingsBlock; progress: Progress },
): Promise<Facts> {
  const users = await readById(store, keys.user(''), progress, readUser);
  const groups = await readById(store, keys.group(''), progress, readGroup);
  const pads = await readById(store, keys.pad(''), progress, readPad);
  const indexes = await readByKey<IndexEntry>(store, keys.names(''), progress);
  const sessions = await readByKey<SessionRecord>(store, keys.session(''), progress);
  const editor = await storedPads.find(progress);
  const settings = await readSettings((wanted) => store.getMany<unknown>(wanted));
  const effective = (key: ConfigurationKey): unknown =>
    usableValue(key, presets[key]) ?? storedValue(key, settings.get(key)) ?? initialValue(key);
  const methods = createOfferedMethods<UserRecord>({
    read: () => ({
      first: effective('authMethod') as MethodName,
      all: effective('authMethods') as MethodName[],
      oidc: effective('authOidcSettings'),
    }),
    hasPassword: ({ password }) => password !== null,
  });
  const padRemovals = await readNotes(store, keys.deletePad(''), progress);
  const groupRemovals = await readNotes(store, keys.deleteGroup(''), progress);
  return {
    users,
    groups,
    pads,
    sessions,
    sessionLists: new Map([
      ...(await readByKey<{ ids?: unknown }>(store, 'mypads:sessions:', progress)),
      ...(await readByKey<{ ids?: unknown }>(store, 'mypads:providersession:', progress)),
    ]),
    indexes,
    mailTokens: await readByKey(store, keys.mailToken(''), progress),
    ownKeys: new Set([
      ...[...(await readByKey(store, factorsPrefix, progress))].flatMap(([key, stored]) =>
        hasFactor(readFactors(stored)) ? [key] : [],
      ),
      ...(await readByKey(store, 'mypads:apitokens:user:', progress)).keys(),
    ]),
    links: await readById(store, keys.link(''), progress, (_id, stored) => stored),
    invitations: await readById(store, keys.invitation(''), progress, (_id, stored) => stored),
    indexed: indexes.size > 0,
    padRemovals,
    formerPads: await readByKey(store, keys.formerPads(''), progress),
    editorPads: editor.pads,
    leftovers: editor.leftovers,
    keysOfPad: storedPads.keysOf,
    allowEtherPads: effective('allowEtherPads') !== false,
    needsPassword: (user) => methods.storePasswords() && !methods.isElsewhere(user),
    settings,
    unfinished: await readUnfinished(store),
    groupRemovals,
    trash: trashIn(padRemovals, groupRemovals),
  };
}
