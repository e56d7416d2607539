/** Lists, forms and editors at widths from a small phone to a wide desktop, with the longest names and addresses. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { languageCodes } from '../../model/languages';
import { heading, sidewaysScroll, switchLanguage, untilFocused, useApp } from '../support/browser';
import { checkEach } from '../support/cases';
import { untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

/** The narrowest width of each layout in the style sheets, where there is least room. */
const widths = [320, 360, 480, 600, 700, 740, 800, 900, 960, 1050, 1100, 1200, 1280];
/** The narrowest width of each layout that forms, dialogs and pages of settings have. */
const narrowest = [320, 360, 480, 600, 900, 1200];
const longName = 'Donaudampfschifffahrtsgesellschaftskapit';
const tags = ['elections', 'a tag that is nearly forty characters on', 'board', 'archive', 'volunteers'];

/**
 * What is wrong with the layout at the present width: the page scrolls sideways; names in rows of lists have too little
 * room, or are covered; a word of the title is in two lines; open dialogs and menus reach over an edge. One call,
 * because a run makes some 1,000 of them.
 */
function problemsNow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) problems.push(`The page is ${scrollWidth} px wide`);
    for (const name of document.querySelectorAll(
      'main li a[href*="/view"], main li a[href*="/myuserlists"]',
    )) {
      const row = name.closest('li');
      if (row === null) continue;
      // An inline link is as wide as its text; the room for it is the width of its parent.
      const room = (name.parentElement ?? row).getBoundingClientRect().width;
      const width = row.getBoundingClientRect().width;
      if (room < Math.min(200, width / 2))
        problems.push(`${name.textContent}: ${Math.round(room)} of ${width} px`);
      const box = name.getBoundingClientRect();
      for (const other of row.querySelectorAll('button, time, label, svg')) {
        const { left, right, top, bottom, width: size } = other.getBoundingClientRect();
        const overlaps =
          left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
        if (size > 0 && overlaps)
          problems.push(`${name.textContent} lies under ${other.outerHTML.slice(0, 80)}`);
      }
    }
    for (const title of document.querySelectorAll('h1')) {
      const node = document.createTreeWalker(title, NodeFilter.SHOW_TEXT).nextNode();
      if (node === null) continue;
      // Longer words, such as names without spaces, may be broken.
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/(?<!\S)\S{1,15}(?!\S)/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (range.getClientRects().length > 1) problems.push(`“${word}” of the title is broken`);
      }
    }
    for (const overlay of document.querySelectorAll('dialog[open], [role=dialog], [role=menu]')) {
      const { left, right, top, bottom } = overlay.getBoundingClientRect();
      const isInside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      if (!isInside || overlay.scrollWidth > overlay.clientWidth)
        problems.push(`${overlay.role ?? overlay.tagName}: ${left} to ${right}, ${top} to ${bottom}`);
    }
    return problems;
  });
}

/** The problems that stay for two seconds, because React draws some parts a moment after a new width. */
async function layoutProblems(page: Page): Promise<string[]> {
  const deadline = Date.now() + 2_000;
  for (;;) {
    const problems = await problemsNow(page);
    if (problems.length === 0) return [];
    if (Date.now() > deadline) return [...problems, ...(await sidewaysScroll(page))];
    await page.waitForTimeout(50);
  }
}

/** At each width: nothing scrolls sideways, every name has room, nothing overlaps. */
async function expectGoodLayout(page: Page, at: readonly number[] = widths): Promise<void> {
  for (const width of at) {
    await page.setViewportSize({ width, height: 800 });
    expect(await layoutProblems(page), `${width} px`).to.deep.equal([]);
  }
}

/** Pixels between the top of the window and the first row of the list. */
async function topOfFirstRow(page: Page): Promise<number> {
  return (await page.getByRole('main').getByRole('listitem').first().boundingBox())?.y ?? Number.NaN;
}

/** Pixels of the window's height in which something keeps its place while the page, or the open dialog, scrolls. */
async function coveredHeight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const dialog = document.querySelector('dialog[open]');
    const scrolled = dialog ?? document.documentElement;
    scrolled.scrollTo(0, (scrolled.scrollHeight - scrolled.clientHeight) / 2);
    return Array.from({ length: innerHeight }, (_, y) => y).filter((y) => {
      let element = document.elementFromPoint(innerWidth / 2, y);
      while (element !== null && element !== dialog) {
        if (['fixed', 'sticky'].includes(getComputedStyle(element).position)) return true;
        element = element.parentElement;
      }
      return false;
    }).length;
  });
}

