/** Other languages: the choice, the first moment of the page, the editor, and texts that run from right to left. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { languageCodes, languages } from '../../model/languages';
import {
  accessibilityProblems,
  onStage,
  type Stage,
  sidewaysScroll,
  type Visitor,
  type VisitorOptions,
  visitor,
} from '../support/browser';
import { textOf } from '../support/editor';
import type { Person } from '../support/hostWorld';

describe('languages', function () {
  this.timeout(90_000);
  let stage: Stage;
  let ann: Person;
  let folder = '';
  let pad = '';
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    ann = await stage.world.person('ann');
    folder = await stage.world.group(ann, { name: 'Desk', tags: ['first', 'second'] });
    pad = await stage.world.pad(ann, folder, { name: 'Minutes' });
    await stage.world.pad(ann, folder, { name: 'More minutes' });
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function at(place: string, options: VisitorOptions = { as: ann }): Promise<Page> {
    now = await visitor(stage, options);
    await now.open(place);
    return now.page;
  }

  it('are chosen in a dialog that names each one in itself', async () => {
    const page = await at('/mypads');
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitem', { name: 'Language' }).click();
    const dialog = page.getByRole('dialog', { name: 'Language' });
    await dialog
      .getByRole('button', { name: 'English', pressed: true })
      .and(page.locator(':focus'))
      .waitFor();
    expect(await dialog.getByRole('listitem').count()).to.equal(languageCodes.length);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const waiting = languageCodes.filter((code) => !languages[code].reviewed);
    expect(await dialog.getByText('not reviewed yet').count()).to.equal(waiting.length);
    await dialog.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ordner' }).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('are chosen on a phone too, by touch and by keyboard', async () => {
    const page = await at('/mypads', { as: ann, screen: 'phone' });
    const dialog = page.getByRole('dialog', { name: 'Language' });
    const person = page.getByRole('button', { name: 'ann Test' });
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await person.tap();
    await page.getByRole('menuitem', { name: 'Language' }).tap();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await person.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    // The menu gives the focus to the current theme once it is open.
    await page.getByRole('menuitemradio', { checked: true }).and(page.locator(':focus')).waitFor();
    await page.getByRole('menuitem', { name: 'Language' }).press('Enter');
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await person.tap();
    await page.getByRole('menuitem', { name: 'Language' }).tap();
    await dialog.getByRole('button', { name: 'Deutsch' }).tap();
    await page.getByRole('link', { name: 'Lesezeichen' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Ordner' }).waitFor();
    await page.getByRole('button', { name: 'Menü öffnen' }).and(page.locator(':focus')).waitFor();
  });

  it('open the editor in the language of the page', async () => {
    const page = await at(`/mypads/group/${folder}/pad/view/${pad}`, { as: ann, language: 'fr' });
    const frame = page.frameLocator('main iframe');
    await textOf(frame).waitFor({ state: 'attached', timeout: 60_000 });
    const bold = frame.locator('[data-l10n-id="pad.toolbar.bold.title"]').first();
    await bold.and(frame.locator('[aria-label^="Gras"], [title^="Gras"]')).waitFor({ state: 'attached' });
    expect(new URL(page.frames()[1]?.url() ?? '').searchParams.get('lang')).to.equal('fr');
  });

  it('set language and direction before the first script of the page is loaded', async () => {
    now = await visitor(stage, { as: ann, language: 'fr' });
    const { page } = now;
    // French as if it were written from right to left.
    await page.route(/\/mypads\/\?/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('"fr":"ltr"', '"fr":"rtl"');
      await route.fulfill({ response: answer, body });
    });
    await page.route('**/mypads/assets/*.js', (route) => route.abort());
    await page.context().setExtraHTTPHeaders({ 'Accept-Language': 'en' });
    await now.open('/mypads');
    const html = page.locator('html');
    expect(await html.getAttribute('lang')).to.equal('fr');
    expect(await html.getAttribute('dir')).to.equal('rtl');
  });

  describe('from right to left', () => {
    const mirror = (page: Page): Promise<void> =>
      page.evaluate(() => {
        document.documentElement.dir = 'rtl';
      });
    const box = async (page: Page, selector: string) => {
      const found = await page.locator(selector).first().boundingBox();
      if (found === null) throw new Error(`${selector} is not shown`);
      return found;
    };

    it('the menus are at the right, and open within the window', async () => {
      const page = await at('/mypads');
      await page.locator('main [data-row]').first().waitFor();
      await mirror(page);
      expect((await box(page, 'nav')).x).to.be.greaterThan((await box(page, 'main h1')).x);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sidewaysScroll(page), `${width} px`).to.deep.equal([]);
        await page.locator('main [data-row] [aria-haspopup="menu"]').first().click();
        const menu = await box(page, '[role="menu"]:popover-open');
        expect(menu.x, `${width} px`).to.be.at.least(0);
        expect(menu.x + menu.width, `${width} px`).to.be.at.most(width);
        await page.keyboard.press('Escape');
      }
    });

    it('a long name that runs from left to right is cut off at its own end', async () => {
      const name = 'Donaudampfschifffahrtsgesellschaftskapit';
      const key = await stage.world.group(ann, { name });
      await stage.etherpad.api('POST', 'usermark', { token: ann.token, body: { type: 'groups', key } });
      const page = await at('/mypads');
      await mirror(page);
      const link = page.getByRole('navigation').getByRole('link', { name });
      const outside = await link.locator('span').evaluate((label) => {
        const range = document.createRange();
        const text = label.firstChild ?? label;
        range.setStart(text, 0);
        range.setEnd(text, 1);
        const [letter, box] = [range.getBoundingClientRect(), label.getBoundingClientRect()];
        return letter.left < box.left - 1 || letter.right > box.right + 1;
      });
      expect(outside).to.equal(false);
    });

    it('the bar of a pad begins at the right, and its arrows point the other way', async () => {
      const page = await at(`/mypads/group/${folder}/pad/view/${pad}`);
      await page.locator('iframe').waitFor();
      await mirror(page);
      const title = await box(page, 'main h1');
      const back = await box(page, 'main header a:has(.lucide-arrow-left)');
      const share = await box(page, 'main header [aria-haspopup="menu"]:has(.lucide-ellipsis)');
      expect(back.x).to.be.greaterThan(title.x);
      expect(share.x).to.be.lessThan(title.x);
      for (const icon of ['.lucide-arrow-left', '.lucide-chevron-right']) {
        const scale = await page
          .locator(`main header ${icon}`)
          .first()
          .evaluate((one) => getComputedStyle(one).scale);
        expect(scale, icon).to.equal('-1 1');
      }
      for (const width of [1280, 700, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sidewaysScroll(page), `${width} px`).to.deep.equal([]);
      }
    });
  });
});
