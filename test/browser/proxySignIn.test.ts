/** Signing in by a header of a proxy: a real nginx in front of Etherpad, beside passwords of this server. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { autheliaCookie, type ProxyWithSignIn, startProxyWithSignIn } from '../support/authelia';
import { heading, problemsEverywhere, useApp, type WindowOptions } from '../support/browser';
import { frameOf, untilEditable } from '../support/editor';

describe('signing in by a proxy', function () {
  this.timeout(120_000);
  const app = useApp();
  let nginx: ProxyWithSignIn;

  before(async () => {
    nginx = await startProxyWithSignIn(app.etherpad.url);
    const { signOutUrl } = nginx;
    const settings = { name: 'Authelia', proxies: ['127.0.0.1'], signOutUrl };
    await app.fixture.configure('authHeaderSettings', settings);
    await app.fixture.configure('authMethods', ['header']);
  });
  after(async () => {
    await app.reset('authMethods', 'authHeaderSettings');
    await nginx.stop();
  });

  /** Signs somebody in at the proxy in this browser. */
  const atProxy = (page: Page, name: string) =>
    page.context().addCookies([{ name: autheliaCookie, value: name, url: nginx.url }]);
  const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Authelia' });
  const goTo = (page: Page, path: string) => page.goto(`${nginx.url}/mypads/?${path}`);

  /** A new browser in which this person is signed in at the proxy and here. */
  async function signIn(name: string, options: WindowOptions = {}): Promise<Page> {
    const { page } = await app.window(options);
    await atProxy(page, name);
    await goTo(page, '/login');
    await button(page).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await button(page).click();
    await heading(page, 'Folders').waitFor();
    return page;
  }

  it('makes an account with the button, finds it again, and leads out through the proxy', async () => {
    const first = await signIn('edda', { screen: 'phone' });
    await goTo(first, '/mypads/group/add');
    await first.getByLabel(/^Name/).fill('Kept for me');
    await first.getByRole('button', { name: 'Create folder' }).click();
    await heading(first, 'Kept for me').waitFor();

    const second = await signIn('edda');
    await second.getByRole('main').getByRole('link', { name: 'Kept for me' }).waitFor();
    await second.getByRole('button', { name: 'edda' }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.waitForURL(nginx.signOutUrl);
    await goTo(second, '/mypads');
    await button(second).waitFor();
    await first.reload();
    await heading(first, 'Kept for me').waitFor();
  });

  it('ends when the proxy names somebody else, also in an open editor', async () => {
    const page = await signIn('frida');
    await page.getByRole('button', { name: 'New pad' }).first().click();
    await untilEditable(frameOf(page), true);
    await atProxy(page, 'gustav');
    // Another program in this browser: a second tab of the app would also tell this one.
    await page.context().request.get(`${nginx.url}/p/any`);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await goTo(page, '/mypads');
    await button(page).click();
    await page.getByRole('button', { name: 'gustav' }).waitFor();
  });
});
