/**
 * Measures what a first visit loads. Then, in a browser that is slowed down four times: how soon the sign-in form can
 * be used, and how fast the list of 500 folders with 5,000 pads and the palette react (its first letter: six times).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildPage } from '../bin/buildPage';
import { findBrowser } from '../bin/programs';
import { startApp, type TestApp } from '../test/support/app';
import { buildGroup, buildPad, buildUser, type TestUser } from '../test/support/factories';
import { summarise } from './measure';
import { type Result, report } from './results';

const [groups, padsOfEach, runs, slowdown] = [500, 10, 9, 4];
const root = join(__dirname, '..');

async function fill(app: TestApp): Promise<TestUser> {
  const owner = await buildUser(app);
  for (let number = 0; number < groups; number += 1) {
    // Sorted by name, the folders are in another order than by creation.
    const name = `Folder ${(number * 7919) % groups}`;
    const group = await buildGroup(app, owner, { name, tags: [`tag ${number % 30}`] });
    await Promise.all(Array.from({ length: padsOfEach }, () => buildPad(app, owner, group)));
  }
  return owner;
}

/** Milliseconds of several runs, by what was measured. */
class Times {
  private readonly samples = new Map<string, number[]>();

  add(name: string, took: number): void {
    this.samples.set(name, [...(this.samples.get(name) ?? []), took]);
  }

  /** `goal` in milliseconds is for the median. */
  rows(goal?: number): Result[] {
    return [...this.samples].flatMap(([name, samples]): Result[] => {
      const { median, max } = summarise(samples);
      return [
        { name: `${name}, median`, value: median, unit: 'ms', ...(goal !== undefined && { goal }) },
        { name: `${name}, worst`, value: max, unit: 'ms' },
      ];
    });
  }
}

/** Milliseconds from `action` to the end of the first frame in which `condition` is true. Both run in the page. */
async function responseTime(page: Page, action: string, condition: string): Promise<number> {
  // Work that is left from the step before is not measured.
  await page.waitForTimeout(500);
  return page.evaluate(
    `new Promise((resolve) => {
      const start = performance.now();
      const look = () => {
        if (!(${condition})) return requestAnimationFrame(look);
        setTimeout(() => resolve(performance.now() - start));
      };
      ${action};
      requestAnimationFrame(look);
    })`,
  );
}

const lastMade = `Folder ${((groups - 1) * 7919) % groups}`;
const first = `document.querySelector('main li a')?.textContent`;
const link = (place: string): string => `document.querySelector('nav a[href$="?${place}"]').click()`;
const filterField = 'main input[type=search]';
const paletteField = '[role=dialog] [role=combobox]';
const type = (field: string, text: string): string =>
  `Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
     .set.call(document.querySelector('${field}'), '${text}');
   document.querySelector('${field}').dispatchEvent(new Event('input', { bubbles: true }))`;
const openPalette = `document.body.dispatchEvent(
  new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }))`;

async function measureList(page: Page): Promise<Result[]> {
  const [times, whole] = [new Times(), new Times()];
  const measure = async (name: string, action: string, condition: string): Promise<void> =>
    times.add(name, await responseTime(page, action, condition));
  const choose = (name: string): string =>
    `[...document.querySelectorAll('[role=menuitemradio]')].find((item) => item.textContent === '${name}').click()`;
  for (let run = 0; run < runs; run += 1) {
    await page.evaluate(link('/mybookmarks'));
    await page.getByRole('heading', { level: 1, name: 'Bookmarks' }).waitFor();
    await measure('the list is opened', link('/mypads'), first);
    await page.getByRole('button', { name: /^Sorted by/ }).click();
    const [direction, top] = run % 2 === 0 ? ['Descending', lastMade] : ['Ascending', 'Folder 0'];
    await measure('the list is sorted', choose(direction), `${first} === '${top}'`);
    await measure('the list is filtered', type(filterField, 'folder 123'), `${first} === 'Folder 123'`);
    // A phone shows fewer than ten rows. The others of the page follow, and wait when the person types meanwhile.
    const rows = (count: number): string => `document.querySelectorAll('main [data-row]').length >= ${count}`;
    await measure('the filter is cleared', type(filterField, ''), rows(10));
    await page.locator('main [data-row]').nth(49).waitFor({ state: 'attached' });
    await page.evaluate(type(filterField, 'folder 123'));
    await page.locator('main li').first().getByRole('link', { name: 'Folder 123', exact: true }).waitFor();
    whole.add(
      'the filter is cleared, all 50 rows',
      await responseTime(page, type(filterField, ''), rows(50)),
    );
  }
  return [...times.rows(100), ...whole.rows()];
}

