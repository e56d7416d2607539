/** A product whose people sign in with a real provider of OpenID Connect. */
import { type StartOptions, startApp, type TestApp } from './app';
import { type OidcBrowser, openOidcBrowser } from './oidcBrowser';
import { type OidcPersonOfTest, type OidcServer, startOidcServer } from './oidcServer';

export const oidcRoot = 'https://pads.example.org/etherpad';
export const ada: OidcPersonOfTest = {
  sub: 'a-1',
  preferred_username: 'ada',
  email: 'ada@example.org',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Lovelace',
  groups: ['staff', 'maths'],
};
export const oidcError = (name: string): string => `BACKEND.ERROR.${name}`;

export interface OidcInUse {
  readonly app: TestApp;
  readonly server: OidcServer;
  /** A new browser. */
  browser(): OidcBrowser;
  /** Signs somebody in with a new browser. */
  signIn(person?: OidcPersonOfTest): ReturnType<OidcBrowser['redeem']>;
  /** Stores the settings of the provider, changed by `changes`. */
  configure(changes?: Record<string, unknown>): Promise<void>;
  set(key: string, value: unknown): Promise<void>;
}

/** A provider for the tests of a file, and a new product for each test, with passwords of this server beside. */
export function useOidc(options: StartOptions = {}): OidcInUse {
  let server: OidcServer | undefined;
  let app: TestApp | undefined;
  const running = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('It runs only during tests.');
    return one;
  };
  const set = (key: string, value: unknown) => running(app).model.configuration.set(key, value);
  const configure = (changes?: Record<string, unknown>) =>
    set('authOidcSettings', { providers: { school: running(server).provider(changes) } });
  before(async () => {
    server = await startOidcServer({ root: oidcRoot });
  });
  after(() => server?.stop());
  beforeEach(async () => {
    app = await startApp(options);
    running(server).present(ada);
    running(server).intercept(undefined);
    running(server).changeTokens(undefined);
    await set('rootUrl', oidcRoot);
    await configure();
    await set('authMethods', ['oidc']);
  });
  afterEach(() => app?.close());
  const browser = () => openOidcBrowser(running(app), oidcRoot);
  return {
    get app() {
      return running(app);
    },
    get server() {
      return running(server);
    },
    browser,
    signIn(person = ada) {
      running(server).present(person);
      return browser().signIn();
    },
    configure,
    set,
  };
}
