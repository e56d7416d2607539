/** Signing in with accounts of another server: CAS, and what is hidden with an LDAP directory. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { heading, hold, problemsEverywhere, useApp } from '../support/browser';
import { type CasServer, startCasServer } from '../support/casServer';
import { signInAsAdmin } from '../support/hostFixture';
import { chooseEmptyDirectory } from '../support/signInServices';

describe('signing in with an account of another server', function () {
  this.timeout(90_000);
  const app = useApp();
  let cas: CasServer;

  before(async () => {
    cas = await startCasServer();
    await app.fixture.configure('rootUrl', app.etherpad.url);
    await app.fixture.configure('authCasSettings', cas.settings({ defaultLang: 'en' }));
    await app.fixture.configure('authMethod', 'cas');
  });

  after(async () => {
    await app.fixture.configure('authMethod', 'internal');
    await app.fixture.configure('rootUrl', '');
    await cas.stop();
  });

  const signInAtCasAs = (user: string): void =>
    cas.present({
      user,
      attributes: { email: `${user}@example.org`, firstname: 'Cas', lastname: 'Person' },
    });

  it('leads to the CAS server and back to the wanted screen, without ticket in the address', async () => {
    signInAtCasAs('casey');
    const page = await app.open('/mybookmarks');
    await heading(page, 'Bookmarks').waitFor();
    expect(page.url()).to.equal(`${app.etherpad.url}/mypads/?/mybookmarks`);
    await page.getByRole('button', { name: 'Cas Person' }).waitFor();
    await app.goTo('/myprofile');
    await page.getByText('These are managed by the single sign-on of your organisation.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Change password' }).count()).to.equal(0);
    expect(await page.getByLabel('First name').count()).to.equal(0);
    await page.getByLabel('Organisation').fill('School');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your profile was saved.').waitFor();
  });

  /** The CAS server has ended its session and sent the person back. */
  async function untilSignedOut(page: Page): Promise<void> {
    await page.getByText('You are signed out.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).waitFor();
    expect(cas.requests.at(-1)).to.match(/^\/cas\/logout\?service=/);
  }

  it('signs out at the CAS server too, and stays signed out until the person wants to sign in', async () => {
    signInAtCasAs('casey');
    const page = await app.open('/mypads');
    await heading(page, 'Folders').waitFor();
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(`${app.etherpad.url}/mypads/?/mybookmarks`);
    await heading(elsewhere, 'Bookmarks').waitFor();
    await page.getByRole('button', { name: 'Cas Person' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await untilSignedOut(page);
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    // The other tab must not fetch a ticket of a session that is about to end.
    await untilSignedOut(elsewhere);
    signInAtCasAs('casey');
    await page.reload();
    await untilSignedOut(page);
    await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click();
    await heading(page, 'Folders').waitFor();
    // From then on, it signs people in without a click again.
    await page.evaluate(() => localStorage.removeItem('token'));
    await app.goTo('/mybookmarks');
    await heading(page, 'Bookmarks').waitFor();
  });

  it('does not create a removed account again', async () => {
    signInAtCasAs('leaver');
    const page = await app.open('/myprofile');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    await untilSignedOut(page);
    const admin = await signInAsAdmin(app.etherpad);
    expect((await app.etherpad.api('GET', 'user/leaver', { token: admin })).status).to.equal(404);
  });

  it('keeps what was typed when another tab has signed the person out', async () => {
    signInAtCasAs('casey');
    const page = await app.open('/mypads/group/add');
    await page.getByLabel(/^Name/).fill('Typed with care');
    const other = await page.context().newPage();
    await other.goto(`${app.etherpad.url}/mypads/?/mypads`);
    await other.getByRole('button', { name: 'Cas Person' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await untilSignedOut(other);
    await other.close();
    signInAtCasAs('casey');
    await page.getByText('in another tab, then come back').waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    const signingIn = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click();
    await heading(await signingIn, 'Folders').waitFor();
    await page.getByLabel(/^Name/).waitFor();
    expect(await page.getByLabel(/^Name/).inputValue()).to.equal('Typed with care');
  });

  /** As in a tab that has gone to CAS: only there, a ticket is used. */
  const goneToCas = (page: Page): Promise<void> =>
    page.evaluate(() => sessionStorage.setItem('mypads_return', '/'));

  it('that fails says why, and can be tried again', async () => {
    cas.present(undefined);
    const page = await app.open('/help');
    await goneToCas(page);
    await app.goTo('/login?ticket=ST-nonsense');
    await page.getByText('Single sign-on did not confirm who you are.').waitFor();
    expect(page.url()).to.equal(`${app.etherpad.url}/mypads/?/login`);
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    signInAtCasAs('casey');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Folders').waitFor();
  });

  it('takes no ticket of someone else that a link has brought', async () => {
    const mallory = { user: 'mallory', attributes: { email: 'mallory@example.org', firstname: 'Mallory' } };
    const ticket = cas.ticket(mallory, `${app.etherpad.url}/mypads/?/login`);
    signInAtCasAs('casey');
    const { page, goTo } = await app.window();
    await goTo(`/login?ticket=${ticket}`);
    await page.getByRole('button', { name: 'Cas Person' }).waitFor();
    expect(cas.requests.filter((path) => path.includes(ticket))).to.deep.equal([]);
  });

  it('says that it is under way, and that the server does not know the sign-on server', async () => {
    const { page, goTo } = await app.window();
    const answer = await hold(page, '**/api/auth/login/cas');
    await goTo('/help');
    await goneToCas(page);
    await goTo('/login?ticket=ST-slow');
    await page.locator('button[aria-busy="true"]').waitFor();
    expect(await problemsEverywhere(page), 'under way').to.deep.equal([]);
    answer();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    // A server that is set up in a hurry can have the method without its settings.
    await page.route('**/api/configuration', async (route) => {
      const answer = await route.fetch();
      const { value, ...rest } = await answer.json();
      await route.fulfill({
        response: answer,
        json: { ...rest, value: { ...value, signInMethods: [{ method: 'cas', proof: 'redirect' }] } },
      });
    });
    await goTo('/login');
    await page.getByRole('alert').getByText(/./).waitFor();
    expect(await problemsEverywhere(page), 'not set up').to.deep.equal([]);
  });

  it('offers passwords of this server beside it, the way that was used last first', async () => {
    signInAtCasAs('casey');
    await app.fixture.configure('authMethods', ['internal']);
    const [login, password] = ['paula', 'paulas own password'];
    await app.etherpad.api('POST', 'user', { body: { login, password, email: 'paula@example.org' } });
    try {
      const { page, goTo } = await app.window();
      await goTo('/login');
      const service = page.getByRole('button', { name: 'Sign in with 127.0.0.1' });
      const name = page.getByLabel('Username or email');
      const isServiceFirst = async () => {
        const [above, below] = [await service.boundingBox(), await name.boundingBox()];
        return (above?.y ?? 0) < (below?.y ?? 0);
      };
      await name.waitFor();
      expect(await isServiceFirst()).to.equal(true);
      expect(await problemsEverywhere(page)).to.deep.equal([]);
      await name.fill(login);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await heading(page, 'Folders').waitFor();
      await goTo('/logout');
      await name.waitFor();
      expect(await isServiceFirst()).to.equal(false);
      await service.click();
      await heading(page, 'Folders').waitFor();
    } finally {
      await app.fixture.configure('authMethods', []);
    }
  });

  it('opens a service at once if the setting or the address says so, and otherwise asks', async () => {
    signInAtCasAs('casey');
    await app.fixture.configure('authMethods', ['internal']);
    try {
      const byAddress = await app.window();
      await byAddress.goTo('/login?auto=cas');
      await heading(byAddress.page, 'Folders').waitFor();
      await app.fixture.configure('autoSignIn', true);
      const around = await app.window();
      await around.goTo('/login?auto=no');
      await around.page.getByLabel('Username or email').waitFor();
      await around.goTo('/login');
      await heading(around.page, 'Folders').waitFor();
    } finally {
      await app.reset('authMethods', 'autoSignIn');
    }
  });

  it('waits for a click when there is a message to read', async () => {
    signInAtCasAs('casey');
    await app.fixture.configure('loginMsg', { en: 'Closed on <b>Sunday</b>.' });
    try {
      const page = await app.open('/login');
      await page.getByText('Closed on Sunday.').waitFor();
      expect(await problemsEverywhere(page)).to.deep.equal([]);
      await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click();
      await heading(page, 'Folders').waitFor();
    } finally {
      await app.fixture.configure('loginMsg', {});
    }
  });

  it('with a directory offers neither registration nor another password', async () => {
    const before = await app.etherpad.api('GET', 'configuration');
    expect(before.body).to.include({ auth: false });
    // With mail, both would be offered where passwords are checked here.
    const settings = { rootUrl: app.etherpad.url, SMTPHost: '127.0.0.1', SMTPEmailFrom: 'pads@example.org' };
    for (const [key, value] of Object.entries(settings)) await app.fixture.configure(key, value);
    try {
      await app.fixture.configure('authMethod', 'internal');
      const page = await app.open('/login');
      const links = page.getByRole('link', { name: /Register|Forgot your password/ });
      await links.nth(1).waitFor();
      const stop = await chooseEmptyDirectory(app.fixture.configure);
      await page.reload();
      await page.getByLabel('Username or email').waitFor();
      expect(await links.count()).to.equal(0);
      await app.goTo('/passrecover');
      await page.getByText('Passwords are managed elsewhere, not on this server.').waitFor();
      await app.goTo('/subscribe');
      await page.getByText('Registration is closed').waitFor();
      await page.getByText('Sign in with the account that your organisation gave you.').waitFor();
      const admin = await app.open('/admin/users', { adminToken: await app.signInAsAdmin() });
      await heading(admin, 'Accounts').waitFor();
      expect(await admin.getByRole('link', { name: 'New account' }).count()).to.equal(0);
      await stop();
    } finally {
      await app.reset(...Object.keys(settings).filter((key) => key !== 'rootUrl'));
      await app.fixture.configure('authMethod', 'cas');
    }
  });
});
