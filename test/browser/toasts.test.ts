/** Short messages at the edge of the screen. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityProblems, heading, useApp } from '../support/browser';
import type { Person } from '../support/hostFixture';

describe('messages', function () {
  this.timeout(60_000);
  const app = useApp();
  let ann: Person;

  beforeEach(async () => {
    ann = await app.fixture.person('ann');
    for (const name of ['Choir & <b>friends</b>', 'Garden']) await app.fixture.group(ann, { name });
  });

  /** The list of folders, in a page whose clock the test moves. */
  async function open(): Promise<Page> {
    const { page } = await app.window({ as: ann });
    await page.clock.install();
    await app.goTo('/mypads');
    await heading(page, 'Folders').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Garden' }).waitFor();
    return page;
  }

  async function archive(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
  }

  it('of success disappear after ten seconds, but not while the pointer is on them', async () => {
    const page = await open();
    await archive(page, 'Choir & <b>friends</b>');
    const message = page.getByRole('status').getByText('“Choir & <b>friends</b>” was archived.');
    await message.waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await message.hover();
    await page.clock.runFor(20_000);
    expect(await message.isVisible()).to.equal(true);
    await page.mouse.move(5, 5);
    await page.clock.runFor(9_000);
    expect(await message.isVisible()).to.equal(true);
    await page.clock.runFor(1_500);
    await message.waitFor({ state: 'detached' });
  });

  it('of failures stay for fifteen seconds, or until they are closed', async () => {
    const page = await open();
    await page.route(/\/api\/group\/[^/]+$/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { error: 'BACKEND.ERROR.SERVER.BUSY' } })
        : route.continue(),
    );
    const message = page.getByRole('alert').getByText('One folder could not be changed.');
    await archive(page, 'Garden');
    await message.waitFor();
    await page.mouse.move(5, 5);
    await page.clock.runFor(14_000);
    expect(await message.isVisible()).to.equal(true);
    await page.clock.runFor(1_500);
    await message.waitFor({ state: 'detached' });
    await archive(page, 'Garden');
    await message.waitFor();
    await page.getByRole('button', { name: 'Close this message' }).click();
    await message.waitFor({ state: 'detached' });
  });
});