async function measurePalette(page: Page): Promise<Result[]> {
  const [opening, keys] = [new Times(), new Times()];
  for (let run = 0; run < runs; run += 1) {
    const isOpen = `document.querySelector('[role=dialog] [role=option]')`;
    opening.add('the palette is opened', await responseTime(page, openPalette, isOpen));
    for (const text of ['f', 'fo', 'fol', 'folder 4', 'folder 49']) {
      keys.add('a key in the palette', await responseTime(page, type(paletteField, text), 'true'));
    }
    await page.keyboard.press('Escape');
    await page.locator(paletteField).waitFor({ state: 'detached' });
  }
  return [...opening.rows(100), ...keys.rows(50)];
}

/**
 * Six times slower: from a letter, typed right after Ctrl+K when the palette was never open, to the frame with it, as
 * the browser itself measures it (Event Timing, in steps of 8 ms).
 */
async function measureFirstLetter(page: Page): Promise<Result[]> {
  const times = new Times();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  for (let run = 0; run < runs; run += 1) {
    await page.reload();
    await page.locator('main [data-row]').first().waitFor();
    await page.evaluate(
      `window.shown = new Promise((resolve) => {
        let pressed;
        addEventListener('keydown', ({ key, timeStamp }) => { if (key === 'f') pressed = timeStamp; }, true);
        new PerformanceObserver((list) => {
          for (const { startTime, duration } of list.getEntriesByName('keydown'))
            if (Math.abs(startTime - pressed) < 1) resolve(duration);
        }).observe({ type: 'event', durationThreshold: 16 });
      }); 0`,
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.press('f');
    const shown = page.evaluate<number>('shown');
    // Shorter than the browser reports.
    const quick = page.waitForTimeout(3_000).then(() => 16);
    times.add('the first letter in the palette, 6 times slower', await Promise.race([shown, quick]));
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return times.rows(50);
}

/** A new browser window, slowed down. `token` signs the person in. */
async function openWindow(browser: Browser, token?: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' });
  if (token !== undefined) {
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
  }
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
}

/** From the request of the page, with an empty cache, to a form that accepts typing. */
async function measureSignIn(browser: Browser, url: string): Promise<Result[]> {
  const times = new Times();
  for (let run = 0; run < runs; run += 1) {
    const page = await openWindow(browser);
    await page.goto(`${url}?/login`, { waitUntil: 'commit' });
    await page.locator('input[type=password]').waitFor();
    times.add('the sign-in form can be used', await page.evaluate(() => performance.now()));
    await page.context().close();
  }
  return times.rows(1_200);
}

/** What a first visit costs: all answers until the form can be used, with their headers. */
async function measureFirstVisit(browser: Browser, url: string): Promise<Result[]> {
  const page = await browser.newPage({ locale: 'en' });
  const session = await page.context().newCDPSession(page);
  const sizes: number[] = [];
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void sizes.push(encodedDataLength));
  // Idle for half a second. The scripts of the next screen are loaded a second after the form is there.
  await page.goto(`${url}?/login`, { waitUntil: 'networkidle' });
  await page.context().close();
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return [
    { name: 'a first visit, on the wire', value: bytes / 1000, unit: 'kB', goal: 115 },
    { name: 'a first visit, requests', value: sizes.length, unit: '', goal: 10 },
  ];
}

export async function slowBrowser(): Promise<void> {
  await buildPage();
  const app = await startApp({
    staticRoot: join(root, 'static', 'dist'),
    templateRoot: join(root, 'templates'),
  });
  const server = createServer((request, response) => {
    request.url = (request.url ?? '').replace(/^\/mypads/, '');
    app.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mypads/`;
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    const { token } = await fill(app);
    const signIn = [...(await measureFirstVisit(browser, url)), ...(await measureSignIn(browser, url))];
    const page = await openWindow(browser, token);
    await page.goto(`${url}?/mypads&sort=ctime`);
    await page.getByRole('heading', { level: 1, name: 'Folders' }).waitFor();
    await page.waitForTimeout(3_000);
    report(
      `slowBrowser: ${groups} folders, ${groups * padsOfEach} pads, processor ${slowdown} times slower`,
      [
        ...signIn,
        ...(await measureList(page)),
        ...(await measurePalette(page)),
        ...(await measureFirstLetter(page)),
      ],
    );
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
  }
}
