/**
 * Search in names while somebody types: every word must match, in any order; letter case and accents do not count, and
 * letters may be left out. Uses no browser API, so that it can be tested without one.
 */

/** Letters that people also type without their stroke or dot, and that are no letter and accent for Unicode. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
  ς: 'σ',
};
const plain = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
/**
 * Accents, and what only makes a word wider or says where it may be broken. The vowels of Thai are marks for Unicode,
 * but without them a word is another one.
 */
const accents = /(?!\p{Script=Thai})\p{M}|[\u0640\u00ad]/gu;

/** A text without accents, punctuation and letter case: "Été à Köln!" becomes "ete a koln". */
export function fold(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(plain, (letter) => plainLetters[letter] ?? letter);
  const words = letters.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
  // A name of punctuation only can still be found.
  return words === '' ? letters.trim() : words;
}

const ofOneCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether a search has at least so many characters, or one of a script in which many words have only one. */
export const isLongEnough = (text: string, least: number): boolean =>
  text.length >= least || ofOneCharacter.test(text);

/** For comparing whole names: neither letter case counts, nor whether an accent is a character of its own. */
export const comparable = (text: string): string => text.normalize().toLowerCase();

/** Something to find. `searchable` prepares it once, so that each key press only compares. */
export interface Searchable {
  name: string;
  more: string;
}

/** @param more further texts, which count less than the name: the folder, tags. */
export function searchable(name: string, more: readonly string[] = []): Searchable {
  return { name: fold(name), more: fold(more.join(' ')) };
}

/** The words of a search, for `scoreOf`. */
export function wordsOf(text: string): string[] {
  return fold(text).split(' ').filter(Boolean);
}

/** Whether every word is in the name or in the further texts. For lists, which show all of what matches. */
export function contains({ name, more }: Searchable, words: readonly string[]): boolean {
  return words.every((word) => name.includes(word) || more.includes(word));
}

/** Whether all letters of `word` are in `text` in this order, and not spread over more than twice their number. */
function hasLetters(text: string, word: string): boolean {
  if (word.length < 3) return false;
  for (
    let start = text.indexOf(word.charAt(0));
    start >= 0;
    start = text.indexOf(word.charAt(0), start + 1)
  ) {
    let at = start;
    for (let letter = 1; letter < word.length && at >= 0; letter += 1) {
      at = text.indexOf(word.charAt(letter), at + 1);
    }
    if (at >= 0 && at - start < word.length * 2) return true;
  }
  return false;
}

function scoreIn(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return text.length === word.length ? 10 : 8;
  if (at > 0) return text.charAt(at - 1) === ' ' || text.includes(` ${word}`) ? 6 : 3;
  return hasLetters(text, word) ? 1 : 0;
}

/** How well something matches; 0 if a word is missing. Without words, everything matches equally well. */
export function scoreOf(words: readonly string[], { name, more }: Searchable): number {
  let sum = 1;
  for (const word of words) {
    const score = 2 * scoreIn(name, word) || scoreIn(more, word);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

/**
 * The best `most` of `all`. Equal matches keep their order.
 * @param bonus is added to the score of matches, for example of recently used things.
 */
export function bestMatches<Item extends { searched: Searchable }>(
  all: readonly Item[],
  words: readonly string[],
  most: number,
  bonus: (item: Item) => number = () => 0,
): Item[] {
  const found: { item: Item; score: number }[] = [];
  for (const item of all) {
    const score = scoreOf(words, item.searched);
    if (score > 0) found.push({ item, score: score + bonus(item) });
  }
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ item }) => item);
}
