/** Lists, forms and editors at widths from a small phone to a wide desktop, with the longest names and addresses. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { heading, sidewaysScroll, useApp } from '../support/browser';
import { untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

const widths = Array.from({ length: 41 }, (_, index) => 320 + 40 * index);
const longName = 'Donaudampfschifffahrtsgesellschaftskapit';
const tags = ['elections', 'a tag that is nearly forty characters on', 'board', 'archive', 'volunteers'];

/** Rows of lists whose name has too little room, or is covered by another part of the row. */
function rowProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
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
    return problems;
  });
}

/** At each width: nothing scrolls sideways, every name has room, nothing overlaps. */
async function expectGoodLayout(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const [sideways, rows] = await Promise.all([sidewaysScroll(page), rowProblems(page)]);
    expect([...sideways, ...rows], `${width} px`).to.deep.equal([]);
  }
}

describe('from 320 to 1920 px', function () {
  this.timeout(120_000);
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

  const lists: [string, () => string, 'ann' | undefined][] = [
    ['the folders', () => '/mypads', 'ann'],
    ['a folder', () => `/mypads/group/${ids.folder}/view`, 'ann'],
    ['the bookmarks', () => '/mybookmarks', 'ann'],
    ['sharing a folder', () => `/mypads/group/${ids.folder}/user/invite`, 'ann'],
    ['changing a folder', () => `/mypads/group/${ids.folder}/edit`, 'ann'],
    ['moving pads', () => `/mypads/group/${ids.folder}/pad/move`, 'ann'],
    ['the user lists', () => '/myuserlists', 'ann'],
    ['changing a user list', () => `/myuserlists/${ids.list}/edit`, 'ann'],
    ['a public folder, for a guest', () => `/mypads/group/${ids.open}/view`, undefined],
  ];
  for (const [name, path, as] of lists) {
    it(`${name}: nothing scrolls sideways, every name has room, nothing overlaps`, async () => {
      const page = await app.open(path(), { as: as && ann });
      const start = longName.slice(0, 30);
      const main = page.locator('main');
      await main
        .getByText(start)
        .or(main.locator(`input[value^="${start}"]`))
        .first()
        .waitFor();
      await expectGoodLayout(page);
    });
  }

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

  for (const [name, path] of [
    ['all settings', '/admin'],
    ['the first steps', '/admin/first-steps?step=mail'],
    ['all users', '/admin/users'],
    ['making an account', '/admin/users/create'],
    ['all folders', '/admin/folders'],
    ['all pads', '/admin/pads'],
    ['the numbers', '/admin/numbers'],
    ['the checkup', '/admin/checkup'],
    ['the log', '/admin/log'],
  ] as const) {
    it(`${name}, for a server administrator: nothing scrolls sideways, every name has room`, async () => {
      const page = await app.open(path, { adminToken });
      await page.locator('main').getByRole('listitem').or(page.locator('main form')).first().waitFor();
      await expectGoodLayout(page);
    });
  }

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
