/** Every menu and dialog: accessible in light and dark, on a desktop and on a phone; Escape returns the focus. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  accessibilityProblems,
  becomePhone,
  contrastProblems,
  heading,
  problemsEverywhere,
  shareButton,
  showTheme,
  sidewaysScroll,
  untilFocused,
  useApp,
} from '../support/browser';
import { untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

type Screen = 'desktop' | 'phone';

interface Overlay {
  path: () => string;
  /** Ann administers the folders, Bob is a member. A guest when missing. */
  as?: 'ann' | 'bob' | 'admin';
  /** The button that is pressed, and gets the focus again. */
  button: string | RegExp;
  /** The item of its menu that is pressed then. */
  item?: string;
  /** Checked only on this screen. Default: on desktop and phone. */
  only?: Screen;
}

describe('menus and dialogs', function () {
  this.timeout(120_000);
  const app = useApp();
  const people: Partial<Record<'ann' | 'bob', Person>> = {};
  const ids = { folder: '', pad: '', list: '' };
  let adminToken = '';

  before(async () => {
    const { fixture, etherpad } = app;
    const [ann, bob] = [await fixture.person('ann'), await fixture.person('bob')];
    Object.assign(people, { ann, bob });
    adminToken = await app.signInAsAdmin();
    ids.folder = await fixture.group(ann, { name: 'Choir', tags: ['music'] });
    await fixture.group(ann, { name: 'Garden' });
    await fixture.invite(ann, ids.folder, [bob.login]);
    ids.pad = await fixture.pad(ann, ids.folder, { name: 'Songs' });
    await fixture.pad(ann, ids.folder, { name: 'Dates' });
    const body = { name: 'Sopranos', loginsOrEmails: [bob.login] };
    const list = await etherpad.api('POST', 'userlist', { token: ann.token, body });
    ids.list = (list.body as { key: string }).key;
    await fixture.signIn(ann.login);
  });

  const list = () => '/mypads';
  const folder = () => `/mypads/group/${ids.folder}/view`;
  const pad = () => `/mypads/group/${ids.folder}/pad/view/${ids.pad}`;
  const account = () => '/myprofile';
  const users = () => `/admin/users?q=${people.bob?.login}`;

  const overlays: Record<string, Overlay> = {
    'the theme, for a guest': { path: () => '/login', button: 'Theme' },
    'the language, for a guest': { path: () => '/login', button: 'Language' },
    'the menu of the person': { path: list, as: 'ann', button: 'ann Test', only: 'desktop' },
    'the language': { path: list, as: 'ann', button: 'ann Test', item: 'Language', only: 'desktop' },
    'the menu of a phone': { path: list, as: 'ann', button: 'Open the menu', only: 'phone' },
    'the order of a list': { path: list, as: 'ann', button: /^Sorted by/ },
    'the menu of a folder in the list': { path: list, as: 'ann', button: 'Actions for Choir' },
    'the menu of a folder': { path: folder, as: 'ann', button: 'More actions for this folder' },
    'moving pads of a folder': {
      path: folder,
      as: 'ann',
      button: 'More actions for this folder',
      item: 'Move pads',
      only: 'desktop',
    },
    'leaving a folder': {
      path: folder,
      as: 'bob',
      button: 'More actions for this folder',
      item: 'Leave folder',
    },
    'sharing a folder, for a member': { path: folder, as: 'bob', button: /^Share/ },
    'sharing a folder': { path: folder, as: 'ann', button: /^Share/ },
    'sharing a pad': { path: folder, as: 'ann', button: 'More actions for Songs', item: 'Share' },
    'moving a pad': {
      path: folder,
      as: 'ann',
      button: 'More actions for Songs',
      item: 'Move to another folder',
    },
    'removing a pad': { path: folder, as: 'ann', button: 'More actions for Songs', item: 'Delete pad' },
    'removing a chat': {
      path: folder,
      as: 'ann',
      button: 'More actions for Songs',
      item: 'Delete chat history',
    },
    'the menu of an open pad': { path: pad, as: 'ann', button: 'More actions for Songs' },
    'the pads beside an open one': { path: pad, as: 'ann', button: 'Pads of Choir', only: 'desktop' },
    'the search': { path: list, as: 'ann', button: /^Search/, only: 'desktop' },
    'another address': { path: account, as: 'ann', button: 'Change email' },
    'another password': { path: account, as: 'ann', button: 'Change password' },
    'ending the other sessions': { path: account, as: 'ann', button: 'Sign out everywhere else' },
    'removing the account': { path: account, as: 'ann', button: 'Delete my account' },
    'the menu of a user list': { path: () => '/myuserlists', as: 'ann', button: 'Actions for “Sopranos”' },
    'removing a user list': {
      path: () => '/myuserlists',
      as: 'ann',
      button: 'Actions for “Sopranos”',
      item: 'Delete list',
    },
    'the menu of an account': { path: users, as: 'admin', button: 'Actions for bob Test' },
    'ending the sessions of somebody': {
      path: users,
      as: 'admin',
      button: 'Actions for bob Test',
      item: 'End sessions',
    },
    'the menu of the administration on a phone': {
      path: users,
      as: 'admin',
      button: 'Open the menu',
      only: 'phone',
    },
  };

  const overlayOf = (page: Page): Locator =>
    page.locator('dialog[open], [role="dialog"], [role="menu"]').filter({ visible: true }).last();

  const openerOf = (page: Page, { button }: Overlay): Locator =>
    page.getByRole('button', { name: button }).filter({ visible: true }).first();

  /** Opens the screen in a new window. */
  async function show({ path, as }: Overlay, screen: Screen = 'desktop'): Promise<Page> {
    const who = as === 'admin' ? { adminToken } : as !== undefined && { as: people[as] };
    const page = await app.open(path(), { ...who, screen });
    // Etherpad takes the focus when it is complete.
    if (path === pad) await untilEditorIsReady(page);
    return page;
  }

  async function open(page: Page, overlay: Overlay): Promise<void> {
    await openerOf(page, overlay).click();
    await overlayOf(page).waitFor();
    if (overlay.item === undefined) return;
    await page.getByRole('menuitem', { name: overlay.item }).click();
    await page.locator('dialog[open]').waitFor();
  }

  // All menus have the same dark colours.
  let hadDarkMenu = false;
  for (const [name, overlay] of Object.entries(overlays)) {
    it(`${name}: accessible, fits, and Escape returns the focus`, async () => {
      const page = await show(overlay);
      for (const screen of overlay.only ? [overlay.only] : (['desktop', 'phone'] as const)) {
        if (screen === 'phone') await becomePhone(page, 390);
        await open(page, overlay);
        const isMenu = (await overlayOf(page).getAttribute('role')) === 'menu';
        // Most are the same on both: on a phone everything is checked, and on a desktop the dark colours.
        if (screen === 'phone' || overlay.only)
          expect(await accessibilityProblems(page), `${screen}, light`).to.deep.equal([]);
        expect(await sidewaysScroll(page), screen).to.deep.equal([]);
        if ((screen === 'desktop' || overlay.only) && !(isMenu && hadDarkMenu)) {
          expect(await contrastProblems(page, 'dark'), `${screen}, dark`).to.deep.equal([]);
          await showTheme(page, 'light');
          hadDarkMenu ||= isMenu;
        }
        await page.keyboard.press('Escape');
        await overlayOf(page).waitFor({ state: 'hidden' });
        await untilFocused(openerOf(page, overlay));
      }
    });
  }

  it('Space chooses in a menu, a link too', async () => {
    const page = await app.open(folder(), { as: people.ann });
    await openerOf(page, overlays['the menu of a folder'] as Overlay).press('Space');
    await page.getByRole('menuitem', { name: 'Edit folder' }).press('Space');
    await heading(page, 'Edit folder').waitFor();
  });

  it('screen readers say what the items below a heading of a menu are about', async () => {
    const page = await app.open(folder(), { as: people.ann });
    await page.getByRole('button', { name: 'More actions for Songs' }).press('Enter');
    const exports = page.getByRole('menu').getByRole('group', { name: 'Export as' });
    await exports.getByRole('menuitem', { name: 'Plain text' }).waitFor();
    expect(await exports.getByRole('menuitem', { name: 'Delete pad' }).count()).to.equal(0);
  });

  it('the menu of a phone closes when another screen is shown, by Help or by Back', async () => {
    const page = await app.open('/mypads', { as: people.ann, screen: 'phone' });
    const menu = page.getByRole('dialog', { name: 'Navigation' });
    const help = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Open the menu' }).tap();
      await menu.getByRole('button', { name: 'ann Test' }).tap();
      await page.getByRole('menuitem', { name: 'Help' }).tap();
      await menu.waitFor({ state: 'detached' });
    };
    await help();
    await untilFocused(heading(page));
    await help();
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await page.goBack();
    await menu.waitFor({ state: 'detached' });
    await heading(page, 'Folders').waitFor();
  });

  it('the question before typed text is lost: accessible, and Escape returns to the form', async () => {
    const page = await app.open('/mypads/group/add', { as: people.ann, screen: 'phone' });
    await page.getByLabel('Name').fill('Half a name');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await untilFocused(page.getByRole('link', { name: 'Cancel' }));
    expect(await page.getByLabel('Name').inputValue()).to.equal('Half a name');
  });

  it('sharing gives the focus to “Copy link” for those who can change nothing there', async () => {
    const page = await app.open(folder(), { as: people.bob });
    await shareButton(page).click();
    await untilFocused(page.getByRole('dialog').getByRole('button', { name: 'Copy link' }));
  });

  it('“Copy link” keeps the focus where the browser does not let the page copy, as without HTTPS', async () => {
    const page = await app.open(folder(), { as: people.ann });
    await shareButton(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy link' }).press('Enter');
    await untilFocused(dialog.getByRole('button', { name: 'Copied' }));
  });

  it('what has the focus in “Share” is not behind the changes and buttons at its lower edge', async () => {
    const page = await app.open(folder(), { as: people.ann });
    await shareButton(page).click();
    const dialog = page.getByRole('dialog');
    const names = ['ada', 'bea', 'cleo', 'dan'].map((name) => `${name}@department-of-something.example.org,`);
    await dialog.getByRole('combobox', { name: 'Add people', exact: true }).fill(names.join(''));
    await dialog.getByRole('radio', { name: 'Public' }).check({ force: true });
    await dialog.getByRole('region', { name: 'What will change' }).waitFor();
    for (const [width, height] of [[390, 844] as const, [1280, 620] as const, [800, 500] as const]) {
      await page.setViewportSize({ width, height });
      await dialog.getByRole('button', { name: 'Close' }).focus();
      for (let stop = 0; stop < 20; stop += 1) {
        await page.keyboard.press('Tab');
        const covered = await page.evaluate(() => {
          const { activeElement } = document;
          // Radio buttons are invisible in their cards.
          const focused = activeElement?.closest('label') ?? activeElement;
          if (focused === null || focused === document.body) return null;
          const { left, top, width, height } = focused.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          if (hit !== null && (focused.contains(hit) || hit.contains(focused))) return null;
          return focused.getAttribute('aria-label') ?? focused.textContent;
        });
        expect(covered, `${width} × ${height}`).to.equal(null);
      }
    }
  });

  it('a dialog stays open when its scroll bar is pressed', async () => {
    const page = await app.open(account(), { as: people.ann });
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    // Browsers of tests have no scroll bars. The dialog itself is the target of a press on its own.
    const press = (inside: number): Promise<void> =>
      dialog.evaluate((element, distance) => {
        const { right, top, height } = element.getBoundingClientRect();
        const at = { clientX: right - distance, clientY: top + height / 2 };
        element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, ...at }));
      }, inside);
    await press(5);
    await dialog.waitFor();
    await press(-5);
    await dialog.waitFor({ state: 'detached' });
  });

  it('a dialog with typed text asks before Escape or a press beside it closes it', async () => {
    const page = await app.open(account(), { as: people.ann });
    const opener = page.getByRole('button', { name: 'New token' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const name = dialog.getByLabel('What it is for');
    await untilFocused(name);
    await page.keyboard.type('Backup');
    for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(20, 300)]) {
      await close();
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).to.equal('Backup');
    }
    // Chromium itself closes dialogs when Escape is pressed again and again.
    for (let pressed = 0; pressed < 3; pressed += 1) {
      await page.keyboard.press('Escape');
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await name.waitFor();
      expect(await name.inputValue()).to.equal('Backup');
    }
    await dialog.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await dialog.waitFor({ state: 'detached' });
    await untilFocused(opener);

    await app.goTo(`/mypads/group/${ids.folder}/user/invite`);
    await page.getByRole('button', { name: 'Manage links' }).click();
    const links = page.getByRole('dialog', { name: 'Links to “Choir”' });
    await links.getByLabel('What it is for').fill('Parents');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Leave' }).click();
    await links.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('on a phone: a list of folders is not covered by the keyboard, and the search can be closed', async () => {
    const moving = overlays['moving a pad'] as Overlay;
    const page = await show(moving, 'phone');
    await open(page, moving);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('option', { name: 'Garden' }).waitFor();
    await untilFocused(dialog.getByRole('button', { name: 'Close' }));
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await untilFocused(openerOf(page, moving));
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await page
      .getByRole('button', { name: /^Search/ })
      .filter({ visible: true })
      .tap();
    await dialog.getByRole('option').first().waitFor();
    await untilFocused(dialog.getByRole('combobox'));
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await dialog.waitFor({ state: 'detached' });
  });
});
