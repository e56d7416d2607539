/** Signing in where accounts are kept elsewhere: a CAS server, and what an LDAP directory hides. */
import { expect } from 'chai';
import { accessibilityProblems, onStage, type Stage, type Visitor, visitor } from '../support/browser';
import { type CasServer, startCasServer } from '../support/casServer';

describe('signing in elsewhere', function () {
  this.timeout(90_000);
  let stage: Stage;
  let cas: CasServer;
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    cas = await startCasServer();
    await stage.world.configure('rootUrl', stage.etherpad.url);
    await stage.world.configure('authCasSettings', cas.settings({ defaultLang: 'en' }));
    await stage.world.configure('authMethod', 'cas');
  });

  after(async () => {
    await stage.world.configure('authMethod', 'internal');
    await stage.world.configure('rootUrl', '');
    await cas.stop();
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function at(place: string) {
    now = await visitor(stage);
    await now.open(place);
    return now.page;
  }
  type Page = Visitor['page'];
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const present = (user: string): void =>
    cas.present({
      user,
      attributes: { email: `${user}@example.org`, firstname: 'Cas', lastname: 'Person' },
    });

  it('leads to the CAS server and back to the place that was asked for, with no ticket in the address', async () => {
    present('casey');
    const page = await at('/mybookmarks');
    await heading(page, 'Bookmarks').waitFor();
    expect(page.url()).to.equal(`${stage.etherpad.url}/mypads/?/mybookmarks`);
    await page.getByRole('button', { name: 'Cas Person' }).waitFor();
    await now?.open('/myprofile');
    await page.getByText('These are managed by the sign-in service of your organisation.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Change password' }).count()).to.equal(0);
    expect(await page.getByLabel('First name').count()).to.equal(0);
    await page.getByLabel('Organisation').fill('School');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your profile was saved.').waitFor();
  });

  it('signs out at the CAS server too, and a removed account is not made again', async () => {
    present('leaver');
    const page = await at('/myprofile');
    await page.getByRole('button', { name: 'Remove my account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
    await page.getByText('You have signed out.').waitFor();
    expect(page.url()).to.contain('/cas/logout');
    present('casey');
    await now?.open('/mypads');
    await heading(page, 'Folders').waitFor();
    await page.getByRole('button', { name: 'Cas Person' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
  });

  it('that fails says why, and can be tried again', async () => {
    const page = await at('/login?ticket=ST-nonsense');
    await page.getByText('The sign-in service did not confirm who you are.').waitFor();
    expect(page.url()).to.equal(`${stage.etherpad.url}/mypads/?/login`);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    present('casey');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Folders').waitFor();
  });

  it('waits for the button where there is a message to read', async () => {
    present('casey');
    await stage.world.configure('loginMsg', { en: 'Closed on <b>Sunday</b>.' });
    try {
      const page = await at('/login');
      await page.getByText('Closed on Sunday.').waitFor();
      await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click();
      await heading(page, 'Folders').waitFor();
    } finally {
      await stage.world.configure('loginMsg', {});
    }
  });

  it('with a directory offers neither registration nor another password', async () => {
    const before = await stage.etherpad.api('GET', 'configuration');
    expect(before.body).to.include({ auth: false });
    await stage.world.configure('authMethod', 'ldap');
    try {
      const page = await at('/login');
      await page.getByLabel('Login or e-mail').waitFor();
      expect(await page.getByRole('link', { name: /Register|Forgotten/ }).count()).to.equal(0);
      await now?.open('/passrecover');
      await page.getByText('Passwords are managed elsewhere, not on this server.').waitFor();
      await now?.open('/subscribe');
      await page.getByText('Registration is closed').waitFor();
    } finally {
      await stage.world.configure('authMethod', 'cas');
    }
  });
});
