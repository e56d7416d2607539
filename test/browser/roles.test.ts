/** What each role is shown of folders and pads, as a table. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Visibility } from '../../model/store/entities';
import { useApp } from '../support/browser';
import { checkEach } from '../support/cases';
import { untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';

/** `unlocked`: has typed the password of the private folder. `writer`: a member where members may create pads. */
type Role = 'guest' | 'unlocked guest' | 'user' | 'unlocked user' | 'reader' | 'member' | 'writer' | 'admin';

/** What is shown in place of the folder or pad, or the folder or pad itself. */
type Shown = 'password' | 'sign in' | 'refused' | 'open';

/** test/host/padRoutes.test.ts has every visibility for each role. */
const rows: readonly [role: Role, visibility: Visibility, shown: Shown][] = [
  ['guest', 'public', 'open'],
  ['guest', 'private', 'password'],
  ['guest', 'restricted', 'sign in'],
  ['unlocked guest', 'private', 'open'],
  ['user', 'public', 'open'],
  ['user', 'private', 'password'],
  ['user', 'restricted', 'refused'],
  ['unlocked user', 'private', 'open'],
  ['reader', 'restricted', 'open'],
  ['member', 'restricted', 'open'],
  ['writer', 'restricted', 'open'],
  ['admin', 'restricted', 'open'],
];

/** What is offered on the screen of a folder that is open. */
interface Offer {
  bookmarks: boolean;
  newPad: boolean;
  /** Items of the folder's menu; empty without the menu. */
  folder: readonly string[];
  /** Items of the menu of a pad, without the exports. */
  pad: readonly string[];
  people: 'nobody' | 'logins' | 'names and addresses';
}

const reading = ['Open in new tab', 'Share'];
const ofGuest: Offer = { bookmarks: false, newPad: false, folder: [], pad: reading, people: 'nobody' };
const ofUser: Offer = { ...ofGuest, bookmarks: true, people: 'logins' };
const ofMember: Offer = { ...ofUser, folder: ['Export', 'Leave folder'] };
const offered: Readonly<Record<Role, Offer>> = {
  guest: ofGuest,
  'unlocked guest': ofGuest,
  user: ofUser,
  'unlocked user': ofUser,
  reader: ofMember,
  member: ofMember,
  writer: {
    ...ofMember,
    newPad: true,
    folder: ['New pad with settings', 'Import', 'Export', 'Leave folder'],
    pad: [...reading, 'Duplicate'],
  },
  admin: {
    bookmarks: true,
    newPad: true,
    folder: [
      'New pad with settings',
      'Import',
      'Edit folder',
      'Move pads',
      'Export',
      'Hand over folder',
      'Delete folder',
    ],
    pad: [
      ...reading,
      'Rename',
      'Pad settings',
      'Duplicate',
      'Use as template',
      'Move to another folder',
      'Delete chat history',
      'Delete pad',
    ],
    people: 'names and addresses',
  },
};

