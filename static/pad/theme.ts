/**
 * Shows the editor dark if the app is dark, with the dark colour variants of Etherpad's skin "colibris". Etherpad's own
 * dark mode in 2.x and 3.x uses the same variants; 1.8.14 only has the variants. Other skins do not change.
 */
import { readItem } from '../app/lib/storage';

const containers = ['editor', 'background', 'toolbar'];
const colours = ['super-light', 'light', 'dark', 'super-dark'];
const allVariants = containers.flatMap((container) => colours.map((colour) => `${colour}-${container}`));
const darkVariants = ['super-dark-editor', 'dark-background', 'super-dark-toolbar'];

/** Colours of the app (static/app/styles/tokens.css) for the two dark ones of the skin, which are a light slate. */
const darkColours = { '--super-dark-color': '#16161c', '--dark-color': '#2d2d38' };

/** The variants of the light theme. Etherpad's settings may have others. */
let lightVariants = ['super-light-editor', 'light-background', 'super-light-toolbar'];

const darkSystem = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** The theme that was chosen in the app, or Etherpad's own switch, or the theme of the system. */
function isDark(): boolean {
  const chosen = readItem('theme');
  if (chosen === 'dark' || chosen === 'light') return chosen === 'dark';
  const ofEditor = readItem('ep_darkMode');
  return ofEditor === 'true' || (ofEditor !== 'false' && darkSystem().matches);
}

/** Other skins have no variants. */
const isColibris = (): boolean => document.querySelector('link[href*="/skins/colibris/"]') !== null;

const variantsIn = (classes: string): string[] =>
  classes.split(' ').filter((name) => allVariants.indexOf(name) >= 0);

/** The editor's page and the two documents inside it, if they exist already. */
function roots(): HTMLElement[] {
  const outer = document.querySelector<HTMLIFrameElement>('iframe[name="ace_outer"]')?.contentDocument;
  const inner = outer?.querySelector<HTMLIFrameElement>('iframe[name="ace_inner"]')?.contentDocument;
  const found: HTMLElement[] = [];
  for (const one of [document, outer, inner]) {
    // A document that Etherpad is writing has no element yet. It gets the variants of `prepareTheme`.
    const root: HTMLElement | null | undefined = one?.documentElement;
    if (root) found.push(root);
  }
  return found;
}

/** In the settings of 2.x and 3.x, `enableDarkMode` can be false. Then the editor is never dark. */
const showsDark = (): boolean => window.clientVars?.enableDarkMode !== false && isDark();

/** Shows the theme now. Call it again after Etherpad has changed the variants by itself. */
export function showTheme(): void {
  if (!isColibris()) return;
  const dark = showsDark();
  for (const { classList, style } of roots()) {
    classList.remove(...allVariants);
    classList.add(...(dark ? darkVariants : lightVariants));
    for (const [name, colour] of Object.entries(darkColours)) {
      // Without a value, the skin's own colour.
      style.setProperty(name, dark ? colour : null);
    }
  }
  const switchOfEditor = document.querySelector<HTMLInputElement>('#options-darkmode');
  if (switchOfEditor) switchOfEditor.checked = dark;
}

/** Call it when the settings are known, before Etherpad creates the two inner documents with these variants. */
export function prepareTheme(): void {
  const { clientVars } = window;
  if (clientVars?.skinVariants === undefined || !isColibris()) return;
  const others = clientVars.skinVariants.split(' ').filter((name) => allVariants.indexOf(name) < 0);
  lightVariants = variantsIn(clientVars.skinVariants);
  clientVars.skinVariants = [...others, ...(showsDark() ? darkVariants : lightVariants)].join(' ');
  showTheme();
}

/** Shows the theme before anything is drawn, and follows every change of it. */
export function followTheme(): void {
  const first = variantsIn(document.documentElement.className);
  // 3.x makes the page dark before it loads scripts. Then its light variants are not known yet.
  if (first.length > 0 && !darkVariants.every((name) => first.indexOf(name) >= 0)) lightVariants = first;
  showTheme();
  darkSystem().addEventListener('change', showTheme);
  // The app and its editors have the same origin, so a choice in one of them is an event in all others.
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'theme' || key === 'ep_darkMode') showTheme();
  });
}
