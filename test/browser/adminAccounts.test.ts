/** The administration: accounts, who is locked out, and the lists of all folders and pads. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AdminLocksAnswer } from '../../api/admin/schema';
import texts from '../../locales/en.json';
import {
  accessibilityProblems,
  heading,
  hold,
  problemsEverywhere,
  untilFocused,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { password } from '../support/hostFixture';
import { until } from '../support/waiting';

describe('the accounts of the administration', function () {
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

  /** Locks somebody out, and opens the screen that says so. */
  async function showLocked() {
    const bob = await app.fixture.person('bob');
    const body = { login: bob.login, password: 'a guess' };
    while ((await app.etherpad.api('POST', 'auth/login', { body })).status !== 429);
    const page = await open('/admin/users');
    const lift = page.getByRole('button', { name: `Lift limit: ${bob.login}` });
    await lift.waitFor();
    return { page, bob, lift };
  }

  /** As a colleague would. */
  async function liftAll(): Promise<void> {
    const { locks } = (await app.etherpad.api('GET', 'admin/locks', { token })).body as AdminLocksAnswer;
    for (const { id } of locks) await app.etherpad.api('DELETE', `admin/locks/${id}`, { token });
  }

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
    const { lift } = await showLocked();
    await liftAll();
    await lift.waitFor({ state: 'detached' });
  });

  it('takes a limit for lifted that a colleague has lifted meanwhile', async () => {
    const { page, bob, lift } = await showLocked();
    const answer = await hold(page, '**/api/admin/locks');
    await liftAll();
    const asked = page.waitForRequest('**/api/admin/locks/*');
    await lift.click();
    await asked;
    answer();
    await page.getByText(`The limit for ${bob.login} was lifted.`).waitFor();
    await lift.waitFor({ state: 'detached' });
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

  it('the lists say in each row what a time is of, for screen readers, which do not read the headings', async () => {
    const page = await open(`/admin/users?q=${ann.login}`);
    const said = async (word: string) =>
      expect(await page.locator('main [data-row]').first().textContent()).to.match(
        new RegExp(`${word} (just now|\\d+ (second|minute)s? ago)`),
      );
    await page.getByRole('button', { name: /^Actions for / }).waitFor();
    await said('Created');
    await app.fixture.group(ann, { name: 'Read aloud' });
    await app.goTo('/admin/folders?q=read%20aloud');
    await page.getByRole('link', { name: 'Read aloud' }).waitFor();
    await said('Changed');
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
