/** The keys and channels in Redis. */
export function createNames(prefix: string) {
  const name =
    (kind: string) =>
    (rest: string): string =>
      `${prefix}:${kind}:${rest}`;
  return {
    /** Exists while a process is alive; it expires when the process does not renew it. */
    lease: name('process'),
    /** The processes that have a lease, and those that have ended since the leader looked last. */
    processes: `${prefix}:processes`,
    lock: name('lock'),
    /** The processes that wait for a lock, first come first served. */
    waiters: name('waiters'),
    /** Which process has a pad in memory. */
    pad: name('pad'),
    /** Names the data of Redis: another name means that Redis has lost it. */
    generation: `${prefix}:generation`,
    /** Exists for a while after new data: `settling` while processes claim their pads again. */
    settling: `${prefix}:settling`,
    /** The number of the last message. */
    sequence: `${prefix}:sequence`,
    messages: `${prefix}:messages`,
    /** Channel for messages to one process. */
    to: name('to'),
    kept: name('kept'),
    keptBy: name('keptBy'),
    limit: name('limit'),
    /** The keys of a limit that were refused, by time. */
    refused: name('refused'),
    /** Pads whose requests reached several processes, by time, for the checkup. */
    misrouted: `${prefix}:misrouted`,
  };
}

export type Names = ReturnType<typeof createNames>;
