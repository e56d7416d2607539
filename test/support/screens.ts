/** The screens of the app, and how a test comes to each of them. */
import type { Page } from 'playwright-core';
import { heading } from './browser';
import { type Person, password } from './hostFixture';

export interface Screen {
  name: string;
  /** `ann` administers the folders, `bob` belongs to none, `admin` administers the server; otherwise a guest. */
  as?: 'ann' | 'bob' | 'admin';
  path: () => string;
  /** Waits until the screen is complete, in any language. */
  ready: (page: Page) => Promise<unknown>;
  /** Settings of the server that the screen needs. They get their defaults back afterwards. */
  settings?: Readonly<Record<string, unknown>>;
  /**
   * Has parts that a phone lays out in another way or leaves out: everything is checked on a desktop too. That is in
   * dark colours, because the light ones are those on a phone; `in both`: of parts that only a desktop has, too.
   */
  wide?: 'in dark' | 'in both';
  /** What the person does on the screen before it is checked. */
  act?: (page: Page) => Promise<unknown>;
}

/** Who uses the screens, and the ids of what they show. The test that opens the screens makes them. */
export const people: Partial<Record<'ann' | 'bob', Person>> = {};
export const ids = {
  folder: '',
  empty: '',
  locked: '',
  open: '',
  pad: '',
  lockedPad: '',
  readonly: '',
  list: '',
};

const folder =
  (rest: string, id: keyof typeof ids = 'folder') =>
  () =>
    `/mypads/group/${ids[id]}/${rest}`;
const padScreen = (screen: 'view' | 'edit', pad: 'pad' | 'readonly') => () =>
  `/mypads/group/${ids.folder}/pad/${screen}/${ids[pad]}`;
const links = (page: Page) => page.getByRole('main').getByRole('link').first().waitFor();
const main = (page: Page) => heading(page).waitFor();
const article = (page: Page) => page.locator('article h2').first().waitFor();
const selectFirst = async (page: Page): Promise<void> => {
  await page.locator('main button[aria-pressed]:has(.lucide-square-check)').click();
  await page.getByRole('listitem').getByRole('checkbox').first().check({ force: true });
};
/** Selects the first row, and presses the button with this icon in the bar of the selection. */
const askAboutSelected = async (page: Page, icon: string): Promise<void> => {
  await selectFirst(page);
  await page.locator(`[data-selection] button:has(${icon})`).click();
  await page.getByRole('dialog').waitFor();
};
const radio = (page: Page) => page.getByRole('main').getByRole('radio').first().waitFor();
const sharing = (page: Page) => page.locator('dialog [data-who]').waitFor();
const field = (page: Page) => page.getByRole('main').getByRole('textbox').first().waitFor();
const listItem = (page: Page) => page.getByRole('main').getByRole('listitem').first().waitFor();
const frame = (page: Page) => page.locator('iframe').waitFor();
const summary = (page: Page) => page.locator('main summary').waitFor();
const passwordField = (page: Page) => page.locator('input[type="password"]').waitFor();
const dialog = (page: Page) => page.getByRole('dialog').waitFor();

/** Without `ready`, a screen is complete when it has a link. */
type Entry = Omit<Screen, 'ready'> & Partial<Pick<Screen, 'ready'>>;

