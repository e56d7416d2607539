/** A folder is shared with somebody who may only read; later they may write. */
import { expect } from 'chai';
import { useApp } from '../support/browser';
import { frameOf, type, untilEditable, untilSaved, untilShows } from '../support/editor';
import type { Person } from '../support/hostFixture';

describe('a folder with a reader', function () {
  this.timeout(240_000);
  const app = useApp();
  let ada: Person;
  let rea: Person;
  let folder: string;
  let pad: string;

  before(async () => {
    ada = await app.fixture.person('ada');
    rea = await app.fixture.person('rea');
    folder = await app.fixture.group(ada, { name: 'Board' });
    pad = await app.fixture.pad(ada, folder, { name: 'Minutes' });
  });

  it('is shared in that role, and lists them apart from the others', async () => {
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ada });
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Share/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Share/ });
    await dialog.getByLabel('Role of the people to add').selectOption('Reader');
    await dialog.getByText('Readers open the pads of this folder').waitFor();
    await dialog.getByRole('combobox', { name: 'Add people', exact: true }).fill(rea.login);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const panel = page.getByRole('complementary', { name: 'People' });
    await panel.getByRole('heading', { name: /^Readers/ }).waitFor();
    await panel.getByText('rea Test').waitFor();
    // Below the heading of the writers: it does not say that nobody has been invited.
    await panel.getByText('Nobody yet', { exact: true }).waitFor();
  });

  it('shows them the texts as they are written, and they write as soon as they are a member', async () => {
    const writer = await app.window({ as: ada });
    await writer.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    const reader = await app.window({ as: rea });
    await reader.goTo('/mypads');
    await reader.page.getByRole('main').getByRole('link', { name: 'Board' }).click();
    await reader.page.getByRole('main').getByRole('link', { name: 'Minutes' }).click();
    await untilEditable(frameOf(reader.page), false);
    await reader.page.getByRole('main').getByText('Read only').first().waitFor({ state: 'attached' });
    await type(writer.page, 'Present: Ada.');
    await untilShows(frameOf(reader.page), 'Present: Ada.');
    const answer = await app.etherpad.api('PUT', `group/${folder}/members`, {
      token: ada.token,
      body: { users: [rea.login] },
    });
    expect(answer.status).to.equal(200);
    await untilEditable(frameOf(reader.page), true);
    await type(reader.page, ' And Rea.');
    await untilSaved(reader.page, pad, 'And Rea.');
    await untilShows(frameOf(writer.page), 'And Rea.');
  });

  it('lets an administrator become a reader only after a question', async () => {
    const ben = await app.fixture.person('ben');
    await app.fixture.change(ada, `group/${folder}/members`, { admins: [ben.login] });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ben });
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Share/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Share/ });
    await dialog.getByLabel('Role of ben Test').selectOption('Reader');
    await dialog.getByText('Will be readers: ben Test').waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('were saved.').waitFor();
    await page.getByRole('button', { name: 'Edit folder' }).waitFor({ state: 'detached' });
    const { value } = (await app.etherpad.api('GET', `group/${folder}`, { token: ben.token })).body as {
      value: { readers: string[] };
    };
    expect(value.readers).to.deep.equal([ben.id]);
  });
});
