/**
 * Screenshots of every screen: `npm run screenshots [part of a name …]` builds the page, starts the plugin with sample
 * data, and writes pictures for desktop, tablet and phone, light and dark, to .cache/screenshots (not committed). It also
 * prints what axe finds and which screens scroll sideways.
 */
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Group, Pad } from '../../api/answers';
import { buildPage } from '../../bin/buildPage';
import { findBrowser } from '../../bin/programs';
import type { AdminLog } from '../../model/access/adminLog';
import type { DayNumbers } from '../../model/accounts/dailyNumbers';
import { languageCodes, matchLanguage } from '../../model/languages';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from './app';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin, type TestUser } from './factories';

const root = join(__dirname, '..', '..');
const folder = join(root, '.cache', 'screenshots');
const day = 24 * 3600_000;
/** `LOCALE=fr-FR` takes the screenshots in French. */
const locale = process.env.LOCALE ?? 'en-GB';

interface SampleData {
  me: TestUser;
  newcomer: TestUser;
  /** In the folder `board`. */
  member: TestUser;
  board: Group;
  secret: Group;
  open: Group;
  minutes: Pad;
  /** Token of a server administrator. */
  admin: string;
  /** The id of a user list. */
  list: string;
}

const people = [
  ['amaru', 'Amaru', 'Quispe', '#e4a11b'],
  ['bente', 'Bente', 'Dahl', '#2f7d5b'],
  ['chidi', 'Chidi', 'Okafor', '#b3446c'],
  ['dora', '', '', ''],
  ['emil', 'Emil', 'Novák', '#3f6fb5'],
  ['farah', 'Farah', 'Haddad', '#7a4fb0'],
] as const;

const folders = [
  {
    name: 'Board minutes',
    tags: ['board', '2026'],
    pads: 5,
    invite: 4,
    description: 'Minutes and agendas of the board. Please keep one pad a meeting.',
  },
  { name: 'Summer festival', visibility: 'public', tags: ['events'], pads: 9, invite: 6 },
  {
    name: 'Grant applications',
    visibility: 'private',
    password: 'a long secret',
    tags: ['money', 'board'],
    pads: 3,
    invite: 2,
  },
  { name: 'Reading group', tags: [], pads: 12, invite: 3 },
  {
    name: 'Onboarding of volunteers joining midyear',
    tags: ['volunteers', 'handbook', 'people'],
    pads: 4,
    invite: 5,
  },
  { name: 'Kitchen rota', visibility: 'public', tags: ['volunteers'], pads: 1, invite: 0 },
  { name: 'Website texts', tags: ['web'], pads: 7, invite: 2 },
  { name: 'Translations', tags: ['web', 'handbook'], pads: 2, invite: 1, readonly: true },
  {
    name: 'Festival 2025',
    visibility: 'public',
    tags: ['events', '2025'],
    pads: 8,
    invite: 2,
    archived: true,
  },
  { name: 'Old statutes', tags: ['board'], pads: 2, invite: 0, archived: true },
];

const padNames = [
  'Agenda',
  'Minutes of the meeting',
  'Open questions',
  'Budget draft',
  'Ideas',
  'Who does what',
  'Letter to the city',
  'Checklist',
  'Retrospective',
  'Notes',
  'Press',
  'Contacts',
];

async function invite(app: TestApp, owner: TestUser, group: Group, logins: readonly string[]): Promise<void> {
  const body = { gid: group._id, invite: true, loginsOrEmails: logins };
  await app.agent.post('/api/group/invite').set('Authorization', `Bearer ${owner.token}`).send(body);
}

