/** Reads the content of an .etherpad file, and decides what of it Etherpad may store. */
import type { Log } from '../model/ports';
import type { Fields } from './fields';
import { type AuthorsOfImport, withoutKnownAuthors } from './importedAuthors';
import { checkPadRecords } from './importedPad';

/** `refused`: why nothing of it must be stored. `isChanged`: the records are not all that the file has. */
export type EtherpadFile = { refused: string } | { records: Fields; isChanged: boolean };

/** Logs what is refused and left out. */
export async function readEtherpadFile(
  content: string,
  authors: AuthorsOfImport,
  log: Log,
): Promise<EtherpadFile> {
  let records: unknown;
  try {
    records = JSON.parse(content);
  } catch {
    return { refused: 'the file is not valid JSON' };
  }
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
