/** Lists on paper. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { onStage, type Stage, sidewaysScroll, type Visitor, visitor } from '../support/browser';
import type { Person } from '../support/hostWorld';

describe('printing', function () {
  this.timeout(90_000);
  const padCount = 60;
  let stage: Stage;
  let ann: Person;
  let folder = '';
  let now: Visitor;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    ann = await stage.world.person('ann');
    folder = await stage.world.group(ann, { name: 'Archive of minutes', tags: ['board'] });
    for (let number = 1; number <= padCount; number += 1) {
      await stage.world.pad(ann, folder, { name: `Minutes ${number}` });
    }
  });

  afterEach(async () => {
    expect(now.complaints()).to.deep.equal([]);
    await now.close();
  });

  async function at(place: string): Promise<Page> {
    now = await visitor(stage, { as: ann, theme: 'dark' });
    await now.open(place);
    await now.page.locator('main [data-row]').first().waitFor();
    return now.page;
  }

  /** What the page looks like on paper while it is being printed. */
  async function onPaper(page: Page): Promise<void> {
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  }

  it('a folder is complete, dark on white, without menus and buttons', async () => {
    const page = await at(`/mypads/group/${folder}/view`);
    await onPaper(page);
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

  it('the folders fit on paper with long names', async () => {
    await stage.world.group(ann, { name: 'Donaudampfschifffahrtsgesellschaftskapit', visibility: 'public' });
    const page = await at('/mypads');
    await onPaper(page);
    // A4 without its margins.
    await page.setViewportSize({ width: 680, height: 1000 });
    expect(await sidewaysScroll(page)).to.deep.equal([]);
  });

  it('takes as many sheets as the list is long', async () => {
    const page = await at(`/mypads/group/${folder}/view`);
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
    const sheets = paper.match(/\/Type\s*\/Page\b/g) ?? [];
    expect(sheets.length).to.be.within(2, 4);
  });
});
