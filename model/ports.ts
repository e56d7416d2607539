/**
 * Interfaces that the model needs from outside. hooks/lifecycle.ts implements them with host/; tests use an embedded
 * ueberDB. The model has no other contact with Etherpad.
 */
import type { Readable } from 'node:stream';

/** False when another process may have got the lock for a write. */
export type MayWrite = () => boolean;

/** Etherpad's database: JSON values by key. A missing key reads as `undefined` or `null`. */
export interface Database {
  /** The value, which nobody may change: the database may keep the same object. */
  get(key: string): Promise<unknown>;
  /**
   * Resolves when the value is in the database, not only in a cache. `mayWrite` is asked as late as possible before the
   * write; if it returns false, nothing is written, and this rejects. One process needs no such question.
   */
  set(key: string, value: unknown, mayWrite?: MayWrite): Promise<void>;
  remove(key: string, mayWrite?: MayWrite): Promise<void>;
  /** Keys that match a pattern with `*`. Slow on large databases: never call it while a request waits. */
  findKeys(pattern: string, notPattern: string | null): Promise<string[]>;
}

export interface BatchDatabase extends Database {
  /** Values in the order of `keys`, read at the same time and with one time limit. */
  getMany(keys: readonly string[]): Promise<unknown[]>;
}

/** Etherpad's records of pads, for the doctor. In keys, `*` at the end means all keys with that prefix. */
export interface StoredPads {
  /** All pads, and by pad the keys that are left of pads that Etherpad no longer has. Reads all keys of pads. */
  find(
    progress: (what: string, done: number, total: number) => void,
  ): Promise<{ pads: Set<string>; leftovers: Map<string, string[]> }>;
  /** All keys that Etherpad may have for a pad, without its read-only id. */
  keysOf(padId: string): string[];
}

/** What a new pad is made of. `ending`: of the name of an office document, such as `docx`. */
export type ImportSource =
  | { format: 'text' | 'html' | 'etherpad'; text: string }
  | { format: 'document'; ending: string; bytes: Buffer };

/** Why a source becomes no pad. */
export type ImportFault = 'tooLarge' | 'invalid';

/** Pads of Etherpad. Ids are real pad ids, never read-only ids. */
export interface EditorPads {
  exists(padId: string): Promise<boolean>;
  /** Creates the pad with Etherpad's default text and without an author. Does nothing when it exists. */
  create(padId: string): Promise<void>;
  /**
   * Creates the pad `to` with the text of `from`, its formatting and its authors' colours, without history and chat.
   * `texts` replace placeholders: `{{date}}` becomes `texts.date`. Throws when `to` exists.
   */
  copy(from: string, to: string, texts?: Readonly<Record<string, string>>): Promise<void>;
  /** The endings of office documents that Etherpad converts. */
  convertible(): readonly string[];
  /** Checks a source without making a pad. Documents are only measured, because converting one may take a minute. */
  checkImport(source: ImportSource, own: readonly string[]): Promise<ImportFault | undefined>;
  /**
   * Makes the pad of a source, which is checked again. The file may name these authors (`own`) as authors of its texts,
   * and nobody else whom Etherpad knows. Makes nothing if there is a fault. Throws if the database fails.
   */
  import(padId: string, source: ImportSource, own: readonly string[]): Promise<ImportFault | undefined>;
  /**
   * Removes text, revisions, chat and read-only id in batches; the pad record goes last. Does nothing when there is no
   * pad. `leftovers` also searches keys for what an interrupted removal left. Throws when `signal` aborts it.
   */
  remove(padId: string, options?: { leftovers?: boolean; signal?: AbortSignal }): Promise<void>;
  /** Removes the read-only id of a pad that does not exist any more. */
  removeReadOnlyId(padId: string): Promise<void>;
  /**
   * Starts an empty chat, also while the pad is open. Old messages are no longer shown but stay in the database.
   * Returns their number.
   */
  emptyChat(padId: string): Promise<number>;
  /**
   * Removes the messages left by `emptyChat` in batches, and no newer ones. Without `count` it searches all keys.
   * Throws when `signal` aborts it.
   */
  removeOldChat(padId: string, options: { count: number | undefined; signal?: AbortSignal }): Promise<void>;
  /** The text as it is now, without loading the pad into memory; `undefined` if there is no pad. */
  text(padId: string): Promise<string | undefined>;
  /** Time of the last change of the text in milliseconds since 1970; `null` when nobody has changed it. */
  lastEdited(padId: string): Promise<number | null>;
  /** The pads that people have open in this process. Looks at all of their connections. */
  visited(): ReadonlySet<string>;
}

