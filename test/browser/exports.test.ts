/** People take their data and their folders with them, and an administrator those of a person who asks for it. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { accessibilityProblems, untilFocused, useApp } from '../support/browser';
import { frameOf, type, untilEditable } from '../support/editor';
import { until } from '../support/waiting';
import { readZip } from '../support/zips';

describe('exports', function () {
  this.timeout(240_000);
  const app = useApp();

  async function saved(page: Page, button: Locator): Promise<{ name: string; files: Map<string, Buffer> }> {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return { name: download.suggestedFilename(), files: readZip(await readFile(await download.path())) };
  }

  it('give a person all their data: account, and the pads in which they have written', async () => {
    const ida = await app.fixture.person('ida');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    const pad = await app.fixture.pad(ida, folder, { name: 'Minutes' });
    const { page } = await app.window({ as: ida });
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilEditable(frameOf(page), true);
    await type(page, 'My own words');
    const textOf = async () => (await app.etherpad.get(`/p/${pad}/export/txt`, { cookie: ida.cookie })).body;
    await until('it is stored', async () => String(await textOf()).includes('My own words'));
    await app.goTo('/myprofile');
    await page.getByRole('button', { name: 'Download all my data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download all my data' });
    await dialog.getByText(/^Your account, what belongs to it/).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    for (const format of ['Plain text (.txt)', 'Web page (.html)', 'Etherpad with history (.etherpad)'])
      await dialog.getByRole('checkbox', { name: format }).uncheck();
    await dialog.getByRole('button', { name: 'Prepare file' }).click();
    await dialog.getByText('Choose at least one format.').first().waitFor();
    await dialog.getByRole('checkbox', { name: 'Plain text (.txt)' }).check();
    await dialog.getByRole('button', { name: 'Prepare file' }).click();
    await untilFocused(dialog.getByRole('button', { name: 'Close' }).first());
    await dialog.getByText(/^1 pad · .* · until /).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const { name, files } = await saved(page, dialog.getByRole('button', { name: /^Download/ }));
    expect(name).to.equal(`${ida.login}.zip`);
    expect(String(files.get('Board/Minutes.txt'))).to.include('My own words');
    expect(JSON.parse(String(files.get('me.json'))).account.username).to.equal(ida.login);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    // It stays for a day, in a list of its own.
    await page.getByRole('link', { name: 'My exports' }).click();
    const entry = page.getByRole('list', { name: 'My exports' }).getByRole('listitem');
    await entry.getByText(/^1 pad · .* · until /).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await entry.getByRole('button', { name: `Delete: ${ida.login}` }).click();
    await page.getByText('The export was deleted.').waitFor();
    await page.getByText('No exports', { exact: true }).waitFor();
  });

  it('give a folder from its menu and selected pads, and tell when one is ready that nobody looks at', async () => {
    const max = await app.fixture.person('max');
    const folder = await app.fixture.group(max, { name: 'Class 5b' });
    for (const name of ['Minutes', 'Songs', 'Trip']) await app.fixture.pad(max, folder, { name });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: max });
    await page.getByRole('button', { name: 'More actions for this folder' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByText('All pads of “Class 5b” that you can open.').waitFor();
    await dialog.getByRole('button', { name: 'Prepare file' }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const message = page.getByText('The export “Class 5b” is ready.');
    await message.waitFor();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const entry = page.getByRole('list', { name: 'My exports' }).getByRole('listitem');
    const whole = await saved(page, entry.getByRole('button', { name: 'Download: Class 5b' }));
    expect([...whole.files.keys()]).to.include.members([
      'Class 5b/Minutes.txt',
      'Class 5b/Songs.html',
      'Class 5b/Trip.etherpad',
      'index.html',
    ]);

    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('button', { name: 'Select pads' }).click();
    for (const name of ['Minutes', 'Trip'])
      await page.getByRole('checkbox', { name: new RegExp(name) }).press('Space');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByRole('button', { name: 'Prepare file' }).click();
    await dialog.getByText(/^2 pads · /).waitFor();
    const some = await saved(page, dialog.getByRole('button', { name: /^Download/ }));
    expect([...some.files.keys()].filter((path) => path.endsWith('.txt'))).to.have.members([
      'Class 5b/Minutes.txt',
      'Class 5b/Trip.txt',
    ]);
  });

  it('give an administrator the data of a person', async () => {
    const ada = await app.fixture.person('ada');
    const adminToken = await app.signInAsAdmin();
    const page = await app.open(`/admin/users/${ada.login}/edit`, { adminToken });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Export data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export data' });
    await dialog.getByText(/The export is noted under “Activity”, and they get an email\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Prepare file' }).click();
    const { files } = await saved(page, dialog.getByRole('button', { name: /^Download/ }));
    expect(JSON.parse(String(files.get('me.json'))).account.username).to.equal(ada.login);
  });
});
