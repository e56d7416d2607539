/** The list of folders, and the bookmarks. */
import { expect } from 'chai';
import {
  accessibilityProblems,
  onStage,
  type Stage,
  sidewaysScroll,
  type Visitor,
  visitor,
} from '../support/browser';
import type { Person } from '../support/hostWorld';

describe('the list of folders', function () {
  this.timeout(60_000);
  let stage: Stage;
  let ann: Person;
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
  });

  beforeEach(async () => {
    ann = await stage.world.person('ann');
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function open(place = '/mypads', screen: 'desktop' | 'phone' = 'desktop') {
    now = await visitor(stage, { as: ann, screen });
    await now.open(place);
    await now.page.getByRole('heading', { level: 1 }).waitFor();
    return now.page;
  }

  const row = (page: Visitor['page'], name: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) });
  const names = (page: Visitor['page']): Promise<string[]> =>
    page.locator('main li a[href*="/view"]').allTextContents();

  it('says of each folder who gets in, how many pads it has, and what its tags are', async () => {
    const id = await stage.world.group(ann, { name: 'Garden', visibility: 'public', tags: ['green'] });
    await stage.world.pad(ann, id, { name: 'Seeds' });
    const page = await open();
    const garden = row(page, 'Garden');
    await garden.getByText('Public').waitFor();
    await garden.getByText('1 pad', { exact: true }).waitFor();
    await garden.getByRole('button', { name: 'Share “Garden”, 1 person', exact: true }).waitFor();
    await garden.getByRole('link', { name: 'green' }).click();
    await page.getByRole('button', { name: 'green', pressed: true }).waitFor();
    expect(page.url()).to.match(/\?\/mypads&tag=green$/);
  });

  it('filters and sorts, keeps all of it in the address, and remembers the order', async () => {
    for (const name of ['Beta club', 'Alpha club', 'Gamma (closed)']) await stage.world.group(ann, { name });
    const page = await open();
    await page.getByText('3 folders', { exact: true }).waitFor();
    expect(await names(page)).to.deep.equal(['Beta club', 'Alpha club', 'Gamma (closed)']);
    await page.getByRole('button', { name: /^Sorted by/ }).click();
    await page.getByRole('menuitemradio', { name: 'Name' }).click();
    await page.waitForFunction(() => document.querySelector('main li a')?.textContent === 'Alpha club');
    await page.getByRole('searchbox').fill('cl');
    await page.getByText('Type at least 3 characters.').waitFor();
    await page.getByRole('searchbox').fill('(clo');
    await page.getByText('1 of 3 folders').waitFor();
    expect(await names(page)).to.deep.equal(['Gamma (closed)']);
    await page.reload();
    await page.getByText('1 of 3 folders').waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('button', { name: 'Private' }).click();
    await page.getByText('No folder matches “(clo”').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByText('3 folders', { exact: true }).waitFor();
    await now?.open('/mypads');
    await row(page, 'Alpha club').waitFor();
    expect(await names(page)).to.deep.equal(['Alpha club', 'Beta club', 'Gamma (closed)']);
  });

  it('puts what is starred first, what is archived last, and takes an archiving back', async () => {
    for (const name of ['First', 'Second', 'Third']) await stage.world.group(ann, { name });
    const page = await open();
    await row(page, 'Third').getByRole('button', { name: 'Bookmark Third' }).click();
    await page.getByRole('region', { name: 'Bookmarked' }).getByRole('link', { name: 'Third' }).waitFor();
    await row(page, 'First').getByRole('button', { name: 'Actions for First' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page
      .getByRole('region', { name: 'Archived and read only' })
      .getByRole('link', { name: 'First' })
      .waitFor();
    expect(await names(page)).to.deep.equal(['Third', 'Second', 'First']);
    await page.getByText('“First” is archived.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Archived and read only' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Bookmarks' }).click();
    await page.getByRole('button', { name: 'Bookmark Third', pressed: true }).waitFor();
  });

  it('removes several at once after a question that names them and what goes with them', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      const id = await stage.world.group(ann, { name });
      await stage.world.pad(ann, id, { name: 'Notes' });
    }
    const page = await open();
    await page.getByRole('button', { name: 'Select folders' }).click();
    const box = (name: string) =>
      page.locator('label').getByText(`Select ${name}`, { exact: true }).locator('..');
    await box('One').click();
    await box('Three').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Remove 3 folders?' });
    await question.getByText('Two').waitFor();
    await question.getByText('3 pads and everything written in them will be removed too.').waitFor();
    await question.getByRole('button', { name: 'Remove 3 folders' }).click();
    await page.getByText('1 folder', { exact: true }).waitFor();
    expect(await names(page)).to.deep.equal(['Four']);
  });

  it('gives a folder another name in its row with e, and on its own screen by a press on the name', async () => {
    await stage.world.group(ann, { name: 'First name' });
    const page = await open();
    await page.getByRole('main').getByRole('link', { name: 'First name' }).focus();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'New name of First name' }).fill('Second name');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Second name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).getByRole('button', { name: 'Second name' }).click();
    const field = page.getByRole('textbox', { name: 'New name of Second name' });
    await field.fill('Third name');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Second name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('e');
    await field.fill('Third name');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Third name' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Third name' }).waitFor();
  });

  it('is sorted by its headings, where there is room for them', async () => {
    for (const name of ['Beta', 'Alpha', 'Gamma']) await stage.world.group(ann, { name });
    const page = await open();
    const heading = page.getByRole('button', { name: 'Sort by Name' });
    await heading.click();
    await page.waitForFunction(() => document.querySelector('main li a')?.textContent === 'Alpha');
    expect(await names(page)).to.deep.equal(['Alpha', 'Beta', 'Gamma']);
    await heading.and(page.locator('[aria-pressed="true"]')).click();
    await page.waitForFunction(() => document.querySelector('main li a')?.textContent === 'Gamma');
    expect(await names(page)).to.deep.equal(['Gamma', 'Beta', 'Alpha']);
    await page.setViewportSize({ width: 390, height: 844 });
    await heading.waitFor({ state: 'hidden' });
  });

  it('offers a member what a member may do', async () => {
    const bob = await stage.world.person('bob');
    const id = await stage.world.group(bob, { name: 'Of Bob' });
    const body = { gid: id, invite: true, loginsOrEmails: [ann.login] };
    await stage.etherpad.api('POST', 'group/invite', { token: bob.token, body });
    const page = await open();
    await page.getByRole('button', { name: 'Actions for Of Bob' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).to.deep.equal(['Share', 'Leave folder']);
    await page.getByRole('menuitem', { name: 'Leave folder' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave folder' }).click();
    await page.getByText('No folders yet').waitFor();
  });

  it('comes in pages of fifty', async () => {
    for (let number = 1; number <= 53; number += 1)
      await stage.world.group(ann, { name: `Folder ${number}` });
    const page = await open('/mypads?sort=name');
    await row(page, 'Folder 50').waitFor();
    expect(await names(page)).to.have.length(50);
    await page.getByRole('link', { name: 'Page 2' }).click();
    await row(page, 'Folder 53').waitFor();
    expect(await names(page)).to.deep.equal(['Folder 51', 'Folder 52', 'Folder 53']);
    await page.goBack();
    await row(page, 'Folder 1').waitFor();
  });

  it('says why when it cannot be loaded, and tries again', async () => {
    now = await visitor(stage, { as: ann });
    await now.page.route('**/api/overview', (route) =>
      route.fulfill({ status: 500, json: { error: 'BACKEND.ERROR.SERVER.UNEXPECTED' } }),
    );
    await now.open('/mypads');
    await now.page.getByText('Your folders could not be loaded').waitFor();
    await now.page.unroute('**/api/overview');
    await now.page.getByRole('button', { name: 'Try again' }).click();
    await now.page.getByText('No folders yet').waitFor();
  });

  for (const screen of ['desktop', 'phone'] as const) {
    it(`everybody can use it, its menus and its questions (${screen})`, async () => {
      const id = await stage.world.group(ann, { name: 'With a rather long name', tags: ['one', 'two'] });
      await stage.world.group(ann, { name: 'Old', visibility: 'public' });
      await stage.etherpad.api('PUT', `group/${id}`, { token: ann.token, body: { readonly: true } });
      const page = await open('/mypads', screen);
      await row(page, 'Old').waitFor();
      const look = async (what: string): Promise<void> => {
        expect(await accessibilityProblems(page), what).to.deep.equal([]);
        expect(await sidewaysScroll(page), what).to.deep.equal([]);
      };
      await look('the list');
      await page.getByRole('button', { name: 'Actions for Old' }).click();
      await look('the menu');
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('dialog').waitFor();
      await look('the question');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Actions for Old' }).and(page.locator(':focus')).waitFor();
      await page.getByRole('button', { name: 'Select folders' }).click();
      await page.locator('label').filter({ hasText: 'Select Old' }).click();
      await look('a selection');
    });
  }
});
