/** A person who leaves hands over their folders. */
import { expect } from 'chai';
import { accessibilityProblems, useApp } from '../support/browser';
import { type Person, password } from '../support/hostFixture';

describe('a person who leaves', function () {
  this.timeout(240_000);
  const app = useApp();
  const ada = app.usePerson('ada');
  const bert = app.usePerson('bert');
  const managersOf = async (folder: string, who: Person): Promise<string[]> => {
    const { body } = await app.etherpad.api('GET', `group/${folder}`, { token: who.token });
    return (body as { value: { admins: string[] } }).value.admins;
  };

  it('hands over a folder, and stays a member of it', async () => {
    const folder = await app.fixture.group(ada, { name: 'Board' });
    const { page, takeErrors } = await app.window({ as: ada });
    await page.goto(`${app.etherpad.url}/mypads/?/mypads/group/${folder}/view`);
    await page.getByRole('button', { name: 'More actions for this folder' }).click();
    await page.getByRole('menuitem', { name: 'Hand over folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over “Board”' });
    await dialog.getByLabel('New manager').fill('nobody');
    await page.keyboard.press('Enter');
    await dialog.getByRole('link', { name: 'No active account has this username' }).waitFor();
    await dialog.getByLabel('New manager').fill(bert.login);
    await dialog.getByRole('button', { name: 'Hand over folder' }).click();
    await page.getByText(`${bert.login} now manages “Board”`).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const panel = page.getByRole('complementary', { name: 'People' });
    await panel.getByText(bert.login).first().waitFor();
    await page.getByRole('button', { name: 'More actions for this folder' }).click();
    await page.getByRole('menuitem', { name: 'Leave folder' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Hand over folder' }).count()).to.equal(0);
    expect(await managersOf(folder, bert)).to.deep.equal([bert.id]);
    expect(takeErrors()).to.deep.equal([]);
  });

  it('keeps their folders for somebody else when they delete their account', async () => {
    const leaver = await app.fixture.person('lea');
    const folder = await app.fixture.group(leaver, { name: 'Club' });
    const page = await app.open('/myprofile', { as: leaver });
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete the account “${leaver.login}”?` });
    await dialog.getByText('1 folder that only you manage will be deleted.').waitFor();
    await dialog.getByLabel('Hand over these folders to').fill(bert.login);
    await dialog.getByText('1 folder that only you manage will be deleted.').waitFor({ state: 'detached' });
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText(`The account “${leaver.login}” was deleted.`).waitFor();
    expect(await managersOf(folder, bert)).to.deep.equal([bert.id]);
  });

  it('is helped by a server administrator who deletes the account', async () => {
    const leaver = await app.fixture.person('lou');
    const folder = await app.fixture.group(leaver, { name: 'Choir' });
    const page = await app.open(`/admin/users/${leaver.login}/remove`, {
      adminToken: await app.signInAsAdmin(),
    });
    const dialog = page.getByRole('dialog', { name: /^Delete the account of/ });
    await dialog.getByText('Choir').waitFor();
    await dialog.getByLabel('Hand over these folders to').fill(bert.login);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The account of lou Test was deleted.').waitFor();
    expect(await managersOf(folder, bert)).to.deep.equal([bert.id]);
  });

  it('is helped by a server administrator who adds a manager to all their folders', async () => {
    const ill = await app.fixture.person('ines');
    const folders = [await app.fixture.group(ill, { name: 'Choir' }), await app.fixture.group(ill)];
    const path = `/admin/users/${ill.login}/edit`;
    const page = await app.open(path, { adminToken: await app.signInAsAdmin() });
    await page.getByRole('button', { name: 'Hand over folders' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over folders' });
    await dialog.getByText('Only ines Test manages these folders.').waitFor();
    await dialog.getByRole('listitem').getByText('Choir').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await dialog.getByLabel('New manager').fill('nobody-here');
    await dialog.getByRole('button', { name: 'Hand over folders' }).click();
    await dialog.getByText('No active account has this username or email address.').first().waitFor();
    await dialog.getByLabel('New manager').fill(ill.login);
    await dialog.getByRole('button', { name: 'Hand over folders' }).click();
    await dialog.getByText('No active account has this username or email address.').first().waitFor();
    await dialog.getByLabel('New manager').fill(bert.login);
    await dialog.getByRole('button', { name: 'Hand over folders' }).click();
    await page.getByText(`${bert.login} now manages these folders too.`).waitFor();
    await page.getByRole('button', { name: 'Hand over folders' }).waitFor({ state: 'detached' });
    for (const folder of folders)
      expect((await managersOf(folder, bert)).sort()).to.deep.equal([bert.id, ill.id].sort());
  });

  it('is said not to have been helped when a colleague has given their folders to somebody else', async () => {
    const ill = await app.fixture.person('ira');
    const folder = await app.fixture.group(ill, { name: 'Library' });
    const token = await app.signInAsAdmin();
    const page = await app.open(`/admin/users/${ill.login}/edit`, { adminToken: token });
    await page.getByRole('button', { name: 'Hand over folders' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over folders' });
    await dialog.getByLabel('New manager').fill(bert.login);
    const body = { to: ada.login };
    await app.etherpad.api('POST', `admin/users/${ill.login}/handover`, { token, body });
    await dialog.getByRole('button', { name: 'Hand over folders' }).click();
    await dialog.getByText('Someone else has changed this meanwhile').first().waitFor();
    expect((await managersOf(folder, ada)).sort()).to.deep.equal([ada.id, ill.id].sort());
  });
});
