/**
 * Keeps what this process has in memory the same as what other processes write. Each write of a record that somebody
 * keeps in memory is published by its key; the receivers read the record again. Messages are handled one after the
 * other, so an event about a change is handled after the record has been read.
 */
import type { Events } from '../events';
import type { Coordination, Log, Schedule } from '../ports';
import { keys, type Store } from '../store/store';
import { withinTime } from '../timeLimit';
import { UntilDone } from '../untilDone';
import { type Message, type Messages, nameOf, readMessage, type Topic } from './messages';
import { ReadAhead } from './readAhead';
import { createShortWait } from './shortWait';

/** Beginnings of the keys of records that processes keep in memory, in whole, in part, or as computed values. */
const sharedPrefixes: readonly string[] = [
  keys.user(''),
  keys.group(''),
  keys.pad(''),
  keys.deletePad(''),
  keys.conf(''),
  keys.jobs,
];

/** Milliseconds after which a process is not certain any more that it has heard everything. */
const certaintyLimit = 500;

export interface Exchange {
  publish<Name extends Topic>(topic: Name, content: Messages[Name]): void;
  /** Call it after each write of this process. */
  recordWritten(key: string): void;
  /** Starts to receive. Returns a function that ends it. */
  follow(followers: Followers): () => void;
  /**
   * Resolves when this process has handled what others published before this call, or after a short time. `undefined`:
   * there is nothing to wait for. Call it before an answer is made from what is in memory.
   */
  upToDate(): Promise<void> | undefined;
  /**
   * As `upToDate`, but says whether it is certain. False too in a single process, where there is nothing to hear.
   */
  isUpToDate(): Promise<boolean>;
  /** Resolves when what this process has published reaches all who call `upToDate` later, or after a short time. */
  published(): Promise<void> | undefined;
}

export interface Followers {
  store: Pick<Store, 'getMany'>;
  events: Pick<Events, 'receive'>;
  log: Log;
  schedule: Schedule;
  /** Called with a record that another process has written; `undefined` when it has removed it. */
  written(key: string, value: unknown): void;
  peopleSignedIn(people: number): void;
  /** Messages were lost. Reads again what is in memory. Called again some seconds later if it rejects. */
  missed(): Promise<void>;
  /** Messages cannot be received at the moment. Reads again what decides who may do what. */
  unavailable(): Promise<void>;
}

/** Handles messages one after the other. */
class Inbox {
  readonly #followers: Followers;
  readonly records: ReadAhead;
  /** Resolves when all messages that have arrived are handled. Never rejects. */
  handled: Promise<void> = Promise.resolve();
  readonly #readingAll: UntilDone;

  constructor(followers: Followers) {
    this.#followers = followers;
    const { log, schedule } = followers;
    this.#readingAll = new UntilDone({
      name: 'read everything again',
      schedule,
      work: () => followers.missed(),
      failed: (error) =>
        log.warn('reading everything again failed, retrying in 5 s', { error: String(error) }),
      queue: (attempt) => this.inOrder(attempt),
    });
    this.records = new ReadAhead((wanted) => followers.store.getMany<unknown>(wanted));
  }

  receive(name: string, content: unknown): void {
    const message = readMessage(name, content);
    if (message?.topic === 'written') this.#written(message.content);
    else this.inOrder(() => this.#handle(message));
  }

  inOrder(work: () => void | Promise<void>): void {
    const { log } = this.#followers;
    this.handled = this.handled.then(work).catch(async (error: unknown) => {
      log.error('message of another process not handled, reading everything again', {
        error: String(error),
      });
      await this.#readingAll.attempt();
    });
  }

  missed(): void {
    this.inOrder(this.#readingAll.attempt);
  }

  end(): void {
    void this.#readingAll.end();
  }

  #written(key: string): void {
    if (this.records.announce(key)) this.inOrder(() => this.#readAgain(key));
  }

  async #readAgain(key: string): Promise<void> {
    const found = await this.records.take(key);
    if (found) this.#followers.written(key, found.value);
  }

  #handle(message: Message | undefined): void {
    // Of another version. What it has said is read from the database.
    if (message === undefined) throw new Error('not understood');
    const { peopleSignedIn, events } = this.#followers;
    if (message.topic === 'peopleSignedIn') peopleSignedIn(message.content);
    if (message.topic === 'event') events.receive(message.content);
  }
}

export type ExchangePort = Pick<Coordination, 'publish' | 'subscribe' | 'received' | 'sent'>;

export function createExchange(coordination: ExchangePort): Exchange {
  let inbox: Inbox | undefined;

  const publish: Exchange['publish'] = (topic, content) => coordination.publish(nameOf(topic), content);

  return {
    publish,
    recordWritten(key) {
      inbox?.records.written(key);
      if (sharedPrefixes.some((prefix) => key.startsWith(prefix))) publish('written', key);
    },
    follow(followers) {
      const own = new Inbox(followers);
      inbox = own;
      const unsubscribe = coordination.subscribe({
        message: (name, content) => own.receive(name, content),
        missed: () => own.missed(),
        unavailable: () => own.inOrder(followers.unavailable),
      });
      return () => {
        unsubscribe();
        own.end();
      };
    },
    async isUpToDate() {
      const received = coordination.received();
      if (received === undefined) return false;
      const heard = received.then(() => inbox?.handled).then(() => true);
      return withinTime(heard, certaintyLimit, () => new Error('not up to date')).catch(() => false);
    },
    upToDate: createShortWait(() => coordination.received()?.then(() => inbox?.handled)),
    published: createShortWait(() => coordination.sent()),
  };
}
