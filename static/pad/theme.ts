/**
 * Shows the editor dark where the app is dark: by the colour variants of Etherpad's skin "colibris", as Etherpad's own
 * dark mode does (2.x and 3.x have one, 1.8.14 has only the variants). Other skins stay as they are.
 */

const containers = ['editor', 'background', 'toolbar'];
const colours = ['super-light', 'light', 'dark', 'super-dark'];
const allVariants = containers.flatMap((container) => colours.map((colour) => `${colour}-${container}`));
const darkVariants = ['super-dark-editor', 'dark-background', 'super-dark-toolbar'];

/** The variants that are shown when it is not dark. Etherpad's settings can have others. */
let lightVariants = ['super-light-editor', 'light-background', 'super-light-toolbar'];

const darkSystem = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The theme that was chosen in the app, then Etherpad's own switch, then the system. */
function isDark(): boolean {
  const chosen = stored('theme');
  if (chosen === 'dark' || chosen === 'light') return chosen === 'dark';
  const ofEditor = stored('ep_darkMode');
  return ofEditor === 'true' || (ofEditor !== 'false' && darkSystem().matches);
}

/** Other skins have no variants. */
const isColibris = (): boolean => document.querySelector('link[href*="/skins/colibris/"]') !== null;

const variantsIn = (classes: string): string[] =>
  classes.split(' ').filter((name) => allVariants.indexOf(name) >= 0);

/** The page of the editor and the two documents inside it, as far as they exist yet. */
function roots(): HTMLElement[] {
  const outer = document.querySelector<HTMLIFrameElement>('iframe[name="ace_outer"]')?.contentDocument;
  const inner = outer?.querySelector<HTMLIFrameElement>('iframe[name="ace_inner"]')?.contentDocument;
  const found: HTMLElement[] = [];
  for (const one of [document, outer, inner]) if (one) found.push(one.documentElement);
  return found;
}

/** `enableDarkMode`: in the settings of 2.x and 3.x, an administrator can switch the dark mode off. */
const showsDark = (): boolean => window.clientVars?.enableDarkMode !== false && isDark();

/** Shows the theme now. Call it again after Etherpad has changed the variants by itself. */
export function showTheme(): void {
  if (!isColibris()) return;
  const dark = showsDark();
  for (const { classList } of roots()) {
    classList.remove(...allVariants);
    classList.add(...(dark ? darkVariants : lightVariants));
  }
  const switchOfEditor = document.querySelector<HTMLInputElement>('#options-darkmode');
  if (switchOfEditor) switchOfEditor.checked = dark;
}

/** Call it once the settings are known, before Etherpad makes the two inner documents with these variants. */
export function prepareTheme(): void {
  const { clientVars } = window;
  if (clientVars?.skinVariants === undefined || !isColibris()) return;
  const others = clientVars.skinVariants.split(' ').filter((name) => allVariants.indexOf(name) < 0);
  lightVariants = variantsIn(clientVars.skinVariants);
  clientVars.skinVariants = [...others, ...(showsDark() ? darkVariants : lightVariants)].join(' ');
  showTheme();
}

/** Shows the theme before anything is painted white, and follows every change of it. */
export function followTheme(): void {
  const first = variantsIn(document.documentElement.className);
  // 3.x makes the page dark before it loads scripts. Its variants for the day are not known yet then.
  if (first.length > 0 && !darkVariants.every((name) => first.indexOf(name) >= 0)) lightVariants = first;
  showTheme();
  darkSystem().addEventListener('change', showTheme);
  // The app and its editors are documents of the same origin: a choice in one is an event in all others.
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'theme' || key === 'ep_darkMode') showTheme();
  });
}
