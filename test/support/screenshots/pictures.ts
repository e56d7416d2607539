/** The pictures in docs/images and in the guide that `npm run screenshots` takes, and what the screens showed then. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../../bin/etherpad';
import type { Shot } from './shot';

/** Their windows. */
export const docsSize = { width: 1280, height: 720 };
export const guideSize = { width: 960, height: 600 };
export const filmSize = { width: 800, height: 560 };

interface Picture {
  shot: Shot;
  /** The path of the file in the repository. */
  file: string;
  size: { width: number; height: number };
  /** Takes it again. */
  command: string;
}

/** The picture of a shot in docs/images, if there is one. */
export function docsPicture(shot: Shot): Picture | undefined {
  const file = `docs/images/${shot.name}.webp`;
  const command = `IMAGES=1 npm run screenshots ${shot.name}`;
  return existsSync(join(projectRoot, file))
    ? { shot, file, size: shot.docs ?? docsSize, command }
    : undefined;
}

/** The picture of a shot in the guide, if there is one. */
export function guidePicture(shot: Shot): Picture | undefined {
  const file = `static/guide/pictures/${shot.guide}.webp`;
  return shot.guide === undefined
    ? undefined
    : { shot, file, size: guideSize, command: `GUIDE=1 npm run screenshots ${shot.name}` };
}

/**
 * A screen of the moving picture of README and of the guide's picture of the editor. Both are taken in real
 * Etherpads, so what is compared are the same screens with a page in place of the editor.
 */
export function filmPicture(shot: Shot): Picture | undefined {
  const file = `docs/images/film.webp: ${shot.name}`;
  return ['pad-view', 'request-denied'].includes(shot.name)
    ? { shot, file, size: filmSize, command: 'npm run film' }
    : undefined;
}

export const picturesOf = (shots: readonly Shot[]): Picture[] =>
  shots.flatMap((shot) =>
    [docsPicture(shot), guidePicture(shot), filmPicture(shot)].filter((one) => one !== undefined),
  );

/** What gives an element its look. Sizes and `auto` margins depend on the fonts of the machine. */
const look = [
  ...['display', 'flex-direction', 'padding', 'gap', 'color', 'background-color', 'border', 'border-radius'],
  ...['box-shadow', 'font-size', 'font-weight'],
];

/** Such as "Dec 28, 2026, 1:06 PM", with the narrow space before PM of newer browsers. */
const date = /\b[A-Z][a-z]{2} \d+, \d{4}(, \d+:\d+\s[AP]M)?/g;

/**
 * A digest of what the screen shows: each visible element with its text and its look. Times, numbers and addresses
 * differ between two runs, so they do not count.
 */
export async function digestOf(page: Page): Promise<string> {
  // A colour that is changing has a value between two.
  await page.addStyleTag({ content: '* { transition: none !important; animation: none !important; }' });
  const shown = await page.evaluate(
    ({ properties, date }) =>
      [...document.body.querySelectorAll('*')]
        .filter((one) => !one.closest('time, svg *') && one.checkVisibility())
        .map((one) => {
          const style = getComputedStyle(one);
          const own = [...one.childNodes].map((node) =>
            node.nodeType === Node.TEXT_NODE ? node.textContent : '',
          );
          const icon = one.tagName === 'svg' ? one.innerHTML : '';
          return [
            one.tagName,
            own.join(' ').replace(date, 'date').replace(/\d+/g, '0'),
            icon,
            ...properties.map((name) => style.getPropertyValue(name)),
          ].join('|');
        })
        .join('\n'),
    { properties: look, date },
  );
  return createHash('sha256').update(shown).digest('hex').slice(0, 16);
}

const stored = join(__dirname, 'pictures.json');

/** The digest of what each picture shows, by its file. */
export const readDigests = (): Record<string, string> => JSON.parse(readFileSync(stored, 'utf8'));

/** Notes what a picture that was taken again shows. */
export function writeDigest(file: string, digest: string): void {
  const all = Object.entries({ ...readDigests(), [file]: digest }).sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(stored, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
