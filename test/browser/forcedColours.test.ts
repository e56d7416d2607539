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
});
