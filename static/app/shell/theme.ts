import { useSyncExternalStore } from 'react';

/** `system`: the theme of the device. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'theme';
const listeners = new Set<() => void>();

function stored(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'system';
  } catch {
    return 'system';
  }
}

let current = stored();

/** Elements with the colours of the browser's bar. The browser chooses between them by the theme of the device only. */
const barColors = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(
  (element) => ({ element, own: element.content, scheme: /dark|light/.exec(element.media)?.[0] }),
);

function paintBar(theme: Theme): void {
  const color = barColors.find(({ scheme }) => scheme === theme)?.own;
  for (const { element, own } of barColors) element.content = color ?? own;
}

paintBar(current);

/** Applies a theme and stores it for the next visit. templates/index.html reads it before the first paint. */
export function chooseTheme(theme: Theme): void {
  current = theme;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  paintBar(theme);
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Without storage, the choice lasts until the tab is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => current);
}
