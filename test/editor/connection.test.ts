/** The server stops and starts again while the app and an editor are open. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useApp } from '../support/browser';
import { frameOf, textOf, type, untilConfirmed, untilSaved, untilShows } from '../support/editor';

/**
 * What browsers write into the console about calls without an answer, and about scripts that they load in advance
 * while the server starts: it answers 503, and they load these again when they are needed.
 */
const expected =
  /ERR_CONNECTION_REFUSED|WebSocket connection to|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INTERNET|assets\/.*503/;

describe('when the server stops', function () {
  this.timeout(180_000);
  const app = useApp({ expected });
  const ann = app.usePerson('ann');

  const bar = (page: Page) => page.locator('p', { hasText: 'Connection lost. Reconnecting…' });
  const stoppedTrying = (page: Page) => frameOf(page).locator('#connectivity .disconnected.visible');

  it('a browser that loses the network says so at once, and what was not loaded yet is there afterwards', async () => {
    const folder = await app.fixture.group(ann, { name: 'Far away' });
    await app.fixture.pad(ann, folder, { name: 'Minutes' });
    const page = await app.open('/mypads', { as: ann });
    await page.getByRole('link', { name: 'Far away' }).waitFor();
    await page.context().setOffline(true);
    await bar(page).waitFor({ timeout: 3_000 });
    await page.getByRole('link', { name: 'Far away' }).click();
    const reason = page.getByRole('main').getByText('Not loaded yet');
    await reason.waitFor({ timeout: 2_000 });
    await page.context().setOffline(false);
    await bar(page).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Minutes' }).waitFor();
    expect(await reason.count()).to.equal(0);
  });

  it('a list stays, and an editor opens again by itself, or at a click where its text is not confirmed', async () => {
    const folder = await app.fixture.group(ann, { name: 'Desk' });
    const away = await app.fixture.pad(ann, folder, { name: 'Long away' });
    const unsure = await app.fixture.pad(ann, folder, { name: 'Not confirmed' });
    const openEditor = async (pad: string): Promise<Page> => {
      const page = await app.open(`/mypads/group/${folder}/pad/view/${pad}`, { as: ann });
      await type(page, 'Kept. ');
      await untilConfirmed(page, pad, 'Kept. ');
      return page;
    };
    const editor = await openEditor(away);
    const unconfirmed = await openEditor(unsure);
    await frameOf(unconfirmed)
      .locator('body')
      .evaluate(() => {
        const { pad } = window as unknown as { pad: { collabClient: { handleMessageFromServer: unknown } } };
        pad.collabClient.handleMessageFromServer = () => undefined;
      });
    await type(unconfirmed, 'Perhaps lost. ');
    const list = await app.open(`/mypads/group/${folder}/view`, { as: ann });
    await list.getByRole('main').getByRole('link', { name: 'Long away' }).waitFor();

    await app.etherpad.halt();
    // The app loads a list again when the person returns to the window and the list is older than some seconds.
    await list.evaluate(() => {
      setInterval(() => window.dispatchEvent(new Event('focus')), 500);
    });
    await bar(list).waitFor();
    expect(await list.getByRole('main').getByRole('link', { name: 'Long away' }).isVisible()).to.equal(true);
    for (const page of [editor, unconfirmed]) {
      // Etherpad tries for some twenty seconds.
      await stoppedTrying(page).waitFor({ timeout: 120_000 });
      await bar(page).waitFor();
    }
    await app.etherpad.restart();
    for (const page of [list, editor, unconfirmed]) await bar(page).waitFor({ state: 'detached' });

    await app.fixture.pad(ann, folder, { name: 'Written since' });
    await list.getByRole('link', { name: 'Written since' }).waitFor();
    await stoppedTrying(editor).waitFor({ state: 'detached' });
    await untilShows(frameOf(editor), 'Kept.');
    await type(editor, 'And on. ');
    await untilSaved(editor, away, 'And on.');
    // Nothing shows that this editor has decided to stay: a reload would be visible within this time.
    await unconfirmed.waitForTimeout(3_000);
    expect(await stoppedTrying(unconfirmed).isVisible()).to.equal(true);
    expect(await textOf(frameOf(unconfirmed)).innerText()).to.contain('Perhaps lost.');
    await stoppedTrying(unconfirmed).getByRole('button').first().click();
    await stoppedTrying(unconfirmed).waitFor({ state: 'detached' });
    await untilShows(frameOf(unconfirmed), 'Kept.');
  });
});
