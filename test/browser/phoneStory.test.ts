/** The use of the app on a phone, with taps, by each role, from the registration to the removal of the account. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { type AppWindow, heading, sidewaysScroll, useApp } from '../support/browser';
import { frameOf, textOf, untilCaretIsInText, untilSaved, untilShows } from '../support/editor';
import { type Person, password } from '../support/hostFixture';

describe('on a phone', function () {
  this.timeout(180_000);
  const app = useApp();
  const login = `phone-${Date.now()}`;
  let bob: Person;
  let anns: AppWindow;
  let folder = '';
  let pad = '';

  before(async () => {
    bob = await app.fixture.person('bob');
    anns = await app.window({ screen: 'phone' });
  });

  async function fill(field: Locator, text: string): Promise<void> {
    await field.tap();
    await field.press('ControlOrMeta+a');
    await field.page().keyboard.type(text);
  }

  async function choose(page: Page, menu: Locator, item: string): Promise<void> {
    await menu.tap();
    await page.getByRole('menuitem', { name: item, exact: true }).tap();
  }

  /** Taps the text of the pad and types. */
  async function write(page: Page, text: string): Promise<void> {
    await untilCaretIsInText(page);
    await textOf(frameOf(page)).tap();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(text);
    await untilSaved(page, pad, text.trim());
  }

  /** The primary button at the bottom of the screen. */
  const primary = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true });

  it('Ann registers', async () => {
    const { page, goTo } = anns;
    await goTo('');
    await page.getByRole('link', { name: 'Register' }).tap();
    await fill(page.getByLabel('Username', { exact: true }), login);
    await fill(page.getByLabel('Email'), `${login}@example.org`);
    await fill(page.getByLabel('Password', { exact: true }), password);
    await fill(page.getByLabel('Password again'), password);
    await page.getByRole('button', { name: 'Create account' }).tap();
    await heading(page, 'Folders').waitFor();
  });

  it('Ann creates a folder and a pad, writes, and names it', async () => {
    const { page } = anns;
    await page.getByRole('link', { name: 'Create your first folder' }).tap();
    await fill(page.getByLabel('Name'), 'Board');
    await page.getByRole('button', { name: 'Create folder' }).tap();
    await heading(page, 'Board').waitFor();
    folder = /group\/([^/]+)\/view/.exec(page.url())?.[1] ?? '';
    await primary(page, 'New pad').tap();
    await heading(page, 'Untitled').waitFor();
    pad = /pad\/view\/([^/&]+)/.exec(page.url())?.[1] ?? '';
    await write(page, 'Present: Ann. ');
    await heading(page, 'Untitled').getByRole('button').tap();
    await fill(page.getByRole('textbox', { name: 'New name of Untitled' }), 'Minutes');
    await page.keyboard.press('Enter');
    await heading(page, 'Minutes').waitFor();
    expect(await sidewaysScroll(page)).to.deep.equal([]);
  });

  it('Ann invites Bob, and makes the pad public', async () => {
    const { page } = anns;
    const dialog = page.getByRole('dialog', { name: /^Share/ });
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Share/ })
      .tap();
    await fill(dialog.getByRole('combobox', { name: 'Add people', exact: true }), bob.login);
    await dialog.getByLabel('Role of the people to add').selectOption('Writer of the folder');
    await dialog.getByText('Public', { exact: true }).tap();
    await dialog.getByRole('button', { name: 'Save', exact: true }).tap();
    await dialog.waitFor({ state: 'detached' });
  });

  it('Bob signs in, finds the pad, writes, and leaves the folder', async () => {
    const { page, goTo } = await app.window({ screen: 'phone' });
    await goTo('');
    await fill(page.getByLabel('Username or email'), bob.login);
    await fill(page.getByLabel('Password', { exact: true }), password);
    await page.getByRole('button', { name: 'Sign in' }).tap();
    await page.getByRole('main').getByRole('link', { name: 'Board' }).tap();
    await page.getByRole('main').getByRole('link', { name: 'Minutes' }).tap();
    await untilShows(frameOf(page), 'Present: Ann.');
    await write(page, 'And Bob. ');
    await page.getByRole('link', { name: /Back to/ }).tap();
    await heading(page, 'Board').waitFor();
    await choose(page, page.getByRole('button', { name: 'More actions for this folder' }), 'Leave folder');
    await page.getByRole('dialog').getByRole('button', { name: 'Leave folder' }).tap();
    await page.getByText('No folders yet').waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await choose(page, page.getByRole('button', { name: /bob Test/ }), 'Sign out');
    await page.getByLabel('Username or email').waitFor();
  });

  it('a guest writes in the public pad, and opens a private folder with its password', async () => {
    const secret = await app.fixture.group(bob, {
      name: 'Secret',
      visibility: 'private',
      password: 'sesame',
    });
    const note = await app.fixture.pad(bob, secret, { name: 'Note' });
    const { page, goTo } = await app.window({ screen: 'phone' });
    await goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await write(page, 'And a guest. ');
    await goTo(`/mypads/group/${secret}/view`);
    await fill(page.getByLabel('Folder password'), 'sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Note' }).tap();
    await textOf(frameOf(page)).waitFor({ state: 'attached' });
    expect(page.url()).to.contain(note);
  });

  it('an administrator changes a setting, and creates and removes an account', async () => {
    const { page, goTo } = await app.window({ screen: 'phone' });
    const { name, password: secret } = app.etherpad.admin;
    const goToUsers = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Open the menu' }).tap();
      await page.getByRole('link', { name: 'Accounts', exact: true }).tap();
      await heading(page, 'Accounts').waitFor();
    };
    await goTo('/admin');
    await fill(page.getByLabel('Etherpad account'), name);
    await fill(page.getByLabel('Password', { exact: true }), secret);
    await page.getByRole('button', { name: 'Sign in' }).tap();
    await fill(page.getByRole('searchbox', { name: 'Search settings' }), 'length password');
    await page.getByText('2 settings').waitFor();
    await fill(page.locator('main input[inputmode=numeric]').first(), '9');
    await page.keyboard.press('Enter');
    await page.getByText('Saved').first().waitFor();
    await app.reset('passwordMin');

    await goToUsers();
    await page.getByRole('link', { name: 'New account' }).tap();
    await fill(page.getByLabel('Username', { exact: true }), 'typed-on-phone');
    await fill(page.getByLabel('Email', { exact: true }), 'typed-on-phone@example.org');
    await fill(page.getByLabel('Password', { exact: true }), password);
    await page.getByRole('button', { name: 'Create account' }).tap();
    await page.getByText('The account of typed-on-phone is ready.').waitFor();
    await goToUsers();
    await fill(page.getByRole('searchbox'), 'typed-on');
    await page.getByText('1 account', { exact: true }).waitFor();
    await choose(page, page.getByRole('button', { name: 'Actions for typed-on-phone' }), 'Delete account');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).tap();
    await page.getByText('The account of typed-on-phone was deleted.').waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await choose(page, page.getByRole('button', { name: 'Server administrator' }), 'Sign out');
    await page.getByText('You have left the administration.').waitFor();
  });

  it('Ann removes the pad, the folder and her account', async () => {
    const { page } = anns;
    const dialog = page.getByRole('dialog');
    await page.getByRole('link', { name: /Back to/ }).tap();
    await heading(page, 'Board').waitFor();
    await choose(page, page.getByRole('button', { name: 'More actions for Minutes' }), 'Delete pad');
    await dialog.getByRole('button', { name: 'Delete pad' }).tap();
    await page.getByText('No pads yet').waitFor();
    await choose(page, page.getByRole('button', { name: 'More actions for this folder' }), 'Delete folder');
    await dialog.getByRole('button', { name: 'Delete folder' }).tap();
    await heading(page, 'Folders').waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await choose(page, page.getByRole('button', { name: login }), 'Account');
    await heading(page, 'Account').waitFor();
    await page.getByRole('button', { name: 'Delete my account' }).tap();
    await fill(dialog.getByLabel('Current password'), password);
    await dialog.getByRole('button', { name: 'Delete account' }).tap();
    await page.getByText(`The account “${login}” was deleted.`).waitFor();
    await page.getByLabel('Username or email').waitFor();
  });
});
