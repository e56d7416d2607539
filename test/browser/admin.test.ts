/** The administration: signing in, users, lists, checkup, log. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AdminLocksAnswer } from '../../api/admin/schema';
import texts from '../../locales/en.json';
import {
  accessibilityProblems,
  contrastProblems,
  heading,
  hold,
  problemsEverywhere,
  sidewaysScroll,
  untilFocused,
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

  it('shows who is locked out, and lets them in again', async () => {
    const bob = await app.fixture.person('bob');
    const signIn = async (secret: string) =>
      (await app.etherpad.api('POST', 'auth/login', { body: { login: bob.login, password: secret } })).status;
    while ((await signIn('a guess')) !== 429);
    const page = await open('/admin/users', { screen: 'phone' });
    const section = page.getByRole('region', { name: 'Locked out now: 1' });
    await section.getByText(bob.login).waitFor();
    await section.getByText('Sign-in', { exact: true }).waitFor();
    await section.getByText('127.0.0.1').waitFor();
    await section.getByText(/^Attempts: \d+$/).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await section.getByRole('button', { name: `Lift limit: ${bob.login}` }).click();
    await page.getByText(`The limit for ${bob.login} was lifted.`).waitFor();
    await section.waitFor({ state: 'detached' });
    await untilFocused(heading(page, 'Accounts'));
    expect(await signIn(password)).to.equal(200);
    await app.goTo('/admin/log');
    await page.getByText('Limit lifted').waitFor();
  });

  it('shows nobody as locked out whose limit has ended meanwhile', async () => {
    const bob = await app.fixture.person('bob');
    const body = { login: bob.login, password: 'a guess' };
    while ((await app.etherpad.api('POST', 'auth/login', { body })).status !== 429);
    const page = await open('/admin/users');
    const lift = page.getByRole('button', { name: `Lift limit: ${bob.login}` });
    await lift.waitFor();
    const token = await app.signInAsAdmin();
    const { locks } = (await app.etherpad.api('GET', 'admin/locks', { token })).body as AdminLocksAnswer;
    for (const { id } of locks) await app.etherpad.api('DELETE', `admin/locks/${id}`, { token });
    await lift.waitFor({ state: 'detached' });
  });

  it('takes a limit for lifted that a colleague has lifted meanwhile', async () => {
    const bob = await app.fixture.person('bob');
    const body = { login: bob.login, password: 'a guess' };
    while ((await app.etherpad.api('POST', 'auth/login', { body })).status !== 429);
    const page = await open('/admin/users');
    const lift = page.getByRole('button', { name: `Lift limit: ${bob.login}` });
    await lift.waitFor();
    const answer = await hold(page, '**/api/admin/locks');
    const { locks } = (await app.etherpad.api('GET', 'admin/locks', { token })).body as AdminLocksAnswer;
    for (const { id } of locks) await app.etherpad.api('DELETE', `admin/locks/${id}`, { token });
    const asked = page.waitForRequest('**/api/admin/locks/*');
    await lift.click();
    await asked;
    answer();
    await page.getByText(`The limit for ${bob.login} was lifted.`).waitFor();
    await lift.waitFor({ state: 'detached' });
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

  it('an account is found by a part of its name, made, changed, closed, opened and removed', async () => {
    const login = `grace${Date.now() % 1e6}`;
    const page = await open('/admin/users');
    await page.getByRole('link', { name: 'New account' }).click();
    await page.getByLabel('Username').fill(login);
    await page.getByLabel('Email', { exact: true }).fill(`${login}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('Last name').fill('Hopper');
    await page.getByLabel('Colour').fill('#2266aa');
    await page.getByLabel('Hide hints below fields').check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('The account of Hopper is ready.').waitFor();
    await page.getByRole('searchbox').fill(login.slice(2));
    await page.getByText('1 account', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Hopper' }).click();
    expect(await page.getByLabel('Hide hints below fields').isChecked()).to.equal(true);
    expect(await page.getByLabel('Colour').inputValue()).to.equal('#2266aa');
    await page.getByLabel('First name').fill('Grace');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The account of Grace Hopper was saved.').waitFor();

    await page.getByRole('searchbox').fill(login);
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Close account' }).click();
    await page.getByText('Closed', { exact: true }).last().waitFor();
    const refused = await app.etherpad.api('POST', 'auth/login', { body: { login, password } });
    expect(refused.status).to.equal(401);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The account of Grace Hopper was reopened.').waitFor();

    const grace = { login, ...(await app.fixture.signIn(login)) };
    const group = await app.fixture.group(grace, { name: 'Only hers' });
    await app.fixture.pad(grace, group, { name: 'One' });
    await app.fixture.invite(grace, group, [(await app.fixture.person('member')).login]);
    await app.goTo(`/admin/users/${login}/remove`);
    const dialog = page.getByRole('dialog', { name: 'Delete the account of Grace Hopper?' });
    await dialog.getByText('1 folder that nobody else manages will be deleted too.').waitFor();
    await dialog.getByText('1 pad and its text will be deleted for good.').waitFor();
    await dialog.getByText('Only hers – 1 other person will lose access.').waitFor();
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The account of Grace Hopper was deleted.').waitFor();
    const gone = await app.etherpad.api('GET', `user/${login}`, { token });
    expect(gone.status).to.equal(404);
  });

  it('a limit that lasts until tomorrow says so, and the list that it does not have all', async () => {
    const page = await open('/admin/log');
    const lock = { id: 'x', limit: 'invitationMailbox', address: null, object: null, knownBrowser: false };
    const until = Date.now() + 86_400_000;
    await page.route('**/mypads/api/admin/locks', (route) =>
      route.fulfill({ json: { locks: [{ ...lock, tries: 4, until }], count: 3 } }),
    );
    await app.goTo('/admin/users');
    await page.getByText(/^until .* 20\d\d, /).waitFor();
    await page.getByRole('region', { name: 'Locked out now: 3' }).getByText('and 2 more').waitFor();
  });

  it('a new account says of a username with invisible letters that it cannot be used', async () => {
    const page = await open('/admin/users/create');
    for (const path of ['/admin/users/create', '/subscribe']) {
      await app.goTo(path);
      await page.getByLabel('Username').fill('in\u200bvisible');
      await page.getByRole('textbox', { name: 'Email' }).fill('invisible@example.org');
      for (const field of await page.locator('input[type=password]').all()) await field.fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('This username cannot be used.').first().waitFor();
    }
  });

  it('a new account gets a password as long as the server cannot send a link', async () => {
    await app.fixture.configure('SMTPHost', '127.0.0.1');
    await app.fixture.configure('SMTPEmailFrom', 'pads@example.org');
    try {
      const page = await open('/admin/users/create');
      await page.getByRole('radio', { name: 'With a password that you set', checked: true }).waitFor();
    } finally {
      await app.reset('SMTPHost', 'SMTPEmailFrom');
    }
  });

  it('an account that a colleague has removed leaves the list when something is done with it', async () => {
    const { login } = await app.fixture.person('joy');
    const page = await open(`/admin/users?q=${login}`);
    await page.getByText('1 account', { exact: true }).waitFor();
    await app.etherpad.api('DELETE', `user/${login}`, { token, body: {} });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Close account' }).click();
    await page.getByText(texts['admin.list.nothing']).waitFor({ timeout: 10_000 });
  });

  it('an account that a colleague has removed cannot be asked about, and leaves the list', async () => {
    const { login } = await app.fixture.person('kim');
    const page = await open(`/admin/users?q=${login}`);
    await page.getByText('1 account', { exact: true }).waitFor();
    await app.etherpad.api('DELETE', `user/${login}`, { token, body: {} });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete account' }).click();
    await page.getByText('The account of kim Test was deleted.').waitFor();
    await page.getByText(texts['admin.list.nothing']).waitFor({ timeout: 10_000 });
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('leads from an account and from the pads of a folder back to the list as it was shown', async () => {
    const person = await app.fixture.person('back');
    await app.fixture.group(person, { name: 'Way back' });
    const page = await open('/admin/users');
    const list = `/admin/users&q=${person.login}&sort=created&order=desc`;
    const isBack = (): Promise<void> => page.waitForURL(`**/?${list}`);
    const leave: (() => Promise<void>)[] = [
      () => page.getByRole('link', { name: 'Cancel' }).click(),
      () => page.getByRole('navigation', { name: 'You are here' }).getByRole('link').click(),
      async () => {
        await page.getByLabel(/^Organisation/).fill('Choir');
        await page.getByRole('button', { name: 'Save changes' }).click();
      },
    ];
    for (const way of leave) {
      await app.goTo(list);
      await page.getByRole('link', { name: 'back Test' }).click();
      await page.getByLabel(/^Organisation/).waitFor();
      await way();
      await isBack();
    }
    await app.goTo('/admin/folders&q=way+back');
    await page.getByRole('link', { name: 'Way back' }).click();
    await heading(page, 'Pads in “Way back”').waitFor();
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link').click();
    await heading(page, 'All folders').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).to.equal('way back');
  });

  it('an account keeps what was typed in its form when it is closed by the menu', async () => {
    const { login } = await app.fixture.person('ivy');
    const page = await open(`/admin/users/${login}/edit`);
    await page.getByLabel('Organisation').fill('School of music');
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Close account' }).click();
    await page.getByText('Closed', { exact: true }).waitFor();
    expect(await page.getByLabel('Organisation').inputValue()).to.equal('School of music');
    expect(await page.getByLabel(texts['admin.users.active']).isChecked()).to.equal(false);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(/The account of .* was saved\./).waitFor();
    const { body } = await app.etherpad.api('GET', `user/${login}`, { token });
    expect((body as { value: object }).value).to.deep.include({
      organization: 'School of music',
      active: false,
    });
  });

  it('a new account says why its form cannot be loaded', async () => {
    const page = await open('/admin/log');
    await page.route('**/api/admin/settings', (route) =>
      route.fulfill({ status: 500, json: { error: 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE' } }),
    );
    await app.goTo('/admin/users/create');
    await page.getByText('The settings could not be loaded').waitFor();
    await page.unroute('**/api/admin/settings');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Username').waitFor();
  });

  it('an account can be removed as soon as the question says what is removed with it', async () => {
    const { login } = await app.fixture.person('slow');
    const page = await open('/admin/users');
    const answer = await hold(page, /\/api\/user\/.*\?preview=true/);
    await app.goTo(`/admin/users/${login}/remove`);
    const dialog = page.getByRole('dialog', { name: /^Delete the account of/ });
    await dialog.getByRole('button', { name: 'Delete account', disabled: true }).waitFor();
    answer();
    const button = dialog.getByRole('button', { name: 'Delete account', disabled: false });
    await button.waitFor();
    expect(await dialog.getByText('No folder will be deleted with it.').isVisible()).to.equal(true);
    await button.click();
    await page.getByText('The account of slow Test was deleted.').waitFor();
  });

  it('an account is not deleted with folders that the question has not shown: it shows them, and asks again', async () => {
    const [one, other] = [await app.fixture.person('one'), await app.fixture.person('other')];
    const group = await app.fixture.group(one, { name: 'Of both' });
    const both = { gid: group, invite: false, loginsOrEmails: [one.login, other.login] };
    await app.etherpad.api('POST', 'group/invite', { token: one.token, body: both });
    const page = await open(`/admin/users/${other.login}/remove`);
    const dialog = page.getByRole('dialog', { name: /^Delete the account of/ });
    await dialog.getByText('No folder will be deleted with it.').waitFor();
    await app.etherpad.api('DELETE', `user/${one.login}`, { token });
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('What would be deleted has changed meanwhile.').waitFor();
    await dialog.getByText('Of both').waitFor();
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The account of other Test was deleted.').waitFor();
  });

  it('an account that is deleted on its own screen leads to the list, also with changes in its form', async () => {
    const { login } = await app.fixture.person('left');
    const page = await open(`/admin/users/${login}/edit`);
    await page.getByLabel(/^Organisation/).fill('Choir');
    await page.getByRole('button', { name: 'Actions for left Test' }).click();
    await page.getByRole('menuitem', { name: 'Delete account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account', disabled: false }).click();
    await heading(page, 'Accounts').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('lists all folders and their pads, and counts them', async () => {
    const group = await app.fixture.group(ann, { name: 'Annual fair', visibility: 'public' });
    await app.fixture.pad(ann, group, { name: 'Stalls' });
    const page = await open('/admin/folders?q=annual');
    await page.getByText('1 folder', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Annual fair' }).click();
    await heading(page, 'Pads in “Annual fair”').waitFor();
    await page.getByRole('link', { name: 'Stalls' }).waitFor();
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByRole('link', { name: /Active accounts/ }).click();
    await heading(page, 'Accounts').waitFor();
    await page.getByRole('button', { name: 'Active', pressed: true }).waitFor();
  });

  it('the lists find nothing for a text that is much too long, and stay usable', async () => {
    const page = await open('/admin/users');
    for (const list of ['users', 'folders', 'pads']) {
      await app.goTo(`/admin/${list}`);
      await page.getByRole('searchbox').fill('much too long '.repeat(30));
      await page.getByText('Nothing found').waitFor();
    }
  });

  it('the lists are sorted by their headings, with the keyboard too', async () => {
    const zoe = await app.fixture.person('zoe');
    const [full, empty] = [
      await app.fixture.group(zoe, { name: 'Sorting B' }),
      await app.fixture.group(zoe, { name: 'Sorting A' }),
    ];
    for (const name of ['Plums', 'Apples']) await app.fixture.pad(zoe, full, { name });
    const page = await open('/admin/folders?q=sorting');
    const names = () => page.locator('main [data-row] a').allInnerTexts();
    const sorted = (expected: string[]) =>
      until(`the order is ${expected}`, async () => (await names()).join() === expected.join());
    const heading = (name: string) => page.locator('main').getByRole('button', { name: `Sort by ${name}` });
    await sorted(['Sorting A', 'Sorting B']);
    await heading('Pads').focus();
    await page.keyboard.press('Enter');
    await sorted(['Sorting B', 'Sorting A']);
    expect(await heading('Pads').getAttribute('aria-pressed')).to.equal('true');
    await page.keyboard.press('Enter');
    await sorted(['Sorting A', 'Sorting B']);
    expect(await accessibilityProblems(page)).to.deep.equal([]);

    await app.goTo(`/admin/pads?group=${full}`);
    await sorted(['Apples', 'Plums']);
    await heading('Name').click();
    await sorted(['Plums', 'Apples']);
    await page.reload();
    await sorted(['Plums', 'Apples']);
    await app.goTo(`/admin/pads?group=${empty}`);
    await page.getByText('There are no pads yet').waitFor();

    await app.goTo('/admin/users');
    await heading('Created').click();
    await until('the newest is first', async () => (await names())[0] === 'zoe Test');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: /Sorted by Created/ }).click();
    await page.getByRole('menuitemradio', { name: 'Ascending' }).click();
    await until('the newest is last', async () => (await names()).at(-1) === 'zoe Test');
  });
});
