/** The thread in which SQLite works: one for the process, started with the first order. */
import type { Worker } from 'node:worker_threads';
import type { SqlStatement, SqlValue } from '../../model/ports';
import { startWorker } from '../../model/workerThread';

type Order =
  | { kind: 'open'; file: string; schema: string; afresh: boolean }
  | { kind: 'write'; statements: readonly SqlStatement[] }
  | { kind: 'read'; sql: string; values: readonly SqlValue[] }
  | { kind: 'close' };

/** `number` comes back in the reply. `database`: which of the open ones. */
export type IndexOrder = Order & { number: number; database: number };
export type IndexReply = { number: number; rows: object[] } | { number: number; failure: string };

interface Waiting {
  resolve(rows: object[]): void;
  reject(error: Error): void;
}

let worker: Worker | undefined;
let lastNumber = 0;
const waiting = new Map<number, Waiting>();

function started(): Worker {
  if (worker !== undefined) return worker;
  const own = startWorker(__dirname, 'indexWorker.js');
  worker = own;
  const ended = (error: unknown): void => {
    // After an error comes an exit too. What waits by then is for the next thread.
    if (worker !== own) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(`the thread of the index ended: ${error}`));
    waiting.clear();
  };
  own.on('message', (reply: IndexReply) => {
    const one = waiting.get(reply.number);
    waiting.delete(reply.number);
    if (waiting.size === 0) own.unref();
    if ('rows' in reply) one?.resolve(reply.rows);
    else one?.reject(new Error(reply.failure));
  });
  own.on('error', ended);
  own.on('exit', ended);
  return own;
}

/** Resolves to the rows that were read. Rejects with what SQLite says, and when the thread ends. */
export function order(database: number, what: Order): Promise<object[]> {
  return new Promise((resolve, reject) => {
    const thread = started();
    lastNumber += 1;
    waiting.set(lastNumber, { resolve, reject });
    // An idle thread does not keep the process running.
    thread.ref();
    thread.postMessage({ ...what, number: lastNumber, database } satisfies IndexOrder);
  });
}