async function buildSampleData(app: TestApp): Promise<SampleData> {
  app.ports.advance(-29 * day);
  const me = await buildUser(app, {
    login: 'maya',
    firstname: 'Maya',
    lastname: 'Lindqvist',
    color: '#5456cf',
    email: 'maya@example.org',
    lang: matchLanguage([locale], languageCodes) ?? 'en',
  });
  const others: TestUser[] = [];
  for (const [login, firstname, lastname, color] of people)
    others.push(await buildUser(app, { login, firstname, lastname, color }));
  const groups: Group[] = [];
  let minutes: Pad | undefined;
  for (const { name, pads, invite: count, archived, readonly, ...fields } of folders) {
    const group = await buildGroup(app, me, { name, ...fields });
    await invite(
      app,
      me,
      group,
      people.slice(0, count).map(([login]) => login),
    );
    for (const padName of padNames.slice(0, pads)) {
      const pad = await buildPad(app, me, group, { name: padName });
      minutes ??= pad;
      app.ports.advance(0.3 * day);
    }
    const state = { archived, readonly };
    if (archived || readonly)
      await app.agent.put(`/api/group/${group._id}`).set('Authorization', `Bearer ${me.token}`).send(state);
    groups.push(group);
  }
  const [board, open, secret] = groups;
  const [member] = others;
  if (!board || !open || !secret || !minutes || !member) throw new Error('The sample data is not complete');
  for (const key of [open._id, secret._id]) {
    await app.agent
      .post('/api/usermark')
      .set('Authorization', `Bearer ${me.token}`)
      .send({ type: 'groups', key });
  }
  await app.agent
    .post('/api/usermark')
    .set('Authorization', `Bearer ${me.token}`)
    .send({ type: 'pads', key: minutes._id });
  await app.model.configuration.set('loginMsg', {
    en: '<p>New here? <b>Ask at the desk</b> for an account, or read <a href="https://example.org">how it works</a>.</p>',
  });
  let list = '';
  for (const [name, count] of [
    ['Board', 4],
    ['Volunteers of the summer festival', 6],
  ] as const) {
    const body = { name, loginsOrEmails: people.slice(0, count).map(([login]) => login) };
    const answer = await app.agent
      .post('/api/userlist')
      .set('Authorization', `Bearer ${me.token}`)
      .send(body);
    list ||= answer.body.key;
  }
  app.ports.advance(Date.now() - app.ports.now());
  const newcomer = await buildUser(app, { login: 'newcomer' });
  const session = await signIn(app, me.login, me.password);
  const admin = await signInAsAdmin(app);
  return { me: { ...me, ...session }, admin, newcomer, member, board, secret, open, minutes, list };
}

interface Shot {
  name: string;
  /** The route. */
  place: (world: SampleData) => string;
  /** Signed in as; a guest when missing. */
  as?: 'me' | 'newcomer' | 'member' | 'admin';
  /** What is done before the screenshot. */
  act?: (page: Page, world: SampleData) => Promise<void>;
  /** The whole length of the screen. */
  full?: boolean;
}

const group = ({ board }: SampleData): string => `/mypads/group/${board._id}`;

