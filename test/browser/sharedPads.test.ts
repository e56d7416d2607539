/** One pad is shared with somebody who sees nothing else of its folder; the share ends while they read. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityProblems, shareButton, useApp } from '../support/browser';
import { frameOf, type, untilEditable, untilShows } from '../support/editor';

describe('a pad that is shared alone', function () {
  this.timeout(240_000);
  const app = useApp();
  const ida = app.usePerson('ida');
  const sam = app.usePerson('sam');
  let folder: string;
  let pad: string;

  const share = async (page: Page) => {
    await shareButton(page).click();
    return page.getByRole('dialog', { name: /^Share/ });
  };
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  before(async () => {
    folder = await app.fixture.group(ida, { name: 'Board' });
    pad = await app.fixture.pad(ida, folder, { name: 'Programme' });
  });

  it('is given to a person by the share dialog, which says who can open it and why', async () => {
    const page = await app.open(`/mypads/group/${folder}/pad/view/${pad}`, { as: ida });
    const dialog = await share(page);
    await dialog.getByText('They write in this pad and see nothing else of its folder.').waitFor();
    await dialog.getByLabel('Role of the people to add').selectOption('Reader of this pad');
    await dialog.getByRole('combobox', { name: 'Add people', exact: true }).fill(sam.login);
    await save(page);
    await dialog.waitFor({ state: 'detached' });
    await share(page);
    const alone = dialog.getByRole('list', { name: 'People with this pad only' });
    await alone.getByText('sam Test').waitFor();
    await dialog.getByRole('button', { name: 'Who can open this?' }).click();
    const list = page.getByRole('list', { name: 'Who can open “Programme”?' });
    await list
      .getByRole('listitem')
      .filter({ hasText: 'sam Test' })
      .getByText('Can read · only this pad')
      .waitFor();
    await list
      .getByRole('listitem')
      .filter({ hasText: 'ida Test' })
      .getByText('Manager of the folder')
      .waitFor();
  });

  it('says in the share dialog that the people cannot be loaded, and tries again', async () => {
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ida });
    await page.getByRole('link', { name: 'Folders', exact: true }).first().click();
    const call = `**/api/group/${folder}`;
    await page.route(call, (route) => route.fulfill({ status: 500, body: 'oops' }));
    await page.reload();
    await page.getByRole('button', { name: 'Actions for Board' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: /^Share/ });
    await dialog.getByText('The folder could not be loaded').waitFor();
    await page.unroute(call);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('combobox', { name: 'Add people', exact: true }).waitFor();
  });

  it('is found by them under “Shared with me”, and shows nothing of the folder', async () => {
    const page = await app.open('/mypads', { as: sam });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('region', { name: 'Shared with me' }).waitFor();
    const listed = page.getByRole('main').getByRole('list', { name: 'Shared with me' });
    await listed.getByRole('link', { name: 'Programme' }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('progr');
    await page.getByRole('option', { name: /Programme/ }).waitFor();
    await page.keyboard.press('Enter');
    await untilEditable(frameOf(page), false);
    expect(page.url()).to.not.match(/board/i);
    expect(await page.getByText('Board', { exact: true }).count()).to.equal(0);
    expect(asked.filter((path) => path.startsWith('/mypads/api/group/'))).to.deep.equal([]);
  });

  it('is found by the filter of the same name, and by no other', async () => {
    await app.fixture.group(sam, { name: 'Own' });
    const page = await app.open('/mypads', { as: sam });
    const listed = page.getByRole('main').getByRole('list', { name: 'Shared with me' });
    await listed.getByRole('link', { name: 'Programme' }).waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('button', { name: 'Managed by me' }).click();
    await listed.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Shared with me' }).click();
    await listed.getByRole('link', { name: 'Programme' }).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Own', exact: true }).count()).to.equal(0);
  });

  it('says which address has no account, also when a role in its folder is changed at once', async () => {
    const mia = await app.fixture.person('mia');
    const board = await app.fixture.group(ida, { name: 'Board' });
    await app.fixture.invite(ida, board, [mia.login]);
    const agenda = await app.fixture.pad(ida, board, { name: 'Agenda' });
    const page = await app.open(`/mypads/group/${board}/pad/view/${agenda}`, { as: ida });
    const dialog = await share(page);
    await dialog.getByRole('combobox', { name: 'Add people', exact: true }).fill('nobody@example.org');
    await dialog.getByLabel('Role of mia Test').selectOption('Reader');
    await save(page);
    await dialog.getByText('1 entry has no account here').waitFor();
    expect(await dialog.getByLabel('Role of mia Test').inputValue()).to.equal('readers');
  });

  it('is taken from all who are removed, although one of them has left meanwhile', async () => {
    const [noa, tim] = [await app.fixture.person('noa'), await app.fixture.person('tim')];
    const board = await app.fixture.group(ida, { name: 'Board' });
    const agenda = await app.fixture.pad(ida, board, { name: 'Agenda' });
    await app.fixture.sharePad(ida, agenda, 'reader', [noa.login, tim.login]);
    const page = await app.open(`/mypads/group/${board}/pad/view/${agenda}`, { as: ida });
    const dialog = await share(page);
    for (const name of ['noa', 'tim']) await dialog.getByLabel(`Role of ${name} Test`).selectOption('Remove');
    await app.etherpad.api('DELETE', `shared/${agenda}`, { token: noa.token });
    await save(page);
    await page.getByText('The sharing settings of “Agenda” were saved.').waitFor();
    const { body } = await app.etherpad.api('GET', `pad/${agenda}/access`, { token: ida.token });
    const { value } = body as { value: { why: string }[] };
    expect(value.filter(({ why }) => why === 'pad')).to.deep.equal([]);
  });

  it('can be written in as soon as their role allows it, and closes when the share ends', async () => {
    const owner = await app.window({ as: ida });
    await owner.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    const other = await app.window({ as: sam });
    await other.goTo('/mypads');
    await other.page.getByRole('main').getByRole('link', { name: 'Programme' }).click();
    await untilEditable(frameOf(other.page), false);
    const dialog = await share(owner.page);
    await dialog.getByLabel('Role of sam Test').selectOption('Writer');
    await dialog.getByText('Will be writers: sam Test').waitFor();
    await save(owner.page);
    await untilEditable(frameOf(other.page), true);
    await type(other.page, 'At eight.');
    await untilShows(frameOf(owner.page), 'At eight.');
    await share(owner.page);
    await dialog.getByLabel('Role of sam Test').selectOption('Remove');
    await save(owner.page);
    await other.page.getByRole('main').locator('iframe').waitFor({ state: 'detached' });
    await other.goTo('/mypads');
    await other.page.getByRole('region', { name: 'Shared with me' }).waitFor({ state: 'detached' });
  });
});
