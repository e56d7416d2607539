/** Removes all data of this plugin. Pads of Etherpad are kept. */
import type { Database } from '../ports';

const prefix = 'mypads:';
/** Keys removed at the same time. */
const batchSize = 100;

/** Returns the number of removed keys. No model may use the database at the same time. */
export async function eraseEverything(database: Database): Promise<number> {
  const found = (await database.findKeys(`${prefix}*`, null)).filter((key) => key.startsWith(prefix));
  for (let start = 0; start < found.length; start += batchSize) {
    await Promise.all(found.slice(start, start + batchSize).map((key) => database.remove(key)));
  }
  return found.length;
}
