/** Questions about API tokens. */
import type { Indexing } from './indexing';

export function tokenQuestions(index: Indexing) {
  return {
    /** A page of the hashes of all API tokens, the newest first, and the number of all. */
    async apiTokens(offset: number, limit: number): Promise<{ ids: string[]; count: number }> {
      const [counted] = await index.ask<{ count: number }>(
        ['apiTokens'],
        'SELECT count(*) AS count FROM apiTokens',
      );
      const rows = await index.ask<{ id: string }>(
        ['apiTokens'],
        'SELECT id FROM apiTokens ORDER BY created DESC, id LIMIT ? OFFSET ?',
        [limit, offset],
      );
      return { ids: rows.map(({ id }) => id), count: counted?.count ?? 0 };
    },

    /** The hash of the API token that has this name in answers. */
    async apiTokenNamed(handle: string): Promise<string | undefined> {
      const [row] = await index.ask<{ id: string }>(
        ['apiTokens'],
        'SELECT id FROM apiTokens WHERE handle = ?',
        [handle],
      );
      return row?.id;
    },
  };
}
