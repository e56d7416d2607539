/** A log whose lines a test can read. */
import type { Log } from '../../model/ports';

export interface ReadableLog {
  log: Log;
  lines: { message: string; facts: Record<string, unknown> | undefined }[];
}

export function createReadableLog(): ReadableLog {
  const lines: ReadableLog['lines'] = [];
  const note = (message: string, facts?: Record<string, unknown>): void => {
    lines.push({ message, facts });
  };
  return { log: { debug: note, info: note, warn: note, error: note }, lines };
}
