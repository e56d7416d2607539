/**
 * What the model needs from outside. hooks/lifecycle.ts fills these from host/ when Etherpad starts; tests fill them with
 * an embedded ueberDB. The model knows nothing else of Etherpad.
 */

/** A key-value store of JSON values: Etherpad's own database. A missing key reads as `undefined` or `null`. */
export interface Database {
  get(key: string): Promise<unknown>;
  /** Resolves when the database has the value (not merely a cache). */
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  /** Keys that match a pattern with `*` wildcards. Slow on large databases: never called while a request waits. */
  findKeys(pattern: string, notPattern: string | null): Promise<string[]>;
}

/** The pads of the editor itself. Ids are real pad ids, never read-only ids. */
export interface EditorPads {
  exists(padId: string): Promise<boolean>;
  /** Creates the pad with the editor's default text and no visitor as its author. Does nothing when it exists. */
  create(padId: string): Promise<void>;
  /**
   * Removes text, revisions, chat and read-only id, a slice at a time so that nobody's typing waits for it; the pad itself goes last.
   * Nothing happens when there is no such pad; with `leftovers`, what an interrupted removal has left of it goes too, which means
   * looking through keys. Throws when `signal` breaks it off.
   */
  remove(padId: string, options?: { leftovers?: boolean; signal?: AbortSignal }): Promise<void>;
  /** What led to a pad that is no more by its read-only address. */
  removeReadOnlyId(padId: string): Promise<void>;
  /**
   * Lets the chat begin anew, also while the pad is open: nobody is shown the old messages any more, which are still in the database.
   * Returns how many they are.
   */
  emptyChat(padId: string): Promise<number>;
  /**
   * Removes the messages that `emptyChat` has left, a slice at a time, and none that was said since. Without `count` they are looked for
   * among all keys. Throws when `signal` breaks it off.
   */
  removeOldChat(padId: string, options: { count: number | undefined; signal?: AbortSignal }): Promise<void>;
  /** When the text last changed, in milliseconds since 1970; `null` when the pad was never opened. */
  lastEdited(padId: string): Promise<number | null>;
  /** How many people have the pad open now. */
  visitors(padId: string): number;
}

/** The editor's authors: who wrote what, and under which name it is shown. */
export interface EditorAuthors {
  /**
   * Forgets who authors were, and keeps what was written. They are named by their ids, or by the token of the cookie that old records
   * keep. No browser is one of them any more. Takes long: looks through all browsers. Throws when `signal` breaks it off.
   */
  anonymise(
    authors: { ids: readonly string[]; tokens: readonly string[] },
    options?: { signal?: AbortSignal },
  ): Promise<void>;
}

/** The host's settings that the model asks for. Read at each call: the host can reload them. */
export interface HostSettings {
  /** The accounts of the host's settings file, as they were there when the host read it the last time. */
  users(): Record<string, { password?: unknown; is_admin?: unknown }>;
  /** The `ep_mypads` block of the host's settings file, `{}` when there is none. */
  plugin(): Record<string, unknown>;
}

/** An account that a plugin of the host has accepted, as the plugin describes it: anything may be in it. */
export interface HostAnswer {
  user: unknown;
}

/** Whoever else knows the host's accounts: its authentication plugins. */
export interface HostAccounts {
  /** Is there any such plugin? */
  present(): boolean;
  /** `undefined` when nobody accepts name and password. May throw, or never answer. `address` of the caller is for the plugins' own logs. */
  authenticate(login: string, password: string, address: string): Promise<HostAnswer | undefined>;
}

/** The session that the host itself keeps for a browser. */
export interface HostSession {
  id: string;
  /** Whoever is signed in there, as the host or a plugin describes it. */
  user: unknown;
}

export interface Log {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

/** Hashes and checks passwords without holding up the event loop (see model/password.ts). */
export interface PasswordHasher {
  /** bcrypt of a text of at most 72 bytes. */
  hash(text: string): Promise<string>;
  compare(text: string, hash: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface Ports {
  database: Database;
  pads: EditorPads;
  /** Missing where the host cannot do it. */
  authors?: EditorAuthors;
  settings: HostSettings;
  log: Log;
  hasher: PasswordHasher;
  /** Asked for administrators whom the settings file and its passwords do not let in. */
  hostAccounts?: HostAccounts;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Tests: see `StoreOptions`. */
  checkLocks?: boolean;
  /** Tests: milliseconds instead of `databaseTimeLimit`. */
  databaseTimeLimit?: number;
  /** Tests: milliseconds instead of `externalTimeLimit`, for LDAP. */
  directoryTimeLimit?: number;
}