/** Authors of Etherpad. */
export interface EditorAuthors {
  /**
   * Makes authors anonymous and keeps their text. Authors are given by id, or by the cookie token of old records. No
   * browser keeps one of these identities. Slow: searches all browser tokens. Throws when `signal` aborts it.
   */
  anonymise(
    authors: { ids: readonly string[]; tokens: readonly string[] },
    options?: { signal?: AbortSignal },
  ): Promise<void>;
}

/** Etherpad's settings that the model needs. Read at each call, because Etherpad can reload them. */
export interface HostSettings {
  /** Accounts of Etherpad's settings file, as last read by Etherpad. */
  users(): Record<string, { password?: unknown; is_admin?: unknown }>;
  /** The block `ep_mypads` of Etherpad's settings file, `{}` when it is missing. */
  plugin(): Record<string, unknown>;
}

/** An account that an authentication plugin has accepted. Its content is not validated. */
export interface HostAnswer {
  user: unknown;
}

/** Authentication plugins of Etherpad. */
export interface HostAccounts {
  /** True when there is such a plugin. */
  present(): boolean;
  /**
   * Returns `undefined` when no plugin accepts name and password. May throw or never answer. `address`: of the caller,
   * for the plugins' logs.
   */
  authenticate(login: string, password: string, address: string): Promise<HostAnswer | undefined>;
}

/** Etherpad's own session of a browser. */
export interface HostSession {
  id: string;
  /** The account that is signed in there; not validated. */
  user: unknown;
}

/** The environment of the plugin, for the checks of the server. */
export interface HostFacts {
  /** The versions of Etherpad and of Node, such as `3.3.1`. */
  version: string;
  node: string;
  /**
   * `type` as in Etherpad's settings. `cache`: the number of records that its database layer keeps in memory, if known.
   */
  database: { type: string; cache: number | undefined };
  /** Names of the installed plugins. */
  plugins: readonly string[];
  /** Etherpad's HTTP API accepts tokens of its own sign-in, and not the key in `APIKEY.txt`. */
  acceptsTokens: boolean;
  /** Etherpad may install a newer version of itself, and then starts again. */
  updatesItself: boolean;
}