const shots: readonly Shot[] = [
  { name: 'login', place: () => '/login' },
  {
    name: 'login-error',
    place: () => '/login',
    act: async (page) => {
      await page.fill('input[name=login]', 'maya');
      await page.fill('input[name=password]', 'wrong');
      await page.click('button[type=submit]');
      await page.waitForSelector('[role=alert] svg');
    },
  },
  { name: 'subscribe', place: () => '/subscribe', full: true },
  {
    name: 'subscribe-errors',
    place: () => '/subscribe',
    full: true,
    act: async (page) => {
      await page.click('summary');
      await page.click('button[type=submit]');
    },
  },
  { name: 'folders', place: () => '/mypads', as: 'me', full: true },
  { name: 'folders-empty', place: () => '/mypads', as: 'newcomer' },
  { name: 'folders-nothing', place: () => '/mypads&q=zebra&visibility=public', as: 'me' },
  {
    name: 'folders-menu',
    place: () => '/mypads',
    as: 'me',
    act: async (page) => page.locator('main ul li [aria-haspopup=menu]').nth(1).click(),
  },
  {
    name: 'folders-selected',
    place: () => '/mypads',
    as: 'me',
    act: async (page, _world) => {
      await page.locator('main button[aria-pressed]:has(.lucide-square-check)').click();
      await page.locator('main li label').nth(1).click();
      await page
        .locator('main li label')
        .nth(3)
        .click({ modifiers: ['Shift'] });
    },
  },
  {
    name: 'folders-remove',
    place: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await page.locator('main ul li [aria-haspopup=menu]').nth(2).click();
      await page.locator('[role=menuitem]').last().click();
    },
  },
  {
    name: 'person-menu',
    place: () => '/mypads',
    as: 'me',
    act: async (page) => {
      const open = page.locator('header [aria-haspopup=dialog][aria-expanded]');
      if (await open.isVisible()) await open.click();
      await page.locator('button:has-text("Maya Lindqvist"):visible').click();
    },
  },
  { name: 'account', place: () => '/myprofile', as: 'me', full: true },
  {
    name: 'account-password',
    place: () => '/myprofile',
    as: 'me',
    act: (page) => page.click('button:has-text("assw")'),
  },
  {
    name: 'account-remove',
    place: () => '/myprofile',
    as: 'me',
    act: (page) => page.locator('main section:last-of-type > button').click(),
  },
  { name: 'recovery', place: () => '/passrecover' },
  { name: 'recovery-choose', place: () => '/passrecover/0123' },
  { name: 'confirm-refused', place: () => '/accountconfirm/0123' },
  { name: 'bookmarks', place: () => '/mybookmarks', as: 'me' },
  { name: 'user-lists', place: () => '/myuserlists', as: 'me' },
  { name: 'user-lists-empty', place: () => '/myuserlists', as: 'newcomer' },
  {
    name: 'user-list-edit',
    place: ({ list }) => `/myuserlists/${list}/edit`,
    as: 'me',
    act: (page) => page.getByRole('combobox').fill('f'),
  },
  { name: 'user-list-remove', place: ({ list }) => `/myuserlists/${list}/remove`, as: 'me' },
  { name: 'not-found', place: () => '/nowhere', as: 'me' },
  { name: 'folder-add', place: () => '/mypads/group/add', as: 'me', full: true },
  { name: 'folder-edit', place: (world) => `${group(world)}/edit`, as: 'me', full: true },
  { name: 'folder-view', place: (world) => `${group(world)}/view`, as: 'me', full: true },
  { name: 'folder-locked', place: ({ secret }) => `/mypads/group/${secret._id}/view` },
  { name: 'folder-guest', place: ({ open }) => `/mypads/group/${open._id}/view`, full: true },
  { name: 'folder-denied', place: (world) => `${group(world)}/view` },
  { name: 'share', place: (world) => `${group(world)}/user/invite`, as: 'me' },
  {
    name: 'share-changes',
    place: (world) => `${group(world)}/user/invite`,
    as: 'me',
    act: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Private', { exact: true }).click();
      await dialog.getByLabel('Role of Chidi Okafor').selectOption('removed');
      await dialog.getByRole('combobox').first().fill('nobody@example.org, fest');
    },
  },
  {
    name: 'share-member',
    place: ({ board }) => `/mypads/group/${board._id}/user/invite`,
    as: 'member',
  },
  {
    name: 'share-pad',
    place: (world) => `${group(world)}/pad/view/${world.minutes._id}`,
    as: 'me',
    act: (page) => page.locator('main header button[aria-haspopup=dialog]').click(),
  },
  { name: 'pad-add', place: (world) => `${group(world)}/pad/add`, as: 'me', full: true },
  {
    name: 'pad-edit',
    place: (world) => `${group(world)}/pad/edit/${world.minutes._id}`,
    as: 'me',
    full: true,
  },
  { name: 'pad-move', place: (world) => `${group(world)}/pad/move`, as: 'me' },
  {
    name: 'palette',
    place: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await page.locator('main [data-row]').first().waitFor();
      await page.keyboard.press('/');
      await page.locator('[role=option]').first().waitFor();
    },
  },
  {
    name: 'palette-search',
    place: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await page.locator('main [data-row]').first().waitFor();
      await page.keyboard.press('/');
      await page.locator('dialog [role=combobox]').fill('m');
      await page.locator('[role=option]').nth(3).waitFor();
    },
  },
  {
    name: 'shortcuts',
    place: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await page.locator('main [data-row]').first().waitFor();
      await page.keyboard.press('?');
      await page.locator('dialog dl').waitFor();
    },
  },
  {
    name: 'languages',
    place: () => '/login',
    act: async (page) => {
      await page.locator('header button[aria-haspopup="dialog"]').first().click();
      await page.locator('dialog li').first().waitFor();
    },
  },
  {
    name: 'rename',
    place: (world) => `${group(world)}/view`,
    as: 'me',
    act: async (page) => {
      await page.locator('main [data-row] a').first().focus();
      await page.keyboard.press('e');
      await page.locator('main [data-row] input:not([type=checkbox])').waitFor();
    },
  },
  {
    name: 'rail',
    place: () => '/mypads',
    as: 'me',
    act: async (page) => {
      const fold = page.locator('[data-fold]').first();
      if (await fold.isVisible()) await fold.click();
    },
  },
  { name: 'first-steps', place: () => '/admin/first-steps&step=accounts', as: 'admin', full: true },
  { name: 'pad-view', place: (world) => `${group(world)}/pad/view/${world.minutes._id}`, as: 'me' },
  { name: 'admin-sign-in', place: () => '/admin' },
  { name: 'admin-settings', place: () => '/admin', as: 'admin', full: true },
  {
    name: 'admin-settings-ldap',
    place: () => '/admin&q=ldap',
    as: 'admin',
    full: true,
    act: async (page) => {
      await page.locator('summary').first().click();
      await page.locator('form textarea').first().waitFor();
    },
  },
  {
    name: 'admin-settings-refused',
    place: () => '/admin&q=password',
    as: 'admin',
    full: true,
    act: async (page) => {
      await page.locator('main input[inputmode=numeric]').first().fill('0');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[role=alert] svg');
    },
  },
  { name: 'admin-checkup', place: () => '/admin/checkup', as: 'admin', full: true },
  {
    name: 'admin-test-mail',
    place: () => '/admin&q=SMTP',
    as: 'admin',
    full: true,
    act: async (page) => {
      await page.locator('input[autocomplete=email]').fill('ada@example.org');
      await page.locator('form:has(input[autocomplete=email]) button[type=submit]').click();
      await page.locator('[role=alert] svg').first().waitFor();
    },
  },
  { name: 'admin-log', place: () => '/admin/log', as: 'admin' },
  { name: 'admin-users', place: () => '/admin/users', as: 'admin', full: true },
  { name: 'admin-users-nothing', place: () => '/admin/users&q=zebra&state=closed', as: 'admin' },
  { name: 'admin-user-add', place: () => '/admin/users/create', as: 'admin', full: true },
  { name: 'admin-user-edit', place: () => '/admin/users/maya/edit', as: 'admin', full: true },
  {
    name: 'admin-user-remove',
    place: () => '/admin/users/maya/remove',
    as: 'admin',
    act: async (page) => page.locator('dialog li').first().waitFor(),
  },
  { name: 'admin-folders', place: () => '/admin/folders', as: 'admin', full: true },
  { name: 'admin-pads', place: () => '/admin/pads', as: 'admin' },
  { name: 'admin-numbers', place: () => '/admin/numbers', as: 'admin' },
];

