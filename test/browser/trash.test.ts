/** A pad that was deleted by mistake comes back, and a folder whose manager has left. */
import { expect } from 'chai';
import { accessibilityProblems, heading, useApp } from '../support/browser';
import { frameOf, type, untilEditable, untilSaved, untilShows } from '../support/editor';
import { signInAsAdmin } from '../support/hostFixture';
import { until } from '../support/waiting';

describe('the trash', function () {
  this.timeout(240_000);
  const app = useApp();

  it('gives back a pad that was deleted by mistake, with its text, in the folder where it was', async () => {
    const ida = await app.fixture.person('ida');
    const sam = await app.fixture.person('sam');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    await app.fixture.invite(ida, folder, [sam.login]);
    const pad = await app.fixture.pad(ida, folder, { name: 'Minutes' });
    const other = await app.window({ as: sam });
    await other.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilEditable(frameOf(other.page), true);
    await type(other.page, 'Worth keeping');
    await untilSaved(other.page, pad, 'Worth keeping');
    const { page } = await app.window({ as: ida });
    await app.goTo(`/mypads/group/${folder}/pad/remove/${pad}`);
    const dialog = page.getByRole('dialog', { name: 'Delete the pad “Minutes”?' });
    await dialog.getByText(/You can restore it from the trash until \w+ \d+, \d{4}\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Delete pad' }).click();
    await page.getByText('The pad “Minutes” was deleted.').waitFor();
    await other.page.getByText('This pad was deleted while you had it open').waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Minutes' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Minutes” was restored.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Minutes' }).click();
    await untilShows(frameOf(page), 'Worth keeping');
  });

  it('shows what is left after the last entry of its last page, and what was restored elsewhere on the screen', async () => {
    const ida = await app.fixture.person('ida');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    const pads = await Promise.all(
      Array.from({ length: 51 }, (_, index) => app.fixture.pad(ida, folder, { name: `Pad ${index}` })),
    );
    for (const pad of pads) await app.etherpad.api('DELETE', `pad/${pad}`, { token: ida.token });
    const page = await app.open('/mytrash?page=2', { as: ida });
    await page.getByRole('button', { name: /^Restore: / }).click();
    const entries = page.getByRole('list', { name: 'Trash' }).getByRole('listitem');
    await until('the other page is shown', async () => (await entries.count()) === 50);

    // The last page had what was deleted first.
    await app.goTo(`/mypads/group/${folder}/pad/remove/${pads[0]}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete pad' }).click();
    await page.getByText('The pad “Pad 0” was deleted.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
    const restore = page.getByRole('button', { name: 'Restore: Pad 0', exact: true });
    await restore.waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await restore.waitFor({ state: 'detached' });
  });

  it('does not give back what somebody else had deleted meanwhile', async () => {
    const ida = await app.fixture.person('ida');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    const names = ['Minutes', 'Agenda', 'Draft'];
    const [minutes, agenda] = await Promise.all(names.map((name) => app.fixture.pad(ida, folder, { name })));
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ida });
    await page.getByRole('button', { name: 'Select pads' }).click();
    for (const name of ['Minutes', 'Agenda']) await page.getByLabel(`Select ${name}`).press('Space');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 pads?' });
    await app.etherpad.api('DELETE', `pad/${minutes}`, { token: ida.token });
    await dialog.getByRole('button', { name: 'Delete 2 pads' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    const pads = page.getByRole('main');
    await pads.getByRole('link', { name: 'Agenda' }).waitFor();
    const { body } = await app.etherpad.api('GET', 'trash', { token: ida.token });
    const { entries } = body as { entries: { _id: string }[] };
    expect(entries.map(({ _id }) => _id)).to.deep.equal([minutes]);

    await page.getByRole('button', { name: 'More actions for Agenda' }).click();
    await page.getByRole('menuitem', { name: 'Delete pad' }).click();
    await app.etherpad.api('DELETE', `pad/${agenda}`, { token: ida.token });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete pad' }).click();
    await page.getByText('The pad “Agenda” was deleted.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).to.equal(0);
  });

  it('gives back what others still see as deleted, within half a minute', async () => {
    const ida = await app.fixture.person('ida');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    const pad = await app.fixture.pad(ida, folder, { name: 'Minutes' });
    const { page } = await app.window({ as: ida });
    await page.clock.install();
    const cases = [
      [`pad/${pad}`, `/mypads/group/${folder}/pad/view/${pad}`, 'Minutes'],
      [`group/${folder}`, `/mypads/group/${folder}/view`, 'Board'],
    ] as const;
    for (const [path, screen, name] of cases) {
      await app.etherpad.api('DELETE', path, { token: ida.token });
      await app.goTo(screen);
      await page.getByText(/^(Pad|Folder) not found$/).waitFor();
      const id = path.split('/')[1];
      await app.etherpad.api('POST', `trash/${id}/restore`, { token: ida.token, body: {} });
      await page.clock.fastForward(31_000);
      await heading(page, name).waitFor();
    }
  });

  it('gives back all pads but the one that somebody else has deleted for good meanwhile', async () => {
    const ida = await app.fixture.person('ida');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    const pads: string[] = [];
    for (const name of ['One', 'Two', 'Three']) pads.push(await app.fixture.pad(ida, folder, { name }));
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ida });
    await page.getByRole('button', { name: 'Select pads' }).click();
    const bar = page.getByRole('region', { name: / selected$/ });
    await page.getByLabel('Select One', { exact: true }).check({ force: true });
    await bar.getByRole('button', { name: 'Select all' }).click();
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 3 pads' }).click();
    await page.getByText('3 pads were deleted').waitFor();
    for (const pad of pads.slice(0, 2))
      await app.etherpad.api('DELETE', `trash/${pad}`, { token: ida.token });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restore: 1 of 3').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Three' }).waitFor();
  });

  it('says of what was restored elsewhere meanwhile that it is not there, not that it is gone', async () => {
    const eva = await app.fixture.person('eva');
    const folder = await app.fixture.group(eva, { name: 'Board' });
    const pad = await app.fixture.pad(eva, folder, { name: 'Budget' });
    const page = await app.open(`/mypads/group/${folder}/pad/remove/${pad}`, { as: eva });
    const restore = () => app.etherpad.api('POST', `trash/${pad}/restore`, { token: eva.token, body: {} });
    const said = page.getByText('It was restored or deleted for good meanwhile.');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete pad' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await restore();
    await undo.click();
    await said.waitFor();

    await app.etherpad.api('DELETE', `pad/${pad}`, { token: eva.token });
    await app.goTo('/mytrash');
    await page.getByRole('button', { name: /^Delete for good.*Budget/ }).click();
    await restore();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('dialog').locator(said).waitFor();
  });

  it('gives a folder back to the manager who stays, by keyboard, and is emptied', async () => {
    const ida = await app.fixture.person('ida');
    const max = await app.fixture.person('max');
    const folder = await app.fixture.group(ida, { name: 'Choir' });
    await app.fixture.invite(ida, folder, [ida.login, max.login], false);
    await app.fixture.pad(ida, folder, { name: 'Songs' });
    const { api } = app.etherpad;
    await api('DELETE', `group/${folder}`, { token: ida.token });
    await api('DELETE', `user/${ida.login}`, { token: await signInAsAdmin(app.etherpad) });
    const page = await app.open('/mypads', { as: max });
    await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
    const entry = page.getByRole('list', { name: 'Trash' }).getByRole('listitem');
    await entry.getByText('Choir', { exact: true }).waitFor();
    await entry.getByText(/^1 pad · Deleted .* · until /).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await entry.getByRole('button', { name: 'Restore: Choir' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('“Choir” was restored.').waitFor();
    await page.getByText('The trash is empty').first().waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await until('the heading has the focus', async () => (await focused()) === 'Trash');
    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('main').getByRole('link', { name: 'Songs' }).waitFor();

    await api('DELETE', `group/${folder}`, { token: max.token });
    await app.goTo('/mytrash');
    await entry.getByRole('button', { name: 'Delete for good: Choir' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Choir” for good?' });
    await question.getByText('1 pad and its text will be deleted for good.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    const emptyAll = page.getByRole('button', { name: 'Empty trash' });
    await page.setViewportSize({ width: 390, height: 844 });
    const { y = 0 } = (await emptyAll.boundingBox()) ?? {};
    expect(y, 'it is not below the thumb on a phone').to.be.within(1, 200);
    await emptyAll.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click();
    await page.getByText('The trash is empty').first().waitFor();
    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByText('Folder not found').waitFor();
  });
});