/** Controls that are less than 44 px high, with what enlarges them. Links within a text are as high as its lines. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, select, summary')];
    return controls.flatMap((control) => {
      const box = control.getBoundingClientRect();
      const isThere = control.checkVisibility() && box.bottom > 0 && box.width > 1;
      if (!isThere || getComputedStyle(control).display === 'inline') return [];
      const { content, height: around } = getComputedStyle(control, '::after');
      const height = Math.max(box.height, content === 'none' ? 0 : Number.parseFloat(around) || 0);
      return height >= 43.5 ? [] : [`${Math.round(height)} px: ${control.outerHTML.slice(0, 120)}`];
    });
  });
}

describe('from 320 to 1920 px', function () {
  this.timeout(240_000);
  const ids = { folder: '', pad: '', open: '', openPad: '', secret: '', secretPad: '', list: '' };
  const app = useApp();
  let ann: Person;
  let long: Person;
  let adminToken = '';

  before(async () => {
    const { fixture, etherpad } = app;
    ann = await fixture.person('ann');
    adminToken = await app.signInAsAdmin();
    const logins = [];
    for (const number of [1, 2, 3]) {
      const login = `averyverylongloginwithoutanyspace${Date.now() % 1e6}${number}`;
      const email = `${'averylonglocalpartofanaddress'.repeat(2)}${number}@${'department-of-something.'.repeat(4)}example.org`;
      const body = { login, email, password: 'correct horse battery' };
      const answer = await etherpad.api('POST', 'user', { body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      logins.push(login);
    }
    const [login = ''] = logins;
    long = { login, ...(await fixture.signIn(login)) };
    ids.folder = await fixture.group(ann, { name: longName, tags });
    await fixture.invite(ann, ids.folder, logins);
    ids.pad = await fixture.pad(ann, ids.folder, { name: longName, visibility: 'public', readonly: true });
    await fixture.pad(ann, ids.folder, { name: 'A pad with a name of forty characters on' });
    ids.open = await fixture.group(ann, { name: `${longName.slice(0, 36)} two`, visibility: 'public', tags });
    ids.openPad = await fixture.pad(ann, ids.open, { name: longName });
    ids.secret = await fixture.group(ann, { name: 'Secret', visibility: 'private', password: 'sesame' });
    ids.secretPad = await fixture.pad(ann, ids.secret, { name: longName });
    for (const key of [ids.folder, ids.open]) {
      await etherpad.api('POST', 'usermark', { token: ann.token, body: { type: 'groups', key } });
    }
    await etherpad.api('POST', 'usermark', { token: ann.token, body: { type: 'pads', key: ids.pad } });
    const list = await etherpad.api('POST', 'userlist', {
      token: ann.token,
      body: { name: longName, loginsOrEmails: logins },
    });
    ids.list = (list.body as { key: string }).key;
  });

  type Who = 'ann' | 'administrator' | undefined;
  /** Opens each path in one window of this person, and checks it. */
  async function checkPaths(
    who: Who,
    paths: Record<string, string>,
    check: (page: Page) => Promise<unknown>,
    screen: 'desktop' | 'phone' = 'desktop',
  ): Promise<void> {
    const person = { ...(who === 'ann' && { as: ann }), ...(who === 'administrator' && { adminToken }) };
    const { page, goTo } = await app.window({ ...person, screen });
    await checkEach(paths, async (path) => {
      await goTo(path);
      await check(page);
    });
  }

  it('lists and their forms: nothing scrolls sideways, every name has room, nothing overlaps', async () => {
    const check = async (page: Page): Promise<void> => {
      const start = longName.slice(0, 30);
      const main = page.locator('main');
      await main
        .getByText(start)
        .or(main.locator(`input[value^="${start}"]`))
        .first()
        .waitFor();
      await expectGoodLayout(page);
    };
    const folder = `/mypads/group/${ids.folder}`;
    const own = {
      'the folders': '/mypads',
      'a folder': `${folder}/view`,
      'the bookmarks': '/mybookmarks',
      'sharing a folder': `${folder}/user/invite`,
      'changing a folder': `${folder}/edit`,
      'moving pads': `${folder}/pad/move`,
      'the people lists': '/myuserlists',
      'changing a user list': `/myuserlists/${ids.list}/edit`,
    };
    await checkPaths('ann', own, check);
    await checkPaths(undefined, { 'a public folder': `/mypads/group/${ids.open}/view` }, check);
  });

  it('lists and forms have the layout of a narrower window when the browser has larger letters', async () => {
    const page = await app.open('/mypads', { as: ann });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const path of ['/mypads', `/mypads/group/${ids.folder}/view`, '/myprofile', '/mytrash']) {
      await app.goTo(path);
      await page.getByRole('button', { name: 'Menu' }).waitFor();
      await expectGoodLayout(page, [1280]);
    }
  });

  it('the folders in every language, beside the sidebar of a narrow window: the title and the buttons fit', async () => {
    const page = await app.open('/mypads', { as: ann, language: 'en', screen: { width: 900, height: 800 } });
    await heading(page, 'Folders').waitFor();
    for (const language of languageCodes) {
      await switchLanguage(page, language);
      for (const width of [900, 960]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await layoutProblems(page), `${language}, ${width} px`).to.deep.equal([]);
      }
    }
  });

  it('people with the longest addresses take a few lines each in “Share”', async () => {
    const page = await app.open(`/mypads/group/${ids.folder}/user/invite`, {
      as: ann,
      screen: { width: 320, height: 720 },
    });
    const rows = page.getByRole('list', { name: /^People in/ }).getByRole('listitem');
    await rows.first().waitFor();
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(heights).to.have.length.greaterThan(1);
    expect(Math.max(...heights)).to.be.at.most(130);
  });

  it('who can open it is in one column for folders and pads', async () => {
    const page = await app.open('/mybookmarks', { as: ann });
    for (const width of [1100, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const chips = page.locator('main [data-row]').getByText(/^(Restricted|Public)$/);
      await chips.nth(2).waitFor();
      const starts = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().left));
      expect(new Set(starts.map(Math.round)).size, starts.join(' ')).to.equal(1);
    }
  });

  it('a new name has the room of its row, also beside chips', async () => {
    const page = await app.open(`/mypads/group/${ids.folder}/view`, {
      as: ann,
      screen: { width: 320, height: 720 },
    });
    await page
      .getByRole('button', { name: /^More actions for Donau/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const field = page.getByRole('main').getByRole('textbox', { name: /name/i });
    await untilFocused(field);
    expect((await field.boundingBox())?.width).to.be.at.least(180);
  });

  it('dialogs stay inside the window', async () => {
    const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
    const dialogs: Record<string, [path: string, open?: (page: Page) => Promise<void>]> = {
      'removing a folder': [`/mypads/group/${ids.folder}/remove`],
      'removing a pad': [`/mypads/group/${ids.folder}/pad/remove/${ids.pad}`],
      'moving one pad': [`/mypads/group/${ids.folder}/pad/move?pads=${ids.pad}`],
      'removing a user list': [`/myuserlists/${ids.list}/remove`],
      'the palette': ['/mypads', (page) => page.keyboard.press('/')],
      'the shortcuts': ['/mypads', (page) => page.keyboard.press('?')],
      'the password': ['/myprofile', press('Change password')],
      'removing the account': ['/myprofile', press('Delete my account')],
    };
    const { page, goTo } = await app.window({ as: ann });
    await checkEach(dialogs, async ([path, open]) => {
      await goTo(path);
      await heading(page).waitFor();
      if (open !== undefined) {
        await page.getByRole('main').getByRole('button').first().waitFor();
        await open(page);
      }
      await page.getByRole('dialog').waitFor();
      await expectGoodLayout(page, narrowest);
    });
  });

  it('menus stay inside the window', async () => {
    const menus: Record<string, [path: string, button: string | RegExp]> = {
      'of a folder': [`/mypads/group/${ids.folder}/view`, 'More actions for this folder'],
      'of a row with a folder': ['/mypads', new RegExp(`^Actions for .*${longName}`)],
      'of a row with a pad': [`/mypads/group/${ids.folder}/view`, `More actions for ${longName}`],
      'of the sorting': ['/mypads', /^Sorted by/],
      'of the folders for a new pad': ['/mypads', /^(in |New pad in another)/],
    };
    const { page, goTo } = await app.window({ as: ann });
    await checkEach(menus, async ([path, button]) => {
      await goTo(path);
      for (const width of [320, 600, 900, 1200, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        await page.getByRole('main').getByRole('button', { name: button }).first().click();
        await page.getByRole('menu').waitFor();
        expect(await layoutProblems(page), `${width} px`).to.deep.equal([]);
        await page.keyboard.press('Escape');
      }
    });
  });

  it('menus and the buttons of a phone stay inside the window with text of 200 %', async () => {
    const page = await app.open('/mypads', { as: ann });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.addStyleTag({ content: ':root { font-size: 200% !important }' });
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Sorted by/ })
      .click();
    await page.getByRole('menu').waitFor();
    const beyond = await page
      .locator('main button, [role=menu]')
      .evaluateAll((all) =>
        all
          .map((one) => ({ name: one.textContent, ...one.getBoundingClientRect().toJSON() }))
          .filter(({ left, right }) => left < 0 || right > innerWidth),
      );
    expect(beyond).to.deep.equal([]);
  });

  it('what can be pressed on a touch screen is at least 44 px high', async () => {
    const check = async (page: Page): Promise<void> => {
      const content = page.locator('main').getByRole('listitem').or(page.locator('form')).first();
      await content.waitFor();
      expect(await smallTargets(page)).to.deep.equal([]);
    };
    const folder = `/mypads/group/${ids.folder}`;
    const ofGuest = {
      'the sign-in': '/login',
      'the registration': '/subscribe',
      'a public folder': `/mypads/group/${ids.open}/view`,
    };
    const ofAnn = {
      'the folders': '/mypads',
      'a folder': `${folder}/view`,
      'changing a folder': `${folder}/edit`,
      'sharing a folder': `${folder}/user/invite`,
      'moving pads': `${folder}/pad/move`,
      'changing a user list': `/myuserlists/${ids.list}/edit`,
      'the account': '/myprofile',
    };
    const ofAdministrators = {
      'all settings': '/admin',
      'all users': '/admin/users',
      'the checkup': '/admin/checkup',
    };
    await checkPaths(undefined, ofGuest, check, 'phone');
    await checkPaths('ann', ofAnn, check, 'phone');
    await checkPaths('administrator', ofAdministrators, check, 'phone');
  });

  it('a pad: its name keeps 200 px in the bar, or a quarter of a phone', async () => {
    const page = await app.open(`/mypads/group/${ids.folder}/pad/view/${ids.pad}`, { as: ann });
    await heading(page, longName).waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sidewaysScroll(page), `${width} px`).to.deep.equal([]);
      const room = (await heading(page).boundingBox())?.width ?? 0;
      expect(room, `${width} px`).to.be.at.least(Math.min(200, width / 4));
    }
  });

  it('the folders on a desktop: the first one stands within 160 px of the top', async () => {
    const page = await app.open('/mypads', { as: ann });
    await page.getByRole('main').getByRole('link', { name: longName, exact: true }).waitFor();
    expect(await topOfFirstRow(page)).to.be.at.most(160);
  });

  it('from 1024 px on, a row of a list is one line high, with the people in it, and its name has room', async () => {
    const members = await app.fixture.group(ann, { name: 'Choir', tags: ['events'] });
    await app.fixture.invite(ann, members, [long.login]);
    await app.fixture.pad(ann, members, { name: 'Minutes of the general meeting in May' });
    const page = await app.open('/mypads', { as: ann, screen: { width: 1024, height: 768 } });
    const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await row('Choir').getByRole('button', { name: 'Share “Choir”, 2 people' }).waitFor();
    expect((await row('Choir').boundingBox())?.height).to.be.at.most(53);
    expect(await sidewaysScroll(page)).to.deep.equal([]);
    await app.goTo(`/mypads/group/${members}/view`);
    for (const width of [1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 768 });
      const name = row('Minutes').getByRole('link');
      await name.waitFor();
      expect((await row('Minutes').boundingBox())?.height, `${width} px`).to.be.at.most(53);
      expect((await name.boundingBox())?.height, `${width} px`).to.be.at.most(24);
    }
  });

  it('a folder with tags and a description on a phone: the first pad stands within 300 px of the top', async () => {
    const description = 'Minutes and agendas of the board. Please keep one pad for each meeting.';
    const board = { name: 'Board minutes', tags: ['board', '2026'], description };
    const folder = await app.fixture.group(ann, board);
    await app.fixture.pad(ann, folder, { name: 'Agenda' });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ann, screen: 'phone' });
    await page.getByRole('main').getByRole('link', { name: 'Agenda' }).waitFor();
    expect(await topOfFirstRow(page)).to.be.at.most(300);
  });

  it('a folder on a phone: two lines of a long description, and all of it on request', async () => {
    const description = 'Please keep one pad for each meeting. '.repeat(10).trim();
    const folder = await app.fixture.group(ann, { name: 'Minutes', description });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ann, screen: 'phone' });
    const height = async (): Promise<number> =>
      (await page.getByText(description).boundingBox())?.height ?? 0;
    const more = page.getByRole('button', { name: 'Show more' });
    await more.waitFor();
    expect(await height()).to.be.below(50);
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(await height()).to.be.above(100);
  });

  it('a folder with forty tags on a phone: the first pad stands on the first screen, all tags on request', async () => {
    const tags = Array.from({ length: 40 }, (_, index) => `tag ${index + 1}`);
    const folder = await app.fixture.group(ann, { name: 'Protocols', tags });
    await app.fixture.pad(ann, folder, { name: 'Index' });
    const page = await app.open('/mypads', { as: ann });
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Protocols' });
    await row.getByText('+32').waitFor();
    expect((await row.getByRole('button', { name: 'tag 1' }).first().boundingBox())?.height).to.be.at.least(
      24,
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('main').getByRole('link', { name: 'Index' }).waitFor();
    expect(await topOfFirstRow(page)).to.be.at.most(400);
    await page.getByRole('button', { name: 'Show all 40 tags' }).click();
    await page.getByText('tag 40', { exact: true }).waitFor();
  });

  it('a folder on a small phone: no word of its name is broken', async () => {
    const words = await app.fixture.group(ann, { name: 'Board minutes' });
    const screen = { width: 320, height: 800 };
    const page = await app.open(`/mypads/group/${words}/view`, { as: ann, screen });
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
    const box = await heading(page, 'Board minutes').boundingBox();
    expect(box?.width, 'a line of its own').to.be.above(200);
    expect(box?.height, 'one line').to.be.below(40);
  });

  it('the account of a person with a long login and address: nothing scrolls sideways', async () => {
    const page = await app.open('/myprofile', { as: long });
    await page.getByRole('main').getByText(long.login).first().waitFor();
    await page.getByText('This browser').waitFor();
    await expectGoodLayout(page);
  });

  for (const language of ['en', 'he'] as const) {
    it(`all users on a small phone, ${language}: no address is cut off`, async () => {
      const page = await app.open('/admin/users', {
        adminToken,
        language,
        screen: { width: 320, height: 800 },
      });
      const address = page
        .getByRole('main')
        .getByTitle(/^averylonglocalpart/)
        .first();
      await address.waitFor();
      expect(await address.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).to.equal(0);
      expect((await address.boundingBox())?.height, 'several lines').to.be.above(40);
    });
  }

  it('in a window of 320 × 256 px, as at 400 %: what stays in its place while the rest scrolls covers less than a third', async () => {
    const page = await app.open('/mypads', { as: ann, screen: { width: 320, height: 256 } });
    await page.getByRole('button', { name: 'Select folders' }).click();
    expect(await coveredHeight(page), 'the folders').to.be.at.most(85);
    const boxes = page.getByLabel(/^Select Donau/);
    for (const box of await boxes.all()) await box.check({ force: true });
    await page.getByRole('region', { name: /selected$/ }).waitFor();
    expect(await coveredHeight(page), 'selected folders').to.be.at.most(85);
    await app.goTo(`/mypads/group/${ids.folder}/user/invite`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Add people', exact: true }).fill(ann.login);
    await dialog.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await coveredHeight(page), 'sharing').to.be.at.most(85);
  });

  it('the links to the pages of a long list stay inside a phone of 320 px', async () => {
    const { page } = await app.window({ adminToken, screen: { width: 320, height: 640 } });
    await page.route('**/api/admin/users?*', async (route) => {
      const response = await route.fetch({
        url: route
          .request()
          .url()
          .replace(/offset=\d+/, 'offset=0'),
      });
      await route.fulfill({ response, json: { ...(await response.json()), count: 5_000 } });
    });
    await app.goTo('/admin/users?page=50');
    const links = page.getByRole('navigation', { name: 'Pages of the list' }).getByRole('link');
    await links.first().waitFor();
    const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
    expect(Math.min(...boxes.map((box) => box?.x ?? -1))).to.be.at.least(0);
    expect(Math.max(...boxes.map((box) => (box?.x ?? 320) + (box?.width ?? 1)))).to.be.at.most(320);
    expect(new Set(boxes.map((box) => box?.y)).size, 'one line').to.equal(1);
  });

  it('the administration: nothing scrolls sideways, every name has room', () =>
    checkPaths(
      'administrator',
      {
        'all settings': '/admin',
        'the first steps': '/admin/first-steps?step=mail',
        'all users': '/admin/users',
        'making an account': '/admin/users/create',
        'all folders': '/admin/folders',
        'all pads': '/admin/pads',
        'the numbers': '/admin/numbers',
        'the checkup': '/admin/checkup',
        'the log': '/admin/log',
      },
      async (page) => {
        await page.locator('main').getByRole('listitem').or(page.locator('main form')).first().waitFor();
        await expectGoodLayout(page);
      },
    ));

  it('forms: nothing scrolls sideways, and every name has room', async () => {
    const check = async (page: Page): Promise<void> => {
      const content = page.locator('main').locator('input, a, button').or(page.getByRole('dialog'));
      await content.filter({ visible: true }).first().waitFor();
      await expectGoodLayout(page, narrowest);
    };
    const ofGuest = {
      'signing in': '/login',
      registering: '/subscribe',
      'a forgotten password': '/passrecover',
      'a link that does not work': `/passrecover/${'1'.repeat(64)}`,
      'the password of a folder': `/mypads/group/${ids.secret}/view`,
      'the password of a pad': `/mypads/group/${ids.secret}/pad/view/${ids.secretPad}`,
      'a refused folder': `/mypads/group/${ids.folder}/view`,
    };
    const ofAnn = {
      'a pad that does not exist': '/mypads/group/nothing/pad/view/nothing',
      'a new folder': '/mypads/group/add',
      'a new people list': '/myuserlists/add',
      'a new pad': `/mypads/group/${ids.folder}/pad/add`,
      'changing a pad': `/mypads/group/${ids.folder}/pad/edit/${ids.pad}`,
    };
    const ofAdministrators = {
      'changing an account': `/admin/users/${long.login}/edit`,
      'removing an account': `/admin/users/${long.login}/remove`,
    };
    await checkPaths(undefined, ofGuest, check);
    await checkPaths('ann', ofAnn, check);
    await checkPaths('administrator', ofAdministrators, check);
  });

  const editors: [string, (page: Page) => Promise<void>, () => string][] = [
    ['a public pad', async () => {}, () => `/mypads/group/${ids.open}/pad/view/${ids.openPad}`],
    [
      'a private pad that was unlocked',
      async (page) => {
        await page.getByLabel('Password', { exact: true }).fill('sesame');
        await page.keyboard.press('Enter');
      },
      () => `/mypads/group/${ids.secret}/pad/view/${ids.secretPad}`,
    ],
  ];
  for (const [name, enter, path] of editors) {
    it(`${name}, for a guest: the editor fills the rest of the window, or the whole window on request`, async () => {
      const page = await app.open(path());
      await enter(page);
      await untilEditorIsReady(page);
      const bottom = async (): Promise<number> => {
        const box = await page.locator('iframe').boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0);
      };
      for (const width of [320, 600, 900, 1100, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await bottom(), `${width} px`).to.be.closeTo(800, 1);
        expect(await sidewaysScroll(page), `${width} px`).to.deep.equal([]);
      }
      await page.getByRole('button', { name: 'Use the whole window' }).click();
      for (const width of [1920, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.locator('iframe').boundingBox()).to.include({ x: 0, y: 0, width, height: 800 });
      }
    });
  }
});
