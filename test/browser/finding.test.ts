/** Finding things again: the palette, recent pads, the pads beside this one, keys for lists. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  accessibilityProblems,
  onStage,
  type Stage,
  type Visitor,
  type VisitorOptions,
  visitor,
} from '../support/browser';
import { frameOf, textOf } from '../support/editor';
import type { Person } from '../support/hostWorld';

describe('finding', function () {
  this.timeout(90_000);
  let stage: Stage;
  let ann: Person;
  let board = '';
  let garden = '';
  const pads = new Map<string, string>();
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    ann = await stage.world.person('ann');
    board = await stage.world.group(ann, { name: 'Board', tags: ['school'] });
    garden = await stage.world.group(ann, { name: 'Garden' });
    for (const name of ['Minutes of May', 'Été à Köln', 'Accounts']) {
      pads.set(name, await stage.world.pad(ann, board, { name }));
    }
    pads.set('Seeds', await stage.world.pad(ann, garden, { name: 'Seeds' }));
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function at(place: string, options: VisitorOptions = { as: ann }): Promise<Page> {
    now = await visitor(stage, options);
    await now.open(place);
    return now.page;
  }

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const viewOf = (name: string, group = board): string => `/mypads/group/${group}/pad/view/${pads.get(name)}`;
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Search folders, pads and actions' });
  const options = (page: Page) => palette(page).getByRole('option');

  it('with Ctrl+K or “/”: by name, folder and tag, without accents and in any order; Enter opens, Escape goes back', async () => {
    const page = await at('/mypads');
    await page.getByRole('main').getByRole('link', { name: 'Board' }).waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').and(page.locator(':focus')).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.type('koln ete');
    await options(page).first().getByText('Été à Köln').waitFor();
    expect(await options(page).count()).to.equal(1);
    await page.keyboard.press('Enter');
    await heading(page, 'Été à Köln').waitFor();

    await page.getByRole('link', { name: 'Back to Board' }).click();
    await heading(page, 'Board').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    await palette(page).getByRole('combobox').fill('school mnutes');
    await options(page).first().getByText('Minutes of May').waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Filter pads' }).fill('a/b');
    expect(await palette(page).count(), 'not while typing').to.equal(0);

    await page.getByRole('button', { name: 'Search Ctrl K' }).click();
    await palette(page).getByRole('combobox').fill('zzzz');
    await palette(page).getByText('Nothing matches “zzzz”').waitFor();
    await palette(page).getByRole('combobox').fill('new pad garden');
    await options(page).first().getByText('New pad in Garden').click();
    await heading(page, 'Untitled').waitFor();
    expect(page.url()).to.contain(`/mypads/group/${garden}/pad/view/`);
  });

  it('what was opened last: in the sidebar and in the palette, in another browser too', async () => {
    const reader = await stage.world.person('reader');
    const group = await stage.world.group(reader, { name: 'Library' });
    const pad = await stage.world.pad(reader, group, { name: 'Novel' });
    const page = await at(`/mypads/group/${group}/pad/view/${pad}`, { as: reader });
    const recent = (of: Page) => of.getByRole('region', { name: 'Recent pads' });
    await recent(page).getByRole('link', { name: 'Novel' }).waitFor();
    await now?.close();
    const elsewhere = await at('/mypads', { as: reader });
    await recent(elsewhere).getByRole('link', { name: 'Novel' }).waitFor();
    await elsewhere.keyboard.press('/');
    await options(elsewhere).first().getByText('Novel').waitFor();
    await elsewhere.keyboard.press('Enter');
    await heading(elsewhere, 'Novel').waitFor();
  });

  it('the other pads of the folder: in a menu beside the name, the next and the previous one with a press', async () => {
    const page = await at(viewOf('Minutes of May'));
    await page.getByRole('link', { name: 'Next pad: Été à Köln' }).click();
    await heading(page, 'Été à Köln').waitFor();
    await page.getByRole('link', { name: 'Previous pad: Minutes of May' }).waitFor();
    await page.getByRole('button', { name: 'Pads of Board' }).click();
    await page.getByRole('menuitemradio', { name: 'Accounts' }).click();
    await heading(page, 'Accounts').waitFor();
    expect(await page.getByRole('link', { name: 'Next pad' }).count()).to.equal(0);
    await textOf(frameOf(page)).waitFor({ state: 'attached', timeout: 60_000 });
    await textOf(frameOf(page)).press('Control+k');
    await palette(page).getByRole('combobox').and(page.locator(':focus')).waitFor();
  });

  it('a pad by its name in the list of folders', async () => {
    const page = await at('/mypads');
    await page.getByRole('searchbox').fill('seeds');
    await page
      .getByRole('region', { name: 'Pads', exact: true })
      .getByRole('link', { name: 'Seeds' })
      .click();
    await heading(page, 'Seeds').waitFor();
  });

  it('lists are walked with j, k and arrows; s stars, e renames, ? tells all keys, and c starts a pad', async () => {
    const page = await at(`/mypads/group/${board}/view`);
    const row = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
    await row('Accounts').waitFor();
    await page.keyboard.press('j');
    await row('Minutes of May').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await row('Accounts').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('k');
    await row('Été à Köln').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('s');
    await page
      .getByRole('button', { name: 'Bookmark Été à Köln' })
      .and(page.locator('[aria-pressed="true"]'))
      .waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'New name of Été à Köln' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await row('Été à Köln').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await heading(page, 'Untitled').waitFor();
    expect(page.url()).to.contain(`/mypads/group/${board}/pad/view/`);
  });

  it('the sidebar folds away, and stays so', async () => {
    const page = await at('/mypads');
    await heading(page, 'Folders').waitFor();
    await page.getByRole('button', { name: 'Hide the sidebar' }).click();
    const unfold = page.getByRole('button', { name: 'Show the sidebar' });
    await unfold.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByText('Recent pads').count()).to.equal(0);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.reload();
    await unfold.click();
    await page.getByRole('button', { name: 'Hide the sidebar' }).and(page.locator(':focus')).waitFor();
  });
});
