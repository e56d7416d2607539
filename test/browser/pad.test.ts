/** The screens of a pad: making, opening, changing, moving and removing. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { onStage, type Stage, type Visitor, type VisitorOptions, visitor } from '../support/browser';
import { frameOf, textOf, type, untilSaved, untilShows } from '../support/editor';
import type { Person } from '../support/hostWorld';

describe('a pad', function () {
  this.timeout(90_000);
  let stage: Stage;
  let ann: Person;
  let folder = '';
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    ann = await stage.world.person('ann');
    folder = await stage.world.group(ann, { name: 'Desk' });
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

  const viewOf = (pad: string, group = folder): string => `/mypads/group/${group}/pad/view/${pad}`;
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const editor = (page: Page) => textOf(frameOf(page)).waitFor({ state: 'attached', timeout: 60_000 });

  describe('making and changing one', () => {
    it('takes the folder’s settings unless told, and opens at once', async () => {
      const page = await at(`/mypads/group/${folder}/pad/add`);
      await page.getByText('Who can open it: only members of the folder.').waitFor();
      await page.getByRole('button', { name: 'Create pad' }).click();
      await page.getByRole('link', { name: 'Give the pad a name.' }).waitFor();
      await page.getByLabel('Name').fill('Fresh');
      await page.getByRole('button', { name: 'Create pad' }).click();
      await heading(page, 'Fresh').waitFor();
      expect(await page.title()).to.equal('Fresh – Desk | MyPads');
      await editor(page);
    });

    it('a private one of its own needs a password, which members are asked for and administrators are not', async () => {
      const bob = await stage.world.person('bob');
      const shared = await stage.world.group(ann, { name: 'Shared desk' });
      await stage.world.invite(ann, shared, [bob.login]);
      const page = await at(`/mypads/group/${shared}/pad/add`);
      await page.getByLabel('Name').fill('Wages');
      await page.getByLabel('Use the folder’s settings').uncheck();
      await page.getByText('Private', { exact: true }).click();
      await page.getByRole('button', { name: 'Create pad' }).click();
      await page.getByRole('link', { name: 'A private pad needs a password.' }).click();
      await page.getByLabel('Password of the pad').fill('köln & 100%');
      await page.getByRole('button', { name: 'Create pad' }).click();
      await editor(page);
      const pad = /pad\/view\/([^/&]+)/.exec(page.url())?.[1] ?? '';
      await now?.close();

      const bobs = await at(viewOf(pad, shared), { as: bob });
      await bobs.getByText('This pad is private').waitFor();
      expect(await bobs.locator('iframe').count()).to.equal(0);
      await bobs.getByLabel('Password', { exact: true }).fill('wrong');
      await bobs.keyboard.press('Enter');
      await bobs.getByText('That password does not open this pad.').first().waitFor();
      await bobs.getByLabel('Password', { exact: true }).fill('köln & 100%');
      await bobs.keyboard.press('Enter');
      await editor(bobs);
      await bobs.reload();
      await editor(bobs);
    });

    it('read only: says so, and nobody can write', async () => {
      const pad = await stage.world.pad(ann, folder, { name: 'Law' });
      const page = await at(`/mypads/group/${folder}/pad/edit/${pad}`);
      await page.getByLabel('Use the folder’s settings').uncheck();
      await page.getByLabel('Read only').check();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('link', { name: 'Law' }).click();
      await page.getByText('Read only').waitFor();
      await editor(page);
      expect(await textOf(frameOf(page)).getAttribute('contenteditable')).not.to.equal('true');
    });

    it('a pad that does not exist, or not in this folder, is not offered for change', async () => {
      const page = await at(`/mypads/group/${folder}/pad/edit/no-such-pad`);
      await page.getByText('There is no such pad').waitFor();
    });
  });

  describe('opening one', () => {
    let pad = '';
    before(async () => {
      pad = await stage.world.pad(ann, folder, { name: 'Minutes' });
    });

    it('fills all the height that is left, and the whole window when wanted, also at the next visit', async () => {
      const page = await at(viewOf(pad));
      await editor(page);
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
      await page.reload();
      await editor(page);
      expect(await size()).to.include({ x: 0, y: 0, width: 1280, height: 800 });
      await page.getByRole('button', { name: 'Show the menus again' }).click();
      expect(await size()).to.deep.equal(before);
    });

    it('leaves the whole window by Escape, in the editor’s text too; the focus goes from one button to the other', async () => {
      const page = await at(viewOf(pad));
      await editor(page);
      const expand = page.getByRole('button', { name: 'Use the whole window' });
      const reduce = page.getByRole('button', { name: 'Show the menus again' });
      const focused = (button: typeof expand) => button.evaluate((one) => one === document.activeElement);
      await expand.click();
      await reduce.waitFor();
      expect(await focused(reduce)).to.equal(true);
      await page.keyboard.press('Escape');
      await expand.waitFor();
      expect(await focused(expand)).to.equal(true);
      await expand.click();
      await textOf(frameOf(page)).click();
      await page.keyboard.press('Escape');
      await expand.waitFor();
    });

    it('a menu that is closed by Escape gives the focus back to its button', async () => {
      const page = await at(viewOf(pad));
      const button = page.getByRole('button', { name: 'More about Minutes' });
      await button.click();
      await page.getByRole('menuitem').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
      expect(await button.evaluate((one) => one === document.activeElement)).to.equal(true);
    });

    it('keeps what is typed while menus come and go', async () => {
      const page = await at(viewOf(pad));
      await type(page, 'Not lost. ');
      await page.getByRole('button', { name: 'Use the whole window' }).click();
      await page.getByRole('button', { name: 'Show the menus again' }).click();
      await untilShows(frameOf(page), 'Not lost.');
      await untilSaved(page, pad, 'Not lost.');
    });

    it('in a new tab it closes here, and comes back when wanted', async () => {
      const page = await at(viewOf(pad));
      await editor(page);
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Open in new tab' }).click(),
      ]);
      await textOf(tab).waitFor({ state: 'attached', timeout: 60_000 });
      expect(new URL(tab.url()).pathname).to.equal(`/p/${pad}`);
      await tab.waitForFunction(() => document.title === 'Minutes – Desk | MyPads');
      await page.getByText('The pad is open in another tab').waitFor();
      expect(await page.locator('iframe').count()).to.equal(0);
      await page.getByRole('button', { name: 'Show it here again' }).click();
      await editor(page);
    });

    it('leads back to its folder, and to its settings', async () => {
      const page = await at(viewOf(pad));
      await page.getByRole('link', { name: 'Pad settings' }).click();
      await heading(page, 'Edit pad').waitFor();
      await page.goBack();
      await heading(page, 'Minutes').waitFor();
      await page.getByRole('link', { name: 'Back to Desk' }).click();
      await heading(page, 'Desk').waitFor();
    });

    it('on a phone everything but the star is in the menu', async () => {
      const page = await at(viewOf(pad), { as: ann, screen: 'phone' });
      await page.getByRole('button', { name: 'More about Minutes' }).click();
      const items = await page.getByRole('menuitem').allTextContents();
      for (const item of ['Rename', 'Pad settings', 'Open in new tab', 'Duplicate', 'Remove pad']) {
        expect(items).to.include(item);
      }
    });

    it('a link of the earlier generation, as its mails and editors sent it, opens it', async () => {
      const page = await at('');
      await page.goto(`/mypads/index.html?/mypads/group/${folder}/pad/view/${pad}`);
      await heading(page, 'Minutes').waitFor();
      await editor(page);
    });

    it('a person’s name with odd letters arrives in the editor whole', async () => {
      const login = `o'neill & söhne #1 ${Date.now() % 10_000}`;
      const body = { login, password: 'correct horse battery', email: `odd${Date.now()}@example.org` };
      await stage.etherpad.api('POST', 'user', { body });
      const odd = { login, ...(await stage.world.signIn(login)) };
      await stage.world.invite(ann, folder, [login]);
      const page = await at(viewOf(pad), { as: odd });
      await editor(page);
      await page.waitForFunction((name) => {
        const frame = document.querySelector('iframe');
        const field = frame?.contentDocument?.querySelector<HTMLInputElement>('#myusernameedit');
        return field?.value === name;
      }, login);
    });
  });

  describe('rights that end while it is open', () => {
    it('shows what is the matter instead of a page in a frame', async () => {
      const pad = await stage.world.pad(ann, folder, { name: 'Fleeting' });
      const bob = await stage.world.person('bob');
      await stage.world.invite(ann, folder, [bob.login]);
      const page = await at(viewOf(pad), { as: bob });
      await editor(page);
      await stage.world.invite(ann, folder, []);
      await page.getByText('This pad is not shared with you').waitFor();
      expect(page.frames()).to.have.length(1);
    });

    it('a pad that is removed meanwhile is said to be gone', async () => {
      const pad = await stage.world.pad(ann, folder, { name: 'Gone soon' });
      const page = await at(viewOf(pad));
      await type(page, 'In vain. ');
      await untilSaved(page, pad, 'In vain.');
      await stage.etherpad.api('DELETE', `pad/${pad}`, { token: ann.token });
      await frameOf(page).getByText('This pad has been removed.').waitFor();
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await page.getByText('There is no such pad').waitFor();
    });

    it('when the editor turns a visit away that should be good, it can be opened again', async () => {
      const pad = await stage.world.pad(ann, folder, { name: 'Stubborn' });
      now = await visitor(stage, { as: ann });
      const { page } = now;
      const back = `/mypads/index.html?${viewOf(pad)}`;
      await page.route(`**/p/${pad}*`, (route) =>
        route.fulfill({ status: 302, headers: { location: back } }),
      );
      await now.open(viewOf(pad));
      await page.getByText('The editor could not be opened').waitFor();
      expect(page.frames()).to.have.length(1);
      await page.unroute(`**/p/${pad}*`);
      await page.getByRole('button', { name: 'Open it again' }).click();
      await editor(page);
    });
  });

  describe('removing and moving', () => {
    it('asks by name before a pad goes, from the old link too', async () => {
      const pad = await stage.world.pad(ann, folder, { name: 'Rubbish' });
      const page = await at(`/mypads/group/${folder}/pad/remove/${pad}`);
      const dialog = page.getByRole('dialog', { name: 'Remove the pad “Rubbish”?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'Rubbish' }).waitFor();
      await page.getByRole('button', { name: 'More about Rubbish' }).click();
      await page.getByRole('menuitem', { name: 'Remove pad' }).click();
      await dialog.getByRole('button', { name: 'Remove pad' }).click();
      await page.getByText('The pad “Rubbish” was removed.').waitFor();
      expect(await page.getByRole('link', { name: 'Rubbish' }).count()).to.equal(0);
    });

    it('its chat goes without its text', async () => {
      const pad = await stage.world.pad(ann, folder, { name: 'Chatty' });
      const page = await at(`/mypads/group/${folder}/pad/remove/chat/history/${pad}`);
      await page.getByRole('dialog').getByText('Its text stays.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove chat history' }).click();
      await page.getByText('The chat history of “Chatty” was removed.').waitFor();
    });

    it('several go at once; those that could not are named with the reason', async () => {
      const heap = await stage.world.group(ann, { name: 'Heap' });
      const ids = new Map<string, string>();
      for (const name of ['A one', 'B two', 'C three', 'D four']) {
        ids.set(name, await stage.world.pad(ann, heap, { name }));
      }
      const page = await at(`/mypads/group/${heap}/view`);
      await page.route(`**/api/pad/${ids.get('B two')}`, (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 503, json: { error: 'BACKEND.ERROR.SERVER.BUSY' } })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'Select pads' }).click();
      await page.getByLabel('Select A one').check({ force: true });
      await page.getByLabel('Select C three').click({ modifiers: ['Shift'], force: true });
      await page.getByText('3 selected').waitFor();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Remove 3 pads?' }).waitFor();
      await dialog.getByRole('button', { name: 'Remove 3 pads' }).click();
      await dialog.getByText('1 pad could not be removed').waitFor();
      await dialog.getByText('B two: The server is busy or still starting.').waitFor();
      await page.unroute(`**/api/pad/${ids.get('B two')}`);
      await dialog.getByRole('button', { name: 'Remove 1 pad' }).click();
      await page.getByText('1 pad', { exact: true }).waitFor();
      const left = await page
        .getByRole('region', { name: 'Pads', exact: true })
        .getByRole('listitem')
        .getByRole('link')
        .allTextContents();
      expect(left).to.deep.equal(['D four']);
    });

    it('selected pads move into another folder that one administers', async () => {
      const from = await stage.world.group(ann, { name: 'From here' });
      const to = await stage.world.group(ann, { name: 'To there' });
      for (const name of ['Stays', 'Goes', 'Goes too']) await stage.world.pad(ann, from, { name });
      const page = await at(`/mypads/group/${from}/view`);
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

      await page.getByRole('button', { name: 'More about Goes too' }).click();
      await page.getByRole('menuitem', { name: 'Move to another folder' }).click();
      await page
        .getByRole('dialog', { name: 'Move “Goes too”' })
        .getByRole('option', { name: 'To there' })
        .click();
      await page.getByText('2 pads', { exact: true }).waitFor();
      await now?.open(`/mypads/group/${to}/view`);
      await page.getByRole('main').getByRole('link', { name: 'Goes too' }).waitFor();
    });

    it('the earlier address of moving opens the dialog over the folder and asks for the pads that it does not name', async () => {
      const from = await stage.world.group(ann, { name: 'Old link' });
      const to = await stage.world.group(ann, { name: 'Old target' });
      for (const name of ['Stays', 'Goes']) await stage.world.pad(ann, from, { name });
      const page = await at(`/mypads/group/${from}/pad/move`);
      const dialog = page.getByRole('dialog', { name: 'Move pads' });
      await dialog.getByRole('option', { name: 'Old target' }).click();
      await dialog.getByText('Select at least one pad.').waitFor();
      await dialog.getByLabel('Goes').check();
      await dialog.getByRole('option', { name: 'Old target' }).click();
      await page.getByText('1 pad was moved to “Old target”.').waitFor();
      await heading(page, 'Old link').waitFor();
      expect(page.url()).to.contain(`/mypads/group/${from}/view`);
      await now?.open(`/mypads/group/${to}/view`);
      await page.getByRole('main').getByRole('link', { name: 'Goes' }).waitFor();
    });

    it('is duplicated with its text, and exported as a file with its name', async () => {
      const desk = await stage.world.group(ann, { name: 'Copies' });
      const pad = await stage.world.pad(ann, desk, { name: 'Été: notes' });
      const page = await at(viewOf(pad, desk));
      await editor(page);
      await type(page, 'Bring cake. ');
      await untilSaved(page, pad, 'Bring cake.');
      await page.getByRole('button', { name: 'More about Été' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await heading(page, 'Copy of Été: notes').waitFor();
      await untilShows(frameOf(page), 'Bring cake.');
      await page.getByRole('button', { name: 'More about Copy of' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Plain text (.txt)' }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal('Copy of Été_ notes.txt');
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString()).to.contain('Bring cake.');
    });

    it('with no other folder to move to, says what to do first', async () => {
      const lone = await stage.world.person('lone');
      const only = await stage.world.group(lone, { name: 'Only one' });
      await stage.world.pad(lone, only, { name: 'Stuck' });
      const page = await at(`/mypads/group/${only}/pad/move`, { as: lone });
      await page.getByText('There is no other folder to move to').waitFor();
      await page.getByRole('link', { name: 'New folder' }).last().waitFor();
    });
  });

  it('a public one opens for somebody without an account, with nothing to change', async () => {
    const pad = await stage.world.pad(ann, folder, { name: 'Poster', visibility: 'public' });
    const page = await at(viewOf(pad), {});
    await editor(page);
    expect(await page.getByRole('link', { name: 'Pad settings' }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: /Bookmark/ }).count()).to.equal(0);
    await type(page, 'A passer-by was here. ');
    await untilSaved(page, pad, 'A passer-by was here.');
  });
});
