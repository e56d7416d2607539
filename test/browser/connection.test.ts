/** The server goes away and comes back, while the page and the editor are open. */
import { expect } from 'chai';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';
import { frameOf, type, untilSaved, untilShows } from '../support/editor';
import type { Person } from '../support/hostWorld';

/** What browsers write into the console about calls without an answer. */
const expected = /ERR_CONNECTION_REFUSED|WebSocket connection to|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/;

describe('when the server goes away', function () {
  this.timeout(180_000);
  let stage: Stage;
  let ann: Person;
  let now: Visitor | undefined;

  before(async () => {
    stage = await onStage();
    ann = await stage.world.person('ann');
  });

  beforeEach(async () => {
    now = await visitor(stage, { as: ann });
  });

  afterEach(async () => {
    expect(now?.complaints().filter((one) => !expected.test(one)) ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  const page = () => {
    if (now === undefined) throw new Error('Nobody is there');
    return now.page;
  };
  const bar = () => page().getByText('The server does not answer. Reconnecting…');

  /** The page reads again what it shows when somebody returns to it and the answer is no longer fresh. */
  const returnAgainAndAgain = () =>
    page().evaluate(() => {
      setInterval(() => window.dispatchEvent(new Event('focus')), 500);
    });

  it('what is loaded stays on the screen, and is read again when the server is back', async () => {
    const folder = await stage.world.group(ann, { name: 'Stays' });
    await stage.world.pad(ann, folder, { name: 'Minutes' });
    await now?.open(`/mypads/group/${folder}/view`);
    await page().getByRole('link', { name: 'Minutes' }).waitFor();
    await stage.etherpad.halt();
    await returnAgainAndAgain();
    await bar().waitFor();
    expect(await page().getByRole('link', { name: 'Minutes' }).isVisible()).to.equal(true);
    await stage.etherpad.restart();
    await bar().waitFor({ state: 'detached' });
    await stage.world.pad(ann, folder, { name: 'Written since' });
    await page().getByRole('link', { name: 'Written since' }).waitFor();
  });

  it('for so long that the editor gives up, the editor comes back by itself', async () => {
    const folder = await stage.world.group(ann, { name: 'Desk' });
    const pad = await stage.world.pad(ann, folder, { name: 'Long away' });
    await now?.open(`/mypads/group/${folder}/pad/view/${pad}`);
    await type(page(), 'Kept. ');
    await untilSaved(page(), pad, 'Kept.');
    await stage.etherpad.halt();
    // Etherpad tries for some twenty seconds.
    await frameOf(page()).locator('#connectivity .disconnected.visible').waitFor({ timeout: 90_000 });
    await bar().waitFor();
    await stage.etherpad.restart();
    await bar().waitFor({ state: 'detached' });
    await frameOf(page()).locator('#connectivity .disconnected.visible').waitFor({ state: 'detached' });
    await untilShows(frameOf(page()), 'Kept.');
    await type(page(), 'And on. ');
    await untilSaved(page(), pad, 'And on.');
  });
});
