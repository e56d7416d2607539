/**
 * Domain events: what happened, to which record, by whom and when. Changes of records are published by the model after
 * the database has confirmed the write; what changes no record, such as a sign-in, by the handler of the call.
 */
import * as z from 'zod';
import { currentOrigin, eventActor, eventWhole, type Origin } from './actor';
import type { Log } from './ports';
import type { ConfigurationKey } from './settings/definitions';

const id = z.string();
/** Names of fields that were set, also to the value that they had. Never values. */
const changed = z.array(z.string());
const groupFacts = z.object({ name: z.string() }).nullable();
const padFacts = z.object({ name: z.string(), group: z.string() }).nullable();

const origin = {
  by: eventActor,
  /** Milliseconds since 1970. */
  time: z.number(),
  partOf: eventWhole.optional(),
};

/**
 * `before` is `null` for a new or unknown record, `after` for a removed one. `access` tells whether the change can
 * affect who may enter a pad; only then are open editors checked again. Change the version in topics.ts with it.
 */
export const domainEvent = z.discriminatedUnion('about', [
  z.object({
    about: z.literal('group'),
    /** `trashed`: it is in the trash, `restored`: it was. */
    what: z.enum(['created', 'changed', 'removed', 'trashed', 'restored']),
    id,
    before: groupFacts,
    after: groupFacts,
    changed: changed.optional(),
    access: z.object({ everybody: z.boolean(), people: z.array(z.string()) }),
    ...origin,
  }),
  z.object({
    about: z.literal('pad'),
    /** `restored`: it was in the trash, or Etherpad had removed it, and has it again. */
    what: z.enum(['created', 'changed', 'removed', 'trashed', 'restored', 'chatRemoved']),
    id,
    before: padFacts,
    after: padFacts,
    changed: changed.optional(),
    access: z.boolean(),
    ...origin,
  }),
  /** The text of a managed pad, written at `last`. Sent at most once a minute. */
  z.object({ about: z.literal('text'), what: z.literal('edited'), id, last: z.number(), ...origin }),
  z.object({
    about: z.literal('user'),
    /**
     * `sessionsEnded`: at the request of somebody, one session or all others. `factorsReset`: all second factors.
     * `exported`: an administrator exports the data of the person.
     */
    what: z.enum(['created', 'changed', 'removed', 'sessionsEnded', 'factorsReset', 'exported']),
    id,
    changed: changed.optional(),
    access: z.boolean(),
    ...origin,
  }),
  /** `unlocked`: a password or a link was proved in it. `linkEnded`: the end of such a link has come. */
  z.object({
    about: z.literal('session'),
    what: z.enum(['ended', 'unlocked', 'linkEnded']),
    id,
    ...origin,
  }),
  z.object({
    about: z.literal('configuration'),
    what: z.enum(['changed', 'reset']),
    key: z.custom<ConfigurationKey>((key) => typeof key === 'string'),
    access: z.boolean(),
    ...origin,
  }),
  /** `signInRefused`: to server administrators. `administrator`: if one has the name that was typed. */
  z.object({
    about: z.literal('signIn'),
    what: z.enum(['signedIn', 'signedOut', 'signInRefused']),
    administrator: z.string().optional(),
    ...origin,
  }),
  z.object({
    about: z.literal('limit'),
    what: z.literal('lifted'),
    object: z.object({ kind: z.enum(['user', 'group', 'pad']), id }).optional(),
    ...origin,
  }),
  /** At the request of somebody. `id`: its name in answers. `account`: of whom it is; missing for an administrator. */
  z.object({
    about: z.literal('apiToken'),
    what: z.enum(['created', 'ended']),
    id,
    account: z.string().optional(),
    ...origin,
  }),
  z.object({ about: z.literal('groupRules'), what: z.literal('changed'), ...origin }),
  /** At the request of an administrator. */
  z.object({ about: z.literal('directorySync'), what: z.enum(['begun', 'confirmed']), ...origin }),
  /** An administrator ran a job with “Run again”, gave up an email that waited, or stopped an export. */
  z.object({ about: z.literal('job'), what: z.enum(['run', 'cancelled']), ...origin }),
  z.object({ about: z.literal('mail'), what: z.literal('testSent'), ...origin }),
  /** On request: each process builds its own again. */
  z.object({ about: z.literal('index'), what: z.literal('rebuilt'), ...origin }),
]);

export type DomainEvent = z.infer<typeof domainEvent>;
export type EventSubject = DomainEvent['about'];
type EventAbout<Subject extends EventSubject> = Extract<DomainEvent, { about: Subject }>;

type WithoutOrigin<Event> = Event extends DomainEvent ? Omit<Event, keyof typeof origin> : never;
/** Who, when and what it is part of follow from the running call, unless they are given. */
export type EventFacts = WithoutOrigin<DomainEvent> & Partial<Origin & { time: number }>;

export const namesOfSetFields = (fields: object): string[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);

export interface Events {
  /** Returns a function that unsubscribes the listener. */
  on<Subject extends EventSubject>(
    about: Subject,
    listener: (event: EventAbout<Subject>) => void,
  ): () => void;
  /** `listener` gets all events of this process, and none of the others. */
  onOwn(listener: (event: DomainEvent) => void): () => void;
  /**
   * Calls the listeners of this process, then tells the other processes. `before` and `after` may be whole records:
   * only the facts that the schema names are sent. A listener that throws is logged; the others are still called.
   */
  emit(facts: EventFacts): void;
  /** Calls the listeners with an event of another process. */
  receive(facts: EventFacts): void;
  /** `listener` is called when events of other processes were lost, so anything may have changed. */
  onMissed(listener: () => void): () => void;
  reportMissed(): void;
}

interface EventContext {
  log: Log;
  now: () => number;
  /** Sends to the other processes. */
  publish: (event: DomainEvent) => void;
}

export function createEvents({ log, now, publish }: EventContext): Events {
  const listeners = new Set<(event: DomainEvent) => void>();
  const ownListeners = new Set<(event: DomainEvent) => void>();
  const missedListeners = new Set<() => void>();

  function call(event: string, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      log.error('event listener failed', { event, error: String(error) });
    }
  }

  function subscribe<Listener>(to: Set<Listener>, listener: Listener): () => void {
    to.add(listener);
    return () => void to.delete(listener);
  }

  const complete = (facts: EventFacts): DomainEvent =>
    domainEvent.parse({ ...currentOrigin(), time: now(), ...facts });

  function tell(to: Iterable<(event: DomainEvent) => void>, event: DomainEvent): void {
    for (const listener of to) call(`${event.about} ${event.what}`, () => listener(event));
  }

  return {
    on: (about, listener) =>
      subscribe(listeners, (event) => {
        if (event.about === about) listener(event as Parameters<typeof listener>[0]);
      }),
    onOwn: (listener) => subscribe(ownListeners, listener),
    emit(facts) {
      const event = complete(facts);
      tell(listeners, event);
      tell(ownListeners, event);
      publish(event);
    },
    receive: (facts) => tell(listeners, complete(facts)),
    onMissed: (listener) => subscribe(missedListeners, listener),
    reportMissed() {
      for (const listener of missedListeners) call('missed', listener);
    },
  };
}
