/** Screens of administrators. */
import type { Shot } from './shot';

export const adminShots: readonly Shot[] = [
  { name: 'first-steps', path: () => '/admin/first-steps&step=accounts', as: 'admin', full: true },
  { name: 'admin-sign-in', path: () => '/admin' },
  { name: 'admin-settings', path: () => '/admin', as: 'admin', full: true },
  {
    name: 'admin-settings-ldap',
    path: () => '/admin&q=ldap',
    as: 'admin',
    full: true,
    act: async (page) => {
      await page.locator('summary').first().click();
      await page.locator('form textarea').first().waitFor();
    },
  },
  {
    name: 'admin-settings-refused',
    path: () => '/admin&q=password',
    as: 'admin',
    full: true,
    act: async (page) => {
      await page.locator('main input[inputmode=numeric]').first().fill('0');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[role=alert] svg');
    },
  },
  { name: 'admin-checkup', path: () => '/admin/checkup', as: 'admin', full: true },
  {
    name: 'admin-test-mail',
    path: () => '/admin&q=SMTP',
    as: 'admin',
    full: true,
    act: async (page) => {
      await page.locator('input[autocomplete=email]').fill('ada@example.org');
      await page.locator('form:has(input[autocomplete=email]) button[type=submit]').click();
      await page.locator('[role=alert] svg').first().waitFor();
    },
  },
  { name: 'admin-log', path: () => '/admin/log', as: 'admin' },
  { name: 'admin-users', path: () => '/admin/users', as: 'admin', full: true },
  { name: 'admin-users-nothing', path: () => '/admin/users&q=zebra&state=closed', as: 'admin' },
  { name: 'admin-user-add', path: () => '/admin/users/create', as: 'admin', full: true },
  { name: 'admin-user-edit', path: () => '/admin/users/maya/edit', as: 'admin', full: true },
  {
    name: 'admin-user-remove',
    path: () => '/admin/users/maya/remove',
    as: 'admin',
    act: async (page) => page.locator('dialog li').first().waitFor(),
  },
  { name: 'admin-folders', path: () => '/admin/folders', as: 'admin', full: true },
  { name: 'admin-pads', path: () => '/admin/pads', as: 'admin' },
  { name: 'admin-numbers', path: () => '/admin/numbers', as: 'admin' },
];
