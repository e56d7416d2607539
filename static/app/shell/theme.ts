import { readItem, writeItem } from '../lib/storage';
import { createStore } from '../lib/store';

/** `system`: the theme of the device. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'theme';

function stored(): Theme {
  const item = readItem(storageKey);
  return themes.find((theme) => theme === item) ?? 'system';
}

const current = createStore(stored());

/** Elements with the colours of the browser's bar. The browser chooses between them by the theme of the device only. */
const barColors = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(
  (element) => ({ element, own: element.content, scheme: /dark|light/.exec(element.media)?.[0] }),
);

function paintBar(theme: Theme): void {
  const color = barColors.find(({ scheme }) => scheme === theme)?.own;
  for (const { element, own } of barColors) element.content = color ?? own;
}

paintBar(current.get());

/** templates/index.html applies the stored theme before the first paint; this applies a later choice. */
function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  paintBar(theme);
  current.set(theme);
}

/** Applies a theme and stores it for the next visit. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  writeItem(storageKey, theme);
}

// All tabs of a browser have the same theme.
addEventListener('storage', ({ key }) => {
  if (key === storageKey) applyTheme(stored());
});

export const useTheme = current.use;
