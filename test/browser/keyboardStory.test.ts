/** The use of the app by keyboard alone, by each role, from the registration to the removal of the account. */
import { expect } from 'chai';
import { type AppWindow, heading, untilFocused, useApp } from '../support/browser';
import { frameOf, textOf, untilCaretIsInText, untilSaved, untilShows } from '../support/editor';
import { type Person, password } from '../support/hostFixture';
import { KeyboardUser } from '../support/keyboardUser';

describe('with the keyboard alone', function () {
  this.timeout(180_000);
  const app = useApp();
  const login = `keys-${Date.now()}`;
  let bob: Person;
  let anns: AppWindow;
  let ann: KeyboardUser;
  let folder = '';
  let pad = '';

  before(async () => {
    bob = await app.fixture.person('bob');
    anns = await app.window();
    ann = new KeyboardUser(anns.page);
  });

  it('Ann registers', async () => {
    const { page } = ann;
    await anns.goTo('');
    await ann.use(page.getByRole('link', { name: 'Register' }));
    await ann.fill(page.getByLabel('Username', { exact: true }), login);
    await ann.fill(page.getByLabel('Email'), `${login}@example.org`);
    await ann.fill(page.getByLabel('Password', { exact: true }), password);
    await ann.fill(page.getByLabel('Password again'), password);
    await ann.press('Enter');
    await heading(page, 'Folders').waitFor();
  });

  it('Ann creates a folder and a pad, writes, and leaves the editor', async () => {
    const { page } = ann;
    await ann.use(page.getByRole('main').getByRole('link', { name: 'Create your first folder' }));
    await ann.fill(page.getByLabel('Name'), 'Board');
    await ann.press('Enter');
    await heading(page, 'Board').waitFor();
    folder = /group\/([^/]+)\/view/.exec(page.url())?.[1] ?? '';
    await ann.use(page.getByRole('main').getByRole('button', { name: 'New pad' }));
    await heading(page, 'Untitled').waitFor();
    pad = /pad\/view\/([^/&]+)/.exec(page.url())?.[1] ?? '';
    await untilCaretIsInText(page);
    await ann.type('Present: Ann. ');
    await untilSaved(page, pad, 'Present: Ann.');
    // Tab writes a tab into the pad. Alt+F9 goes to the buttons of the editor, from where Shift+Tab leads out.
    await ann.press('Alt+F9');
    await ann.goTo(heading(page, 'Untitled').getByRole('button'), 'Shift+Tab');
    await ann.press('Enter');
    await untilFocused(page.getByRole('textbox', { name: 'New name of Untitled' }));
    await ann.press('ControlOrMeta+a');
    await ann.type('Minutes');
    await ann.press('Enter');
    await heading(page, 'Minutes').waitFor();
  });

  it('Ann invites Bob, and makes the pad public', async () => {
    const { page } = ann;
    const dialog = page.getByRole('dialog', { name: /^Share/ });
    await ann.use(page.getByRole('main').getByRole('button', { name: /^Share/ }));
    await untilFocused(dialog.getByRole('combobox', { name: 'Add people', exact: true }));
    await ann.type(`${bob.login},`);
    await ann.goTo(dialog.getByLabel('Role of the people to add'));
    await ann.type('Writer of the f');
    await ann.pick(dialog.getByRole('radio'), dialog.getByRole('radio', { name: 'Public', exact: true }));
    await ann.use(dialog.getByRole('button', { name: 'Save', exact: true }));
    await dialog.waitFor({ state: 'detached' });
    await untilFocused(page.getByRole('button', { name: /^Share/ }));
  });

  it('Bob signs in, finds the folder in the list, writes in the pad, and leaves the folder', async () => {
    const { page, goTo } = await app.window();
    const user = new KeyboardUser(page);
    await goTo('');
    await user.fill(page.getByLabel('Username or email'), bob.login);
    await user.fill(page.getByLabel('Password', { exact: true }), password);
    await user.press('Enter');
    await heading(page, 'Folders').waitFor();
    await user.use(page.getByRole('main').getByRole('link', { name: 'Board' }));
    await heading(page, 'Board').waitFor();
    await user.use(page.getByRole('main').getByRole('link', { name: 'Minutes' }));
    await untilShows(frameOf(page), 'Present: Ann.');
    await untilCaretIsInText(page);
    await user.press('ControlOrMeta+End');
    await user.type('And Bob. ');
    await untilSaved(page, pad, 'And Bob.');
    // The search opens from inside the editor too.
    await user.press('ControlOrMeta+k');
    await untilFocused(page.getByRole('dialog').getByRole('combobox'));
    await user.type('board');
    await page.getByRole('option', { name: /Board/ }).first().waitFor();
    await user.press('Enter');
    await heading(page, 'Board').waitFor();
    await user.choose(page.getByRole('button', { name: 'More actions for this folder' }), 'Leave folder');
    const dialog = page.getByRole('dialog');
    await user.use(dialog.getByRole('button', { name: 'Leave folder' }));
    await heading(page, 'Folders').waitFor();
    await page.getByText('No folders yet').waitFor();
    await user.choose(page.getByRole('button', { name: /bob Test/ }), 'Sign out');
    await page.getByLabel('Username or email').waitFor();
  });

  it('a guest writes in the public pad, and opens a private folder with its password', async () => {
    const secret = await app.fixture.group(bob, {
      name: 'Secret',
      visibility: 'private',
      password: 'sesame',
    });
    const note = await app.fixture.pad(bob, secret, { name: 'Note' });
    const { page, goTo } = await app.window();
    const user = new KeyboardUser(page);
    await goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilShows(frameOf(page), 'And Bob.');
    await untilCaretIsInText(page);
    await user.press('ControlOrMeta+End');
    await user.type('And a guest. ');
    await untilSaved(page, pad, 'And a guest.');
    await goTo(`/mypads/group/${secret}/view`);
    await user.fill(page.getByLabel('Folder password'), 'sesame');
    await user.press('Enter');
    await user.use(page.getByRole('main').getByRole('link', { name: 'Note' }));
    await textOf(frameOf(page)).waitFor({ state: 'attached' });
    expect(page.url()).to.contain(note);
  });

  it('an administrator changes a setting, and creates and removes an account', async () => {
    const { page, goTo } = await app.window();
    const user = new KeyboardUser(page);
    const { name, password: secret } = app.etherpad.admin;
    await goTo('/admin');
    await user.fill(page.getByLabel('Etherpad account'), name);
    await user.fill(page.getByLabel('Password', { exact: true }), secret);
    await user.press('Enter');
    await heading(page, 'Settings').waitFor();
    await user.fill(page.getByRole('searchbox', { name: 'Search settings' }), 'length password');
    await page.getByText('2 settings').waitFor();
    await user.fill(page.getByRole('main').locator('input[inputmode=numeric]').first(), '9');
    await user.press('Enter');
    await page.getByText('Saved').first().waitFor();
    await app.reset('passwordMin');

    await user.use(page.getByRole('link', { name: 'Accounts', exact: true }));
    await user.use(page.getByRole('link', { name: 'New account' }));
    await user.fill(page.getByLabel('Username', { exact: true }), 'typed-by-keys');
    await user.fill(page.getByLabel('Email', { exact: true }), 'typed-by-keys@example.org');
    await user.fill(page.getByLabel('Password', { exact: true }), password);
    await user.press('Enter');
    await page.getByText('The account of typed-by-keys is ready.').waitFor();
    await user.use(page.getByRole('link', { name: 'Accounts', exact: true }));
    await user.fill(page.getByRole('searchbox'), 'typed-by');
    await page.getByText('1 account', { exact: true }).waitFor();
    await user.choose(page.getByRole('button', { name: 'Actions for typed-by-keys' }), 'Delete account');
    await page.getByText('No folder will be deleted with it.').waitFor();
    await user.use(page.getByRole('dialog').getByRole('button', { name: 'Delete account' }));
    await page.getByText('The account of typed-by-keys was deleted.').waitFor();
    await user.choose(page.getByRole('button', { name: 'Server administrator' }), 'Sign out');
    await page.getByText('You have left the administration.').waitFor();
  });

  it('Ann removes the pad, the folder and her account', async () => {
    const { page } = ann;
    await anns.goTo(`/mypads/group/${folder}/view`);
    const dialog = page.getByRole('dialog');
    await ann.choose(page.getByRole('button', { name: 'More actions for Minutes' }), 'Delete pad');
    await ann.use(dialog.getByRole('button', { name: 'Delete pad' }));
    await page.getByText('No pads yet').waitFor();
    await ann.choose(page.getByRole('button', { name: 'More actions for this folder' }), 'Delete folder');
    await ann.use(dialog.getByRole('button', { name: 'Delete folder' }));
    await heading(page, 'Folders').waitFor();
    await ann.choose(page.getByRole('button', { name: login }), 'Account');
    await heading(page, 'Account').waitFor();
    await ann.use(page.getByRole('button', { name: 'Delete my account' }));
    await ann.fill(dialog.getByLabel('Current password'), password);
    await ann.press('Enter');
    await page.getByText(`The account “${login}” was deleted.`).waitFor();
    await page.getByLabel('Username or email').waitFor();
  });
});
