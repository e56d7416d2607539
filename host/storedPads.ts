/** Etherpad's records of pads, found by their keys. Needs no running Etherpad. */
import type { Database, StoredPads } from '../model/ports';

/** Records read at the same time. */
const batchSize = 200;

const [toReadOnly, fromReadOnly] = ['pad2readonly:', 'readonly2pad:'];

/** Keys that begin with `prefix`, in order. Some databases treat `_` in the pattern as a wildcard. */
async function keysFrom(database: Database, prefix: string): Promise<string[]> {
  return (await database.findKeys(`${prefix}*`, null)).filter((key) => key.startsWith(prefix)).sort();
}

/** Ids in keys of the form `pad:<id><tail>`. */
async function padIds(database: Database, tail: string, notPattern: string | null): Promise<string[]> {
  const found = await database.findKeys(`pad:*${tail}`, notPattern);
  return found
    .filter((key) => key.startsWith('pad:') && key.endsWith(tail))
    .map((key) => key.slice('pad:'.length, key.length - tail.length))
    .filter((id) => id !== '' && !id.includes(':'));
}

export function createStoredPads(database: Database): StoredPads {
  return {
    async find(progress) {
      const pads = new Set(await padIds(database, '', '*:*:*'));
      const leftovers = new Map<string, string[]>();
      const note = (id: string, key: string): void => {
        if (!pads.has(id)) leftovers.set(id, [...(leftovers.get(id) ?? []), key]);
      };
      // Each history and chat starts with number 0, so scanning millions of revisions is not needed.
      for (const id of await padIds(database, ':revs:0', null)) note(id, `pad:${id}:revs:*`);
      for (const id of await padIds(database, ':chat:0', null)) note(id, `pad:${id}:chat:*`);
      for (const id of await padIds(database, ':deletionToken', null)) note(id, `pad:${id}:deletionToken`);
      for (const key of await keysFrom(database, toReadOnly)) note(key.slice(toReadOnly.length), key);
      const readOnlyKeys = await keysFrom(database, fromReadOnly);
      for (let start = 0; start < readOnlyKeys.length; start += batchSize) {
        const part = readOnlyKeys.slice(start, start + batchSize);
        const ids = await Promise.all(part.map((key) => database.get(key)));
        for (const [index, id] of ids.entries()) if (typeof id === 'string') note(id, part[index] ?? '');
        progress(fromReadOnly, start + part.length, readOnlyKeys.length);
      }
      return { pads, leftovers };
    },
    keysOf: (padId) => [`pad:${padId}:*`, `pad:${padId}`],
  };
}
