/** The editor of a pad in the frame of the app, as a person sees it. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { TestedApp, WindowOptions } from './browser';

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

/** Waits until what is typed gets into the text: the editor takes the focus shortly after it is ready. */
export async function untilCaretIsInText(page: Page): Promise<void> {
  await untilEditorIsReady(page);
  const focused = innerFrameOf(frameOf(page)).locator('#innerdocbody:focus');
  await focused.waitFor({ timeout: timeLimit, state: 'attached' });
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

/**
 * Waits until the server has the text and has confirmed it to the editor. Etherpad exports a text before it confirms
 * it; if the server stops in between, the editor counts the text as unsaved.
 */
export async function untilConfirmed(page: Page, pad: string, text: string): Promise<void> {
  await untilSaved(page, pad, text);
  await frameOf(page)
    .locator('body')
    .evaluate(() => {
      const { pad } = window as unknown as { pad: { callWhenNotCommitting(done: () => void): void } };
      return new Promise<void>((resolve) => pad.callWhenNotCommitting(resolve));
    });
}

/** Opens a pad in a tab of its own, and waits until the editor is complete. */
export async function openPad(
  app: TestedApp,
  options: WindowOptions,
  id: string,
  { editable = true } = {},
): Promise<Page> {
  const { page } = await app.window(options);
  await page.goto(`/p/${id}`);
  await untilEditable(page, editable);
  await page.locator('#editorcontainer.initialized').waitFor({ state: 'attached' });
  return page;
}

/** Opens a dialog of the toolbar, and closes it after `look`. `key`: the name of its button. */
export async function inDialog<Seen>(
  page: Page,
  key: string,
  dialog: string,
  look: () => Promise<Seen>,
): Promise<Seen> {
  const button = page.locator(`#editbar [data-key="${key}"] button`);
  await button.click();
  await page.locator(`${dialog}.popup-show`).waitFor();
  const seen = await look();
  await button.click();
  return seen;
}
