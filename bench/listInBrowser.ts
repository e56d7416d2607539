/** Measures how fast the list of 500 folders with 5,000 pads reacts in a browser that is slowed down four times. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { buildPage } from '../bin/buildPage';
import { findBrowser } from '../bin/programs';
import { startApp, type TestApp } from '../test/support/app';
import { buildGroup, buildPad, buildUser, type TestUser } from '../test/support/factories';
import { ms, print, summarise } from './measure';

const [groups, padsOfEach, runs, slower] = [500, 10, 9, 4];
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

/** Milliseconds from an action to the first frame in which `sign` is an element of the page. */
async function answer(page: Page, act: string, sign: string): Promise<number> {
  return page.evaluate(
    `new Promise((resolve) => {
      const start = performance.now();
      const look = () => {
        if (!(${sign})) return requestAnimationFrame(look);
        setTimeout(() => resolve(performance.now() - start));
      };
      ${act};
      requestAnimationFrame(look);
    })`,
  );
}

const lastMade = `Folder ${((groups - 1) * 7919) % groups}`;
const first = `document.querySelector('main li a')?.textContent`;
const link = (place: string): string => `document.querySelector('nav a[href$="?${place}"]').click()`;
const type = (text: string): string =>
  `Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(document.querySelector('input[type=search]'), '${text}');
   document.querySelector('input[type=search]').dispatchEvent(new Event('input', { bubbles: true }))`;

async function measure(page: Page): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = { open: [], sort: [], filter: [], clear: [] };
  const choose = (name: string): string =>
    `[...document.querySelectorAll('[role=menuitemradio]')].find((item) => item.textContent === '${name}').click()`;
  for (let run = 0; run < runs; run += 1) {
    await page.evaluate(link('/mybookmarks'));
    await page.getByRole('heading', { level: 1, name: 'Bookmarks' }).waitFor();
    await page.waitForTimeout(500);
    times.open?.push(await answer(page, link('/mypads'), first));
    await page.waitForTimeout(500);
    await page.getByRole('button', { name: /^Sorted by/ }).click();
    const [direction, top] = run % 2 === 0 ? ['Descending', lastMade] : ['Ascending', 'Folder 0'];
    times.sort?.push(await answer(page, choose(direction), `${first} === '${top}'`));
    await page.waitForTimeout(500);
    times.filter?.push(await answer(page, type('folder 123'), `${first} === 'Folder 123'`));
    await page.waitForTimeout(500);
    times.clear?.push(await answer(page, type(''), `document.querySelectorAll('main li a').length > 20`));
    await page.waitForTimeout(500);
  }
  return times;
}

export async function listInBrowser(): Promise<void> {
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
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    const { token } = await fill(app);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' });
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mypads/?/mypads&sort=ctime`);
    await page.getByRole('heading', { level: 1, name: 'Folders' }).waitFor();
    await page.waitForTimeout(3000);
    const times = await measure(page);
    print(
      `List of ${groups} folders, ${groups * padsOfEach} pads, processor ${slower} times slower (aim: 100 ms)`,
      Object.entries(times).map(([what, samples]) => {
        const { median, p95 } = summarise(samples);
        return [what, `${ms(median)} median, ${ms(p95)} p95 until it is shown`] as const;
      }),
    );
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
  }
}
