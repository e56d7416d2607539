/** What people do with several folders or pads at once. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { heading, untilFocused, useApp, type WindowOptions } from '../support/browser';

describe('several folders or pads', function () {
  this.timeout(60_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);

  async function open(path: string, options: WindowOptions = {}): Promise<Page> {
    const page = await app.open(path, { as: ann, ...options });
    await heading(page).waitFor();
    return page;
  }

  const choose = async (page: Page, ...names: string[]): Promise<void> => {
    for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check({ force: true });
  };
  const row = (page: Page, name: string) => page.locator('main [data-row]').filter({ hasText: name });
  const starred = (page: Page, name: string) =>
    page.locator('main').getByRole('button', { name: `Bookmark ${name}`, exact: true, pressed: true });

  it('are bookmarked together, and Undo removes exactly these bookmarks', async () => {
    const folder = await app.fixture.group(ann, { name: 'Shelf' });
    const one = await app.fixture.pad(ann, folder, { name: 'One' });
    for (const name of ['Two', 'Three']) await app.fixture.pad(ann, folder, { name });
    const page = await open(`/mypads/group/${folder}/view`);
    // Another window of the person was first.
    const body = { type: 'pads', keys: [one], marked: true };
    await app.etherpad.api('PUT', 'usermark', { token: ann.token, body });
    await page.getByRole('button', { name: 'Bookmark One', exact: true }).click();
    await starred(page, 'One').waitFor();
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'One', 'Two', 'Three');
    const bar = page.getByRole('region', { name: '3 selected' });
    await bar.getByRole('button', { name: 'Bookmark', exact: true }).click();
    await page.getByText('2 bookmarks were added.').waitFor();
    await starred(page, 'Three').waitFor();
    await bar.getByRole('button', { name: 'Remove bookmarks' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 bookmarks were removed.').waitFor();
    await starred(page, 'One').waitFor();
    expect(await starred(page, 'Two').count()).to.equal(0);
    await page.reload();
    await starred(page, 'One').waitFor();
    expect(await starred(page, 'Two').count()).to.equal(0);
  });

  it('keep the height of their rows on a phone when they are selected', async () => {
    await app.fixture.group(ann, { name: 'Garden' });
    const page = await open('/mypads', { screen: { width: 320, height: 700 } });
    const height = async () => (await row(page, 'Garden').boundingBox())?.height;
    await row(page, 'Garden').waitFor();
    const before = await height();
    await page.getByRole('button', { name: 'Select folders' }).click();
    await page.getByLabel('Select Garden', { exact: true }).waitFor();
    expect(await height()).to.equal(before);
  });

  it('keep their actions on one line where the list is beside the people', async () => {
    const folder = await app.fixture.group(ann, { name: 'Shelf' });
    for (const name of ['One', 'Two']) await app.fixture.pad(ann, folder, { name });
    const page = await open(`/mypads/group/${folder}/view`, { screen: { width: 1100, height: 800 } });
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'One');
    const bar = page.getByRole('region', { name: '1 selected' });
    const tops: (number | undefined)[] = [];
    for (const name of ['Select all', 'Bookmark', 'Move', 'Delete']) {
      const action = bar.getByRole('button', { name, exact: true });
      await action.waitFor();
      tops.push((await action.boundingBox())?.y);
    }
    expect(new Set(tops).size, String(tops)).to.equal(1);
  });

  it('are deleted with a bar for the progress, and only the beginning and the end are announced', async () => {
    const folder = await app.fixture.group(ann, { name: 'Shelf' });
    for (const name of ['One', 'Two', 'Three']) await app.fixture.pad(ann, folder, { name });
    const page = await open(`/mypads/group/${folder}/view`);
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'One', 'Two', 'Three');
    await page
      .getByRole('region', { name: '3 selected' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    const texts = await page.evaluateHandle(() => {
      const seen = { announced: new Set<string>(), shown: new Set<string>() };
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('dialog [role="status"]'))
          if (textContent.startsWith('Deleting')) seen.announced.add(textContent);
        for (const { ariaLabel } of document.querySelectorAll('dialog progress'))
          seen.shown.add(`${ariaLabel}`);
      }).observe(document.body, { childList: true, characterData: true, attributes: true, subtree: true });
      return seen;
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 3 pads' }).click();
    await page.getByText('3 pads were deleted').waitFor();
    const [announced, shown] = await texts.evaluate((seen) => [[...seen.announced], [...seen.shown]]);
    expect(announced).to.deep.equal(['Deleting 0 of 3']);
    expect(shown).to.include('Deleting 2 of 3');
  });

  it('are no longer selected after Escape, and the focus is kept', async () => {
    await app.fixture.group(ann, { name: 'Garden' });
    const page = await open('/mypads');
    const box = page.getByLabel('Select Garden', { exact: true });
    const bar = page.getByRole('region', { name: '1 selected' });
    const tags = bar.getByRole('button', { name: 'Tags', exact: true });
    await page.getByRole('button', { name: 'Select folders' }).click();
    await box.focus();
    await page.keyboard.press('Space');
    await tags.focus();
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('dialog').getByRole('combobox', { name: 'Add tags' }));
    await page.keyboard.press('Escape');
    await untilFocused(tags);
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await untilFocused(heading(page, 'Folders'));
    await box.focus();
    await page.keyboard.press('Space');
    await bar.waitFor();
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await untilFocused(box);
    await page.keyboard.press('j');
    await untilFocused(row(page, 'Garden').getByRole('link', { name: 'Garden', exact: true }));
  });

  it('get and lose tags together, and keep their other tags', async () => {
    await app.fixture.group(ann, { name: 'Garden', tags: ['old', 'green'] });
    await app.fixture.group(ann, { name: 'Kitchen', tags: ['old'] });
    const page = await open('/mypads');
    await page.getByRole('button', { name: 'Select folders' }).click();
    await choose(page, 'Garden', 'Kitchen');
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags of 2 folders' });
    await dialog.getByRole('combobox', { name: 'Add tags' }).fill('house, spring 2027,');
    await dialog.getByRole('button', { name: 'old (2)' }).click();
    await dialog.getByRole('button', { name: 'Save tags' }).click();
    await page.getByText('The tags of 2 folders were changed.').waitFor();
    const tags = (name: string) => row(page, name).getByTitle('Folders tagged').allTextContents();
    await row(page, 'Kitchen').getByText('spring 2027').waitFor();
    expect(await tags('Garden')).to.deep.equal(['green', 'house', 'spring 2027']);
    expect(await tags('Kitchen')).to.deep.equal(['house', 'spring 2027']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Kitchen').getByText('old', { exact: true }).waitFor();
    expect(await tags('Garden')).to.have.members(['green', 'old']);
  });

  it('are dragged onto a folder in the sidebar, and Undo brings them back', async () => {
    const from = await app.fixture.group(ann, { name: 'From here' });
    await app.fixture.group(ann, { name: 'To there' });
    await app.fixture.group(ann, { name: 'Not this one' });
    for (const name of ['Stays', 'Goes', 'Goes too']) await app.fixture.pad(ann, from, { name });
    const page = await open(`/mypads/group/${from}/view`);
    const drag = async (name: string): Promise<void> => {
      const link = page.getByRole('main').getByRole('link', { name, exact: true });
      await link.hover();
      await page.mouse.down();
      await page.mouse.move(700, 500, { steps: 3 });
      const target = page.getByRole('button', { name: 'To there' });
      await target.hover();
      const offered = await page.locator('header li button:visible').allTextContents();
      expect(offered).to.deep.equal(['Not this one', 'To there']);
      await target.hover();
      await page.mouse.up();
    };
    await drag('Goes');
    await page.getByText('1 pad was moved to “To there”.').waitFor();
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 pads', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'Goes', 'Goes too');
    await drag('Goes too');
    await page.getByText('2 pads were moved to “To there”.').waitFor();
    await page.getByText('1 pad', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 pads', { exact: true }).waitFor();
  });

  it('are moved, and those that went elsewhere meanwhile are named until the person has read it', async () => {
    const from = await app.fixture.group(ann, { name: 'From here' });
    const target = await app.fixture.group(ann, { name: 'To there' });
    const ids: string[] = [];
    for (const name of ['Goes', 'Is gone']) ids.push(await app.fixture.pad(ann, from, { name }));
    const page = await open(`/mypads/group/${from}/view`);
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'Goes', 'Is gone');
    await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Move' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move pads' });
    await dialog.getByRole('option', { name: 'To there' }).waitFor();
    // Another window was first.
    await app.etherpad.api('DELETE', `pad/${ids[1]}`, { token: ann.token });
    await dialog.getByRole('option', { name: 'To there' }).click();
    await page.getByText('1 pad was moved to “To there”.').waitFor();
    await page.getByText('No pads yet').waitFor();
    await dialog.getByText('1 pad stayed where it was').waitFor();
    await dialog.getByText('Is gone').waitFor();
    expect(await dialog.getByRole('checkbox').count()).to.equal(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // A folder to which they cannot go is not said to be theirs.
    const late = await app.fixture.group(ann, { name: 'Gone folder' });
    await page.goto(`/mypads/?/mypads/group/${target}/view`);
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'Goes');
    await page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Move' }).click();
    const single = page.getByRole('dialog', { name: 'Move “Goes”' });
    await single.getByRole('option', { name: 'Gone folder' }).waitFor();
    await app.etherpad.api('DELETE', `group/${late}`, { token: ann.token });
    await single.getByRole('option', { name: 'Gone folder' }).click();
    await single.getByText('Goes: The folder or template that was chosen is no longer available').waitFor();
    await single.getByRole('option', { name: 'Gone folder' }).waitFor({ state: 'detached' });
  });

  it('offer only what the person may do with all of them', async () => {
    const bob = await app.fixture.person('bob');
    const shared = await app.fixture.group(bob, { name: 'Of Bob' });
    await app.fixture.invite(bob, shared, [ann.login]);
    await app.fixture.pad(bob, shared, { name: 'Bob’s notes' });
    await app.fixture.group(ann, { name: 'My own' });
    const page = await open('/mypads');
    await page.getByRole('button', { name: 'Select folders' }).click();
    await choose(page, 'Of Bob', 'My own');
    const bar = page.getByRole('region', { name: '2 selected' });
    await bar.getByText('Only managers of all these folders').waitFor();
    expect(await bar.getByRole('button').allTextContents()).to.deep.equal(['', 'Bookmark']);
    await page.getByLabel('Select Of Bob').uncheck({ force: true });
    const own = page.getByRole('region', { name: '1 selected' });
    await own.getByRole('button', { name: 'Archive' }).waitFor();
    await page.goto(`/mypads/?/mypads/group/${shared}/view`);
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'Bob’s notes');
    const pads = page.getByRole('region', { name: '1 selected' });
    expect(await pads.getByRole('button').allTextContents()).to.deep.equal(['', 'Bookmark', 'Export']);
    await pads.getByRole('button', { name: 'Bookmark' }).click();
    await starred(page, 'Bob’s notes').waitFor();
    const locked = { name: 'Locked', visibility: 'private', password: 'a long secret' };
    await app.fixture.pad(bob, shared, locked);
    await page.reload();
    await page.getByRole('button', { name: 'Select pads' }).click();
    await choose(page, 'Locked');
    // A file without a single pad would be refused.
    expect(await pads.getByRole('button').allTextContents()).to.deep.equal(['', 'Select all', 'Bookmark']);
  });
});
