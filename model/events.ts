/**
 * Events about changed records, sent after the database has confirmed the write. `access` tells whether the change can
 * affect who may enter a pad; only then are open editors checked again.
 */
import type { GroupAccessChange } from './access/accessChange';
import type { Log } from './ports';
import type { ConfigurationKey } from './settings/definitions';

export interface EventFacts {
  group: { id: string; access: GroupAccessChange };
  /** `group`: the group that the pad belongs to now. */
  pad: { id: string; group: string; access: boolean };
  /** The session ended, or a password was proved in it. */
  session: { id: string };
  user: { id: string; access: boolean };
  configuration: { key: ConfigurationKey; access: boolean };
  /** The text of a managed pad changed, at `time` in milliseconds since 1970. Sent at most once a minute. */
  edited: { id: string; time: number };
}

export type EventName = keyof EventFacts;
type Listener<Name extends EventName> = (facts: EventFacts[Name]) => void;

export interface Events {
  /** Returns a function that unsubscribes the listener. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  /** A listener that throws is logged; the other listeners are still called. */
  emit<Name extends EventName>(name: Name, facts: EventFacts[Name]): void;
}

export function createEvents(log: Log): Events {
  const listeners: { [Name in EventName]: Set<Listener<Name>> } = {
    group: new Set(),
    pad: new Set(),
    session: new Set(),
    user: new Set(),
    configuration: new Set(),
    edited: new Set(),
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
          log.error('event listener failed', { event: name, error: String(error) });
        }
      }
    },
  };
}
