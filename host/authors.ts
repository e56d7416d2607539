import { setTimeout as pause } from 'node:timers/promises';
import type { EditorAuthors } from '../model/ports';
import { core } from './core';

interface AuthorRecord {
  name?: string | null;
  colorId?: string | number;
  /** The pads that the author has written in. */
  padIDs?: Record<string, unknown>;
}

interface AuthorManager {
  getAuthor(authorId: string): Promise<AuthorRecord | null>;
  setAuthorName(authorId: string, name: string | null): Promise<unknown>;
  setAuthorColorId(authorId: string, colorId: string | number): Promise<unknown>;
  /** Since 3.0. Also forgets the browsers that lead to the author, and whose chat messages were whose. */
  anonymizeAuthor?(authorId: string): Promise<unknown>;
}

interface HostDatabase {
  get(key: string): Promise<unknown>;
  remove(key: string): Promise<void>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
}

export interface Authors extends EditorAuthors {
  /** Sets an author's name and colour (`#rrggbb`) where they are given and differ from what is stored. */
  introduce(authorId: string, name: string, color: string): Promise<void>;
}

/** Which author a browser is, by the token of its cookie. */
const browsers = 'token2author:';
/** Browsers that are looked at at once, and milliseconds in which others have their turn. */
const slice = 100;
const breath = 5;

/** Etherpad's authors: who wrote what, and under which name and colour they are shown. */
export function createAuthors(): Authors {
  const authors = core<AuthorManager>('node/db/AuthorManager');
  const database = core<HostDatabase>('node/db/DB');

  /** No browser is one of these authors any more. */
  async function forgetBrowsers(gone: ReadonlyMap<string, unknown>, signal?: AbortSignal): Promise<void> {
    const found = ((await database.findKeys(`${browsers}*`, null)) ?? []).filter((key) =>
      key.startsWith(browsers),
    );
    for (let first = 0; first < found.length; first += slice) {
      signal?.throwIfAborted();
      const part = found.slice(first, first + slice);
      const ids = await Promise.all(part.map((key) => database.get(key)));
      await Promise.all(
        part.map((key, index) => (gone.has(String(ids[index])) ? database.remove(key) : undefined)),
      );
      await pause(breath);
    }
  }

  /** 3.x looks through all browsers once more, for each author and without a break: only for those who have written. */
  async function forgetAuthor(id: string, { padIDs = {} }: AuthorRecord): Promise<void> {
    if (authors.anonymizeAuthor && Object.keys(padIDs).length > 0) {
      await authors.anonymizeAuthor(id);
      return;
    }
    await authors.setAuthorName(id, null);
    await authors.setAuthorColorId(id, 0);
  }

  return {
    async introduce(authorId, name, color) {
      const known = await authors.getAuthor(authorId);
      if (name && known?.name !== name) await authors.setAuthorName(authorId, name);
      if (color && known?.colorId !== color) await authors.setAuthorColorId(authorId, color);
    },
    async anonymise({ ids, tokens }, { signal } = {}) {
      // The host's own look-up would make an author for a token that it does not know.
      const ofTokens = await Promise.all(tokens.map((token) => database.get(`${browsers}${token}`)));
      const named = [...ids, ...ofTokens.filter((id): id is string => typeof id === 'string')];
      const gone = new Map<string, AuthorRecord>();
      for (const id of named) {
        const record = await authors.getAuthor(id);
        if (record) gone.set(id, record);
      }
      if (gone.size === 0) return;
      await forgetBrowsers(gone, signal);
      for (const [id, record] of gone) {
        signal?.throwIfAborted();
        await forgetAuthor(id, record);
      }
    },
  };
}
