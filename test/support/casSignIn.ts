/** Sign-in with a real CAS server, which starts before the tests of a file and ends after them. */
import { type CasSignIn, createCasSignIn } from '../../model/signin/cas';
import { type CasPerson, type CasServer, startCasServer } from './casServer';
import { createReadableLog } from './logLines';

export const rootUrl = 'http://pads.example.org:8080';
export const service = `${rootUrl}/mypads/?/login`;
export const failed = 'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED';
export const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';
export const alice: CasPerson = {
  user: 'alice',
  attributes: { email: 'alice@example.org', firstname: 'Alice', lastname: 'Liddell' },
};

export interface CasInUse {
  readonly server: CasServer;
  /** The setting `authCasSettings`; before each test, the one that works. */
  settings: unknown;
  /** The setting `rootUrl`. */
  root: string;
  /** The log of the current test. */
  readonly lines: ReturnType<typeof createReadableLog>['lines'];
  readonly method: CasSignIn;
  /** With a short time limit, for servers that never answer. */
  readonly withShortTimeLimit: CasSignIn;
  /** Signs a person in with a new ticket. */
  signIn(person?: CasPerson, method?: CasSignIn): ReturnType<CasSignIn['authenticate']>;
}

export function useCas(): CasInUse {
  const { log, lines } = createReadableLog();
  let server: CasServer | undefined;
  let settings: unknown;
  let root = rootUrl;
  const running = (): CasServer => {
    if (server === undefined) throw new Error('The CAS server runs only during tests.');
    return server;
  };
  before(async () => {
    server = await startCasServer();
  });
  after(() => server?.stop());
  beforeEach(() => {
    settings = running().settings();
    root = rootUrl;
    lines.length = 0;
    running().misbehave(undefined);
    running().requests.length = 0;
  });
  const context = { settings: () => settings, rootUrl: () => root, log };
  const method = createCasSignIn(context);
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
    get root() {
      return root;
    },
    set root(value) {
      root = value;
    },
    lines,
    method,
    withShortTimeLimit: createCasSignIn({ ...context, timeLimit: 400 }),
    signIn: (person = alice, by = method) => by.authenticate({ ticket: running().ticket(person, service) }),
  };
}
