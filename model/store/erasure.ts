/** Removes all data of this plugin. Pads of Etherpad are kept. */
import type { Database } from '../ports';
import { forEachInBatches } from './batches';

const prefix = 'mypads:';

/** Returns the number of removed keys. No model may use the database at the same time. */
export async function eraseEverything(database: Database): Promise<number> {
  const found = (await database.findKeys(`${prefix}*`, null)).filter((key) => key.startsWith(prefix));
  await forEachInBatches(found, (key) => database.remove(key));
  return found.length;
}
