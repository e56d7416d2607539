/**
 * Ids of records: `<slug>-<short>` as in ep_mypads 1.x, with a short part that cannot be guessed. An id never changes.
 */
import { randomInt } from 'node:crypto';

/** Etherpad refuses pad ids of more than 50 characters. */
const maxLength = 50;
const shortLength = 12;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Letters that Unicode normalisation does not split into a Latin letter and an accent, and what they become. */
const transliteration: ReadonlyMap<string, string> = new Map(
  [
    'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ı=i ħ=h ŋ=n ŧ=t',
    'α=a β=b γ=g δ=d ε=e ζ=z η=h θ=8 ι=i κ=k λ=l μ=m ν=n ξ=3 ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=x ψ=ps ω=w',
    'а=a б=b в=v г=g ґ=g д=d е=e є=ye ж=zh з=z и=i і=i к=k л=l м=m н=n о=o п=p р=r',
    'с=s т=t у=u ф=f х=h ц=c ч=ch ш=sh щ=sh ъ=u ы=y ь= э=e ю=yu я=ya',
  ].flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
);

/** Lower case without accents. Latin, Greek and Cyrillic letters become ASCII; all others stay. */
export function plainText(text: string): string {
  // Most names, and much faster.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return Array.from(letters, (letter) => transliteration.get(letter) ?? letter).join('');
}

/** The words of what someone has typed into a search, as `plainText`. */
export const wordsOf = (text: string): string[] => plainText(text).split(/\s+/).filter(Boolean);

/** Latin, Greek and Cyrillic letters as ASCII, everything else as single dashes. May be empty. */
export function slug(name: string): string {
  return plainText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Random characters of `0-9a-z` from the system's generator, 5.17 bits each. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/**
 * A new id for a thing called `name`: at most 50 characters of `a-z`, `0-9` and `-`, so that it is also a valid pad id
 * and part of a database key.
 */
export function newId(name: string): string {
  return withShort(name, randomText(shortLength));
}

/** The same, but the short part follows from a digest of a secret, of at least 16 bytes. */
export const idFrom = (name: string, digest: Buffer): string =>
  withShort(
    name,
    BigInt(`0x${digest.toString('hex')}`)
      .toString(36)
      .slice(-shortLength),
  );

function withShort(name: string, short: string): string {
  const readable = slug(name)
    .slice(0, maxLength - shortLength - 1)
    .replace(/-+$/, '');
  return readable === '' ? short : `${readable}-${short}`;
}
