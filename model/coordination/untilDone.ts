/** Work that must succeed in the end: if it fails, it is tried again some seconds later. */
import type { Schedule } from '../ports';

const retryAfter = 5_000;

interface Context {
  /** Of its timer. */
  name: string;
  schedule: Schedule;
  work(): Promise<void>;
  failed(error: unknown): void;
  /** Runs the next attempt. Default: at once. */
  queue?(attempt: () => Promise<void>): void;
}

export class UntilDone {
  readonly #context: Context;
  #cancel = (): void => {};
  #ended = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Replaces a planned attempt. Never rejects. */
  readonly attempt = async (): Promise<void> => {
    this.#cancel();
    try {
      await this.#context.work();
    } catch (error) {
      if (this.#ended) return;
      const { name, schedule, failed, queue = (attempt) => void attempt() } = this.#context;
      failed(error);
      this.#cancel();
      this.#cancel = schedule.later(name, retryAfter, () => queue(this.attempt));
    }
  };

  end(): void {
    this.#ended = true;
    this.#cancel();
  }
}
