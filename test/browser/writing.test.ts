/** From the wish to write to the first letter: one press makes a pad, its name comes later. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  accessibilityProblems,
  onStage,
  type Stage,
  type Visitor,
  type VisitorOptions,
  visitor,
} from '../support/browser';
import { frameOf, textOf, untilShows } from '../support/editor';
import type { Person } from '../support/hostWorld';

describe('writing at once', function () {
  this.timeout(90_000);
  let stage: Stage;
  let ann: Person;
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    ann = await stage.world.person('ann');
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

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const newPad = (page: Page) => page.getByRole('main').getByRole('button', { name: 'New pad' });

  it('“New pad” opens an untitled pad, numbered when there is one, and the next key writes in it', async () => {
    const folder = await stage.world.group(ann, { name: 'Notes' });
    await stage.world.pad(ann, folder, { name: 'untitled' });
    const page = await at(`/mypads/group/${folder}/view`);
    await newPad(page).click();
    await heading(page, 'Untitled 2').waitFor();
    const text = textOf(frameOf(page));
    await text.waitFor({ state: 'attached', timeout: 60_000 });
    await page.waitForFunction(() => document.activeElement?.tagName === 'IFRAME');
    await page.keyboard.type('Dear diary');
    await untilShows(frameOf(page), 'Dear diary');
  });

  it('the name is changed in its place: in the bar and in the list, by Enter; Escape and an empty name keep the old one', async () => {
    const folder = await stage.world.group(ann, { name: 'Names' });
    const pad = await stage.world.pad(ann, folder, { name: 'Untitled' });
    const page = await at(`/mypads/group/${folder}/pad/view/${pad}`);
    await heading(page, 'Untitled').getByRole('button').click();
    const field = page.getByRole('textbox', { name: 'New name of Untitled' });
    await field.and(page.locator(':focus')).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.type('Shopping');
    await page.keyboard.press('Escape');
    await heading(page, 'Untitled').getByRole('button').and(page.locator(':focus')).click();
    await field.fill('  ');
    await page.keyboard.press('Enter');
    await heading(page, 'Untitled').getByRole('button').click();
    await field.fill('Shopping');
    await page.keyboard.press('Enter');
    await heading(page, 'Shopping').waitFor();
    await page.waitForFunction(() => document.title === 'Shopping – Names | MyPads');

    await page.getByRole('link', { name: 'Back to Names' }).click();
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Not written in yet' });
    await page.getByRole('button', { name: 'More about Shopping' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'New name of Shopping' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Groceries');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Groceries' }).waitFor();
    expect(await row.count()).to.be.at.most(1);
  });

  it('a member who may create pads but not rename them is asked for the name first', async () => {
    const bob = await stage.world.person('bob');
    const folder = await stage.world.group(ann, { name: 'Guest book', allowUsersToCreatePads: true });
    await stage.world.invite(ann, folder, [bob.login]);
    const page = await at(`/mypads/group/${folder}/view`, { as: bob });
    await newPad(page).click();
    await heading(page, 'New pad').waitFor();
    await page.getByLabel('Name').fill('Bob was here');
    await page.getByRole('button', { name: 'Create pad' }).click();
    await heading(page, 'Bob was here').waitFor();
    expect(await heading(page, 'Bob was here').getByRole('button').count()).to.equal(0);
  });
});
