/**
 * Normal forms of logins and addresses. Two names with the same normal form count as the same name. The forms are
 * compared and indexed; the records keep what was typed.
 */
import { domainToASCII } from 'node:url';

/** Code points that are invisible, and those that look like a blank. */
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const blanks = /[\p{White_Space}\u2800]+/gu;

/**
 * NFKC with case folding. JavaScript has no case folding; upper case followed by lower case gives the same result for
 * our purpose.
 */
const folded = (text: string): string =>
  text.normalize('NFKC').replace(invisible, '').toUpperCase().toLowerCase().normalize('NFKC');

/**
 * As `folded`, and without the dot above letters that have one: `İ` becomes `i` with such a dot, which nobody sees.
 * Lower case first, because the capital `ẞ` becomes `SS` only as `ß`.
 */
const foldedLogin = (login: string): string =>
  folded(login.normalize('NFKC').toLowerCase())
    .normalize('NFD')
    .replace(/\p{Soft_Dotted}\p{M}+/gu, (letter) => letter.replaceAll('\u0307', ''))
    .normalize('NFKC')
    .replaceAll('ς', 'σ');

/** Text of visible ASCII characters only needs no Unicode normalisation. */
const visibleAscii = /^[!-~]+$/;

/** Returns the same text for logins that look the same. */
export function comparableLogin(login: string): string {
  if (visibleAscii.test(login)) return login.toLowerCase();
  return foldedLogin(login.replace(blanks, ' ')).trim();
}

/** The ASCII form of a domain; `undefined` when it is not a domain. */
function asciiDomain(domain: string): string | undefined {
  if (visibleAscii.test(domain)) return domain.toLowerCase();
  const ascii = domainToASCII(domain.normalize('NFKC').replace(invisible, ''));
  return ascii === '' ? undefined : ascii.replace(/\.$/, '');
}

/** Returns the same text for addresses of the same mailbox. With `keepCase`, letter case before the `@` counts. */
export function comparableAddress(address: string, { keepCase = false } = {}): string {
  if (!keepCase && visibleAscii.test(address)) return address.toLowerCase();
  const at = address.search(/[@\uFF20\uFE6B](?=[^@\uFF20\uFE6B]*$)/);
  const [local, domain] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
  const name = keepCase ? local.normalize('NFKC').replace(invisible, '') : folded(local);
  return at < 0 ? name : `${name}@${asciiDomain(domain) ?? folded(domain)}`;
}

/** As `comparableAddress`, without the part after `+`, with which one mailbox has any number of addresses. */
export const comparableMailbox = (address: string): string =>
  comparableAddress(address).replace(/^([^+@]+)\+.*(?=@[^@]*$)/, '$1');

const scriptNames = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Bopomofo',
    'Cherokee',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
  ],
  ...[
    'Greek',
    'Gujarati',
    'Gurmukhi',
    'Han',
    'Hangul',
    'Hebrew',
    'Hiragana',
    'Kannada',
    'Katakana',
    'Khmer',
    'Lao',
  ],
  ...['Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
] as const;

const scripts = scriptNames.map((name) => ({
  name,
  letter: new RegExp(`\\p{Script_Extensions=${name}}`, 'u'),
}));
const ofAnyScript = /[\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]/u;

/** Scripts that may be mixed in one name (UTS 39, "highly restrictive"). */
const combinedScripts: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/**
 * True when the text mixes scripts that are not written together. Such a text may imitate another name with similar
 * letters.
 */
export function mixesScripts(text: string): boolean {
  const letters = [...new Set(text.normalize('NFKC'))].filter((letter) => !ofAnyScript.test(letter));
  const possible = letters.map((letter) =>
    scripts.flatMap(({ name, letter: of }) => (of.test(letter) ? [name] : [])),
  );
  const known = possible.filter((names) => names.length > 0);
  const fits = (allowed: readonly string[]): boolean =>
    known.every((names) => names.some((name) => allowed.includes(name)));
  const rare = possible.length - known.length;
  if (rare > 0) return known.length > 0;
  return ![...combinedScripts, ...scriptNames.map((name) => [name])].some(fits);
}
