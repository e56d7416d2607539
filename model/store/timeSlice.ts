/**
 * Splits long work on the event loop into slices of 1.5 milliseconds. All such work shares one slice per turn of the
 * event loop and waits in one queue, so many long lists delay editing no more than one does.
 */
import { performance } from 'node:perf_hooks';

/** Milliseconds per turn of the event loop. A change in an editor needs about five turns. */
const sliceTime = 1.5;

let running = false;
let end = 0;
const waiting: (() => void)[] = [];

function begin(): void {
  running = true;
  end = performance.now() + sliceTime;
  setImmediate(() => {
    running = false;
    const next = waiting.shift();
    if (next === undefined) return;
    begin();
    next();
  });
}

/** True when the slice of this turn is used up; then await `nextSlice`. Cheap enough to call for each record. */
export function sliceUsed(): boolean {
  if (!running) begin();
  return performance.now() >= end;
}

/** Resolves in a later turn of the event loop, first come first served. */
export function nextSlice(): Promise<void> {
  if (!running) begin();
  return new Promise((resolve) => waiting.push(resolve));
}
