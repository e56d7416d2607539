/** Which processes share the database. */
import { type Link, openLink } from './link';
import { createNames, type Names } from './names';
import type { RedisSettings } from './options';

/** Counts the running processes. Reads the names of all keys in Redis, so not for what happens often. */
export async function countProcesses({ commands }: Link, names: Names): Promise<number> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, leases] = await commands.scan(cursor, 'MATCH', `${names.lease('')}*`, 'COUNT', 1_000);
    for (const lease of leases) found.add(lease);
    cursor = next;
  } while (cursor !== '0');
  return found.size;
}

/** The same, for a command that is none of them. Rejects when Redis cannot be reached. */
export async function countRunning({ options, prefix }: RedisSettings): Promise<number> {
  const ignore = (): void => {};
  const link = await openLink(options, { debug: ignore, info: ignore, warn: ignore, error: ignore });
  try {
    return await countProcesses(link, createNames(prefix));
  } finally {
    link.close();
  }
}
