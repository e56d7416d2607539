/**
 * What just changed, for those who keep doors open: the gates look again at open editors after each event. An event is sent
 * after the database has said yes, never before.
 */
import type { Log } from './ports';

export interface EventFacts {
  group: { id: string };
  pad: { id: string; group: string };
  /** Ended, or a password was proved in it. */
  session: { id: string };
  user: { id: string };
  configuration: { key: string };
}

export type EventName = keyof EventFacts;
type Listener<Name extends EventName> = (facts: EventFacts[Name]) => void;

export interface Events {
  /** Returns the function that takes the listener off again. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  /** A listener that throws is logged; the others still hear. */
  emit<Name extends EventName>(name: Name, facts: EventFacts[Name]): void;
}

export function createEvents(log: Log): Events {
  const listeners: { [Name in EventName]: Set<Listener<Name>> } = {
    group: new Set(),
    pad: new Set(),
    session: new Set(),
    user: new Set(),
    configuration: new Set(),
  };
  return {
    on(name, listener) {
      listeners[name].add(listener);
      return () => void listeners[name].delete(listener);
    },
    emit(name, facts) {
      for (const listener of listeners[name]) {
        try {
          listener(facts);
        } catch (error) {
          log.error('a listener failed', { event: name, error: String(error) });
        }
      }
    },
  };
}