const devices: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 1024, height: 768 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

/** Serves the plugin at /mypads, and instead of an editor a page with one sentence. */
async function listen(app: TestApp): Promise<Server> {
  const server = createServer((request, response) => {
    const [, first, rest] = /^\/mypads(\/?)(.*)$/.exec(request.url ?? '') ?? [];
    if (first === undefined) {
      response.setHeader('Content-Type', 'text/html');
      response.end('<body style="font: 16px sans-serif; margin: 2em">Here is the editor.');
      return;
    }
    request.url = `/${rest ?? ''}`;
    app.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** What administrators did last. */
const doneByAdministrators: Parameters<AdminLog['add']>[0][] = [
  { action: 'signInRefused', by: 'root', count: 4 },
  { action: 'accountCreated', by: 'root', object: { kind: 'user' } },
  { action: 'groupRemoved', by: 'root', object: { kind: 'group', id: 'gone', name: 'Autumn fair 2024' } },
  { action: 'settingChanged', by: 'root', object: { kind: 'setting', id: 'SMTPHost' } },
  {
    action: 'accountChanged',
    by: 'root',
    object: { kind: 'user' },
    changed: ['firstname', 'email', 'active'],
  },
];

/** Numbers of the last ninety days. */
function oldNumbers(): DayNumbers[] {
  const day = 24 * 3600_000;
  return Array.from({ length: 90 }, (_, index) => ({
    day: new Date(Date.now() - (90 - index) * day).toISOString().slice(0, 10),
    users: 3 + Math.floor(index / 20),
    active: 2 + Math.floor(index / 21),
    signedIn: 1 + (index % 7 < 5 ? Math.floor(index / 25) : 0),
    groups: 4 + Math.floor(index / 12),
    pads: 10 + Math.floor(index / 4) + (index % 3),
  }));
}

/** Prints what axe finds wrong on the screen. */
async function printProblems(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { iframes: false }),
  );
  for (const { id, help, nodes } of violations) {
    console.error(`${where}: ${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
  }
}

async function take(browser: Browser, address: string, world: SampleData, shot: Shot): Promise<void> {
  for (const [device, options] of Object.entries(devices)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        ...options,
        colorScheme,
        locale,
      });
      if (shot.as !== undefined) {
        const item =
          shot.as === 'admin'
            ? (['admToken', world.admin] as const)
            : (['token', world[shot.as].token] as const);
        await context.addInitScript(([name, value]) => {
          if (window.parent === window) localStorage.setItem(name, value);
        }, item);
      }
      const page = await context.newPage();
      page.on('pageerror', (error) => console.error(`${shot.name}: ${error.message}`));
      page.on('console', (line) => line.type() === 'error' && console.error(`${shot.name}: ${line.text()}`));
      await page.goto(`${address}?${shot.place(world)}`);
      await page.waitForSelector('h1');
      await page.waitForLoadState('networkidle');
      await shot.act?.(page, world);
      await page.waitForTimeout(300);
      await printProblems(page, `${shot.name} ${device} ${colorScheme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) console.error(`${shot.name}: scrolls ${wide} px sideways on the ${device}`);
      // A window of that height: for a picture of the whole page, Chromium ends the emulation of a touch screen.
      const size = page.viewportSize();
      if (shot.full && size !== null) {
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width: size.width, height: Math.max(size.height, height) });
      }
      await page.screenshot({ path: join(folder, `${shot.name}-${device}-${colorScheme}.png`) });
      await context.close();
    }
  }
}

async function main(names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await buildPage();
  const app = await startApp({
    staticRoot: join(root, 'static', 'dist'),
    templateRoot: join(root, 'templates'),
  });
  const mail = { rootUrl: 'http://127.0.0.1', SMTPHost: '127.0.0.1', SMTPEmailFrom: 'pads@example.org' };
  for (const [key, value] of Object.entries(mail)) await app.model.configuration.set(key, value);
  await app.ports.database.set(keys.dailyNumbers, { days: oldNumbers() });
  for (const entry of doneByAdministrators) app.model.adminLog.add(entry);
  const server = await listen(app);
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const world = await buildSampleData(app);
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mypads/`;
    for (const shot of shots.filter(
      ({ name }) => names.length === 0 || names.some((part) => name.includes(part)),
    )) {
      await take(browser, address, world, shot).catch((error: unknown) => console.error(shot.name, error));
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
