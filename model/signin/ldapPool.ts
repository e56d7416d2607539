/**
 * The processes that talk to the LDAP directory (model/signin/ldapConversation.ts): a few at once, each with one conversation at a time,
 * kept for a moment after a conversation that went well and ended at once after any other.
 */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MyPadsError } from '../errors';
import type { LdapAnswer, LdapQuestion, LdapReply } from './ldapConversation';

export interface LdapPool {
  /**
   * Holds one conversation, `timeLimit` milliseconds at most, waiting for a free process included. Throws SERVER.BUSY when too many
   * wait; whatever else goes wrong is an answer.
   */
  ask(question: Omit<LdapQuestion, 'id'>, timeLimit: number): Promise<LdapAnswer>;
  /** Ends the processes that wait for work. */
  close(): void;
}

/** Processes at once, and conversations that may wait for one. */
const atOnce = 4;
const waitingLimit = 100;

/** How long a process waits for more work, in milliseconds. */
const idleTime = 30_000;

/** Beside the bundle at run time; in development the TypeScript beside this file. */
function start(): ChildProcess {
  const built = join(__dirname, 'ldapConversation.js');
  const options: ForkOptions = {
    cwd: __dirname,
    // Not the host's own: they may load what it needs and this does not, or open a debugger.
    env: { ...process.env, NODE_OPTIONS: '' },
    // In megabytes: nonsense from the network ends it long before the machine notices.
    execArgv: ['--max-old-space-size=128'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  };
  if (existsSync(built)) return fork(built, options);
  const execArgv = [...(options.execArgv ?? []), '--require', 'tsx/cjs'];
  return fork(join(__dirname, 'ldapConversation.ts'), { ...options, execArgv });
}

/**
 * Never rejects. Only the reply to this very question counts: one that comes late, to somebody else's question, must never sign
 * anybody in.
 */
function converse(partner: ChildProcess, question: LdapQuestion, timeLimit: number): Promise<LdapReply> {
  return new Promise((resolve) => {
    const settle = (reply: LdapReply): void => {
      clearTimeout(alarm);
      partner.off('message', hear);
      partner.off('exit', leave);
      partner.off('error', fail);
      resolve(reply);
    };
    const fail = (reason: unknown): void =>
      settle({ id: question.id, answer: { kind: 'failed', reason: String(reason) }, clean: false });
    const leave = (): void => fail('the conversation ended without an answer');
    const hear = (message: unknown): void => {
      const reply = message as LdapReply;
      if (reply.id === question.id) settle(reply);
    };
    const alarm = setTimeout(fail, timeLimit, 'no answer in time');
    partner.on('message', hear);
    partner.on('exit', leave);
    partner.on('error', fail);
    partner.send(question);
  });
}

export function createLdapPool(): LdapPool {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let closed = false;

  /** Resolves with true when it is one's turn, with false after `patience` milliseconds. */
  function turn(patience: number): Promise<boolean> {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve(true);
    }
    if (waiting.length >= waitingLimit) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(alarm);
        resolve(true);
      };
      const alarm = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        resolve(false);
      }, patience);
      waiting.push(begin);
    });
  }

  function nextTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  function end(partner: ChildProcess): void {
    clearTimeout(idle.get(partner));
    idle.delete(partner);
    partner.kill('SIGKILL');
  }

  function hire(): ChildProcess {
    const [known] = idle.keys();
    if (known) {
      clearTimeout(idle.get(known));
      idle.delete(known);
      known.ref();
      known.channel?.ref();
      return known;
    }
    const partner = start();
    // While it waits for work, nobody else hears.
    partner.on('error', () => undefined);
    partner.once('exit', () => end(partner));
    return partner;
  }

  function release(partner: ChildProcess, reusable: boolean): void {
    if (!reusable || closed || !partner.connected) {
      end(partner);
      return;
    }
    // It does not keep the host from ending, and ends with it.
    partner.unref();
    partner.channel?.unref();
    idle.set(partner, setTimeout(end, idleTime, partner).unref());
  }

  return {
    async ask(question, timeLimit) {
      const deadline = performance.now() + timeLimit;
      if (!(await turn(timeLimit)))
        return { kind: 'failed', reason: 'too many sign-ins wait for the directory' };
      try {
        const partner = hire();
        const id = randomUUID();
        const reply = await converse(partner, { ...question, id }, deadline - performance.now());
        release(partner, reply.clean && reply.answer.kind !== 'failed');
        return reply.answer;
      } catch (error) {
        return { kind: 'failed', reason: String(error) };
      } finally {
        nextTurn();
      }
    },
    close() {
      closed = true;
      for (const partner of idle.keys()) end(partner);
    },
  };
}
