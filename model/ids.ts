/**
 * Ids of records: `<slug>-<short>` as the earlier generation made them (server.md 3.2), but with a short part that nobody can
 * guess. An id is chosen once, when the record is made, and never changes.
 */
import { randomBytes } from 'node:crypto';

/** Etherpad refuses pad ids of more than 50 characters. */
const longest = 50;
const shortLength = 12;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Letters that Unicode does not take apart into a Latin letter and a mark. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  α: 'a',
  β: 'b',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'h',
  θ: '8',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: '3',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'x',
  ψ: 'ps',
  ω: 'w',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g',
  д: 'd',
  е: 'e',
  є: 'ye',
  ж: 'zh',
  з: 'z',
  и: 'i',
  і: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'c',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ъ: 'u',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
};

/** In lower case, without accents; Latin, Greek and Cyrillic letters as ASCII, everything else as it is. */
export function plainText(text: string): string {
  return Array.from(text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(), (letter) =>
    Object.hasOwn(latin, letter) ? latin[letter] : letter,
  ).join('');
}

/** Latin, Greek and Cyrillic letters as ASCII, everything else as single dashes; may be empty. */
export function slug(name: string): string {
  return plainText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Random characters of `0-9a-z`, each worth 5.17 bits, from the system's generator. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      // 252 is the largest multiple of 36 in a byte: beyond it some letters would be likelier.
      if (byte < 252) text += alphabet.charAt(byte % 36);
    }
  }
  return text;
}

/**
 * A new id for something called `name`: at most 50 characters of `a-z`, `0-9` and `-`, so that it is also a valid pad id and a
 * valid part of a database key.
 */
export function newId(name: string): string {
  const readable = slug(name)
    .slice(0, longest - shortLength - 1)
    .replace(/-+$/, '');
  const short = randomText(shortLength);
  return readable === '' ? short : `${readable}-${short}`;
}
