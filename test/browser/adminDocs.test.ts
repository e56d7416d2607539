/** The documentation inside the administration: how administrators get to it, read it and search in it. */
import { expect } from 'chai';
import arabic from '../../locales/ar.json';
import {
  accessibilityProblems,
  heading,
  sidewaysScroll,
  untilFocused,
  untilTitle,
  useApp,
  type WindowOptions,
} from '../support/browser';

describe('the documentation in the administration', function () {
  this.timeout(90_000);
  const app = useApp();
  let adminToken = '';

  before(async () => {
    adminToken = await app.signInAsAdmin();
  });

  const open = (path: string, options: WindowOptions = {}) => app.open(path, { adminToken, ...options });

  it('opens from the menu, and its pages and headings lead to others', async () => {
    const page = await open('/admin');
    await page.getByRole('link', { name: 'Documentation', exact: true }).click();
    await heading(page, 'Documentation').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Troubleshooting' }).click();
    await untilTitle(page, 'Troubleshooting – Documentation | MyPads');
    await page.getByRole('article').getByRole('link', { name: 'lifts limits' }).click();
    await untilTitle(page, 'Limits – Documentation | MyPads');
    await untilFocused(page.getByRole('heading', { name: 'When someone is locked out' }));
    await page.goBack();
    await heading(page, 'Troubleshooting').waitFor();
  });

  it('opens in a new tab from a setting, at the section that explains it', async () => {
    const page = await open('/admin?q=authLdapSettings');
    await page.getByText('Directory (LDAP)', { exact: true }).first().click();
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Learn more: Directory (LDAP)' }).click(),
    ]);
    await untilTitle(tab, 'Sign-in through an LDAP directory – Documentation | MyPads');
    await untilFocused(tab.getByRole('heading', { name: 'The settings', exact: true }));
    await heading(page, 'Settings').waitFor();
  });

  it('finds words in all pages', async () => {
    const page = await open('/admin/docs');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('userCacheReady');
    const found = page.getByRole('list', { name: 'Search the documentation' }).getByRole('link');
    await found.filter({ hasText: 'Check that pads are protected' }).click();
    await untilFocused(page.getByRole('heading', { name: 'Check that pads are protected' }));
  });

  it('is in English and says so in the person’s language', async () => {
    const page = await open('/admin/docs/mail', { language: 'ar' });
    await heading(page, 'Email').waitFor();
    await page.getByText(arabic['help.english']).waitFor();
    const article = page.getByRole('article');
    expect(await article.evaluate((one) => getComputedStyle(one).direction)).to.equal('ltr');
  });

  it('asks guests to sign in as administrators first, and shows the page after that', async () => {
    const page = await app.open('/admin/docs/backup');
    await heading(page, 'Administration').waitFor();
    await page.getByLabel('Etherpad account').fill(app.etherpad.admin.name);
    await page.getByLabel('Password', { exact: true }).fill(app.etherpad.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Backup and restore').waitFor();
  });

  it('can be read on a phone, with long commands and tables, and by everyone', async () => {
    const page = await open('/admin/docs', { screen: { width: 320, height: 640 } });
    for (const name of ['', '/install', '/upgrade', '/configuration']) {
      if (name !== '') await app.goTo(`/admin/docs${name}`);
      await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
      expect(await sidewaysScroll(page), name).to.deep.equal([]);
      if (/^$|configuration/.test(name)) expect(await accessibilityProblems(page), name).to.deep.equal([]);
    }
  });

  it('says for an unknown page that there is none', async () => {
    const page = await open('/admin/docs/nothing');
    await heading(page, 'Page not found').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Documentation' }).click();
    await heading(page, 'Documentation').waitFor();
    await app.goTo('/admin/nothing');
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).waitFor();
  });
});
