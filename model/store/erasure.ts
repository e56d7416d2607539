/** Removes all data of this plugin. Pads of Etherpad are kept. */
import type { Database } from '../ports';
import { forEachInBatches } from './batches';
import { ownPrefix } from './store';

/** Returns the number of removed keys. No model may use the database at the same time. */
export async function eraseEverything(database: Database): Promise<number> {
  const found = (await database.findKeys(`${ownPrefix}*`, null)).filter((key) => key.startsWith(ownPrefix));
  await forEachInBatches(found, (key) => database.remove(key));
  return found.length;
}
