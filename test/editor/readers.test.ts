/** What the editor offers writers and readers: only what the server does for them. Read-only links stay read-only. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { signInByForm, useApp, type WindowOptions } from '../support/browser';
import {
  frameOf,
  inDialog,
  openPad,
  textOf,
  untilEditable,
  untilEditorIsReady,
  untilShows,
} from '../support/editor';
import { hostApi } from '../support/hostApi';

describe('the editor, for writers and readers', function () {
  this.timeout(180_000);
  const app = useApp();
  const owner = app.usePerson('owner');
  let group: string;
  let pad: string;

  before(async () => {
    group = await app.fixture.group(owner, { visibility: 'public' });
  });
  beforeEach(async () => {
    pad = await app.fixture.pad(owner, group, { name: 'Minutes' });
  });

  const openToRead = (options: WindowOptions, id: string): Promise<Page> =>
    openPad(app, options, id, { editable: false });

  const readOnlyIdOf = async (id: string): Promise<string> =>
    ((await hostApi(app.etherpad, 'getReadOnlyID', { padID: id })) as { readOnlyID: string }).readOnlyID;

  /** What people can use: the names of buttons in the toolbar, and the ids of all other controls. */
  function controlsIn(page: Page, selector: string): Promise<string[]> {
    return page.locator(selector).evaluate((part) =>
      [...part.querySelectorAll<HTMLInputElement>('button, a[href], input, select, textarea')]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        .filter((control) => !control.disabled && !control.closest('[inert]'))
        .map(
          (control) => control.closest('[data-key]')?.getAttribute('data-key') ?? (control.id || 'unnamed'),
        )
        .sort(),
    );
  }

  /** With the dialog for import and export open. */
  async function expectExportsWork(page: Page): Promise<void> {
    // 3.3.1 cannot export an empty pad as docx.
    await hostApi(app.etherpad, 'setText', { padID: pad, text: 'Agenda' });
    const links = page.locator('#exportColumn a[href]:visible');
    const addresses = await links.evaluateAll((found) =>
      found.map((link) => (link as HTMLAnchorElement).href),
    );
    expect(addresses).to.have.length.above(2);
    for (const address of addresses) {
      expect((await page.request.get(address)).status(), address).to.equal(200);
    }
  }

  async function expectReadersControls(page: Page): Promise<void> {
    const toolbar = ['embed', 'home', 'import_export', 'settings', 'showTimeSlider', 'showusers'];
    expect([...new Set(await controlsIn(page, '#editbar'))]).to.deep.equal(toolbar);
    expect(await page.locator('#chaticon:visible, #chatbox:visible').count(), 'chat').to.equal(0);
    await inDialog(page, 'import_export', '#import_export', async () => {
      expect(await page.locator('#importform:visible').count(), 'import').to.equal(0);
      await expectExportsWork(page);
    });
    await inDialog(page, 'showusers', '#users', async () => {
      expect(await controlsIn(page, '#users'), 'names and colours').to.deep.equal([]);
      await page.locator('#myswatch').click({ force: true });
      expect(await page.locator('#mycolorpicker').isVisible(), 'colours').to.equal(false);
    });
    await inDialog(page, 'settings', '#settings', async () => {
      expect(await page.locator('#settings').innerText(), 'settings').not.to.match(/chat/i);
    });
    const sent = await page.evaluateHandle(() => {
      const { collabClient } = (window as unknown as { pad: { collabClient: Record<string, unknown> } }).pad;
      const messages: unknown[] = [];
      collabClient.sendMessage = (message: unknown) => messages.push(message);
      return messages;
    });
    await textOf(page).press('ControlOrMeta+s');
    expect(await sent.jsonValue(), 'sent for Ctrl+S').to.deep.equal([]);
  }

  it('offers writers to export and import', async () => {
    const page = await openPad(app, { as: owner }, pad);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.locator('#editbar [data-key="import_export"] button').click();
    await page.locator('#import_export.popup-show').waitFor();
    await expectExportsWork(page);
    const file = { name: 'text.txt', mimeType: 'text/plain', buffer: Buffer.from('From a file') };
    await page.locator('#importfileinput').setInputFiles(file);
    await page.locator('#importsubmitinput').click();
    await untilShows(page, 'From a file');
  });

  it('offers readers nothing that the server refuses', async () => {
    await app.fixture.change(owner, `pad/${pad}`, { readonly: true });
    // Somebody without a name, whom a writer could name.
    await openToRead({}, pad);
    await expectReadersControls(await openToRead({ as: owner }, pad));
    await expectReadersControls(await openToRead({}, pad));
  });

  it('offers nothing that the server refuses at the read-only address, which does not reveal the pad', async () => {
    const readOnlyId = await readOnlyIdOf(pad);
    await openPad(app, {}, pad);
    const page = await openToRead({}, readOnlyId);
    await expectReadersControls(page);
    const link = await inDialog(page, 'embed', '#embed', () => page.locator('#linkinput').inputValue());
    expect(link).to.match(new RegExp(`/pad/view/${readOnlyId}$`));
    const told = await page.evaluate(() => JSON.stringify((window as { clientVars?: unknown }).clientVars));
    expect(told).not.to.include(pad);
  });

  /** Waits until the app shows the pad of a read-only id to somebody who cannot write, and knows no other id of it. */
  async function untilAppShowsReader(page: Page, id: string, readOnlyId: string): Promise<void> {
    await page.getByText('Read only').waitFor();
    await untilEditorIsReady(page);
    await untilEditable(frameOf(page), false);
    const addresses = page.frames().map((frame) => frame.url());
    expect(addresses.some((address) => address.includes(`/p/${readOnlyId}`))).to.equal(true);
    const seen = [...addresses, await page.content(), await frameOf(page).locator('html').innerHTML()].join();
    expect(seen).not.to.include(id);
  }

  it('has its sign on a phone in the line of the folder', async () => {
    await app.fixture.change(owner, `pad/${pad}`, { visibility: 'public', readonly: true });
    const view = `/mypads/group/${group}/pad/view/${pad}`;
    const page = await app.open(view, { as: owner, screen: 'phone' });
    const centreOf = async (selector: string) => {
      const box = await page.locator(`p:has(+ h1) ${selector}`).first().boundingBox();
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const [folder, chip, sign] = [await centreOf('a'), await centreOf('> span'), await centreOf('svg')];
    expect(chip?.y).to.be.closeTo(folder?.y ?? 0, 1);
    expect(sign?.x).to.be.closeTo(chip?.x ?? 0, 1);
  });

  it('is reached by a read-only link that stays read-only after the password', async () => {
    const locked = await app.fixture.group(owner, { visibility: 'private', password: 'sesame' });
    const id = await app.fixture.pad(owner, locked, { name: 'Wages' });
    const readOnlyId = await readOnlyIdOf(id);
    const { page } = await app.window({});
    await page.goto(`/p/${readOnlyId}`);
    await page.getByText('This pad is password-protected').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('sesame');
    await page.keyboard.press('Enter');
    // The password opens the folder too, whose pads the app may then know.
    await page.getByText('Read only').waitFor();
    await untilEditorIsReady(page);
    await untilEditable(frameOf(page), false);
    expect(page.url()).to.include(readOnlyId).and.not.to.include(id);
  });

  it('is reached by a read-only link that stays read-only after the sign-in', async () => {
    const { fixture } = app;
    const [member, outsider] = [await fixture.person('member'), await fixture.person('outsider')];
    const folder = await fixture.group(owner, { users: [member.id] });
    const id = await fixture.pad(owner, folder, { visibility: 'private', password: 'sesame' });
    const readOnlyId = await readOnlyIdOf(id);
    const { page } = await app.window({});
    await page.goto(`/p/${readOnlyId}`);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signInByForm(page, member.login);
    await page.getByText('This pad is password-protected').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('sesame');
    await page.keyboard.press('Enter');
    await page.getByText('Read only').waitFor();
    await untilEditable(frameOf(page), false);
    expect(page.url()).to.include(readOnlyId).and.not.to.include(id);

    await fixture.change(owner, `pad/${id}`, { visibility: null, password: null });
    const other = await app.window({ as: outsider });
    await other.page.goto(`/p/${readOnlyId}`);
    await other.page.getByText('This pad is not shared with you').waitFor();
    // Nothing asks for a folder that the address does not name.
    const refused: string[] = [];
    other.page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()));
    await app.etherpad.api('DELETE', `pad/${id}`, { token: owner.token });
    await other.page.reload();
    await other.page.getByText('Pad not found').waitFor();
    expect(refused).to.deep.equal([`${app.etherpad.url}/mypads/api/pad/${readOnlyId}`]);
  });

  it('is reached by a read-only link that the app opens without revealing the pad', async () => {
    const hidden = await app.fixture.group(owner, { name: 'Secret folder', visibility: 'restricted' });
    const id = await app.fixture.pad(owner, hidden, { visibility: 'public', name: 'Leaflet' });
    const readOnlyId = await readOnlyIdOf(id);
    const person = await app.fixture.person('person');
    for (const as of [undefined, person]) {
      const { page, goTo } = await app.window({ as });
      await goTo(`/mypads/group/-/pad/view/${readOnlyId}`);
      await page.getByRole('heading', { level: 1, name: 'Leaflet' }).waitFor();
      await untilAppShowsReader(page, id, readOnlyId);
    }
  });
});
