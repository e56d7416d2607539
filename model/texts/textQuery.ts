/** What is searched for in texts: words, their beginnings, and "phrases", in the language of SQLite's FTS5. */
import { nextSlice, sliceUsed } from '../store/timeSlice';

/** Scripts that are written without spaces between words. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const eachUnspaced = new RegExp(unspaced, 'gu');
const endsUnspaced = new RegExp(`${unspaced}$`, 'u');

/** Nobody sees it, and it ends a word. */
const divider = '\u200b';

/** Characters of one text that are searched. */
const longestText = 500_000;

/** Characters that are prepared at once. */
const pieceLength = 10_000;

/**
 * Vowels and other signs of Arabic and Hebrew that most texts leave out, what only chooses a shape, and soft hyphens,
 * which texts of web pages have within words.
 */
const leftOut = /(?=[\p{scx=Arab}\p{scx=Hebr}])\p{M}|[\u0640\u00ad]|\p{VS}/gu;

/** Letters and digits in shapes that nobody types in a search: ligatures, those of Arabic in PDF files, wide ones. */
const shaped = /(?=[\p{L}\p{N}])[\ufb00-\uffef]/gu;

/** Accents in a row that nobody writes: their normal form takes half a second for each 10,000. */
const tooManyMarks = /(\p{M}{20})\p{M}+/gu;

/** Composed, because for SQLite a Cyrillic or Korean letter in several characters is another one. */
const divided = (text: string): string =>
  text
    .replace(tooManyMarks, '$1')
    .replace(shaped, (letter) => letter.normalize('NFKC'))
    .normalize('NFC')
    .replace(leftOut, '')
    .replace(eachUnspaced, `${divider}$&${divider}`);

/** What belongs to the character before: an accent, the rest of a Korean syllable, the second half of a character. */
const continues = /[\p{M}\u1160-\u11ff\udc00-\udfff]/u;

/**
 * A text as it is indexed. Each character of a script without spaces is a word of its own, so that any part of a
 * sentence is found. Words of a dictionary would be cut at other places in a search than in the text.
 */
export async function indexedText(text: string): Promise<string> {
  let indexed = '';
  const end = Math.min(text.length, longestText);
  for (let from = 0, to = 0; from < end; from = to) {
    to = Math.min(from + pieceLength, end);
    while (continues.test(text[to] ?? '')) to += 1;
    indexed += divided(text.slice(from, to));
    if (sliceUsed()) await nextSlice();
  }
  return indexed;
}

/** Words of one search, also those of phrases: with 120 equal ones, long texts held up all searches for ten seconds. */
const mostWords = 20;
/** Characters of a beginning. With fewer, too many words begin like this. */
const leastBeginning = 3;

/** One word or phrase. `isBeginning`: its last word may be only the beginning of one. */
export interface SearchedPart {
  text: string;
  isBeginning: boolean;
}

const eachWord = /[\p{L}\p{N}\p{M}]+/gu;

/** `undefined` if nothing in it is searched. `most`: words of it that are. */
function partOf(text: string, isPhrase: boolean, most: number): SearchedPart | undefined {
  if (most <= 0 || !/[\p{L}\p{N}]/u.test(text)) return undefined;
  const whole = divided(text).replaceAll('"', ' ');
  const further = [...whole.matchAll(eachWord)][most];
  if (further) return { text: whole.slice(0, further.index), isBeginning: false };
  // Signs are no part of it: "C++" is a word of one letter, with which far too many begin.
  const last = whole.match(eachWord)?.at(-1) ?? '';
  const isBeginning = !isPhrase && last.length >= leastBeginning && !endsUnspaced.test(last);
  return { text: whole, isBeginning };
}

/** Of all languages: in some, a phrase begins with what ends it in others. Escaped: the bundle has only Latin-1. */
const quotes = String.raw`"\u201c\u201d\u201e\u00ab\u00bb`;
const phraseOrWord = new RegExp(`[${quotes}]([^${quotes}]*)[${quotes}]|[^\\s${quotes}]+`, 'g');

/**
 * The words and phrases of a search. SQLite takes NUL for the end of a question, and an error of the database counts as
 * damage: all texts would be read again.
 */
export function searchedParts(text: string): SearchedPart[] {
  const readable = text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').normalize('NFC');
  const parts: SearchedPart[] = [];
  let left = mostWords;
  for (const [whole, phrase] of readable.matchAll(phraseOrWord)) {
    const part = partOf(phrase ?? whole, phrase !== undefined, left);
    if (part === undefined) continue;
    parts.push(part);
    left -= part.text.match(eachWord)?.length ?? 0;
  }
  return parts;
}

/** The condition for `MATCH`: all parts of the search must be in the text. `undefined` if there are none. */
export function matchOf(text: string): string | undefined {
  const parts = searchedParts(text).map((part) => `"${part.text}"${part.isBeginning ? '*' : ''}`);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** A piece of an excerpt. `found`: it is what was searched for. */
export interface ExcerptPart {
  text: string;
  found?: true;
}

/** Mark the found parts of an excerpt, in which there are no other control characters. */
export const marks = { begin: '\u0001', end: '\u0002' } as const;

/** An excerpt in parts, on one line. */
export function excerptOf(marked: string): ExcerptPart[] {
  const plain = marked.replaceAll(divider, '').replace(/\s+/g, ' ').trim();
  return plain
    .split(marks.begin)
    .flatMap((piece, index): ExcerptPart[] => {
      if (index === 0) return [{ text: piece }];
      const [found = '', ...rest] = piece.split(marks.end);
      return [{ text: found, found: true }, { text: rest.join('') }];
    })
    .filter(({ text }) => text !== '')
    .reduce<ExcerptPart[]>((all, part) => {
      const last = all.at(-1);
      // Characters of scripts without spaces are found one by one.
      if (last && last.found === part.found) last.text += part.text;
      else all.push({ ...part });
      return all;
    }, []);
}
