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

/** An event as it is sent to other processes. */
export type EventMessage = { [Name in EventName]: { event: Name; facts: EventFacts[Name] } }[EventName];

export type EventName = keyof EventFacts;
type Listener<Name extends EventName> = (facts: EventFacts[Name]) => void;

export interface Events {
  /** Returns a function that unsubscribes the listener. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  /**
   * Calls the listeners of this process, then tells the other processes. A listener that throws is logged; the other
   * listeners are still called.
   */
  emit<Name extends EventName>(name: Name, facts: EventFacts[Name]): void;
  /** Calls the listeners with an event of another process. */
  receive<Name extends EventName>(name: Name, facts: EventFacts[Name]): void;
  /** `listener` is called when events of other processes were lost, so anything may have changed. */
  onMissed(listener: () => void): () => void;
  reportMissed(): void;
}

/** `publish` sends to the other processes. */
export function createEvents(log: Log, publish: (message: EventMessage) => void): Events {
  const listeners: { [Name in EventName]: Set<Listener<Name>> } = {
    group: new Set(),
    pad: new Set(),
    session: new Set(),
    user: new Set(),
    configuration: new Set(),
    edited: new Set(),
  };
  const missedListeners = new Set<() => void>();

  function call(event: string, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      log.error('event listener failed', { event, error: String(error) });
    }
  }

  const receive: Events['receive'] = (name, facts) => {
    for (const listener of listeners[name]) call(name, () => listener(facts));
  };

  return {
    on(name, listener) {
      listeners[name].add(listener);
      return () => void listeners[name].delete(listener);
    },
    emit(name, facts) {
      receive(name, facts);
      publish({ event: name, facts } as EventMessage);
    },
    receive,
    onMissed(listener) {
      missedListeners.add(listener);
      return () => void missedListeners.delete(listener);
    },
    reportMissed() {
      for (const listener of missedListeners) call('missed', listener);
    },
  };
}
