/**
 * `npm run film` writes docs/images/film.webp: two people of the demo write in a pad, one loses the right, and their
 * editor closes. Both are real browsers at a real Etherpad. It also takes the picture of the editor for the guide.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { demoPassword } from '../../../bin/demo/content';
import { fillDemo } from '../../../bin/demo/fill';
import { projectRoot } from '../../../bin/etherpad';
import { findBrowser } from '../../../bin/programs';
import { frameOf, textOf, untilCaretIsInText, untilShows } from '../editor';
import { type RunningEtherpad, startEtherpad } from '../etherpad';
import { digestOf, filmPicture, filmSize, writeDigest } from './pictures';
import { openScreens, shots } from './take';
import { imageSizes, writeImage } from './writeImage';

const images = join(projectRoot, 'docs', 'images');
/** Of each of the two windows; the film shows them smaller, beside each other. */
const viewport = filmSize;
const scale = 0.7;

/** A picture of both windows, how long it is shown, and the sentence above. */
interface Frame {
  pictures: [string, string];
  milliseconds: number;
  sentence: string;
}

async function openAs(browser: Browser, url: string, login: string): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    baseURL: url,
  });
  const page = await context.newPage();
  await page.goto('/mypads/');
  await page.getByLabel('Username or email').fill(login);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Board minutes' }).first().click();
  return page;
}

async function openPad(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Minutes of the meeting', exact: true }).first().click();
  await untilCaretIsInText(page);
}

/** Encodes an animated WebP in the page. Each frame has only the rectangle in which it differs from the one before. */
async function encode(page: Page, frames: readonly Frame[]): Promise<Buffer> {
  await page.setContent('<!doctype html>');
  await page.addScriptTag({
    content: `window.__name = (value) => value; window.encodeFilm = ${encodeInPage.toString()}`,
  });
  const base64 = await page.evaluate(
    ([all, size, factor]) =>
      (window as unknown as { encodeFilm: typeof encodeInPage }).encodeFilm(all, size, factor),
    [frames, viewport, scale] as const,
  );
  return Buffer.from(base64, 'base64');
}

