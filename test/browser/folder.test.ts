/** The screens of a folder: creating, changing, opening, leaving and removing one. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { limits } from '../../model/limits';
import {
  heading,
  hold,
  returnToWindow,
  untilFocused,
  untilTitle,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { untilEditorIsReady } from '../support/editor';
import { until } from '../support/waiting';

describe('a folder', function () {
  this.timeout(60_000);
  const app = useApp();
  const ann = app.usePerson('ann');

  const open = (path: string, options: WindowOptions = { as: ann }): Promise<Page> => app.open(path, options);

  describe('that is created', () => {
    it('says at each field what is missing, with links to the fields', async () => {
      const page = await open('/mypads/group/add');
      await page.getByText('Password-protected', { exact: true }).click();
      await page.getByText('Any length is allowed').waitFor();
      await page.getByRole('button', { name: 'Create folder' }).click();
      const summary = page.getByRole('alert').filter({ hasText: 'Please fix 2 fields' });
      await summary.waitFor();
      await untilFocused(summary);
      await summary.getByRole('link', { name: 'A password-protected folder needs a password.' }).click();
      const field = page.getByLabel('Folder password');
      await untilFocused(field);
      expect(await field.getAttribute('aria-invalid')).to.equal('true');
      await page.getByText('Restricted', { exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'Please fix 1 field' }).waitFor();
      expect(await page.getByRole('alert').getByRole('link').allTextContents()).to.deep.equal([
        'Give the folder a name.',
      ]);
    });

    it('takes name, description, visibility and tags', async () => {
      const page = await open('/mypads/group/add');
      const below = page.getByLabel('Description');
      const before = await below.boundingBox();
      await page.getByLabel('Name').fill('A name of thirty-one characters');
      await page.getByText('31 / 40').waitFor();
      expect(await below.boundingBox(), 'what is below the counter').to.deep.equal(before);
      await page.getByLabel('Name').fill('Garden club');
      await page.getByLabel('Description').fill('Seeds and dates.');
      await page.getByText('Public', { exact: true }).click();
      await page.getByRole('combobox', { name: 'Tags' }).fill('garden, spring 2027,');
      await page.getByRole('button', { name: 'Create folder' }).click();
      await heading(page, 'Garden club').waitFor();
      for (const text of ['Seeds and dates.', 'Public', 'garden', 'spring 2027']) {
        await page.getByRole('main').getByText(text, { exact: true }).waitFor();
      }
      await untilTitle(page, 'Garden club | MyPads');
    });

    it('asks before what was typed is lost', async () => {
      const page = await open('/mypads/group/add');
      await page.getByLabel('Name').fill('Half a folder');
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      expect(await page.getByLabel('Name').inputValue()).to.equal('Half a folder');
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
      await heading(page, 'Folders').waitFor();
    });
  });

  describe('that is changed', () => {
    it('keeps what was typed of tags for which there is no room, and asks before it is lost', async () => {
      const tags = Array.from({ length: limits.tags - 1 }, (_, index) => `tag ${index}`);
      const full = await app.fixture.group(ann, { name: 'Full', tags });
      const page = await open(`/mypads/group/${full}/edit`);
      const field = page.getByRole('combobox', { name: 'Tags' });
      await field.fill('last,');
      await page.getByRole('button', { name: 'Remove last' }).waitFor();
      await field.fill('more');
      await field.press('Enter');
      expect(await field.inputValue()).to.equal('more');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      expect(await field.inputValue()).to.equal('more');
    });

    it('keeps its password when none is typed, and needs one when it becomes private', async () => {
      const secret = await app.fixture.group(ann, {
        name: 'Secret',
        visibility: 'private',
        password: 'sesame',
      });
      const page = await open(`/mypads/group/${secret}/edit`);
      await page.getByText('Leave it empty to keep the current one.').waitFor();
      await page.getByLabel('Name').fill('Still secret');
      await page.getByLabel('Read only').check();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await heading(page, 'Still secret').waitFor();
      await page.getByText('Read only', { exact: true }).waitFor();
      await app.fixture.unlock(`group/${secret}`, 'sesame');

      const unlocked = await app.fixture.group(ann, { name: 'Open' });
      await app.goTo(`/mypads/group/${unlocked}/edit`);
      await page.getByText('Password-protected', { exact: true }).click();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('link', { name: 'A password-protected folder needs a password.' }).waitFor();
    });

    it('leaves people where they have gone while it was being saved', async () => {
      const group = await app.fixture.group(ann, { name: 'Slow' });
      const page = await open(`/mypads/group/${group}/edit`);
      const answer = await hold(page, `**/api/group/${group}`, 'PUT');
      await page.getByLabel('Name').fill('Slow but sure');
      const asked = page.waitForRequest((request) => request.method() === 'PUT');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await asked;
      await page.getByRole('link', { name: 'Trash' }).click();
      await heading(page, 'Trash').waitFor();
      answer();
      await page.getByText('The folder “Slow but sure” was saved.').waitFor();
      expect(await heading(page).textContent()).to.equal('Trash');
    });

    it('keeps what was changed elsewhere while its form was open, and so does a pad', async () => {
      const folder = await app.fixture.group(ann, { name: 'Shared', visibility: 'public', tags: ['old'] });
      const pad = await app.fixture.pad(ann, folder, { name: 'Plan', visibility: 'public', readonly: true });
      const read = async (path: string): Promise<Record<string, unknown>> =>
        ((await app.etherpad.api('GET', path, { token: ann.token })).body as { value: never }).value;
      const page = await open(`/mypads/group/${folder}/edit`);
      await page.getByLabel('Description').fill('New.');
      const elsewhere = { visibility: 'restricted', tags: ['new'], readonly: true, name: 'Closed' };
      await app.fixture.change(ann, `group/${folder}`, elsewhere);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await heading(page, 'Closed').waitFor();
      expect(await read(`group/${folder}`)).to.deep.include({ ...elsewhere, description: 'New.' });

      await app.goTo(`/mypads/group/${folder}/pad/edit/${pad}`);
      await page.getByLabel('Name').fill('Programme');
      await app.fixture.change(ann, `pad/${pad}`, { visibility: 'restricted', readonly: false });
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('link', { name: 'Programme' }).waitFor();
      const after = { name: 'Programme', visibility: 'restricted', readonly: false };
      expect(await read(`pad/${pad}`)).to.deep.include(after);
    });

    it('shows the settings of a pad also at their former address, after it was moved', async () => {
      const [from, to] = [await app.fixture.group(ann), await app.fixture.group(ann, { name: 'Archive' })];
      const pad = await app.fixture.pad(ann, from, { name: 'Budget' });
      await app.fixture.change(ann, `pad/${pad}`, { group: to });
      const page = await app.open(`/mypads/group/${from}/pad/edit/${pad}`, { as: ann });
      await page.getByRole('main').getByRole('link', { name: 'Archive' }).waitFor();
      expect(await page.getByLabel(/^Name/).inputValue()).to.equal('Budget');

      await page.getByLabel(/^Name/).fill('Budget of the year');
      await app.fixture.change(ann, `pad/${pad}`, { group: from });
      await until('the form is that of the other folder', async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('focus')));
        return page.url().includes(`${from}/pad/edit`);
      });
      expect(await page.getByLabel(/^Name/).inputValue()).to.equal('Budget of the year');
    });

    it('takes a new password alone, and is saved without a change too', async () => {
      const fields = { name: 'Vault', visibility: 'private', password: 'sesame' };
      const folder = await app.fixture.group(ann, fields);
      const pad = await app.fixture.pad(ann, folder, { ...fields, name: 'Key' });
      const page = await open('/mypads');
      for (const [form, record] of [
        ['edit', `group/${folder}`],
        [`pad/edit/${pad}`, `pad/${pad}`],
      ] as const) {
        await app.goTo(`/mypads/group/${folder}/${form}`);
        await page.getByLabel(/^(Folder|Pad) password/).fill('open');
        await page.getByRole('button', { name: 'Save changes' }).click();
        await page.getByRole('link', { name: 'Key' }).waitFor();
        await app.fixture.unlock(record, 'open');
        await app.goTo(`/mypads/group/${folder}/${form}`);
        await page.getByRole('button', { name: 'Save changes' }).click();
        await page.getByText(/were saved|was saved/).waitFor();
        await app.fixture.unlock(record, 'open');
      }
    });

    it('only by administrators; others are told so', async () => {
      const bob = await app.fixture.person('bob');
      const folder = await app.fixture.group(ann, { name: 'Not Bob’s' });
      await app.fixture.invite(ann, folder, [bob.login]);
      const page = await open(`/mypads/group/${folder}/edit`, { as: bob });
      await page.getByText('Only managers of a folder can do this.').waitFor();
      expect(await page.getByRole('textbox').count()).to.equal(0);
      const pad = await app.fixture.pad(ann, folder);
      for (const link of ['remove', 'pad/move', `pad/remove/${pad}`, `pad/remove/chat/history/${pad}`]) {
        await app.goTo(`/mypads/group/${folder}/${link}`);
        await page.getByText('Only managers of a folder can do this.').waitFor();
        expect(await page.getByRole('dialog').count(), link).to.equal(0);
        expect(page.url(), link).to.match(/\/view$/);
      }
    });
  });

  describe('that is opened', () => {
    const names = ['Zebra', 'apple 10', 'Apple 2', 'banana (draft'];
    let folder = '';
    before(async () => {
      folder = await app.fixture.group(ann, { name: 'Sorted' });
      for (const name of names) await app.fixture.pad(ann, folder, { name });
    });

    const listed = async (page: Page): Promise<string[]> => {
      await page.getByRole('link', { name: 'Zebra' }).or(page.getByText('Nothing matches')).first().waitFor();
      return page
        .getByRole('region', { name: 'Pads', exact: true })
        .getByRole('listitem')
        .getByRole('link')
        .allTextContents();
    };

    it('lists its pads in the order that was chosen, also at the next visit', async () => {
      const page = await open(`/mypads/group/${folder}/view`);
      expect(await listed(page)).to.deep.equal(names);
      await page.getByRole('button', { name: /Sorted by Creation date/ }).click();
      await page.getByRole('menuitemradio', { name: 'Name' }).click();
      await page.getByRole('button', { name: /Sorted by Name/ }).waitFor();
      const byName = ['Apple 2', 'apple 10', 'banana (draft', 'Zebra'];
      expect(await listed(page)).to.deep.equal(byName);
      await app.goTo(`/mypads/group/${folder}/view`);
      expect(await listed(page)).to.deep.equal(byName);
    });

    it('filters while the person types, also by brackets, and offers to clear the filter', async () => {
      const page = await open(`/mypads/group/${folder}/view`);
      await page.getByRole('searchbox', { name: 'Search pads' }).fill('APPLE');
      await page.getByText('2 of 4 pads').waitFor();
      await page.getByRole('searchbox').fill('(dr');
      await page.getByText('1 of 4 pads').waitFor();
      expect(await page.getByRole('link', { name: 'banana (draft' }).count()).to.equal(1);
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByText('Nothing matches “nothing like it”').waitFor();
      expect(await page.getByRole('button', { name: 'Clear filters' }).count()).to.equal(0);
      await page.getByRole('main').getByRole('button', { name: 'Clear the search' }).last().click();
      await page.getByText('4 pads', { exact: true }).waitFor();
      await untilFocused(heading(page));
    });

    it('shows visibility and read-only of a pad only where they differ from the folder', async () => {
      const mixed = await app.fixture.group(ann, { name: 'Mixed' });
      await app.fixture.pad(ann, mixed, { name: 'Plain' });
      await app.fixture.pad(ann, mixed, { name: 'For all', visibility: 'public', readonly: true });
      const page = await open(`/mypads/group/${mixed}/view`);
      const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
      await row('For all').getByText('Public', { exact: true }).waitFor();
      await row('For all').getByText('Read only').waitFor();
      expect(
        await row('Plain')
          .getByText(/Restricted|Read only/)
          .count(),
      ).to.equal(0);
    });

    it('without pads has one button that creates the first pad', async () => {
      const empty = await app.fixture.group(ann, { name: 'Empty' });
      const page = await open(`/mypads/group/${empty}/view`);
      await page.getByText('No pads yet').waitFor();
      const button = page.getByRole('main').getByRole('button', { name: 'New pad' });
      expect(await button.count()).to.equal(1);
      await button.click();
      await heading(page, 'Untitled').waitFor();
    });

    it('without pads shows no other button while its list is loading, which would go', async () => {
      const empty = await app.fixture.group(ann, { name: 'Still empty' });
      const page = await open('/mypads');
      const answer = await hold(page, `**/api/group/${empty}`);
      await page.getByRole('main').getByRole('link', { name: 'Still empty' }).click();
      await heading(page, 'Still empty').waitFor();
      const button = page.getByRole('main').getByRole('button', { name: 'New pad' });
      expect(await button.count()).to.equal(0);
      answer();
      await button.waitFor();
    });

    it('moves no button when its description arrives', async () => {
      const described = await app.fixture.group(ann, { name: 'Described', description: 'One.\n\nTwo.' });
      await app.fixture.pad(ann, described, { name: 'Plan' });
      const page = await open('/mypads');
      const answer = await hold(page, `**/api/group/${described}`);
      await page.getByRole('main').getByRole('link', { name: 'Described' }).click();
      await heading(page, 'Described').waitFor();
      const buttons = await page.getByRole('main').getByRole('button').elementHandles();
      expect(buttons).not.to.deep.equal([]);
      const places = () => Promise.all(buttons.map((button) => button.boundingBox()));
      const before = await places();
      answer();
      await page.getByText('Two.').waitFor();
      expect(await places()).to.deep.equal(before);
    });

    it('shows addresses only to administrators, and to each person only what they may do', async () => {
      const bob = await app.fixture.person('bob');
      const shared = await app.fixture.group(ann, { name: 'Shared' });
      await app.fixture.pad(ann, shared, { name: 'Common' });
      await app.fixture.invite(ann, shared, [bob.login]);
      const page = await open(`/mypads/group/${shared}/view`);
      await page.getByText(`${bob.login}@example.org`).waitFor();
      await app.close();
      const bobs = await open(`/mypads/group/${shared}/view`, { as: bob });
      await bobs.getByRole('link', { name: 'Common' }).waitFor();
      expect(await bobs.getByText('@example.org').count()).to.equal(0);
      const people = bobs.getByRole('complementary', { name: 'People' });
      await people.getByText('bob Test').waitFor();
      expect(await people.getByText('ann Test').count()).to.equal(0);
      expect(await bobs.getByRole('main').getByRole('button', { name: 'New pad' }).count()).to.equal(0);
      await bobs.getByRole('button', { name: 'More actions for this folder' }).click();
      expect(await bobs.getByRole('menuitem').allTextContents()).to.deep.equal(['Export', 'Leave folder']);
    });

    it('keeps the focus at the actions on selected pads when “Select all” goes', async () => {
      const folder = await app.fixture.group(ann, { name: 'Selected' });
      for (const name of ['One', 'Two']) await app.fixture.pad(ann, folder, { name });
      const page = await open(`/mypads/group/${folder}/view`);
      await page.getByRole('button', { name: 'Select pads' }).click();
      await page.getByLabel('Select One').press('Space');
      await page.getByRole('button', { name: 'Select all' }).press('Enter');
      await untilFocused(page.getByRole('region', { name: '2 selected' }));
      await page.keyboard.press('Tab');
      await untilFocused(page.getByRole('button', { name: 'Clear selection' }));
    });

    it('keeps a bookmark, and restores it with a message when the server refuses the change', async () => {
      const page = await open(`/mypads/group/${folder}/view`);
      const star = page.getByRole('button', { name: 'Bookmark Zebra' });
      await star.click();
      await page.locator('[aria-pressed="true"]').and(star).waitFor();
      await page.reload();
      await page.locator('[aria-pressed="true"]').and(star).waitFor();
      await page.route('**/api/usermark', (route) => route.fulfill({ status: 500, body: 'oops' }));
      await star.click();
      await page.getByText('The server’s answer could not be read').waitFor();
      await page.locator('[aria-pressed="true"]').and(star).waitFor();
    });

    it('says why it cannot be loaded, and tries again', async () => {
      const page = await open('/mypads');
      await heading(page, 'Folders').waitFor();
      const another = await app.fixture.group(ann, { name: 'Later' });
      await page.route(`**/api/group/${another}`, (route) => route.abort());
      await app.goTo(`/mypads/group/${another}/view`);
      await page.getByText('The folder could not be loaded').waitFor();
      await page.getByText('The server could not be reached.').waitFor();
      await page.unroute(`**/api/group/${another}`);
      await page.getByRole('button', { name: 'Try again' }).click();
      await untilFocused(heading(page, 'Later'));
    });

    it('shows what others have changed when the person returns to the window', async () => {
      const page = await open(`/mypads/group/${folder}/view`);
      await page.getByText('4 pads', { exact: true }).waitFor();
      await app.fixture.pad(ann, folder, { name: 'Meanwhile' });
      // A list that is less than five seconds old is not loaded again, so the person returns repeatedly.
      await page.evaluate(() => {
        setInterval(() => window.dispatchEvent(new Event('focus')), 500);
      });
      await page.getByRole('link', { name: 'Meanwhile' }).waitFor();
    });
  });

  describe('that does not exist, or is not shared with the person', () => {
    it('says nothing of the time when it was made if 1.x has not stored it', async () => {
      const group = await app.fixture.group(ann, { name: 'Old choir' });
      const page = await open(`/mypads/group/${group}/view`);
      await page.getByText(/^Created /).waitFor();
      await page.route(`**/api/group/${group}`, async (route) => {
        const response = await route.fetch();
        const { value, ...others } = await response.json();
        await route.fulfill({ response, json: { ...others, value: { ...value, ctime: 0 } } });
      });
      await page.reload();
      await heading(page, 'Old choir').waitFor();
      await page.getByText('Restricted').first().waitFor();
      expect(await page.getByText(/^Created|ago/).count()).to.equal(0);
    });

    it('says that it does not exist', async () => {
      const page = await open('/mypads/group/no-such-folder/view');
      await page.getByText('Folder not found').waitFor();
      await page.getByRole('link', { name: 'Go to your folders' }).click();
      await heading(page, 'Folders').waitFor();
    });

    it('asks a guest to sign in, and opens afterwards', async () => {
      const folder = await app.fixture.group(ann, { name: 'After signing in' });
      const page = await open(`/mypads/group/${folder}/edit`, {});
      await page.getByLabel('Username or email').fill(ann.login);
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Edit folder').waitFor();
      expect(await page.getByLabel('Name').inputValue()).to.equal('After signing in');
    });
  });

  describe('for guests', () => {
    it('a public one shows its public pads, not its people, and a link to sign in', async () => {
      const folder = await app.fixture.group(ann, { name: 'Fair', visibility: 'public' });
      await app.fixture.pad(ann, folder, { name: 'Programme' });
      await app.fixture.pad(ann, folder, { name: 'Behind the scenes', visibility: 'restricted' });
      const page = await open(`/mypads/group/${folder}/view`, {});
      await page.getByRole('link', { name: 'Programme' }).waitFor();
      expect(await page.getByText('Behind the scenes').count()).to.equal(0);
      await page.getByText('Guests do not see who belongs to this folder.').waitFor();
      expect(await page.getByText(ann.login).count()).to.equal(0);
      expect(await page.getByRole('button', { name: /Bookmark/ }).count()).to.equal(0);
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByText('Anyone with this link can open it, even without an account.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Link' }).inputValue()).to.equal(
        `${app.etherpad.url}/mypads/?/mypads/group/${folder}/view`,
      );
    });

    it('a private one asks for its password once, also for its pads, reloads and other tabs', async () => {
      const folder = await app.fixture.group(ann, {
        name: 'Class 4b',
        visibility: 'private',
        password: 'très secret',
      });
      const pad = await app.fixture.pad(ann, folder, { name: 'Trip' });
      const page = await open(`/mypads/group/${folder}/view`, {});
      await heading(page, 'Class 4b').waitFor();
      const password = page.getByLabel('Folder password');
      await password.fill('wrong');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('Wrong password. Ask a folder manager for the current one.').first().waitFor();
      await password.fill('très secret');
      await password.press('Enter');
      await untilFocused(heading(page, 'Class 4b'));
      await page.getByRole('link', { name: 'Trip' }).click();
      await untilEditorIsReady(page);
      await page.reload();
      await untilEditorIsReady(page);
      const other = await page.context().newPage();
      await other.goto(`/mypads/?/mypads/group/${folder}/view`);
      await other.getByRole('link', { name: 'Trip' }).waitFor();
      await other.goto(`/p/${pad}`);
      await other.locator('#editorcontainer').waitFor({ timeout: 90_000 });
    });

    it('a pad in it keeps what is typed as its password when the person returns to the window', async () => {
      const folder = await app.fixture.group(ann, { name: 'Class 4c', visibility: 'public' });
      const secret = { visibility: 'private', password: 'très secret' };
      const pad = await app.fixture.pad(ann, folder, { name: 'Marks', ...secret });
      const page = await open(`/mypads/group/${folder}/pad/view/${pad}`, {});
      const password = page.getByLabel('Password', { exact: true });
      await password.fill('très');
      await returnToWindow(page, `/api/pad/${pad}`);
      await untilFocused(password);
      await password.pressSequentially(' se');
      let failures = 0;
      page.on('requestfailed', (request) => {
        if (request.url().endsWith(`/api/pad/${pad}`)) failures += 1;
      });
      await page.route(`**/api/pad/${pad}`, (route) => route.abort());
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await until('the pad is not asked for any more', () => failures === 3);
      await page.unroute(`**/api/pad/${pad}`);
      await untilFocused(password);
      await password.pressSequentially('cret');
      await password.press('Enter');
      await untilEditorIsReady(page);
    });
  });

  describe('that is removed or left', () => {
    it('says what is lost before a folder is removed', async () => {
      const bob = await app.fixture.person('bob');
      const folder = await app.fixture.group(ann, { name: 'Old things' });
      for (const name of ['One', 'Two']) await app.fixture.pad(ann, folder, { name });
      await app.fixture.invite(ann, folder, [bob.login]);
      const page = await open(`/mypads/group/${folder}/remove`);
      const dialog = page.getByRole('dialog', { name: 'Delete the folder “Old things”?' });
      await dialog.getByText('2 pads', { exact: true }).waitFor();
      await dialog.getByText(/^You can restore everything from the trash until /).waitFor();
      await dialog.getByText('1 other person will lose access.').waitFor();
      await dialog.getByRole('button', { name: 'Delete folder' }).click();
      await heading(page, 'Folders').waitFor();
      await page.getByText('The folder “Old things” was deleted.').waitFor();
      expect(await page.getByRole('link', { name: 'Old things' }).count()).to.equal(0);
    });

    it('says so when somebody loses the right to delete a pad while they are asked', async () => {
      const bob = await app.fixture.person('bob');
      const folder = await app.fixture.group(ann, { name: 'Shared' });
      await app.fixture.pad(ann, folder, { name: 'Plan' });
      const assign = (body: object) =>
        app.etherpad.api('PUT', `group/${folder}/members`, { token: ann.token, body });
      await assign({ admins: [bob.login] });
      const page = await open(`/mypads/group/${folder}/view`, { as: bob });
      await page.getByRole('button', { name: 'More actions for Plan' }).click();
      await page.getByRole('menuitem', { name: 'Delete pad' }).click();
      await assign({ users: [bob.login] });
      await page.getByRole('dialog').getByRole('button', { name: 'Delete pad' }).click();
      await page.getByText('Only managers of a folder can do this.').waitFor();
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await assign({ admins: [bob.login] });
      await until('the rights are there again', async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('focus')));
        return (await page.getByRole('main').getByRole('button', { name: 'New pad' }).count()) > 0;
      });
      await page.getByRole('button', { name: 'More actions for this folder' }).click();
      await page.getByRole('menuitem', { name: 'Edit folder' }).waitFor();
      expect(await page.getByRole('dialog').count()).to.equal(0);
    });

    it('a member who leaves is told how to come back', async () => {
      const bob = await app.fixture.person('bob');
      const folder = await app.fixture.group(ann, { name: 'Too much' });
      await app.fixture.invite(ann, folder, [bob.login]);
      const page = await open(`/mypads/group/${folder}/view`, { as: bob });
      await page.getByRole('button', { name: 'More actions for this folder' }).click();
      await page.getByRole('menuitem', { name: 'Leave folder' }).click();
      await page.getByText('To come back, you must be invited again.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Leave folder' }).click();
      await page.getByText('You have left the folder “Too much”.').waitFor();
      await app.goTo(`/mypads/group/${folder}/view`);
      await page.getByText('This folder is not shared with you').waitFor();
    });
  });
});
