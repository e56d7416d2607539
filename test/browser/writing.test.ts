/** One click creates a pad to write in; it gets its name later. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  accessibilityProblems,
  heading,
  leaveWindow,
  untilFocused,
  untilTitle,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { frameOf, textOf, untilCaretIsInText, untilShows } from '../support/editor';
import { heldWork } from '../support/waiting';

describe('writing at once', function () {
  this.timeout(90_000);
  const app = useApp();
  const ann = app.usePerson('ann');

  const open = (path: string, options: WindowOptions = { as: ann }): Promise<Page> => app.open(path, options);

  const newPad = (page: Page) => page.getByRole('main').getByRole('button', { name: 'New pad' });

  it('“New pad” opens an untitled pad with the cursor in its text, numbered when there is one already', async () => {
    const folder = await app.fixture.group(ann, { name: 'Notes' });
    await app.fixture.pad(ann, folder, { name: 'untitled' });
    const page = await open(`/mypads/group/${folder}/view`);
    await newPad(page).click();
    await heading(page, 'Untitled 2').waitFor();
    await untilCaretIsInText(page);
    await page.keyboard.type('Dear diary');
    await untilShows(frameOf(page), 'Dear diary');
  });

  it('a double click on “New pad” makes one pad', async () => {
    const folder = await app.fixture.group(ann, { name: 'Once' });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ann });
    await page.getByRole('main').getByRole('button', { name: 'New pad' }).dblclick();
    await heading(page, 'Untitled').waitFor();
    await page.getByRole('link', { name: 'Back to Once' }).click();
    await page.getByText('1 pad', { exact: true }).waitFor();
  });

  it('in a folder that was removed meanwhile, “New pad” leads to the message that it is gone', async () => {
    const folder = await app.fixture.group(ann, { name: 'Going' });
    await app.fixture.pad(ann, folder);
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ann });
    await page.getByRole('main').getByRole('link', { name: 'A pad' }).waitFor();
    await app.etherpad.api('DELETE', `group/${folder}`, { token: ann.token });
    await page.getByRole('main').getByRole('button', { name: 'New pad' }).click();
    await page.getByText('Folder not found').waitFor();
  });

  it('outside a folder, “New pad” names one that is not public, and offers the others', async () => {
    const bob = await app.fixture.person('bob');
    const poster = await app.fixture.group(bob, { name: 'A poster', visibility: 'public' });
    const pad = await app.fixture.pad(bob, poster, { name: 'Drawing' });
    const board = await app.fixture.group(bob, { name: 'Board minutes' });
    const page = await open(`/mypads/group/${poster}/pad/view/${pad}`, { as: bob });
    await untilCaretIsInText(page);
    await app.goTo('/mypads');
    const places = [page.getByRole('navigation').first(), page.getByRole('main').locator('header')];
    for (const place of places) {
      await place.getByRole('button', { name: 'New pad in Board minutes' }).click();
      await heading(page, /^Untitled/).waitFor();
      expect(page.url()).to.contain(board);
      await app.goTo('/mypads');
      await place.getByRole('button', { name: 'in Board minutes', exact: true }).click();
      await page.getByRole('menuitem', { name: 'A poster Public' }).click();
      await heading(page, /^Untitled/).waitFor();
      expect(page.url()).to.contain(poster);
      await app.goTo('/mypads');
    }
    await app.goTo('/mybookmarks');
    const newPad = page.getByRole('button', { name: 'New pad in Board minutes' });
    await newPad.waitFor();
    await app.etherpad.api('DELETE', `group/${board}`, { token: bob.token });
    await newPad.click();
    await page.getByRole('button', { name: 'New pad in My pads' }).waitFor();
  });

  it('a new person on a phone: the first screen has “New pad”, for a folder that only they can open', async () => {
    const carol = await app.fixture.person('carol');
    for (const name of [undefined, 'Poster']) {
      if (name !== undefined) await app.fixture.group(carol, { name, visibility: 'public' });
      const page = await open('/mypads', { as: carol, screen: 'phone' });
      const button = page.getByRole('main').getByRole('button', { name: 'New pad in My pads' });
      await button.waitFor();
      const box = await button.boundingBox();
      expect((box?.y ?? 900) + (box?.height ?? 0), 'without scrolling').to.be.at.most(844);
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await button.tap();
      await heading(page, 'Untitled').waitFor();
      const id = /group\/([^/]+)\/pad/.exec(page.url())?.[1] ?? '';
      const { body } = await app.etherpad.api('GET', `group/${id}`, { token: carol.token });
      const { value } = body as { value: { name: string; visibility: string } };
      expect(value).to.deep.include({ name: 'My pads', visibility: 'restricted' });
      await app.etherpad.api('DELETE', `group/${id}`, { token: carol.token });
    }
  });

  /** The name of a pad in the folder "Names", being changed above the pad. */
  async function renameUntitled(): Promise<{ page: Page; field: Locator }> {
    const folder = await app.fixture.group(ann, { name: 'Names' });
    const pad = await app.fixture.pad(ann, folder, { name: 'Untitled' });
    const page = await open(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilCaretIsInText(page);
    await heading(page, 'Untitled').getByRole('button').click();
    const field = page.getByRole('textbox', { name: 'New name of Untitled' });
    await untilFocused(field);
    return { page, field };
  }

  it('a name is changed in its place, above the pad and in the list; Escape keeps the old one', async () => {
    const { page, field } = await renameUntitled();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.type('Shopping');
    await page.keyboard.press('Escape');
    await heading(page, 'Untitled').getByRole('button').and(page.locator(':focus')).click();
    await field.fill('  ');
    await page.keyboard.press('Enter');
    await heading(page, 'Untitled').getByRole('button').click();
    await field.fill('Shopping');
    await page.keyboard.press('Enter');
    await heading(page, 'Shopping').waitFor();
    await untilTitle(page, 'Shopping – Names | MyPads');

    await page.getByRole('link', { name: 'Back to Names' }).click();
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'No edits yet' });
    await page.getByRole('button', { name: 'More actions for Shopping' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await untilFocused(page.getByRole('textbox', { name: 'New name of Shopping' }));
    await page.keyboard.type('Groceries');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Groceries' }).waitFor();
    expect(await row.count()).to.be.at.most(1);
  });

  it('a half-typed name is saved when the field is left, not when the window is', async () => {
    const { page, field } = await renameUntitled();
    await leaveWindow(page);
    expect(await field.isVisible(), 'nothing typed').to.equal(true);
    await page.keyboard.type('Min');
    await leaveWindow(page);
    await page.keyboard.type('utes');
    await textOf(frameOf(page)).click();
    await heading(page, 'Minutes').waitFor();
  });

  it('a name that cannot be saved stays in its field, and the focus where the person has put it', async () => {
    const folder = await app.fixture.group(ann, { name: 'Names' });
    await app.fixture.pad(ann, folder, { name: 'Untitled' });
    const page = await open(`/mypads/group/${folder}/view`);
    await page.route('**/api/pad/*', (route) => route.abort());
    await page.getByRole('button', { name: 'More actions for Untitled' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const field = page.getByRole('textbox', { name: 'New name of Untitled' });
    await untilFocused(field);
    await page.keyboard.type('Minutes');
    const filter = page.getByRole('searchbox', { name: 'Search pads' });
    await filter.click();
    await page.getByRole('alert').getByRole('button', { name: 'Close this message' }).waitFor();
    await page.keyboard.type('un');
    expect([await filter.inputValue(), await field.inputValue()]).to.deep.equal(['un', 'Minutes']);
    await page.unroute('**/api/pad/*');
    await field.press('Enter');
    await filter.fill('');
    await page.getByRole('main').getByRole('link', { name: 'Minutes' }).waitFor();
  });

  it('a late answer about a new name closes neither the dialog nor the field of another pad', async () => {
    const folder = await app.fixture.group(ann, { name: 'Names' });
    for (const name of ['One', 'Two']) await app.fixture.pad(ann, folder, { name });
    const page = await open(`/mypads/group/${folder}/view`);
    const choose = async (pad: string, action: string): Promise<void> => {
      await page.getByRole('button', { name: `More actions for ${pad}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    for (const [name, next, action, other] of [
      ['One', 'Three', 'Share', page.getByRole('dialog', { name: 'Share “Two”' })],
      ['Three', 'Four', 'Rename', page.getByRole('textbox', { name: 'New name of Two' })],
    ] as const) {
      const { held, release } = heldWork();
      await page.route('**/api/pad/*', (route) => held.then(() => route.continue()), { times: 1 });
      await choose(name, 'Rename');
      await page.getByRole('textbox', { name: `New name of ${name}` }).fill(next);
      await page.keyboard.press('Enter');
      await choose('Two', action);
      await other.waitFor();
      release();
      await page.getByText(`The new name is “${next}”.`).waitFor();
      expect(await other.isVisible(), action).to.equal(true);
      await page.keyboard.press('Escape');
      await other.waitFor({ state: 'detached' });
    }
  });

  it('a member who may create pads but not rename them is asked for the name first', async () => {
    const bob = await app.fixture.person('bob');
    const folder = await app.fixture.group(ann, { name: 'Guest book', allowUsersToCreatePads: true });
    await app.fixture.invite(ann, folder, [bob.login]);
    const page = await open(`/mypads/group/${folder}/view`, { as: bob });
    await newPad(page).click();
    await heading(page, 'New pad').waitFor();
    await page.getByLabel('Name').fill('Bob was here');
    await page.getByRole('button', { name: 'Create pad' }).click();
    await heading(page, 'Bob was here').waitFor();
    expect(await heading(page, 'Bob was here').getByRole('button').count()).to.equal(0);
  });
});
