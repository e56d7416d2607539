/**
 * Work of each process that must succeed in the end: if it fails, it is tried again some seconds later. Work that is
 * done once for all processes, or must survive a crash, is a job (jobs/jobs.ts).
 */
import type { Schedule } from './ports';

interface Context {
  /** Of its timer. */
  name: string;
  schedule: Schedule;
  work(): Promise<void>;
  failed(error: unknown): void;
  /** Milliseconds until the next attempt. */
  retryAfter?: number;
  /** Runs the next attempt. Default: at once. */
  queue?(attempt: () => Promise<void>): void;
}

export class UntilDone {
  private readonly running = new Set<Promise<void>>();
  private cancel: (() => void) | undefined;
  private ended = false;

  constructor(private readonly context: Context) {}

  /** Whether it has failed, and is tried again later. */
  get isWaiting(): boolean {
    return this.cancel !== undefined;
  }

  /** Replaces a planned attempt. Never rejects. */
  readonly attempt = (): Promise<void> => {
    this.cancelNext();
    const running = this.run().finally(() => this.running.delete(running));
    this.running.add(running);
    return running;
  };

  /** No attempt follows. Resolves when none is running. */
  async end(): Promise<void> {
    this.ended = true;
    this.cancelNext();
    await Promise.all(this.running);
  }

  private cancelNext(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private async run(): Promise<void> {
    try {
      await this.context.work();
    } catch (error) {
      if (this.ended) return;
      const {
        name,
        schedule,
        failed,
        queue = (attempt) => void attempt(),
        retryAfter = 5_000,
      } = this.context;
      failed(error);
      this.cancelNext();
      this.cancel = schedule.later(name, retryAfter, () => queue(this.attempt));
    }
  }
}
