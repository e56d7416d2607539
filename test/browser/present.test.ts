/** Who has a pad open now, in the list of pads and above the editor. */
import { expect } from 'chai';
import { accessibilityProblems, onStage, type Stage, type Visitor, visitor } from '../support/browser';
import { frameOf, textOf } from '../support/editor';
import type { Person } from '../support/hostWorld';
import { PadClient } from '../support/socketClient';

describe('who has a pad open', function () {
  this.timeout(120_000);
  let stage: Stage;
  let ann: Person;
  let bob: Person;
  let folder = '';
  let pad = '';
  let now: Visitor | undefined;
  let others: PadClient[] = [];

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    [ann, bob] = [await stage.world.person('ann'), await stage.world.person('bob')];
    folder = await stage.world.group(ann, { name: 'Desk', visibility: 'public' });
    await stage.world.invite(ann, folder, [bob.login]);
    pad = await stage.world.pad(ann, folder, { name: 'Minutes' });
    await stage.world.pad(ann, folder, { name: 'Nobody there' });
  });

  afterEach(async () => {
    for (const other of others) other.close();
    others = [];
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function enter(cookie?: string): Promise<PadClient> {
    const client = await PadClient.connect(stage.etherpad, cookie);
    others.push(client);
    await client.knock(pad);
    return client;
  }

  it('is a number in the list', async () => {
    await enter(bob.cookie);
    await enter();
    now = await visitor(stage, { as: ann });
    await now.open(`/mypads/group/${folder}/view`);
    const { page } = now;
    const row = (name: string) => page.locator('main [data-row]').filter({ hasText: name });
    await row('Minutes').getByTitle('2 people have this pad open now').waitFor();
    expect(await row('Nobody there').getByTitle('open now').count()).to.equal(0);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('appears above the editor when somebody comes, by name to whom sees the members, and goes when they leave', async () => {
    now = await visitor(stage, { as: ann });
    await now.open(`/mypads/group/${folder}/pad/view/${pad}`);
    const { page } = now;
    await textOf(frameOf(page)).waitFor({ state: 'attached', timeout: 60_000 });
    const button = page.getByRole('button', { name: 'people have this pad open now' });
    expect(await button.count()).to.equal(0);
    const one = await enter(bob.cookie);
    const guest = await enter();
    await page.getByRole('button', { name: '3 people have this pad open now' }).click({ timeout: 15_000 });
    const dialog = page.getByRole('dialog', { name: 'In this pad now' });
    await dialog.getByText('bob Test').waitFor();
    await dialog.getByText('and 1 other person').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    guest.close();
    await page.getByRole('button', { name: '2 people have this pad open now' }).waitFor({ timeout: 15_000 });
    one.close();
    await button.waitFor({ state: 'detached', timeout: 15_000 });
  });

  it('is a number for guests, and in the menu of a phone', async () => {
    now = await visitor(stage, { screen: 'phone', theme: 'dark' });
    await enter(bob.cookie);
    await now.open(`/mypads/group/${folder}/pad/view/${pad}`);
    const { page } = now;
    await textOf(frameOf(page)).waitFor({ state: 'attached', timeout: 60_000 });
    await enter(ann.cookie);
    const item = page.getByRole('menuitem', { name: '3 people have this pad open now' });
    for (let tries = 0; tries < 20 && (await item.count()) === 0; tries += 1) {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'More about Minutes' }).click();
      await item.waitFor({ timeout: 1_000 }).catch(() => undefined);
    }
    await item.click();
    const dialog = page.getByRole('dialog', { name: 'In this pad now' });
    await dialog.getByText('3 people have this pad open now').waitFor();
    expect(await dialog.textContent()).not.to.match(/bob|ann/);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });
});
