/** Menus, dialogs, and what is shown while something is loaded, was refused, or failed; and the longest names. */
import type { SampleData } from './sampleData';
import {
  failing,
  openRowMenu,
  openSharing,
  pressKey,
  type Shot,
  selectRows,
  unanswered,
  withSettings,
} from './shot';

const group = ({ board }: SampleData): string => `/mypads/group/${board._id}`;
const folder = (data: SampleData): string => `${group(data)}/view`;
const pad = (data: SampleData): string => `${group(data)}/pad/view/${data.minutes._id}`;

const cas = {
  signInMethods: [
    { method: 'cas', name: 'cas.example.org', proof: 'redirect', url: 'https://cas.example.org/login' },
    { method: 'oidc', provider: 'school', name: 'Example school', proof: 'redirect', url: 'oidc/school' },
    { method: 'internal', proof: 'typed' },
  ],
};

const signedOut: readonly Shot[] = [
  {
    name: 'login-starting',
    path: '/login',
    waiting: true,
    before: (page) =>
      page.route('**/api/cache/check', (route) => route.fulfill({ json: { userCacheReady: false } })),
    act: (page) => page.locator('[role=status] svg').waitFor(),
  },
  { name: 'login-cas', path: '/login', before: (page) => withSettings(page, cas) },
  {
    name: 'login-cas-refused',
    path: '/login&ticket=ST-1',
    async before(page) {
      // As in a tab that has gone to CAS: only there, a ticket is used.
      await page.addInitScript(() => sessionStorage.setItem('mypads_return', '/'));
      await withSettings(page, cas);
    },
    act: (page) => page.locator('[role=alert] svg').waitFor(),
  },
  {
    name: 'subscribe-closed',
    path: '/subscribe',
    before: (page) => withSettings(page, { openRegistration: false }),
  },
  {
    name: 'recovery-sent',
    path: '/passrecover',
    before: (page) => page.route('**/api/passrecover', (route) => route.fulfill({ json: { success: true } })),
    act: async (page) => {
      await page.fill('input[type=email], input[autocomplete=email]', 'ada@example.org');
      await page.click('button[type=submit]');
    },
  },
  { name: 'not-found-guest', path: '/nowhere' },
  {
    name: 'pad-guest',
    path: ({ open, openPad }) => `/mypads/group/${open._id}/pad/view/${openPad._id}`,
  },
  {
    name: 'pad-guest-expanded',
    path: ({ open, openPad }) => `/mypads/group/${open._id}/pad/view/${openPad._id}`,
    act: (page) => page.locator('header [data-expand]').dispatchEvent('click'),
  },
  {
    name: 'pad-locked',
    path: ({ secret, secretPad }) => `/mypads/group/${secret._id}/pad/view/${secretPad._id}`,
    act: async (page) => {
      await page.fill('input[type=password]', 'wrong');
      await page.keyboard.press('Enter');
      await page.locator('[role=alert] svg').first().waitFor();
    },
  },
  { name: 'pad-denied', path: pad },
  {
    name: 'share-guest',
    path: ({ open }) => `/mypads/group/${open._id}/view`,
    act: openSharing,
  },
];

