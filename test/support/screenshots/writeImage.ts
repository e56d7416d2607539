import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../../bin/etherpad';

/** For docs/images, and for the guide, whose pictures are part of the package. */
export const imageSizes = { docs: { most: 1280, quality: 0.9 }, guide: { most: 960, quality: 0.65 } };

/** Writes a picture as WebP, at most `most` pixels wide. `page`: any page; its browser encodes. */
export async function writeImage(
  page: Page,
  picture: Buffer,
  file: string,
  size: { most: number; quality: number },
): Promise<void> {
  const webp = await page.evaluate(
    async ({ encoded, most, quality }) => {
      const whole = await createImageBitmap(await (await fetch(`data:image/*;base64,${encoded}`)).blob());
      const scale = Math.min(1, most / whole.width);
      const canvas = new OffscreenCanvas(whole.width * scale, whole.height * scale);
      const context = canvas.getContext('2d');
      if (context) context.imageSmoothingQuality = 'high';
      context?.drawImage(whole, 0, 0, canvas.width, canvas.height);
      const bytes = await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer();
      return btoa(String.fromCharCode(...new Uint8Array(bytes)));
    },
    { encoded: picture.toString('base64'), ...size },
  );
  await writeFile(join(projectRoot, file), Buffer.from(webp, 'base64'));
}
