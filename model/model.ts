/**
 * The whole product in one object. Built once from its ports; each part is made from the parts before it. Nothing in it knows
 * HTTP or Etherpad.
 */
import { type Configuration, createConfiguration } from './configuration';
import { createEvents, type Events } from './events';
import { createPasswords, type Passwords } from './password';
import type { HostSettings, Log, Ports } from './ports';
import { createSessions, type Sessions } from './session';
import { createStore, type Store } from './store';
import { createTickets, type Tickets } from './ticket';
import { createTokens } from './token';
import { createUsers, type Users } from './user';

export interface Model {
  store: Store;
  events: Events;
  configuration: Configuration;
  passwords: Passwords;
  sessions: Sessions;
  tickets: Tickets;
  users: Users;
  settings: HostSettings;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Stops what runs in the background; does not close the database. */
  close(): Promise<void>;
}

/** Fails when the database does. Accounts of an old database may still be indexed when it resolves: see `users.ready`. */
export async function createModel(ports: Ports): Promise<Model> {
  const { log, now, settings } = ports;
  const store = createStore(ports.database);
  const events = createEvents(log);
  const configuration = await createConfiguration({ store, events, log });
  const passwords = createPasswords(ports.hasher);
  const tokens = await createTokens({ store, now });
  const sessions = createSessions({ store, tokens, events, settings, log, now });
  const tickets = createTickets({ now });
  const users = createUsers({ store, configuration, passwords, sessions, events, log, now });

  return {
    store,
    events,
    configuration,
    passwords,
    sessions,
    tickets,
    users,
    settings,
    log,
    now,
    async close() {
      sessions.close();
      await ports.hasher.close();
    },
  };
}