const lists: readonly Shot[] = [
  {
    name: 'folders-sort',
    path: '/mypads',
    act: (page) => page.locator('main button:has(.lucide-arrow-up)').click(),
  },
  {
    name: 'folders-tags',
    path: '/mypads',
    act: async (page) => {
      await selectRows(page, [1]);
      await page.locator('[data-selection] button:has(.lucide-tag)').click();
      await page.locator('dialog').waitFor();
    },
  },
  { name: 'folders-member', path: '/mypads', as: 'member' },
  {
    name: 'folders-loading',
    path: '/mypads',
    waiting: true,
    before: (page) => unanswered(page, 'overview'),
  },
  { name: 'folders-failed', path: '/mypads', before: (page) => failing(page, 'overview') },
  {
    name: 'folders-offline',
    path: '/mypads',
    act: async (page, data) => {
      await page.route('**/api/**', (route) => route.abort());
      await page.locator(`main a[href*="${data.board._id}"]`).click();
      await page.locator('div[role=status] > p').waitFor();
    },
  },
  {
    name: 'session-ended',
    path: '/mypads',
    waiting: true,
    act: async (page, data) => {
      const json = { error: 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH' };
      await page.route('**/api/**', (route) => route.fulfill({ status: 401, json }));
      await page.locator(`main a[href*="${data.board._id}"]`).click();
      await page.locator('dialog input[type=password]').waitFor();
    },
  },
  {
    name: 'toast-failed',
    path: '/mypads',
    before: (page) => failing(page, 'usermark'),
    act: (page) => page.locator('main [data-row] button[aria-pressed]').first().click(),
  },
  {
    name: 'toast-dialog',
    path: ({ board }) => `/mypads/group/${board._id}/view`,
    before: (page) => failing(page, 'usermark'),
    act: async (page) => {
      await page.locator('main button[aria-pressed]').first().click();
      await page.getByRole('alert').getByRole('button').waitFor();
      await page
        .getByRole('button', { name: /^Share/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'bookmarks-empty', path: '/mybookmarks', as: 'newcomer' },
  { name: 'user-list-add', path: '/myuserlists/add' },
  {
    name: 'palette-nothing',
    path: '/mypads',
    act: async (page) => {
      await pressKey(page, '/');
      await page.getByRole('combobox').fill('zebra');
    },
  },
  {
    name: 'account-saved',
    path: '/myprofile',
    as: 'newcomer',
    act: (page) => page.locator('main form button[type=submit]').first().click(),
  },
  {
    name: 'account-email',
    path: '/myprofile',
    act: (page) => page.locator('main dl button').first().click(),
  },
];

const foldersAndPads: readonly Shot[] = [
  {
    name: 'folder-menu',
    path: folder,
    act: (page) => page.getByRole('button', { name: 'More actions for this folder' }).click(),
  },
  { name: 'folder-empty', path: ({ empty }) => `/mypads/group/${empty._id}/view`, as: 'member' },
  { name: 'folder-nothing', path: (data) => `${folder(data)}&q=zebra` },
  { name: 'folder-member', path: folder, as: 'member', full: true },
  {
    name: 'folder-leave',
    path: folder,
    as: 'member',
    act: async (page) => {
      await page.getByRole('button', { name: 'More actions for this folder' }).click();
      await page.locator('[role=menuitem]').last().click();
    },
  },
  { name: 'folder-loading', path: folder, waiting: true, before: (page) => unanswered(page, 'group/*') },
  { name: 'folder-failed', path: folder, before: (page) => failing(page, 'group/*') },
  {
    name: 'folder-add-private',
    path: '/mypads/group/add',
    full: true,
    act: async (page) => {
      await page.locator('main label:has([type=radio])').nth(1).click();
      await page.locator('main form button[type=submit]').click();
    },
  },
  { name: 'pads-selected', path: folder, act: (page) => selectRows(page, [1, 2]) },
  { name: 'pad-row-menu', path: folder, act: (page) => openRowMenu(page, 1) },
  { name: 'pad-move-one', path: (data) => `${group(data)}/pad/move&pads=${data.minutes._id}` },
  { name: 'pad-remove', path: (data) => `${group(data)}/pad/remove/${data.minutes._id}` },
  { name: 'pad-remove-chat', path: (data) => `${group(data)}/pad/remove/chat/history/${data.minutes._id}` },
  {
    name: 'pad-add-own',
    path: (data) => `${group(data)}/pad/add`,
    full: true,
    act: async (page) => {
      await page.locator('main form input[type=checkbox]').click();
      await page.locator('main label:has([type=radio])').nth(1).click();
    },
  },
  {
    name: 'pad-menu',
    path: pad,
    act: (page) => page.locator('main header [aria-haspopup=menu]').last().click(),
  },
  {
    name: 'pad-siblings',
    path: pad,
    act: (page) => page.locator('main header [aria-haspopup=menu]').first().click(),
  },
  { name: 'pad-rename', path: pad, act: (page) => page.locator('main header h1 button').click() },
];

const longest: readonly Shot[] = [
  { name: 'long-folders', path: '/mypads', full: true },
  {
    name: 'long-folder',
    path: ({ longFolder }) => `/mypads/group/${longFolder._id}/view`,
    full: true,
  },
  {
    name: 'long-folder-menu',
    path: ({ longFolder }) => `/mypads/group/${longFolder._id}/view`,
    act: (page) => openRowMenu(page, 0),
  },
  {
    name: 'long-share',
    path: ({ longFolder }) => `/mypads/group/${longFolder._id}/user/invite`,
  },
  {
    name: 'long-pad',
    path: ({ longFolder, longPad }) => `/mypads/group/${longFolder._id}/pad/view/${longPad._id}`,
  },
  { name: 'long-remove', path: ({ longFolder }) => `/mypads/group/${longFolder._id}/remove` },
  { name: 'long-account', path: '/myprofile', full: true },
  {
    name: 'long-palette',
    path: '/mypads',
    act: async (page) => {
      await pressKey(page, '/');
      await page.locator('[role=option]').first().waitFor();
    },
  },
];

const asGuest = signedOut.map((shot): Shot => ({ as: 'guest', ...shot }));
const ofLongNames = longest.map((shot): Shot => ({ as: 'long', ...shot }));
export const stateShots: readonly Shot[] = [...asGuest, ...lists, ...foldersAndPads, ...ofLongNames];
