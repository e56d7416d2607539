/** Names of browsers and systems as people know them, from a `User-Agent` header. */
export interface BrowserName {
  /** Name of the browser or program. `''` if it is not known. */
  browser: string;
  /** Name of the operating system. `''` if it is not known. */
  system: string;
  phone: boolean;
}

/* The first match counts: Edge and Opera also name Chrome, and Chrome also names Safari. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: typeof browsers, text: string): string =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? '';

/** Names the browser of a `User-Agent` header. For other programs, the first word of the header is the name. */
export function browserName(userAgent: string): BrowserName {
  const program = /^(?!Mozilla\/)[\w.-]{1,40}/.exec(userAgent)?.[0] ?? '';
  return {
    browser: nameIn(browsers, userAgent) || program,
    system: nameIn(systems, userAgent),
    phone: /\b(?:iPhone|Android|Mobile)\b/.test(userAgent),
  };
}
