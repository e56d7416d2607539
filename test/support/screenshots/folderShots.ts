/** Screens of folders, pads and user lists. */
import type { SampleData } from './sampleData';
import { pressKey, type Shot, selectRows } from './shot';

const group = ({ board }: SampleData): string => `/mypads/group/${board._id}`;

export const folderShots: readonly Shot[] = [
  {
    name: 'folders',
    path: () => '/mypads',
    as: 'me',
    full: true,
    guide: 'folders',
    docs: { width: 1440, height: 800 },
  },
  { name: 'folders-by-tags', path: () => '/mypads&role=admin&tag=board&tag=2026', as: 'me' },
  {
    name: 'folders-found-pads',
    path: () => '/mypads&q=min',
    as: 'me',
    act: (page) => page.locator('main section').last().locator('[aria-haspopup=menu]').first().click(),
  },
  { name: 'folders-empty', path: () => '/mypads', as: 'newcomer' },
  { name: 'folders-nothing', path: () => '/mypads&q=zebra&visibility=public', as: 'me' },
  {
    name: 'folders-menu',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => page.locator('main ul li [aria-haspopup=menu]').nth(1).click(),
  },
  {
    name: 'folders-selected',
    path: () => '/mypads',
    as: 'me',
    act: (page) => selectRows(page, [1, 3], true),
  },
  {
    name: 'folders-remove',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await page.locator('main ul li [aria-haspopup=menu]').nth(2).click();
      await page.locator('[role=menuitem]').last().click();
    },
  },
  { name: 'bookmarks', path: () => '/mybookmarks', as: 'me' },
  { name: 'user-lists', path: () => '/myuserlists', as: 'me' },
  { name: 'user-lists-empty', path: () => '/myuserlists', as: 'newcomer' },
  {
    name: 'user-list-edit',
    path: ({ list }) => `/myuserlists/${list}/edit`,
    as: 'me',
    act: (page) => page.getByRole('combobox').fill('f'),
  },
  { name: 'user-list-remove', path: ({ list }) => `/myuserlists/${list}/remove`, as: 'me' },
  { name: 'folder-add', path: () => '/mypads/group/add', as: 'me', full: true },
  { name: 'folder-edit', path: (data) => `${group(data)}/edit`, as: 'me', full: true },
  { name: 'folder-view', path: (data) => `${group(data)}/view`, as: 'me', full: true },
  { name: 'folder-locked', path: ({ secret }) => `/mypads/group/${secret._id}/view` },
  { name: 'folder-guest', path: ({ open }) => `/mypads/group/${open._id}/view`, full: true },
  { name: 'folder-denied', path: (data) => `${group(data)}/view` },
  { name: 'share', path: (data) => `${group(data)}/user/invite`, as: 'me' },
  {
    name: 'share-changes',
    path: (data) => `${group(data)}/user/invite`,
    as: 'me',
    act: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.locator('label:has(input[value="private"])').click();
      await dialog.getByLabel('Amaru Quispe').selectOption('removed');
      await dialog.getByRole('combobox').first().fill('nobody@example.org, fest');
    },
  },
  {
    name: 'share-links',
    path: (data) => `${group(data)}/user/invite`,
    as: 'me',
    act: async (page) => {
      await page.locator('dialog [data-links]').click();
      const links = page.getByRole('dialog').last();
      await links.locator('input[name=label]').fill('Parents of 5b');
      await links.locator('button[type=submit]').click();
      await links.locator('ul li').first().waitFor();
    },
  },
  {
    name: 'share-member',
    path: ({ board }) => `/mypads/group/${board._id}/user/invite`,
    as: 'member',
  },
  {
    name: 'who-can-open',
    path: (data) => `${group(data)}/pad/view/${data.minutes._id}`,
    as: 'me',
    act: async (page) => {
      await page.locator('main header button[aria-haspopup=dialog]').click();
      await page.locator('dialog form').waitFor();
      await page.locator('dialog [data-who]').click();
      await page.locator('dialog li').first().waitFor();
    },
  },
  {
    name: 'share-pad',
    path: (data) => `${group(data)}/pad/view/${data.minutes._id}`,
    as: 'me',
    act: (page) => page.locator('main header button[aria-haspopup=dialog]').click(),
  },
  { name: 'pad-add', path: (data) => `${group(data)}/pad/add`, as: 'me', full: true },
  {
    name: 'pad-edit',
    path: (data) => `${group(data)}/pad/edit/${data.minutes._id}`,
    as: 'me',
    full: true,
  },
  { name: 'pad-move', path: (data) => `${group(data)}/pad/move`, as: 'me' },
  { name: 'search', path: () => '/mysearch&q=budget', as: 'me' },
  { name: 'search-start', path: () => '/mysearch', as: 'me' },
  { name: 'search-nothing', path: () => '/mysearch&q=zebra', as: 'me' },
  {
    name: 'new-pad-template',
    path: (data) => `${group(data)}/view`,
    as: 'me',
    act: async (page) => {
      await page.locator('main [aria-haspopup=menu]').filter({ hasText: /./ }).first().click();
    },
  },
  {
    name: 'palette-texts',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await pressKey(page, '/');
      await page.getByRole('combobox').fill('budget');
      await page.locator('[role=option]').nth(2).waitFor();
    },
  },
  {
    name: 'palette',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await pressKey(page, '/');
      await page.locator('[role=option]').first().waitFor();
    },
  },
  {
    name: 'palette-search',
    guide: 'palette',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await pressKey(page, '/');
      await page.getByRole('combobox').fill('m');
      // Pads come after folders and commands.
      await page.locator('[role=option]', { hasText: 'Minutes of the meeting' }).first().waitFor();
    },
  },
  {
    name: 'shortcuts',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await pressKey(page, '?');
      await page.locator('dialog dl').waitFor();
    },
  },
  {
    name: 'rename',
    path: (data) => `${group(data)}/view`,
    as: 'me',
    act: async (page) => {
      await page.locator('main [data-row] a').first().focus();
      await page.keyboard.press('e');
      await page.locator('main [data-row] input:not([type=checkbox])').waitFor();
    },
  },
  {
    name: 'rail',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => {
      const fold = page.locator('[data-fold]').first();
      if (await fold.isVisible()) await fold.click();
    },
  },
  { name: 'pad-view', path: (data) => `${group(data)}/pad/view/${data.minutes._id}`, as: 'me' },
];