describe('the roles', function () {
  this.timeout(180_000);
  const app = useApp();
  const people: Partial<Record<Role, Person>> = {};
  const ids = {} as Record<Visibility | 'writers', { folder: string; pad: string }>;

  before(async () => {
    const { fixture } = app;
    const admin = await fixture.person('ada');
    const member = await fixture.person('mia');
    const reader = await fixture.person('rea');
    Object.assign(people, {
      admin,
      reader,
      member,
      writer: member,
      user: await fixture.person('uma'),
      'unlocked user': await fixture.person('una'),
    });
    for (const [kind, fields] of [
      ['public', { visibility: 'public' }],
      ['private', { visibility: 'private', password: 'sesame' }],
      ['restricted', {}],
      ['writers', { allowUsersToCreatePads: true }],
    ] as const) {
      const folder = await fixture.group(admin, { name: kind, ...fields });
      const members = { users: [member.login], readers: [reader.login] };
      await fixture.change(admin, `group/${folder}/members`, members);
      ids[kind] = { folder, pad: await fixture.pad(admin, folder, { name: 'Minutes' }) };
    }
  });

  /** Opens the folder or a pad in it in a new window. Who has unlocked the private folder types its password. */
  async function open(role: Role, visibility: Visibility, what: 'folder' | 'pad'): Promise<Page> {
    const { folder, pad } = ids[role === 'writer' ? 'writers' : visibility];
    const end = what === 'folder' ? 'view' : `pad/view/${pad}`;
    const who = people[role];
    // A new session, in which no password was typed yet.
    const as = who && { ...who, ...(await app.fixture.signIn(who.login)) };
    const page = await app.open(`/mypads/group/${folder}/${end}`, as ? { as } : {});
    if (role.startsWith('unlocked') && visibility === 'private') {
      await page.locator('main input[type="password"]').fill('sesame');
      await page.keyboard.press('Enter');
    }
    return page;
  }

  /** Waits for what is shown, and fails after a while if it is something else. */
  async function expectShown(page: Page, shown: Shown, what: 'folder' | 'pad'): Promise<void> {
    const main = page.getByRole('main');
    if (shown === 'password')
      await main.getByRole('heading', { name: `This ${what} is password-protected` }).waitFor();
    if (shown === 'sign in') await main.getByText(/^Sign in to (see|open) this/).waitFor();
    if (shown === 'refused') await main.getByText(`This ${what} is not shared with you`).waitFor();
    if (shown === 'open' && what === 'folder') await main.getByRole('link', { name: 'Minutes' }).waitFor();
    if (shown === 'open' && what === 'pad') await untilEditorIsReady(page);
    if (shown !== 'open') expect(await main.locator('iframe, [data-row]').count()).to.equal(0);
  }

  async function itemsOf(page: Page, menu: string): Promise<string[]> {
    const button = page.getByRole('main').getByRole('button', { name: menu });
    if ((await button.count()) === 0) return [];
    await button.click();
    const items = (await page.getByRole('menuitem').allTextContents()).filter(
      (item) => !/\(\.\w+\)$/.test(item),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    return items;
  }

  async function offerOf(page: Page): Promise<Offer> {
    const main = page.getByRole('main');
    const shows = async (text: string | RegExp): Promise<boolean> => (await main.getByText(text).count()) > 0;
    const logins = await shows(/^ada\d+$/);
    const [names, addresses] = [await shows('ada Test'), await shows('@example.org')];
    expect(names, 'addresses').to.equal(addresses);
    const stars = await main.getByRole('button', { name: /^Bookmark/ }).count();
    expect(stars, 'stars of folder and pad').to.be.oneOf([0, 2]);
    expect(await main.getByRole('button', { name: /^Share/ }).count(), 'Share').to.equal(1);
    expect(await shows('Guests do not see who belongs to this folder.')).to.equal(!logins);
    return {
      bookmarks: stars > 0,
      newPad: (await main.getByRole('button', { name: 'New pad' }).count()) > 0,
      folder: await itemsOf(page, 'More actions for this folder'),
      pad: await itemsOf(page, 'More actions for Minutes'),
      people: names ? 'names and addresses' : logins ? 'logins' : 'nobody',
    };
  }

  const cases = rows.map((row) => [row.slice(0, 2).join(', '), row] as const);

  it('are shown a folder, or a question for its password, or why they may not see it', () =>
    checkEach(cases, async ([role, visibility, wanted]) => {
      const page = await open(role, visibility, 'folder');
      await expectShown(page, wanted, 'folder');
      if (wanted === 'open') expect(await offerOf(page)).to.deep.equal(offered[role]);
      await app.close();
    }));

  it('are shown a pad, or a question for its password, or why they may not open it', () =>
    checkEach(
      cases.filter(([, [role]]) => ['guest', 'unlocked guest', 'user', 'reader'].includes(role)),
      async ([role, visibility, wanted]) => {
        await expectShown(await open(role, visibility, 'pad'), wanted, 'pad');
        await app.close();
      },
    ));
});
