/** The script of ours inside the editor: an open editor follows the rights of its reader without a hand on the keyboard. */
import { expect } from 'chai';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';
import { frameOf, textOf } from '../support/editor';
import type { Person } from '../support/hostWorld';

/** Of `rgb(…)`, 0 to 1. */
function brightnessOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 765;
}

describe('an editor that is open in a window of its own', function () {
  this.timeout(180_000);
  let stage: Stage;
  let owner: Person;

  before(async () => {
    stage = await onStage();
    owner = await stage.world.person('owner');
  });

  async function open(person: Person, pad: string): Promise<Visitor> {
    const browser = await visitor(stage, { as: person });
    await browser.page.goto(`/p/${pad}`);
    await untilEditable(browser, true);
    return browser;
  }

  async function untilEditable({ page }: Visitor, editable: boolean): Promise<void> {
    const inner = page.frameLocator('iframe[name="ace_outer"]').frameLocator('iframe[name="ace_inner"]');
    const body = inner.locator(`#innerdocbody[contenteditable="${editable}"]`);
    await body.waitFor({ state: 'attached', timeout: 60_000 });
  }

  function bold({ page }: Visitor) {
    return page.locator('#editbar li[data-key="bold"]');
  }

  it('comes back as a reader without tools when the pad becomes readonly, and as a writer after that', async () => {
    const { world } = stage;
    const pad = await world.pad(owner, await world.group(owner));
    const browser = await open(owner, pad);
    await world.change(owner, `pad/${pad}`, { readonly: true });
    await untilEditable(browser, false);
    await bold(browser).waitFor({ state: 'hidden' });
    await world.change(owner, `pad/${pad}`, { readonly: false });
    await untilEditable(browser, true);
    await bold(browser).waitFor({ state: 'visible' });
    expect(browser.complaints()).to.deep.equal([]);
    await browser.close();
  });

  /** Whether each document of the editor is dark, and the difference of brightness between text and ground, 0 to 1. */
  async function looks({ page }: Pick<Visitor, 'page'>): Promise<{ dark: boolean[]; contrast: number }> {
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

  async function untilDark(browser: Pick<Visitor, 'page'>, wanted: boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const { dark, contrast } = await looks(browser);
      if (dark.length === 3 && dark.every((one) => one === wanted)) {
        expect(contrast, 'text on its ground').to.be.above(0.5);
        return;
      }
      if (Date.now() > deadline) expect(dark).to.deep.equal([wanted, wanted, wanted]);
      await browser.page.waitForTimeout(100);
    }
  }

  it('is dark where the system is, or where that was chosen in the app, and follows both', async () => {
    const { world } = stage;
    const pad = await world.pad(owner, await world.group(owner));
    const browser = await visitor(stage, { as: owner, theme: 'dark' });
    await browser.page.goto(`/p/${pad}`);
    await untilEditable(browser, true);
    await untilDark(browser, true);
    await browser.page.emulateMedia({ colorScheme: 'light' });
    await untilDark(browser, false);
    const app = await browser.page.context().newPage();
    await app.goto('/mypads/?/mypads');
    await app.getByRole('button', { name: /owner Test/ }).click();
    await app.getByRole('menuitemradio', { name: 'Dark' }).click();
    await untilDark(browser, true);
    await browser.page.reload();
    await untilEditable(browser, true);
    await untilDark(browser, true);
    await app.getByRole('button', { name: /owner Test/ }).click();
    await app.getByRole('menuitemradio', { name: 'Light' }).click();
    await untilDark(browser, false);
    expect(browser.complaints()).to.deep.equal([]);
    await browser.close();
  });

  it('is dark inside the app too, at once when the theme is chosen', async () => {
    const { world } = stage;
    const group = await world.group(owner);
    const pad = await world.pad(owner, group);
    const browser = await visitor(stage, { as: owner });
    await browser.open(`/mypads/group/${group}/pad/view/${pad}`);
    await textOf(frameOf(browser.page)).waitFor({ state: 'attached', timeout: 60_000 });
    await untilDark(browser, false);
    await browser.page.getByRole('button', { name: /owner Test/ }).click();
    await browser.page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await untilDark(browser, true);
    await browser.close();
  });

  it('leads somebody who is taken out of the group back to the app', async () => {
    const { world } = stage;
    const friend = await world.person('friend');
    const group = await world.group(owner);
    await world.invite(owner, group, [friend.login]);
    const pad = await world.pad(owner, group);
    const browser = await open(friend, pad);
    await world.invite(owner, group, []);
    await browser.page.waitForURL((url) => url.search.includes(`/mypads/group/${group}/pad/view/${pad}`));
    await browser.close();
  });
});
