/** The same stories with each service that signs people in: LDAP, CAS, OpenID Connect and a proxy, all real. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { autheliaCookie, type ProxyWithSignIn, startProxyWithSignIn } from '../support/authelia';
import { heading, problemsEverywhere, signInByForm, useApp } from '../support/browser';
import { type CasServer, startCasServer } from '../support/casServer';
import { frameOf, untilEditable } from '../support/editor';
import { password } from '../support/hostFixture';
import { type LdapPerson, type LdapServer, startLdapServer } from '../support/ldapServer';
import { type OidcServer, startOidcServer } from '../support/oidcServer';
import { succeeds, until } from '../support/waiting';

/** How people sign in by one of the services. */
interface Service {
  /** They are known to the service with this address. */
  know(login: string, email: string): Promise<void> | void;
  /** From the sign-in screen, with one click or the form. */
  signIn(page: Page, login: string): Promise<void>;
  /** What follows a sign-out here. */
  signedOut(page: Page): Promise<void>;
  /** Signs the person out there. A directory cannot. */
  signOutThere?(page: Page): Promise<void>;
  /** Where people open the app. Default: the address of Etherpad. */
  root?: () => string;
}

type Name = 'ldap' | 'cas' | 'oidc' | 'header';

/** Known to the directory from the start. */
const listed: LdapPerson[] = ['lenaldap', 'olgaldap', 'mialdap'].map((uid) => ({
  ...{ uid, password: 'of the directory', givenName: ['Lena'], sn: 'Test' },
  mail: [`${uid}@example.org`],
}));

