/**
 * Draws the icons of the page from static/icons/logo.svg into PNG files beside it: `npx tsx bin/icons.ts`, after a
 * change of the logo. The files are in the repository, so that a build needs no browser.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './programs';

const folder = path.join(__dirname, '..', 'static', 'icons');

/**
 * `share`: how much of the width the logo takes. Phones cut a maskable icon to a circle or another shape, and show
 * Apple's icon on black where it is transparent. So these two have the logo's background up to the edges.
 */
const icons = [
  { name: 'icon-192', size: 192, share: 1, background: 'transparent' },
  { name: 'icon-512', size: 512, share: 1, background: 'transparent' },
  { name: 'maskable-512', size: 512, share: 0.84, background: '#5456cf' },
  { name: 'apple-180', size: 180, share: 0.96, background: '#5456cf' },
];

async function drawIcons(): Promise<void> {
  const logo = await readFile(path.join(folder, 'logo.svg'), 'utf8');
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  try {
    for (const { name, size, share, background } of icons) {
      const page = await browser.newPage({ viewport: { width: size, height: size } });
      const style = `margin: 0; height: 100vh; display: grid; place-items: center; background: ${background}`;
      await page.setContent(
        `<body style="${style}">${logo}<style>svg { width: ${share * 100}%; height: ${share * 100}% }</style>`,
      );
      await page.screenshot({ path: path.join(folder, `${name}.png`), omitBackground: true });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

drawIcons().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
