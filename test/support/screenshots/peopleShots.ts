/** Screens of somebody who is signed out, and of one's own account. */
import type { Page } from 'playwright-core';
import { openSidebar, type Shot } from './shot';

/** Opens the form for a new API token. */
const newToken = (page: Page): Promise<void> =>
  page.locator('main section:nth-last-of-type(3) button').last().click();

export const peopleShots: readonly Shot[] = [
  { name: 'login', path: () => '/login' },
  {
    name: 'login-error',
    path: () => '/login',
    act: async (page) => {
      await page.fill('input[name=login]', 'maya');
      await page.fill('input[name=password]', 'wrong');
      await page.click('button[type=submit]');
      await page.waitForSelector('[role=alert] svg');
    },
  },
  { name: 'subscribe', path: () => '/subscribe', full: true },
  {
    name: 'subscribe-errors',
    path: () => '/subscribe',
    full: true,
    act: async (page) => {
      await page.click('summary');
      await page.click('button[type=submit]');
    },
  },
  {
    name: 'person-menu',
    path: () => '/mypads',
    as: 'me',
    act: async (page) => {
      await openSidebar(page);
      await page.locator('button:has-text("Maya Lindqvist"):visible').click();
    },
  },
  { name: 'account', path: () => '/myprofile', as: 'me', full: true },
  {
    name: 'account-password',
    path: () => '/myprofile',
    as: 'me',
    act: (page) => page.locator('main dl > :nth-child(2) button').click(),
  },
  {
    name: 'account-remove',
    path: () => '/myprofile',
    as: 'me',
    act: (page) => page.locator('main section:last-of-type > button').click(),
  },
  {
    name: 'tokens-new',
    path: () => '/myprofile',
    as: 'me',
    act: (page) => newToken(page),
  },
  {
    name: 'tokens-made',
    path: () => '/myprofile',
    as: 'me',
    act: async (page) => {
      await newToken(page);
      await page.locator('dialog input').first().fill('Backup at night');
      await page.locator('dialog form [type=submit]').click();
      await page.locator('dialog input[readonly]').waitFor();
    },
  },
  {
    name: 'tokens-end',
    path: () => '/myprofile',
    as: 'member',
    act: (page) => page.locator('main li button').last().click(),
  },
  { name: 'recovery', path: () => '/passrecover' },
  {
    name: 'recovery-choose',
    path: () => '/passrecover/0123',
    before: (page) =>
      page.route('**/api/passrecover/0123', (route) => route.fulfill({ json: { success: true } })),
  },
  { name: 'recovery-refused', path: () => '/passrecover/0123' },
  { name: 'confirm-refused', path: () => '/accountconfirm/0123' },
  { name: 'guide', path: () => '/help', as: 'me', full: true },
  { name: 'guide-guest', path: () => '/help' },
  { name: 'guide-page', path: () => '/help/access', as: 'me', full: true },
  { name: 'guide-picture', path: () => '/help/sharing', full: true },
  { name: 'guide-search', path: () => '/help/trash&q=password', as: 'me' },
  { name: 'guide-nothing', path: () => '/help&q=zebra', as: 'me' },
  { name: 'not-found', path: () => '/nowhere', as: 'me' },
  {
    name: 'languages',
    path: () => '/login',
    act: async (page) => {
      await page.locator('header button[aria-haspopup="dialog"]').first().click();
      await page.locator('dialog li').first().waitFor();
    },
  },
];
