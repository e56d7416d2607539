/** Removal of everything that this plugin has ever stored; the editor's pads are not ours to remove. */
import type { Database } from './ports';

const prefix = 'mypads:';
/** Keys that are removed at once. */
const slice = 100;

/** Returns how many keys went. No model may work on the database any more. */
export async function eraseEverything(database: Database): Promise<number> {
  const found = (await database.findKeys(`${prefix}*`, null)).filter((key) => key.startsWith(prefix));
  for (let start = 0; start < found.length; start += slice) {
    await Promise.all(found.slice(start, start + slice).map((key) => database.remove(key)));
  }
  return found.length;
}
