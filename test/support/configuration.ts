/** The settings on a database of their own, for tests of the model. */
import { createEvents, type Events } from '../../model/events';
import { type Configuration, createConfiguration } from '../../model/settings/configuration';
import { createStore } from '../../model/store/store';
import { errorOf } from './errorKeys';
import { createTestPorts, type TestPorts } from './ports';

type Ports = Awaited<ReturnType<typeof createTestPorts>>;
type Probe = Parameters<typeof createConfiguration>[0]['probe'];

/** The shortest LDAP settings that can work. */
export const ldapSettings = (changes: object) => ({
  url: 'ldaps://directory.example.org',
  searchBase: 'dc=example,dc=org',
  searchFilter: '(uid={{username}})',
  ...changes,
});

export interface ConfigurationFixture {
  readonly ports: TestPorts;
  readonly configuration: Configuration;
  readonly events: Events;
  /** Loads the settings again, as at a start. */
  load(probe?: Probe): Promise<void>;
  /** Gives the settings file this `ep_mypads` block, and lets the settings read it. */
  preset(block: Record<string, unknown>): Promise<void>;
  /** The key of the error at storing this value, or `no error`. */
  refusal(key: string, value: unknown): Promise<string>;
}

/** New settings for each test. */
export function useConfiguration(): ConfigurationFixture {
  let running: { ports: Ports; configuration: Configuration; events: Events } | undefined;
  let block: Record<string, unknown> = {};
  const current = () => {
    if (running === undefined) throw new Error('The settings exist only during tests.');
    return running;
  };
  const load = async (ports: Ports, probe?: Probe): Promise<void> => {
    const events = createEvents({ log: ports.log, now: ports.now, publish: () => {} });
    const configuration = await createConfiguration({
      store: createStore(ports.database, ports.coordination),
      events,
      log: ports.log,
      presets: () => block,
      ...(probe === undefined ? {} : { probe }),
    });
    running = { ports, configuration, events };
  };
  beforeEach(async () => {
    block = {};
    await load(await createTestPorts());
  });
  afterEach(() => current().ports.closeDatabase());
  return {
    get ports() {
      return current().ports;
    },
    get configuration() {
      return current().configuration;
    },
    get events() {
      return current().events;
    },
    load: (probe) => load(current().ports, probe),
    async preset(next) {
      block = next;
      await current().configuration.reload();
    },
    refusal: (key, value) => errorOf(current().configuration.set(key, value)),
  };
}
