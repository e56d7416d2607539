/**
 * `npm run screenshots [part of a name …]` writes pictures of every screen, light and dark, to .cache/screenshots. It
 * prints what axe finds and which screens scroll sideways. `WIDTHS=320,768`: other widths; `LOCALE=ar`: a language.
 */
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import axe from 'axe-core';
import pLimit from 'p-limit';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../../bin/programs';
import { keys } from '../../../model/store/store';
import { startApp, type TestApp } from '../app';
import { buildUnlessBuilt } from '../etherpad';
import { adminShots } from './adminShots';
import { exportShots } from './exportShots';
import { folderShots } from './folderShots';
import { peopleShots } from './peopleShots';
import { digestOf, docsPicture, docsSize, guidePicture, guideSize, writeDigest } from './pictures';
import { buildSampleData, doneByAdministrators, locale, oldNumbers, type SampleData } from './sampleData';
import { sharingShots } from './sharingShots';
import type { Shot } from './shot';
import { stateShots } from './stateShots';
import { imageSizes, writeImage } from './writeImage';

const root = join(__dirname, '..', '..', '..');
const folder = join(root, '.cache', 'screenshots', process.env.LOCALE ?? '');
export const shots: readonly Shot[] = [
  ...peopleShots,
  ...folderShots,
  ...exportShots,
  ...sharingShots,
  ...stateShots,
  ...adminShots,
];
/** Screenshots that are taken at the same time. */
const atOnce = 3;

const usualDevices: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 1024, height: 768 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

function deviceOfWidth(width: string): [string, BrowserContextOptions] {
  const touches = Number(width) < 600;
  return [width, { viewport: { width: Number(width), height: 800 }, hasTouch: touches, isMobile: touches }];
}

/** `IMAGES=1` takes those pictures again that are in docs/images, `GUIDE=1` those of the guide. */
const docs = process.env.IMAGES ? { docs: { viewport: docsSize } } : undefined;
const guide = process.env.GUIDE ? { guide: { viewport: guideSize } } : undefined;

const devices: Readonly<Record<string, BrowserContextOptions>> =
  docs ??
  guide ??
  (process.env.WIDTHS ? Object.fromEntries(process.env.WIDTHS.split(',').map(deviceOfWidth)) : usualDevices);

/** Serves the plugin at /mypads, and instead of an editor a page with one sentence. */
async function listen(app: TestApp): Promise<Server> {
  const server = createServer((request, response) => {
    const [, first, rest] = /^\/mypads(\/?)(.*)$/.exec(request.url ?? '') ?? [];
    if (first === undefined) {
      response.setHeader('Content-Type', 'text/html');
      const ready = `<script>parent.postMessage({ ep_mypads: 'ready' }, location.origin)</script>`;
      response.end(`<body style="font: 16px sans-serif; margin: 2em">Here is the editor.${ready}`);
      return;
    }
    request.url = `/${rest ?? ''}`;
    app.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Prints what axe finds wrong on the screen. */
async function printProblems(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { iframes: false }),
  );
  for (const { id, help, nodes } of violations) {
    console.error(`${where}: ${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
  }
}

/** The screen of a shot on one device, in a window of its own. */
async function open(
  browser: Browser,
  options: BrowserContextOptions,
  address: string,
  data: SampleData,
  shot: Shot,
): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    colorScheme: 'light',
    locale,
    reducedMotion: 'reduce',
  });
  const { as = 'me', path } = shot;
  if (as !== 'guest') {
    const item = as === 'admin' ? (['admToken', data.admin] as const) : (['token', data[as].token] as const);
    await context.addInitScript(([name, value]) => {
      if (window.parent === window) localStorage.setItem(name, value);
    }, item);
  }
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${shot.name}: ${error.message}`));
  await shot.before?.(page, data);
  await page.goto(`${address}?${typeof path === 'string' ? path : path(data)}`);
  await page.waitForSelector('h1');
  if (!shot.waiting) await page.waitForLoadState('networkidle');
  await shot.act?.(page, data);
  // What was opened may still load. The button of a job that runs stays busy.
  if (!shot.waiting)
    await page.locator('[aria-busy=true]:not(button)').first().waitFor({ state: 'detached' });
  return page;
}

async function take(screens: Screens, shot: Shot): Promise<void> {
  for (const [device, options] of Object.entries(devices)) {
    const page = await screens.open(options, shot);
    try {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) console.error(`${shot.name}: scrolls ${wide} px sideways on the ${device}`);
      // A window of that height: for a picture of the whole page, Chromium ends the emulation of a touch screen.
      const size = page.viewportSize();
      if (device === 'docs' && shot.docs) await page.setViewportSize(shot.docs);
      else if (shot.full && size !== null && device !== 'guide') {
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width: size.width, height: Math.max(size.height, height) });
      }
      if (device === 'guide') {
        const picture = guidePicture(shot);
        if (picture) await writeImage(page, await page.screenshot(), picture.file, imageSizes.guide);
        if (picture) writeDigest(picture.file, await digestOf(page));
        continue;
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(300);
        await printProblems(page, `${shot.name} ${device} ${colorScheme}`);
        await page.screenshot({ path: join(folder, `${shot.name}-${device}-${colorScheme}.png`) });
        const picture = docsPicture(shot);
        if (device === 'docs' && colorScheme === 'light' && picture) {
          const most = picture.size.width;
          await writeImage(page, await page.screenshot(), picture.file, { ...imageSizes.docs, most });
          writeDigest(picture.file, await digestOf(page));
        }
      }
    } finally {
      await page.context().close();
    }
  }
}

/** What opens the screens of the sample data in a browser. */
interface Screens {
  /** The screen of a shot in a window of this size. Its caller closes the context of the page. */
  open(options: BrowserContextOptions, shot: Shot): Promise<Page>;
  close(): Promise<void>;
}

/** Needs the built page in static/dist. */
export async function openScreens(): Promise<Screens> {
  const app = await startApp({
    staticRoot: join(root, 'static', 'dist'),
    templateRoot: join(root, 'templates'),
  });
  const mail = { rootUrl: 'http://127.0.0.1', SMTPHost: '127.0.0.1', SMTPEmailFrom: 'pads@example.org' };
  for (const [key, value] of Object.entries(mail)) await app.model.configuration.set(key, value);
  await app.ports.database.set(keys.dailyNumbers, { days: oldNumbers() });
  for (const entry of doneByAdministrators) app.model.adminLog.add(entry);
  const server = await listen(app);
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  async function close(): Promise<void> {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
  }
  try {
    const data = await buildSampleData(app);
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mypads/`;
    return { close, open: (options, shot) => open(browser, options, address, data, shot) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function main(names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await buildUnlessBuilt();
  const screens = await openScreens();
  try {
    const wanted = shots
      .filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)))
      .filter((shot) => !docs || docsPicture(shot))
      .filter((shot) => !guide || guidePicture(shot));
    const limit = pLimit(atOnce);
    const taken = wanted.map((shot) =>
      limit(() => take(screens, shot).catch((error: unknown) => console.error(shot.name, error))),
    );
    await Promise.all(taken);
  } finally {
    await screens.close();
  }
}

if (require.main === module) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
