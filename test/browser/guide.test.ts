/** The guide for people: how they get to it, read it and search in it. */
import { expect } from 'chai';
import arabic from '../../locales/ar.json';
import { heading, sidewaysScroll, untilFocused, untilTitle, useApp } from '../support/browser';
import { until } from '../support/waiting';

describe('the guide', function () {
  this.timeout(60_000);
  const app = useApp();
  const ann = app.usePerson('ann');

  it('opens from the menu of a person, and its pages follow one another', async () => {
    const page = await app.open('/mypads', { as: ann });
    await heading(page, 'Folders').waitFor();
    await page.getByRole('button', { name: ann.login }).click();
    await page.getByRole('menuitem', { name: 'Help' }).click();
    await untilFocused(heading(page, 'Help'));
    await page.getByRole('main').getByRole('link', { name: 'Your first pad' }).click();
    await untilTitle(page, 'Your first pad – Help | MyPads');
    await page.getByRole('link', { name: 'Next Folders' }).click();
    await untilTitle(page, 'Folders – Help | MyPads');
    await page.getByRole('article').getByRole('link', { name: 'Who can open what' }).click();
    await untilFocused(heading(page, 'Who can open what'));
    await page.goBack();
    await untilTitle(page, 'Folders – Help | MyPads');
  });

  it('is open to guests, who get to it from the sign-in by keyboard', async () => {
    const page = await app.open('/login');
    await page.getByRole('link', { name: 'Help' }).focus();
    await page.keyboard.press('Enter');
    await untilFocused(heading(page, 'Help'));
    await page.getByRole('link', { name: 'Keyboard' }).focus();
    await page.keyboard.press('Enter');
    await untilTitle(page, 'Keyboard – Help | MyPads');
  });

  it('opens in a new tab from a form, at the heading that explains it', async () => {
    const page = await app.open('/mysearch', { as: ann });
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Learn more: Search in texts' }).click(),
    ]);
    await untilTitle(tab, 'Finding things – Help | MyPads');
    await untilFocused(tab.getByRole('heading', { name: 'Words inside texts' }));
    await heading(page, 'Search in texts').waitFor();
  });

  it('finds words in titles and texts, without accents and in any case', async () => {
    const page = await app.open('/help', { as: ann, language: 'fr' });
    const field = page.getByRole('searchbox', { name: 'Rechercher dans l’aide' });
    const found = page
      .getByRole('main')
      .getByRole('listitem')
      .getByRole('link', { name: 'Marquer une version' });
    await field.waitFor();
    // Screen readers announce only what changes in an element that was there before.
    await page
      .getByRole('status')
      .evaluateAll((all) => all.forEach((one) => void one.setAttribute('data-before', '')));
    await field.fill('zzzz');
    await page.locator('[role=status][data-before]', { hasText: 'zzzz' }).waitFor({ state: 'attached' });
    await found.waitFor({ state: 'detached' });
    await page.getByText('zzzz').last().waitFor();
    await field.fill('ÉTOILE');
    await found.waitFor();
    await field.fill('etoile version');
    await found.click();
    await untilFocused(page.getByRole('heading', { name: 'Marquer une version' }));
    await untilTitle(page, 'Les versions précédentes d’un texte – Aide | MyPads');
  });

  it('has the address of each heading, so that it can be sent', async () => {
    const page = await app.open('/help/access');
    await page.getByRole('heading', { name: 'Check it' }).getByRole('link').click();
    await until('the address has the heading', () => page.url().endsWith('?/help/access#check'));
    const other = await app.open('/help/access#check');
    await untilFocused(other.getByRole('heading', { name: 'Check it' }));
  });

  it('is in English inside of a page from right to left, where there is no translation', async () => {
    const page = await app.open('/help/trash', { language: 'ar' });
    await heading(page, 'Trash').waitFor();
    await page.getByText(arabic['help.english']).waitFor();
    expect(await page.locator('html').getAttribute('dir')).to.equal('rtl');
    expect(
      await page.getByRole('article').evaluate((article) => getComputedStyle(article).direction),
    ).to.equal('ltr');
  });

  it('lists all pages on a phone above the text', async () => {
    const page = await app.open('/help/trash', { screen: { width: 320, height: 640 } });
    await heading(page, 'Trash').waitFor();
    const list = page.getByRole('navigation', { name: 'All help pages' });
    expect(await list.isVisible()).to.equal(false);
    await page.getByText('All help pages').click();
    await list.getByRole('link', { name: 'Templates' }).click();
    await heading(page, 'Templates').waitFor();
  });

  it('shows all of each table on a phone, and in a wide one what each cell is about', async () => {
    const page = await app.open('/help/access', { screen: { width: 320, height: 640 } });
    for (const name of ['access', 'data', 'finding', 'keyboard', 'templates']) {
      await app.goTo(`/help/${name}`);
      const tables = page.getByRole('article').locator('[data-table]');
      await tables.first().waitFor();
      expect(await sidewaysScroll(page), name).to.deep.equal([]);
      const hidden = await tables.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
      expect(Math.max(...hidden), name).to.equal(0);
    }
    await app.goTo('/help/access');
    const cell = page
      .getByRole('row', { name: /^Restricted/ })
      .getByRole('cell')
      .first();
    expect(await cell.evaluate((one) => getComputedStyle(one, '::before').content)).to.equal(
      '"Members of the folder"',
    );
  });

  it('says for an unknown page that there is none', async () => {
    const page = await app.open('/help/nothing');
    await heading(page, 'Page not found').waitFor();
  });
});
