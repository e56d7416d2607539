/** The script of ours inside the editor: an open editor follows the rights of its reader without a hand on the keyboard. */
import { expect } from 'chai';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';
import type { Person } from '../support/hostWorld';

describe('an editor that is open in a window of its own', function () {
  this.timeout(180_000);
  let stage: Stage;
  let owner: Person;

  before(async () => {
    stage = await onStage();
    owner = await stage.world.person('owner');
  });

  async function open(person: Person, pad: string): Promise<Visitor> {
    const browser = await visitor(stage, { as: person });
    await browser.page.goto(`/p/${pad}`);
    await untilEditable(browser, true);
    return browser;
  }

  async function untilEditable({ page }: Visitor, editable: boolean): Promise<void> {
    const inner = page.frameLocator('iframe[name="ace_outer"]').frameLocator('iframe[name="ace_inner"]');
    const body = inner.locator(`#innerdocbody[contenteditable="${editable}"]`);
    await body.waitFor({ state: 'attached', timeout: 60_000 });
  }

  function bold({ page }: Visitor) {
    return page.locator('#editbar li[data-key="bold"]');
  }

  it('comes back as a reader without tools when the pad becomes readonly, and as a writer after that', async () => {
    const { world } = stage;
    const pad = await world.pad(owner, await world.group(owner));
    const browser = await open(owner, pad);
    await world.change(owner, `pad/${pad}`, { readonly: true });
    await untilEditable(browser, false);
    await bold(browser).waitFor({ state: 'hidden' });
    await world.change(owner, `pad/${pad}`, { readonly: false });
    await untilEditable(browser, true);
    await bold(browser).waitFor({ state: 'visible' });
    expect(browser.complaints()).to.deep.equal([]);
    await browser.close();
  });

  it('leads somebody who is taken out of the group back to the app', async () => {
    const { world } = stage;
    const friend = await world.person('friend');
    const group = await world.group(owner);
    await world.invite(owner, group, [friend.login]);
    const pad = await world.pad(owner, group);
    const browser = await open(friend, pad);
    await world.invite(owner, group, []);
    await browser.page.waitForURL((url) => url.search.includes(`/mypads/group/${group}/pad/view/${pad}`));
    await browser.close();
  });
});
