/** The editor of a pad inside the page's frame, as a person sees it. */
import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The first visit of a fresh host waits until it has put the editor's scripts together. */
const patience = 60_000;

/** The frame that the page shows a pad in. */
export function frameOf(page: Page): FrameLocator {
  return page.frameLocator('iframe[title^="Editor of the pad"]');
}

/** The text of the pad, to read and to write in. `host`: the page of the pad itself, without ours around it. */
export function textOf(host: FrameLocator | Page): Locator {
  return host
    .frameLocator('iframe[name="ace_outer"]')
    .frameLocator('iframe[name="ace_inner"]')
    .locator('#innerdocbody');
}

/** Types at the end of the pad. */
export async function type(page: Page, text: string): Promise<void> {
  const body = textOf(frameOf(page));
  await body.waitFor({ timeout: patience, state: 'attached' });
  await body.press('ControlOrMeta+End');
  await body.pressSequentially(text, { delay: 5 });
}

/** Waits until the text is there. */
export async function untilShows(host: FrameLocator | Page, text: string): Promise<void> {
  await textOf(host).getByText(text).first().waitFor({ timeout: patience, state: 'attached' });
}

/** Waits until the server has the text too; the editor sends it half a second after the last key. */
export async function untilSaved(page: Page, pad: string, text: string): Promise<void> {
  const deadline = Date.now() + patience;
  for (;;) {
    const saved = await (await page.request.get(`/p/${pad}/export/txt`)).text();
    if (saved.includes(text)) return;
    if (Date.now() > deadline) throw new Error(`The server never got “${text}”, but has: ${saved}`);
    await page.waitForTimeout(100);
  }
}
