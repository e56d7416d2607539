/** Behind a proxy that serves Etherpad by https below a path, as docs/install.md describes. */
import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { signInByForm, useApp } from '../support/browser';
import { createCertificate } from '../support/certificate';
import { frameOf, textOf, type } from '../support/editor';
import { httpsHeaders, type ReverseProxy, startReverseProxy } from '../support/reverseProxy';
import { until } from '../support/waiting';

const folder = '/pads';

describe('behind a proxy, by https and below a path', function () {
  this.timeout(180_000);
  const app = useApp();
  let proxy: ReverseProxy;
  let context: BrowserContext;

  before(async () => {
    await app.fixture.configure('trustProxy', true);
    proxy = await startReverseProxy(app.etherpad, {
      folder,
      headers: (request) => httpsHeaders(String(request.headers.host), folder)(request),
      certificate: createCertificate(),
    });
    context = await app.browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' });
  });
  after(async () => {
    await context?.close();
    await proxy?.close();
    await app.fixture.configure('trustProxy', false);
  });

  it('a person signs in, writes in a pad, signs out, and is asked to sign in at the pad', async () => {
    const person = await app.fixture.person('proxied');
    const pad = await app.fixture.pad(person, await app.fixture.group(person, { name: 'Beyond' }), {
      name: 'Far',
    });
    const page = await context.newPage();
    const { origin } = new URL(proxy.etherpad.url);
    await page.goto(`${proxy.etherpad.url}/mypads/`);
    await signInByForm(page, person.login);
    await page.getByRole('link', { name: 'Beyond' }).click();
    await page.getByRole('link', { name: 'Far' }).click();
    await type(page, 'written from afar');
    await until('the server has the text', async () => {
      const saved = await context.request.get(`${proxy.etherpad.url}/p/${pad}/export/txt`);
      return (await saved.text()).includes('written from afar');
    });
    const cookie = (await context.cookies()).find(({ name }) => name === 'mypads_entry');
    expect(cookie).to.include({ path: '/pads/', secure: true, httpOnly: true, sameSite: 'Lax' });

    await page.goto(`${proxy.etherpad.url}/mypads/?/logout`);
    await page.getByLabel('Username or email').waitFor();
    await page.goto(`${proxy.etherpad.url}/p/${pad}`);
    await page.waitForURL(`${origin}/pads/mypads/?/**`);
    expect(await textOf(frameOf(page)).count()).to.equal(0);
    expect(proxy.outsidePaths.filter((path) => path !== '/favicon.ico')).to.deep.equal([]);
  });
});
