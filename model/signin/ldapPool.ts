/**
 * Pool of processes that talk to the LDAP directory (model/signin/ldapConversation.ts). Each handles one conversation
 * at a time; after a failed one it is ended, after a good one it is kept for a short time.
 */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FairQueue } from '../fairQueue';
import type { LdapAnswer, LdapListQuestion, LdapQuestion, LdapReply } from './ldapConversation';
import { converse } from './ldapReply';

export interface LentProcess {
  /** As `LdapPool.ask`. */
  ask(question: Omit<LdapListQuestion, 'id'>, timeLimit: number): Promise<LdapReply>;
  /** `reusable`: it has closed all connections. Otherwise it is ended, and with it the question that it has. */
  giveBack(reusable: boolean): void;
}

/** Maximum of processes, and of waiting conversations. */
const maxProcesses = 4;
const maxWaiting = 100;

/** Milliseconds until an idle process is ended. */
const idleTime = 30_000;

/** At run time the script lies beside the bundle; in development it is TypeScript, unless a test has built it. */
export const conversation = { built: join(__dirname, 'ldapConversation.js') };

function start(): ChildProcess {
  const { built } = conversation;
  const options: ForkOptions = {
    cwd: __dirname,
    // Not the options of the Etherpad process: they may load modules or open a debugger.
    env: { ...process.env, NODE_OPTIONS: '' },
    // In megabytes: an endless loop ends the process long before the machine runs out of memory.
    execArgv: ['--max-old-space-size=128'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  };
  if (existsSync(built)) return fork(built, options);
  const execArgv = [...(options.execArgv ?? []), '--require', 'tsx/cjs'];
  return fork(join(__dirname, 'ldapConversation.ts'), { ...options, execArgv });
}

function createProcesses() {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const busy = new Set<ChildProcess>();
  let closed = false;

  function end(child: ChildProcess): void {
    busy.delete(child);
    clearTimeout(idle.get(child));
    idle.delete(child);
    child.kill('SIGKILL');
  }

  function take(): ChildProcess {
    const [known] = idle.keys();
    if (known) {
      clearTimeout(idle.get(known));
      idle.delete(known);
      known.ref();
      known.channel?.ref();
      busy.add(known);
      return known;
    }
    const child = start();
    // An idle process has no other listener for errors.
    child.on('error', () => undefined);
    child.once('exit', () => end(child));
    busy.add(child);
    return child;
  }

  function release(child: ChildProcess, reusable: boolean): void {
    if (!reusable || closed || !child.connected) {
      end(child);
      return;
    }
    busy.delete(child);
    // An idle process does not keep Etherpad running, and ends with it.
    child.unref();
    child.channel?.unref();
    idle.set(child, setTimeout(end, idleTime, child).unref());
  }

  return {
    take,
    release,
    isClosed: () => closed,
    close() {
      closed = true;
      // Busy processes too: a directory that does not answer would keep Etherpad from stopping.
      for (const child of [...idle.keys(), ...busy]) end(child);
    },
  };
}

const failed = (reason: unknown): LdapAnswer => ({ kind: 'failed', reason: String(reason) });

/** Whether the password was wrong, or the login; `undefined` if the directory has not answered that. */
function isRefusal({ kind }: LdapAnswer): boolean | undefined {
  return kind === 'failed' ? undefined : kind !== 'found';
}

export function createLdapPool() {
  const processes = createProcesses();
  const turns = new FairQueue({ size: maxProcesses, limit: maxWaiting });

  async function talk(question: Omit<LdapQuestion, 'id'>, deadline: number): Promise<LdapAnswer> {
    if (processes.isClosed()) return failed('the server is stopping');
    const child = processes.take();
    const limit = Math.max(0, deadline - performance.now());
    const reply = await converse(child, { ...question, id: randomUUID() }, limit);
    processes.release(child, reply.clean && reply.answer.kind !== 'failed');
    return reply.answer;
  }

  return {
    /**
     * Runs one conversation within `timeLimit` milliseconds, including the wait for a process. Throws SERVER.BUSY when
     * the queue is full; all other failures are returned as an answer.
     */
    async ask(question: Omit<LdapQuestion, 'id'>, timeLimit: number): Promise<LdapAnswer> {
      const deadline = performance.now() + timeLimit;
      return new Promise((resolve, reject) => {
        // Not `withinTime`: this limit ends when the turn begins, and `talk` has its own.
        const late = failed('timed out while waiting for other sign-ins');
        const timer = setTimeout(resolve, timeLimit, late);
        const turn = async (): Promise<LdapAnswer> => {
          clearTimeout(timer);
          return performance.now() < deadline ? talk(question, deadline).catch(failed) : late;
        };
        turns
          .run(turn, isRefusal)
          .finally(() => clearTimeout(timer))
          .then(resolve, reject);
      });
    },
    /** A process for one list of everybody, beside those of sign-ins. */
    lend(): LentProcess {
      const child = processes.take();
      return {
        ask: (question, limit) => converse(child, { ...question, id: randomUUID() }, limit),
        giveBack: (reusable) => processes.release(child, reusable),
      };
    },
    /** The number of conversations that wait for a process. */
    waiting: (): number => turns.waiting,
    /** Ends all processes. */
    close: processes.close,
  };
}

export type LdapPool = ReturnType<typeof createLdapPool>;
