/**
 * Windows of a browser, each with its own cookies and storage, like a browser of one person. A window that a test gives
 * back is emptied and used by a later test: in a new one all scripts are compiled again, which takes as much processor
 * time as a short test.
 */
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Frame,
  Page,
} from 'playwright-core';

/** What cannot change while a window exists. */
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
  kind: string;
  uses: number;
}

/** At most. Each window has a program with about 100 MB, and more after many pages. */
const freeWindows = 4;
const usesOfWindow = 20;

const free: Window[] = [];

/** An empty text of Etherpad: from there a page can be opened in the same process, and its storage can be reached. */
const plainPage = '/robots.txt';

/** An empty page of the app's origin. */
export async function openPlainPage(page: Page): Promise<void> {
  if (new URL(page.url()).pathname !== plainPage) await page.goto(plainPage);
}

/** What a test calls that stays in a window, or in its page. */
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

/** Calls `note` whenever one of these is read, until the function is called that it returns. */
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

/** Keeps the developer tools that are opened in a window. */
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
        // The test may have done it.
        await session.detach().catch(() => undefined);
        // They may have changed the size, which would count as unchanged.
        await page.setViewportSize({ width: 500, height: 500 });
      }
    },
  };
}

/** Leaves what the page shows, and forgets what it has stored. Its compiled scripts stay. */
async function empty(page: Page, tools: Tools): Promise<void> {
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

async function create(browser: Browser, kind: WindowKind): Promise<Pick<Window, 'page' | 'tools'>> {
  const { baseURL, touches, locale } = kind;
  const options: BrowserContextOptions = { baseURL, locale, hasTouch: touches, isMobile: touches };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(40_000);
  return { page: await context.newPage(), tools: watchTools(context) };
}

export interface TakenWindow {
  page: Page;
  /** Call it when the window is ready for the test: from now on it is noted what stays in it. */
  start(): void;
  /** `isBusy`: a test that has failed may go on in it, so it is not used again. */
  close(isBusy?: boolean): Promise<void>;
}

/** A window without cookies and storage. `isNew`: with an empty cache too. */
export async function takeWindow(browser: Browser, kind: WindowKind, isNew: boolean): Promise<TakenWindow> {
  const name = JSON.stringify(kind);
  const at = isNew ? -1 : free.findIndex((one) => one.kind === name);
  const [found] = at < 0 ? [] : free.splice(at, 1);
  const { page, tools } = found ?? (await create(browser, kind));
  const uses = (found?.uses ?? 0) + 1;
  const context = page.context();
  let isUsable = uses < usesOfWindow;
  const stops: (() => void)[] = [];

  async function close(isBusy = false): Promise<void> {
    for (const stop of stops) stop();
    isUsable &&= !isBusy && !page.isClosed() && context.pages().length === 1;
    const isEmpty =
      isUsable &&
      (await empty(page, tools).then(
        () => true,
        () => false,
      ));
    if (!isEmpty) return context.close();
    free.push({ page, tools, kind: name, uses });
    if (free.length > freeWindows) await free.shift()?.page.context().close();
  }
  function start(): void {
    const note = (): void => {
      isUsable = false;
    };
    // What it stores for another address is not forgotten.
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
  return { page, start, close };
}
