/** Queues by name, each of which runs some calls at a time. A queue exists as long as it has calls. */
import pLimit, { type LimitFunction } from 'p-limit';
import { MyPadsError } from '../model/errors';

/** Calls that run, and calls that may wait. One more is refused. */
export interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
}

export class NamedQueues {
  private readonly queues = new Map<string, LimitFunction>();

  /** The number of calls that wait in all queues. */
  waiting(): number {
    let sum = 0;
    for (const { pendingCount } of this.queues.values()) sum += pendingCount;
    return sum;
  }

  /**
   * Runs `work` when the queue has a free place. It stays taken until `work` ends, even if the caller disconnects.
   * Throws SERVER.BUSY when too many wait.
   */
  async run<T>(name: string, limits: QueueLimits, work: () => Promise<T> | T): Promise<T> {
    const queue = this.queues.get(name) ?? pLimit(limits.running);
    if (queue.pendingCount >= limits.waiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    this.queues.set(name, queue);
    try {
      return await queue(work);
    } finally {
      // A call that ended just before may have removed this queue, and another call may have started the next one.
      const isEmpty = queue.activeCount + queue.pendingCount === 0;
      if (isEmpty && this.queues.get(name) === queue) this.queues.delete(name);
    }
  }
}
