/** Screens of somebody who is signed out, and of one's own account. */
import type { Page } from 'playwright-core';
import { openSidebar, type Shot } from './shot';

/** Opens the form for a new API token. */
const newToken = (page: Page): Promise<void> =>
  page.locator('main section:nth-last-of-type(3) button').last().click();

export const peopleShots: readonly Shot[] = [
  { name: 'login', path: '/login', as: 'guest' },
  {
    name: 'login-error',
    path: '/login',
    as: 'guest',
    act: async (page) => {
      await page.fill('input[name=login]', 'maya');
      await page.fill('input[name=password]', 'wrong');
      await page.click('button[type=submit]');
      await page.waitForSelector('[role=alert] svg');
    },
  },
  { name: 'subscribe', path: '/subscribe', as: 'guest', full: true },
  {
    name: 'subscribe-errors',
    path: '/subscribe',
    as: 'guest',
    full: true,
    act: async (page) => {
      await page.click('summary');
      await page.click('button[type=submit]');
    },
  },
  {
    name: 'person-menu',
    path: '/mypads',
    act: async (page) => {
      await openSidebar(page);
      await page.locator('button:has-text("Maya Lindqvist"):visible').click();
    },
  },
  { name: 'account', path: '/myprofile', full: true },
  {
    name: 'account-password',
    path: '/myprofile',
    act: (page) => page.locator('main dl > :nth-child(2) button').click(),
  },
  {
    name: 'account-remove',
    path: '/myprofile',
    act: (page) => page.locator('main section:last-of-type > button').click(),
  },
  { name: 'tokens-new', path: '/myprofile', act: (page) => newToken(page) },
  {
    name: 'tokens-made',
    path: '/myprofile',
    act: async (page) => {
      await newToken(page);
      await page.locator('dialog input').first().fill('Backup at night');
      await page.locator('dialog form [type=submit]').click();
      await page.locator('dialog input[readonly]').waitFor();
    },
  },
  {
    name: 'tokens-end',
    path: '/myprofile',
    as: 'member',
    act: (page) => page.locator('main li button').last().click(),
  },
  { name: 'recovery', path: '/passrecover', as: 'guest' },
  {
    name: 'recovery-choose',
    path: '/passrecover/0123',
    as: 'guest',
    before: (page) =>
      page.route('**/api/passrecover/0123', (route) => route.fulfill({ json: { success: true } })),
  },
  { name: 'recovery-refused', path: '/passrecover/0123', as: 'guest' },
  { name: 'confirm-refused', path: '/accountconfirm/0123', as: 'guest' },
  { name: 'guide', path: '/help', full: true },
  { name: 'guide-guest', path: '/help', as: 'guest' },
  { name: 'guide-page', path: '/help/access', full: true },
  { name: 'guide-picture', path: '/help/sharing', as: 'guest', full: true },
  { name: 'guide-search', path: '/help/trash&q=password' },
  { name: 'guide-nothing', path: '/help&q=zebra' },
  { name: 'not-found', path: '/nowhere' },
  {
    name: 'languages',
    path: '/login',
    as: 'guest',
    act: async (page) => {
      await page.locator('header button[aria-haspopup="dialog"]').first().click();
      await page.locator('dialog li').first().waitFor();
    },
  },
];
