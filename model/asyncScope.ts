/**
 * A value for some work and everything that it awaits. Where Node 20 and 22 have one, they slow down every promise of
 * the process, also those of open editors: by 0.3 ms for each change. So this is switched off while nothing runs in it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export class AsyncScope<Value> {
  private readonly storage = new AsyncLocalStorage<Value>();
  private running = 0;

  /** `undefined` outside. What `work` has started and not awaited may be outside as soon as `work` has ended. */
  get value(): Value | undefined {
    return this.storage.getStore();
  }

  async run<T>(value: Value, work: () => T | Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await this.storage.run(value, work);
    } finally {
      this.running -= 1;
      if (this.running === 0) this.storage.disable();
    }
  }
}
