import type { EditorAuthors } from '../model/ports';
import { core } from './core';

interface AuthorManager {
  getAuthor(authorId: string): Promise<{ name?: string | null; colorId?: string | number } | null>;
  setAuthorName(authorId: string, name: string | null): Promise<unknown>;
  setAuthorColorId(authorId: string, colorId: string): Promise<unknown>;
  /** Since 3.0. Also forgets the cookies that lead to the author, and whose chat messages were whose. */
  anonymizeAuthor?(authorId: string): Promise<unknown>;
}

interface HostDatabase {
  get(key: string): Promise<unknown>;
  remove(key: string): Promise<void>;
}

export interface Authors extends EditorAuthors {
  /** Sets an author's name and colour (`#rrggbb`) where they are given and differ from what is stored. */
  introduce(authorId: string, name: string, color: string): Promise<void>;
}

/** Etherpad's authors: who wrote what, and under which name and colour they are shown. */
export function createAuthors(): Authors {
  const authors = core<AuthorManager>('node/db/AuthorManager');
  const database = core<HostDatabase>('node/db/DB');
  return {
    async introduce(authorId, name, color) {
      const known = await authors.getAuthor(authorId);
      if (name && known?.name !== name) await authors.setAuthorName(authorId, name);
      if (color && known?.colorId !== color) await authors.setAuthorColorId(authorId, color);
    },
    async anonymise(author) {
      // The host's own look-up would make an author for a token that it does not know.
      const id = 'id' in author ? author.id : await database.get(`token2author:${author.token}`);
      if (typeof id !== 'string' || !(await authors.getAuthor(id))) return;
      if (authors.anonymizeAuthor) await authors.anonymizeAuthor(id);
      else await authors.setAuthorName(id, null);
      if ('token' in author) await database.remove(`token2author:${author.token}`);
    },
  };
}
