/** Child processes of the benchmarks. They make the load, so that this work does not disturb the measurement. */
import { type ChildProcess, fork } from 'node:child_process';
import { once as event } from 'node:events';
import path from 'node:path';

/** Starts a script of this folder. */
export function startChild(file: string): ChildProcess {
  return fork(path.join(__dirname, file), [], { execArgv: ['--import', 'tsx'] });
}

/** Sends an order and returns the next message. Rejects if the child ends before. */
export async function answerOf<Answer>(child: ChildProcess, order: object | string): Promise<Answer> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const end = event(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a process of the load has ended with ${code}`);
  });
  const answer = event(child, 'message', { signal }) as Promise<[Answer]>;
  child.send(order);
  try {
    return (await Promise.race([answer, end]))[0];
  } finally {
    // Otherwise each call would leave a listener for the end of the child.
    waiting.abort();
  }
}
