/**
 * Pads of Etherpad when several processes share a database. Etherpad keeps a pad in memory and does not notice when
 * another process changes it. So a process claims a pad before Etherpad loads it, works on it, writes what is left,
 * forgets it, and only then lets another process have it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { core } from '../host/core';
import type { Pad, PadManager } from '../host/padCore';
import { lastEdited, textOf } from '../host/pads';
import { AsyncScope } from '../model/asyncScope';
import { createLocks } from '../model/inProcessCoordination';
import type { Database, EditorPads, Log, Schedule } from '../model/ports';
import { checkHostWrites, evictFromHostCache, flushHostDatabase } from './ownDatabase';
import { PadRouting } from './padRouting';
import type { RedisCoordination } from './redis/coordination';
import { isRoutedFor } from './routingKey';

/**
 * In milliseconds. A pad without editors is let go after `idle`, or after `opening` if another process wants it: the
 * time between a claim and the editor that it was made for.
 */
export const padTimes = {
  idle: 30_000,
  opening: 5_000,
  /** Between two searches for pads to let go of. */
  lookEvery: 5_000,
  /** How long the process that has a pad may take to answer; with `emptied` in addition if it disconnects editors. */
  answer: 3_000,
  emptied: 8_000,
  /** How long to wait for changes that Etherpad is still writing when their editors have gone. */
  settled: 1_000,
  poll: 50,
  /** How long a write waits until this process knows whether it still has the pad. */
  uncertain: 20_000,
  /** How long the process that has a pad may take for work in it. */
  work: 60_000,
  /** For this long, no second refusal of the same pad is logged. */
  logEvery: 30_000,
};

/** Disconnects the editors of a pad. They connect again, reload their page, or say that the pad was removed. */
export type CloseEditors = (padId: string, how: 'reconnect' | 'reload' | 'end') => void;

interface Context {
  /** The pads of this process. */
  pads: EditorPads;
  /** Our handle of the database, past Etherpad's cache. */
  database: Database;
  coordination: RedisCoordination;
  log: Log;
  schedule: Schedule;
  closeEditors: CloseEditors;
}

const isRecordOf = (padId: string) => {
  const [record, parts] = [`pad:${padId}`, `pad:${padId}:`];
  const readOnlyId = `pad2readonly:${padId}`;
  return (key: string): boolean => key === record || key === readOnlyId || key.startsWith(parts);
};

/**
 * What a process that wants a pad asks the one that has it. `ask`: let it go if it has no editors. `move`: let it go
 * with editors too, if the proxy sends people here. `empty`: disconnect its editors, because the pad is to be removed.
 */
type Taking = 'ask' | 'move' | 'empty';
/** What one process asks another about a pad. */
type Question = Taking | 'flush' | 'emptyChat' | 'removeOldChat';
/** Answers to `Taking`. `moved`: people had it open. */
type Answer = 'free' | 'moved' | 'kept';

/** Which process has which pad. The access checks ask it. */
export class SharedPads {
  private readonly context: Context;
  private readonly manager = core<PadManager>('node/db/PadManager');
  private readonly load = this.manager.getPad;
  /** How many copies of each pad are being made here. Another process may have the pad. */
  private readonly copies = new Map<string, number>();
  /** The pad that the running call copies. */
  private readonly copied = new AsyncScope<string>();
  /** Pads with work under their lock, which must not wait for that lock itself. */
  private readonly working = new Set<string>();
  /** One claim, release or piece of work at a time for each pad. */
  private readonly locks = createLocks();
  /** When each claimed pad was last needed, by the clock of `performance.now`. */
  private readonly neededAt = new Map<string, number>();
  private readonly routing = new PadRouting();
  /** Pads that are being let go: whoever opens one waits until that is done. */
  private readonly leaving = new Set<string>();
  /** Pads that another process has taken over. What Etherpad still has to write in them is out of date. */
  private readonly lostPads = new Set<string>();
  /** When each of these pads was last logged as refused. */
  private readonly loggedAt = new Map<string, number>();
  private knowing: Promise<void> | undefined;
  private readonly ends: (() => void)[];

