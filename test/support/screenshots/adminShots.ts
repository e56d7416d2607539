/** Screens of administrators. */
import type { Shot } from './shot';

export const adminShots: readonly Shot[] = [
  { name: 'first-steps', place: () => '/admin/first-steps&step=accounts', as: 'admin', full: true },
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
