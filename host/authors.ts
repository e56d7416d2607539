import { core } from './core';

interface AuthorManager {
  getAuthor(authorId: string): Promise<{ name?: string | null; colorId?: string | number } | null>;
  setAuthorName(authorId: string, name: string): Promise<unknown>;
  setAuthorColorId(authorId: string, colorId: string): Promise<unknown>;
}

export interface Authors {
  /** Sets an author's name and colour (`#rrggbb`) where they are given and differ from what is stored. */
  introduce(authorId: string, name: string, color: string): Promise<void>;
}

/** Etherpad's authors: who wrote what, and under which name and colour they are shown. */
export function createAuthors(): Authors {
  const authors = core<AuthorManager>('node/db/AuthorManager');
  return {
    async introduce(authorId, name, color) {
      const known = await authors.getAuthor(authorId);
      if (name && known?.name !== name) await authors.setAuthorName(authorId, name);
      if (color && known?.colorId !== color) await authors.setAuthorColorId(authorId, color);
    },
  };
}
