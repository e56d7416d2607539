/** What the page keeps in the browser: under the names, for the time and on the paths of 1.x. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { heading, signInByForm, useApp } from '../support/browser';
import { checkEach } from '../support/cases';
import { untilEditorIsReady } from '../support/editor';

describe('what the browser keeps', function () {
  this.timeout(120_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let folder = '';
  let pad = '';

  before(async () => {
    folder = await app.fixture.group(ann, { name: 'Choir' });
    pad = await app.fixture.pad(ann, folder, { name: 'Apples' });
    await app.fixture.pad(ann, folder, { name: 'Bananas' });
  });

  const item = (page: Page, name: string) => page.evaluate((key) => localStorage.getItem(key), name);
  const cookieOf = async (page: Page, name: string) =>
    (await page.context().cookies(`${app.etherpad.url}/mypads/`)).find((cookie) => cookie.name === name);

  const isJsonWebToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;
  const year = 365 * 24 * 3600;

  /** The cookie lasts a year, and only the app gets it. */
  async function expectYear(page: Page, name: string, value: string): Promise<void> {
    const { value: stored = '', expires = 0, path } = (await cookieOf(page, name)) ?? {};
    expect(decodeURIComponent(stored)).to.equal(value);
    expect(path).to.equal('/mypads/');
    expect(expires - Date.now() / 1000).to.be.closeTo(year, 60);
  }

  it('the token of a person from the sign-in until the sign-out', async () => {
    const page = await app.open('/login');
    await signInByForm(page, ann.login);
    await heading(page, 'Folders').waitFor();
    expect(await item(page, 'token')).to.match(isJsonWebToken);
    await app.goTo('/admin');
    await page.getByLabel('Etherpad account').waitFor();
    expect(await item(page, 'token'), 'the administration signs nobody out').to.match(isJsonWebToken);
    await app.goTo('/logout');
    await heading(page, 'Sign in').waitFor();
    expect(await item(page, 'token')).to.equal(null);
  });

  it('the token of a server administrator from the sign-in until the sign-out', async () => {
    const { name, password } = app.etherpad.admin;
    const page = await app.open('/admin/users');
    await page.getByLabel('Etherpad account').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Accounts').waitFor();
    expect(await item(page, 'admToken')).to.match(isJsonWebToken);
    await app.goTo('/admin/logout');
    await heading(page, 'Sign in').waitFor();
    expect(await item(page, 'admToken')).to.equal(null);
  });

  it('no token that the server does not accept', async () => {
    const { page } = await app.window();
    await app.goTo('/login');
    await checkEach({ token: '/mypads', admToken: '/admin' }, async (path, key) => {
      await page.evaluate((name) => localStorage.setItem(name, 'of.another.server'), key);
      await app.goTo(path);
      await page.getByLabel('Password', { exact: true }).waitFor();
      expect(await item(page, key)).to.equal(null);
    });
  });

  it('the order of lists for a year, also one that 1.x has stored', async () => {
    const { page } = await app.window({ as: ann });
    const url = `${app.etherpad.url}/mypads/`;
    const first = () => page.locator('main [data-row] a').first().textContent();
    const keep = (value: string) =>
      page.context().addCookies([{ name: 'sortingPreferences', value: encodeURIComponent(value), url }]);
    await keep('{"padByField":"name","padAsc":false,"groupByField":"name","groupAsc":false,"other":1}');
    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('link', { name: 'Apples' }).waitFor();
    expect(await first()).to.equal('Bananas');
    await page.getByRole('button', { name: /^Sorted by Name/ }).click();
    await page.getByRole('menuitemradio', { name: 'Creation date' }).click();
    await page.getByRole('button', { name: /^Sorted by Creation date/ }).waitFor();
    const changed = { padByField: 'ctime', padAsc: false, groupByField: 'name', groupAsc: false, other: 1 };
    await expectYear(page, 'sortingPreferences', JSON.stringify(changed));
    await page.context().clearCookies({ name: 'sortingPreferences' });
    await keep('{"padByField":');
    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('link', { name: 'Apples' }).waitFor();
    expect(await first(), 'the default order').to.equal('Apples');
  });

  it('nothing else but language, theme and the hidden sidebar', async () => {
    const page = await app.open(`/mypads/group/${folder}/pad/view/${pad}`, { as: ann });
    await untilEditorIsReady(page);
    await page.getByRole('button', { name: 'Hide the sidebar' }).click();
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const items = await page.evaluate(() => Object.keys(localStorage).sort());
    expect(items).to.deep.equal(['language', 'sidebarFolded', 'theme', 'token']);
    const all = (await page.context().cookies()).map(({ name }) => name);
    // Those of Etherpad: its author token, its preferences, the language of the editor.
    const ofEtherpad = /^(token|prefs\w*|language|express_sid|.*timeslider.*)$/;
    expect(all.filter((name) => !ofEtherpad.test(name))).to.deep.equal(['mypads_entry']);
  });
});
