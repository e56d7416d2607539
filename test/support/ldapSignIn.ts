/** Sign-in with a real LDAP server, which starts before the tests of a file and ends after them. */
import { createLdapSignIn } from '../../model/signin/ldap';
import type { TestApp } from './app';
import { type LdapPerson, type LdapServer, startLdapServer } from './ldapServer';
import { createReadableLog } from './logLines';

export const incorrect = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
export const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';
export const unableToBind = 'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP';

/** So that a test fails in which somebody changes it. */
export function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

type LdapSignIn = ReturnType<typeof createLdapSignIn>;

export interface LdapInUse {
  readonly server: LdapServer;
  /** The setting `authLdapSettings`; before each test, the one that works. */
  settings: unknown;
  /** The log of the current test. */
  readonly lines: ReturnType<typeof createReadableLog>['lines'];
  /** Another sign-in with the same settings and log. The time limit is that of production if it is missing. */
  create(timeLimit?: number): LdapSignIn;
  /** With a long time limit: every conversation starts a process, which takes its time on a busy machine. */
  readonly patient: LdapSignIn;
  /** With a short time limit, for servers that never answer. */
  readonly withShortTimeLimit: LdapSignIn;
  /** Signs a person of the directory in. */
  signIn(person: LdapPerson, method?: LdapSignIn): ReturnType<LdapSignIn['authenticate']>;
}

/** A directory with `people` and `more` for the tests of a `describe`, in the settings of `app` before each test. */
export function useDirectory(app: TestApp, more: readonly LdapPerson[] = []): LdapServer {
  const directory = {} as LdapServer;
  before(async () => {
    Object.assign(directory, await startLdapServer({ more }));
  });
  after(() => directory.stop());
  beforeEach(() => app.model.configuration.set('authLdapSettings', directory.settings()));
  return directory;
}

/** `begin`: starts the directory. */
export function useLdap(begin: () => Promise<LdapServer> = startLdapServer): LdapInUse {
  const { log, lines } = createReadableLog();
  let server: LdapServer | undefined;
  let settings: unknown;
  const running = (): LdapServer => {
    if (server === undefined) throw new Error('The LDAP server runs only during tests.');
    return server;
  };
  before(async () => {
    server = await begin();
  });
  after(() => server?.stop());
  beforeEach(() => {
    settings = running().settings();
    lines.length = 0;
  });
  const create = (timeLimit?: number): LdapSignIn =>
    createLdapSignIn({ settings: () => settings, log, ...(timeLimit === undefined ? {} : { timeLimit }) });
  const patient = create(40_000);
  return {
    get server() {
      return running();
    },
    get settings() {
      return settings;
    },
    set settings(value) {
      settings = value;
    },
    lines,
    create,
    patient,
    withShortTimeLimit: create(1_500),
    signIn: ({ uid, password = 'no password' }, method = patient) =>
      method.authenticate({ login: uid, password }),
  };
}
