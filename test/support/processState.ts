/** What Linux says about a process. */
import { readdirSync, readFileSync } from 'node:fs';

/** What it has in memory, in MiB. */
export function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Whether all its threads are suspended. In the file `stat`, the state (`T`) follows the name in brackets. */
export function isSuspended(pid: number): boolean {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).every((thread) => /\) T/.test(readFileSync(`${folder}/${thread}/stat`, 'utf8')));
}
