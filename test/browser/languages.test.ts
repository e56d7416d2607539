/** Other languages: choosing one, before scripts are loaded, in the editor, and writing from right to left. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { languageCodes, languages } from '../../model/languages';
import {
  accessibilityProblems,
  heading,
  sidewaysScroll,
  untilFocused,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { textOf } from '../support/editor';

describe('languages', function () {
  this.timeout(90_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let folder = '';
  let pad = '';

  before(async () => {
    folder = await app.fixture.group(ann, { name: 'Desk', tags: ['first', 'second'] });
    pad = await app.fixture.pad(ann, folder, { name: 'Minutes' });
    await app.fixture.pad(ann, folder, { name: 'More minutes' });
  });

  const open = (path: string, options: WindowOptions = { as: ann }): Promise<Page> => app.open(path, options);

  it('are chosen in a dialog that lists each one by its own name', async () => {
    const page = await open('/mypads');
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitem', { name: 'Language' }).click();
    const dialog = page.getByRole('dialog', { name: 'Language' });
    await untilFocused(dialog.getByRole('button', { name: 'English', pressed: true }));
    expect(await dialog.getByRole('listitem').count()).to.equal(languageCodes.length);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const waiting = languageCodes.filter((code) => !languages[code].reviewed);
    expect(await dialog.getByText('not reviewed yet').count()).to.equal(waiting.length);
    await dialog.getByRole('button', { name: 'Deutsch' }).click();
    await heading(page, 'Ordner').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('are chosen on a phone too, by touch and by keyboard', async () => {
    const page = await open('/mypads', { as: ann, screen: 'phone', language: 'en' });
    const dialog = page.getByRole('dialog', { name: 'Language' });
    const person = page.getByRole('button', { name: 'ann Test' });
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await person.tap();
    await page.getByRole('menuitem', { name: 'Language' }).tap();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await untilFocused(person);
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
    await heading(page, 'Ordner').waitFor();
    await untilFocused(page.getByRole('button', { name: 'Menü öffnen' }));
  });

  it('are chosen for the account: another browser shows the same at its next visit', async () => {
    const bob = await app.fixture.person('bob');
    const elsewhere = (await app.window({ as: bob })).page;
    await app.goTo('/mypads');
    await heading(elsewhere, 'Folders').waitFor();
    const page = await open('/mypads', { as: bob });
    await page.getByRole('button', { name: 'bob Test' }).click();
    await page.getByRole('menuitem', { name: 'Language' }).click();
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.getByRole('dialog').getByRole('button', { name: 'Deutsch' }).click();
    await heading(page, 'Ordner').waitFor();
    expect((await saved).status()).to.equal(200);
    // The other browser has stored another language.
    await elsewhere.reload();
    await heading(elsewhere, 'Ordner').waitFor();
    expect(await elsewhere.evaluate(() => localStorage.getItem('language'))).to.equal('de');
  });

  it('and the theme are chosen for all tabs of the browser: a form that is open keeps its text and its errors', async () => {
    const eve = await app.fixture.person('eve');
    const page = await open('/mypads/group/add', { as: eve, language: 'en' });
    await page.getByLabel('Description').fill('Half a sentence');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByText('Give the folder a name.').first().waitFor();
    const other = await page.context().newPage();
    await other.goto('/mypads/');
    await other.getByRole('button', { name: 'eve Test' }).click();
    await other.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    await other.getByRole('button', { name: 'eve Test' }).click();
    await other.getByRole('menuitem', { name: 'Language' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Deutsch' }).click();
    await heading(page, 'Neuer Ordner').waitFor();
    expect(await page.getByText('Give the folder a name.').count()).to.equal(0);
    expect(await page.getByLabel('Beschreibung').inputValue()).to.equal('Half a sentence');
  });

  it('that cannot be loaded are a message, and English texts', async () => {
    const bob = await app.fixture.person('bob');
    const { page } = await app.window({ language: 'it' });
    await page.route('**/l10n/it-*.json', (route) => route.abort());
    await app.goTo('/login');
    await heading(page, 'Sign in').waitFor();
    const message = page.getByText('This language could not be loaded.');
    await message.waitFor();
    await app.close();
    await app.fixture.change(bob, `user/${bob.login}`, { lang: 'it' });
    const later = (await app.window({ as: bob })).page;
    await later.route('**/l10n/it-*.json', (route) => route.abort());
    await app.goTo('/mypads');
    await heading(later, 'Folders').waitFor();
    await later.getByText('This language could not be loaded.').waitFor();
  });

  it('open the editor in the language of the page', async () => {
    const page = await open(`/mypads/group/${folder}/pad/view/${pad}`, { as: ann, language: 'fr' });
    const frame = page.frameLocator('main iframe');
    await textOf(frame).waitFor({ state: 'attached', timeout: 90_000 });
    const bold = frame.locator('[data-l10n-id="pad.toolbar.bold.title"]').first();
    await bold.and(frame.locator('[aria-label^="Gras"], [title^="Gras"]')).waitFor({ state: 'attached' });
    expect(new URL(page.frames()[1]?.url() ?? '').searchParams.get('lang')).to.equal('fr');
  });

  it('set language and direction of the page before its scripts are loaded', async () => {
    const { page } = await app.window({ as: ann, language: 'fr' });
    // Pretends that French is written from right to left, which only the server can know.
    await page.route(/\/mypads\/\?/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('"fr":"ltr"', '"fr":"rtl"');
      await route.fulfill({ response: answer, body });
    });
    await page.route('**/mypads/assets/*.js', (route) => route.abort());
    await page.context().setExtraHTTPHeaders({ 'Accept-Language': 'en' });
    await app.goTo('/mypads');
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

    /** Whether the first letter of a text is outside of its box. */
    const isStartCut = (text: Locator): Promise<boolean> =>
      text.evaluate((label) => {
        const range = document.createRange();
        const start = document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode() ?? label;
        range.setStart(start, 0);
        range.setEnd(start, 1);
        const [letter, box] = [range.getBoundingClientRect(), label.getBoundingClientRect()];
        return letter.left < box.left - 1 || letter.right > box.right + 1;
      });

    it('the menus are at the right, and open within the window', async () => {
      const page = await open('/mypads');
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

    it('a long name written from left to right is cut off at its own end', async () => {
      const name = 'Donaudampfschifffahrtsgesellschaftskapit';
      const key = await app.fixture.group(ann, { name });
      await app.etherpad.api('POST', 'usermark', { token: ann.token, body: { type: 'groups', key } });
      const page = await open('/mypads');
      const link = page.getByRole('navigation').getByRole('link', { name });
      await link.waitFor();
      await mirror(page);
      expect(await isStartCut(link.locator('span'))).to.equal(false);
    });

    it('the name of the folder for new pads is cut off at its own end', async () => {
      const reza = await app.fixture.person('reza');
      const name = 'Donaudampfschifffahrtsgesellschaftskapit';
      await app.fixture.group(reza, { name });
      const page = await open('/mypads', { as: reza, language: 'ar', screen: 'phone' });
      const where = page.locator('main header button').getByText(name);
      expect(await isStartCut(where.last())).to.equal(false);
    });

    it('a short name written from left to right stands beside its icon', async () => {
      const key = await app.fixture.group(ann, { name: 'Choir' });
      await app.etherpad.api('POST', 'usermark', { token: ann.token, body: { type: 'groups', key } });
      const page = await open('/mypads');
      const link = page.getByRole('navigation').getByRole('link', { name: 'Choir' });
      await link.waitFor();
      await mirror(page);
      const gap = await link.locator('span').evaluate((label) => {
        const range = document.createRange();
        range.selectNodeContents(label);
        return label.getBoundingClientRect().right - range.getBoundingClientRect().right;
      });
      expect(gap).to.be.closeTo(0, 2);
    });

    it('numbers have the digits of the language', async () => {
      const reza = await app.fixture.person('reza');
      const tags = [...'abcdefghij'];
      const key = await app.fixture.group(reza, { name: 'Garden', tags });
      await app.fixture.group(reza, { name: 'Kitchen' });
      const body = { type: 'groups', key };
      await app.etherpad.api('POST', 'usermark', { token: reza.token, body });
      const page = await open('/mypads', { as: reza, language: 'fa' });
      await page.getByRole('main').getByText('+۲').waitFor();
      expect(await page.getByRole('main').innerText()).not.to.match(/[0-9]/);
      await app.goTo('/mypads/group/add');
      await page.locator('main input[type="text"]').first().fill('x'.repeat(39));
      await page.getByText('۳۹ / ۴۰').waitFor();
    });

    it('the English guide keeps its arrows, because it is written from left to right', async () => {
      const page = await open('/help/access', { language: 'fa' });
      const arrows = page.getByRole('main').locator('[data-to] svg');
      await arrows.nth(1).waitFor();
      const scales = await arrows.evaluateAll((all) => all.map((one) => getComputedStyle(one).scale));
      expect(scales).to.deep.equal(['none', 'none']);
    });

    it('the header of a pad begins at the right, and its arrows point the other way', async () => {
      const page = await open(`/mypads/group/${folder}/pad/view/${pad}`);
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