const entries: readonly Entry[] = [
  { name: 'signing in', wide: 'in dark', path: () => '/login', ready: field },
  {
    name: 'registering, with errors',
    path: () => '/subscribe',
    ready: field,
    act: (page) => page.getByRole('main').locator('button[type="submit"]').click(),
  },
  { name: 'registering where it is closed', path: () => '/subscribe', settings: { openRegistration: false } },
  {
    name: 'setting up a second step',
    path: () => '/login',
    settings: { secondFactor: 'everybody', rootUrl: 'https://pads.example.org' },
    ready: field,
    act: async (page) => {
      await page.locator('main input').first().fill(String(people.bob?.login));
      await page.locator('main input[type=password]').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('dialog svg[role=img]').waitFor();
    },
  },
  { name: 'asking for a link to choose a password', path: () => '/passrecover', ready: main },
  {
    name: 'choosing a password with a link that does not work',
    path: () => `/passrecover/${'1'.repeat(64)}`,
  },
  {
    name: 'confirming an address with a link that does not work',
    path: () => `/accountconfirm/${'1'.repeat(64)}`,
  },
  { name: 'the guide', wide: 'in dark', path: () => '/help' },
  { name: 'a page of the guide', wide: 'in dark', path: () => '/help/access', ready: article },
  { name: 'a page of the guide for a person', as: 'ann', path: () => '/help/sharing', ready: article },
  { name: 'the search in the guide', path: () => '/help?q=password' },
  { name: 'the search in the guide, without a match', path: () => '/help?q=zzzz', ready: main },
  { name: 'a link to a folder that does not work', path: () => '/s/unknown' },
  { name: 'an invitation that has ended', path: () => '/invitation/unknown' },
  { name: 'no more invitations', path: () => '/noinvitations/unknown', ready: main },
  {
    name: 'the links to a folder',
    as: 'ann',
    path: folder('user/invite'),
    ready: sharing,
    act: async (page) => {
      await page.locator('dialog [data-links]').click();
      const dialog = page.locator('dialog').last();
      await dialog.locator('input[name=label]').fill('A label that is as long as a label may be');
      await dialog.locator('button[type=submit]').click();
      await dialog.locator('ul li').first().waitFor();
    },
  },
  {
    name: 'sharing a pad that is shared alone, with requests and invitations',
    as: 'ann',
    path: padScreen('view', 'pad'),
    ready: frame,
    act: async (page) => {
      await page.locator('main header button[aria-haspopup=dialog]').click();
      const lists = page.locator('dialog form ul');
      await lists.nth(2).waitFor();
      await page.locator('dialog blockquote').waitFor();
    },
  },
  {
    name: 'who can open a folder',
    as: 'ann',
    path: folder('user/invite'),
    ready: sharing,
    act: async (page) => {
      await page.locator('dialog [data-who]').click();
      await page.locator('dialog').last().locator('li').nth(2).waitFor();
    },
  },
  { name: 'the requests for access', as: 'ann', path: () => '/myrequests', ready: listItem },
  {
    name: 'asking for access',
    as: 'bob',
    path: folder('view'),
    act: async (page) => {
      await page.locator('main button[aria-haspopup=dialog]').click();
      await page.locator('dialog textarea').waitFor();
    },
  },
  {
    name: 'handing over a folder',
    as: 'ann',
    path: folder('view'),
    act: async (page) => {
      await page.locator('main header button[aria-haspopup=menu]').last().click();
      await page.getByRole('menuitem').and(page.locator(':has(.lucide-user-plus)')).click();
      await page.locator('dialog input[name=to]').waitFor();
    },
  },
  { name: 'the folders', wide: 'in both', as: 'ann', path: () => '/mypads' },
  { name: 'chosen folders', wide: 'in dark', as: 'ann', path: () => '/mypads', act: selectFirst },
  {
    name: 'changing the tags of folders',
    as: 'ann',
    path: () => '/mypads',
    act: (page) => askAboutSelected(page, '.lucide-tag'),
  },
  {
    name: 'removing chosen folders',
    as: 'ann',
    path: () => '/mypads',
    act: (page) => askAboutSelected(page, '.lucide-trash'),
  },
  {
    name: 'the palette, with results',
    wide: 'in dark',
    as: 'ann',
    path: () => '/mypads',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('a');
      await page.getByRole('option').nth(2).waitFor();
    },
  },
  {
    name: 'the folders, where everybody who is signed in may enter',
    as: 'ann',
    path: () => '/mypads',
    settings: { allPadsPublicsAuthentifiedOnly: true },
  },
  {
    name: 'a folder of others, where everybody who is signed in may enter',
    as: 'bob',
    path: folder('view'),
    settings: { allPadsPublicsAuthentifiedOnly: true },
  },
  { name: 'the account', as: 'ann', path: () => '/myprofile', ready: listItem },
  {
    name: 'the account screen, switched off',
    as: 'ann',
    path: () => '/myprofile',
    settings: { disableUserProfile: true },
  },
  {
    name: 'the people lists, switched off',
    as: 'ann',
    path: () => '/myuserlists',
    settings: { disableUserList: true },
  },
  { name: 'a new people list', as: 'ann', path: () => '/myuserlists/add', ready: field },
  { name: 'the bookmarks', wide: 'in dark', as: 'ann', path: () => '/mybookmarks', ready: main },
  { name: 'the people lists', wide: 'in dark', as: 'ann', path: () => '/myuserlists' },
  { name: 'changing a user list', as: 'ann', path: () => `/myuserlists/${ids.list}/edit`, ready: field },
  { name: 'a folder', wide: 'in dark', as: 'ann', path: folder('view') },
  { name: 'a folder with chosen pads', wide: 'in dark', as: 'ann', path: folder('view'), act: selectFirst },
  {
    name: 'removing chosen pads',
    as: 'ann',
    path: folder('view'),
    act: (page) => askAboutSelected(page, '.lucide-trash'),
  },
  {
    name: 'moving chosen pads',
    as: 'ann',
    path: folder('view'),
    act: (page) => askAboutSelected(page, '.lucide-folder-input'),
  },
  {
    name: 'the menu of a pad',
    as: 'ann',
    path: folder('view'),
    act: (page) => page.getByRole('listitem').locator('[aria-haspopup="menu"]').first().click(),
  },
  { name: 'a folder without pads', as: 'ann', path: folder('view', 'empty') },
  {
    name: 'a search without result',
    as: 'ann',
    path: folder('view?q=zzzz'),
    ready: (page) => page.getByText('zzzz').waitFor(),
  },
  { name: 'removing a folder', as: 'ann', path: folder('remove'), ready: dialog },
  {
    name: 'making a folder, with errors',
    as: 'ann',
    path: () => '/mypads/group/add',
    ready: field,
    act: async (page) => {
      await page.getByRole('radio').nth(1).check({ force: true });
      await page.locator('button[type="submit"]').click();
    },
  },
  { name: 'changing a folder', as: 'ann', path: folder('edit'), ready: field },
  {
    name: 'sharing a folder, with suggestions and changes',
    wide: 'in dark',
    as: 'ann',
    path: folder('user/invite'),
    ready: sharing,
    act: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio').nth(1).check({ force: true });
      await dialog.locator('input[role=combobox]').fill('nobody@example.org,boar');
    },
  },
  {
    name: 'sharing a folder, for a guest',
    path: folder('view', 'open'),
    act: (page) => page.locator('main header button').first().click(),
  },
  {
    name: 'making a pad with settings of its own',
    as: 'ann',
    path: folder('pad/add'),
    ready: field,
    act: (page) => page.locator('input[name="inherit"]').click(),
  },
  { name: 'changing a pad', as: 'ann', path: padScreen('edit', 'readonly'), ready: field },
  {
    name: 'moving pads',
    as: 'ann',
    path: folder('pad/move'),
    ready: (page) => page.getByRole('combobox').waitFor(),
  },
  { name: 'a pad', wide: 'in dark', as: 'ann', path: padScreen('view', 'pad'), ready: frame },
  { name: 'a pad that can only be read', as: 'ann', path: padScreen('view', 'readonly'), ready: frame },
  { name: 'somebody else’s folder', as: 'bob', path: folder('view') },
  { name: 'somebody else’s pad', as: 'bob', path: padScreen('view', 'pad') },
  { name: 'a folder that does not exist', as: 'ann', path: () => '/mypads/group/nothing/view' },
  { name: 'an address that means nothing', as: 'ann', path: () => '/nowhere' },
  { name: 'a restricted folder, for a guest', path: folder('view') },
  { name: 'a private folder, for a guest', path: folder('view', 'locked'), ready: passwordField },
  {
    name: 'a private pad with a wrong password',
    path: () => `/mypads/group/${ids.locked}/pad/view/${ids.lockedPad}`,
    ready: passwordField,
    act: async (page) => {
      await page.locator('input[type="password"]').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
    },
  },
  { name: 'a public folder, for a guest', wide: 'in dark', path: folder('view', 'open') },
  { name: 'signing in as an administrator', path: () => '/admin', ready: field },
  { name: 'the first steps', as: 'admin', path: () => '/admin/first-steps?step=accounts', ready: radio },
  { name: 'all settings', wide: 'in dark', as: 'admin', path: () => '/admin', ready: field },
  {
    name: 'a setting that is refused',
    as: 'admin',
    path: () => '/admin?q=passwordMin',
    ready: field,
    act: async (page) => {
      await page.locator('main input[inputmode="numeric"]').first().fill('0');
      await page.keyboard.press('Enter');
      await page.locator('main [role="alert"] svg').first().waitFor();
    },
  },
  {
    name: 'the settings of a directory',
    as: 'admin',
    path: () => '/admin?q=authLdapSettings',
    ready: summary,
    act: async (page) => {
      await page.locator('main summary').click();
      await page.locator('main details textarea').first().waitFor();
    },
  },
  { name: 'all users', wide: 'in both', as: 'admin', path: () => '/admin/users' },
  { name: 'making an account', as: 'admin', path: () => '/admin/users/create', ready: field },
  {
    name: 'changing an account',
    as: 'admin',
    path: () => `/admin/users/${people.ann?.login}/edit`,
    ready: field,
  },
  {
    name: 'removing an account',
    as: 'admin',
    path: () => `/admin/users/${people.ann?.login}/remove`,
    ready: (page) => page.getByRole('dialog').getByRole('listitem').first().waitFor(),
  },
  { name: 'all API tokens', as: 'admin', path: () => '/admin/tokens', ready: main },
  { name: 'the rules for groups', as: 'admin', path: () => '/admin/group-rules', ready: main },
  {
    name: 'adding a rule for groups, with errors',
    as: 'admin',
    path: () => '/admin/group-rules',
    ready: main,
    act: async (page) => {
      await page.locator('main button').first().click();
      const dialog = page.locator('dialog');
      await dialog.locator('select').first().selectOption('header');
      await dialog.locator('button[type=submit]').click();
      await dialog.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'the settings of a proxy that signs people in',
    as: 'admin',
    path: () => '/admin?q=authHeaderSettings',
    ready: summary,
    act: async (page) => {
      await page.locator('main summary').click();
      await page.locator('main details input').first().waitFor();
    },
  },
  { name: 'all folders', wide: 'in dark', as: 'admin', path: () => '/admin/folders' },
  { name: 'all pads', as: 'admin', path: () => '/admin/pads' },
  { name: 'the numbers', wide: 'in dark', as: 'admin', path: () => '/admin/numbers' },
  { name: 'the checkup', wide: 'in dark', as: 'admin', path: () => '/admin/checkup', ready: listItem },
  { name: 'the log', wide: 'in dark', as: 'admin', path: () => '/admin/log', ready: listItem },
  {
    name: 'the keyboard shortcuts',
    as: 'ann',
    path: () => '/mypads',
    act: async (page) => {
      await page.keyboard.press('?');
      await page.locator('dialog dl').waitFor();
    },
  },
];

export const screens: readonly Screen[] = entries.map((entry) => ({ ready: links, ...entry }));
