/**
 * Browsers with the app of a real Etherpad. All tests of a process share one Etherpad and one browser program, which
 * the first test starts. Each window has its own cookies, storage, size, language and theme, like a browser of
 * one person.
 */
import { readFileSync } from 'node:fs';
import {
  type Browser,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
  type Response,
} from 'playwright-core';
import { findBrowser } from '../../bin/programs';
import type { LanguageCode } from '../../model/languages';
import { firstSteps } from '../../model/settings/firstSteps';
import { textOf } from './editor';
import { type RunningEtherpad, startEtherpad } from './etherpad';
import {
  createFixture,
  type Fixture,
  type Person,
  password as passwordOfAll,
  signInAsAdmin,
} from './hostFixture';
import { leakOf } from './leaks';
import { heldWork } from './waiting';
import { openPlainPage, takeWindow } from './windows';

/** What all tests of a process share. */
export interface SharedHost {
  etherpad: RunningEtherpad;
  fixture: Fixture;
  browser: Browser;
}

let shared: Promise<SharedHost> | undefined;

/** Etherpad collects the scripts of the editor at the first visit of a pad, which takes long on a busy machine. */
export async function visitFirstPad(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${url}/p/first-visit`, { waitUntil: 'commit', timeout: 60_000 });
  await textOf(page).waitFor({ state: 'attached', timeout: 240_000 });
  await page.close();
}

async function start(): Promise<SharedHost> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium found: install one, or set CHROME_PATH.');
  // Pages are open only for seconds: optimizing their scripts takes more time than it saves.
  const scripts = '--js-flags=--no-opt --no-maglev';
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--no-first-run',
    scripts,
  ];
  const starting = [startEtherpad(), chromium.launch({ executablePath, args })] as const;
  const [etherpad, browser] = await Promise.all(starting).catch(async (error: unknown) => {
    // One of the two may have started. It would keep the process running.
    const [host, page] = await Promise.allSettled(starting);
    if (host.status === 'fulfilled') await host.value.stop();
    if (page.status === 'fulfilled') await page.value.close();
    throw error;
  });
  await visitFirstPad(browser, etherpad.url);
  const fixture = createFixture(etherpad);
  // Otherwise the administration opens with the first steps.
  await fixture.configure('firstSteps', firstSteps);
  return { etherpad, fixture, browser };
}

after(async function () {
  this.timeout(60_000);
  if (shared === undefined) return;
  const { browser, etherpad } = await shared;
  await browser.close();
  await etherpad.stop();
});

/** Starts Etherpad and the browser at the first call. Call it in a `before` with a long timeout. */
function sharedHost(): Promise<SharedHost> {
  shared ??= start();
  return shared;
}

export interface WindowOptions {
  /** Signed in as; a guest when missing. */
  as?: Person | undefined;
  /** Signed in as a server administrator too, with this token (`signInAsAdmin`). */
  adminToken?: string;
  /** 1280 × 800 by default; `phone` is 390 × 844. Screens below 600 px are touch screens. */
  screen?: 'desktop' | 'phone' | { width: number; height: number };
  /** `en` by default. It becomes the language of the account too. */
  language?: string | undefined;
  theme?: 'light' | 'dark';
  /** Things move as for most people. Otherwise nothing does, which is faster. */
  motion?: boolean;
  /** With an empty cache, as at the first visit of a browser. Otherwise files of the app may be kept from before. */
  isNew?: boolean;
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

export interface AppWindow {
  page: Page;
  /** Opens a path of the app (`/mypads`); `''` is the app without a path. */
  goTo(path: string, waitUntil?: 'commit' | 'load'): Promise<void>;
  /** Errors and warnings in the console, blocked content and leaked secrets since the last call. */
  takeErrors(): string[];
  /** `hasFailed`: the test of this window has failed, so no other test may use it. */
  close(hasFailed?: boolean): Promise<void>;
}

/** The entry cookie of a person who is signed in. */
function entryCookie({ cookie }: Person, url: string) {
  const [name = '', ...value] = cookie.split('=');
  return { name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' as const };
}

/** Writes what the browser of somebody who is signed in keeps, before the first page of the app is opened. */
async function store(page: Page, { as, adminToken, language = 'en' }: WindowOptions): Promise<void> {
  const items = {
    ...(adminToken !== undefined && { admToken: adminToken }),
    ...(as !== undefined && { token: as.token, language }),
  };
  if (Object.keys(items).length === 0) return;
  await openPlainPage(page);
  await page.evaluate((given) => {
    for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
  }, items);
}

/** Messages of the browser itself about calls that the server refused, and about requests that a test has stopped. */
const refusedCall = /^Failed to load resource:/;
const stopped = 'net::ERR_FAILED';

/** Errors in the editor that the plugin can cause. Etherpad logs others itself, such as a missing translation. */
const notOfEtherpad = /Content Security Policy|Minified React/;

/**
 * Notes errors and warnings of the page, blocked content (also in the editor), and answers of the API with secrets.
 * Returns a function that ends this.
 */
function watch(page: Page, errors: string[]): () => void {
  const onError = (error: Error): void => void errors.push(String(error));
  const onMessage = (message: ConsoleMessage): void => {
    const text = message.text();
    const { url } = message.location();
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (refusedCall.test(text) && (url.includes('/mypads/api/') || text.includes(stopped))) return;
    if (!url.includes('/mypads/') && !notOfEtherpad.test(text)) return;
    errors.push(`${message.type()} of ${url}: ${text}`);
  };
  const onAnswer = async (answer: Response): Promise<void> => {
    const { pathname } = new URL(answer.url());
    if (!pathname.startsWith('/mypads/api/')) return;
    // The browser discards a body when the page leaves.
    const body = await answer.text().catch(() => '');
    const leak = leakOf(pathname.slice('/mypads'.length), { headers: {}, body });
    if (leak !== undefined) errors.push(`${pathname} reveals ${leak}`);
  };
  page.on('pageerror', onError).on('console', onMessage).on('response', onAnswer);
  return () => void page.off('pageerror', onError).off('console', onMessage).off('response', onAnswer);
}

/** Opens a window that the caller closes. Tests with `useApp` open theirs with `app.window`. */
async function openWindow(host: SharedHost, options: WindowOptions): Promise<AppWindow> {
  const { browser, etherpad, fixture } = host;
  const { screen = 'desktop', language, theme = 'light' } = options;
  const size = typeof screen === 'object' ? screen : screen === 'phone' ? phone : desktop;
  const kind = { baseURL: etherpad.url, touches: size.width < 600, locale: language ?? 'en' };
  const window = await takeWindow(browser, kind, options.isNew ?? false);
  const { page } = window;
  await page.setViewportSize(size);
  await page.emulateMedia({
    colorScheme: theme,
    reducedMotion: options.motion === true ? 'no-preference' : 'reduce',
    forcedColors: 'none',
    contrast: 'no-preference',
    media: null,
  });
  if (options.as !== undefined) await page.context().addCookies([entryCookie(options.as, etherpad.url)]);
  if (options.as !== undefined && language !== undefined) {
    await fixture.change(options.as, `user/${options.as.login}`, { lang: language });
  }
  await store(page, options);
  const errors: string[] = [];
  const stopWatching = watch(page, errors);
  window.start();
  return {
    page,
    goTo: async (path, waitUntil = 'load') => {
      await page.goto(`/mypads/${path === '' ? '' : `?${path.replace('?', '&')}`}`, { waitUntil });
    },
    takeErrors: () => errors.splice(0),
    async close(hasFailed) {
      await window.close(hasFailed);
      stopWatching();
    },
  };
}

export interface TestedApp extends SharedHost {
  /** Registers a person before the tests, which may read the fields. With `beforeEach`: a new one for each test. */
  usePerson(name: string, register?: (work: () => Promise<void>) => void): Person;
  /** A new window, empty. It is closed after the test, or after all tests when it was opened in a `before`. */
  window(options?: WindowOptions): Promise<AppWindow>;
  /** A path of the app in a new window. */
  open(path: string, options?: WindowOptions): Promise<Page>;
  /** Another path in the window that was opened last. */
  goTo(path: string): Promise<void>;
  /** Closes the window that was opened last. */
  close(): Promise<void>;
  /** The token of a new session of the server administrator. */
  signInAsAdmin(): Promise<string>;
  /** The value of a setting, as server administrators read it. */
  setting(key: string): Promise<unknown>;
  /** Sets settings back to their defaults. */
  reset(...keys: string[]): Promise<void>;
}

/**
 * Call it first in a `describe`: it starts Etherpad and the browser, and after each test closes the test's windows.
 * A test fails when a window had errors. `expected`: errors that the tests of this file cause on purpose.
 */
export function useApp({ expected }: { expected?: RegExp } = {}): TestedApp {
  let host: SharedHost | undefined;
  let adminToken: string | undefined;
  let windows: AppWindow[] = [];
  const kept: AppWindow[] = [];
  let inTest = false;

  function running(): SharedHost {
    if (host === undefined) throw new Error('Etherpad is started in a `before` hook of useApp.');
    return host;
  }
  function last(): AppWindow {
    const window = windows.at(-1) ?? kept.at(-1);
    if (window === undefined) throw new Error('No window is open.');
    return window;
  }
  async function finish(list: readonly AppWindow[], hasFailed = false): Promise<void> {
    await Promise.all(list.map((window) => window.close(hasFailed)));
    const errors = list.flatMap((window) => window.takeErrors()).filter((error) => !expected?.test(error));
    if (errors.length > 0) throw new Error(`The page had errors:\n${errors.join('\n')}`);
  }

  before(async function () {
    this.timeout(300_000);
    host = await sharedHost();
  });
  beforeEach(() => {
    inTest = true;
  });
  afterEach(async function () {
    inTest = false;
    await finish(windows.splice(0), this.currentTest?.state === 'failed');
  });
  after(() => finish(kept.splice(0)));

  async function window(options: WindowOptions = {}): Promise<AppWindow> {
    const opened = await openWindow(running(), options);
    (inTest ? windows : kept).push(opened);
    return opened;
  }
  async function administer(): Promise<string> {
    adminToken ??= await signInAsAdmin(running().etherpad);
    return adminToken;
  }

  return {
    get etherpad() {
      return running().etherpad;
    },
    get fixture() {
      return running().fixture;
    },
    get browser() {
      return running().browser;
    },
    usePerson(name, register = before) {
      const person = {} as Person;
      register(async () => {
        Object.assign(person, await running().fixture.person(name));
      });
      return person;
    },
    window,
    async open(path, options) {
      const { page, goTo } = await window(options);
      await goTo(path);
      return page;
    },
    goTo: (path) => last().goTo(path),
    async close() {
      const closing = last();
      windows = windows.filter((one) => one !== closing);
      await finish([closing]);
    },
    signInAsAdmin: () => signInAsAdmin(running().etherpad),
    async setting(key) {
      const answer = await running().etherpad.api('GET', `configuration/${key}`, {
        token: await administer(),
      });
      return (answer.body as { value: unknown }).value;
    },
    async reset(...keys) {
      const token = await administer();
      for (const key of keys) await running().etherpad.api('DELETE', `configuration/${key}`, { token });
    },
  };
}

/** The title of the screen. */
export function heading(page: Page, name?: string | RegExp): Locator {
  return page.getByRole('heading', { level: 1, ...(name !== undefined && { name }) });
}

/** Waits for the title of the page, which is set a moment after its heading. */
export async function untilTitle(page: Page, title: string): Promise<void> {
  await page.waitForFunction((wanted) => document.title === wanted, title);
}

/** Waits until the element has the focus, which often moves a moment after the screen has changed. */
export async function untilFocused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/**
 * Holds requests to these addresses back until the returned function is called. `method`: only requests with it.
 * `fails`: they are lost then.
 */
export async function hold(
  page: Page,
  url: string | RegExp,
  method?: string,
  { fails = false } = {},
): Promise<() => void> {
  const { held, release } = heldWork();
  await page.route(url, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.continue();
    await held;
    return fails ? route.abort() : route.continue();
  });
  return release;
}

/** Chooses a language as another tab of the browser does: the screen stays as it is, and all its texts change. */
export async function switchLanguage(page: Page, language: LanguageCode): Promise<void> {
  await page.evaluate((newValue) => {
    localStorage.setItem('language', newValue);
    dispatchEvent(new StorageEvent('storage', { key: 'language', newValue }));
  }, language);
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
}

/** The button that opens the dialog about who can open a folder or a pad. */
export const shareButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: /^Share/ });

/** The window gets the focus again, as after a look at another program. Waits until `path` has been read again. */
export async function returnToWindow(page: Page, path: string): Promise<void> {
  const read = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith(path));
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await (await read).finished();
}

/**
 * What the element with the focus is told when the person changes to another window: it stays the active one. Pages of
 * a browser without a screen all believe that they have the focus, so the event is made here.
 */
export async function leaveWindow(page: Page): Promise<void> {
  await page.locator(':focus').evaluate((element) => {
    element.dispatchEvent(new FocusEvent('blur'));
    element.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  });
}

/** Signs in through the form of the sign-in screen. */
export async function signInByForm(page: Page, login: string, password = passwordOfAll): Promise<void> {
  await page.getByLabel('Username or email').fill(login);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  id: string;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/**
 * What axe-core finds wrong with the screen (WCAG 2.2 A and AA, and its best practices), one line each. Frames are left
 * out. `rules`: only these rules.
 */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const violations = await page.evaluate(async (only): Promise<AxeViolation[]> => {
    const { axe: engine } = window as unknown as {
      axe: { run(context: object, options: object): Promise<{ violations: AxeViolation[] }> };
    };
    const result = await engine.run(
      { exclude: [['iframe']] },
      { iframes: false, resultTypes: ['violations'], ...(only !== undefined && { runOnly: only }) },
    );
    return result.violations;
  }, rules);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} (${JSON.stringify(node.target)}) ${node.failureSummary ?? ''}`),
  );
}

