/** What a screenshot shows. */
import type { Page } from 'playwright-core';
import type { SampleData } from './sampleData';

export interface Shot {
  name: string;
  /** The route. */
  path: string | ((data: SampleData) => string);
  /** Signed in as; `me` when missing. */
  as?: 'guest' | 'newcomer' | 'member' | 'lead' | 'invitee' | 'long' | 'admin';
  /** What is done before the screen is opened, such as changing answers of the server. */
  before?: (page: Page, data: SampleData) => Promise<unknown>;
  /** What is done before the screenshot. */
  act?: (page: Page, data: SampleData) => Promise<unknown>;
  /** The name of the picture in the guide that this is. */
  guide?: string;
  /** The size of the picture in docs/images, where it is not that of the others. */
  docs?: { width: number; height: number };
  /** The whole length of the screen. */
  full?: boolean;
  /** The server's answers to some calls never arrive, so the screen does not become quiet. */
  waiting?: boolean;
}

/** The calls of these paths get no answer. */
export const unanswered = (page: Page, ...paths: readonly string[]): Promise<unknown> =>
  Promise.all(paths.map((path) => page.route(`**/api/${path}`, () => {})));

/** The call of this path fails in the server. */
export const failing = (page: Page, path: string): Promise<unknown> =>
  page.route(`**/api/${path}`, (route) =>
    route.fulfill({ status: 500, json: { error: 'BACKEND.ERROR.SERVER.UNEXPECTED' } }),
  );

/** The page reads these settings instead of those of the server. */
export const withSettings = (page: Page, settings: object): Promise<unknown> =>
  page.route('**/api/configuration', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, value: { ...answer.value, ...settings } } });
  });

/** Turns the selection on and selects the rows with these numbers, the last one with Shift if `shift` is set. */
export async function selectRows(page: Page, rows: readonly number[], shift = false): Promise<void> {
  await page.locator('main button[aria-pressed]:has(.lucide-square-check)').click();
  for (const [index, row] of rows.entries()) {
    const modifiers: 'Shift'[] = shift && index === rows.length - 1 ? ['Shift'] : [];
    await page.locator('main li label').nth(row).click({ modifiers });
  }
}

/** Presses a key on a list, once it is there. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await page.locator('main [data-row]').first().waitFor();
  await page.keyboard.press(key);
}

/** On a phone, the sidebar is a dialog that has to be opened first. */
export async function openSidebar(page: Page): Promise<void> {
  const button = page.locator('header [aria-haspopup=dialog][aria-expanded]');
  if (await button.isVisible()) await button.click();
}

/** Opens the dialog for sharing from the header of a folder or pad. */
export const openSharing = (page: Page): Promise<void> =>
  page.locator('main header button[aria-haspopup=dialog]').click();

/** Opens the menu of the row with this number. */
export const openRowMenu = (page: Page, row: number): Promise<void> =>
  page.locator('main [data-row]').nth(row).locator('[aria-haspopup=menu]').click();
