/** Screens of administrators. */
import type { Page } from 'playwright-core';
import { sampleJobs } from './sampleData';
import { failing, openRowMenu, openSidebar, type Shot, unanswered } from './shot';

const withJobs = (page: Page): Promise<unknown> =>
  page.route('**/api/admin/jobs', (route) => route.fulfill({ json: sampleJobs() }));

const shots: readonly Shot[] = [
  { name: 'first-steps', path: '/admin/first-steps&step=accounts', full: true },
  { name: 'first-steps-address', path: '/admin/first-steps&step=address', full: true },
  { name: 'first-steps-mail', path: '/admin/first-steps&step=mail', full: true },
  { name: 'first-steps-folder', path: '/admin/first-steps&step=folder', full: true },
  { name: 'tokens-all', path: '/admin/tokens', full: true },
  { name: 'admin-sign-in', path: '/admin', as: 'guest' },
  {
    name: 'admin-sign-in-refused',
    path: '/admin',
    as: 'guest',
    act: async (page) => {
      await page.locator('main input').first().fill('root');
      await page.locator('main input[type=password]').fill('wrong');
      await page.keyboard.press('Enter');
      await page.locator('[role=alert] svg').waitFor();
    },
  },
  {
    name: 'admin-menu',
    path: '/admin/users',
    act: async (page) => {
      await openSidebar(page);
      await page.locator('[aria-haspopup=menu]:has(.lucide-shield-check):visible').click();
    },
  },
  { name: 'admin-settings', path: '/admin', full: true },
  {
    name: 'admin-settings-ldap',
    path: '/admin&q=ldap',
    full: true,
    act: async (page) => {
      await page.locator('summary').first().click();
      await page.locator('form textarea').first().waitFor();
    },
  },
  {
    name: 'admin-settings-json',
    path: '/admin&q=cas',
    full: true,
    act: async (page) => {
      await page.locator('summary').first().click();
      await page.locator('details[open] button[type=button]').first().click();
    },
  },
  {
    name: 'admin-settings-oidc',
    path: '/admin&q=authOidcSettings',
    full: true,
    act: async (page) => {
      await page.locator('summary').first().click();
      await page.locator('form input').first().fill('school');
      await page.locator('form input').first().press('Enter');
      await page.locator('fieldset').first().waitFor();
    },
  },
  { name: 'admin-settings-message', path: '/admin&q=loginMsg', full: true },
  { name: 'admin-settings-nothing', path: '/admin&q=zebra' },
  {
    name: 'admin-settings-failed',
    path: '/admin',
    before: (page) => failing(page, 'admin/settings'),
  },
  {
    name: 'admin-settings-refused',
    path: '/admin&q=password',
    full: true,
    act: async (page) => {
      await page.locator('main input[inputmode=numeric]').first().fill('0');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[role=alert] svg');
    },
  },
  { name: 'admin-checkup', path: '/admin/checkup', full: true },
  { name: 'admin-docs', path: '/admin/docs' },
  { name: 'admin-docs-page', path: '/admin/docs/install' },
  { name: 'admin-docs-search', path: '/admin/docs&q=backup' },
  {
    name: 'admin-checkup-jobs-failed',
    path: '/admin/checkup',
    full: true,
    before: (page) => failing(page, 'admin/jobs'),
  },
  { name: 'admin-checkup-jobs', path: '/admin/checkup', full: true, before: withJobs },
  {
    name: 'admin-checkup-cancel',
    path: '/admin/checkup',
    before: withJobs,
    act: async (page) => {
      await page.locator('main section li:first-of-type button:last-of-type').first().click();
      await page.locator('dialog[open]').waitFor();
    },
  },
  {
    name: 'admin-test-mail',
    path: '/admin&q=SMTP',
    full: true,
    act: async (page) => {
      await page.locator('input[autocomplete=email]').fill('ada@example.org');
      await page.locator('form:has(input[autocomplete=email]) button[type=submit]').click();
      await page.locator('[role=alert] svg').first().waitFor();
    },
  },
  { name: 'admin-log', path: '/admin/log' },
  { name: 'admin-users', path: '/admin/users', full: true },
  { name: 'admin-user-menu', path: '/admin/users', act: (page) => openRowMenu(page, 1) },
  {
    name: 'admin-users-loading',
    path: '/admin/users',
    waiting: true,
    before: (page) => unanswered(page, 'admin/users**', 'all-users**'),
  },
  { name: 'admin-users-nothing', path: '/admin/users&q=zebra&state=closed' },
  { name: 'admin-user-add', path: '/admin/users/create', full: true },
  { name: 'admin-user-edit', path: '/admin/users/maya/edit', full: true },
  {
    name: 'admin-user-hand-over',
    path: '/admin/users/maya/edit',
    act: async (page) => {
      await page.locator('section h2 + button').click();
      await page.locator('dialog input[name=to]').waitFor();
    },
  },
  {
    name: 'admin-user-remove',
    path: '/admin/users/maya/remove',
    act: async (page) => page.locator('dialog li').first().waitFor(),
  },
  { name: 'admin-folders', path: '/admin/folders', full: true },
  {
    name: 'admin-access',
    path: '/admin/folders',
    act: async (page) => {
      await page.locator('main [data-row] button').first().click();
      await page.locator('dialog li').first().waitFor();
    },
  },
  { name: 'admin-pads', path: '/admin/pads' },
  { name: 'admin-rules', path: '/admin/group-rules' },
  {
    name: 'admin-rules-edit',
    path: '/admin/group-rules',
    act: async (page) => {
      await page.locator('main li button').nth(2).click();
      await page.locator('dialog input[name=value]').waitFor();
    },
  },
  {
    name: 'admin-rules-delete',
    path: '/admin/group-rules',
    act: async (page) => {
      await page.locator('main li button').nth(1).click();
      await page.locator('dialog p').first().waitFor();
    },
  },
  { name: 'admin-numbers', path: '/admin/numbers' },
];

export const adminShots: readonly Shot[] = shots.map((shot) => ({ as: 'admin', ...shot }));
