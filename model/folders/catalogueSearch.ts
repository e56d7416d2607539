/** Finds folders and pads in the catalogue. */
import { setImmediate as turn } from 'node:timers/promises';
import { plainText } from '../ids';
import type { GroupSorting } from '../sortings';
import type { Visibility } from '../store/entities';
import type { CatalogueLines, GroupLine, PadLine, Table } from './catalogueLines';
import { sortInBatches } from './sorting';

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
  /** Default: by id, which begins with the first name. */
  sort?: GroupSorting;
  descending?: boolean;
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

/** The text by which a folder or pad is sorted. It ends with the id, so that equal names always have the same order. */
const nameKey = (name: string, id: string): string => `${plainText(name)}\n${id}`;
const numberKey = (number: number, id: string): string => `${String(number).padStart(16, '0')}\n${id}`;

const idIn = (key: string): string => key.slice(key.lastIndexOf('\n') + 1);

interface Search<Line> {
  fits: (line: Line, id: string) => boolean;
  keyOf: { readonly [sort in GroupSorting]?: (line: Line, id: string) => string };
}

async function find<Line extends { name: string; plain: string }>(
  { lines, order }: Table<Line>,
  query: CatalogueQuery,
  { fits, keyOf }: Search<Line>,
): Promise<CataloguePage> {
  const wanted = plainText(query.text?.trim() ?? '');
  const key = query.sort && keyOf[query.sort];
  const found: string[] = [];
  for (const [index, id] of order.entries()) {
    if (index % batchSize === batchSize - 1) await turn();
    const line = lines.get(id);
    if (!line?.plain.includes(wanted) || !fits(line, id)) continue;
    if (query.name !== undefined && line.name !== query.name) continue;
    found.push(key ? key(line, id) : id);
  }
  const sorted = key ? await sortInBatches(found) : found;
  if (query.descending) sorted.reverse();
  const page = sorted.slice(query.offset, query.offset + query.limit);
  return { ids: key ? page.map(idIn) : page, count: found.length };
}

export function findGroups(lines: CatalogueLines, query: CatalogueQuery): Promise<CataloguePage> {
  const changedFits = (id: string): boolean =>
    !hasTimes(query) || timeFits(query, lines.factsOf(id).lastUpdate);
  return find(lines.groups, query, {
    fits: (line, id) => groupFits(query, id, line) && changedFits(id),
    keyOf: {
      name: ({ name }, id) => nameKey(name, id),
      pads: (_line, id) => numberKey(lines.factsOf(id).padCount, id),
      changed: (_line, id) => numberKey(lines.factsOf(id).lastUpdate, id),
    },
  });
}

export function findPads(lines: CatalogueLines, query: CatalogueQuery): Promise<CataloguePage> {
  const folders = lines.groups.lines;
  return find(lines.pads, query, {
    fits: (line) => padFits(query, folders.get(line.group), line) && timeFits(query, line.changed),
    keyOf: {
      name: ({ name }, id) => nameKey(name, id),
      changed: ({ changed }, id) => numberKey(changed, id),
    },
  });
}
