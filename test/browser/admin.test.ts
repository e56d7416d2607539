/** The administration: signing in, health check, statistics, activity. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import texts from '../../locales/en.json';
import {
  accessibilityProblems,
  contrastProblems,
  heading,
  problemsEverywhere,
  sidewaysScroll,
  untilTitle,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { signInAtAdmin } from '../support/etherpad';
import { password } from '../support/hostFixture';
import { startSmtpServer } from '../support/smtpServer';
import { until } from '../support/waiting';

describe('the administration', function () {
  this.timeout(90_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let token = '';

  before(async () => {
    token = await app.signInAsAdmin();
  });

  /** Opens a path as an administrator. */
  const open = (path: string, options: WindowOptions = {}): Promise<Page> =>
    app.open(path, { adminToken: token, ...options });

  it('is only for administrators of Etherpad, and keeps people signed in as themselves', async () => {
    const page = await app.open('/mypads', { as: ann });
    await page.getByRole('button', { name: /ann Test/ }).click();
    await page.getByRole('menuitem', { name: 'Administration' }).click();
    await heading(page, 'Administration').waitFor();
    expect(await page.getByRole('navigation').count()).to.equal(0);
    await page.getByLabel('Etherpad account').fill(ann.login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Username and password do not match.').waitFor();
    await page.getByLabel('Etherpad account').fill(app.etherpad.admin.name);
    await page.getByLabel('Password', { exact: true }).fill(app.etherpad.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Settings').waitFor();
    await untilTitle(page, 'Settings | MyPads');
    await page.getByRole('button', { name: `${app.etherpad.admin.name} Server administrator` }).waitFor();
    await app.goTo('/mypads');
    await heading(page, 'Folders').waitFor();
    await app.goTo('/admin/logout');
    await page.getByText('You have left the administration.').waitFor();
    await heading(page, 'Folders').waitFor();
    await app.goTo('/admin/users');
    await page.getByLabel('Etherpad account').waitFor();
  });

  it('needs no password from somebody who is signed in at Etherpad’s own administration', async () => {
    const { etherpad } = app;
    const { name, password: secret } = etherpad.admin;
    const [cookie = ''] = (await signInAtAdmin(etherpad, name, secret)).split('; ');
    const [key = '', ...value] = cookie.split('=');
    const { page } = await app.window();
    await page.context().addCookies([{ name: key, value: value.join('='), url: etherpad.url }]);
    await app.goTo('/admin/numbers');
    await page.getByRole('button', { name: `Continue as ${name}` }).click();
    await heading(page, 'Statistics').waitFor();
  });

  it('is linked for everybody, or only for the people whom a setting names', async () => {
    try {
      await app.fixture.configure('userLoginsAsAdmin', ['somebody-else']);
      const anns = await app.open('/mypads', { as: ann });
      await anns.getByRole('button', { name: /ann Test/ }).click();
      await anns.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await anns.getByRole('menuitem', { name: 'Administration' }).count()).to.equal(0);
      const page = await app.open('/login');
      await page.getByLabel('Password', { exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'Administration' }).count()).to.equal(0);
      await app.fixture.configure('userLoginsAsAdmin', []);
      await app.goTo('/login');
      await page.getByRole('link', { name: 'Administration' }).click();
      await page.getByLabel('Etherpad account').waitFor();
    } finally {
      await app.fixture.configure('userLoginsAsAdmin', []);
    }
  });

  it('the checkup shows the worst problem first, says how to solve it, and runs again', async () => {
    try {
      await app.fixture.configure('rootUrl', 'https://elsewhere.example');
      const page = await open('/admin/checkup');
      const first = page.getByRole('main').getByRole('listitem').first();
      await first.getByRole('heading', { name: 'Address Problem' }).waitFor();
      await first.getByText('If people use').waitFor();
      const summary = page.getByRole('main').getByRole('status');
      // Etherpad's embedded database is a warning.
      await summary.getByText(/^1 problem and [1-9]\d* warnings?$/).waitFor();
      for (const good of ['Cookies Good', 'Connection of the editor Good', 'Records Good', 'Proxy Good']) {
        await page.getByRole('heading', { name: good, exact: true }).waitFor();
      }
      await first.getByRole('link', { name: 'Go to the setting' }).click();
      await page.getByRole('textbox', { name: 'Address', exact: true }).fill(app.etherpad.url);
      await page.keyboard.press('Enter');
      await page.getByText('Saved', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Health check' }).click();
      await page.getByRole('heading', { name: 'Address Good' }).waitFor();
      await page.getByRole('button', { name: 'Run again', exact: true }).click();
      await page.getByRole('button', { name: 'Run again', exact: true, disabled: false }).waitFor();
      await summary.getByText(/^[1-9]\d* warnings?$/).waitFor();
      await page.getByRole('button', { name: 'Build the index again' }).click();
      await page.getByText('The index is being built again').waitFor();
    } finally {
      await app.reset('rootUrl');
    }
  });

  it('the checkup shows work in the background, runs it again, and gives up a mail', async () => {
    const full = await startSmtpServer({ refuse: { at: 'message', code: 452, reply: '4.3.1 disk full' } });
    const mail = await startSmtpServer();
    const values = {
      rootUrl: app.etherpad.url,
      SMTPHost: '127.0.0.1',
      SMTPPort: full.port,
      SMTPTLS: false,
      SMTPEmailFrom: 'pads@example.org',
    };
    const name = 'Send a link to choose a new password';
    try {
      for (const [key, value] of Object.entries(values)) await app.fixture.configure(key, value);
      const page = await open('/admin/checkup', { screen: 'phone' });
      const section = page.getByRole('region', { name: 'Background work' });
      const job = section.getByRole('listitem').filter({ hasText: name });
      const nothing = section.getByText('Nothing is waiting, and nothing has failed.');
      const failToRecover = async (): Promise<void> => {
        await nothing.waitFor();
        const body = { email: `${ann.login}@example.org` };
        expect((await app.etherpad.api('POST', 'passrecover', { body })).status).to.equal(200);
        await until('the mail was refused', () => full.connections() > 1);
        await page.getByRole('button', { name: 'Run again', exact: true }).click();
        await job.getByText('Failed attempts: 1').waitFor();
      };
      const runAgain = job.getByRole('button', { name: `Run again: ${name}` });
      await failToRecover();
      await job.getByRole('heading', { name: `${name} Waiting` }).waitFor();
      await job.getByText(texts['admin.jobs.mailUnavailable']).waitFor();
      await job.getByText(/^Next attempt at /).waitFor();
      expect(await problemsEverywhere(page)).to.deep.equal([]);
      await runAgain.click();
      await page.getByText(`${name}: failed again`).waitFor();
      await job.getByText('Failed attempts: 2').waitFor();
      await app.fixture.configure('SMTPPort', mail.port);
      await runAgain.focus();
      await page.keyboard.press('Enter');
      await page.getByText(`${name}: finished`).waitFor();
      await mail.next(`${ann.login}@example.org`);
      await nothing.waitFor();
      await until('the heading has the focus', () =>
        page.evaluate(() => document.activeElement?.tagName === 'H1'),
      );
      await app.fixture.configure('SMTPPort', full.port);
      await failToRecover();
      await job.getByRole('button', { name: `Do not send: ${name}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Do not send this email?' });
      await dialog.waitFor();
      expect(await problemsEverywhere(page), 'asked').to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Do not send' }).click();
      await page.getByText('The email will not be sent.').waitFor();
      await nothing.waitFor();
    } finally {
      await Promise.all([full.close(), mail.close()]);
      await app.reset(...Object.keys(values));
    }
  });

  it('the checkup stops an export without a word about an email', async () => {
    const page = await open('/admin/checkup');
    const job = {
      ...{ id: 'x'.repeat(32), type: 'makeExport', begun: Date.now(), next: Date.now(), running: true },
      ...{ attempts: 0, error: null, failed: false, progress: null, canCancel: true },
    };
    let jobs = [job];
    await page.route('**/mypads/api/admin/jobs', (route) =>
      route.fulfill({ json: { jobs, count: jobs.length } }),
    );
    await page.route('**/mypads/api/admin/jobs/*', (route) => {
      jobs = [];
      return route.fulfill({ json: { success: true, key: job.id } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Stop: Make an export' }).click();
    await page.getByText('Nothing is waiting, and nothing has failed.').waitFor();
  });

  it('the log shows who did what, with a link to the setting', async () => {
    await app.fixture.configure('title', 'For the log');
    await app.reset('title');
    const page = await open('/admin/log');
    const entry = page.getByRole('main').getByRole('listitem').first();
    await entry.getByText('Setting reset to default').waitFor();
    await entry.getByText(app.etherpad.admin.name, { exact: true }).waitFor();
    await entry.getByRole('link', { name: 'Name of this server' }).click();
    await page.getByRole('textbox', { name: 'Name of this server' }).waitFor();
  });

  it('the log names what was changed as the screens do', async () => {
    const person = await app.fixture.person('noted');
    const { login } = person;
    const api = (method: string, path: string, body: object) =>
      app.etherpad.api(method, path, { token, body });
    const { key } = (await api('POST', 'group', { name: 'Noted', admin: login })).body as { key: string };
    await api('PUT', `user/${login}`, { hideHelp: true });
    await api('PUT', `group/${key}`, { allowUsersToCreatePads: true });
    await api('POST', `group/${key}/links`, {});
    const page = await open('/admin/log');
    const entries = page.getByRole('main').getByRole('listitem');
    for (const name of ['Hide hints below fields', 'Writers may create pads', 'Links'])
      await entries.getByText(name, { exact: true }).first().waitFor();
  });

  it('numbers over time are shown as small charts and as a table', async () => {
    const days = Array.from({ length: 60 }, (_, index) => ({
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      users: 100 + index,
      active: 90 + index,
      // The last one is not counted yet.
      signedIn: index < 5 || index === 59 ? null : 40 + (index % 7),
      groups: 20,
      pads: 300 + index * index,
    }));
    const { page } = await app.window({ adminToken: token, screen: { width: 320, height: 800 } });
    // Only this answer is mocked, because two months cannot pass in a test.
    await page.route('**/api/admin/numbers', (route) => route.fulfill({ json: { days } }));
    await app.goTo('/admin/numbers');
    await page.getByRole('img', { name: 'Accounts: 100 on Jan 1, 2026, 159 on Mar 1, 2026' }).waitFor();
    for (const label of [
      'Accounts',
      'Active accounts',
      'People who signed in during the last 30 days',
      'Folders',
      'Pads',
    ])
      expect(await page.locator('main').getByText(label, { exact: true }).count(), label).to.equal(2);
    await page.getByText('Show as a table').click();
    await page.getByRole('row', { name: 'Mar 1, 2026 159 149 – 20 3,781' }).waitFor();
    await page.getByRole('row', { name: 'Jan 1, 2026 100 90 – 20 300' }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sidewaysScroll(page), `${width} px`).to.deep.equal([]);
    }
    expect(await contrastProblems(page, 'dark'), 'dark').to.deep.equal([]);
  });

  it('when the session has ended, signing in again in a dialog keeps what was typed', async () => {
    const { name: login, password: secret } = app.etherpad.admin;
    const ending = await app.signInAsAdmin();
    const page = await open('/admin/users/create', { adminToken: ending });
    await page.getByLabel('Username').fill('typed');
    await app.etherpad.api('POST', 'auth/admin/logout', { token: ending });
    await page.getByLabel('Email', { exact: true }).fill('typed@example.org');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await dialog.getByLabel('Etherpad account').fill('nobody');
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').getByText(/./).first().waitFor();
    expect(await problemsEverywhere(page), 'refused').to.deep.equal([]);
    await dialog.getByLabel('Etherpad account').fill(login);
    await dialog.getByLabel('Password', { exact: true }).fill(secret);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Username').inputValue()).to.equal('typed');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('The account of typed is ready.').waitFor();
  });
});
