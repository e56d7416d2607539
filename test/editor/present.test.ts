/** Who has a pad open now, and who changed it last: in the list of pads and above the editor. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { PresentAnswer } from '../../api/group/schema';
import { accessibilityProblems, useApp } from '../support/browser';
import { untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

describe('who has a pad open', function () {
  this.timeout(300_000);
  const app = useApp();
  let ann: Person;
  let bob: Person;
  let folder = '';
  let pad = '';
  let others: PadClient[] = [];

  before(async () => {
    [ann, bob] = [await app.fixture.person('ann'), await app.fixture.person('bob')];
    folder = await app.fixture.group(ann, { name: 'Desk', visibility: 'public' });
    await app.fixture.invite(ann, folder, [bob.login]);
    pad = await app.fixture.pad(ann, folder, { name: 'Minutes' });
    await app.fixture.pad(ann, folder, { name: 'Nobody there' });
  });

  afterEach(async () => {
    for (const other of others) other.close();
    others = [];
    await untilListed(0);
  });

  /** Waits for the number of people in folders. A list asks only every twenty seconds who is there. */
  async function untilListed(count: number): Promise<void> {
    await until(`${count} people are there`, async () => {
      const { body } = await app.etherpad.api('GET', 'overview/present', { token: ann.token });
      const found = Object.values((body as PresentAnswer).value);
      return found.reduce((sum, one) => sum + one.count, 0) === count;
    });
  }

  async function enter(cookie?: string): Promise<PadClient> {
    const client = await PadClient.connect(app.etherpad, cookie);
    others.push(client);
    await client.join(pad);
    return client;
  }

  /** What the row says about who is there now, from outside and to screen readers. */
  async function presentIn(page: Page, name: string): Promise<string> {
    const chip = page.locator('main [data-row]').filter({ hasText: name }).getByTitle('here now');
    await chip.waitFor();
    const title = await chip.getAttribute('title');
    expect(await chip.locator('.visually-hidden').first().textContent()).to.equal(title);
    return title ?? '';
  }

  it('is in the list of pads: names for members, a number for guests', async () => {
    for (const cookie of [bob.cookie, ann.cookie, undefined]) await enter(cookie);
    const path = `/mypads/group/${folder}/view`;
    const page = await app.open(path, { as: ann });
    expect(await presentIn(page, 'Minutes')).to.equal('3 people are here now\nbob Test and ann Test');
    const row = page.locator('main [data-row]').filter({ hasText: 'Nobody there' });
    expect(await row.getByTitle('here now').count()).to.equal(0);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const bobs = await presentIn(await app.open(path, { as: bob }), 'Minutes');
    expect(bobs).to.equal(`3 people are here now\nbob Test and ${ann.login}`);
    expect(await presentIn(await app.open(path), 'Minutes')).to.equal('3 people are here now');
  });

  it('is in the list of folders on a desktop and a phone, and changes while the list is open', async () => {
    const one = await enter(bob.cookie);
    await untilListed(1);
    const pages: Page[] = [];
    for (const [screen, theme] of [
      ['desktop', 'light'],
      ['phone', 'dark'],
    ] as const) {
      const page = await app.open('/mypads', { as: ann, screen, theme });
      expect(await presentIn(page, 'Desk')).to.equal('1 person is here now\nbob Test');
      const isCut = await page.getByTitle('here now').evaluate((chip) => {
        const inside = chip.lastElementChild;
        const [end, initials] = [inside, inside?.lastElementChild?.lastElementChild].map(
          (part) => part?.getBoundingClientRect().right ?? 0,
        );
        return Number(initials) > Number(end) + 1;
      });
      expect(isCut, 'the initials are cut off').to.equal(false);
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      pages.push(page);
    }
    one.close();
    for (const page of pages) await page.getByTitle('here now').waitFor({ state: 'detached' });
  });

  it('is gone from the list soon after the person has left the pad themselves', async () => {
    const { page, goTo } = await app.window({ as: ann });
    // Without the question that lists ask every twenty seconds.
    await page.addInitScript(() => {
      const repeat = window.setInterval;
      window.setInterval = ((act: () => void, every: number) =>
        repeat(act, every === 20_000 ? 1e9 : every)) as typeof setInterval;
    });
    await goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilEditorIsReady(page);
    await untilListed(1);
    // The list has asked before the person left.
    await page.route('**/present', async (route) => {
      await route.fulfill({ json: { value: { [pad]: { count: 1, people: [] } } } });
      await page.unroute('**/present');
    });
    await page.getByRole('link', { name: 'Back to Desk' }).click();
    await presentIn(page, 'Minutes');
    await page.getByTitle('here now').waitFor({ state: 'detached' });
  });

  it('appears above the editor while others are there, with names for people who see the members', async () => {
    const page = await app.open(`/mypads/group/${folder}/pad/view/${pad}`, { as: ann });
    await untilEditorIsReady(page);
    const button = page.getByRole('button', { name: 'people are here now' });
    expect(await button.count()).to.equal(0);
    const one = await enter(bob.cookie);
    const guest = await enter();
    await page.getByRole('button', { name: '3 people are here now' }).click();
    const dialog = page.getByRole('dialog', { name: 'In this pad now' });
    await dialog.getByText('bob Test').waitFor();
    await dialog.getByText('and 1 other person').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    guest.close();
    await page.getByRole('button', { name: '2 people are here now' }).waitFor();
    one.close();
    await button.waitFor({ state: 'detached' });
  });

  it('has the full name of a member above their own editor, and the logins of others', async () => {
    await enter(ann.cookie);
    const page = await app.open(`/mypads/group/${folder}/pad/view/${pad}`, { as: bob });
    await page.getByRole('button', { name: '2 people are here now' }).click();
    const rows = page.getByRole('dialog', { name: 'In this pad now' }).getByRole('listitem');
    await until('both are named', async () => (await rows.count()) === 2);
    const names = await rows.allInnerTexts();
    expect(names.map((name) => name.split('\n').slice(0, 2).join(' ')).sort()).to.deep.equal([
      `AN ${ann.login}`,
      'BT bob Test',
    ]);
  });

  it('is a number for guests, and in the menu of a phone', async () => {
    const { page } = await app.window({ screen: 'phone', theme: 'dark' });
    await enter(bob.cookie);
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilEditorIsReady(page);
    await enter(ann.cookie);
    await page.getByRole('button', { name: 'More actions for Minutes' }).click();
    await page.getByRole('menuitem', { name: '3 people are here now' }).click();
    const dialog = page.getByRole('dialog', { name: 'In this pad now' });
    await dialog.getByText('3 people are here now').waitFor();
    expect(await dialog.textContent()).not.to.match(/bob|ann/);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  describe('who changed a pad last', () => {
    const listed = async (as: Person | undefined, name: string, screen: 'desktop' | 'phone' = 'desktop') => {
      const { page, goTo } = await app.window({ as, screen });
      await goTo(`/mypads/group/${folder}/view`);
      const row = page.locator('main [data-row]').filter({ hasText: name });
      await row.waitFor();
      return { page, row };
    };

    it('is beside the time, “You” for oneself and “Guest” for a guest', async () => {
      pad = await app.fixture.pad(ann, folder, { name: 'Letter' });
      await (await enter(ann.cookie)).write('Dear Bob');
      const { row, page } = await listed(ann, 'Letter', 'phone');
      await row.getByText('You', { exact: true }).waitFor();
      expect(await row.getByText('Changed').allInnerTexts()).to.deep.equal(['Changed', 'Changed by']);
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await (await listed(bob, 'Letter')).row.getByText(ann.login, { exact: true }).waitFor();

      pad = await app.fixture.pad(ann, folder, { name: 'Guest book' });
      await (await enter()).write('I was here');
      await (await listed(bob, 'Guest book')).row.getByText('Guest', { exact: true }).waitFor();
    });

    it('is below the time in the list of folders, and left out on a phone', async () => {
      const shelf = await app.fixture.group(ann, { name: 'Shelf' });
      await app.fixture.invite(ann, shelf, [bob.login]);
      await app.fixture.pad(ann, shelf, { name: 'Empty' });
      pad = await app.fixture.pad(ann, shelf, { name: 'Books' });
      await (await enter(ann.cookie)).write('Dear Bob');
      const shown = async (as: Person, text: string, screen: 'desktop' | 'phone' = 'desktop') => {
        const { page, goTo } = await app.window({ as, screen });
        await goTo('/mypads');
        const row = page.locator('main [data-row]').filter({ hasText: 'Shelf' });
        await row.waitFor();
        return { page, name: row.getByText(text, { exact: true }) };
      };
      await (await shown(bob, ann.login)).name.waitFor();
      const { page, name } = await shown(ann, 'You');
      await name.waitFor();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      expect(await (await shown(ann, 'You', 'phone')).name.isVisible()).to.equal(false);
    });

    it('is not shown to guests, who do not see the people of the folder', async () => {
      const { page } = await listed(undefined, 'Letter');
      await page.getByText('Last change').first().waitFor();
      expect(await page.getByText('Changed by').count()).to.equal(0);
    });
  });
});
