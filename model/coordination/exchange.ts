/**
 * Keeps what this process has in memory the same as what other processes write. Each write of a record that somebody
 * keeps in memory is published by its key; the receivers read the record again. Messages are handled one after the
 * other, so an event about a change is handled after the record has been read.
 */
import type { EventMessage, Events } from '../events';
import type { Coordination, Log } from '../ports';
import { keys, type Store } from '../store/store';

/** Beginnings of the keys of records that processes keep in memory, in whole, in part, or as computed values. */
const sharedPrefixes: readonly string[] = [
  keys.user(''),
  keys.group(''),
  keys.pad(''),
  keys.conf(''),
  keys.removedIds,
];

/** What is sent between the models of several processes, by topic. */
interface Messages {
  /** The key of a record. */
  written: string;
  event: EventMessage;
  counted: unknown;
  /** The number of people with a session. */
  signedIn: number;
}

type Topic = keyof Messages;

export interface Exchange {
  publish<Name extends Topic>(topic: Name, content: Messages[Name]): void;
  /** Call it after each write of this process. */
  recordWritten(key: string): void;
  /** Starts to receive. Returns a function that ends it. */
  follow(followers: Followers): () => void;
}

export interface Followers {
  store: Pick<Store, 'get'>;
  events: Pick<Events, 'receive'>;
  log: Log;
  /** Called with a record that another process has written; `undefined` when it has removed it. */
  written(key: string, value: unknown): void;
  counted(content: unknown): void;
  signedIn(people: number): void;
  /** Messages were lost. Reads again what is in memory. */
  missed(): Promise<void>;
  /** Messages cannot be received at the moment. Reads again what decides who may do what. */
  unavailable(): Promise<void>;
}

export function createExchange(coordination: Pick<Coordination, 'publish' | 'subscribe'>): Exchange {
  /** The record that is being read because another process has written it. */
  let reading: string | undefined;

  const publish: Exchange['publish'] = (topic, content) => coordination.publish(topic, content);

  async function readAgain(key: string, { store, written }: Followers): Promise<void> {
    reading = key;
    try {
      const value = await store.get<unknown>(key);
      // Cleared when this process has written the record meanwhile: that value is newer than the one read here.
      if (reading === key) written(key, value);
    } finally {
      reading = undefined;
    }
  }

  function handle(topic: string, content: unknown, followers: Followers): void | Promise<void> {
    if (topic === 'written') return readAgain(content as string, followers);
    if (topic === 'counted') return followers.counted(content);
    if (topic === 'signedIn') return followers.signedIn(content as number);
    if (topic !== 'event') return undefined;
    const { event, facts } = content as EventMessage;
    return followers.events.receive(event, facts);
  }

  return {
    publish,
    recordWritten(key) {
      if (reading === key) reading = undefined;
      if (sharedPrefixes.some((prefix) => key.startsWith(prefix))) publish('written', key);
    },
    follow(followers) {
      let last: Promise<void> = Promise.resolve();
      const inOrder = (work: () => void | Promise<void>): void => {
        last = last.then(work).catch(async (error: unknown) => {
          followers.log.error('message of another process not handled, reading everything again', {
            error: String(error),
          });
          await followers.missed().catch(() => {});
        });
      };
      return coordination.subscribe({
        message: (topic, content) => inOrder(() => handle(topic, content, followers)),
        missed: () => inOrder(followers.missed),
        unavailable: () => inOrder(followers.unavailable),
      });
    },
  };
}
