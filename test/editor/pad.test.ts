/** The screens of a pad: creating, opening, changing, moving and removing. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import english from '../../locales/en.json';
import { heading, untilFocused, untilTitle, useApp, type WindowOptions } from '../support/browser';
import { frameOf, textOf, type, untilEditorIsReady, untilSaved, untilShows } from '../support/editor';

/** Milliseconds in which the page does not yet read the pad again by itself. */
const beforePoll = 20_000;

describe('a pad', function () {
  this.timeout(300_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let folder = '';

  before(async () => {
    folder = await app.fixture.group(ann, { name: 'Desk' });
  });

  const open = (path: string, options: WindowOptions = { as: ann }): Promise<Page> => app.open(path, options);

  const viewOf = (pad: string, group = folder): string => `/mypads/group/${group}/pad/view/${pad}`;

  describe('that is created or changed', () => {
    it('has the folder’s settings by default, and opens at once', async () => {
      const page = await open(`/mypads/group/${folder}/pad/add`);
      await page.getByText(english['padForm.inherit.restricted']).waitFor();
      await page.getByRole('button', { name: 'Create pad' }).click();
      await page.getByRole('link', { name: 'Give the pad a name.' }).waitFor();
      await page.getByLabel('Name').fill('Fresh');
      await page.getByRole('button', { name: 'Create pad' }).click();
      await heading(page, 'Fresh').waitFor();
      await untilTitle(page, 'Fresh – Desk | MyPads');
      await untilEditorIsReady(page);
    });

    it('private in a restricted folder: members need its password, administrators do not', async () => {
      const bob = await app.fixture.person('bob');
      const shared = await app.fixture.group(ann, { name: 'Shared desk' });
      await app.fixture.invite(ann, shared, [bob.login]);
      const page = await open(`/mypads/group/${shared}/pad/add`);
      await page.getByLabel('Name').fill('Wages');
      await page.getByLabel('Use the folder’s settings').uncheck();
      await page.getByText('Password-protected', { exact: true }).click();
      await page.getByRole('button', { name: 'Create pad' }).click();
      await page.getByRole('link', { name: 'A password-protected pad needs a password.' }).click();
      await page.getByLabel('Pad password').fill('köln & 100%');
      await page.getByRole('button', { name: 'Create pad' }).click();
      await untilEditorIsReady(page);
      const pad = /pad\/view\/([^/&]+)/.exec(page.url())?.[1] ?? '';
      await app.close();

      const bobs = await open(viewOf(pad, shared), { as: bob });
      await bobs.getByText('This pad is password-protected').waitFor();
      expect(await bobs.locator('iframe').count()).to.equal(0);
      await bobs.getByLabel('Password', { exact: true }).fill('wrong');
      await bobs.keyboard.press('Enter');
      await bobs.getByText('Wrong password. Ask a folder manager for the current one.').first().waitFor();
      await bobs.getByLabel('Password', { exact: true }).fill('köln & 100%');
      await bobs.keyboard.press('Enter');
      await untilEditorIsReady(bobs);
      await bobs.reload();
      await untilEditorIsReady(bobs);
    });

    it('read-only: says so, and nobody can write', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Law' });
      const page = await open(`/mypads/group/${folder}/pad/edit/${pad}`);
      await page.getByLabel('Use the folder’s settings').uncheck();
      await page.getByLabel('Read only').check();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('link', { name: 'Law' }).click();
      await page.getByText('Read only').waitFor();
      await untilEditorIsReady(page);
      expect(await textOf(frameOf(page)).getAttribute('contenteditable')).not.to.equal('true');
    });

    it('that does not exist cannot be changed', async () => {
      const page = await open(`/mypads/group/${folder}/pad/edit/no-such-pad`);
      await page.getByText('Pad not found').waitFor();
    });
  });

  describe('that is opened', () => {
    let pad = '';
    before(async () => {
      pad = await app.fixture.pad(ann, folder, { name: 'Minutes' });
    });

    it('fills the rest of the window, or the whole window on request, also at the next visit', async () => {
      const page = await open(viewOf(pad));
      await untilEditorIsReady(page);
      const size = () => page.locator('iframe').boundingBox();
      const before = await size();
      expect((before?.y ?? 0) + (before?.height ?? 0)).to.be.closeTo(800, 1);
      expect(before?.x).to.be.greaterThan(100);
      await page.getByRole('button', { name: 'Use the whole window' }).click();
      const after = await size();
      expect(after).to.include({ x: 0, y: 0, width: 1280, height: 800 });
      const name = page.locator('main p', { hasText: /\/ Minutes$/ });
      expect(await name.isVisible()).to.equal(false);
      await page.getByRole('button', { name: 'Show the menus again' }).hover();
      await name.waitFor();
      const cookie = (await page.context().cookies()).find(({ name }) => name === 'wantExpandedPad');
      expect(cookie).to.include({ value: 'true', path: '/mypads/' });
      expect((cookie?.expires ?? 0) - Date.now() / 1000, 'a year').to.be.closeTo(365 * 24 * 3600, 60);
      await page.reload();
      await untilEditorIsReady(page);
      expect(await size()).to.include({ x: 0, y: 0, width: 1280, height: 800 });
      await page.getByRole('button', { name: 'Show the menus again' }).click();
      expect(await size()).to.deep.equal(before);
    });

    it('leaves the whole window with Escape, also while writing, and the focus moves to the other button', async () => {
      const page = await open(viewOf(pad));
      await type(page, 'Not lost. ');
      const expand = page.getByRole('button', { name: 'Use the whole window' });
      const reduce = page.getByRole('button', { name: 'Show the menus again' });
      await expand.click();
      await reduce.waitFor();
      await untilFocused(reduce);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await untilFocused(reduce);
      await page.keyboard.press('Escape');
      await expand.waitFor();
      await untilFocused(expand);
      await expand.click();
      await textOf(frameOf(page)).click();
      await page.keyboard.press('Escape');
      await expand.waitFor();
      await untilShows(frameOf(page), 'Not lost.');
      await untilSaved(page, pad, 'Not lost.');
    });

    it('on a small phone: its name has half of the bar, and the menu has what does not fit', async () => {
      const { page } = await app.window({ as: ann, screen: { width: 320, height: 640 } });
      const named = await app.fixture.pad(ann, folder, { name: 'Minutes of the meeting of eleven members' });
      await app.goTo(viewOf(named));
      await untilEditorIsReady(page);
      const name = await heading(page).getByRole('button').boundingBox();
      expect(name?.width).to.be.at.least(160);
      const more = page.getByRole('button', { name: /^More actions for Minutes/ });
      await more.tap();
      const items = await page.getByRole('menuitem').allTextContents();
      expect(items).to.include.members([
        'Rename',
        'Pad settings',
        'Open in new tab',
        'Duplicate',
        'Delete pad',
      ]);
      await page.getByRole('menuitem', { name: 'Add to bookmarks' }).tap();
      await more.tap();
      await page.getByRole('menuitem', { name: 'Remove from bookmarks' }).waitFor();
      await page.getByRole('menuitem', { name: 'Use the whole window' }).tap();
      await untilFocused(page.getByRole('button', { name: 'Show the menus again' }));
      await page.keyboard.press('Escape');
      await untilFocused(more);
    });

    it('in a new tab: closes here, and opens here again on request', async () => {
      const page = await open(viewOf(pad));
      await untilEditorIsReady(page);
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Open in new tab' }).click(),
      ]);
      await textOf(tab).waitFor({ state: 'attached', timeout: 90_000 });
      expect(new URL(tab.url()).pathname).to.equal(`/p/${pad}`);
      await untilTitle(tab, 'Minutes – Desk | MyPads');
      await page.getByText('The pad is open in another tab').waitFor();
      expect(await page.locator('iframe').count()).to.equal(0);
      await page.getByRole('button', { name: 'Show it here again' }).click();
      await untilEditorIsReady(page);
    });

    it('has links to its folder and its settings, which lead back', async () => {
      const page = await open(viewOf(pad));
      const openSettings = async (): Promise<void> => {
        await page.getByRole('button', { name: 'More actions for Minutes', exact: true }).click();
        await page.getByRole('menuitem', { name: 'Pad settings' }).click();
      };
      await openSettings();
      await heading(page, 'Pad settings').waitFor();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await heading(page, 'Minutes').waitFor();
      await openSettings();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await heading(page, 'Minutes').waitFor();
      await page.getByRole('link', { name: 'Back to Desk' }).click();
      await heading(page, 'Desk').waitFor();
      await openSettings();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await heading(page, 'Desk').waitFor();
    });

    it('the editor shows a name with unusual characters unchanged', async () => {
      const login = `o'neill & söhne #1 ${Date.now() % 10_000}`;
      const body = { login, password: 'correct horse battery', email: `odd${Date.now()}@example.org` };
      await app.etherpad.api('POST', 'user', { body });
      const odd = { login, ...(await app.fixture.signIn(login)) };
      await app.fixture.invite(ann, folder, [login]);
      const page = await open(viewOf(pad), { as: odd });
      await untilEditorIsReady(page);
      await page.waitForFunction((name) => {
        const frame = document.querySelector('iframe');
        const field = frame?.contentDocument?.querySelector<HTMLInputElement>('#myusernameedit');
        return field?.value === name;
      }, login);
    });
  });

  describe('that is open when rights end', () => {
    it('closes, and says why', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Fleeting' });
      const bob = await app.fixture.person('bob');
      await app.fixture.invite(ann, folder, [bob.login]);
      const page = await open(viewOf(pad), { as: bob });
      await untilEditorIsReady(page);
      const recent = page.getByRole('region', { name: 'Recent pads' });
      await recent.getByRole('link', { name: 'Fleeting' }).waitFor();
      await app.fixture.invite(ann, folder, []);
      await page.getByText('This pad is not shared with you').waitFor();
      await recent.getByRole('link', { name: 'Fleeting' }).waitFor({ state: 'hidden', timeout: 10_000 });
      expect(page.frames()).to.have.length(1);
    });

    it('shows new names, and the folder that it was moved to, at once, also for a new pad', async () => {
      const drafts = await app.fixture.group(ann, { name: 'Drafts' });
      const target = await app.fixture.group(ann, { name: 'Archive' });
      const pad = await app.fixture.pad(ann, drafts, { name: 'Plan' });
      const page = await open(viewOf(pad, drafts));
      await untilEditorIsReady(page);
      page.setDefaultTimeout(beforePoll);
      await app.fixture.change(ann, `pad/${pad}`, { name: 'Great plan' });
      await heading(page, 'Great plan').waitFor();
      await app.fixture.change(ann, `group/${drafts}`, { name: 'Ideas' });
      await page.getByRole('link', { name: 'Back to Ideas' }).waitFor();
      await app.fixture.change(ann, `pad/${pad}`, { group: target });
      await page.getByRole('link', { name: 'Back to Archive' }).waitFor();
      await untilTitle(page, 'Great plan – Archive | MyPads');
      await page.getByRole('button', { name: 'New pad in Archive' }).waitFor();
    });

    it('at once offers less to somebody who no longer manages its folder, and names no folder that they may not see', async () => {
      const bob = await app.fixture.person('bob');
      const drafts = await app.fixture.group(ann, { name: 'Drafts' });
      const vault = await app.fixture.group(ann, { name: 'Vault' });
      const pad = await app.fixture.pad(ann, drafts, { name: 'Plan' });
      await app.fixture.sharePad(ann, pad, 'writer', [bob.login]);
      await app.fixture.invite(ann, drafts, [ann.login, bob.login], false);
      const page = await open(viewOf(pad, drafts), { as: bob });
      await untilEditorIsReady(page);
      page.setDefaultTimeout(beforePoll);
      const rename = heading(page, 'Plan').getByRole('button');
      await rename.waitFor();
      const body = { users: [bob.login] };
      await app.etherpad.api('PUT', `group/${drafts}/members`, { token: ann.token, body });
      await rename.waitFor({ state: 'detached' });
      await app.fixture.change(ann, `pad/${pad}`, { group: vault });
      await page.getByRole('link', { name: 'Back to Folders' }).waitFor();
      expect(await page.getByRole('main').getByText('Drafts').count()).to.equal(0);
    });

    it('says what may have happened when it moves to a folder that a guest cannot open', async () => {
      const changed = /If you could open it before, it was moved to another folder/;
      const open = await app.fixture.group(ann, { name: 'Open', visibility: 'public' });
      const vault = await app.fixture.group(ann, {
        name: 'Vault',
        visibility: 'private',
        password: 'sesame',
      });
      const pad = await app.fixture.pad(ann, open, { name: 'Plan' });
      const { page } = await app.window();
      await page.goto(`/p/${pad}`);
      await textOf(page).waitFor({ state: 'attached', timeout: 90_000 });
      await app.fixture.change(ann, `pad/${pad}`, { group: vault });
      await page.getByText('This pad is password-protected').waitFor();
      await page.getByText(changed).waitFor();
      await page.getByLabel('Password', { exact: true }).fill('sesame');
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await untilEditorIsReady(page);
      await app.fixture.change(ann, `pad/${pad}`, { group: folder });
      await page.getByText('Sign in to open this pad').waitFor();
      await page.getByText(changed).waitFor();
      await app.fixture.change(ann, `pad/${pad}`, { group: vault });
      const other = await app.open(viewOf(pad, vault));
      await other.getByText('This pad is password-protected').waitFor();
      expect(await other.getByText(changed).count()).to.equal(0);
    });

    it('is not shown any more when the same person opens it in another window', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Twice' });
      const page = await open(viewOf(pad));
      await type(page, 'Only for us');
      await untilSaved(page, pad, 'Only for us');
      const second = await page.context().newPage();
      await second.goto(`/p/${pad}`);
      await untilShows(second, 'Only for us');
      await page.getByText('The pad is open in another tab').waitFor();
      expect(await page.locator('iframe').count()).to.equal(0);
      await page.getByRole('button', { name: 'Show it here again' }).click();
      await untilShows(frameOf(page), 'Only for us');
    });

    it('is not shown when the same person opens it in another window while it still loads', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Too soon' });
      const { page, goTo } = await app.window({ as: ann });
      // In place of the pad, the server tells the first window that it is open elsewhere.
      const packet = '42["message",{"disconnect":"userdup"}]';
      await page.routeWebSocket(/socket\.io/, (socket) => socket.close());
      await page.route(/\/socket\.io\/.*transport=polling/, async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        const isPad = text.includes('CLIENT_VARS');
        // Version 3 of the protocol, as in 1.8.14, has the length before each packet.
        const body = /^\d+:/.test(text) ? `${packet.length}:${packet}` : packet;
        await route.fulfill({ response, body: isPad ? body : text });
      });
      await goTo(viewOf(pad));
      await page.getByText('The pad is open in another tab').waitFor();
      await page.unroute(/\/socket\.io\/.*transport=polling/);
      await page.getByRole('button', { name: 'Show it here again' }).click();
      await untilEditorIsReady(page);
    });

    it('closes, and says so, when it is removed', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Gone soon' });
      const page = await open(viewOf(pad));
      await page
        .getByRole('region', { name: 'Recent pads' })
        .getByRole('link', { name: 'Gone soon' })
        .waitFor();
      await type(page, 'In vain. ');
      await untilSaved(page, pad, 'In vain.');
      await app.etherpad.api('DELETE', `pad/${pad}`, { token: ann.token });
      // By itself, the app asks the server every 30 seconds.
      await page.getByText('This pad was deleted while you had it open').waitFor({ timeout: 10_000 });
      expect(page.frames()).to.have.length(1);
      const recent = page.getByRole('region', { name: 'Recent pads' });
      await recent.getByRole('link', { name: 'Gone soon' }).waitFor({ state: 'hidden' });
    });

    it('can be opened again when the editor did not open', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Stubborn' });
      const { page } = await app.window({ as: ann });
      const back = `/mypads/index.html?${viewOf(pad)}`;
      await page.route(`**/p/${pad}*`, (route) =>
        route.fulfill({ status: 302, headers: { location: back } }),
      );
      await app.goTo(viewOf(pad));
      await page.getByText('The editor could not be opened').waitFor();
      expect(page.frames()).to.have.length(1);
      await page.unroute(`**/p/${pad}*`);
      await page.getByRole('button', { name: 'Open it again' }).click();
      await untilEditorIsReady(page);
    });
  });

  describe('that is removed or moved', () => {
    it('is removed after a question with its name, also from the link of 1.x', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Rubbish' });
      const page = await open(`/mypads/group/${folder}/pad/remove/${pad}`);
      const dialog = page.getByRole('dialog', { name: 'Delete the pad “Rubbish”?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'Rubbish' }).waitFor();
      await page.getByRole('button', { name: 'More actions for Rubbish' }).click();
      await page.getByRole('menuitem', { name: 'Delete pad' }).click();
      await dialog.getByRole('button', { name: 'Delete pad' }).click();
      await page.getByText('The pad “Rubbish” was deleted.').waitFor();
      expect(await page.getByRole('link', { name: 'Rubbish' }).count()).to.equal(0);
    });

    it('loses its chat but keeps its text', async () => {
      const pad = await app.fixture.pad(ann, folder, { name: 'Chatty' });
      const page = await open(`/mypads/group/${folder}/pad/remove/chat/history/${pad}`);
      await page.getByRole('dialog').getByText('Its text stays.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete chat history' }).click();
      await page.getByText('The chat history of “Chatty” was deleted.').waitFor();
    });

    it('several are removed at once; those that could not be removed are named with the reason', async () => {
      const heap = await app.fixture.group(ann, { name: 'Heap' });
      const ids = new Map<string, string>();
      for (const name of ['A one', 'B two', 'C three', 'D four']) {
        ids.set(name, await app.fixture.pad(ann, heap, { name }));
      }
      const page = await open(`/mypads/group/${heap}/view`);
      await page.route(`**/api/pad/${ids.get('B two')}`, (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 503, json: { error: 'BACKEND.ERROR.SERVER.BUSY' } })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'Select pads' }).click();
      await page.getByLabel('Select A one').check({ force: true });
      await page.getByLabel('Select C three').click({ modifiers: ['Shift'], force: true });
      await page.getByText('3 selected').waitFor();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Delete 3 pads?' }).waitFor();
      await dialog.getByRole('button', { name: 'Delete 3 pads' }).click();
      await dialog.getByText('1 pad could not be deleted').waitFor();
      await dialog.getByText('B two: The server is busy or still starting.').waitFor();
      await page.unroute(`**/api/pad/${ids.get('B two')}`);
      await dialog.getByRole('button', { name: 'Delete 1 pad' }).click();
      await page.getByText('1 pad', { exact: true }).waitFor();
      const left = await page
        .getByRole('region', { name: 'Pads', exact: true })
        .getByRole('listitem')
        .getByRole('link')
        .allTextContents();
      expect(left).to.deep.equal(['D four']);
    });

    it('selected pads move to another folder of the administrator', async () => {
      const from = await app.fixture.group(ann, { name: 'From here' });
      const to = await app.fixture.group(ann, { name: 'To there' });
      for (const name of ['Stays', 'Goes', 'Goes too']) await app.fixture.pad(ann, from, { name });
      const page = await open(`/mypads/group/${from}/view`);
      await page.getByRole('button', { name: 'Select pads' }).click();
      await page.getByLabel('Select Goes', { exact: true }).check({ force: true });
      await page.getByLabel('Select Goes too').check({ force: true });
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Move pads' });
      await dialog.getByRole('combobox', { name: 'Move to' }).and(page.locator(':focus')).fill('thére');
      await dialog.getByRole('option', { name: 'To there' }).waitFor();
      expect(await dialog.getByRole('option').count()).to.equal(1);
      await page.keyboard.press('Enter');
      await page.getByText('2 pads were moved to “To there”.').waitFor();
      await page.getByText('1 pad', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('3 pads', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'More actions for Goes too' }).click();
      await page.getByRole('menuitem', { name: 'Move to another folder' }).click();
      await page
        .getByRole('dialog', { name: 'Move “Goes too”' })
        .getByRole('option', { name: 'To there' })
        .click();
      await page.getByText('2 pads', { exact: true }).waitFor();
      await app.goTo(`/mypads/group/${to}/view`);
      await page.getByRole('main').getByRole('link', { name: 'Goes too' }).waitFor();
    });

    it('the address of 1.x for moving opens the dialog and asks which pads', async () => {
      const from = await app.fixture.group(ann, { name: 'Old link' });
      const to = await app.fixture.group(ann, { name: 'Old target' });
      for (const name of ['Stays', 'Goes']) await app.fixture.pad(ann, from, { name });
      const page = await open(`/mypads/group/${from}/pad/move`);
      const dialog = page.getByRole('dialog', { name: 'Move pads' });
      await dialog.getByRole('option', { name: 'Old target' }).click();
      await dialog.getByText('Select at least one pad.').waitFor();
      await dialog.getByLabel('Goes').check();
      await dialog.getByRole('option', { name: 'Old target' }).click();
      await page.getByText('1 pad was moved to “Old target”.').waitFor();
      await heading(page, 'Old link').waitFor();
      expect(page.url()).to.contain(`/mypads/group/${from}/view`);
      await app.goTo(`/mypads/group/${to}/view`);
      await page.getByRole('main').getByRole('link', { name: 'Goes' }).waitFor();
    });

    it('is duplicated with its text, and exported as a file named after it', async () => {
      const desk = await app.fixture.group(ann, { name: 'Copies' });
      const pad = await app.fixture.pad(ann, desk, { name: 'Été: notes' });
      const page = await open(viewOf(pad, desk));
      await untilEditorIsReady(page);
      await type(page, 'Bring cake. ');
      await untilSaved(page, pad, 'Bring cake.');
      await page.getByRole('button', { name: 'More actions for Été' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await heading(page, 'Copy of Été: notes').waitFor();
      await untilShows(frameOf(page), 'Bring cake.');
      await page.getByRole('button', { name: 'More actions for Copy of' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Plain text (.txt)' }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal('Copy of Été_ notes.txt');
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString()).to.contain('Bring cake.');
    });

    it('is a template for new pads: they begin with its text, formatted as there, and filled in', async () => {
      const desk = await app.fixture.group(ann, { name: 'Templates' });
      const pad = await app.fixture.pad(ann, desk, { name: 'Minutes' });
      const page = await open(viewOf(pad, desk));
      await untilEditorIsReady(page);
      await textOf(frameOf(page)).click();
      await page.keyboard.press('Control+a');
      await type(page, 'Minutes of {{title}} by {{name}}. ');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+b');
      await type(page, 'Saved.');
      await untilSaved(page, pad, 'Saved.');
      await page.getByRole('button', { name: 'More actions for Minutes' }).click();
      await page.getByRole('menuitem', { name: 'Use as template' }).click();
      await page
        .getByText('{{title}} the name of the pad, and {{name}} the name of the person who makes it.')
        .waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Templates' }).first().click();
      await page.getByRole('main').getByText('Template', { exact: true }).waitFor();
      await page.getByRole('main').getByRole('button', { name: 'New pad' }).click();
      await page.getByRole('menuitem', { name: 'Minutes' }).click();
      await heading(page, 'Minutes 2').waitFor();
      await untilEditorIsReady(page);
      await untilShows(frameOf(page), 'Minutes of Minutes 2 by ann Test.');
      const bold = await textOf(frameOf(page)).locator('b').allInnerTexts();
      expect(bold.join('')).to.include('Minutes 2');
    });

    it('cannot move without another folder, and says what to do', async () => {
      const lone = await app.fixture.person('lone');
      const only = await app.fixture.group(lone, { name: 'Only one' });
      await app.fixture.pad(lone, only, { name: 'Stuck' });
      const page = await open(`/mypads/group/${only}/pad/move`, { as: lone });
      await page.getByText('There is no other folder to move to').waitFor();
      await page.getByRole('link', { name: 'New folder' }).last().waitFor();
    });
  });

  it('the button “Share” shows who can open it, on a phone too', async () => {
    for (const [fields, icon, words] of [
      [{}, 'users', 'Restricted: '],
      [{ visibility: 'private', password: 'sesame' }, 'key-round', 'Password-protected: '],
      [{ visibility: 'public' }, 'globe', 'Public: '],
    ] as const) {
      const pad = await app.fixture.pad(ann, folder, { name: 'Poster', ...fields });
      const page = await open(viewOf(pad));
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const share = page.locator('main header').getByRole('button', { name: /^Share/ });
        await share.locator(`svg.lucide-${icon}`).waitFor();
        expect(await share.getAttribute('title')).to.contain(words);
      }
      await app.close();
    }
  });
});