/** Waits until nothing moves in the document of this element, except endless animations: something is loading there. */
export async function untilStill(root: Locator): Promise<void> {
  await root.evaluate(async ({ ownerDocument }) => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ending = ownerDocument
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** Changes the theme, and waits until all colours have changed, perhaps in a transition. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await untilStill(page.locator('html'));
}

/** Themes change colours only. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** The same screen in the other theme. Only the rules about colours are checked. */
export async function contrastProblems(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await showTheme(page, theme);
  return accessibilityProblems(page, colourRules);
}

/** What axe finds on the screen as it is now: everything on a phone, and the dark colours on a desktop. */
export async function problemsEverywhere(page: Page): Promise<string[]> {
  await page.setViewportSize(phone);
  await showTheme(page, 'light');
  const found = await accessibilityProblems(page);
  await page.setViewportSize(desktop);
  found.push(...(await contrastProblems(page, 'dark')));
  await showTheme(page, 'light');
  return found;
}

/** Turns an open window into a touch screen of this width. The screen stays as it is, with its open dialogs. */
export async function becomePhone(page: Page, width: number): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const size = { width, height: 640, deviceScaleFactor: 1, mobile: true };
  await tools.send('Emulation.setDeviceMetricsOverride', size);
  await page.waitForFunction(
    (query) => matchMedia(query).matches,
    `(width: ${width}px) and (pointer: coarse)`,
  );
}

/** Milliseconds in which the page has to fit after a change of the window's size: React draws some parts again. */
const settleTime = 2_000;

/** Elements that reach over an edge, when the page scrolls sideways and goes on doing so; empty when it does not. */
export async function sidewaysScroll(page: Page): Promise<string[]> {
  const deadline = Date.now() + settleTime;
  for (;;) {
    const found = await elementsBeyondEdges(page);
    if (found.length === 0 || Date.now() > deadline) return found;
    await page.waitForTimeout(50);
  }
}

function elementsBeyondEdges(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const over = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 1 || left < -1;
    });
    return [`${scrollWidth} px`, ...over.map((element) => element.outerHTML.slice(0, 120))];
  });
}
