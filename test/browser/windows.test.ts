/** Windows of these tests, which later tests use again (test/support/windows.ts). */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type AppWindow, heading, useApp } from '../support/browser';

describe('a window of the tests', function () {
  this.timeout(60_000);
  const app = useApp();

  /** Closes the window, and opens the next one of a guest. */
  async function next(): Promise<AppWindow> {
    await app.close();
    return app.window();
  }

  it('is used again, with nothing of what was stored or changed before', async () => {
    const ann = await app.fixture.person('ann');
    // New, because others may have had their last use before this one.
    const screen = { width: 900, height: 700 };
    const { page, goTo } = await app.window({ as: ann, screen, theme: 'dark', isNew: true });
    await goTo('');
    await heading(page, 'Folders').waitFor();
    await page.evaluate(() => sessionStorage.setItem('kept', 'yes'));
    await page.route('**/api/configuration*', (route) => route.abort());
    const tools = await page.context().newCDPSession(page);
    await tools.send('Emulation.setDeviceMetricsOverride', {
      width: 320,
      height: 640,
      deviceScaleFactor: 2,
      mobile: true,
    });

    const after = await next();
    expect(after.page).to.equal(page);
    expect(await page.context().cookies()).to.deep.equal([]);
    await after.goTo('');
    await heading(page, 'Sign in').waitFor();
    const seen = await page.evaluate(() => ({
      kept: sessionStorage.getItem('kept'),
      token: localStorage.getItem('token'),
      size: [innerWidth, innerHeight, devicePixelRatio],
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    }));
    expect(seen).to.deep.equal({ kept: null, token: null, size: [1280, 800, 1], isDark: false });
  });

  const changes: Record<string, (page: Page) => unknown> = {
    'a listener': (page) => page.on('dialog', () => undefined),
    'a script': (page) => page.addInitScript(() => undefined),
    'a clock': (page) => page.clock.install(),
    'a header': (page) => page.context().setExtraHTTPHeaders({ 'X-Test': 'yes' }),
    'a second tab': (page) => page.context().newPage(),
    'another address': (page) =>
      page.goto(`${app.etherpad.url.replace('127.0.0.1', 'localhost')}/robots.txt`),
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`is closed when ${name} may be left in it`, async () => {
      const { page } = await app.window();
      await change(page);
      expect((await next()).page).not.to.equal(page);
      expect(page.isClosed()).to.equal(true);
    });
  }
});
