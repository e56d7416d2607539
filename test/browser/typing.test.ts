/** Fast typing: what is typed belongs to what a key has opened, also while that is loading. */
import { expect } from 'chai';
import type { CDPSession, Locator, Page } from 'playwright-core';
import {
  heading,
  hold,
  leaveWindow,
  shareButton,
  untilFocused,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { checkEach } from '../support/cases';
import { frameOf, textOf, type, untilCaretIsInText, untilEditorIsReady, untilShows } from '../support/editor';
import type { Person } from '../support/hostFixture';
import { until } from '../support/waiting';

describe('typing', function () {
  this.timeout(120_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let board = '';

  before(async () => {
    board = await app.fixture.group(ann, { name: 'Board' });
    for (const name of ['Garden', 'Kitchen']) await app.fixture.group(ann, { name });
    for (const name of ['Minutes', 'Accounts']) await app.fixture.pad(ann, board, { name });
  });

  const palette = (page: Page): Locator =>
    page.getByRole('dialog', { name: 'Search folders, pads and actions' });
  const field = (page: Page): Locator => palette(page).getByRole('combobox');
  const undo = (page: Page): Locator => page.getByRole('button', { name: 'Undo' });

  const read = async (path: string, person = ann): Promise<unknown> =>
    (await app.etherpad.api('GET', path, { token: person.token })).body;

  /** All that single keys could change: names, bookmarks, and which folders and pads there are. */
  const stored = (person = ann): Promise<unknown[]> =>
    Promise.all(['group', 'overview/pads', `user/${person.login}`].map((path) => read(path, person)));

  const bookmarks = async (person = ann): Promise<unknown> =>
    ((await read(`user/${person.login}`, person)) as { value: { bookmarks: unknown } }).value.bookmarks;

  const padNames = async (person: Person, group: string): Promise<string[]> => {
    const { pads } = (await read(`group/${group}`, person)) as { pads: Record<string, { name: string }> };
    return Object.values(pads).map(({ name }) => name);
  };

  const scripts = /\/mypads\/.*\.js$/;

  async function openFolders(person = ann): Promise<Page> {
    const page = await app.open('/mypads', { as: person });
    await page.getByRole('main').getByRole('link', { name: 'Board' }).waitFor();
    return page;
  }

  for (const [key, text] of [
    ['Control+k', 'kassenprufung'],
    ['/', 'kesse jecke'],
  ] as const) {
    it(`“${key}” and “${text}” before the palette is loaded: its field has all of it, nothing is changed`, async () => {
      const before = await stored();
      const page = await openFolders();
      const release = await hold(page, scripts);
      await page.keyboard.press(key);
      await page.keyboard.type(text);
      expect(await field(page).inputValue()).to.equal(text);
      release();
      await palette(page).getByText(`Nothing matches “${text}”`).waitFor();
      expect(await field(page).inputValue()).to.equal(text);
      await page.keyboard.type('!');
      expect(await field(page).inputValue()).to.equal(`${text}!`);
      expect(await stored()).to.deep.equal(before);
      expect(page.url()).to.match(/\/mypads\/\?\/mypads$/);
    });
  }

  it('on a slow computer, at each first use after a load', async () => {
    const before = await stored();
    const page = await openFolders();
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    for (const key of ['Control+k', '/']) {
      await page.reload();
      await page.getByRole('main').getByRole('link', { name: 'Board' }).waitFor();
      await page.keyboard.press(key);
      await page.keyboard.type('kassenprufung', { delay: 20 });
      await palette(page).getByText('Nothing matches “kassenprufung”').waitFor();
      expect(await field(page).inputValue()).to.equal('kassenprufung');
    }
    expect(await stored()).to.deep.equal(before);
  });

  for (const [held, address] of [
    ['the results', scripts],
    ['the pads', /\/overview\/pads/],
    ['the page', /\/main-\w+\.js$/],
  ] as const) {
    it(`Enter before ${held} can be shown opens the first result`, async () => {
      const page = await openFolders();
      const release = await hold(page, address);
      if (held !== 'the results') {
        await page.reload({ waitUntil: 'commit' });
        await page.waitForFunction(() => document.querySelector('#app [aria-busy]') !== null);
      }
      if (held === 'the pads') await page.getByRole('main').getByRole('link', { name: 'Board' }).waitFor();
      await page.keyboard.press('/');
      // Finds "Administration" too, which needs no data.
      await page.keyboard.type('min');
      if (held === 'the pads') await palette(page).getByText('Loading').waitFor();
      await page.keyboard.press('Enter');
      release();
      await heading(page, 'Minutes').waitFor();
    });
  }

  it('letters before the page is loaded stand in the palette when it is there, except after Escape', async () => {
    const before = await stored();
    const page = await openFolders();
    const reload = async (): Promise<() => void> => {
      const release = await hold(page, /\/main-\w+\.js$/);
      await page.reload({ waitUntil: 'commit' });
      await page.waitForFunction(() => document.querySelector('#app [aria-busy]') !== null);
      return release;
    };
    for (const key of ['Control+k', '/']) {
      const release = await reload();
      await page.keyboard.press(key);
      await page.keyboard.type('classx');

      await page.keyboard.press('Backspace');
      release();
      await untilFocused(field(page));
      await page.keyboard.type('es');
      expect(await field(page).inputValue()).to.equal('classes');
    }
    const release = await reload();
    await page.keyboard.press('/');
    await page.keyboard.type('zzz');
    await page.keyboard.press('Escape');
    release();
    await page.getByRole('main').getByRole('link', { name: 'Board' }).waitFor();
    await page.keyboard.press('j');
    await page.locator('main [data-row] a:focus').waitFor();
    expect(await palette(page).count()).to.equal(0);
    expect(await stored()).to.deep.equal(before);
  });

  it('Escape closes the palette and the list of shortcuts before they are loaded', async () => {
    const before = await stored();
    const page = await openFolders();
    const release = await hold(page, scripts);
    await page.keyboard.press('/');
    await page.keyboard.type('cs');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.type('cesse');
    await page.keyboard.press('Escape');
    release();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await stored()).to.deep.equal(before);
  });

  it('says so if the palette cannot be loaded, and the next key tries again', async () => {
    const page = await openFolders();
    await page.route(scripts, (route) => route.abort());
    await page.keyboard.press('/');
    await page.getByText('The server did not answer.').waitFor();
    await palette(page).waitFor({ state: 'detached' });
    await page.unroute(scripts);
    await page.keyboard.press('/');
    await page.keyboard.type('accounts');
    await palette(page).getByRole('option').first().getByText('Accounts').waitFor();
  });

  it('an input method can compose and correct while the palette is being loaded', async () => {
    const page = await openFolders();
    const session: CDPSession = await page.context().newCDPSession(page);
    const compose = (text: string): Promise<unknown> =>
      session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    const release = await hold(page, scripts);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ab');
    await page.keyboard.press('Backspace');
    await compose('か');
    await compose('かい');
    expect(await field(page).inputValue()).to.equal('aかい');
    release();
    await palette(page).getByText('Nothing matches “aかい”').waitFor();
    await compose('かいぎ');
    await session.send('Input.insertText', { text: '会議' });
    expect(await field(page).inputValue()).to.equal('a会議');
  });

  it('Ctrl+K in the text of a pad: no letter after it gets into the text', async () => {
    const pad = await app.fixture.pad(ann, board, { name: 'Open' });
    const page = await app.open(`/mypads/group/${board}/pad/view/${pad}`, { as: ann });
    await type(page, 'as it was');
    const text = await textOf(frameOf(page)).innerText();
    const release = await hold(page, scripts);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('class');
    expect(await field(page).inputValue()).to.equal('class');
    release();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    expect(await textOf(frameOf(page)).innerText()).to.equal(text);
  });

  it('letters right after “e” are the new name, and the message undoes it', async () => {
    const person = await app.fixture.person('namer');
    const group = await app.fixture.group(person, { name: 'Board' });
    await app.fixture.pad(person, group, { name: 'Plan' });
    const names = async (): Promise<string[]> =>
      Object.values(
        ((await read('group', person)) as { value: { groups: Record<string, { name: string }> } }).value
          .groups,
      ).map(({ name }) => name);
    const page = await openFolders(person);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.keyboard.type('Jecke');
    await page.keyboard.press('Enter');
    await undo(page).waitFor();
    expect(await names()).to.deep.equal(['Jecke']);
    await undo(page).click();
    await until('the old name', async () => (await names())[0] === 'Board');

    await app.goTo(`/mypads/group/${group}/view`);
    await page.getByRole('link', { name: 'Plan' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.keyboard.type('Scheme');
    await page.keyboard.press('Escape');
    await untilFocused(page.getByRole('link', { name: 'Plan' }));
    await page.keyboard.press('e');
    await page.keyboard.type('Scheme');
    await page.keyboard.press('Enter');
    await undo(page).click();
    await until('the old name', async () => (await padNames(person, group))[0] === 'Plan');
  });

  it('“s” sets a bookmark and offers to undo it', async () => {
    const page = await openFolders();
    const none = await bookmarks();
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    await undo(page).waitFor();
    expect(await bookmarks()).to.not.deep.equal(none);
    await undo(page).click();
    await page.getByText('1 bookmark was removed.').waitFor();
    expect(await bookmarks()).to.deep.equal(none);
    // Held down, a key counts once.
    await page.keyboard.press('j');
    await page.keyboard.down('s');
    await page.keyboard.down('s');
    await page.keyboard.up('s');
    await page.getByText('1 bookmark was added.').waitFor();
    await undo(page).first().click();
    await until('no bookmark', async () => JSON.stringify(await bookmarks()) === JSON.stringify(none));
  });

  it('letters after “c” go into the new pad or nowhere', async () => {
    const person = await app.fixture.person('writer');
    const group = await app.fixture.group(person, { name: 'Board' });
    const page = await app.open(`/mypads/group/${group}/view`, { as: person });
    await heading(page, 'Board').waitFor();
    const created = await hold(page, /\/api\/pad$/);
    const opened = await hold(page, /\/p\/[^/]*\?/);
    await page.keyboard.press('c');
    await page.keyboard.type('cesse');
    created();
    await heading(page, 'Untitled').waitFor();
    await page.keyboard.type('cesse');
    opened();
    await page.keyboard.type('cesse');
    await untilCaretIsInText(page);
    await page.keyboard.type('Welcome');
    await untilShows(frameOf(page), 'Welcome');
    expect(await padNames(person, group)).to.deep.equal(['Untitled']);
    expect(await bookmarks(person)).to.deep.equal({ groups: [], pads: [] });
  });

  it('“c” creates a pad where folders or pads are shown, in a folder only its own', async () => {
    const reader = await app.fixture.person('reader');
    await app.fixture.group(reader, { name: 'Own' });
    const group = await app.fixture.group(ann, { name: 'Read' });
    await app.fixture.invite(ann, group, [reader.login]);
    const page = await app.open('/mypads', { as: reader });
    const created: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && created.push(request.url()));
    for (const [path, title] of [
      ['/help', 'Help'],
      ['/mytrash', 'Trash'],
      ['/myrequests', 'Requests for access'],
      ['/myexports', 'My exports'],
      ['/myuserlists', 'People lists'],
      [`/mypads/group/${group}/view`, 'Read'],
    ] as const) {
      await app.goTo(path);
      await heading(page, title).waitFor();
      await page.waitForFunction(() => document.querySelector('main [aria-busy]') === null);
      await page.keyboard.press('c');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    }
    expect(created).to.deep.equal([]);
    await app.goTo('/mybookmarks');
    await heading(page, 'Bookmarks').waitFor();
    await page.waitForFunction(() => document.querySelector('main [aria-busy]') === null);
    await page.keyboard.press('c');
    await heading(page, 'Untitled').waitFor();
  });

  it('a pad created by “c” goes away with Undo, but not when somebody has written in it', async () => {
    const person = await app.fixture.person('maker');
    const group = await app.fixture.group(person, { name: 'Board' });
    const page = await app.open(`/mypads/group/${group}/view`, { as: person });
    await heading(page, 'Board').waitFor();
    await page.keyboard.press('c');
    await heading(page, 'Untitled').waitFor();
    await undo(page).click();
    await heading(page, 'Board').waitFor();
    await until('no pad', async () => (await padNames(person, group)).length === 0);

    await page.getByText('No pads yet').waitFor();
    await page.keyboard.press('c');
    await heading(page, 'Untitled').waitFor();
    await type(page, 'Something');
    const [pad = ''] = Object.keys(
      ((await read(`group/${group}`, person)) as { pads: Record<string, unknown> }).pads,
    );
    await until('somebody has written', async () => {
      const { value } = (await read(`pad/${pad}`, person)) as { value: { lastUpdate: number | null } };
      return value.lastUpdate !== null;
    });
    await undo(page).click();
    await page.getByText('Someone has written in “Untitled”, so it was kept.').waitFor();
    expect(await padNames(person, group)).to.deep.equal(['Untitled']);
  });

  it('Undo of the first pad of all removes its folder too', async () => {
    const person = await app.fixture.person('newcomer');
    const page = await app.open('/mypads', { as: person });
    await heading(page, 'Folders').waitFor();
    await page.getByText('No folders yet').waitFor();
    await page.keyboard.press('c');
    await heading(page, 'Untitled').waitFor();
    await undo(page).click();
    await heading(page, 'Folders').waitFor();
    await until('no folder', async () => {
      const { value } = (await read('group', person)) as { value: { groups: object } };
      return Object.keys(value.groups).length === 0;
    });
  });

  it('Enter in “Add people” takes the marked person: the one typed out, not one that it is a part of', async () => {
    const jo = await app.fixture.person('jo');
    const other = `a-${jo.login}`;
    const body = {
      login: other,
      password: 'correct horse battery',
      email: `${other}@example.org`,
      lastname: 'Dvořák',
    };
    await app.etherpad.api('POST', 'user', { body });
    const known = await app.fixture.group(ann, { name: 'Known' });
    await app.fixture.invite(ann, known, [jo.login, other]);
    const page = await app.open(`/mypads/group/${board}/view`, { as: ann });
    await shareButton(page).click();
    const dialog = page.getByRole('dialog', { name: 'Share “Board”' });
    const people = dialog.getByRole('combobox', { name: 'Add people', exact: true });
    await untilFocused(people);
    const suggestions = dialog.getByRole('listbox', { name: 'Suggestions' });
    const marked = suggestions.getByRole('option', { selected: true });
    for (const [typed, shown, added] of [
      [jo.login, 'jo Test', 'jo Test'],
      ['dvorak', 'Dvořák', 'Dvořák'],
      [`o${jo.login.slice(2)}@example.org`, undefined, `o${jo.login.slice(2)}@example.org`],
    ] as const) {
      await page.keyboard.type(typed);
      if (shown === undefined) await suggestions.waitFor({ state: 'hidden' });
      else await marked.getByText(shown).waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByRole('listitem').getByText(added, { exact: true }).first().waitFor();
    }
  });

  it('Enter in “Add people” takes the marked person, also when somebody else has come before them', async () => {
    const [bea, cleo, dora] = [
      await app.fixture.person('bea'),
      await app.fixture.person('cleo'),
      await app.fixture.person('dora'),
    ];
    const nina = await app.fixture.person('nina');
    const [known, other] = [
      await app.fixture.group(nina, { name: 'Known' }),
      await app.fixture.group(nina, { name: 'Other' }),
    ];
    await app.fixture.invite(nina, known, [bea.login, dora.login]);
    const page = await app.open(`/mypads/group/${other}/user/invite`, { as: nina });
    const dialog = page.getByRole('dialog', { name: 'Share “Other”' });
    await untilFocused(dialog.getByRole('combobox', { name: 'Add people', exact: true }));
    await page.keyboard.type('Test');
    await dialog.getByRole('option', { name: /dora Test/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await dialog.getByRole('option', { name: /dora Test/, selected: true }).waitFor();
    await app.fixture.invite(nina, known, [bea.login, cleo.login, dora.login]);
    await page.evaluate(() => {
      setInterval(() => window.dispatchEvent(new Event('focus')), 500);
    });
    await dialog.getByRole('option', { name: /cleo Test/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialog
      .getByText('Will be added: dora Test')
      .or(dialog.getByText(/^Will be added/))
      .first()
      .waitFor();
    expect(
      await dialog
        .getByText(/^Will be added/)
        .first()
        .textContent(),
    ).to.contain('dora');
  });

  it('a half-typed name in “Add people” waits, with its suggestions, while another window is used', async () => {
    const ute = await app.fixture.person('ute');
    const known = await app.fixture.group(ann, { name: 'Known' });
    await app.fixture.invite(ann, known, [ute.login]);
    const page = await app.open(`/mypads/group/${board}/user/invite`, { as: ann });
    const dialog = page.getByRole('dialog', { name: 'Share “Board”' });
    await untilFocused(dialog.getByRole('combobox', { name: 'Add people', exact: true }));
    await page.keyboard.type('ute Te');
    const suggestion = dialog.getByRole('option', { name: /ute Test/ });
    await suggestion.waitFor();
    await leaveWindow(page);
    await suggestion.click();
    await dialog.getByText('Will be added: ute Test').waitFor();
  });

  it('on a slow computer, all letters after a load are in the first field', async function () {
    this.timeout(400_000);
    const before = await stored();
    const adminToken = await app.signInAsAdmin();
    const user = 'Username or email';
    const screens: Record<string, [path: string, label: string, options?: WindowOptions]> = {
      'the search in texts': ['/mysearch', 'Words or “phrases” in your pads', { as: ann }],
      'a new folder': ['/mypads/group/add', 'Name', { as: ann }],
      'sharing a folder': [`/mypads/group/${board}/user/invite`, 'Add people', { as: ann }],
      'the sign-in before a screen': ['/mypads', user],
      'a registration': ['/subscribe', 'Username'],
      'the sign-in of administrators': ['/admin', 'Etherpad account'],
      'a new account': ['/admin/users/create', 'Username', { adminToken }],
    };
    await checkEach(screens, async ([path, label, options]) => {
      const { page, goTo } = await app.window(options);
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await goTo(path, 'commit');
      await page.locator('#app [aria-busy]').first().waitFor({ state: 'attached' });
      await page.keyboard.type('cesjk-typed-cesjk', { delay: 20 });
      const field = page.getByLabel(label, { exact: true });
      await untilFocused(field);
      await until('all letters', async () => (await field.inputValue()) === 'cesjk-typed-cesjk');
      await app.close();
    });
    expect(await stored()).to.deep.equal(before);
  });

  it('while a screen is loading, letters change nothing, and stand in its first field when it is there', async () => {
    const before = await stored();
    const page = await openFolders();
    const release = await hold(page, scripts);
    await page.getByRole('main').getByRole('link', { name: 'New folder' }).first().press('Enter');
    await page.keyboard.type('cesse');
    release();
    const name = page.getByLabel('Name');
    await untilFocused(name);
    await until('the letters are there', async () => (await name.inputValue()) === 'cesse');
    await page.keyboard.type(' Class');
    expect(await name.inputValue()).to.equal('cesse Class');
    expect(await stored()).to.deep.equal(before);
  });

  it('a form for a new account has the focus in its first field', async () => {
    const adminToken = await app.signInAsAdmin();
    for (const [path, options] of [
      ['/subscribe', {}],
      ['/admin/users/create', { adminToken }],
    ] as const) {
      const page = await app.open(path, options);
      await untilFocused(page.getByLabel('Username', { exact: true }));
    }
  });

  it('letters beside the fields of a form create no pad', async () => {
    const page = await app.open(`/mypads/group/${board}/edit`, { as: ann });
    const created: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && created.push(request.url()));
    for (const path of [`/mypads/group/${board}/edit`, '/myprofile']) {
      await app.goTo(path);
      await page.getByRole('button', { name: 'Save changes' }).first().waitFor();
      await page.keyboard.type('classes');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    }
    expect(created).to.deep.equal([]);
  });

  it('while “Share” is loading, letters are kept for “Add people”', async () => {
    const page = await openFolders();
    const release = await hold(page, scripts);
    const answer = await hold(page, /\/api\/group\//);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Share “Board”/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Share “Board”' });
    await dialog.waitFor();
    await page.keyboard.type('ces');
    answer();
    await page.keyboard.type('se');
    release();
    const people = dialog.getByRole('combobox', { name: 'Add people', exact: true });
    await untilFocused(people);
    await until('the letters are there', async () => (await people.inputValue()) === 'cesse');
  });

  it('while a pad is loading that “Share” was chosen for in a list, letters are kept for “Add people”', async () => {
    const before = await padNames(ann, board);
    const page = await app.open('/mypads&q=accounts', { as: ann });
    const answer = await hold(page, /\/api\/pad\//);
    await page.getByRole('button', { name: 'Actions for Accounts' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('cesse');
    answer();
    const people = page.getByRole('dialog').getByRole('combobox', { name: 'Add people', exact: true });
    await untilFocused(people);
    await until('the letters are there', async () => (await people.inputValue()) === 'cesse');
    expect(await padNames(ann, board)).to.deep.equal(before);
  });

  it('a button that somebody has gone to keeps the focus when the editor is ready; otherwise the text gets it', async () => {
    const page = await openFolders();
    await page.keyboard.press('j');
    await page.keyboard.press('/');
    await page.keyboard.type('minutes');
    await palette(page).getByRole('option', { name: 'Minutes' }).first().waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Minutes').waitFor();
    await untilCaretIsInText(page);

    const release = await hold(page, /\/p\/[^/]*\?/);
    await page.reload();
    const share = shareButton(page);
    await share.focus();
    release();
    await untilEditorIsReady(page);
    await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Share “Minutes”' }).waitFor();
  });

  it('Enter that is held down acts once: not on the menu that it opens, nor on the row after a new name', async () => {
    const person = await app.fixture.person('holder');
    const group = await app.fixture.group(person, { name: 'Board' });
    const page = await openFolders(person);
    await page.getByRole('button', { name: 'Actions for Board' }).focus();
    await page.keyboard.down('Enter');
    await untilFocused(page.getByRole('menuitem').first());
    for (let repeats = 0; repeats < 3; repeats += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await page.getByRole('menu').isVisible()).to.equal(true);
    expect(await padNames(person, group)).to.deep.equal([]);

    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await untilFocused(page.getByRole('textbox', { name: 'New name of Board' }));
    await page.keyboard.type('Council');
    await page.keyboard.down('Enter');
    await untilFocused(page.getByRole('main').getByRole('link', { name: 'Council' }));
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await heading(page).textContent()).to.equal('Folders');
  });

  it('single keys can be switched off, where they are listed and in the account', async () => {
    const person = await app.fixture.person('speaker');
    const group = await app.fixture.group(person, { name: 'Board' });
    await app.fixture.pad(person, group, { name: 'Plan' });
    const before = await bookmarks(person);
    const page = await openFolders(person);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const box = page.getByRole('checkbox', { name: 'Use single-key shortcuts' });
    await box.uncheck();
    await list.getByText('Show these shortcuts').waitFor({ state: 'detached' });
    await until('the account has it', async () => {
      const { value } = (await read(`user/${person.login}`, person)) as { value: { singleKeys: boolean } };
      return !value.singleKeys;
    });
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.locator('main [data-row] a:focus').waitFor();
    for (const key of ['c', 'e', 's', 'j', 'k', '?', '/']) await page.keyboard.press(key);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shortcuts');
    await palette(page).getByRole('option').first().getByText('Keyboard shortcuts').waitFor();
    await page.keyboard.press('Enter');
    await list.waitFor();
    expect(await box.isChecked()).to.equal(false);
    await page.keyboard.press('Escape');
    expect(await bookmarks(person)).to.deep.equal(before);
    expect(await padNames(person, group)).to.deep.equal(['Plan']);

    await app.goTo('/myprofile');
    await box.check();
    await page.getByRole('button', { name: 'Save changes' }).first().click();
    await page.getByText('Your profile was saved.').waitFor();
    await heading(page).click();
    await page.keyboard.press('?');
    await list.waitFor();
  });
});
