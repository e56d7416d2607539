/** Finds folders and pads in the catalogue. */
import { setImmediate as turn } from 'node:timers/promises';
import { plainText } from '../ids';
import type { Visibility } from '../store/entities';
import type { CatalogueLines, GroupLine, PadLine, Table } from './catalogueLines';

export interface CatalogueQuery {
  /** Part of the id, the name or a tag. Letter case and accents do not matter. */
  text?: string;
  /** The exact name. */
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
  offset: number;
  limit: number;
}

/** One page of ids in order, and the total number of matches. */
export interface CataloguePage {
  ids: string[];
  count: number;
}

/** Lines compared before yielding to the event loop. */
const batchSize = 500;

function groupFits(query: CatalogueQuery, id: string, line: GroupLine): boolean {
  const { visibility, archived, admin, member } = query;
  return (
    (visibility === undefined || line.visibility === visibility) &&
    (archived === undefined || line.archived === archived) &&
    (admin === undefined || line.admins.includes(admin)) &&
    (member === undefined || line.users.includes(member) || line.admins.includes(member)) &&
    (query.group === undefined || query.group === id)
  );
}

/** A pad whose folder does not exist is on no list. */
function padFits(
  query: CatalogueQuery,
  folder: GroupLine | undefined,
  { group, visibility }: PadLine,
): boolean {
  return (
    folder !== undefined &&
    groupFits(query, group, { ...folder, visibility: visibility ?? folder.visibility })
  );
}

const hasTimes = ({ changedAfter, changedBefore }: CatalogueQuery): boolean =>
  changedAfter !== undefined || changedBefore !== undefined;

const timeFits = ({ changedAfter = 0, changedBefore }: CatalogueQuery, time: number): boolean =>
  time >= changedAfter && (changedBefore === undefined || time < changedBefore);

async function find<Line extends { name: string; plain: string }>(
  { lines, order }: Table<Line>,
  query: CatalogueQuery,
  fits: (line: Line, id: string) => boolean,
): Promise<CataloguePage> {
  const wanted = plainText(query.text?.trim() ?? '');
  const ids: string[] = [];
  let count = 0;
  for (const [index, id] of order.entries()) {
    if (index % batchSize === batchSize - 1) await turn();
    const line = lines.get(id);
    if (!line?.plain.includes(wanted) || !fits(line, id)) continue;
    if (query.name !== undefined && line.name !== query.name) continue;
    if (count >= query.offset && ids.length < query.limit) ids.push(id);
    count += 1;
  }
  return { ids, count };
}

export function findGroups(lines: CatalogueLines, query: CatalogueQuery): Promise<CataloguePage> {
  const changedFits = (id: string): boolean =>
    !hasTimes(query) || timeFits(query, lines.factsOf(id).lastUpdate);
  return find(lines.groups, query, (line, id) => groupFits(query, id, line) && changedFits(id));
}

export function findPads(lines: CatalogueLines, query: CatalogueQuery): Promise<CataloguePage> {
  const folders = lines.groups.lines;
  return find(
    lines.pads,
    query,
    (line) => padFits(query, folders.get(line.group), line) && timeFits(query, line.changed),
  );
}