describe('a person of', function () {
  this.timeout(300_000);
  const app = useApp();
  let directory: LdapServer;
  let cas: CasServer;
  let provider: OidcServer;
  let nginx: ProxyWithSignIn;

  before(async () => {
    const root = app.etherpad.url;
    directory = await startLdapServer({ more: listed });
    cas = await startCasServer();
    provider = await startOidcServer({ root });
    nginx = await startProxyWithSignIn(root);
    const school = provider.provider({ linkDomains: ['example.org'] });
    const { signOutUrl } = nginx;
    // On a busy machine, the directory may answer after the time limit of its test.
    for (const [key, value] of Object.entries({
      rootUrl: root,
      authLdapSettings: directory.settings({ defaultLang: 'en' }),
      authCasSettings: cas.settings({ defaultLang: 'en' }),
      authOidcSettings: { providers: { school } },
      authHeaderSettings: { name: 'Authelia', proxies: ['127.0.0.1'], signOutUrl },
    }))
      await until(`${key} is stored`, () => succeeds(app.fixture.configure(key, value)));
  });
  after(async () => {
    const settings = ['authLdapSettings', 'authCasSettings', 'authOidcSettings', 'authHeaderSettings'];
    await app.reset('authMethod', 'authMethods', ...settings, 'rootUrl');
    await Promise.all([directory, cas, provider, nginx].map((one) => one.stop()));
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name: `Sign in with ${name}` });
  const services: Record<Name, Service> = {
    ldap: {
      know: async (login, email) => {
        const person = listed.find(({ uid }) => uid === login);
        if (person) await directory.change(person, { mail: [email] });
      },
      signIn: (page, login) => signInByForm(page, login, 'of the directory'),
      signedOut: (page) => page.getByText('You are signed out.').first().waitFor(),
    },
    cas: {
      know: (user, email) =>
        cas.present({ user, attributes: { email, firstname: 'Lena', lastname: 'Test' } }),
      signIn: (page) => button(page, '127.0.0.1').click(),
      signedOut: async (page) => {
        await button(page, '127.0.0.1').waitFor();
        expect(cas.requests.at(-1)).to.match(/^\/cas\/logout\?service=/);
      },
      async signOutThere() {
        const validated = cas.requests.findLast((path) => path.includes('serviceValidate')) ?? '';
        const ticket = new URL(validated, cas.url).searchParams.get('ticket') ?? '';
        expect(await cas.signOut(ticket, `${app.etherpad.url}/mypads/?/login`)).to.equal(200);
      },
    },
    oidc: {
      know: (login, email) =>
        provider.present({
          ...{ sub: login, preferred_username: login, email, email_verified: true },
          ...{ given_name: 'Lena', family_name: 'Test' },
        }),
      signIn: (page) => button(page, 'The School').click(),
      // The provider asks whether its session is to end, and sends people back.
      signedOut: async (page) => {
        await page.getByRole('button', { name: 'Yes, sign me out' }).click();
        await button(page, 'The School').waitFor();
      },
      // It tells this server in the back channel.
      async signOutThere(page) {
        const there = await page.context().newPage();
        await there.goto(`${provider.url}/session/end`);
        await there.getByRole('button', { name: 'Yes, sign me out' }).click();
        await there.waitForURL(/\/session\/end\/success/);
      },
    },
    header: {
      know: (login, email) => void nginx.addresses.set(login, email),
      async signIn(page, login) {
        await page.context().addCookies([{ name: autheliaCookie, value: login, url: nginx.url }]);
        await page.reload();
        await button(page, 'Authelia').click();
      },
      signedOut: (page) => page.waitForURL(nginx.signOutUrl),
      // Only somebody else can come after a sign-out there: the proxy lets nobody else through.
      async signOutThere(page) {
        await page.context().addCookies([{ name: autheliaCookie, value: 'nobody', url: nginx.url }]);
      },
      root: () => nginx.url,
    },
  };

  const open = (page: Page, service: Service, path: string) =>
    page.goto(`${service.root?.() ?? app.etherpad.url}/mypads/?${path}`);

  /** Offers these ways to sign in, the first one alone if there is one. */
  async function offer(first: 'internal' | Name, ...more: Name[]): Promise<void> {
    await app.fixture.configure('authMethod', first);
    await app.fixture.configure('authMethods', more);
  }

  /** Signs in on the screen that shows all ways, and waits for the folders. */
  async function enter(page: Page, name: Name, login: string): Promise<void> {
    const service = services[name];
    // Nginx refuses whom the proxy does not know.
    if (service.root)
      await page.context().addCookies([{ name: autheliaCookie, value: login, url: nginx.url }]);
    await open(page, service, '/login&auto=no');
    await service.signIn(page, login);
    await heading(page, 'Folders').waitFor();
  }

  async function makeFolder(page: Page, service: Service, folder: string): Promise<void> {
    await open(page, service, '/mypads/group/add');
    await page.getByLabel(/^Name/).fill(folder);
    await page.getByRole('button', { name: 'Create folder' }).click();
    await heading(page, folder).waitFor();
  }

  const hasFolder = (page: Page, folder: string) =>
    page.getByRole('main').getByRole('link', { name: folder }).waitFor();

  /** The address on the screen of the account. */
  async function hasAddress(page: Page, service: Service, email: string): Promise<void> {
    await open(page, service, '/myprofile');
    await page.getByText(email).first().waitFor();
  }

  for (const [key, service] of Object.entries(services)) {
    const name = key as Name;

    it(`${name} keeps one account: new address, sign-out here and there, and its end`, async () => {
      await offer('internal', name);
      const login = `lena${name}`;
      await service.know(login, `${login}@example.org`);
      const { page } = await app.window();
      await enter(page, name, login);
      await hasAddress(page, service, `${login}@example.org`);
      await makeFolder(page, service, 'Of Lena');
      await page.getByRole('button', { name: name === 'header' ? login : 'Lena Test' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await service.signedOut(page);

      await service.know(login, `new${login}@example.org`);
      await enter(page, name, login);
      await hasFolder(page, 'Of Lena');
      await hasAddress(page, service, `new${login}@example.org`);

      if (service.signOutThere) {
        await service.signOutThere(page);
        await open(page, service, '/mybookmarks');
        await page.getByLabel('Username or email').waitFor();
        await service.know(login, `new${login}@example.org`);
        await enter(page, name, login);
      }

      const body = { active: false };
      const token = await app.signInAsAdmin();
      expect((await app.etherpad.api('PUT', `user/${login}`, { token, body })).status).to.equal(200);
      await open(page, service, '/mybookmarks');
      await page.getByLabel('Username or email').waitFor();
      await service.signIn(page, login);
      await page
        .getByText(/was closed/)
        .first()
        .waitFor();
      if (name === 'cas') expect(await problemsEverywhere(page)).to.deep.equal([]);
    });

    it(`${name} gets the account that was there before, whose password is gone`, async () => {
      await offer('internal');
      const login = `olga${name}`;
      const email = `${login}@example.org`;
      const body = { login, email, password, firstname: 'Olga', lastname: 'Test' };
      expect((await app.etherpad.api('POST', 'user', { body })).status).to.equal(200);
      const old = { login, ...(await app.fixture.signIn(login)) };
      await app.fixture.group(old, { name: 'From before' });
      await offer(name);
      await service.know(login, email);
      const { page } = await app.window();
      await enter(page, name, login);
      await hasFolder(page, 'From before');

      await offer('internal', name);
      const { page: other, goTo } = await app.window();
      await goTo('/login');
      await signInByForm(other, login);
      await other.getByRole('alert').first().waitFor();
      expect(await heading(other, 'Sign in').count()).to.equal(1);
    });

    if (name === 'oidc') continue;
    it(`${name} comes by single sign-on too, with the same verified address`, async () => {
      await offer('internal', name, 'oidc');
      const login = `mia${name}`;
      const email = `${login}@example.org`;
      await service.know(login, email);
      const { page } = await app.window();
      await enter(page, name, login);
      await makeFolder(page, service, 'Of Mia');
      services.oidc.know(login, email);
      const { page: other } = await app.window();
      await enter(other, 'oidc', login);
      await hasFolder(other, 'Of Mia');
      const { page: again } = await app.window();
      await service.know(login, email);
      await enter(again, name, login);
      await hasFolder(again, 'Of Mia');
    });
  }

  it('header is signed out when the proxy names somebody else, also in an open editor', async () => {
    await offer('internal', 'header');
    const { page } = await app.window();
    await enter(page, 'header', 'frida');
    await page.getByRole('button', { name: 'New pad' }).first().click();
    await untilEditable(frameOf(page), true);
    await page.context().addCookies([{ name: autheliaCookie, value: 'gustav', url: nginx.url }]);
    // Another program in this browser: a second tab of the app would also tell this one.
    await page.context().request.get(`${nginx.url}/p/any`);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await open(page, services.header, '/mypads');
    await button(page, 'Authelia').click();
    await page.getByRole('button', { name: 'gustav' }).waitFor();
  });
});
