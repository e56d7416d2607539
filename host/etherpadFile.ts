/** Reads the content of an .etherpad file, and decides what of it Etherpad may store. */

import type { Fields } from '../model/fields';
import { jsonPieces } from '../model/jsonPieces';
import type { Log } from '../model/ports';
import { nextSlice, sliceUsed } from '../model/store/timeSlice';
import { type AuthorsOfImport, withoutKnownAuthors } from './importedAuthors';
import { checkPadRecords } from './importedPad';

/** `refused`: why nothing of it must be stored. `isChanged`: the records are not all that the file has. */
export type EtherpadFile = { refused: string } | { records: Fields; isChanged: boolean };

/** Of one record. A pad has three for each of its attributes. */
const bounds = { marks: 200_000, depth: 20 };

/** The records, read in slices; `undefined` if they are not JSON. */
async function readRecords(content: string): Promise<Fields | undefined> {
  const records: [string, unknown][] = [];
  try {
    for (const { name = '', json } of jsonPieces(content, bounds)) {
      records.push([name, JSON.parse(json)]);
      if (sliceUsed()) await nextSlice();
    }
  } catch {
    return undefined;
  }
  return Object.fromEntries(records);
}

/** Logs what is refused and left out. */
export async function readEtherpadFile(
  content: string,
  authors: AuthorsOfImport,
  log: Log,
): Promise<EtherpadFile> {
  const records = await readRecords(content);
  if (records === undefined) return { refused: 'the file is not valid JSON' };
  const checked = await checkPadRecords(records);
  if ('refused' in checked) {
    log.warn('import refused', { record: checked.refused.slice(0, 100) });
    return { refused: 'the file has records that do not belong to a valid pad' };
  }
  const { leftOut } = checked;
  if (leftOut.length > 0)
    log.warn('records left out of an import', { count: leftOut.length, record: leftOut[0]?.slice(0, 100) });
  const imported = await withoutKnownAuthors(checked.records, authors);
  return { records: imported, isChanged: imported !== records };
}
