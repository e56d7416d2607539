/** Questions about what is in the trash. */
import type { SqlValue } from '../ports';
import type { Indexing } from './indexing';
import type { RecordKind } from './rows';

export interface TrashPlace {
  kind: 'pad' | 'group';
  id: string;
}

/** Whose trash. Ids of groups: those whose pads, those of which only the pads that `account` has deleted. */
export interface TrashScope {
  managed: readonly string[];
  own: readonly string[];
  account: string;
  /** Groups that are in the trash themselves. */
  trashed: readonly string[];
}

const kinds: readonly RecordKind[] = ['removals', 'groupRemovals', 'groups'];

/** Pads whose folder exists, and folders that do not exist beside their note. */
const from = `FROM (
  SELECT 'pad' AS kind, pad AS id, folder, deleted, account FROM removals
  WHERE deleted IS NOT NULL AND folder IN (SELECT id FROM folders)
  UNION ALL
  SELECT 'group', folder, folder, deleted, NULL FROM groupRemovals
  WHERE deleted IS NOT NULL AND folder NOT IN (SELECT id FROM folders)
) AS trash`;

function conditionOf(scope: TrashScope | 'all'): { sql: string; values: SqlValue[] } {
  if (scope === 'all') return { sql: '', values: [] };
  const { managed, own, account, trashed } = scope;
  const among = 'IN (SELECT value FROM json_each(?))';
  return {
    sql: `WHERE (kind = 'pad' AND (folder ${among} OR (account = ? AND folder ${among})))
      OR (kind = 'group' AND id ${among})`,
    values: [JSON.stringify(managed), account, JSON.stringify(own), JSON.stringify(trashed)],
  };
}

export function trashQuestions(index: Indexing) {
  return {
    /** A page of what is in the trash, the latest first, and the number of all. */
    async trash(
      scope: TrashScope | 'all',
      offset: number,
      limit: number,
    ): Promise<{ places: TrashPlace[]; count: number }> {
      const { sql, values } = conditionOf(scope);
      const counted = await index.ask<{ count: number }>(
        kinds,
        `SELECT count(*) AS count ${from} ${sql}`,
        values,
      );
      const places = await index.ask<TrashPlace>(
        kinds,
        `SELECT kind, id ${from} ${sql} ORDER BY deleted DESC, id LIMIT ? OFFSET ?`,
        [...values, limit, offset],
      );
      return { places, count: counted[0]?.count ?? 0 };
    },

    /** Ids of all pads and groups in the trash. */
    async allTrashed(): Promise<{ pads: Set<string>; groups: Set<string> }> {
      const rows = await index.ask<TrashPlace>(
        kinds,
        `SELECT 'pad' AS kind, pad AS id FROM removals WHERE deleted IS NOT NULL
        UNION ALL SELECT 'group', folder FROM groupRemovals WHERE deleted IS NOT NULL`,
      );
      const idsOf = (kind: TrashPlace['kind']) =>
        new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id));
      return { pads: idsOf('pad'), groups: idsOf('group') };
    },

    /** What was deleted before this time, and pads of folders that are gone. Waits until all has been read. */
    async trashBefore(time: number, signal: AbortSignal): Promise<TrashPlace[]> {
      await index.whenVerified(signal);
      return index.ask<TrashPlace>(
        kinds,
        `SELECT 'pad' AS kind, pad AS id FROM removals
WHERE deleted < ? OR folder NOT IN (SELECT id FROM folders UNION SELECT id FROM groupRemovals)
UNION ALL SELECT 'group', folder FROM groupRemovals WHERE deleted < ?`,
        [time, time],
      );
    },

    /** Pads in the trash that were in this folder. */
    async trashedPadsOf(folder: string): Promise<string[]> {
      const rows = await index.ask<{ pad: string }>(
        kinds,
        'SELECT pad FROM removals WHERE folder = ? AND deleted IS NOT NULL',
        [folder],
      );
      return rows.map(({ pad }) => pad);
    },
  };
}