  constructor(context: Context) {
    this.context = context;
    const { coordination, schedule } = context;
    coordination.answerWith((topic, content) => this.answer(topic as Question, content as { padId: string }));
    coordination.pads.onLost((padId) => this.lost(padId));
    // Every part of Etherpad, its HTTP API and other plugins too, loads pads with this function.
    this.manager.getPad = (padId, ...more) => this.loadClaimed(padId, more);
    this.ends = [
      schedule.every('let go of pads', padTimes.lookEvery, () => void this.releaseIdle()),
      checkHostWrites((keys) => this.checkWrites(keys)),
    ];
  }

  /** False when another process may have taken over the pad: nothing may be written then. Fast. */
  has(padId: string): boolean {
    return this.context.coordination.pads.has(padId);
  }

  /**
   * Resolves when this process knows whether it still has its pads, or after a while, for all callers in the order of
   * their calls. `undefined`: it knows.
   */
  known(): Promise<void> | undefined {
    if (!this.context.coordination.pads.areUncertain()) return undefined;
    this.knowing ??= this.untilKnown().finally(() => {
      this.knowing = undefined;
    });
    return this.knowing;
  }

  private async untilKnown(): Promise<void> {
    const { pads } = this.context.coordination;
    const end = performance.now() + padTimes.uncertain;
    while (pads.areUncertain() && performance.now() < end) await wait(padTimes.poll);
  }

  /**
   * Claims the pad for this process, before Etherpad loads it. Returns false if another process has editors in it.
   * `opening`: how the browser of an editor names the pad, and the address of its websocket. If the proxy has chosen
   * this process by that address, the other process may let go of its editors.
   */
  async claim(padId: string, opening?: { padId: string; address: string | undefined }): Promise<boolean> {
    const routed = opening !== undefined && isRoutedFor(opening.padId, opening.address);
    this.neededAt.set(padId, performance.now());
    if (this.has(padId) && !this.leaving.has(padId)) {
      if (routed && this.routing.opened(padId)) this.reportMisrouted(padId);
      return true;
    }
    return this.locked(padId, async () => {
      const taken = await this.take(padId, routed ? 'move' : 'ask').catch((error: unknown) => {
        this.neededAt.delete(padId);
        throw error;
      });
      if (taken) return true;
      this.neededAt.delete(padId);
      this.logRefusal(padId);
      return false;
    });
  }

  /** Stops looking for idle pads, and lets Etherpad load and write without checks. */
  close(): void {
    for (const end of this.ends) end();
    this.manager.getPad = this.load;
  }

  /** Throws if one of these records belongs to a pad that another process has taken over. Waits until that is known. */
  private async checkWrites(keys: readonly string[]): Promise<void> {
    const ids = keys.flatMap((key) => /^pad:([^:]+)/.exec(key)?.[1] ?? []);
    if (ids.length === 0) return;
    await this.known();
    if (this.context.coordination.pads.areUncertain()) throw new Error('another process may have the pad');
    if (ids.some((id) => this.lostPads.has(id))) throw new Error('another process has the pad');
  }

  /** Throws if another process has editors in the pad. */
  private async loadClaimed(padId: string, more: [text?: string, author?: string]): Promise<Pad> {
    if (this.copies.has(padId) && this.copied.value === padId) return this.loadCopied(padId, more);
    const isHeld = this.working.has(padId) ? this.has(padId) : await this.claim(padId);
    if (!isHeld) throw new Error('another process has the pad');
    return this.load.call(this.manager, padId, ...more);
  }

  /** Etherpad saves a pad before it copies it. That would overwrite what the process that has the pad writes now. */
  private async loadCopied(padId: string, more: [text?: string, author?: string]): Promise<Pad> {
    const pad = await this.load.call(this.manager, padId, ...more);
    if (!this.has(padId)) pad.saveToDatabase = async () => {};
    return pad;
  }

