/** Screens of folders, pads and user lists. */
import type { SampleData } from './sampleData';
import { pressKey, type Shot, selectRows } from './shot';

const group = ({ board }: SampleData): string => `/mypads/group/${board._id}`;

export const folderShots: readonly Shot[] = [
  { name: 'folders', path: '/mypads', full: true, guide: 'folders', docs: { width: 1440, height: 800 } },
  { name: 'folders-by-tags', path: '/mypads&role=admin&tag=board&tag=2026' },
  {
    name: 'folders-found-pads',
    path: '/mypads&q=min',
    act: (page) => page.locator('main section').last().locator('[aria-haspopup=menu]').first().click(),
  },
  { name: 'folders-empty', path: '/mypads', as: 'newcomer' },
  { name: 'folders-nothing', path: '/mypads&q=zebra&visibility=public' },
  {
    name: 'folders-menu',
    path: '/mypads',
    act: async (page) => page.locator('main ul li [aria-haspopup=menu]').nth(1).click(),
  },
  { name: 'folders-selected', path: '/mypads', act: (page) => selectRows(page, [1, 3], true) },
  { name: 'bookmarks', path: '/mybookmarks' },
  { name: 'user-lists', path: '/myuserlists' },
  { name: 'user-lists-empty', path: '/myuserlists', as: 'newcomer' },
  {
    name: 'user-list-edit',
    path: ({ list }) => `/myuserlists/${list}/edit`,
    act: (page) => page.getByRole('combobox').fill('f'),
  },
  { name: 'user-list-remove', path: ({ list }) => `/myuserlists/${list}/remove` },
  { name: 'folder-add', path: '/mypads/group/add', full: true },
  { name: 'folder-edit', path: (data) => `${group(data)}/edit`, full: true },
  { name: 'folder-view', path: (data) => `${group(data)}/view`, full: true },
  { name: 'folder-locked', path: ({ secret }) => `/mypads/group/${secret._id}/view`, as: 'guest' },
  { name: 'folder-guest', path: ({ open }) => `/mypads/group/${open._id}/view`, as: 'guest', full: true },
  { name: 'folder-denied', path: (data) => `${group(data)}/view`, as: 'guest' },
  {
    name: 'share-changes',
    path: (data) => `${group(data)}/user/invite`,
    act: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.locator('label:has(input[value="private"])').click();
      await dialog.getByLabel('Amaru Quispe').selectOption('removed');
      await dialog.getByRole('combobox').first().fill('nobody@example.org, fest');
    },
  },
  { name: 'share-member', path: ({ board }) => `/mypads/group/${board._id}/user/invite`, as: 'member' },
  { name: 'pad-add', path: (data) => `${group(data)}/pad/add`, full: true },
  { name: 'pad-edit', path: (data) => `${group(data)}/pad/edit/${data.minutes._id}`, full: true },
  { name: 'pad-move', path: (data) => `${group(data)}/pad/move` },
  { name: 'search', path: '/mysearch&q=budget' },
  { name: 'search-start', path: '/mysearch' },
  { name: 'search-nothing', path: '/mysearch&q=zebra' },
  {
    name: 'new-pad-template',
    path: (data) => `${group(data)}/view`,
    act: async (page) => {
      await page.locator('main [aria-haspopup=menu]').filter({ hasText: /./ }).first().click();
    },
  },
  {
    name: 'palette-texts',
    path: '/mypads',
    act: async (page) => {
      await pressKey(page, '/');
      await page.getByRole('combobox').fill('budget');
      await page.locator('[role=option]').nth(2).waitFor();
    },
  },
  {
    name: 'palette-search',
    guide: 'palette',
    path: '/mypads',
    act: async (page) => {
      await pressKey(page, '/');
      await page.getByRole('combobox').fill('m');
      // Pads come after folders and commands.
      await page.locator('[role=option]', { hasText: 'Minutes of the meeting' }).first().waitFor();
    },
  },
  {
    name: 'shortcuts',
    path: '/mypads',
    act: async (page) => {
      await pressKey(page, '?');
      await page.locator('dialog dl').waitFor();
    },
  },
  {
    name: 'rename',
    path: (data) => `${group(data)}/view`,
    act: async (page) => {
      await page.locator('main [data-row] a').first().focus();
      await page.keyboard.press('e');
      await page.locator('main [data-row] input:not([type=checkbox])').waitFor();
    },
  },
  {
    name: 'rail',
    path: '/mypads',
    act: async (page) => {
      const fold = page.locator('[data-fold]').first();
      if (await fold.isVisible()) await fold.click();
    },
  },
  { name: 'pad-view', path: (data) => `${group(data)}/pad/view/${data.minutes._id}` },
];
