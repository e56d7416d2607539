/** Which processes share the database. */
import { type Link, openLink } from './link';
import { createNames, type Names } from './names';
import type { RedisSettings } from './options';
import { defineScripts } from './scripts';

/** Counts the running processes. */
export const countProcesses = ({ commands }: Link, names: Names): Promise<number> =>
  commands.countLeases(names.processes, names.lease(''));

/** The same for the command `ep-mypads`, which is not counted itself. Rejects when Redis cannot be reached. */
export async function countRunning({ options, prefix }: RedisSettings): Promise<number> {
  const ignore = (): void => {};
  const link = await openLink(options, { debug: ignore, info: ignore, warn: ignore, error: ignore });
  defineScripts(link.commands);
  try {
    return await countProcesses(link, createNames(prefix));
  } finally {
    link.close();
  }
}
