/** Questions about folders and pads, for server administrators. */
import { wordsOf } from '../ids';
import type { SqlValue } from '../ports';
import type { GroupSorting } from '../sortings';
import type { Visibility } from '../store/entities';
import type { Indexing } from './indexing';
import type { RecordKind } from './rows';

export interface FolderQuery {
  /** Parts of the id, the name or a tag, as words in any order. Letter case and accents do not matter. */
  text?: string;
  /** The exact name, in composed form or not. */
  name?: string;
  /** For a pad: its own visibility, else that of its folder. */
  visibility?: Visibility;
  /** For a pad: whether its folder is archived. */
  archived?: boolean;
  /** User ids: an administrator of the folder; a member in any role. */
  admin?: string;
  member?: string;
  /** Id of the folder; for pads only. */
  group?: string;
  /**
   * Time of the last change in milliseconds since 1970: from (inclusive), and before. A change of a pad also counts for
   * its folder.
   */
  changedAfter?: number;
  changedBefore?: number;
  /** Default: by id, which begins with the first name. */
  sort?: GroupSorting;
  descending?: boolean;
  offset: number;
  limit: number;
}

export interface FolderEntry {
  id: string;
  padCount: number;
  /** Of the folder or of one of its pads. */
  lastUpdate: number;
}

/** Folders, and pads of existing folders that are not being removed. */
const from = {
  groups: `FROM (
    SELECT folders.*, count(padIds.id) AS padCount, max(created, ifnull(max(padIds.changed), 0)) AS changed
    FROM folders
    LEFT JOIN (
      SELECT id, folder, changed FROM pads WHERE short NOT IN (SELECT id FROM removals)
    ) padIds ON padIds.folder = folders.id
    GROUP BY folders.id
  ) AS own`,
  pads: `FROM (
    SELECT pads.*, ifnull(pads.visibility, folders.visibility) AS visible, archived
    FROM pads JOIN folders ON folders.id = pads.folder
    WHERE short NOT IN (SELECT id FROM removals)
  ) AS own`,
} as const;

type Listed = keyof typeof from;

/** The records that both need. */
const kinds: readonly RecordKind[] = ['removals', 'groups', 'pads'];

function conditionOf(listed: Listed, query: FolderQuery): { sql: string; values: SqlValue[] } {
  const [folder, visible] =
    listed === 'groups' ? ['own.id', 'own.visibility'] : ['own.folder', 'own.visible'];
  const parts: [sql: string, value: SqlValue][] = [];
  for (const word of wordsOf(query.text ?? '')) parts.push(['instr(own.plain, ?) > 0', word]);
  if (query.name !== undefined) parts.push(['own.name = ?', query.name.normalize()]);
  if (query.visibility !== undefined) parts.push([`${visible} = ?`, query.visibility]);
  if (query.archived !== undefined) parts.push(['own.archived = ?', query.archived ? 1 : 0]);
  if (query.group !== undefined) parts.push([`${folder} = ?`, query.group]);
  const isMember = `${folder} IN (SELECT folder FROM members WHERE account = ?`;
  if (query.admin !== undefined) parts.push([`${isMember} AND isAdmin = 1)`, query.admin]);
  if (query.member !== undefined) parts.push([`${isMember})`, query.member]);
  if (query.changedAfter !== undefined) parts.push(['own.changed >= ?', query.changedAfter]);
  if (query.changedBefore !== undefined) parts.push(['own.changed < ?', query.changedBefore]);
  if (parts.length === 0) return { sql: '', values: [] };
  return {
    sql: `WHERE ${parts.map(([sql]) => sql).join(' AND ')}`,
    values: parts.map(([, value]) => value),
  };
}

function orderOf(listed: Listed, { sort, descending = false }: FolderQuery): string {
  const fields = { name: ['place'], pads: listed === 'groups' ? ['padCount'] : [], changed: ['changed'] };
  const order = [...(sort === undefined ? [] : fields[sort]), 'id'];
  return `ORDER BY ${order.map((field) => `own.${field} ${descending ? 'DESC' : 'ASC'}`).join(', ')}`;
}

export function folderQuestions(index: Indexing) {
  async function list<Row extends object>(
    listed: Listed,
    columns: string,
    query: FolderQuery,
  ): Promise<{ rows: Row[]; count: number }> {
    const { sql, values } = conditionOf(listed, query);
    const [counted] = await index.ask<{ count: number }>(
      kinds,
      `SELECT count(*) AS count ${from[listed]} ${sql}`,
      values,
    );
    const rows = await index.ask<Row>(
      kinds,
      `SELECT ${columns} ${from[listed]} ${sql} ${orderOf(listed, query)} LIMIT ? OFFSET ?`,
      [...values, query.limit, query.offset],
    );
    return { rows, count: counted?.count ?? 0 };
  }

  return {
    async groups(query: FolderQuery): Promise<{ folders: FolderEntry[]; count: number }> {
      const { rows, count } = await list<FolderEntry>(
        'groups',
        'own.id, padCount, own.changed AS lastUpdate',
        query,
      );
      return { folders: rows, count };
    },

    async pads(query: FolderQuery): Promise<{ ids: string[]; count: number }> {
      const { rows, count } = await list<{ id: string }>('pads', 'own.id', query);
      return { ids: rows.map(({ id }) => id), count };
    },

    /** Pads by the time of their last change, those after `last` in this order. `until`: inclusive. */
    changedPads: (
      last: { id: string; changed: number },
      until: number,
      limit: number,
    ): Promise<{ id: string; changed: number }[]> =>
      index.ask(
        ['pads'],
        `SELECT id, changed FROM pads WHERE (changed, id) > (?, ?) AND changed <= ?
          ORDER BY changed, id LIMIT ?`,
        [last.changed, last.id, until, limit],
      ),

    /** Those of the pads that have a record. */
    async existingPads(ids: readonly string[]): Promise<string[]> {
      const rows = await index.ask<{ id: string }>(
        ['pads'],
        'SELECT id FROM pads WHERE id IN (SELECT value FROM json_each(?))',
        [JSON.stringify(ids)],
      );
      return rows.map(({ id }) => id);
    },

    /** The numbers of folders, and of pads that people can reach. */
    async countFoldersAndPads(): Promise<{ groups: number; pads: number }> {
      const [counted] = await index.ask<{ folderCount: number; padCount: number }>(
        ['groups', 'pads'],
        `SELECT (SELECT count(*) FROM folders) AS folderCount,
          (SELECT count(*) FROM pads JOIN folders ON folders.id = pads.folder) AS padCount`,
      );
      return { groups: counted?.folderCount ?? 0, pads: counted?.padCount ?? 0 };
    },
  };
}
