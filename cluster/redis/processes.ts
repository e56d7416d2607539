/** Which processes share the database. */
import { type Link, openLink } from './link';
import { createNames, type Names } from './names';
import { type RedisSettings, readRedisSettings } from './options';

/** Counts the running processes. */
export const countProcesses = ({ commands }: Link, names: Names): Promise<number> =>
  commands.countLeases(names.processes, names.lease(''));

/** The same for the command `ep-mypads`, which is not counted itself. Rejects when Redis cannot be reached. */
async function countRunning({ options, prefix }: RedisSettings): Promise<number> {
  const ignore = (): void => {};
  const link = await openLink(options, { debug: ignore, info: ignore, warn: ignore, error: ignore });
  try {
    return await countProcesses(link, createNames(prefix));
  } finally {
    link.close();
  }
}

/**
 * A sentence for the operator if processes on any machine use the database. `plugin`: our block of the settings file.
 * `undefined` if it names no Redis, or if none is running.
 */
export async function describeRunning(plugin: { coordination?: unknown }): Promise<string | undefined> {
  try {
    const settings = readRedisSettings(plugin.coordination);
    const count = settings === undefined ? 0 : await countRunning(settings);
    return count === 0
      ? undefined
      : `According to Redis, ${count} Etherpad ${count === 1 ? 'process uses' : 'processes use'} this database.`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `Redis cannot say whether other processes use this database (${reason}).`;
  }
}
