/** Etherpad's own controls in pads of folders: their links work, and they offer nothing that the server refuses. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { untilTitle, useApp, visitFirstPad, type WindowOptions } from '../support/browser';
import { frameOf, inDialog, openPad, textOf, untilEditable, untilEditorIsReady } from '../support/editor';
import { startEtherpad } from '../support/etherpad';
import { hostApi } from '../support/hostApi';
import { createFixture } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

describe('the controls of the editor', function () {
  this.timeout(180_000);
  const app = useApp();
  const owner = app.usePerson('owner');
  let group: string;
  let pad: string;

  before(async () => {
    group = await app.fixture.group(owner, { name: 'Board & "Friends"', visibility: 'public' });
  });
  beforeEach(async () => {
    pad = await app.fixture.pad(owner, group, { name: 'Minutes' });
  });

  const open = (options: WindowOptions, id = pad): Promise<Page> => openPad(app, options, id);
  const homeIn = (page: Page): Locator => page.locator('#editbar [data-key="home"] button');

  it('lead home to the app where the folder may not be seen', async () => {
    const hidden = await app.fixture.group(owner, { name: 'Secret folder', visibility: 'restricted' });
    const openPad = await app.fixture.pad(owner, hidden, { visibility: 'public' });
    const page = await open({}, openPad);
    expect(await homeIn(page).getAttribute('aria-label')).to.equal('MyPads');
    expect(await page.content()).not.to.include('Secret folder');
  });

  // As it does by default, which takes too long for the Etherpads of other tests.
  it('work as well where Etherpad minifies its scripts', async () => {
    const etherpad = await startEtherpad({ settings: { minify: true } });
    try {
      const fixture = createFixture(etherpad);
      const person = await fixture.person('owner');
      const folder = await fixture.group(person, { name: 'Minified', visibility: 'public' });
      await visitFirstPad(app.browser, etherpad.url);
      const { page } = await app.window();
      await page.goto(`${etherpad.url}/p/${await fixture.pad(person, folder)}`);
      await untilEditable(page, true);
      expect(await homeIn(page).getAttribute('aria-label')).to.equal('Minified');
    } finally {
      await etherpad.stop();
    }
  });

  it('have no second way home, one Share, star and gear beside those of the app, whose menu has the rest', async () => {
    const { page, goTo } = await app.window({ as: owner });
    await goTo(`/mypads/group/${group}/pad/view/${pad}`);
    await untilEditorIsReady(page);
    const host = frameOf(page);
    const visible = (key: string) => host.locator(`#editbar [data-key="${key}"]:visible`).count();
    const keys = ['home', 'embed', 'savedRevision', 'settings'];
    expect(await Promise.all(keys.map(visible))).to.deep.equal([0, 0, 0, 1]);
    const header = page.locator('main header');
    expect(await header.getByRole('link', { name: 'Pad settings' }).count()).to.equal(0);
    const choose = async (name: string): Promise<void> => {
      await header.getByRole('button', { name: 'More actions for Minutes' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Read-only link and embed code');
    await host.locator('#embed.popup-show').waitFor();
    await expectValue(
      host.locator('#linkinput'),
      `${app.etherpad.url}/mypads/?/mypads/group/${group}/pad/view/${pad}`,
    );
    await choose('Save this version');
    await until('a version is saved', async () => {
      const { savedRevisions } = (await hostApi(app.etherpad, 'listSavedRevisions', { padID: pad })) as {
        savedRevisions: number[];
      };
      return savedRevisions.length === 1;
    });
    await choose('Pad settings');
    await page.waitForURL(/\/pad\/edit\//);
  });

  it('do not offer in the menu of the app what a reader cannot do', async () => {
    const { page, goTo } = await app.window({});
    const locked = await app.fixture.pad(owner, group, { name: 'Statutes', readonly: true });
    await goTo(`/mypads/group/${group}/pad/view/${locked}`);
    await untilEditorIsReady(page);
    await page.getByRole('button', { name: 'More actions for Statutes' }).click();
    await page.getByRole('menuitem', { name: 'Read-only link and embed code' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Save this version|Pad settings/ }).count()).to.equal(0);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: /Bookmark/ }).count()).to.equal(0);
  });

  it('share, without the app, the link that it copies, remove no pad, and lead home to the folder', async () => {
    const page = await open({ as: owner });
    await page.locator('#editbar [data-key="savedRevision"]').waitFor();
    await inDialog(page, 'settings', '#settings', async () => {
      await page.locator('#settings').getByRole('checkbox').first().waitFor({ state: 'attached' });
      expect(await page.locator('#delete-pad:visible, #delete-pad-with-token:visible').count()).to.equal(0);
    });
    await page.locator('#editbar [data-key="embed"]').click();
    const link = page.locator('#linkinput');
    await link.waitFor();
    const { origin } = new URL(page.url());
    await expectValue(link, `${origin}/mypads/?/mypads/group/${group}/pad/view/${pad}`);
    await page.locator('label[for="readonlyinput"]').click();
    const readOnly = await untilValue(link, (value) => /\/p\/r\.\w+$/.test(value));
    const guest = await app.window({});
    await guest.page.goto(readOnly);
    await untilEditable(guest.page, false);
    await page.locator('label[for="readonlyinput"]').click();
    await expectValue(link, `${origin}/mypads/?/mypads/group/${group}/pad/view/${pad}`);
    expect(await page.locator('#embedinput').isVisible()).to.equal(true);
    const home = homeIn(page);
    expect(await home.getAttribute('aria-label')).to.equal('Board & "Friends"');
    expect(await page.locator('#editbar [data-key="home"]').count()).to.equal(1);
    await home.click();
    await page.getByRole('heading', { level: 1, name: 'Board & "Friends"' }).waitFor();
  });

  // test/host/visits.test.ts has all kinds of pads.
  it('do not offer code for other websites where not everybody may open the pad', async () => {
    const page = await open({ as: owner }, await app.fixture.pad(owner, await app.fixture.group(owner)));
    const offered = await inDialog(page, 'embed', '#embed', () => page.locator('#embedinput').isVisible());
    expect(offered).to.equal(false);
  });

  /** The home button, the title of the tab and the link to share. */
  async function shownOf(page: Page): Promise<{ home: string | null; title: string; link: string }> {
    const link = await inDialog(page, 'embed', '#embed', () => page.locator('#linkinput').inputValue());
    return {
      home: await homeIn(page).getAttribute('aria-label'),
      title: await page.title(),
      link: link.replace(/^.*group/, 'group'),
    };
  }

  it('follow new names of pad and folder, and a move, while the pad is open', async () => {
    const { fixture } = app;
    const folder = await fixture.group(owner, { name: 'Drafts', visibility: 'public' });
    const target = await fixture.group(owner, { name: 'Archive', visibility: 'public' });
    const id = await fixture.pad(owner, folder, { name: 'Plan' });
    const page = await open({}, id);
    await untilTitle(page, 'Plan – Drafts | MyPads');
    await fixture.change(owner, `pad/${id}`, { name: 'Great plan' });
    await untilTitle(page, 'Great plan – Drafts | MyPads');
    await fixture.change(owner, `group/${folder}`, { name: 'Ideas', visibility: 'public' });
    await untilTitle(page, 'Great plan – Ideas | MyPads');
    expect(await page.getByRole('alert').count(), 'words about a new name').to.equal(0);
    expect((await shownOf(page)).home).to.equal('Ideas');
    await fixture.change(owner, `pad/${id}`, { group: target });
    await untilTitle(page, 'Great plan – Archive | MyPads');
    expect(await shownOf(page)).to.deep.equal({
      home: 'Archive',
      title: 'Great plan – Archive | MyPads',
      link: `group/${target}/pad/view/${id}`,
    });
    await page.getByRole('alert').getByText('This pad was moved to the folder “Archive”.').waitFor();
    await homeIn(page).click();
    await page.getByRole('heading', { level: 1, name: 'Archive' }).waitFor();
  });

  it('say that the pad was moved to those who may see one of the folders, and nothing when only the sight ends', async () => {
    const { fixture } = app;
    const [member, writer] = [await fixture.person('member'), await fixture.person('writer')];
    const folder = await fixture.group(owner, { name: 'Drafts', users: [member.id, writer.id] });
    const target = await fixture.group(owner, { name: 'Secret folder' });
    const openFolder = await fixture.group(owner, { name: 'Archive', visibility: 'public' });
    const id = await fixture.pad(owner, folder, { name: 'Plan', visibility: 'public' });
    const [before, page] = [await open({ as: member }, id), await open({ as: writer }, id)];
    await untilTitle(before, 'Plan – Drafts | MyPads');
    await fixture.change(owner, `group/${folder}`, { users: [writer.id] });
    await untilTitle(before, 'Plan | MyPads');
    expect(await before.getByRole('alert').count(), 'words about lost sight').to.equal(0);
    await fixture.change(owner, `pad/${id}`, { group: target });
    await page.getByRole('alert').getByText('This pad was moved to another folder.').waitFor();
    expect(await page.content()).not.to.include('Secret folder');
    await untilEditable(page, true);
    await fixture.change(owner, `pad/${id}`, { name: 'Great plan' });
    await untilTitle(before, 'Great plan | MyPads');
    expect(await before.getByRole('alert').count(), 'words between folders that are not seen').to.equal(0);
    await fixture.change(owner, `pad/${id}`, { group: openFolder });
    for (const one of [before, page])
      await one.getByRole('alert').getByText('This pad was moved to the folder “Archive”.').waitFor();
    expect(await page.getByRole('alert').count(), 'words about two moves').to.equal(1);
  });

  it('explain to somebody who has no right in the new folder why the open pad is gone', async () => {
    const { fixture } = app;
    const member = await fixture.person('member');
    const folder = await fixture.group(owner, { users: [member.id] });
    const target = await fixture.group(owner);
    const id = await fixture.pad(owner, folder);
    const page = await open({ as: member }, id);
    await fixture.change(owner, `pad/${id}`, { group: target });
    await page.getByText('This pad is not shared with you').waitFor();
    await page.getByText('it was moved to another folder, or').waitFor();
  });

  it('offer the way back when access is denied while the pad is open', async () => {
    const page = await open({ as: owner });
    // As the server does it when it cannot check access.
    await page.evaluate(() => {
      type Listener = (message: object) => void;
      const { socket } = (window as unknown as { pad: { socket: { listeners(event: string): Listener[] } } })
        .pad;
      for (const listener of socket.listeners('message')) listener({ accessStatus: 'deny' });
    });
    await page.locator('#permissionDenied').getByRole('link', { name: 'Board & "Friends"' }).click();
    await page.getByRole('heading', { level: 1, name: 'Board & "Friends"' }).waitFor();
  });

  it('leave no pad of a folder among the recent pads of the browser, which the next person would see', async () => {
    const { page } = await app.window({ as: owner });
    await page.goto('/mypads/');
    const other = { name: 'a-pad-of-etherpad', timestamp: new Date(0).toISOString(), members: 1 };
    // 2.4 and newer write this list before the editor is ready, and show it on Etherpad's own front page.
    await page.evaluate(
      (list) => localStorage.setItem('recentPads', JSON.stringify(list)),
      [other, { ...other, name: pad }],
    );
    await page.goto(`/p/${pad}`);
    const list = () => page.evaluate(() => localStorage.getItem('recentPads'));
    await until('the pad is not in the list', async () => (await list()) === JSON.stringify([other]));
  });

  it('offer the way back when the pad is removed while it is open', async () => {
    const page = await open({ as: owner });
    const removed = await app.etherpad.api('DELETE', `pad/${pad}`, { token: owner.token });
    expect(removed.status).to.equal(200);
    await page.locator('#connectivity .deleted').getByRole('link', { name: 'Board & "Friends"' }).click();
    await page.getByRole('heading', { level: 1, name: 'Board & "Friends"' }).waitFor();
  });

  /** Opens the history of a new pad as somebody who may read it, and waits until it leads to the app. */
  async function historyUntil(change: (id: string, folder: string) => Promise<unknown>): Promise<Page> {
    const { fixture } = app;
    const member = await fixture.person('member');
    const folder = await fixture.group(owner, { users: [member.id] });
    const id = await fixture.pad(owner, folder);
    const { page, takeErrors } = await app.window({ as: member });
    await page.goto(`/p/${id}/timeslider?embed=1`);
    await page.locator('#innerdocbody div').first().waitFor({ state: 'attached' });
    await change(id, folder);
    await page.waitForURL(/\/mypads\//);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // From 2.7 on, scripts of Etherpad expect the editor around the history, and fail without it.
    if (app.etherpad.major > 1) takeErrors();
    return page;
  }

  it('explain in the history that its reader has lost the right', async () => {
    await historyUntil((_, folder) => app.fixture.change(owner, `group/${folder}`, { users: [] }));
  });

  it('explain in the history that the pad was removed', async () => {
    const page = await historyUntil((id) => app.etherpad.api('DELETE', `pad/${id}`, { token: owner.token }));
    await page.getByText('Pad not found').waitFor();
  });

  /** Opens the history with its button. 3.x shows it in a frame inside the editor, earlier versions on a page. */
  async function openHistory(page: Page, host: Page | FrameLocator): Promise<void> {
    await host.locator('#editbar [data-key="showTimeSlider"] button').click();
    const history = app.etherpad.major >= 3 ? host.frameLocator('#history-frame') : host;
    await history.locator('#innerdocbody div').first().waitFor({ state: 'attached' });
    await page.waitForTimeout(500);
  }

  /** The frames inside `depth` others that led to the app, from now on: it must not start inside the editor. */
  function appsInside(page: Page, depth: number): string[] {
    const found: string[] = [];
    page.on('framenavigated', (frame) => {
      let frames = 0;
      for (let outer = frame.parentFrame(); outer !== null; outer = outer.parentFrame()) frames += 1;
      if (frames >= depth && frame.url().includes('/mypads/')) found.push(frame.url());
    });
    return found;
  }

  it('explain a lost right in the history that was opened with its button', async () => {
    const { fixture } = app;
    const member = await fixture.person('member');
    const folder = await fixture.group(owner, { users: [member.id] });
    const id = await fixture.pad(owner, folder);
    const { page, takeErrors } = await app.window({ as: member });
    await page.goto(`/p/${id}`);
    await untilEditable(page, true);
    await page.locator('#editorcontainer.initialized').waitFor({ state: 'attached' });
    await openHistory(page, page);
    const inside = appsInside(page, 1);
    await fixture.change(owner, `group/${folder}`, { users: [] });
    await page.getByText('This pad is not shared with you').waitFor();
    await page.waitForTimeout(1_000);
    expect(inside).to.deep.equal([]);
    takeErrors();
  });

  it('explain a lost right in the history that was opened with its button in the app', async () => {
    const { fixture } = app;
    const member = await fixture.person('member');
    const folder = await fixture.group(owner, { users: [member.id] });
    const id = await fixture.pad(owner, folder);
    const { page, goTo, takeErrors } = await app.window({ as: member });
    await goTo(`/mypads/group/${folder}/pad/view/${id}`);
    await untilEditorIsReady(page);
    await openHistory(page, frameOf(page));
    const inside = appsInside(page, 2);
    await fixture.change(owner, `group/${folder}`, { users: [] });
    await page.getByText('This pad is not shared with you').waitFor();
    expect(page.frames()).to.have.length(1);
    expect(inside).to.deep.equal([]);
    takeErrors();
  });

  it('leave the sentence of Etherpad in the history of a group pad of a program', async () => {
    const { groupID } = (await hostApi(app.etherpad, 'createGroup', {})) as { groupID: string };
    const created = { groupID, padName: 'minutes', text: 'From the course.' };
    const { padID } = (await hostApi(app.etherpad, 'createGroupPad', created)) as { padID: string };
    const { page, takeErrors } = await app.window({});
    const loads: string[] = [];
    page.on('framenavigated', (frame) => loads.push(frame.url()));
    const asked = page.waitForResponse((answer) => answer.request().method() === 'HEAD');
    await page.goto(`/p/${padID}/timeslider?embed=1`);
    await page.locator('body > h2:only-child').waitFor();
    await asked;
    expect(loads).to.have.length(1);
    takeErrors();
  });

  it('do not change the name where people appear with first and last name', async () => {
    await app.fixture.configure('useFirstLastNameInPads', true);
    try {
      const page = await open({ as: owner });
      await page.locator('#editbar [data-key="showusers"]').click();
      const name = page.locator('#myusernameedit');
      await expectValue(name, 'owner Test');
      expect(await name.isEditable()).to.equal(false);
    } finally {
      await app.fixture.configure('useFirstLastNameInPads', false);
    }
  });

  it('show text that can be read on every colour of an author', async () => {
    const colours = ['#00b000', '#777777', '#ffee00', '#101060', '#ff0000'];
    for (const colorId of colours) {
      const author = await PadClient.connect(app.etherpad);
      await author.join(pad, { userInfo: { name: 'Guest', colorId } });
      await author.write(`In ${colorId}. `);
      author.close();
    }
    const { page, goTo } = await app.window({ as: owner });
    await goTo(`/mypads/group/${group}/pad/view/${pad}`);
    await untilEditorIsReady(page);
    for (const color of colours) {
      const text = textOf(frameOf(page)).locator('span[class*="author-"]', { hasText: `In ${color}.` });
      // The editor replaces the element when its author's colour arrives.
      await until(`the text on ${color} can be read`, async () => {
        const [own, background] = await text.first().evaluate((element) => {
          const { color: shown, backgroundColor } = getComputedStyle(element);
          return [shown, backgroundColor] as const;
        });
        const [one, other] = [luminanceOf(own), luminanceOf(background)];
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) > 4.4;
      });
    }
  });

  it('are not changed in pads that are not in a folder', async () => {
    const page = await open({}, 'a-pad-of-etherpad');
    const home = page.locator('#editbar [data-key="home"]');
    expect(await home.count()).to.equal(app.etherpad.major === 1 ? 0 : 1);
    await page.locator('#editbar [data-key="embed"]').click();
    await expectValue(page.locator('#linkinput'), page.url());
  });

  it('are found from the administration of Etherpad', async () => {
    const { admin, folder, major } = app.etherpad;
    const built = path.join(folder.root, 'src/templates/admin/index.html');
    // A checkout of 2.x and 3.x has this page only after a build.
    const isMissing = major > 1 && !existsSync(built);
    const menus = '<div class="inner-menu"><ul></ul></div><nav class="sidebar-nav"></nav>';
    const script = `<script>onload = () => (document.body.innerHTML = '${menus}')</script>`;
    if (isMissing) {
      mkdirSync(path.dirname(built), { recursive: true });
      writeFileSync(built, `<body>${script}</body>`);
    }
    const httpCredentials = { username: admin.name, password: admin.password };
    const context = await app.browser.newContext({ httpCredentials, baseURL: app.etherpad.url });
    const page = await context.newPage();
    await page.goto('/admin/');
    if (major > 1 && !isMissing) {
      await page.getByPlaceholder('Username').fill(admin.name);
      await page.getByPlaceholder('Password').fill(admin.password);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('link', { name: 'MyPads', exact: true }).click();
    await page.waitForURL(/\/mypads\/\?\/admin/);
    await context.close();
    if (isMissing) rmSync(path.dirname(built), { recursive: true });
  });

  it('are found from the front page of Etherpad', async () => {
    const { page } = await app.window({});
    await page.goto('/');
    await page.getByRole('link', { name: 'MyPads' }).click();
    await page.waitForURL(/\/mypads\//);
  });
});

/** The relative luminance of WCAG 2 of `rgb(…)`. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? [])
    .map((value) => Number(value) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

async function untilValue(field: Locator, holds: (value: string) => boolean): Promise<string> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = await field.inputValue();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`The field has ${value}`);
    await field.page().waitForTimeout(50);
  }
}

async function expectValue(field: Locator, wanted: string): Promise<void> {
  await untilValue(field, (value) => value === wanted);
}
