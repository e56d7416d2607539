/**
 * Real browsers before a real Etherpad with the plugin in it: one of each for all the tests of a run, started by the first test that
 * wants them. Every visitor has a browser of their own (cookies, storage, size, language, theme).
 */
import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../bin/programs';
import { firstSteps } from '../../model/settings/firstSteps';
import { textOf } from './editor';
import { type RunningEtherpad, startEtherpad } from './etherpad';
import { createWorld, type Person, type World } from './hostWorld';
import { leakOf } from './leaks';

export interface Stage {
  etherpad: RunningEtherpad;
  world: World;
  browser: Browser;
}

let stage: Promise<Stage> | undefined;

/** Etherpad does that at the first visit of a pad, for up to a minute on a busy machine: no test should have to wait for it. */
async function putEditorTogether(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${url}/p/first-visit`, { waitUntil: 'commit', timeout: 60_000 });
  await textOf(page).waitFor({ state: 'attached', timeout: 240_000 });
  await page.close();
}

async function raise(): Promise<Stage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium found: install one, or set CHROME_PATH.');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
  const [etherpad, browser] = await Promise.all([startEtherpad(), chromium.launch({ executablePath, args })]);
  await putEditorTogether(browser, etherpad.url);
  const world = createWorld(etherpad);
  // The administration would lead to the first steps.
  await world.configure('firstSteps', firstSteps);
  return { etherpad, world, browser };
}

after(async function () {
  this.timeout(60_000);
  if (stage === undefined) return;
  const { browser, etherpad } = await stage;
  await browser.close();
  await etherpad.stop();
});

/** The stage, started where nobody has yet. Call it in a `before` with a long timeout. */
export function onStage(): Promise<Stage> {
  stage ??= raise();
  return stage;
}

export interface VisitorOptions {
  /** Signed in as; a guest when missing. */
  as?: Person;
  /** 1280 × 800 unless told; `phone` is 390 × 844 with touch. */
  screen?: 'desktop' | 'phone' | { width: number; height: number };
  /** `en` unless told. */
  language?: string;
  theme?: 'light' | 'dark';
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

export interface Visitor {
  page: Page;
  /** Opens a place of the page (`/mypads`); `''` is the page's own start. */
  open(place: string): Promise<void>;
  /** What went wrong in scripts so far, and what the security policy has blocked. */
  complaints(): readonly string[];
  close(): Promise<void>;
}

/** What the browser of somebody who is signed in keeps; the language was chosen in its menu. */
function signedIn(
  person: Person,
  url: string,
  language: string,
): NonNullable<BrowserContextOptions['storageState']> {
  const [name = '', ...value] = person.cookie.split('=');
  const cookie = {
    name,
    value: value.join('='),
    domain: new URL(url).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  };
  return {
    cookies: [cookie],
    origins: [
      {
        origin: url,
        localStorage: [
          { name: 'token', value: person.token },
          { name: 'language', value: language },
        ],
      },
    ],
  };
}

/** Somebody in front of a browser. */
export async function visitor(
  { browser, etherpad }: Stage,
  { as, screen = 'desktop', language = 'en', theme = 'light' }: VisitorOptions = {},
): Promise<Visitor> {
  const size = typeof screen === 'object' ? screen : screen === 'phone' ? phone : desktop;
  const touches = size.width < 600;
  const options: BrowserContextOptions = {
    baseURL: etherpad.url,
    viewport: size,
    hasTouch: touches,
    isMobile: touches,
    locale: language,
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...(as !== undefined && { storageState: signedIn(as, etherpad.url, language) }),
  };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(40_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Minified React/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on('response', async (answer) => {
    const { pathname } = new URL(answer.url());
    if (!pathname.startsWith('/mypads/api/')) return;
    // A body is gone when the page has moved on.
    const body = await answer.text().catch(() => '');
    const leak = leakOf(pathname.slice('/mypads'.length), { headers: {}, body });
    if (leak !== undefined) complaints.push(`${pathname} tells ${leak}`);
  });
  return {
    page,
    open: async (place) => {
      await page.goto(`/mypads/${place === '' ? '' : `?${place.replace('?', '&')}`}`);
    },
    complaints: () => complaints,
    close: () => context.close(),
  };
}

/** Signs the visitor in as a server administrator, in the page and not in the editor's frame. */
export async function administer(page: Page, token: string): Promise<void> {
  await page.addInitScript((value) => {
    if (window.parent === window) localStorage.setItem('admToken', value);
  }, token);
}

/** The token of a new session of the server administrator. */
export async function signInAsAdmin({ admin, api }: RunningEtherpad): Promise<string> {
  const body = { login: admin.name, password: admin.password };
  return ((await api('POST', 'auth/admin/login', { body })).body as { token: string }).token;
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  id: string;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** What axe-core finds wrong with what is shown (WCAG 2.2 A and AA, and its best practices), one line each; frames are left out. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate(async (): Promise<AxeViolation[]> => {
    const { axe: engine } = window as unknown as {
      axe: { run(context: object, options: object): Promise<{ violations: AxeViolation[] }> };
    };
    const result = await engine.run(
      { exclude: [['iframe']] },
      { iframes: false, resultTypes: ['violations'] },
    );
    return result.violations;
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} (${JSON.stringify(node.target)}) ${node.failureSummary ?? ''}`),
  );
}

/** Elements that reach over an edge, when the page scrolls sideways; empty when it does not. */
export async function sidewaysScroll(page: Page): Promise<string[]> {
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
