/** The administration: signing in, settings, users, lists. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import texts from '../../locales/en.json';
import {
  accessibilityProblems,
  onStage,
  type Stage,
  sidewaysScroll,
  type Visitor,
  visitor,
} from '../support/browser';
import { startCasServer } from '../support/casServer';
import { signInAtAdmin } from '../support/etherpad';
import { type Person, password } from '../support/hostWorld';
import { closedPort, startSmtpServer } from '../support/smtpServer';

describe('the administration', function () {
  this.timeout(90_000);
  let stage: Stage;
  let ann: Person;
  let token = '';
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    ann = await stage.world.person('ann');
    const { name: login, password: secret } = stage.etherpad.admin;
    const answer = await stage.etherpad.api('POST', 'auth/admin/login', {
      body: { login, password: secret },
    });
    token = (answer.body as { token: string }).token;
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  /** An administrator who is signed in, and perhaps a person too. */
  async function at(place: string, options: Parameters<typeof visitor>[1] = {}): Promise<Page> {
    now = await visitor(stage, options);
    await now.page.addInitScript((value) => {
      if (window.parent === window) localStorage.setItem('admToken', value);
    }, token);
    await now.open(place);
    return now.page;
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const setting = async (key: string): Promise<unknown> =>
    ((await stage.etherpad.api('GET', `configuration/${key}`, { token })).body as { value: unknown }).value;

  it('is only for administrators of Etherpad, and keeps people signed in as themselves', async () => {
    now = await visitor(stage, { as: ann });
    const { page } = now;
    await now.open('/mypads');
    await page.getByRole('button', { name: /ann Test/ }).click();
    await page.getByRole('menuitem', { name: 'Administration' }).click();
    await heading(page, 'Administration');
    expect(await page.getByRole('navigation').count()).to.equal(0);
    await page.getByLabel('Etherpad account').fill(ann.login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Login and password do not match.').waitFor();
    await page.getByLabel('Etherpad account').fill(stage.etherpad.admin.name);
    await page.getByLabel('Password', { exact: true }).fill(stage.etherpad.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Settings');
    expect(await page.title()).to.equal('Settings | MyPads');
    await now.open('/mypads');
    await heading(page, 'Folders');
    await now.open('/admin/logout');
    await page.getByText('You have left the administration.').waitFor();
    await heading(page, 'Folders');
    await now.open('/admin/users');
    await page.getByLabel('Etherpad account').waitFor();
  });

  it('needs no password from somebody who is signed in at Etherpad’s own administration', async () => {
    const { etherpad } = stage;
    const { name, password: secret } = etherpad.admin;
    const [cookie = ''] = (await signInAtAdmin(etherpad, name, secret)).split('; ');
    const [key = '', ...value] = cookie.split('=');
    now = await visitor(stage);
    await now.page.context().addCookies([{ name: key, value: value.join('='), url: etherpad.url }]);
    await now.open('/admin/numbers');
    await now.page.getByRole('button', { name: `Continue as ${name}` }).click();
    await heading(now.page, 'Numbers');
  });

  it('is linked for everybody, or only for those whom a setting names', async () => {
    try {
      await stage.world.configure('userLoginsAsAdmin', ['somebody-else']);
      now = await visitor(stage, { as: ann });
      await now.open('/mypads');
      await now.page.getByRole('button', { name: /ann Test/ }).click();
      await now.page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await now.page.getByRole('menuitem', { name: 'Administration' }).count()).to.equal(0);
      await now.close();
      now = await visitor(stage);
      await now.open('/login');
      await now.page.getByLabel('Password', { exact: true }).waitFor();
      expect(await now.page.getByRole('link', { name: 'Administration' }).count()).to.equal(0);
      await stage.world.configure('userLoginsAsAdmin', []);
      await now.open('/login');
      await now.page.getByRole('link', { name: 'Administration' }).click();
      await now.page.getByLabel('Etherpad account').waitFor();
    } finally {
      await stage.world.configure('userLoginsAsAdmin', []);
    }
  });

  it('a setting is saved by itself; one that is refused says why and keeps what was typed', async () => {
    const page = await at('/admin');
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('length pass');
    await page.getByText('2 settings').waitFor();
    const least = page.getByRole('textbox', { name: 'Minimum length of passwords' });
    await least.fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('Not saved. Type a whole number from 1 to 1000.').waitFor();
    expect(await least.inputValue()).to.equal('0');
    await least.fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved. The minimum must not be larger than the maximum.').waitFor();
    await least.fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await setting('passwordMin')).to.equal(9);
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('button', { name: 'Reset to default' }).waitFor({ state: 'detached' });
    expect(await setting('passwordMin')).to.equal(8);
  });

  it('a switch acts at once, and a title shows everywhere', async () => {
    const page = await at('/admin?q=title');
    const title = page.getByRole('textbox', { name: 'Name of this server' });
    await title.fill('Our pads');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to Our pads' }).waitFor();
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('link', { name: 'Back to MyPads' }).waitFor();
    await page.getByRole('searchbox').fill('explanations');
    await page.getByLabel('Hide explanations').check();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await setting('hideHelpBlocks')).to.equal(true);
    await page.getByLabel('Hide explanations').uncheck();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await setting('hideHelpBlocks')).to.equal(false);
  });

  it('the message above the sign-in is written by language, with a preview', async () => {
    const page = await at('/admin?q=message above');
    await page.getByLabel('Message above the sign-in').last().fill('<p>Ask <b>the desk</b>.</p>');
    await page.getByRole('region', { name: 'Preview' }).getByText('Ask the desk.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await setting('loginMsg')).to.include({ en: '<p>Ask <b>the desk</b>.</p>' });
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('region', { name: 'Preview' }).waitFor({ state: 'detached' });
  });

  it('the settings of a service are fields or JSON; broken JSON stays on the screen', async () => {
    const page = await at('/admin?q=cas');
    await page.getByText('Sign-on server (CAS)').first().click();
    await page.getByLabel('Address of the server').fill('nowhere');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('serverUrl is not of the form https://host/path').first().waitFor();
    const cas = await startCasServer();
    await stage.world.configure('rootUrl', stage.etherpad.url);
    await page.getByLabel('Address of the server').fill(cas.url);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('It works with these settings.').waitFor();
    await cas.stop();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/It does not work with these settings:.*ECONNREFUSED/).waitFor();
    await stage.etherpad.api('DELETE', 'configuration/rootUrl', { token });
    await page.getByLabel('Address of the server').fill('https://cas.test/cas');
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = page.getByLabel('All settings as JSON');
    const typed = (await json.inputValue()).replace('"protocolVersion": 3', '"protocolVersion": 2');
    await json.fill(`${typed},`);
    await page.getByText('This is not a JSON object yet.').waitFor();
    await json.fill(typed);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await setting('authCasSettings')).to.include({
      serverUrl: 'https://cas.test/cas',
      protocolVersion: 2,
    });
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('button', { name: 'Reset to default' }).waitFor({ state: 'detached' });
  });

  it('a test mail says why it was not sent, and what the mail server said', async () => {
    const mail = await startSmtpServer();
    const values = {
      rootUrl: stage.etherpad.url,
      SMTPHost: '127.0.0.1',
      SMTPPort: await closedPort(),
      SMTPTLS: false,
      SMTPEmailFrom: 'pads@example.org',
      mailContact: 'help@example.org',
    };
    try {
      for (const [key, value] of Object.entries(values)) await stage.world.configure(key, value);
      const page = await at('/admin?q=SMTP');
      const to = page.getByRole('textbox', { name: 'Send a test mail to' });
      expect(await to.inputValue()).to.equal('help@example.org');
      await to.fill('ada,bob@example.org');
      await page.getByRole('button', { name: 'Send test mail' }).click();
      await page.getByText(texts['BACKEND.ERROR.TYPE.MAIL']).waitFor();
      await to.fill('ada@example.org');
      await page.getByRole('button', { name: 'Send test mail' }).click();
      await page.getByText(/Not sent\. The mail server cannot be reached.*ECONNREFUSED/).waitFor();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await stage.world.configure('SMTPPort', mail.port);
      await page.getByRole('button', { name: 'Send test mail' }).click();
      await page.getByText(/127\.0\.0\.1 accepted the mail: 250/).waitFor();
      expect((await mail.next()).to).to.deep.equal(['ada@example.org']);
    } finally {
      await mail.close();
      for (const key of Object.keys(values)) {
        await stage.etherpad.api('DELETE', `configuration/${key}`, { token });
      }
    }
  });

  it('the checkup shows the worst first, says how to mend it, and runs again', async () => {
    try {
      await stage.world.configure('rootUrl', 'https://elsewhere.example');
      const page = await at('/admin/checkup');
      const first = page.getByRole('main').getByRole('listitem').first();
      await first.getByRole('heading', { name: 'Address Problem' }).waitFor();
      await first.getByText('If people use').waitFor();
      for (const good of ['Cookies Good', 'Connection of the editor Good', 'Records Good', 'Proxy Good']) {
        await page.getByRole('heading', { name: good }).waitFor();
      }
      await first.getByRole('link', { name: 'Go to the setting' }).click();
      await page.getByRole('textbox', { name: 'Address', exact: true }).fill(stage.etherpad.url);
      await page.keyboard.press('Enter');
      await page.getByText('Saved', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Checkup' }).click();
      await page.getByRole('heading', { name: 'Address Good' }).waitFor();
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.getByRole('button', { name: 'Run again', disabled: false }).waitFor();
    } finally {
      await stage.etherpad.api('DELETE', 'configuration/rootUrl', { token });
    }
  });

  it('the log tells who did what, and leads to it', async () => {
    await stage.world.configure('title', 'For the log');
    await stage.etherpad.api('DELETE', 'configuration/title', { token });
    const page = await at('/admin/log');
    const entry = page.getByRole('main').getByRole('listitem').first();
    await entry.getByText('Setting reset to default').waitFor();
    await entry.getByText(stage.etherpad.admin.name, { exact: true }).waitFor();
    await entry.getByRole('link', { name: 'Name of this server' }).click();
    await page.getByRole('textbox', { name: 'Name of this server' }).waitFor();
  });

  it('numbers over time are small charts, and a table for those who read them', async () => {
    const days = Array.from({ length: 60 }, (_, index) => ({
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      users: 100 + index,
      active: 90 + index,
      signedIn: index < 5 ? null : 40 + (index % 7),
      groups: 20,
      pads: 300 + index * index,
    }));
    now = await visitor(stage, { screen: { width: 320, height: 800 } });
    // Two months cannot pass in a test: the answer is made up, everything else is as always.
    await now.page.route('**/api/admin/numbers', (route) => route.fulfill({ json: { days } }));
    await now.page.addInitScript((value) => localStorage.setItem('admToken', value), token);
    await now.open('/admin/numbers');
    const { page } = now;
    await page.getByRole('img', { name: 'Users: 100 on Jan 1, 2026, 159 on Mar 1, 2026' }).waitFor();
    await page.getByText('Show as a table').click();
    await page.getByRole('row', { name: 'Mar 1, 2026 159 149 43 20 3,781' }).waitFor();
    await page.getByRole('row', { name: 'Jan 1, 2026 100 90 – 20 300' }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sidewaysScroll(page), `${width} px`).to.deep.equal([]);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityProblems(page), 'dark').to.deep.equal([]);
  });

  it('a session that has ended asks again over the screen, and nothing typed is lost', async () => {
    const { name: login, password: secret } = stage.etherpad.admin;
    const page = await at('/admin/users/create');
    await page.getByLabel('Login').fill('typed');
    const kept = token;
    await stage.etherpad.api('POST', 'auth/admin/logout', { token });
    const answer = await stage.etherpad.api('POST', 'auth/admin/login', {
      body: { login, password: secret },
    });
    token = (answer.body as { token: string }).token;
    expect(token).to.not.equal(kept);
    await page.getByLabel('E-mail').fill('typed@example.org');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Etherpad account').fill(login);
    await dialog.getByLabel('Password', { exact: true }).fill(secret);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Login').inputValue()).to.equal('typed');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('The account of typed is ready.').waitFor();
  });

  it('an account is found by a part of its name, made, changed, closed, opened and removed', async () => {
    const login = `grace${Date.now() % 1e6}`;
    const page = await at('/admin/users');
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('E-mail').fill(`${login}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('Last name').fill('Hopper');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('The account of Hopper is ready.').waitFor();
    await page.getByRole('searchbox').fill(login.slice(2));
    await page.getByText('1 account', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Hopper' }).click();
    await page.getByLabel('First name').fill('Grace');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The account of Grace Hopper was saved.').waitFor();

    await page.getByRole('searchbox').fill(login);
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Close account' }).click();
    await page.getByText('Closed', { exact: true }).last().waitFor();
    const refused = await stage.etherpad.api('POST', 'auth/login', { body: { login, password } });
    expect(refused.status).to.equal(401);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The account of Grace Hopper is open.').waitFor();

    const grace = { login, ...(await stage.world.signIn(login)) };
    const group = await stage.world.group(grace, { name: 'Only hers' });
    await stage.world.pad(grace, group, { name: 'One' });
    await now?.open(`/admin/users/${login}/remove`);
    const dialog = page.getByRole('dialog', { name: 'Remove the account of Grace Hopper?' });
    await dialog.getByText('1 folder that nobody else administers is removed too.').waitFor();
    await dialog.getByText('1 pad and its text are removed for good.').waitFor();
    await dialog.getByText('Only hers').waitFor();
    await dialog.getByRole('button', { name: 'Remove account' }).click();
    await page.getByText('The account of Grace Hopper was removed.').waitFor();
    const gone = await stage.etherpad.api('GET', `user/${login}`, { token });
    expect(gone.status).to.equal(404);
  });

  it('lists all folders and their pads, and counts them', async () => {
    const group = await stage.world.group(ann, { name: 'Annual fair', visibility: 'public' });
    await stage.world.pad(ann, group, { name: 'Stalls' });
    const page = await at('/admin/folders?q=annual');
    await page.getByText('1 folder', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Annual fair' }).click();
    await heading(page, 'Pads in “Annual fair”');
    await page.getByRole('link', { name: 'Stalls' }).waitFor();
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('link', { name: /Active users/ }).click();
    await heading(page, 'Users');
    await page.getByRole('button', { name: 'Active', pressed: true }).waitFor();
  });
});