export interface Log {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

/** Hashes and checks passwords without blocking the event loop (see model/passwords/password.ts). */
export interface PasswordHasher {
  /** bcrypt of a text of at most 72 bytes. */
  hash(text: string): Promise<string>;
  compare(text: string, hash: string): Promise<boolean>;
  /** The number of jobs that wait for a thread, for monitoring. */
  waiting?(): number;
  close(): Promise<void>;
}

/** A key that has no points left. */
export interface LockedKey {
  key: string;
  /** Milliseconds until there are points again. */
  wait: number;
  /** The points that were asked for, also those that were refused. */
  points: number;
}

/** Counts points for each key. */
export interface RateLimiter {
  /**
   * Takes points of a key. Resolves to `undefined`; when too few are left, to the milliseconds until there are more.
   */
  consume(key: string, points: number): Promise<number | undefined>;
  /** Gives points back. */
  reward(key: string, points: number): Promise<void>;
  /** The keys that were refused points and would be refused more, at most the last 1,000. */
  locked(): Promise<LockedKey[]>;
  /** Gives all points of a key back. */
  lift(key: string): Promise<void>;
}

/** The people who have a pad open, each counted once: the ids of accounts, and the number of guests. */
export interface PeopleInPad {
  people: readonly string[];
  guests: number;
  /** Those of the guests who gave a name with a link. */
  named?: readonly { name: string; link: string }[] | undefined;
}

/** What processes tell each other, by topic. cluster/topics.ts has the form in which it is sent. */
export interface Messages {
  /** The key of a record that was written. */
  written: string;
  /** An event of model/events.ts. */
  event: object;
  /** The number of people with a session. */
  peopleSignedIn: number;
  /** An account has signed in from an address: a text that only the limits understand. */
  knownSignIn: string;
  /** Who has pads open in the process `from`. */
  peopleInPads: { from: string; pads: Record<string, PeopleInPad> };
}

/** What a process does when it hears of the others. Called in the order in which each of them has sent. */
export interface Followers {
  /** Reads records, in the order of the keys. */
  read(keys: readonly string[]): Promise<unknown[]>;
  log: Log;
  schedule: Schedule;
  /** Called with a record that another process has written; `undefined` when it has removed it. */
  written(key: string, value: unknown): void;
  /** Called with an event that is valid by the schema of model/events.ts. */
  event(event: object): void;
  peopleSignedIn(people: number): void;
  /** Messages were lost. Reads again what is in memory. Called again some seconds later if it rejects. */
  missed(): Promise<void>;
  /** Messages cannot be received at the moment. Reads again what decides who may do what. */
  unavailable(): Promise<void>;
}

/** Keeps what this process has in memory the same as what the other processes write. */
export interface Exchange {
  /** Tells the other processes, not this one. Does not wait, and never throws. */
  publish<Topic extends keyof Messages>(topic: Topic, content: Messages[Topic]): void;
  /** Calls `listener` with what others publish about this topic. Returns a function that ends it. */
  onMessage<Topic extends keyof Messages>(
    topic: Topic,
    listener: (content: Messages[Topic]) => void,
  ): () => void;
  /** Call it after each write of this process. */
  recordWritten(key: string): void;
  /** Starts to follow the others. Returns a function that ends it. */
  follow(followers: Followers): () => void;
  /**
   * Resolves when this process has handled what others published before this call, or after a short time. `undefined`:
   * there is nothing to wait for. Call it before an answer is made from what is in memory.
   */
  upToDate(): Promise<void> | undefined;
  /** As `upToDate`, but says whether it is certain. False too in a single process, where there is nothing to hear. */
  isUpToDate(): Promise<boolean>;
  /** Resolves when what this process has published reaches all who call `upToDate` later, or after a short time. */
  published(): Promise<void> | undefined;
}

/**
 * What several processes on one database share. model/inProcessCoordination.ts implements it for a single process,
 * cluster/ for several.
 */
export interface Coordination extends Exchange {
  /** Waits for the lock of a key, first come first served. Resolves to the function that releases it. */
  lock(key: string): Promise<() => void>;
  /** As `lock`, but resolves to `undefined` at once when somebody holds the lock. */
  tryLock(key: string): Promise<(() => void) | undefined>;
  /**
   * `listener` gets the keys of locks that another process has taken, while work under them still runs here. Missing
   * where none can be lost.
   */
  onTaken?(listener: (key: string) => void): void;
  /**
   * False while this process may have lost its locks; nothing is written then. Called before each write, so it must be
   * fast.
   */
  isConnected(): boolean;
  /** Returns a check for a write: true as long as no other process can have got a lock that this one has now. */
  writePermit(): MayWrite;
  /**
   * Keeps a JSON value under a secret name for so many milliseconds. When there are too many values, those of the
   * requester with the most values go first.
   */
  keep(name: string, value: unknown, terms: { milliseconds: number; requester: string }): Promise<void>;
  /** Removes a kept value and resolves to it: in one process, once. `undefined` when there is none. */
  take(name: string): Promise<unknown>;
  /** At most `points` in `seconds` after the first, for each key. */
  rateLimiter(name: string, limit: { points: number; seconds: number }): RateLimiter;
  /**
   * Runs `begin` when this process becomes the leader, which does the background work. Resolves after it, or when
   * another process is the leader; then `begin` runs as soon as that process has ended. Rejects when `begin` does. In
   * the leader, `begin` runs again when another process has ended, which may have left work unfinished.
   */
  lead(begin: () => Promise<void>): Promise<void>;
  /** True while this process does the background work. */
  isLeader(): boolean;
}

/** Timers. They do not keep the process alive. Each has a name, by which tests run its work at once. */
export interface Schedule {
  /** Runs `work` once, after so many milliseconds. Returns a function that cancels it. */
  later(name: string, milliseconds: number, work: () => void): () => void;
  /** Runs `work` every so many milliseconds. Returns a function that ends it. */
  every(name: string, milliseconds: number, work: () => void): () => void;
}

/** The processes that share the database, for the checks of the server. Both reject while they cannot be known. */
export interface Processes {
  /** How many are running, this one included. */
  count(): Promise<number>;
  /** Pads whose requests reached several processes within the last hour. */
  misroutedPads(): Promise<number>;
}

export type SqlValue = string | number | null;

export interface SqlStatement {
  sql: string;
  values: readonly SqlValue[];
}

/** SQLite with FTS5, of this process alone, beside the thread that handles everybody's edits. */
export interface IndexFile {
  /** No file could be written, so it is built again at each start. */
  inMemory: boolean;
  /** Runs the statements in their order, in one transaction. */
  write(statements: readonly SqlStatement[]): Promise<void>;
  read<Row extends object>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** `index`: of the records, the default. `texts`: of the texts of pads. */
export const indexNames = ['index', 'texts'] as const;
export type IndexName = (typeof indexNames)[number];

/**
 * Opens the index, or makes a new one if there is none, or one with another `schema`: statements that create the
 * tables. `afresh`: never the present one, because it cannot be used. `inMemory`: in no file.
 */
export type OpenIndex = (terms: {
  name?: IndexName;
  schema: string;
  afresh: boolean;
  inMemory?: boolean;
}) => Promise<IndexFile>;

export interface ChatMessage {
  /** Id of an author; `null` for nobody whom Etherpad knows. */
  author: string | null;
  name: string;
  text: string;
  /** Milliseconds since 1970. */
  time: number;
}

/** What a file with a pad is made of. Nothing is read before it is asked for, and what is large comes in pieces. */
export interface StoredPad {
  text(): Promise<string>;
  /** A whole document with this title. */
  html(title: string): Promise<string>;
  /** Etherpad's own format, with all revisions. `chat`: with the chat. */
  etherpad(chat: boolean): AsyncIterable<string>;
  chat(): AsyncIterable<ChatMessage>;
}

/** Reads pads for an export, without loading them into Etherpad's memory. */
export interface PadReader {
  /** `undefined` if there is no pad. */
  read(padId: string): Promise<StoredPad | undefined>;
  /** The ids of these authors. See `EditorAuthors.anonymise`. */
  authorsOf(authors: { ids: readonly string[]; tokens: readonly string[] }): Promise<string[]>;
  /** Ids of the pads in which one of these authors (ids) has written. */
  writtenBy(authors: readonly string[]): Promise<string[]>;
}

/** Files of this process alone, which end with it. All functions but `usable` may throw any error of the disk. */
export interface OwnFiles {
  /** Whether a file can be written. */
  usable(): Promise<boolean>;
  /** Resolves to the number of bytes. Leaves nothing behind when it fails. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** `undefined` if there is no such file. */
  read(name: string): Promise<{ size: number; content: Readable } | undefined>;
  remove(name: string): Promise<void>;
  /** Removes all of them. */
  close(): Promise<void>;
}

export interface Ports {
  database: Database;
  openIndex: OpenIndex;
  pads: EditorPads;
  padReader: PadReader;
  exportFiles: OwnFiles;
  /** Missing when Etherpad does not support it. */
  authors?: EditorAuthors;
  settings: HostSettings;
  log: Log;
  hasher: PasswordHasher;
  coordination: Coordination;
  schedule: Schedule;
  /** Folders for uploads, the best first. The first that can be written is used. */
  uploadFolders: readonly string[];
  /** Other processes write to the same database, which is read without a cache. */
  sharesDatabase?: true;
  /** Missing if this process shares its database with no other. */
  processes?: Processes;
  /** For the checks of the server. Missing without an Etherpad server. */
  hostFacts?: () => HostFacts;
  /** Used for administrators that the settings file does not confirm. */
  hostAccounts?: HostAccounts;
  /** Milliseconds since 1970. */
  now: () => number;
  /** For tests: see `StoreOptions`. */
  checkLocks?: boolean;
  /** For tests: replaces `databaseTimeLimit`, also for the checks of the checkup, in milliseconds. */
  databaseTimeLimit?: number;
  /** For tests: milliseconds that a question waits for the index. */
  indexTimeLimit?: number;
  /** For tests: replaces `externalTimeLimit` for LDAP, in milliseconds. */
  directoryTimeLimit?: number;
}
