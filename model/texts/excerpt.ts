/**
 * The part of a text in which something was found. SQLite's own `snippet` compares all places of a text with each
 * other: a search for a frequent word in 50 long texts took minutes, and nothing else could be asked meanwhile.
 */
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { marks, type SearchedPart } from './textQuery';

/** Words of an excerpt, and those before what was found. */
const excerptWords = 24;
const wordsBefore = 8;
/** Words between two looks at the time. */
const atOnce = 200;
/** Characters of one word; the normal form of thousands of accents takes long. */
const longestWord = 100;

interface Word {
  start: number;
  end: number;
  /** As it is compared. */
  plain: string;
}

/** As the tokenizer of the index takes words: without accents and case. */
const plainOf = (word: string): string =>
  word
    .slice(0, longestWord)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{Mn}\p{Mc}\p{Co}]+/gu))
    yield { start: index, end: index + word.length, plain: plainOf(word) };
}

interface Wanted {
  words: string[];
  isBeginning: boolean;
}

const wantedOf = ({ text, isBeginning }: SearchedPart): Wanted => ({
  words: [...wordsIn(text)].map(({ plain }) => plain),
  isBeginning,
});

/** The number of words from here on that are this part; 0 if it is not here. */
function lengthAt(found: readonly Word[], at: number, { words, isBeginning }: Wanted): number {
  const last = words.length - 1;
  const isHere = words.every((word, index) => {
    const plain = found[at + index]?.plain;
    return isBeginning && index === last ? plain?.startsWith(word) === true : plain === word;
  });
  return isHere ? words.length : 0;
}

/** Not all of thousands of signs between two words. */
const short = (piece: string): string =>
  piece.length <= longestWord ? piece : `${piece.slice(0, longestWord).replace(/\p{Cs}/gu, '')}…`;

/** The excerpt with marks around what was found, and an ellipsis where the text goes on. */
function marked(text: string, words: readonly Word[], wanted: readonly Wanted[], isMore: boolean): string {
  let result = '';
  let at = words[0]?.start ?? 0;
  for (let index = 0; index < words.length; ) {
    const length = Math.max(0, ...wanted.map((one) => lengthAt(words, index, one)));
    const [first, last] = [words[index], words[index + Math.max(length, 1) - 1]];
    if (first === undefined || last === undefined) break;
    const found = short(text.slice(first.start, last.end));
    result +=
      short(text.slice(at, first.start)) + (length > 0 ? `${marks.begin}${found}${marks.end}` : found);
    at = last.end;
    index += Math.max(length, 1);
  }
  const isCut = /[^\s\p{Cf}]/u.test(text.slice(0, words[0]?.start ?? 0));
  return `${isCut ? '…' : ''}${result}${isMore ? '…' : short(text.slice(at))}`;
}

/** The words around the first place of one of these parts; the beginning of the text if there is none. */
export async function markedExcerpt(indexed: string, parts: readonly SearchedPart[]): Promise<string> {
  const text = indexed.replace(/\p{Cc}/gu, ' ');
  const wanted = parts.map(wantedOf).filter(({ words }) => words.length > 0);
  const longest = Math.max(1, ...wanted.map(({ words }) => words.length));
  /** The last words before what is found, and those after it. */
  let shown: Word[] = [];
  const beginning: Word[] = [];
  let count = 0;
  let from: number | undefined;
  let isMore = false;
  for (const word of wordsIn(text)) {
    if (from !== undefined && shown.length - from >= excerptWords) {
      isMore = true;
      break;
    }
    shown.push(word);
    if (count < excerptWords) beginning.push(word);
    count += 1;
    if (count % atOnce === 0 && sliceUsed()) await nextSlice();
    if (from !== undefined) continue;
    const found = wanted.find((one) => {
      const at = shown.length - one.words.length;
      return at >= 0 && lengthAt(shown, at, one) > 0;
    });
    if (found) from = Math.max(0, shown.length - found.words.length - wordsBefore);
    else if (shown.length > 2 * (longest + wordsBefore)) shown = shown.slice(-longest - wordsBefore);
  }
  if (from === undefined) return marked(text, beginning, [], count > beginning.length);
  return marked(text, shown.slice(from), wanted, isMore);
}
