/** The search in the guide. */
import { fold, wordsOf } from '../../lib/matching';
import type { GuideTexts } from './guideTexts';

/** A part of a page, from one heading to the next. */
interface Part {
  page: string;
  /** Of the page. */
  title: string;
  /** Its heading; empty before the first. */
  heading: string;
  /** Its address below the page: `#links`, or empty. */
  anchor: string;
  text: string;
}

export interface Match extends Part {
  /** The text around the first word that was found. */
  excerpt: string;
}

/** Characters of an excerpt, and how many of them come before the word. */
const excerptLength = 160;
const excerptBefore = 50;

/** The parts of all pages, in their order. */
export function partsOf({ groups }: GuideTexts): Part[] {
  const parts: Part[] = [];
  for (const { name, title, html } of groups.flatMap(({ pages }) => pages)) {
    let part: Part = { page: name, title, heading: '', anchor: '', text: '' };
    for (const element of new DOMParser().parseFromString(html, 'text/html').body.children) {
      if (element.localName === 'h2') {
        parts.push(part);
        part = { ...part, heading: element.textContent, anchor: `#${element.id}`, text: '' };
      } else {
        // Cells of a table would run into each other.
        const cells = [...element.querySelectorAll('td, th')].map((one) => one.textContent).filter(Boolean);
        part.text += ` ${cells.length > 0 ? cells.join(' – ') : element.textContent}`;
      }
    }
    parts.push(part);
  }
  return parts;
}

function excerptOf(text: string, words: readonly string[]): string {
  const clean = text.replace(/\s+/g, ' ').trim();
  // Character by character, because folding changes the length of a text.
  const folded = [...clean].map((letter) =>
    letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().charAt(0),
  );
  const at = words.map((word) => folded.join('').indexOf(word)).filter((found) => found >= 0);
  const start = Math.max(0, Math.min(...at, clean.length) - excerptBefore);
  const from = at.length === 0 || start === 0 ? 0 : clean.indexOf(' ', start) + 1;
  const rest = clean.slice(from);
  const shown =
    rest.length <= excerptLength ? rest : `${rest.slice(0, rest.lastIndexOf(' ', excerptLength))} …`;
  return from > 0 ? `… ${shown}` : shown;
}

/** The parts with all words of `text`. Those with more of the words in their heading come first. */
export function matchesOf(parts: readonly Part[], text: string): Match[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const found = parts.flatMap((part) => {
    const heading = fold(part.heading || part.title);
    const own = `${heading} ${fold(part.text)}`;
    const whole = `${fold(part.title)} ${own}`;
    // Words of the title alone would find every part of the page.
    if (!words.every((word) => whole.includes(word)) || !words.some((word) => own.includes(word))) return [];
    return [{ part, score: words.filter((word) => heading.includes(word)).length }];
  });
  return found
    .sort((one, other) => other.score - one.score)
    .map(({ part }) => ({ ...part, excerpt: excerptOf(part.text, words) }));
}
