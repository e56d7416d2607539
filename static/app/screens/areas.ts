/**
 * The page is loaded in areas: the first visit, the screens of folders and pads (`main`), their forms with
 * registration, recovery, account and user lists (`account`), the results of the palette with the list of shortcuts
 * (`palette`), and the administration (`admin`). bin/buildPage.ts gives each area its own texts and style sheet.
 */

import { base } from '../navigation/location';
import { boot, loadTexts } from '../texts/i18n';

export type LaterArea = 'main' | 'account' | 'palette' | 'admin';

/** Resolves when the style sheet is in use. @throws if it cannot be loaded; a later call tries again. */
function loadStyles(area: LaterArea): Promise<void> {
  const file = boot.styles[area];
  if (file === undefined) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = base + file;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`No style sheet for ${area}`));
    };
    document.head.append(link);
  });
}

const loading = new Map<LaterArea, Promise<void>>();

/** Loads the texts and the style sheet of an area, once. @throws if they cannot be loaded; a later call tries again. */
export function loadArea(area: LaterArea): Promise<void> {
  const known = loading.get(area);
  if (known) return known;
  const work = Promise.all([loadStyles(area), loadTexts(area)]).then(() => {});
  loading.set(area, work);
  work.catch(() => loading.delete(area));
  return work;
}
