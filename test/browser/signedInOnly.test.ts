/** The mode in which everybody who is signed in may enter everything: what the other settings would say is not shown. */
import { expect } from 'chai';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';
import { frameOf, textOf } from '../support/editor';
import type { Person } from '../support/hostWorld';

describe('where all pads are public for people with an account', function () {
  this.timeout(90_000);
  let stage: Stage;
  let ann: Person;
  let folder = '';
  let pad = '';
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    const { world } = stage;
    ann = await world.person('ann');
    folder = await world.group(ann, { name: 'Everybody’s', readonly: true, archived: true });
    pad = await world.pad(ann, folder, { name: 'Common', visibility: 'restricted', readonly: false });
    await world.configure('allPadsPublicsAuthentifiedOnly', true);
  });

  after(() => stage.world.configure('allPadsPublicsAuthentifiedOnly', false));

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  const hidden = /^(Restricted|Private|Public|Read only|Archived|Users|Can be written in)$/;

  it('a folder and its form show neither visibility, read-only, archived nor users', async () => {
    now = await visitor(stage, { as: ann });
    const { page, open } = now;
    await open(`/mypads/group/${folder}/view`);
    await page.getByRole('link', { name: 'Common' }).waitFor();
    expect(await page.getByRole('main').getByText(hidden).count()).to.equal(0);
    await page.getByRole('button', { name: 'More about this folder' }).click();
    expect(await page.getByRole('menuitem', { name: /users/ }).count()).to.equal(0);
    for (const form of ['edit', `pad/edit/${pad}`, 'pad/add']) {
      await open(`/mypads/group/${folder}/${form}`);
      await page.getByLabel('Name').waitFor();
      expect(await page.getByRole('radio').count(), form).to.equal(0);
      expect(await page.getByRole('checkbox').count(), form).to.equal(0);
    }
  });

  it('saving such a form leaves the hidden settings as they are', async () => {
    now = await visitor(stage, { as: ann });
    const { page, open } = now;
    await open(`/mypads/group/${folder}/edit`);
    await page.getByLabel('Description').fill('For all of us.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('was saved.').waitFor();
    await open(`/mypads/group/${folder}/pad/edit/${pad}`);
    await page.getByLabel('Name').fill('Common ground');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('was saved.').waitFor();
    const answer = await stage.etherpad.api('GET', `group/${folder}`, { token: ann.token });
    const { value, pads } = answer.body as { value: object; pads: Record<string, object> };
    expect(value).to.include({ readonly: true, archived: true, visibility: 'restricted' });
    expect(pads[pad]).to.include({ name: 'Common ground', readonly: false, visibility: 'restricted' });
  });

  it('a stranger with an account gets in by the link, a guest is asked to sign in', async () => {
    const zoe = await stage.world.person('zoe');
    now = await visitor(stage, { as: zoe });
    await now.open(`/mypads/group/${folder}/pad/view/${pad}`);
    await textOf(frameOf(now.page)).waitFor({ state: 'attached', timeout: 60_000 });
    await now.page.getByRole('button', { name: /^Share/ }).click();
    await now.page.getByText('Everyone with an account here can open it with this link.').waitFor();
    await now.close();
    now = await visitor(stage);
    await now.open(`/mypads/group/${folder}/pad/view/${pad}`);
    await now.page.getByText('Everybody with an account here may open it.').waitFor();
    expect(await now.page.locator('iframe').count()).to.equal(0);
  });
});