  /** The port, for all processes. */
  port(): EditorPads {
    const { pads, database } = this.context;
    return {
      ...pads,
      exists: async (padId) =>
        Boolean(((await database.get(`pad:${padId}`)) as { atext?: unknown } | null)?.atext),
      create: (padId) => this.work(padId, 'ask', () => pads.create(padId)),
      copy: (from, to, texts) => this.copy(from, to, texts),
      import: (padId, source, own) => this.work(padId, 'ask', () => pads.import(padId, source, own)),
      remove: (padId, options) => this.work(padId, 'empty', () => pads.remove(padId, options)),
      removeReadOnlyId: (padId) => this.work(padId, 'ask', () => pads.removeReadOnlyId(padId)),
      emptyChat: (padId) => this.where(padId, 'emptyChat', {}, () => pads.emptyChat(padId)),
      removeOldChat: (padId, options) =>
        this.where(padId, 'removeOldChat', { count: options.count }, () =>
          pads.removeOldChat(padId, options),
        ),
      // Past Etherpad's cache.
      text: (padId) => textOf(database, padId),
      lastEdited: (padId) => lastEdited(database, padId),
    };
  }

  private async locked<T>(padId: string, work: () => Promise<T>): Promise<T> {
    const release = await this.locks.lock(padId);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private async take(padId: string, how: Taking): Promise<boolean> {
    const { coordination } = this.context;
    // Otherwise a pad that people have open would be removed from memory below.
    await this.known();
    if (this.has(padId)) return true;
    let holder = await coordination.pads.claim(padId);
    if (holder !== undefined) {
      const limit = padTimes.answer + (how === 'ask' ? 0 : padTimes.emptied);
      const answer = await coordination.ask(holder, how, { padId }, limit).catch((): Answer => 'kept');
      if (answer === 'kept') return false;
      holder = await coordination.pads.claim(padId);
      if (answer === 'moved' && holder === undefined) this.routing.movedHere(padId);
    }
    if (holder !== undefined) return false;
    // Something may have read the pad here before.
    this.forget(padId);
    this.lostPads.delete(padId);
    return true;
  }

  private forget(padId: string): void {
    this.manager.unloadPad(padId);
    evictFromHostCache(isRecordOf(padId));
  }

  /** Call it under the lock of the pad. */
  private async letGo(padId: string): Promise<void> {
    this.leaving.add(padId);
    try {
      await flushHostDatabase();
      this.forget(padId);
      this.neededAt.delete(padId);
      this.routing.gone(padId);
      await this.context.coordination.pads.release(padId);
    } finally {
      this.leaving.delete(padId);
    }
  }

  private isUsed(padId: string): boolean {
    return this.context.pads.visited().has(padId);
  }

  private isIdle(padId: string, milliseconds: number): boolean {
    const neededAt = this.neededAt.get(padId) ?? Number.NEGATIVE_INFINITY;
    return performance.now() - neededAt > milliseconds && !this.isUsed(padId);
  }

  private async releaseIdle(): Promise<void> {
    const { coordination, log, pads } = this.context;
    // While Redis is away, no pad can be given back, and each try would write a warning.
    if (!coordination.isConnected()) return;
    // Once for all pads: each look goes through all connections.
    const visited = pads.visited();
    for (const padId of coordination.pads.held()) {
      const isIdle = (): boolean => this.isIdle(padId, padTimes.idle);
      if (visited.has(padId) || !isIdle()) continue;
      await this.locked(padId, async () => {
        if (isIdle()) await this.letGo(padId);
      }).catch((error: unknown) =>
        log.warn('letting go of a pad failed', { pad: padId, error: String(error) }),
      );
    }
  }

  /** Does work in this process, which has the pad meanwhile. Throws if another process keeps it. */
  private work<T>(padId: string, how: Taking, work: () => Promise<T>): Promise<T> {
    return this.locked(padId, async () => {
      const before = this.has(padId);
      if (!(await this.take(padId, how))) throw new Error('another process has the pad');
      try {
        return await this.marked(padId, work);
      } finally {
        if (!before && !this.isUsed(padId)) await this.letGo(padId);
      }
    });
  }

  /** Call it under the lock of the pad. */
  private async marked<T>(padId: string, work: () => Promise<T>): Promise<T> {
    this.working.add(padId);
    try {
      return await work();
    } finally {
      this.working.delete(padId);
    }
  }

  /** Does work in the process that has the pad, or else in this one. */
  private async where<T>(
    padId: string,
    question: Question,
    terms: object,
    work: () => Promise<T>,
  ): Promise<T> {
    const { coordination } = this.context;
    const holder = this.has(padId) ? undefined : await coordination.pads.holderOf(padId);
    if (holder === undefined || holder === coordination.process) return this.work(padId, 'ask', work);
    return (await coordination.ask(holder, question, { padId, ...terms }, padTimes.work)) as T;
  }

  private async copy(from: string, to: string, texts?: Readonly<Record<string, string>>): Promise<void> {
    const { pads } = this.context;
    await this.where(from, 'flush', {}, flushHostDatabase);
    if (!this.has(from)) this.forget(from);
    this.copies.set(from, (this.copies.get(from) ?? 0) + 1);
    try {
      await this.copied.run(from, () => this.work(to, 'ask', () => pads.copy(from, to, texts)));
    } finally {
      this.endCopy(from);
      if (!this.has(from)) this.forget(from);
    }
  }

  private endCopy(from: string): void {
    const others = (this.copies.get(from) ?? 1) - 1;
    if (others > 0) this.copies.set(from, others);
    else this.copies.delete(from);
  }

  private async answer(
    question: Question,
    { padId, count }: { padId: string; count?: number },
  ): Promise<unknown> {
    const { pads } = this.context;
    switch (question) {
      case 'flush':
        return flushHostDatabase();
      case 'emptyChat':
        return this.locked(padId, () => this.marked(padId, () => pads.emptyChat(padId)));
      case 'removeOldChat':
        return this.locked(padId, () => this.marked(padId, () => pads.removeOldChat(padId, { count })));
      default:
        return this.answerTaking(question, padId);
    }
  }

  private async answerTaking(taking: Taking, padId: string): Promise<Answer> {
    if (taking === 'empty') await this.empty(padId, 'end');
    return this.locked(padId, async () => {
      if (this.isIdle(padId, taking === 'empty' ? 0 : padTimes.opening)) {
        await this.letGo(padId);
        return 'free';
      }
      if (taking !== 'move' || !this.isUsed(padId) || !this.mayMove(padId)) return 'kept';
      return (await this.move(padId)) ? 'moved' : 'kept';
    });
  }

  /** Lets go of a pad that people have open. Returns false if they do not leave. Call it under the lock of the pad. */
  private async move(padId: string): Promise<boolean> {
    this.context.log.info('pad moves to another process, editors connect again', { pad: padId });
    this.leaving.add(padId);
    try {
      await this.empty(padId, 'reconnect');
      if (this.isUsed(padId)) return false;
      await wait(padTimes.settled);
      await this.letGo(padId);
      return true;
    } finally {
      this.leaving.delete(padId);
    }
  }

  private mayMove(padId: string): boolean {
    const routing = this.routing.asked(padId);
    if (routing === 'misrouted') this.reportMisrouted(padId);
    return routing === 'letGo';
  }

  /** Disconnects the editors of the pad and waits until they are gone. */
  private async empty(padId: string, how: 'reconnect' | 'end'): Promise<void> {
    this.neededAt.delete(padId);
    this.context.closeEditors(padId, how);
    const end = performance.now() + padTimes.emptied;
    while (this.isUsed(padId) && performance.now() < end) await wait(padTimes.poll);
  }

  /** Another process has taken over the pad. What is in memory here is out of date and must not be written. */
  private lost(padId: string): void {
    this.context.log.error('pad taken over by another process, editors disconnected', { pad: padId });
    this.lostPads.add(padId);
    this.neededAt.delete(padId);
    this.routing.gone(padId);
    this.context.closeEditors(padId, 'reload');
    this.forget(padId);
  }

  private logRefusal(padId: string): void {
    const now = performance.now();
    for (const [logged, time] of this.loggedAt) {
      if (now - time > padTimes.logEvery) this.loggedAt.delete(logged);
    }
    if (this.loggedAt.has(padId)) return;
    this.loggedAt.set(padId, now);
    this.context.log.warn('pad is open in another process, visitor refused', { pad: padId });
  }

  private reportMisrouted(padId: string): void {
    const { coordination, log } = this.context;
    log.error('requests for one pad reach several processes; check the proxy', { pad: padId });
    coordination.pads.reportMisrouted(padId).catch(() => {
      // Ignored: the report is only for the checkup, and the log already has this line.
    });
  }
}
