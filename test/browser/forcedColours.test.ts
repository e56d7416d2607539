/** The colours of the operating system replace those of the app, as in the high contrast of Windows. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { useApp } from '../support/browser';

describe('with forced colours', function () {
  this.timeout(60_000);
  const app = useApp();

  const background = (element: Locator): Promise<string> =>
    element.evaluate((one) => getComputedStyle(one).backgroundColor);

  it('a switch that is on, the current screen and the chosen result look different from others', async () => {
    const ann = await app.fixture.person('ann');
    const { page, goTo } = await app.window({ as: ann, adminToken: await app.signInAsAdmin() });
    await page.emulateMedia({ forcedColors: 'active' });
    await goTo('/admin');
    const toggle = (name: string) => page.getByLabel(name, { exact: true });
    const [on, off] = [toggle('People may create their own account'), toggle('Behind a proxy')];
    await on.waitFor();
    expect([await on.isChecked(), await off.isChecked()]).to.deep.equal([true, false]);
    expect(await background(on)).not.to.equal(await background(off));
    await goTo('/mypads');
    const navigation = page.getByRole('navigation');
    const current = navigation.getByRole('link', { name: 'Folders', exact: true });
    await current.waitFor();
    const other = navigation.getByRole('link', { name: 'Bookmarks', exact: true });
    expect(await background(current)).not.to.equal(await background(other));
    await page.keyboard.press('/');
    const results = page.getByRole('dialog').getByRole('option');
    await results.nth(1).waitFor();
    expect(await background(results.first())).not.to.equal(await background(results.nth(1)));
  });

  it('what opens over the page has an edge', async () => {
    const ann = await app.fixture.person('ann');
    await app.fixture.group(ann, { name: 'Choir' });
    const { page, goTo } = await app.window({ as: ann });
    await page.emulateMedia({ forcedColors: 'active' });
    await goTo('/mypads');
    const hasEdge = async (element: Locator, name: string): Promise<void> => {
      await element.waitFor();
      const width = await element.evaluate((one) => getComputedStyle(one).borderBlockWidth);
      expect(width, name).to.equal('1px');
    };
    await page.getByRole('button', { name: 'Actions for Choir' }).click();
    await hasEdge(page.getByRole('menu'), 'a menu');
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await hasEdge(page.getByText('“Choir” was archived.').locator('..'), 'a message');
    await page.keyboard.press('/');
    await hasEdge(page.getByRole('dialog').locator('> div'), 'the palette');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Select folders' }).click();
    await page.getByLabel('Select Choir').check({ force: true });
    await hasEdge(page.getByRole('region', { name: '1 selected' }), 'the actions on selected rows');
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    await hasEdge(page.getByRole('dialog'), 'a dialog');
  });
});
