/** The plugin's script in the editor: an open editor follows changes of rights and themes by itself. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { useApp, type WindowOptions } from '../support/browser';
import { textOf, untilEditable, untilShows } from '../support/editor';
import type { Person } from '../support/hostFixture';

/** Brightness of `rgb(…)`, 0 to 1. */
function brightnessOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 765;
}

describe('an editor that is open in a window of its own', function () {
  this.timeout(180_000);
  const app = useApp();
  const owner = app.usePerson('owner');

  async function open(pad: string, options: WindowOptions): Promise<Page> {
    const { page } = await app.window(options);
    await page.goto(`/p/${pad}`);
    await untilEditable(page, true);
    return page;
  }

  const bold = (page: Page) => page.locator('#editbar li[data-key="bold"]');

  it('becomes read-only without toolbar when the pad does, and writable again afterwards', async () => {
    const { fixture } = app;
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const page = await open(pad, { as: owner });
    await fixture.change(owner, `pad/${pad}`, { readonly: true });
    await untilEditable(page, false);
    await bold(page).waitFor({ state: 'hidden' });
    await fixture.change(owner, `pad/${pad}`, { readonly: false });
    await untilEditable(page, true);
    await bold(page).waitFor({ state: 'visible' });
  });

  /** Whether each document of the editor is dark, and the difference of brightness between text and ground, 0 to 1. */
  async function appearance(page: Page): Promise<{ dark: boolean[]; contrast: number }> {
    const frames = page.frames().filter((frame) => /^ace_/.test(frame.name()));
    const pad = frames.find((frame) => frame.name() === 'ace_outer')?.parentFrame() ?? page.mainFrame();
    const dark = await Promise.all(
      [pad, ...frames].map((frame) =>
        frame.evaluate(() => document.documentElement.classList.contains('super-dark-editor')),
      ),
    );
    const inner = frames.find((frame) => frame.name() === 'ace_inner');
    const colours = await inner?.evaluate(() => [
      getComputedStyle(document.body).color,
      window.frameElement === null ? '' : getComputedStyle(window.frameElement).backgroundColor,
    ]);
    const [text = 0, ground = 0] = (colours ?? []).map(brightnessOf);
    return { dark, contrast: Math.abs(text - ground) };
  }

  async function untilDark(page: Page, wanted: boolean): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const { dark, contrast } = await appearance(page);
      if (dark.length === 3 && dark.every((one) => one === wanted)) {
        expect(contrast, 'contrast of the text').to.be.above(0.5);
        return;
      }
      if (Date.now() > deadline) expect(dark).to.deep.equal([wanted, wanted, wanted]);
      await page.waitForTimeout(100);
    }
  }

  it('is dark when the device is, or when dark was chosen in the app, and follows both at once', async () => {
    const { fixture } = app;
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const page = await open(pad, { as: owner, theme: 'dark' });
    await untilDark(page, true);
    await page.emulateMedia({ colorScheme: 'light' });
    await untilDark(page, false);
    const tab = await page.context().newPage();
    await tab.goto('/mypads/?/mypads');
    await tab.getByRole('button', { name: /owner Test/ }).click();
    await tab.getByRole('menuitemradio', { name: 'Dark' }).click();
    await untilDark(page, true);
    await page.reload();
    await untilEditable(page, true);
    await untilDark(page, true);
    await tab.getByRole('button', { name: /owner Test/ }).click();
    await tab.getByRole('menuitemradio', { name: 'Light' }).click();
    await untilDark(page, false);
  });

  it('follows the theme also while Etherpad writes the documents inside it', async () => {
    const { fixture } = app;
    const page = await open(await fixture.pad(owner, await fixture.group(owner)), { as: owner });
    // A frame of the test before that of Etherpad, whose timers would fail without the element. The errors of the page
    // are checked after each test.
    const isDark = await page.evaluate(() => {
      const outer = Object.assign(document.createElement('iframe'), { name: 'ace_outer' });
      document.body.prepend(outer);
      outer.contentDocument?.documentElement.remove();
      return document.documentElement.classList.contains('super-dark-editor');
    });
    expect(isDark).to.equal(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.super-dark-editor').waitFor();
  });

  it('leads a person who is removed from the folder back to the app', async () => {
    const { fixture } = app;
    const friend = await fixture.person('friend');
    const group = await fixture.group(owner);
    await fixture.invite(owner, group, [friend.login]);
    const pad = await fixture.pad(owner, group);
    const page = await open(pad, { as: friend });
    await fixture.invite(owner, group, []);
    await page.waitForURL((url) => url.search.includes(`/mypads/group/-/pad/view/${pad}`));
  });
});

