/**
 * Hands on a server while it runs: calls of its database fail or wait, and what it does is counted. The same on both sides: in the
 * process of the tests, and in a real Etherpad, where the remote control has them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../model/ports';

type DatabaseCall = keyof Database;

export type Lever =
  /** From now on these calls fail, where the key (or the pattern) begins like this. */
  | { pull: 'break'; calls: DatabaseCall[]; keys: string; why: string }
  /** From now on whoever looks through keys waits. */
  | { pull: 'hold' }
  /**
   * From now on each read and each write takes a moment, as in a database of another process: between a read and the write that follows
   * there is time for somebody else. In memory there would be none, and what people do at once would happen one after the other.
   */
  | { pull: 'delay' }
  /** From now on passwords cannot be hashed: a fault of ours. */
  | { pull: 'jam' }
  /** All is well again, and what waits goes on. */
  | { pull: 'mend' };

/** Work of bcrypt; `cost` is the power of two that it takes. */
export interface Hashing {
  kind: 'hash' | 'compare';
  cost: number;
}

/** What the server has done since it was asked for the last time. */
export interface Doings {
  /** Looks through keys. */
  scans: number;
  hashing: Hashing[];
  /** Keys that were written or removed. */
  written: string[];
}

export interface Levers {
  pull(lever: Lever): void;
  doings(): Doings;
  /** The database as it is without levers. */
  untouched: Database;
}

type HashingMessage = { kind: 'hash'; rounds: number } | { kind: 'compare'; hash: string };

let hashing: Hashing[] = [];
let watching = false;
let jammed = false;

/** Notes what goes to the hashing threads of this process. `rounds` makes its hashes as cheap as those of the other tests. */
function watchHashing(rounds?: number): void {
  if (watching) return;
  watching = true;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message: HashingMessage, ...more) {
    if (jammed) throw new Error('the hashing threads are jammed');
    if (message?.kind === 'hash') {
      message.rounds = rounds ?? message.rounds;
      hashing.push({ kind: 'hash', cost: message.rounds });
    } else if (message?.kind === 'compare') {
      hashing.push({ kind: 'compare', cost: Number(message.hash.split('$')[2]) });
    }
    postMessage.call(this, message, ...more);
  };
}

/** Keys that the host writes for itself, whoever asks for whatever. */
const foreign = 'sessionstorage:';

/** Puts the levers onto a database, in place: whoever looks its functions up at each call feels them. */
export function createLevers(database: Database, options: { rounds?: number } = {}): Levers {
  watchHashing(options.rounds);
  const untouched: Database = {
    get: database.get,
    set: database.set,
    remove: database.remove,
    findKeys: database.findKeys,
  };
  let broken: Extract<Lever, { pull: 'break' }>[] = [];
  let gate: Promise<void> | undefined;
  let open = (): void => {};
  let delayed = false;
  let scans = 0;
  let written: string[] = [];

  const moment = async (): Promise<void> => {
    if (delayed) await pause(2);
  };
  function mayPass(call: DatabaseCall, key: string): void {
    const fault = broken.find(({ calls, keys }) => calls.includes(call) && key.startsWith(keys));
    if (fault) throw new Error(fault.why);
  }
  function note(key: string): void {
    if (!key.startsWith(foreign)) written.push(key);
  }

  Object.assign(database, {
    async get(key, ...more) {
      mayPass('get', key);
      await moment();
      return untouched.get(key, ...more);
    },
    async set(key, ...more) {
      mayPass('set', key);
      note(key);
      await moment();
      return untouched.set(key, ...more);
    },
    async remove(key, ...more) {
      mayPass('remove', key);
      note(key);
      return untouched.remove(key, ...more);
    },
    async findKeys(pattern, ...more) {
      scans += 1;
      mayPass('findKeys', pattern);
      await gate;
      return untouched.findKeys(pattern, ...more);
    },
  } satisfies Database);

  return {
    untouched,
    pull(lever) {
      if (lever.pull === 'break') broken.push(lever);
      else if (lever.pull === 'jam') jammed = true;
      else if (lever.pull === 'delay') delayed = true;
      else if (lever.pull === 'hold') {
        gate ??= new Promise((resolve) => {
          open = resolve;
        });
      } else {
        broken = [];
        jammed = false;
        delayed = false;
        gate = undefined;
        open();
      }
    },
    doings() {
      const done: Doings = { scans, hashing, written };
      scans = 0;
      hashing = [];
      written = [];
      return done;
    },
  };
}
