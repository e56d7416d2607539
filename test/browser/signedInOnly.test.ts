/** The mode in which everybody with an account may open every pad: settings without effect are not shown. */
import { expect } from 'chai';
import { useApp } from '../support/browser';
import { untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

describe('where all pads are public for people with an account', function () {
  this.timeout(90_000);
  const app = useApp();
  let ann: Person;
  let folder = '';
  let pad = '';

  before(async () => {
    const { fixture } = app;
    ann = await fixture.person('ann');
    folder = await fixture.group(ann, { name: 'Everybody’s', readonly: true, archived: true });
    pad = await fixture.pad(ann, folder, { name: 'Common', visibility: 'restricted', readonly: false });
    await fixture.configure('allPadsPublicsAuthentifiedOnly', true);
  });

  after(() => app.fixture.configure('allPadsPublicsAuthentifiedOnly', false));

  const hidden =
    /^(Restricted|Password|Password-protected|Public|Read only|Archived|Members|Writing allowed)$/;

  it('a folder and its form show neither visibility, read-only, archived nor members', async () => {
    const { page, goTo } = await app.window({ as: ann });
    await goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('link', { name: 'Common' }).waitFor();
    expect(await page.getByRole('main').getByText(hidden).count()).to.equal(0);
    await page.getByRole('button', { name: 'Add managers' }).waitFor();
    expect(await page.getByRole('button', { name: 'Invite people' }).count()).to.equal(0);
    for (const form of ['edit', `pad/edit/${pad}`, 'pad/add']) {
      await goTo(`/mypads/group/${folder}/${form}`);
      await page.getByLabel('Name').waitFor();
      expect(await page.getByRole('radio').count(), form).to.equal(0);
      expect(await page.getByRole('checkbox').count(), form).to.equal(0);
    }
  });

  it('the list shows neither visibility nor people, and nothing is archived there', async () => {
    const page = await app.open('/mypads', { as: ann });
    await page.getByRole('main').getByRole('link', { name: 'Everybody’s' }).waitFor();
    expect(await page.getByRole('main').getByText(hidden).count()).to.equal(0);
    expect(await page.getByRole('button', { name: /^Share/ }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('button', { name: 'Managed by me' }).waitFor();
    expect(await page.getByRole('button', { name: hidden }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Select folders' }).click();
    await page.getByLabel('Select Everybody’s').check({ force: true });
    const bar = page.getByRole('region', { name: '1 selected' });
    await bar.getByRole('button', { name: 'Tags' }).waitFor();
    expect(await bar.getByRole('button', { name: /Archive|Restore/ }).count()).to.equal(0);
  });

  it('the share dialog adds administrators, but no lists of people', async () => {
    const body = { name: 'Sopranos', loginsOrEmails: [(await app.fixture.person('sue')).login] };
    await app.etherpad.api('POST', 'userlist', { token: ann.token, body });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ann });
    await page.getByRole('button', { name: /^Share/ }).click();
    const dialog = page.getByRole('dialog');
    const people = dialog.getByRole('combobox', { name: 'Add people' });
    expect(await people.getAttribute('placeholder')).to.equal('Username or email');
    await people.fill('soprano');
    expect(await dialog.getByRole('option', { name: 'Sopranos' }).count()).to.equal(0);
    expect(await dialog.getByRole('radio').count()).to.equal(0);
  });

  it('saving such a form leaves the hidden settings as they are', async () => {
    const { page, goTo } = await app.window({ as: ann });
    await goTo(`/mypads/group/${folder}/edit`);
    await page.getByLabel('Description').fill('For all of us.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('was saved.').waitFor();
    await goTo(`/mypads/group/${folder}/pad/edit/${pad}`);
    await page.getByLabel('Name').fill('Common ground');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('was saved.').waitFor();
    const answer = await app.etherpad.api('GET', `group/${folder}`, { token: ann.token });
    const { value, pads } = answer.body as { value: object; pads: Record<string, object> };
    expect(value).to.include({ readonly: true, archived: true, visibility: 'restricted' });
    expect(pads[pad]).to.include({ name: 'Common ground', readonly: false, visibility: 'restricted' });
  });

  it('anybody with an account can open it by its link, a guest is asked to sign in', async () => {
    const zoe = await app.fixture.person('zoe');
    const page = await app.open(`/mypads/group/${folder}/pad/view/${pad}`, { as: zoe });
    await untilEditorIsReady(page);
    await page.getByRole('button', { name: /^Share/ }).click();
    await page.getByText('Anyone with an account here can open it with this link.').waitFor();
    const guest = await app.open(`/mypads/group/${folder}/pad/view/${pad}`);
    await guest.getByText('Anyone with an account here can open it.').waitFor();
    expect(await guest.locator('iframe').count()).to.equal(0);
  });
});
