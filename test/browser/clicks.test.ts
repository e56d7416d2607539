/** How many clicks the most frequent tasks need. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { heading, untilFocused, useApp } from '../support/browser';
import { checkEach } from '../support/cases';
import { frameOf, textOf, untilCaretIsInText, untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

describe('the number of clicks', function () {
  this.timeout(120_000);
  const app = useApp();
  let ann: Person;
  let others: Person[] = [];
  let folder = '';
  let pad = '';

  before(async () => {
    ann = await app.fixture.person('ann');
    others = [];
    for (const name of ['bob', 'carol', 'dan']) others.push(await app.fixture.person(name));
    folder = await app.fixture.group(ann, { name: 'Board' });
    await app.fixture.group(ann, { name: 'Garden' });
    pad = await app.fixture.pad(ann, folder, { name: 'Minutes' });
  });

  /** A window that counts how often the pointer is pressed. */
  async function open(path: string, screen: 'desktop' | 'phone' = 'desktop', as = ann) {
    const { page, goTo } = await app.window({ as, screen, motion: true });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await goTo(path);
    await heading(page).waitFor();
    await page.evaluate(() => {
      const counted = Object.assign(window, { clicks: 0 });
      addEventListener('pointerdown', () => (counted.clicks += 1), true);
    });
    const clicks = () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
    return { page, clicks };
  }

  const paths = () => ({
    'the list of folders': '/mypads',
    'the list of folders, filtered': '/mypads&q=nothing',
    bookmarks: '/mybookmarks',
    'people lists': '/myuserlists',
    account: '/myprofile',
    'a folder': `/mypads/group/${folder}/view`,
    'a form': `/mypads/group/${folder}/edit`,
    'a pad': `/mypads/group/${folder}/pad/view/${pad}`,
  });

  it('is one for the first pad of somebody without a folder, also on a phone, or the key c', async () => {
    for (const screen of ['desktop', 'phone'] as const) {
      const newcomer = await app.fixture.person('newcomer');
      const { page, clicks } = await open('/mypads', screen, newcomer);
      await page.getByRole('main').getByRole('button', { name: 'New pad in My pads' }).click();
      await heading(page, 'Untitled').waitFor();
      await page.getByRole('link', { name: 'My pads' }).first().waitFor();
      expect(await clicks(), screen).to.equal(1);
      await app.close();
    }
    const newcomer = await app.fixture.person('newcomer');
    const { page } = await open('/mypads', 'desktop', newcomer);
    await page.getByText('No folders yet').waitFor();
    await page.keyboard.press('c');
    await heading(page, 'Untitled').waitFor();
  });

  it('is one for a new pad, from everywhere, and the caret is in its text', async () => {
    await checkEach(paths(), async (path) => {
      const { page, clicks } = await open(path);
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /^New pad/ })
        .click();
      await heading(page, /^Untitled/).waitFor();
      expect(await clicks()).to.equal(1);
      await app.close();
    });
    const { page } = await open('/mypads');
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^New pad/ })
      .click();
    await untilCaretIsInText(page);
    await page.keyboard.type('Written at once');
    await textOf(frameOf(page)).getByText('Written at once').waitFor();
  });

  it('is none to find any pad', async () => {
    await checkEach(paths(), async (path) => {
      const { page, clicks } = await open(path);
      if (path.includes('/pad/view/')) await untilEditorIsReady(page);
      await page.keyboard.press('Control+k');
      await untilFocused(page.getByRole('dialog').getByRole('combobox'));
      await page.keyboard.type('minutes');
      await page
        .getByRole('option', { name: /Minutes/ })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Minutes').waitFor();
      expect(await clicks()).to.equal(0);
      await app.close();
    });
  });

  const untilClosed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

  it('is two to invite three people', async () => {
    const { page, clicks } = await open(`/mypads/group/${folder}/view`);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Share/ })
      .click();
    await untilFocused(page.getByRole('combobox', { name: 'Add people', exact: true }));
    await page.keyboard.type(others.map(({ login }) => login).join(' '));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await untilClosed(page);
    expect(await clicks()).to.equal(2);
    for (const { login } of others)
      await page.getByRole('main').getByText(login, { exact: true }).first().waitFor();
  });

  it('is three to make a folder or a pad public and to copy its link', async () => {
    const { 'a folder': inFolder, 'a pad': inPad } = paths();
    await checkEach({ inFolder, inPad }, async (path) => {
      const { page, clicks } = await open(path);
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Share/ })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Public', { exact: true }).click();
      await dialog.getByRole('button', { name: 'Save and copy link' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await clicks()).to.equal(3);
      expect(await page.evaluate(() => navigator.clipboard.readText())).to.contain(path);
      await app.close();
    });
  });

  it('is three to move a pad', async () => {
    const { page, clicks } = await open(`/mypads/group/${folder}/view`);
    await page.getByRole('button', { name: 'More actions for Minutes' }).click();
    await page.getByRole('menuitem', { name: 'Move to another folder' }).click();
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /Garden/ })
      .click();
    await page.getByText('No pads yet').or(page.getByText('was moved')).first().waitFor();
    expect(await clicks()).to.equal(3);
  });

  /** Two presses at the same place, where another thing may be at the second one. */
  async function pressTwice(page: Page, button: Locator): Promise<void> {
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    const at = [x + width / 2, y + height / 2] as const;
    for (const clickCount of [1, 2]) {
      await page.mouse.move(...at);
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      // For the first one to take effect.
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
    }
  }

  it('is one for people who press everything twice: the second press does nothing on what has opened', async () => {
    for (let number = 1; number <= 8; number += 1)
      await app.fixture.pad(ann, folder, { name: `Pad ${number}` });
    const { page } = await open('/mypads');
    const main = page.getByRole('main');
    await pressTwice(page, main.getByRole('link', { name: 'Board', exact: true }));
    await heading(page, 'Board').waitFor();
    await main.getByRole('link', { name: 'Pad 8' }).waitFor();

    await pressTwice(page, main.getByRole('button', { name: /^Share/ }));
    const dialog = page.getByRole('dialog', { name: 'Share “Board”' });
    await dialog.getByRole('combobox', { name: 'Add people', exact: true }).waitFor();
    await page.mouse.click(5, 5);
    await untilClosed(page);

    await pressTwice(page, main.getByRole('button', { name: 'More actions for this folder' }));
    await page.getByRole('menuitem', { name: 'Edit folder' }).click();
    await heading(page, 'Edit folder').waitFor();
  });

  it('is one for a folder on a phone, also on the second line of its row', async () => {
    const eve = await app.fixture.person('eve');
    await app.fixture.group(eve, { name: 'Choir' });
    const { page } = await open('/mypads', 'phone', eve);
    const row = page.locator('main [data-row]');
    for (const fact of [row.locator('time'), row.getByText('Restricted')]) {
      await fact.tap({ force: true });
      await heading(page, 'Choir').waitFor();
      await page.goBack();
    }
  });
});
