/** The server stops and starts again while the app and an editor are open. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useApp } from '../support/browser';
import { frameOf, textOf, type, untilConfirmed, untilSaved, untilShows } from '../support/editor';
import type { Person } from '../support/hostFixture';

/**
 * What browsers write into the console about calls without an answer, and about scripts that they load in advance
 * while the server starts: it answers 503, and they load these again when they are needed.
 */
const expected =
  /ERR_CONNECTION_REFUSED|WebSocket connection to|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INTERNET|assets\/.*503/;

describe('when the server stops', function () {
  this.timeout(180_000);
  const app = useApp({ expected });
  let ann: Person;

  before(async () => {
    ann = await app.fixture.person('ann');
  });

  let page: Page;
  beforeEach(async () => {
    ({ page } = await app.window({ as: ann }));
  });

  const bar = () => page.getByText('Connection lost. Reconnecting…');

  /** The app loads a list again when the person returns to the window and the list is older than some seconds. */
  const returnRepeatedly = () =>
    page.evaluate(() => {
      setInterval(() => window.dispatchEvent(new Event('focus')), 500);
    });

  it('the list stays on the screen, and is loaded again when the server answers again', async () => {
    const folder = await app.fixture.group(ann, { name: 'Stays' });
    await app.fixture.pad(ann, folder, { name: 'Minutes' });
    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('link', { name: 'Minutes' }).waitFor();
    await app.etherpad.halt();
    await returnRepeatedly();
    await bar().waitFor();
    expect(await page.getByRole('link', { name: 'Minutes' }).isVisible()).to.equal(true);
    await app.etherpad.restart();
    await bar().waitFor({ state: 'detached' });
    await app.fixture.pad(ann, folder, { name: 'Written since' });
    await page.getByRole('link', { name: 'Written since' }).waitFor();
  });

  it('a browser that loses the network says so at once, also when nothing is loaded', async () => {
    await app.goTo('/mybookmarks');
    await page.getByText('No bookmarks yet').waitFor();
    await page.context().setOffline(true);
    await bar().waitFor({ timeout: 3_000 });
    await page.context().setOffline(false);
    await bar().waitFor({ state: 'detached' });
  });

  it('a list that could not be loaded yet says why it is empty, and is there when the network is', async () => {
    const folder = await app.fixture.group(ann, { name: 'Far away' });
    await app.fixture.pad(ann, folder, { name: 'Minutes' });
    await app.goTo('/mypads');
    await page.getByRole('link', { name: 'Far away' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Far away' }).click();
    const reason = page.getByRole('main').getByText('Not loaded yet');
    await reason.waitFor({ timeout: 2_000 });
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Minutes' }).waitFor();
    expect(await reason.count()).to.equal(0);
  });

  const stoppedTrying = () => frameOf(page).locator('#connectivity .disconnected.visible');

  it('an editor that has stopped trying to connect opens again by itself', async () => {
    const folder = await app.fixture.group(ann, { name: 'Desk' });
    const pad = await app.fixture.pad(ann, folder, { name: 'Long away' });
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await type(page, 'Kept. ');
    await untilConfirmed(page, pad, 'Kept. ');
    await app.etherpad.halt();
    // Etherpad tries for some twenty seconds.
    await stoppedTrying().waitFor({ timeout: 120_000 });
    await bar().waitFor();
    await app.etherpad.restart();
    await bar().waitFor({ state: 'detached' });
    await stoppedTrying().waitFor({ state: 'detached' });
    await untilShows(frameOf(page), 'Kept.');
    await type(page, 'And on. ');
    await untilSaved(page, pad, 'And on.');
  });

  it('an editor with text that the server has not confirmed stays, and opens again at a click', async () => {
    const folder = await app.fixture.group(ann, { name: 'Bench' });
    const pad = await app.fixture.pad(ann, folder, { name: 'Not confirmed' });
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await type(page, 'Confirmed. ');
    await untilConfirmed(page, pad, 'Confirmed. ');
    await frameOf(page)
      .locator('body')
      .evaluate(() => {
        const { pad } = window as unknown as { pad: { collabClient: { handleMessageFromServer: unknown } } };
        pad.collabClient.handleMessageFromServer = () => undefined;
      });
    await type(page, 'Perhaps lost. ');
    await app.etherpad.halt();
    await stoppedTrying().waitFor({ timeout: 120_000 });
    await bar().waitFor();
    await app.etherpad.restart();
    await bar().waitFor({ state: 'detached' });
    // Nothing shows that the editor has decided to stay: a reload would be visible within this time.
    await page.waitForTimeout(3_000);
    expect(await stoppedTrying().isVisible()).to.equal(true);
    expect(await textOf(frameOf(page)).innerText()).to.contain('Perhaps lost.');
    await stoppedTrying().getByRole('button').first().click();
    await stoppedTrying().waitFor({ state: 'detached' });
    await untilShows(frameOf(page), 'Confirmed.');
  });
});
