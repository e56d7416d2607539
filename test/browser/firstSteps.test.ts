/** The first steps of an administrator on a fresh server. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { firstSteps } from '../../model/settings/firstSteps';
import { heading, untilFocused, useApp } from '../support/browser';
import { startSmtpServer } from '../support/smtpServer';

describe('the first steps', function () {
  this.timeout(90_000);
  const app = useApp();
  let token = '';
  const mailKeys = ['SMTPHost', 'SMTPPort', 'SMTPTLS', 'SMTPEmailFrom'];
  const changed = ['rootUrl', ...mailKeys, 'openRegistration', 'authMethod'];

  before(async () => {
    token = await app.signInAsAdmin();
  });

  beforeEach(async () => {
    await app.reset(...changed);
    await app.fixture.configure('firstSteps', []);
  });

  after(async () => {
    await app.reset(...changed);
    await app.fixture.configure('firstSteps', firstSteps);
  });

  const open = (path: string): Promise<Page> => app.open(path, { adminToken: token });

  const step = (page: Page, name: string) => page.getByRole('button', { name, expanded: true });
  /** Shows a server without folders, although other tests of this process have created some. */
  const withoutFolders = (page: Page) => withNumbers(page, { users: 0, groups: 0 });
  const withNumbers = (page: Page, numbers: { users: number; groups: number }) =>
    page.route('**/api/stats/stats.json*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...numbers } });
    });

  it('do not switch to a sign-on server before its settings are saved', async () => {
    await app.fixture.configure('rootUrl', app.etherpad.url);
    // Tests of the same server may have stored some before.
    await app.reset('authMethod', 'authCasSettings');
    const page = await open('/admin/first-steps');
    await page.getByRole('button', { name: 'Who gets an account' }).click();
    await page.getByText('Single sign-on (CAS)').click();
    await page
      .getByRole('alert')
      .getByText('First save the complete settings of this sign-in service')
      .waitFor();
    expect(await app.setting('authMethod')).to.equal('internal');
    await page.getByLabel('Address of the server').fill('https://sso.example.org/cas');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('First save the complete settings').waitFor({ state: 'hidden' });
    expect(await app.setting('authMethod')).to.equal('cas');
    await app.reset('authMethod', 'authCasSettings');
  });

  it('store the last of two quick choices who gets an account', async () => {
    const page = await open('/admin/first-steps?step=accounts');
    await page.route(
      '**/api/configuration/authMethod',
      async (route) => {
        // The answer to the first choice is late.
        await new Promise((done) => setTimeout(done, 1_000));
        await route.continue();
      },
      { times: 1 },
    );
    const last = page.waitForResponse(
      (response) => response.request().postData() === JSON.stringify({ value: true }),
      { timeout: 10_000 },
    );
    await page.getByText('Administrators create accounts').click();
    await page.getByText('People register').click();
    await last;
    expect(await app.setting('openRegistration')).to.equal(true);
    expect(await page.getByRole('radio', { name: 'People register' }).isChecked()).to.equal(true);
  });

  it('do not undo what a colleague has done in another window', async () => {
    const page = await open('/admin/first-steps?step=mail');
    await step(page, 'Email').waitFor();
    await app.fixture.configure('firstSteps', ['address']);
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await page.getByText('Someone else has changed this').waitFor();
    expect(await app.setting('firstSteps')).to.deep.equal(['address']);
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await step(page, 'Who gets an account').waitFor();
    expect(await app.setting('firstSteps')).to.deep.equal(['address', 'mail']);

    await app.goTo('/admin/first-steps?step=address');
    const use = page.getByRole('button', { name: `Use ${app.etherpad.url}` });
    await use.waitFor();
    await app.fixture.configure('rootUrl', 'https://pads.example.org');
    await use.click();
    await use.waitFor({ state: 'hidden' });
    expect(await app.setting('rootUrl')).to.equal('https://pads.example.org');
  });

  it('open for the administrator of a new server, and lead from one step to the next', async () => {
    const page = await open('/nowhere');
    await withoutFolders(page);
    await app.goTo('/admin');
    await heading(page, 'First steps').waitFor();
    await step(page, 'Address of this server').waitFor();
    await page.getByRole('button', { name: `Use ${app.etherpad.url}` }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await app.setting('rootUrl')).to.equal(app.etherpad.url);

    await step(page, 'Email').waitFor();
    await page.getByRole('button', { name: 'Skip this step' }).click();

    await step(page, 'Who gets an account').waitFor();
    await page.getByText('Administrators create accounts').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await step(page, 'The first folder').waitFor();
    expect(await app.setting('openRegistration')).to.equal(false);
    await page.getByRole('link', { name: 'New account' }).click();
    await heading(page, 'New account').waitFor();
    await page.getByRole('link', { name: 'First steps' }).click();
    await step(page, 'The first folder').waitFor();
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await page.getByText('This server is ready').waitFor();
    expect(await page.getByRole('link', { name: 'First steps', exact: true }).count()).to.equal(0);
    expect(await app.setting('firstSteps')).to.have.members([...firstSteps]);

    await page.getByRole('link', { name: 'Settings' }).first().click();
    await heading(page, 'Settings').waitFor();
  });

  it('open also when the address is set already, until one step is finished or skipped', async () => {
    await app.fixture.configure('rootUrl', app.etherpad.url);
    const page = await open('/nowhere');
    await withNumbers(page, { users: 1, groups: 0 });
    await app.goTo('/admin');
    await heading(page, 'First steps').waitFor();
    await step(page, 'Email').waitFor();
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await step(page, 'Who gets an account').waitFor();
    await app.goTo('/admin');
    await heading(page, 'Settings').waitFor();
    await page.getByRole('link', { name: /First steps\s*2/ }).waitFor();
    expect(await heading(page, 'Settings').count()).to.equal(1);
  });

  it('send a test email with what was typed, which is saved, and do not lose it', async () => {
    const mail = await startSmtpServer();
    try {
      await app.fixture.configure('rootUrl', app.etherpad.url);
      await app.fixture.configure('SMTPTLS', false);
      const page = await open('/admin/first-steps?step=mail');
      const field = (name: string) => page.getByRole('textbox', { name, exact: true });
      const send = page.getByRole('button', { name: 'Send test email' });
      await field('Mail server').fill('127.0.0.1');
      await field('Port').fill('many');
      await field('Sender’s address').fill('pads@example.org');
      await field('Send a test email to').fill('ada@example.org');
      await send.click();
      await untilFocused(field('Port'));
      expect(await app.setting('SMTPEmailFrom')).to.equal(undefined);
      await page.getByRole('button', { name: 'Skip this step' }).click();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await field('Port').fill(String(mail.port));
      await send.click();
      await page.getByText(/127\.0\.0\.1 accepted the email: 250/).waitFor();
      expect((await mail.next('ada@example.org')).from).to.equal('pads@example.org');
      await field('Sender’s address').fill('other@example.org');
      await page.getByRole('button', { name: 'Continue' }).click();
      await step(page, 'Who gets an account').waitFor();
      expect(await app.setting('SMTPEmailFrom')).to.equal('other@example.org');
    } finally {
      await mail.close();
    }
  });

  it('can be left, and stay in the navigation', async () => {
    const page = await open('/nowhere');
    await withoutFolders(page);
    await app.goTo('/admin');
    await heading(page, 'First steps').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Settings').waitFor();
    await page.getByRole('link', { name: /First steps\s*4/ }).click();
    await page.getByRole('button', { name: 'Email To do' }).click();
    await page.getByRole('textbox', { name: 'Mail server', exact: true }).waitFor();
    expect(new URL(page.url()).search).to.contain('step=mail');
    await page.reload();
    await step(page, 'Email').waitFor();
  });

  it('show what is done already, and do not open on a server that is in use', async () => {
    await app.fixture.configure('rootUrl', app.etherpad.url);
    const page = await open('/nowhere');
    await withNumbers(page, { users: 40, groups: 0 });
    await app.goTo('/admin');
    await heading(page, 'Settings').waitFor();
    await page.getByRole('link', { name: 'First steps' }).click();
    await page.getByRole('button', { name: 'Address of this server Done' }).waitFor();
    await step(page, 'Email').waitFor();
  });

  it('are not in the public configuration', async () => {
    const { body } = await app.etherpad.api('GET', 'configuration', {});
    expect(JSON.stringify(body)).not.to.contain('firstSteps');
  });
});
