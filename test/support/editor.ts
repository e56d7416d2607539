/** The editor of a pad in the frame of the app, as a person sees it. */
import type { FrameLocator, Locator, Page } from 'playwright-core';

/** Milliseconds. An editor loads slowly on a busy machine. */
const timeLimit = 90_000;

/** The frame that the page shows a pad in. */
export function frameOf(page: Page): FrameLocator {
  return page.frameLocator('iframe[title^="Editor of the pad"]');
}

function innerFrameOf(host: FrameLocator | Page): FrameLocator {
  return host.frameLocator('iframe[name="ace_outer"]').frameLocator('iframe[name="ace_inner"]');
}

/** The text of the pad, to read and to write in. `host`: the frame of the app, or the pad's own page at /p/. */
export function textOf(host: FrameLocator | Page): Locator {
  return innerFrameOf(host).locator('#innerdocbody');
}

/** Waits until the text can be changed, or until it can only be read. */
export async function untilEditable(host: FrameLocator | Page, editable: boolean): Promise<void> {
  const text = innerFrameOf(host).locator(`#innerdocbody[contenteditable="${editable}"]`);
  await text.waitFor({ timeout: timeLimit, state: 'attached' });
}

/**
 * Waits until the editor in the app is complete. Its text appears earlier: what is typed then can be lost, and Etherpad
 * takes the focus when it is complete.
 */
export async function untilEditorIsReady(page: Page): Promise<void> {
  const ready = frameOf(page).locator('#editorcontainer.initialized');
  await ready.waitFor({ timeout: timeLimit, state: 'attached' });
  await textOf(frameOf(page)).waitFor({ timeout: timeLimit, state: 'attached' });
}

/** Types at the end of the pad. */
export async function type(page: Page, text: string): Promise<void> {
  await untilEditorIsReady(page);
  const body = textOf(frameOf(page));
  await body.press('ControlOrMeta+End');
  await body.pressSequentially(text, { delay: 5 });
}

/** Waits until the text is there. */
export async function untilShows(host: FrameLocator | Page, text: string): Promise<void> {
  await textOf(host).getByText(text).first().waitFor({ timeout: timeLimit, state: 'attached' });
}

/** Waits until the server has the text. The editor sends it half a second after the last key. */
export async function untilSaved(page: Page, pad: string, text: string): Promise<void> {
  const deadline = Date.now() + timeLimit;
  for (;;) {
    const saved = await (await page.request.get(`/p/${pad}/export/txt`)).text();
    if (saved.includes(text)) return;
    if (Date.now() > deadline) throw new Error(`The server has not received “${text}”, it has: ${saved}`);
    await page.waitForTimeout(100);
  }
}
