/** The whole way of a person where a proxy serves Etherpad by https and below a path, as docs/install.md sets it up. */
import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { onStage, type Stage } from '../support/browser';
import { createCertificate } from '../support/certificate';
import { frameOf, textOf, type } from '../support/editor';
import { password } from '../support/hostWorld';
import { type ReverseProxy, startReverseProxy, toldOfHttps } from '../support/reverseProxy';

const folder = '/pads';

describe('below a path of a proxy, by https', function () {
  this.timeout(180_000);
  let stage: Stage;
  let proxy: ReverseProxy;
  let context: BrowserContext;

  before(async () => {
    stage = await onStage();
    await stage.world.configure('trustProxy', true);
    proxy = await startReverseProxy(stage.etherpad, {
      folder,
      tells: (request) => toldOfHttps(String(request.headers.host), folder)(request),
      certificate: createCertificate(),
    });
    context = await stage.browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' });
  });
  after(async () => {
    await context?.close();
    await proxy?.close();
    await stage?.world.configure('trustProxy', false);
  });

  it('somebody signs in, writes in a pad, signs out, and is asked to sign in at the pad', async () => {
    const person = await stage.world.person('proxied');
    const pad = await stage.world.pad(person, await stage.world.group(person, { name: 'Beyond' }), {
      name: 'Far',
    });
    const page = await context.newPage();
    const { origin } = new URL(proxy.etherpad.url);
    await page.goto(`${proxy.etherpad.url}/mypads/`);
    await page.getByLabel('Login or e-mail').fill(person.login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Beyond' }).click();
    await page.getByRole('link', { name: 'Far' }).click();
    await type(page, 'written from afar');
    for (;;) {
      const saved = await context.request.get(`${proxy.etherpad.url}/p/${pad}/export/txt`);
      if ((await saved.text()).includes('written from afar')) break;
      await page.waitForTimeout(200);
    }
    const cookie = (await context.cookies()).find(({ name }) => name === 'mypads_entry');
    expect(cookie).to.include({ path: '/pads/', secure: true, httpOnly: true, sameSite: 'Lax' });

    await page.goto(`${proxy.etherpad.url}/mypads/?/logout`);
    await page.getByLabel('Login or e-mail').waitFor();
    await page.goto(`${proxy.etherpad.url}/p/${pad}`);
    await page.waitForURL(`${origin}/pads/mypads/?/**`);
    expect(await textOf(frameOf(page)).count()).to.equal(0);
    expect(proxy.strays.filter((path) => path !== '/favicon.ico')).to.deep.equal([]);
  });
});
