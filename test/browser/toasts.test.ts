/** Short messages at the edge of the screen. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  accessibilityProblems,
  heading,
  signInByForm,
  untilFocused,
  untilStill,
  useApp,
} from '../support/browser';

describe('messages', function () {
  this.timeout(60_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);

  beforeEach(async () => {
    for (const name of ['Choir & <b>friends</b>', 'Garden']) await app.fixture.group(ann, { name });
  });

  /** The list of folders, in a page whose clock the test moves. */
  async function open(): Promise<Page> {
    const { page } = await app.window({ as: ann });
    await page.clock.install();
    await app.goTo('/mypads');
    await heading(page, 'Folders').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Garden' }).waitFor();
    await stopTime(page);
    return page;
  }

  /** From here the time of the page passes only when the test moves it, however slow the machine is. */
  async function stopTime(page: Page): Promise<void> {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  }

  async function archive(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
  }

  it('of success disappear after ten seconds, but not while the pointer is on them', async () => {
    const page = await open();
    await archive(page, 'Choir & <b>friends</b>');
    const message = page.getByRole('status').getByText('“Choir & <b>friends</b>” was archived.');
    await message.waitFor();
    await message.hover();
    // The search for problems waits for timers of the page.
    await page.clock.resume();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await stopTime(page);
    await page.clock.runFor(20_000);
    expect(await message.isVisible()).to.equal(true);
    await page.mouse.move(5, 5);
    await page.clock.runFor(9_000);
    expect(await message.isVisible()).to.equal(true);
    await page.clock.runFor(1_500);
    await message.waitFor({ state: 'detached' });
  });

  it('about folders and pads disappear when the person signs out', async () => {
    const page = await open();
    await archive(page, 'Garden');
    await page.getByText('“Garden” was archived.').waitFor();
    await page.getByRole('button', { name: /ann Test/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await page.getByText('“Garden” was archived.').count()).to.equal(0);
  });

  it('about folders and pads disappear when somebody else signs in after the end of the session, or nobody', async () => {
    const bob = await app.fixture.person('bob');
    const message = (page: Page) => page.getByText('was archived.');
    const endSession = async (name: string): Promise<Page> => {
      const { token } = await app.fixture.signIn(ann.login);
      const page = await app.open('/mypads', { as: { ...ann, token } });
      await archive(page, name);
      await message(page).waitFor();
      await app.etherpad.api('POST', 'auth/logout', { token });
      await page.getByRole('link', { name: 'Trash' }).click();
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      return page;
    };
    const page = await endSession('Garden');
    await signInByForm(page, bob.login);
    await page.getByRole('button', { name: /bob Test/ }).waitFor();
    expect(await message(page).count()).to.equal(0);
    const other = await endSession('Choir & <b>friends</b>');
    await other.getByRole('button', { name: 'Leave' }).click();
    await heading(other, 'Sign in').waitFor();
    expect(await message(other).count()).to.equal(0);
  });

  it('of a failure are shown also when the screen was left before the answer', async () => {
    const page = await app.open('/mypads', { as: ann });
    let fail = (): void => {};
    const failing = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route('**/api/usermark', async (route) => {
      await failing;
      await route.fulfill({ status: 503, json: { error: 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE' } });
    });
    await page.getByRole('main').getByRole('link', { name: 'Garden' }).click();
    await heading(page, 'Garden').waitFor();
    const asked = page.waitForRequest('**/api/usermark');
    await page.getByRole('main').getByRole('button', { name: 'Bookmark Garden' }).click();
    await asked;
    await page.getByRole('link', { name: 'Trash' }).click();
    await heading(page, 'Trash').waitFor();
    fail();
    await page.getByText('The server cannot reach its database.').first().waitFor();
  });

  it('of failures stay for fifteen seconds, or until they are closed', async () => {
    const page = await open();
    await page.route(/\/api\/group\/[^/]+$/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { error: 'BACKEND.ERROR.SERVER.BUSY' } })
        : route.continue(),
    );
    const message = page.getByRole('alert').getByText('One folder could not be changed.');
    await archive(page, 'Garden');
    await message.waitFor();
    await page.mouse.move(5, 5);
    await page.clock.runFor(14_000);
    expect(await message.isVisible()).to.equal(true);
    await page.clock.runFor(1_500);
    await message.waitFor({ state: 'detached' });
    await archive(page, 'Garden');
    await message.waitFor();
    await page.getByRole('button', { name: 'Close this message' }).click();
    await message.waitFor({ state: 'detached' });
  });

  it('can be used in a dialog, and stay when it closes without being announced again', async () => {
    const page = await open();
    await page.clock.resume();
    const message = page.getByText('“Garden” was archived.');
    const announced = page.getByRole('status').filter({ has: message });
    await archive(page, 'Garden');
    await announced.waitFor();
    // A message that a dialog covers at once is announced there: nothing shows when this time is over.
    await page.waitForTimeout(1_100);
    await page.getByRole('button', { name: /^Actions for Choir/ }).click();
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('“Garden” was archived.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await message.waitFor();
    expect(await announced.count()).to.equal(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Garden” was restored').waitFor();
    await untilFocused(heading(page, 'Folders'));
  });

  it('disappear in time also after a dialog in which they had the focus', async () => {
    const page = await open();
    await archive(page, 'Garden');
    const message = page.getByText('“Garden” was archived.');
    await message.waitFor();
    await page.getByRole('button', { name: /^Actions for Choir/ }).click();
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.clock.runFor(10_500);
    await message.waitFor({ state: 'detached' });
  });

  /** Parts of the editor that the message covers; `undefined` if it has gone. */
  async function coveredParts(page: Page, shown: Locator): Promise<string[] | undefined> {
    const message =
      (await shown.count()) > 0 ? await shown.boundingBox({ timeout: 1_000 }).catch(() => null) : null;
    if (message === null) return undefined;
    const found: string[] = [];
    const parts = [
      '#editbar .menu_left',
      '#editbar .menu_right',
      '#chaticon',
      '#chatbox.visible',
      '#users.popup-show',
    ];
    for (const part of parts) {
      const element = page.frameLocator('iframe').locator(part);
      const box =
        (await element.count()) > 0 && (await element.isVisible()) ? await element.boundingBox() : null;
      if (box === null) continue;
      const apart =
        message.x + message.width <= box.x ||
        box.x + box.width <= message.x ||
        message.y + message.height <= box.y ||
        box.y + box.height <= message.y;
      if (!apart) found.push(part);
    }
    return found;
  }

  for (const language of ['en', 'ar'] as const) {
    it(`never cover the controls, people and chat of the editor, in ${language}`, async function () {
      this.timeout(180_000);
      const group = await app.fixture.group(ann, { name: 'Desk' });
      const pad = await app.fixture.pad(ann, group, { name: 'Minutes' });
      const { page, goTo } = await app.window({ as: ann, language, screen: { width: 1440, height: 800 } });
      await page.route('**/api/usermark', (route) =>
        route.fulfill({ status: 503, json: { error: 'BACKEND.ERROR.SERVER.BUSY' } }),
      );
      await goTo(`/mypads/group/${group}/pad/view/${pad}`);
      await page
        .frameLocator('iframe')
        .locator('#editorcontainer.initialized')
        .waitFor({ state: 'attached' });
      const frame = page.frameLocator('iframe');
      const message = page.getByRole('alert').locator('xpath=./*[1]');
      const showMessage = () =>
        page.evaluate(() => document.querySelector<HTMLElement>('main [data-key="s"]')?.click());
      const people = frame.locator('li[data-key="showusers"] :is(a, button)').first();
      for (const opened of [undefined, '#chatbox.visible', '#users.popup-show'] as const) {
        if (opened === '#chatbox.visible') await frame.locator('#chaticon').dispatchEvent('click');
        if (opened === '#users.popup-show') {
          await frame.locator('#titlecross').dispatchEvent('click');
          await people.dispatchEvent('click');
        }
        if (opened) await frame.locator(opened).waitFor();
        for (const width of language === 'ar' ? [1440, 860, 320] : [1440, 1200, 1060, 900, 860, 390, 320]) {
          await page.setViewportSize({ width, height: 800 });
          let covered: string[] | undefined;
          // On a slow machine, it goes before it is measured.
          while (covered === undefined) {
            if ((await message.count()) === 0) await showMessage();
            await message.waitFor();
            // The editor opens its boxes in transitions.
            for (const shown of [frame, page]) await untilStill(shown.locator('html'));
            covered = await coveredParts(page, message);
          }
          const at = `${width} px, ${opened ?? 'nothing'} open`;
          if (process.env.SHOTS)
            await page.screenshot({ path: `${process.env.SHOTS}/${language}-${width}-${opened}.png` });
          expect(covered, at).to.deep.equal([]);
        }
      }
    });
  }
});
