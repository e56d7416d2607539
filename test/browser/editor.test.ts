/** The plugin's script in the editor: an open editor follows changes of rights and themes by itself. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useApp, type WindowOptions } from '../support/browser';
import { untilEditable, untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

/** Brightness of `rgb(…)`, 0 to 1. */
function brightnessOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 765;
}

describe('an editor that is open in a window of its own', function () {
  this.timeout(180_000);
  const app = useApp();
  let owner: Person;

  before(async () => {
    owner = await app.fixture.person('owner');
  });

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

  it('in the app becomes dark as soon as the dark theme is chosen', async () => {
    const { fixture } = app;
    const group = await fixture.group(owner);
    const pad = await fixture.pad(owner, group);
    const page = await app.open(`/mypads/group/${group}/pad/view/${pad}`, { as: owner });
    await untilEditorIsReady(page);
    await untilDark(page, false);
    await page.getByRole('button', { name: /owner Test/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await untilDark(page, true);
  });

  it('leads a person who is removed from the folder back to the app', async () => {
    const { fixture } = app;
    const friend = await fixture.person('friend');
    const group = await fixture.group(owner);
    await fixture.invite(owner, group, [friend.login]);
    const pad = await fixture.pad(owner, group);
    const page = await open(pad, { as: friend });
    await fixture.invite(owner, group, []);
    await page.waitForURL((url) => url.search.includes(`/mypads/group/${group}/pad/view/${pad}`));
  });
});
