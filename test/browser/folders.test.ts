/** The list of folders, and the bookmarks. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  accessibilityProblems,
  heading,
  hold,
  sidewaysScroll,
  untilFocused,
  useApp,
} from '../support/browser';
import { until } from '../support/waiting';

describe('the list of folders', function () {
  this.timeout(60_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);

  async function open(path = '/mypads', screen: 'desktop' | 'phone' = 'desktop') {
    const page = await app.open(path, { as: ann, screen });
    await heading(page).waitFor();
    return page;
  }

  const row = (page: Page, name: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) });
  const names = (page: Page): Promise<string[]> => page.locator('main li a[href*="/view"]').allTextContents();

  it('shows of each folder who can open it, how many pads it has, and its tags', async () => {
    const id = await app.fixture.group(ann, { name: 'Garden', visibility: 'public', tags: ['green'] });
    await app.fixture.pad(ann, id, { name: 'Seeds' });
    const page = await open();
    const garden = row(page, 'Garden');
    await garden.getByText('Public').waitFor();
    await garden.getByText('1 pad', { exact: true }).waitFor();
    await garden.getByRole('button', { name: 'Share “Garden”, 1 person', exact: true }).waitFor();
    // A screen reader reads the row without the heading “Last change” above it.
    expect(await garden.textContent()).to.match(/Changed (just now|\d+ (second|minute)s? ago)/);
    await garden.getByRole('button', { name: 'green' }).click();
    await garden.getByRole('button', { name: 'green', pressed: true }).waitFor();
    expect(page.url()).to.match(/\?\/mypads&tag=green$/);
  });

  it('says “yesterday” of the day before, not of the evening before that', async () => {
    const eve = await app.fixture.person('eve');
    await app.fixture.group(eve, { name: 'Evening' });
    const { page, goTo } = await app.window({ as: eve });
    const early = new Date();
    early.setDate(early.getDate() + 2);
    await page.clock.setFixedTime(early.setHours(0, 40, 0, 0));
    await goTo('/mypads');
    await page.locator('main time').getByText('2 days ago').waitFor();
  });

  it('filters by several tags at once, and keeps the other filters and the search', async () => {
    const bob = await app.fixture.person('bob');
    await app.fixture.group(ann, { name: 'Club of both', tags: ['green', 'town'] });
    await app.fixture.group(ann, { name: 'Club in town', tags: ['town'] });
    await app.fixture.group(ann, { name: 'Choir of both', tags: ['green', 'town'] });
    const invited = await app.fixture.group(bob, { name: 'Club of Bob', tags: ['green', 'town'] });
    await app.fixture.invite(bob, invited, [ann.login]);
    const page = await open('/mypads?role=admin&q=club');
    await page.getByText('2 of 4 folders').waitFor();
    const inRow = row(page, 'Club of both').getByRole('button', { name: 'town' });
    await inRow.click();
    await inRow.and(page.locator('[aria-pressed="true"]')).waitFor();
    expect(await names(page)).to.deep.equal(['Club of both', 'Club in town']);
    const inSidebar = page.getByRole('navigation').getByRole('link', { name: 'green' });
    await inSidebar.click();
    await inSidebar.and(page.locator('[aria-current="true"]')).waitFor();
    await page.getByText('1 of 4 folders').waitFor();
    expect(await names(page)).to.deep.equal(['Club of both']);
    expect(page.url()).to.match(/role=admin&q=club&tag=town&tag=green$/);
    await inRow.click();
    await page.getByText('1 of 4 folders').waitFor();
    await inSidebar.click();
    await page.getByText('2 of 4 folders').waitFor();
    expect(page.url()).to.match(/role=admin&q=club$/);
    await inRow.click();
    const chip = page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'town' });
    await chip.press('Enter');
    await chip.waitFor({ state: 'detached' });
    await untilFocused(heading(page, 'Folders'));
  });

  it('filters and sorts, also after a reload, and remembers the order', async () => {
    for (const name of ['Beta club', 'Alpha club', 'Gamma (closed)']) await app.fixture.group(ann, { name });
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
    await page.getByRole('button', { name: 'Password-protected' }).click();
    await page.getByText('Nothing matches “(clo”').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear the search' }).last().click();
    await page.getByText('No folder matches these filters').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByText('3 folders', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('endless'.repeat(300));
    await page.getByText('Nothing matches “endless').waitFor();
    expect(await sidewaysScroll(page)).to.deep.equal([]);
    await app.goTo('/mypads');
    await row(page, 'Alpha club').waitFor();
    expect(await names(page)).to.deep.equal(['Alpha club', 'Beta club', 'Gamma (closed)']);
  });

  it('shows bookmarked folders first, archived ones last, and can undo archiving', async () => {
    for (const name of ['First', 'Second', 'Third']) await app.fixture.group(ann, { name });
    const page = await open();
    await row(page, 'Third').getByRole('button', { name: 'Bookmark Third' }).click();
    const bookmarked = page.getByRole('region', { name: 'Bookmarked' });
    await untilFocused(bookmarked.getByRole('button', { name: 'Bookmark Third' }));
    await row(page, 'First').getByRole('button', { name: 'Actions for First' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page
      .getByRole('region', { name: 'Archived and read only' })
      .getByRole('link', { name: 'First' })
      .waitFor();
    expect(await names(page)).to.deep.equal(['Third', 'Second', 'First']);
    await page.getByText('“First” was archived.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Archived and read only' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Bookmarks' }).click();
    await page.getByRole('button', { name: 'Bookmark Third', pressed: true }).waitFor();
  });

  it('keeps what is no bookmark any more on the screen of the bookmarks, but nothing that was deleted', async () => {
    for (const name of ['First', 'Second']) {
      const id = await app.fixture.group(ann, { name });
      const pad = await app.fixture.pad(ann, id, { name: `Pad of ${name}` });
      for (const [type, key] of Object.entries({ groups: id, pads: pad }))
        await app.etherpad.api('POST', 'usermark', { token: ann.token, body: { type, key } });
    }
    const page = await open('/mybookmarks');
    await row(page, 'First').getByRole('button', { name: 'Bookmark First' }).click();
    await row(page, 'Second').getByRole('button', { name: 'Actions for Second' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click();
    await row(page, 'Second').waitFor({ state: 'detached' });
    expect(await names(page)).to.deep.equal(['First', 'Pad of First']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Second').waitFor();
  });

  it('shows a bookmark on their screen also when that was opened before it was stored', async () => {
    await app.fixture.group(ann, { name: 'First' });
    const page = await open();
    const store = await hold(page, '**/api/usermark');
    await row(page, 'First').getByRole('button', { name: 'Bookmark First' }).click();
    await page.getByRole('link', { name: 'Bookmarks' }).click();
    await page.getByText('No bookmarks yet').waitFor();
    store();
    await row(page, 'First').getByRole('button', { name: 'Bookmark First', pressed: true }).waitFor();
  });

  it('keeps the dialog of a pad that was found, and what is typed in it, when the pad gets another name', async () => {
    const id = await app.fixture.group(ann, { name: 'Garden' });
    const pad = await app.fixture.pad(ann, id, { name: 'Seeds' });
    const page = await open('/mypads?q=seeds');
    await row(page, 'Seeds').getByRole('button', { name: 'Actions for Seeds' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Add people' });
    await field.fill('bob');
    await app.etherpad.api('PUT', `pad/${pad}`, { token: ann.token, body: { name: 'Harvest' } });
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.locator('main [data-row]').waitFor({ state: 'detached' });
    expect(await field.inputValue()).to.equal('bob');
  });

  it('undoes the archiving of several without changing those that were archived before', async () => {
    for (const name of ['First', 'Second']) await app.fixture.group(ann, { name });
    await app.fixture.group(ann, { name: 'Old', archived: true });
    const page = await open();
    await page.getByRole('button', { name: 'Select folders' }).click();
    for (const name of ['First', 'Old'])
      await page.locator('label').getByText(`Select ${name}`, { exact: true }).locator('..').click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('“First” was archived.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“First” was restored.').waitFor();
    const archived = page.getByRole('region', { name: 'Archived and read only' });
    expect(await archived.getByRole('link').allTextContents()).to.deep.equal(['Old']);
  });

  it('removes several at once after a question that names them and what is lost', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      const id = await app.fixture.group(ann, { name });
      const pad = await app.fixture.pad(ann, id, { name: `Notes of ${name}` });
      await app.etherpad.api('POST', `pad/${pad}/ticket`, { token: ann.token });
    }
    const page = await open();
    const recent = page.getByRole('region', { name: 'Recent pads' }).getByRole('listitem');
    await recent.getByText('Notes of Two').waitFor();
    await page.getByRole('button', { name: 'Select folders' }).click();
    const box = (name: string) =>
      page.locator('label').getByText(`Select ${name}`, { exact: true }).locator('..');
    await box('One').click();
    await box('Three').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete 3 folders?' });
    await question.getByText('Two').waitFor();
    await question.getByText('3 pads', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Delete 3 folders' }).click();
    await page.getByText('1 folder', { exact: true }).waitFor();
    expect(await names(page)).to.deep.equal(['Four']);
    await recent.getByText('Notes of Two').waitFor({ state: 'detached' });
    expect(await recent.allTextContents()).to.deep.equal(['Notes of Four']);
  });

  it('renames a folder in its row with e, and on its own screen by a click on the name', async () => {
    await app.fixture.group(ann, { name: 'First name' });
    const page = await open();
    await page.getByRole('main').getByRole('link', { name: 'First name' }).focus();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'New name of First name' }).fill('Second name');
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('link', { name: 'Second name' }));
    await page.keyboard.press('Enter');
    await heading(page).getByRole('button', { name: 'Second name' }).click();
    const field = page.getByRole('textbox', { name: 'New name of Second name' });
    await field.fill('A name of thirty-one characters');
    await page.getByText('31 / 40').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await field.fill('Third name');
    await page.keyboard.press('Escape');
    await untilFocused(page.getByRole('button', { name: 'Second name' }));
    await page.keyboard.press('e');
    await field.fill('Third name');
    await page.keyboard.press('Enter');
    await heading(page, 'Third name').waitFor();
    await page.reload();
    await heading(page, 'Third name').waitFor();
  });

  it('opens the first folder at once, without a placeholder in between', async () => {
    await app.fixture.group(ann, { name: 'First opened' });
    const page = await open();
    const link = page.getByRole('main').getByRole('link', { name: 'First opened' });
    const hadPlaceholder = await link.evaluate(
      (row) =>
        new Promise<boolean>((resolve) => {
          let isMissing = false;
          const observer = new MutationObserver(() => {
            const title = document.querySelector('main h1');
            isMissing ||= !title?.checkVisibility();
            if (title?.textContent === 'First opened') resolve(isMissing);
          });
          observer.observe(document.body, { subtree: true, childList: true, attributes: true });
          (row as HTMLElement).click();
        }),
    );
    expect(hadPlaceholder).to.equal(false);
  });

  it('is sorted by its headings on wide screens', async () => {
    for (const name of ['Beta', 'Alpha', 'Gamma']) await app.fixture.group(ann, { name });
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

  it('is sorted as in another tab that was looked at meanwhile', async () => {
    for (const name of ['Beta', 'Alpha']) await app.fixture.group(ann, { name });
    const page = await open();
    expect(await names(page)).to.deep.equal(['Beta', 'Alpha']);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Sort by Name' }).click();
    await until('the other tab is sorted', async () => (await names(other))[0] === 'Alpha');
    await other.close();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Folders', exact: true }).click();
    await row(page, 'Alpha').waitFor();
    expect(await names(page)).to.deep.equal(['Alpha', 'Beta']);
  });

  it('offers members only the actions that they may use', async () => {
    const bob = await app.fixture.person('bob');
    const id = await app.fixture.group(bob, { name: 'Of Bob' });
    const body = { gid: id, invite: true, loginsOrEmails: [ann.login] };
    await app.etherpad.api('POST', 'group/invite', { token: bob.token, body });
    const page = await open();
    await page.getByRole('button', { name: 'Actions for Of Bob' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).to.deep.equal(['Share', 'Leave folder']);
    await page.getByRole('menuitem', { name: 'Leave folder' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave folder' }).click();
    await page.getByText('No folders yet').waitFor();
  });

  it('stays as it was searched when a folder in it is left', async () => {
    const bob = await app.fixture.person('bob');
    for (const name of ['Choir of Bob', 'Club of Bob']) {
      const id = await app.fixture.group(bob, { name });
      await app.fixture.invite(bob, id, [ann.login]);
    }
    const page = await open('/mypads?q=bob');
    await page.getByRole('button', { name: 'Actions for Club of Bob' }).click();
    await page.getByRole('menuitem', { name: 'Leave folder' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Leave folder' }).click();
    await page.getByText('You have left the folder “Club of Bob”.').waitFor();
    await question.waitFor({ state: 'detached' });
    expect(await names(page)).to.deep.equal(['Choir of Bob']);
    expect(page.url()).to.match(/\?\/mypads&q=bob$/);
  });

  it('shows fifty folders a page', async () => {
    const numbers = Array.from({ length: 53 }, (_, index) => index + 1);
    await Promise.all(numbers.map((number) => app.fixture.group(ann, { name: `Folder ${number}` })));
    const page = await open('/mypads?sort=name');
    await row(page, 'Folder 50').waitFor();
    expect(await names(page)).to.have.length(50);
    await page.getByRole('link', { name: 'Page 2' }).click();
    await row(page, 'Folder 53').waitFor();
    expect(await names(page)).to.deep.equal(['Folder 51', 'Folder 52', 'Folder 53']);
    const pages = page.getByRole('navigation', { name: 'Pages of the list' }).getByRole('listitem');
    expect(await pages.allTextContents()).to.deep.equal(['1', '2']);
    await page.goBack();
    await row(page, 'Folder 1').waitFor();
  });

  it('shows the next page from its beginning, and the focus is there', async () => {
    const numbers = Array.from({ length: 101 }, (_, index) => index + 1);
    await Promise.all(numbers.map((number) => app.fixture.group(ann, { name: `Folder ${number}` })));
    const page = await open('/mypads?sort=name');
    const next = page.getByRole('link', { name: 'Next page' });
    for (const first of ['Folder 51', 'Folder 101']) {
      await next.focus();
      await next.press('Enter');
      await row(page, first).waitFor();
      await untilFocused(heading(page));
      expect(await page.evaluate(() => scrollY)).to.equal(0);
    }
  });

  it('says that it cannot be loaded, and tries again', async () => {
    const { page } = await app.window({ as: ann });
    await page.route('**/api/overview', (route) =>
      route.fulfill({ status: 500, json: { error: 'BACKEND.ERROR.SERVER.UNEXPECTED' } }),
    );
    await app.goTo('/mypads');
    await page.getByText('Your folders could not be loaded').waitFor();
    // What is loaded after the screen reads the list again, and would take the button away.
    await page.waitForLoadState('networkidle');
    await page.unroute('**/api/overview');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No folders yet').waitFor();
  });
});
