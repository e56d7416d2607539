/** What a browser needs to install the page as an app, and the colours and icons of the template. */
import type { Manifest } from './assets';

/** Background colours of the browser's bars (`--sunken` in static/app/styles/tokens.css). */
const themeColors = { light: '#f6f6f9', dark: '#1b1b22' };

/** The web app manifest. Its URLs are relative, so they also work behind a proxy that adds a path. */
export function webManifest(title: string, icons: Manifest['icons']): Record<string, unknown> {
  const png = (file: string, size: number, purpose: 'any' | 'maskable') =>
    icons[file] === undefined
      ? []
      : [{ src: icons[file], sizes: `${size}x${size}`, type: 'image/png', purpose }];
  const logo = icons['logo.svg'];
  return {
    id: './',
    name: title,
    short_name: title,
    start_url: './',
    scope: './',
    display: 'standalone',
    theme_color: themeColors.light,
    background_color: themeColors.light,
    icons: [
      ...(logo === undefined ? [] : [{ src: logo, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }]),
      ...png('icon-192.png', 192, 'any'),
      ...png('icon-512.png', 512, 'any'),
      ...png('maskable-512.png', 512, 'maskable'),
    ],
  };
}

/**
 * Elements for the head of the page. `use-credentials`: a sign-in in front of the server may need cookies for the
 * manifest.
 */
export function appLinks(icons: Manifest['icons']): string {
  const logo = icons['logo.svg'];
  const apple = icons['apple-180.png'];
  return [
    ...Object.entries(themeColors).map(
      ([scheme, color]) =>
        `<meta name="theme-color" content="${color}" media="(prefers-color-scheme: ${scheme})">`,
    ),
    '<link rel="manifest" href="app.webmanifest" crossorigin="use-credentials">',
    ...(logo === undefined ? [] : [`<link rel="icon" href="${logo}" type="image/svg+xml">`]),
    ...(apple === undefined ? [] : [`<link rel="apple-touch-icon" href="${apple}">`]),
  ].join('\n');
}
