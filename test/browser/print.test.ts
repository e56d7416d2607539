/** Printed lists and pads. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { sidewaysScroll, useApp } from '../support/browser';
import { frameOf, untilShows } from '../support/editor';
import { hostApi } from '../support/hostApi';

describe('printing', function () {
  this.timeout(180_000);
  const padCount = 60;
  const app = useApp();
  const ann = app.usePerson('ann');
  let folder = '';

  before(async () => {
    folder = await app.fixture.group(ann, { name: 'Archive of minutes', tags: ['board'] });
    const numbers = Array.from({ length: padCount }, (_, index) => index + 1);
    await Promise.all(numbers.map((number) => app.fixture.pad(ann, folder, { name: `Minutes ${number}` })));
  });

  async function open(path: string): Promise<Page> {
    const page = await app.open(path, { as: ann, theme: 'dark' });
    await page.locator('main [data-row]').first().waitFor();
    return page;
  }

  /** Shows the page as the browser prints it. */
  async function showPrinted(page: Page): Promise<void> {
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  }

  it('a printed folder is complete, black on white, without menus and buttons', async () => {
    const page = await open(`/mypads/group/${folder}/view`);
    await showPrinted(page);
    expect(await page.locator('main [data-row]').count()).to.equal(padCount);
    await page.getByText('Minutes 60', { exact: true }).waitFor();
    expect(await page.locator('nav:visible, button:visible:not(h1 button), input:visible').count()).to.equal(
      0,
    );
    const colors = await page.locator('body').evaluate((body) => {
      const { color, backgroundColor } = getComputedStyle(body);
      return { color, backgroundColor };
    });
    expect(colors).to.deep.equal({ color: 'rgb(29, 29, 41)', backgroundColor: 'rgb(255, 255, 255)' });
    const date = page.locator('main time').first();
    expect(await date.evaluate((time) => getComputedStyle(time, '::after').content)).to.match(/20\d\d/);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('navigation', { name: 'Pages of the list' }).waitFor();
    expect(await page.locator('main [data-row]').count()).to.equal(50);
  });

  it('a printed list of folders fits on paper with long names', async () => {
    await app.fixture.group(ann, { name: 'Donaudampfschifffahrtsgesellschaftskapit', visibility: 'public' });
    const page = await open('/mypads');
    await showPrinted(page);
    // A4 without its margins.
    await page.setViewportSize({ width: 680, height: 1000 });
    expect(await sidewaysScroll(page)).to.deep.equal([]);
  });

  it("an administrator's list fits on paper with long names of 1.x, which has no limit for them", async () => {
    const { page } = await app.window({ adminToken: await app.signInAsAdmin() });
    await page.route('**/api/admin/pads?*', async (route) => {
      const response = await route.fetch();
      const name = 'Projet p\u00e9dagogique interdisciplinaire 2019-2020, classe de 4e B';
      await route.fulfill({ response, body: (await response.text()).replaceAll('Archive of minutes', name) });
    });
    await page.goto('/mypads/?/admin/pads');
    await page.locator('main [data-row]').first().waitFor();
    await showPrinted(page);
    await page.setViewportSize({ width: 680, height: 1000 });
    const edges = await page
      .locator('main [data-row] .muted span')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(Math.max(...edges)).to.be.at.most(680);
  });

  it('a pad prints its whole text, in the app and without it', async () => {
    const pad = await app.fixture.pad(ann, folder, { name: 'Statutes' });
    const text = Array.from({ length: 150 }, (_, index) => `Paragraph ${index + 1}`).join('\n');
    await hostApi(app.etherpad, 'setText', { padID: pad, text });
    for (const [address, host] of [
      [`/mypads/?/mypads/group/${folder}/pad/view/${pad}`, frameOf],
      [`/p/${pad}`, (page: Page) => page],
    ] as const) {
      const { page } = await app.window({ as: ann, theme: 'dark' });
      await page.goto(address);
      await untilShows(host(page), 'Paragraph 150');
      await host(page).locator('#editorcontainer.initialized').waitFor({ state: 'attached' });
      await showPrinted(page);
      for (const line of ['Paragraph 1', 'Paragraph 150'])
        await page.getByText(line, { exact: true }).waitFor();
      expect(await page.locator('iframe:visible, button:visible:not(h1 button)').count()).to.equal(0);
      expect(await sidewaysScroll(page)).to.deep.equal([]);
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await page.locator('iframe').first().waitFor();
      expect(await page.getByText('Paragraph 150', { exact: true }).count()).to.equal(0);
      await page.emulateMedia({ media: null });
      const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect((paper.match(/\/Type\s*\/Page\b/g) ?? []).length, address).to.be.within(3, 6);
    }
  });

  it('a long list is printed on several sheets', async () => {
    const page = await open(`/mypads/group/${folder}/view`);
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
    const sheets = paper.match(/\/Type\s*\/Page\b/g) ?? [];
    expect(sheets.length).to.be.within(2, 4);
  });
});