describe('two people in one pad', function () {
  this.timeout(180_000);
  const app = useApp();
  const colours = { ann: '#a6e3d0', bob: '#c9c2f0' };
  let ann: Person;
  let bob: Person;
  let pad: string;
  let anns: Page;
  let bobs: Page;

  before(async () => {
    const { fixture } = app;
    [ann, bob] = [await fixture.person('ann'), await fixture.person('bob')];
    await fixture.change(ann, `user/${ann.login}`, { color: colours.ann });
    await fixture.change(bob, `user/${bob.login}`, { color: colours.bob });
    const group = await fixture.group(ann, { users: [bob.id] });
    pad = await fixture.pad(ann, group, { name: 'Minutes' });
    [anns, bobs] = [await open(ann), await open(bob)];
  });

  async function open(as: Person): Promise<Page> {
    const { page } = await app.window({ as });
    await page.goto(`/p/${pad}`);
    await untilEditable(page, true);
    await page.locator('#editorcontainer.initialized').waitFor({ state: 'attached' });
    return page;
  }

  async function write(page: Page, text: string): Promise<void> {
    await textOf(page).press('ControlOrMeta+End');
    await textOf(page).pressSequentially(text, { delay: 5 });
  }

  /** `#a6e3d0` as browsers write it. */
  const rgb = (colour: string): string =>
    `rgb(${[1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`;

  /** Waits until the text has the colour of its author. */
  async function expectColour(page: Page, text: string, colour: string): Promise<void> {
    const shown = textOf(page).locator('span[class*="author-"]', { hasText: text }).first();
    await untilColour(page, shown, colour);
  }

  /** Reads it again and again, because the editor sometimes replaces an element while its style is read. */
  async function untilColour(page: Page, shown: Locator, colour: string): Promise<void> {
    await shown.waitFor({ state: 'attached' });
    const deadline = Date.now() + 10_000;
    for (;;) {
      const found = await shown.evaluate((element) => getComputedStyle(element).backgroundColor);
      if (found === rgb(colour)) return;
      if (Date.now() > deadline) expect(found).to.equal(rgb(colour));
      await page.waitForTimeout(100);
    }
  }

  it('see at once what the other writes, in the colour of its author', async () => {
    await write(anns, 'Present: Ann. ');
    await untilShows(bobs, 'Present: Ann.');
    await write(bobs, 'And Bob.');
    await untilShows(anns, 'And Bob.');
    for (const page of [anns, bobs]) {
      await expectColour(page, 'Present: Ann.', colours.ann);
      await expectColour(page, 'And Bob.', colours.bob);
    }
  });

  it('see the name and the colour of the other in the list of users', async () => {
    for (const [page, other, colour] of [
      [anns, bob, colours.bob],
      [bobs, ann, colours.ann],
    ] as const) {
      await page.locator('#editbar [data-key="showusers"] button').click();
      const row = page.locator('#otheruserstable tr', { hasText: other.login });
      await row.waitFor();
      await untilColour(page, row.locator('.swatch'), colour);
    }
  });

  it('chat under their names', async () => {
    for (const [page, text] of [
      [anns, 'Shall we begin?'],
      [bobs, 'I am ready.'],
    ] as const) {
      await page.locator('#chaticon').click();
      await page.locator('#chatinput').fill(text);
      await page.locator('#chatinput').press('Enter');
    }
    for (const page of [anns, bobs]) {
      const lines = page.locator('#chattext p');
      await lines.filter({ hasText: ann.login }).filter({ hasText: 'Shall we begin?' }).waitFor();
      await lines.filter({ hasText: bob.login }).filter({ hasText: 'I am ready.' }).waitFor();
    }
  });

  it('find what both have written in the history', async () => {
    await bobs.locator('#editbar [data-key="showTimeSlider"] button').click();
    const history = app.etherpad.major >= 3 ? bobs.frameLocator('#history-frame') : bobs;
    for (const text of ['Present: Ann.', 'And Bob.']) {
      await history.locator('#innerdocbody').getByText(text).first().waitFor();
    }
    // 3.x has the authors of a version in the list of users, which is not open.
    await bobs
      .locator('#authorsList, .history-authors-row')
      .filter({ hasText: ann.login })
      .waitFor({ state: 'attached' });
  });
});
