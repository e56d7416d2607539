/** Etherpad's modules that store pads. Only the functions that we call are typed. */
import { core } from './core';
import type { HostDatabase } from './database';
import type { AttributedText } from './placeholders';

export interface Pad {
  head: number;
  chatHead: number;
  atext: AttributedText;
  pool: { nextNum: number };
  appendRevision(changeset: string): Promise<unknown>;
  getAllAuthors(): string[];
  getInternalRevisionAText(revision: number): Promise<{ attribs: string }>;
  getRevisionChangeset(revision: number): Promise<unknown>;
  remove(): Promise<void>;
  saveToDatabase(): Promise<void>;
  text(): string;
  setText(text: string): Promise<unknown>;
  copyPadWithoutHistory(to: string, force: boolean): Promise<unknown>;
}

interface AuthorManager {
  addPad(authorId: string, padId: string): Promise<void>;
  removePad(authorId: string, padId: string): Promise<void>;
}

export interface PadManager {
  doesPadExist(padId: string): Promise<unknown>;
  getPad(padId: string, text?: string, author?: string): Promise<Pad>;
  isValidPadId(padId: string): boolean;
  sanitizePadId(padId: string): Promise<string>;
  unloadPad(padId: string): void;
}

interface ReadOnlyManager {
  isReadOnlyId(id: string): boolean;
  getPadId(readOnlyId: string): Promise<string | null | undefined>;
}

export interface PadCore {
  manager: PadManager;
  readOnly: ReadOnlyManager;
  authors: AuthorManager;
  database: HostDatabase;
  exists(padId: string): Promise<boolean>;
}

export function loadPadCore(): PadCore {
  const manager = core<PadManager>('node/db/PadManager');
  return {
    manager,
    readOnly: core<ReadOnlyManager>('node/db/ReadOnlyManager'),
    authors: core<AuthorManager>('node/db/AuthorManager'),
    database: core<HostDatabase>('node/db/DB'),
    exists: async (padId) => Boolean(await manager.doesPadExist(padId)),
  };
}

/** All keys that begin with `prefix`. Reads all keys of the database. */
export async function keysWithPrefix(database: HostDatabase, prefix: string): Promise<string[]> {
  const found = (await database.findKeys(`${prefix}*`, null)) ?? [];
  // Some databases treat `_` in the pattern as a wildcard.
  return found.filter((key) => key.startsWith(prefix));
}
