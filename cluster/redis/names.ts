/** The keys and channels in Redis. */
export interface Names {
  /** Exists while a process is alive; it expires when the process does not renew it. */
  lease(process: string): string;
  /** The processes that have a lease, and those that have ended since the leader looked last. */
  processes: string;
  lock(key: string): string;
  /** The processes that wait for a lock, first come first served. */
  waiters(key: string): string;
  /** Which process has a pad in memory. */
  pad(padId: string): string;
  /** Names the data of Redis: another name means that Redis has lost it. */
  generation: string;
  /** Exists for a while after new data: `settling` while processes claim their pads again. */
  settling: string;
  /** The number of the last message. */
  sequence: string;
  messages: string;
  /** Channel for messages to one process. */
  to(process: string): string;
  kept(name: string): string;
  keptBy(requester: string): string;
  limit(name: string): string;
  /** The keys of a limit that were refused, by time. */
  refused(name: string): string;
  /** Pads whose requests reached several processes, by time, for the checkup. */
  misrouted: string;
}

export function createNames(prefix: string): Names {
  const name =
    (kind: string) =>
    (rest: string): string =>
      `${prefix}:${kind}:${rest}`;
  return {
    lease: name('process'),
    processes: `${prefix}:processes`,
    lock: name('lock'),
    waiters: name('waiters'),
    pad: name('pad'),
    generation: `${prefix}:generation`,
    settling: `${prefix}:settling`,
    sequence: `${prefix}:sequence`,
    messages: `${prefix}:messages`,
    to: name('to'),
    kept: name('kept'),
    keptBy: name('keptBy'),
    limit: name('limit'),
    refused: name('refused'),
    misrouted: `${prefix}:misrouted`,
  };
}
