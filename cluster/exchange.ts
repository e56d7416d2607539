/**
 * Keeps what this process has in memory the same as what other processes write. Each write of a record that somebody
 * keeps in memory is published by its key; the receivers read the record again. Messages are handled one after the
 * other, so an event about a change is handled after the record has been read.
 */
import { prefixes } from '../model/index/rows';
import type { Coordination, Exchange, Followers } from '../model/ports';
import { keys } from '../model/store/store';
import { withinTime } from '../model/timeLimit';
import { UntilDone } from '../model/untilDone';
import type { Channel } from './channel';
import { ReadAhead } from './readAhead';
import { createShortWait } from './shortWait';
import { type Message, nameOf, readMessage } from './topics';

/** Beginnings of the keys of records that processes keep in memory, in whole, in part, or as computed values. */
const sharedPrefixes: readonly string[] = [
  ...Object.values(prefixes),
  keys.conf(''),
  keys.exports,
  keys.jobs,
];

/** Milliseconds after which a process is not certain any more that it has heard everything. */
const certaintyLimit = 500;

/** Handles messages one after the other. */
class Inbox {
  private readonly followers: Followers;
  readonly records: ReadAhead;
  /** Resolves when all messages that have arrived are handled. Never rejects. */
  handled: Promise<void> = Promise.resolve();
  private readonly readingAll: UntilDone;
  /** Work that has not begun yet, and so covers whatever happens now. */
  private readonly waiting = new Set<() => void | Promise<void>>();

  constructor(followers: Followers) {
    this.followers = followers;
    const { log, schedule } = followers;
    this.readingAll = new UntilDone({
      name: 'read everything again',
      schedule,
      work: () => followers.missed(),
      failed: (error) =>
        log.warn('reading everything again failed, retrying in 5 s', { error: String(error) }),
      queue: (attempt) => this.inOrder(attempt),
    });
    this.records = new ReadAhead((wanted) => followers.read(wanted));
  }

  receive(name: string, content: unknown): void {
    const message = readMessage(name, content);
    if (message?.topic === 'written') this.written(message.content);
    else this.inOrder(() => this.handle(message));
  }

  inOrder(work: () => void | Promise<void>): void {
    const { log } = this.followers;
    this.handled = this.handled.then(work).catch(async (error: unknown) => {
      log.error('message of another process not handled, reading everything again', {
        error: String(error),
      });
      await this.readingAll.attempt();
    });
  }

  /** Without this, a failure of Redis and the database would leave a reading for every few seconds of it. */
  private onceInOrder(work: () => void | Promise<void>): void {
    if (this.waiting.has(work)) return;
    this.waiting.add(work);
    this.inOrder(() => {
      this.waiting.delete(work);
      return work();
    });
  }

  missed(): void {
    this.onceInOrder(this.readingAll.attempt);
  }

  unavailable(): void {
    this.onceInOrder(this.followers.unavailable);
  }

  end(): void {
    void this.readingAll.end();
  }

  private written(key: string): void {
    if (this.records.announce(key)) this.inOrder(() => this.readAgain(key));
  }

  private async readAgain(key: string): Promise<void> {
    const found = await this.records.take(key);
    if (found) this.followers.written(key, found.value);
  }

  private handle(message: Message | undefined): void {
    // Of another version. What it has said is read from the database.
    if (message === undefined) throw new Error('not understood');
    const { peopleSignedIn, event } = this.followers;
    if (message.topic === 'peopleSignedIn') peopleSignedIn(message.content);
    if (message.topic === 'event') event(message.content);
  }
}

export function createExchange(channel: Channel): Exchange {
  let inbox: Inbox | undefined;

  const publish: Exchange['publish'] = (topic, content) => channel.publish(nameOf(topic), content);

  return {
    publish,
    onMessage: (topic, listener) =>
      channel.subscribe({
        message(name, content) {
          const message = readMessage(name, content);
          if (message?.topic === topic) listener(message.content as Parameters<typeof listener>[0]);
        },
        missed: () => {},
        unavailable: () => {},
      }),
    recordWritten(key) {
      inbox?.records.written(key);
      if (sharedPrefixes.some((prefix) => key.startsWith(prefix))) publish('written', key);
    },
    follow(followers) {
      const own = new Inbox(followers);
      inbox = own;
      const unsubscribe = channel.subscribe({
        message: (name, content) => own.receive(name, content),
        missed: () => own.missed(),
        unavailable: () => own.unavailable(),
      });
      return () => {
        unsubscribe();
        own.end();
      };
    },
    async isUpToDate() {
      const received = channel.received();
      if (received === undefined) return false;
      const heard = received.then(() => inbox?.handled).then(() => true);
      return withinTime(heard, certaintyLimit, () => new Error('not up to date')).catch(() => false);
    },
    upToDate: createShortWait(() => channel.received()?.then(() => inbox?.handled)),
    published: createShortWait(() => channel.sent()),
  };
}

/** What processes share, with a channel for messages of any kind instead of an exchange. */
export type Shared = Omit<Coordination, keyof Exchange> & Channel;

/** Implements the port for several processes. */
export const createCoordination = (shared: Shared): Coordination => ({
  ...shared,
  ...createExchange(shared),
});
