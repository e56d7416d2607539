/** The use of the app by each role, from the registration to the removal of the account: by keyboard, on a phone. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  type AppWindow,
  heading,
  shareButton,
  sidewaysScroll,
  untilFocused,
  useApp,
} from '../support/browser';
import { frameOf, textOf, untilSaved, untilShows } from '../support/editor';
import { password } from '../support/hostFixture';
import { KeyboardUser, type StoryUser, TouchUser } from '../support/storyUsers';

for (const [how, screen, UserOf] of [
  ['with the keyboard alone', 'desktop', KeyboardUser],
  ['on a phone', 'phone', TouchUser],
] as const) {
  describe(how, function () {
    this.timeout(180_000);
    const app = useApp();
    const login = `${screen}-${Date.now()}`;
    const bob = app.usePerson('bob');
    let anns: AppWindow;
    let ann: StoryUser;
    let folder = '';
    let pad = '';

    async function newUser(): Promise<{ user: StoryUser; page: Page; goTo: AppWindow['goTo'] }> {
      const { page, goTo } = await app.window({ screen });
      return { user: new UserOf(page), page, goTo };
    }

    before(async () => {
      anns = await app.window({ screen });
      ann = new UserOf(anns.page);
    });

    it('Ann registers', async () => {
      const { page } = ann;
      await anns.goTo('');
      await ann.use(page.getByRole('link', { name: 'Register' }));
      await ann.fill(page.getByLabel('Username', { exact: true }), login);
      await ann.fill(page.getByLabel('Email'), `${login}@example.org`);
      await ann.fill(page.getByLabel('Password', { exact: true }), password);
      await ann.fill(page.getByLabel('Password again'), password);
      await ann.use(page.getByRole('button', { name: 'Create account' }));
      await heading(page, 'Folders').waitFor();
    });

    it('Ann creates a folder and a pad, writes, and names it', async () => {
      const { page } = ann;
      await ann.use(page.getByRole('main').getByRole('link', { name: 'Create your first folder' }));
      await ann.fill(page.getByLabel('Name'), 'Board');
      await ann.use(page.getByRole('button', { name: 'Create folder' }));
      await heading(page, 'Board').waitFor();
      folder = /group\/([^/]+)\/view/.exec(page.url())?.[1] ?? '';
      await ann.use(page.getByRole('main').getByRole('button', { name: 'New pad', exact: true }));
      await heading(page, 'Untitled').waitFor();
      pad = /pad\/view\/([^/&]+)/.exec(page.url())?.[1] ?? '';
      await ann.write('Present: Ann. ');
      await untilSaved(page, pad, 'Present: Ann.');
      const editor = page.frames().find((frame) => frame.url().includes(`/p/${pad}`));
      expect(editor?.url(), 'no ticket').to.be.a('string').and.not.contain('auth_token');
      const name = heading(page, 'Untitled').getByRole('button');
      if (ann instanceof KeyboardUser) await ann.leaveEditor(name);
      await ann.use(name);
      await ann.fill(page.getByRole('textbox', { name: 'New name of Untitled' }), 'Minutes');
      await page.keyboard.press('Enter');
      await heading(page, 'Minutes').waitFor();
      expect(await sidewaysScroll(page)).to.deep.equal([]);
    });

    it('Ann invites Bob, and makes the pad public', async () => {
      const { page } = ann;
      const dialog = page.getByRole('dialog', { name: /^Share/ });
      const share = shareButton(page);
      await ann.use(share);
      await ann.fill(dialog.getByRole('combobox', { name: 'Add people', exact: true }), `${bob.login},`);
      await ann.select(dialog.getByLabel('Role of the people to add'), 'Writer of the folder');
      await ann.pick(dialog, 'Public');
      await ann.use(dialog.getByRole('button', { name: 'Save', exact: true }));
      await dialog.waitFor({ state: 'detached' });
      await untilFocused(share);
    });

    it('Bob signs in, finds the folder in the list, writes in the pad, and leaves the folder', async () => {
      const { user, page, goTo } = await newUser();
      await goTo('');
      await user.fill(page.getByLabel('Username or email'), bob.login);
      await user.fill(page.getByLabel('Password', { exact: true }), password);
      await user.use(page.getByRole('button', { name: 'Sign in', exact: true }));
      await heading(page, 'Folders').waitFor();
      await user.use(page.getByRole('main').getByRole('link', { name: 'Board' }));
      await user.use(page.getByRole('main').getByRole('link', { name: 'Minutes' }));
      await untilShows(frameOf(page), 'Present: Ann.');
      await user.write('And Bob. ');
      await untilSaved(page, pad, 'And Bob.');
      await untilShows(frameOf(ann.page), 'And Bob.');
      if (user instanceof KeyboardUser) {
        // The search opens from inside the editor too.
        await page.keyboard.press('ControlOrMeta+k');
        await untilFocused(page.getByRole('dialog').getByRole('combobox'));
        await page.keyboard.type('board');
        await page.getByRole('option', { name: /Board/ }).first().waitFor();
        await page.keyboard.press('Enter');
      } else await user.use(page.getByRole('link', { name: /Back to/ }));
      await heading(page, 'Board').waitFor();
      await user.choose(page.getByRole('button', { name: 'More actions for this folder' }), 'Leave folder');
      await user.use(page.getByRole('dialog').getByRole('button', { name: 'Leave folder' }));
      await page.getByText('No folders yet').waitFor();
      await user.openMenu();
      await user.choose(page.getByRole('button', { name: /bob Test/ }), 'Sign out');
      await page.getByLabel('Username or email').waitFor();
    });

    it('a guest writes in the public pad, and opens a private folder with its password', async () => {
      const fields = { name: 'Secret', visibility: 'private', password: 'sesame' };
      const secret = await app.fixture.group(bob, fields);
      const note = await app.fixture.pad(bob, secret, { name: 'Note' });
      const { user, page, goTo } = await newUser();
      await goTo(`/mypads/group/${folder}/pad/view/${pad}`);
      await user.write('And a guest. ');
      await untilSaved(page, pad, 'And a guest.');
      await goTo(`/mypads/group/${secret}/view`);
      await user.fill(page.getByLabel('Folder password'), 'sesame');
      await page.keyboard.press('Enter');
      await user.use(page.getByRole('main').getByRole('link', { name: 'Note' }));
      await textOf(frameOf(page)).waitFor({ state: 'attached' });
      expect(page.url()).to.contain(note);
    });

    it('an administrator changes a setting, and creates and removes an account', async () => {
      const { user, page, goTo } = await newUser();
      const { name, password: secret } = app.etherpad.admin;
      const made = `typed-on-${screen}`;
      const goToAccounts = async (): Promise<void> => {
        await user.openMenu();
        await user.use(page.getByRole('link', { name: 'Accounts', exact: true }));
        await heading(page, 'Accounts').waitFor();
      };
      await goTo('/admin');
      await user.fill(page.getByLabel('Etherpad account'), name);
      await user.fill(page.getByLabel('Password', { exact: true }), secret);
      await user.use(page.getByRole('button', { name: 'Sign in' }));
      await heading(page, 'Settings').waitFor();
      await user.fill(page.getByRole('searchbox', { name: 'Search settings' }), 'length password');
      await page.getByText('2 settings').waitFor();
      await user.fill(page.getByRole('main').locator('input[inputmode=numeric]').first(), '9');
      await page.keyboard.press('Enter');
      await page.getByText('Saved').first().waitFor();
      await app.reset('passwordMin');

      await goToAccounts();
      await user.use(page.getByRole('link', { name: 'New account' }));
      await user.fill(page.getByLabel('Username', { exact: true }), made);
      await user.fill(page.getByLabel('Email', { exact: true }), `${made}@example.org`);
      await user.fill(page.getByLabel('Password', { exact: true }), password);
      await user.use(page.getByRole('button', { name: 'Create account' }));
      await page.getByText(`The account of ${made} is ready.`).waitFor();
      await goToAccounts();
      await user.fill(page.getByRole('searchbox'), made);
      await page.getByText('1 account', { exact: true }).waitFor();
      await user.choose(page.getByRole('button', { name: `Actions for ${made}` }), 'Delete account');
      await page.getByText('No folder will be deleted with it.').waitFor();
      await user.use(page.getByRole('dialog').getByRole('button', { name: 'Delete account' }));
      await page.getByText(`The account of ${made} was deleted.`).waitFor();
      await user.openMenu();
      await user.choose(page.getByRole('button', { name: 'Server administrator' }), 'Sign out');
      await page.getByText('You have left the administration.').waitFor();
    });

    it('Ann removes the pad, the folder and her account', async () => {
      const { page } = ann;
      await anns.goTo(`/mypads/group/${folder}/view`);
      await heading(page, 'Board').waitFor();
      const dialog = page.getByRole('dialog');
      await ann.choose(page.getByRole('button', { name: 'More actions for Minutes' }), 'Delete pad');
      await ann.use(dialog.getByRole('button', { name: 'Delete pad' }));
      await page.getByText('No pads yet').waitFor();
      await ann.choose(page.getByRole('button', { name: 'More actions for this folder' }), 'Delete folder');
      await ann.use(dialog.getByRole('button', { name: 'Delete folder' }));
      await heading(page, 'Folders').waitFor();
      await ann.openMenu();
      await ann.choose(page.getByRole('button', { name: login }), 'Account');
      await heading(page, 'Account').waitFor();
      await ann.use(page.getByRole('button', { name: 'Delete my account' }));
      await ann.fill(dialog.getByLabel('Current password'), password);
      await ann.use(dialog.getByRole('button', { name: 'Delete account' }));
      await page.getByText(`The account “${login}” was deleted.`).waitFor();
      await page.getByLabel('Username or email').waitFor();
    });
  });
}
