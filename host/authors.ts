import { setTimeout as pause } from 'node:timers/promises';
import type { EditorAuthors } from '../model/ports';
import { core } from './core';
import type { HostDatabase } from './database';
import { keysWithPrefix } from './padCore';

/** `#rrggbb`, or a number in Etherpad's palette. */
type AuthorColor = string | number;

interface AuthorRecord {
  name?: string | null;
  colorId?: AuthorColor;
  /** The pads that the author has written in. */
  padIDs?: Record<string, unknown>;
}

interface AuthorManager {
  getAuthor(authorId: string): Promise<AuthorRecord | null>;
  setAuthorName(authorId: string, name: string | null): Promise<unknown>;
  setAuthorColorId(authorId: string, colorId: AuthorColor): Promise<unknown>;
  /** Since 3.0. Also removes the author's browser tokens and their name from chat messages. */
  anonymizeAuthor?(authorId: string): Promise<unknown>;
}

export interface Authors extends EditorAuthors {
  /** Sets an author's name and colour where they are given (not empty) and differ from what is stored. */
  setNameAndColor(authorId: string, name: string, color: AuthorColor): Promise<void>;
  /** Those of these authors whom Etherpad knows. */
  known(authorIds: readonly string[]): Promise<string[]>;
  /** The id of the author whom Etherpad knows by this token. */
  ofToken(token: string): Promise<string | undefined>;
  /** The colour of the author whom Etherpad knows by this token. Empty if there is none. */
  colorOfToken(token: string): Promise<AuthorColor>;
}

/** Prefix of the records that map a browser's token (from its cookie) to an author id. */
const tokenPrefix = 'token2author:';
/** Token records per batch, and milliseconds between batches, so that editing stays responsive. */
const batchSize = 100;
const pauseBetweenBatches = 5;

/** Etherpad's authors: the identities, with name and colour, that texts and chat messages refer to. */
export function createAuthors(): Authors {
  const authors = core<AuthorManager>('node/db/AuthorManager');
  const database = core<HostDatabase>('node/db/DB');

  /** Removes the tokens of these authors, so that no browser is recognised as one of them. */
  async function removeTokens(gone: ReadonlyMap<string, unknown>, signal?: AbortSignal): Promise<void> {
    const found = await keysWithPrefix(database, tokenPrefix);
    for (let first = 0; first < found.length; first += batchSize) {
      signal?.throwIfAborted();
      const part = found.slice(first, first + batchSize);
      const ids = await Promise.all(part.map((key) => database.get(key)));
      await Promise.all(
        part.map((key, index) => (gone.has(String(ids[index])) ? database.remove(key) : undefined)),
      );
      await pause(pauseBetweenBatches);
    }
  }

  /** Read directly, because Etherpad's own look-up creates an author for an unknown token. */
  async function authorOf(token: string): Promise<string | undefined> {
    const id = await database.get(`${tokenPrefix}${token}`);
    return typeof id === 'string' ? id : undefined;
  }

  /** `anonymizeAuthor` of 3.x scans all tokens without yielding, so it is used only for authors who have written. */
  async function anonymiseAuthor(id: string, { padIDs = {} }: AuthorRecord): Promise<void> {
    if (authors.anonymizeAuthor && Object.keys(padIDs).length > 0) {
      await authors.anonymizeAuthor(id);
      return;
    }
    await authors.setAuthorName(id, null);
    await authors.setAuthorColorId(id, 0);
  }

  return {
    async setNameAndColor(authorId, name, color) {
      const stored = await authors.getAuthor(authorId);
      if (name && stored?.name !== name) await authors.setAuthorName(authorId, name);
      if (color !== '' && stored?.colorId !== color) await authors.setAuthorColorId(authorId, color);
    },
    async known(authorIds) {
      const found: string[] = [];
      for (let first = 0; first < authorIds.length; first += batchSize) {
        const part = authorIds.slice(first, first + batchSize);
        const records = await Promise.all(part.map((id) => authors.getAuthor(id)));
        found.push(...part.filter((_, index) => records[index]));
      }
      return found;
    },
    ofToken: authorOf,
    async colorOfToken(token) {
      const id = await authorOf(token);
      const author = id === undefined ? null : await authors.getAuthor(id);
      return author?.colorId ?? '';
    },
    async anonymise({ ids, tokens }, { signal } = {}) {
      const ofTokens = await Promise.all(tokens.map(authorOf));
      const allIds = [...ids, ...ofTokens.filter((id) => id !== undefined)];
      const gone = new Map<string, AuthorRecord>();
      for (const id of allIds) {
        const record = await authors.getAuthor(id);
        if (record) gone.set(id, record);
      }
      if (gone.size === 0) return;
      await removeTokens(gone, signal);
      for (const [id, record] of gone) {
        signal?.throwIfAborted();
        await anonymiseAuthor(id, record);
      }
    },
  };
}