/** Runs in the browser, so it uses nothing from outside. */
async function encodeInPage(
  frames: readonly Frame[],
  size: { width: number; height: number },
  factor: number,
): Promise<string> {
  const [gap, top] = [8, 44];
  const [paneWidth, paneHeight] = [Math.round(size.width * factor), Math.round(size.height * factor)];
  const [width, height] = [2 * paneWidth + 3 * gap, paneHeight + top + gap];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  const number = (value: number, bytes: number): number[] =>
    Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
  const chunk = (name: string, body: readonly number[] | Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(8 + body.length + (body.length % 2));
    bytes.set([...name].map((letter) => letter.charCodeAt(0)));
    bytes.set(number(body.length, 4), 4);
    bytes.set(body, 8);
    return bytes;
  };
  /** The chunks of a WebP with the picture itself. A frame must not have the others, such as the colour profile. */
  const pictureIn = (file: Uint8Array): Uint8Array => {
    const kept: number[] = [];
    for (let start = 12; start < file.length; ) {
      const name = String.fromCharCode(...file.slice(start, start + 4));
      const length = new DataView(file.buffer).getUint32(start + 4, true);
      const end = start + 8 + length + (length % 2);
      if (['VP8 ', 'VP8L', 'ALPH'].includes(name)) kept.push(...file.slice(start, end));
      start = end;
    }
    return new Uint8Array(kept);
  };
  const draw = async ({ pictures, sentence }: Frame): Promise<Uint32Array> => {
    context.fillStyle = '#e9e9f2';
    context.fillRect(0, 0, width, height);
    context.fillStyle = '#23233a';
    context.font = '600 19px sans-serif';
    context.textAlign = 'center';
    context.fillText(sentence, width / 2, 28);
    for (const [index, picture] of pictures.entries()) {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
      context.drawImage(image, gap + index * (paneWidth + gap), top, paneWidth, paneHeight);
    }
    return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  };
  /** The rectangle that differs, with even corners, as the format wants. */
  const changed = (before: Uint32Array | undefined, now: Uint32Array) => {
    if (!before) return { x: 0, y: 0, right: width, bottom: height };
    let [x, y, right, bottom] = [width, height, 0, 0];
    for (let index = 0; index < now.length; index += 1) {
      if (before[index] === now[index]) continue;
      const [column, row] = [index % width, Math.floor(index / width)];
      [x, y] = [Math.min(x, column), Math.min(y, row)];
      [right, bottom] = [Math.max(right, column + 1), Math.max(bottom, row + 1)];
    }
    return { x: x - (x % 2), y: y - (y % 2), right, bottom };
  };
  const parts: { body: Uint8Array; milliseconds: number; header: number[] }[] = [];
  let before: Uint32Array | undefined;
  for (const frame of frames) {
    const pixels = await draw(frame);
    const { x, y, right, bottom } = changed(before, pixels);
    before = pixels;
    const last = parts.at(-1);
    if (right <= x && last) {
      last.milliseconds += frame.milliseconds;
      continue;
    }
    const part = new OffscreenCanvas(right - x, bottom - y);
    part.getContext('2d')?.drawImage(canvas, -x, -y);
    const blob = await part.convertToBlob({ type: 'image/webp', quality: 0.82 });
    const file = new Uint8Array(await blob.arrayBuffer());
    const body = pictureIn(file);
    const place = [...number(x / 2, 3), ...number(y / 2, 3)];
    const header = [...place, ...number(right - x - 1, 3), ...number(bottom - y - 1, 3)];
    parts.push({ body, milliseconds: frame.milliseconds, header });
  }
  const chunks = [
    chunk('VP8X', [2, 0, 0, 0, ...number(width - 1, 3), ...number(height - 1, 3)]),
    chunk('ANIM', [255, 255, 255, 255, 0, 0]),
    ...parts.map(({ body, milliseconds, header }) => {
      const bytes = new Uint8Array(16 + body.length);
      bytes.set([...header, ...number(milliseconds, 3), 2]);
      bytes.set(body, 16);
      return chunk('ANMF', bytes);
    }),
  ];
  const content = await new Blob([new TextEncoder().encode('WEBP'), ...(chunks as BlobPart[])]).arrayBuffer();
  let text = '';
  for (const byte of chunk('RIFF', new Uint8Array(content))) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Plays the story and returns its frames. */
async function play(etherpad: RunningEtherpad, maya: Page, amaru: Page): Promise<Frame[]> {
  const frames: Frame[] = [];
  const show = async (sentence: string, milliseconds: number): Promise<void> => {
    const [left, right] = await Promise.all([maya.screenshot(), amaru.screenshot()]);
    frames.push({
      pictures: [left.toString('base64'), right.toString('base64')],
      milliseconds,
      sentence,
    });
  };
  const writes = async (page: Page, other: Page, text: string, sentence: string): Promise<void> => {
    const body = textOf(frameOf(page));
    for (const word of text.match(/\S+\s*/g) ?? []) {
      await body.pressSequentially(word);
      await show(sentence, 170);
    }
    await untilShows(frameOf(other), text.trim());
    await show(sentence, 500);
  };
  await show('Maya and Amaru write in the same pad', 1200);
  await textOf(frameOf(amaru)).press('ControlOrMeta+End');
  await writes(amaru, maya, 'Amaru brings the cups, Bente the cake.', 'Maya and Amaru write in the same pad');
  await textOf(frameOf(maya)).press('ControlOrMeta+Home');
  await textOf(frameOf(maya)).press('End');
  await writes(maya, amaru, ', in the kitchen', 'Maya and Amaru write in the same pad');
  await show('Maya and Amaru write in the same pad', 900);
  const { body } = await etherpad.api('POST', 'auth/login', {
    body: { login: 'maya', password: demoPassword },
  });
  const { token } = body as { token: string };
  const groups = (await etherpad.api('GET', 'group', { token })).body as {
    value: {
      groups: Record<string, { name: string; users: string[] }>;
      users: Record<string, { login: string }>;
    };
  };
  const [id = ''] =
    Object.entries(groups.value.groups).find(([, { name }]) => name === 'Board minutes') ?? [];
  const sentence = 'Maya takes away the right: Amaru’s editor closes at once';
  await etherpad.api('DELETE', `group/${id}/members/amaru`, { token });
  await frameOf(amaru).locator('body').waitFor({ state: 'detached' });
  await amaru.waitForLoadState('networkidle');
  await show(sentence, 2600);
  await textOf(frameOf(maya)).press('ControlOrMeta+End');
  await textOf(frameOf(maya)).pressSequentially(' Maya closes the meeting.');
  await show(sentence, 1800);
  return frames;
}

/** Takes the picture of the editor for the guide. */
async function takeEditor(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 720 });
  // Nothing is under the pointer.
  await page.mouse.move(800, 600);
  await untilCaretIsInText(page);
  const file = join('static', 'guide', 'pictures', 'editor.webp');
  await writeImage(page, await page.screenshot(), file, imageSizes.guide);
  await page.setViewportSize(viewport);
  await untilCaretIsInText(page);
}

/** Notes what the screens of the film show, so that a test finds out when they change. */
async function writeDigests(): Promise<void> {
  const screens = await openScreens();
  for (const picture of shots.map(filmPicture)) {
    if (!picture) continue;
    const page = await screens.open({ viewport: picture.size }, picture.shot);
    writeDigest(picture.file, await digestOf(page));
  }
  await screens.close();
}

async function main(): Promise<void> {
  const etherpad = await startEtherpad();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    await fillDemo({ url: etherpad.url, major: etherpad.major }, etherpad.admin);
    const maya = await openAs(browser, etherpad.url, 'maya');
    const amaru = await openAs(browser, etherpad.url, 'amaru');
    for (const page of [maya, amaru]) await openPad(page);
    await takeEditor(maya);
    const frames = await play(etherpad, maya, amaru);
    const film = await encode(await browser.newPage(), frames);
    if (film.length >= 1_000_000) throw new Error(`The film has ${film.length} bytes`);
    await writeFile(join(images, 'film.webp'), film);
    await writeDigests();
    console.log(`film.webp: ${frames.length} frames, ${film.length} bytes`);
  } finally {
    await browser.close();
    await etherpad.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
