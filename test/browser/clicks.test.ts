/** How many clicks the most frequent tasks need. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { heading, hold, shareButton, untilFocused, useApp } from '../support/browser';
import { checkEach } from '../support/cases';
import { frameOf, textOf, untilCaretIsInText, untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

describe('the number of clicks', function () {
  this.timeout(120_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let others: Person[] = [];
  let folder = '';
  let pad = '';

  before(async () => {
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

  /** Button and key are the same on all screens: with a list, a field or an editor that could take the press. */
  const paths = () => ({
    'the list of folders, filtered': '/mypads&q=nothing',
    'a folder': `/mypads/group/${folder}/view`,
    'a form': `/mypads/group/${folder}/edit`,
    'a pad': `/mypads/group/${folder}/pad/view/${pad}`,
  });

  it('is one for the first pad of somebody without a folder', async () => {
    const { page, clicks } = await open('/mypads', 'desktop', await app.fixture.person('newcomer'));
    await page.getByRole('main').getByRole('button', { name: 'New pad in My pads' }).click();
    await heading(page, 'Untitled').waitFor();
    await page.getByRole('link', { name: 'My pads' }).first().waitFor();
    expect(await clicks()).to.equal(1);
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

  it('is one for a new pad, which does not take people away from where they have gone meanwhile', async () => {
    const { page } = await open('/mypads');
    const answer = await hold(page, '**/api/pad');
    const asked = page.waitForRequest('**/api/pad');
    await page
      .getByRole('main')
      .getByRole('button', { name: /^New pad in/ })
      .click();
    await asked;
    await page.getByRole('link', { name: 'Trash' }).click();
    await heading(page, 'Trash').waitFor();
    answer();
    const message = page.getByText(/The pad “Untitled.*” was created\./);
    await message.or(heading(page, /^Untitled/)).waitFor();
    expect(await heading(page).textContent()).to.equal('Trash');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await heading(page, /^Untitled/).waitFor();
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

  it('is three to make a pad public and to copy its link', async () => {
    const { 'a pad': path } = paths();
    const { page, clicks } = await open(path);
    await shareButton(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Public', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save and copy link' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await clicks()).to.equal(3);
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.contain(path);
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

  it('is none for a folder that appears while another is marked with the keyboard: the marked one gets the pad', async () => {
    const mia = await app.fixture.person('mia');
    const from = await app.fixture.group(mia, { name: 'From' });
    await app.fixture.pad(mia, from, { name: 'Wanderer' });
    for (const name of ['Alps', 'Coast']) await app.fixture.group(mia, { name });
    const { page } = await open(`/mypads/group/${from}/view`, 'desktop', mia);
    await page.getByRole('button', { name: 'More actions for Wanderer' }).click();
    await page.getByRole('menuitem', { name: 'Move to another folder' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('option', { name: 'Coast' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await app.fixture.group(mia, { name: 'Beach' });
    await page.evaluate(() => {
      setInterval(() => window.dispatchEvent(new Event('focus')), 500);
    });
    await dialog.getByRole('option', { name: 'Beach' }).waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByText('1 pad was moved to “Coast”.')
      .or(page.getByText(/was moved to/))
      .first()
      .waitFor();
    expect(
      await page
        .getByText(/was moved to/)
        .first()
        .textContent(),
    ).to.contain('Coast');
  });

  /** Two presses at the same place, where another thing may be at the second one. `between`: what is waited for. */
  async function pressTwice(page: Page, button: Locator, between = async () => {}): Promise<void> {
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    const at = [x + width / 2, y + height / 2] as const;
    for (const clickCount of [1, 2]) {
      if (clickCount === 2) await between();
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

  it('is one where the row that was pressed goes, and another takes its place', async () => {
    const { api } = app.etherpad;
    const [eva, ...asking] = [await app.fixture.person('eva'), ...others];
    const group = await app.fixture.group(eva, { name: 'Choir' });
    for (const name of ['Dates', 'Songs'])
      await api('DELETE', `pad/${await app.fixture.pad(eva, group, { name })}`, { token: eva.token });
    for (const { token } of asking) await api('POST', `group/${group}/requests`, { token, body: {} });
    const { page } = await open('/mytrash', 'desktop', eva);
    const changes: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()));
    for (const [path, action] of [
      ['/mytrash', /^Restore: /],
      ['/myrequests', /^Give access: /],
    ] as const) {
      changes.length = 0;
      await app.goTo(path);
      const buttons = page.getByRole('main').getByRole('button', { name: action });
      await buttons.nth(1).waitFor();
      const before = await buttons.count();
      await pressTwice(page, buttons.first(), async () => {
        await page.waitForFunction(
          ([text, count]) =>
            [...document.querySelectorAll('main li button')].filter((button) =>
              button.getAttribute('aria-label')?.startsWith(text),
            ).length === count,
          [action.source.slice(1), before - 1] as const,
        );
      });
      expect(changes, path).to.have.length(1);
    }
  });

  it('is one where what was pressed goes, and something else is below it', async () => {
    const fay = await app.fixture.person('fay');
    for (let number = 1; number <= 14; number += 1)
      await app.fixture.group(fay, { name: `Folder ${number}` });
    const { page } = await open('/mypads&sort=name', 'desktop', fay);
    const main = page.getByRole('main');
    const item = (name: string) => page.getByRole('menuitem', { name });
    const dialog = page.getByRole('dialog');
    const openMenu = async () => {
      await main
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await item('Delete').waitFor();
    };
    const cases: Record<string, () => Promise<Locator>> = {
      'an entry of a menu': async () => {
        await openMenu();
        return item('Archive');
      },
      'a dialog': async () => {
        await openMenu();
        await item('Delete').click();
        return dialog.getByRole('button', { name: 'Cancel' });
      },
      'a palette': async () => {
        await page.keyboard.press('Control+k');
        await dialog.getByRole('option').first().waitFor();
        await page.keyboard.type('dark');
        return dialog.getByRole('option', { name: 'Theme: Dark' });
      },
    };
    await checkEach(cases, async (prepare) => {
      await app.goTo('/mypads&sort=name');
      const button = await prepare();
      await button.waitFor();
      const address = page.url();
      await pressTwice(page, button);
      await button.waitFor({ state: 'detached' });
      expect(page.url()).to.equal(address);
      expect(await page.locator('dialog[open], :popover-open').count()).to.equal(0);
    });
    await app.goTo(
      `/mypads/group/${await app.fixture.group(fay, { name: 'Tags', tags: ['one', 'two', 'six'] })}/edit`,
    );
    await pressTwice(page, main.getByRole('button', { name: 'Remove one' }));
    await main.getByRole('button', { name: 'Remove two' }).waitFor();
  });

  it('is one to lift a limit: the next one in the list stays', async () => {
    const { page, goTo } = await app.window({ adminToken: await app.signInAsAdmin() });
    const lock = {
      limit: 'signInAccount',
      address: '192.0.2.1',
      knownBrowser: false,
      tries: 9,
      until: Date.now() + 6e5,
    };
    let locks = ['eve', 'mallory'].map((name) => ({
      ...lock,
      id: name,
      object: { kind: 'user', id: name, name },
    }));
    const lifted: string[] = [];
    await page.route(/\/api\/admin\/locks/, (route) => {
      const id = new URL(route.request().url()).pathname.split('/locks/')[1];
      if (id !== undefined) {
        lifted.push(id);
        locks = locks.filter((one) => one.id !== id);
      }
      return route.fulfill({ json: id === undefined ? { count: locks.length, locks } : { success: true } });
    });
    await goTo('/admin/users');
    const button = (name: string) => page.getByRole('button', { name: `Lift limit: ${name}` });
    await button('mallory').waitFor();
    await pressTwice(page, button('eve'), () => button('eve').waitFor({ state: 'detached' }));
    expect(lifted).to.deep.equal(['eve']);
  });

  it('is one on a star, whose row moves away; with the keyboard the focus stays on it', async () => {
    const dan = await app.fixture.person('dan');
    for (const name of ['A', 'B', 'C']) await app.fixture.group(dan, { name });
    const { page } = await open('/mypads&sort=name', 'desktop', dan);
    const stars = page.getByRole('main').getByRole('button', { name: /^Bookmark / });
    const pressed = stars.and(page.locator('[aria-pressed="true"]'));
    await stars.nth(2).waitFor();
    await pressTwice(page, stars.nth(1), () => pressed.waitFor());
    expect(await pressed.count()).to.equal(1);
    const last = page.getByRole('button', { name: 'Bookmark C' });
    await last.focus();
    await page.keyboard.press('Enter');
    await untilFocused(last.and(pressed));
  });

  it('never hits another button because one has appeared while the screen was loading', async () => {
    const { page } = await open('/mytrash');
    /** Where the buttons of the screen are that can be pressed. */
    const places = () =>
      page
        .locator('main > * > header')
        .evaluate((header) =>
          [...header.querySelectorAll('a, button')]
            .filter((button) => !button.closest('nav') && button.ariaDisabled !== 'true')
            .map(
              (button) => `${button.textContent}${button.ariaLabel} ${button.getBoundingClientRect().left}`,
            ),
        );
    for (const [path, call] of [
      ['/mypads', '**/api/overview'],
      [`/mypads/group/${folder}/view`, `**/api/group/${folder}`],
    ] as const) {
      const release = await hold(page, call);
      if (path === '/mypads') await app.goTo(path);
      else await page.getByRole('main').getByRole('link', { name: 'Board', exact: true }).click();
      await page.locator('main [aria-busy]').first().waitFor();
      await heading(page, path === '/mypads' ? 'Folders' : 'Board').waitFor();
      const before = await places();
      release();
      await page.getByRole('main').locator('[data-row]').first().waitFor();
      await page
        .getByRole('main')
        .getByRole('button', { name: /^New pad/ })
        .waitFor();
      const after = await places();
      expect(
        before.filter((place) => !after.includes(place)),
        path,
      ).to.deep.equal([]);
    }
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
