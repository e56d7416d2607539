/**
 * Windows of a browser, each with its own cookies and storage, like a browser of one person. After a test its window is
 * emptied, and a later test uses it again: a new window compiles all scripts again, which takes as much processor time
 * as a short test.
 */
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Frame,
  Page,
} from 'playwright-core';
import { succeeds } from './waiting';

/** What a window has from its start to its end. A test gets only a window of its kind. */
export interface WindowKind {
  baseURL: string;
  touches: boolean;
  locale: string;
}

/** The developer tools that tests have opened. */
interface Tools {
  /** Ends them, and with them what they have changed. */
  detach(page: Page): Promise<void>;
}

interface Window {
  page: Page;
  tools: Tools;
  /** As JSON. */
  kind: string;
  /** How many tests have used it. */
  uses: number;
}

/** Each window is a process of about 100 MB, which grows with every page that it shows. */
const mostFree = 4;
const mostUses = 20;

/** Windows that no test uses now, the one that was given back last at the end. */
const free: Window[] = [];

/** A text of Etherpad at the address of the app, without scripts. */
const plainPage = '/robots.txt';

/** Opens a page without scripts at the address of the app, from which its storage can be written. */
export async function openPlainPage(page: Page): Promise<void> {
  if (new URL(page.url()).pathname !== plainPage) await page.goto(plainPage);
}

/** What has an effect until the window is closed. A window in which a test used one of these is not used again. */
const lastingInPage = [
  'on',
  'once',
  'addInitScript',
  'exposeFunction',
  'setDefaultTimeout',
  'clock',
] as const;
const lastingInWindow = [
  'on',
  'once',
  'addInitScript',
  'exposeFunction',
  'route',
  'setExtraHTTPHeaders',
  'setOffline',
] as const;

/** Calls `note` whenever one of these properties is read, until the function is called that it returns. */
function watchReads<T extends object>(target: T, names: readonly (keyof T)[], note: () => void): () => void {
  const before = names.map((name) => ({ name, own: Object.getOwnPropertyDescriptor(target, name) }));
  for (const { name } of before) {
    const value = target[name];
    const get = (): typeof value => {
      note();
      return value;
    };
    Object.defineProperty(target, name, { get, configurable: true });
  }
  return () => {
    for (const { name, own } of before) {
      if (own) Object.defineProperty(target, name, own);
      else Reflect.deleteProperty(target, name);
    }
  };
}

/** Notes which developer tools are opened in a window. */
function watchTools(context: BrowserContext): Tools {
  const sessions: CDPSession[] = [];
  const original = context.newCDPSession.bind(context);
  context.newCDPSession = async (page) => {
    const session = await original(page);
    sessions.push(session);
    return session;
  };
  return {
    async detach(page) {
      for (const session of sessions.splice(0)) {
        // The test may have ended them itself.
        await session.detach().catch(() => undefined);
        // They may have changed the size without Playwright, which sets a size only if it is another one.
        await page.setViewportSize({ width: 500, height: 500 });
      }
    },
  };
}

/** Removes what a test has left in a window, but for the compiled scripts and the files in the cache. */
async function empty({ page, tools }: Window): Promise<void> {
  await tools.detach(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(plainPage);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    window.name = '';
  });
  await page.context().clearCookies();
  await page.context().clearPermissions();
  await page.mouse.move(-1, -1);
}

async function create(browser: Browser, kind: WindowKind): Promise<Window> {
  const { baseURL, touches, locale } = kind;
  const options: BrowserContextOptions = { baseURL, locale, hasTouch: touches, isMobile: touches };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(40_000);
  return { page: await context.newPage(), tools: watchTools(context), kind: JSON.stringify(kind), uses: 0 };
}

export interface TakenWindow {
  page: Page;
  /** Call it when the window is ready for the test: what the test does decides whether it can be used again. */
  start(): void;
  /** `hasFailed`: the test may still be doing something in the window, so it is not used again. */
  close(hasFailed?: boolean): Promise<void>;
}

/** A window without cookies and storage. `isNew`: with an empty cache too. */
export async function takeWindow(browser: Browser, kind: WindowKind, isNew: boolean): Promise<TakenWindow> {
  const at = isNew ? -1 : free.findLastIndex((one) => one.kind === JSON.stringify(kind));
  const window = free.splice(at, at < 0 ? 0 : 1)[0] ?? (await create(browser, kind));
  window.uses += 1;
  const { page } = window;
  const context = page.context();
  let isUsable = window.uses < mostUses;
  const stops: (() => void)[] = [];

  function start(): void {
    const note = (): void => {
      isUsable = false;
    };
    // Only what pages of this address have stored is removed.
    const noteAddress = (frame: Frame): void => {
      if (frame.url().startsWith('http') && new URL(frame.url()).origin !== kind.baseURL) note();
    };
    page.on('framenavigated', noteAddress);
    stops.push(
      () => void page.off('framenavigated', noteAddress),
      watchReads(page, lastingInPage, note),
      watchReads(context, lastingInWindow, note),
    );
  }
  async function close(hasFailed = false): Promise<void> {
    for (const stop of stops) stop();
    if (!isUsable || hasFailed || page.isClosed() || context.pages().length > 1) return context.close();
    const isEmpty = await succeeds(empty(window));
    if (!isEmpty) return context.close();
    free.push(window);
    if (free.length > mostFree) await free.shift()?.page.context().close();
  }
  return { page, start, close };
}
