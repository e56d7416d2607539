/** Filters the list of pads and splits it into pages. */
import type { Pad } from '../../../../api/answers';
import { limits } from '../../../../model/limits';
import { contains, type Searchable, searchable, wordsOf } from '../../lib/matching';

/**
 * A function that finds the pads whose name, or the word for their own visibility, has every word of a text. Prepares
 * the names at the first search, so that each key press only compares.
 */
export function padSearch(
  pads: readonly Pad[],
  visibilityWord: (pad: Pad) => string,
): (text: string) => Pad[] {
  let prepared: readonly { pad: Pad; searched: Searchable }[] | undefined;
  return (text) => {
    const words = wordsOf(text);
    if (words.length === 0) return [...pads];
    prepared ??= pads.map((pad) => ({ pad, searched: searchable(pad.name, [visibilityWord(pad)]) }));
    return prepared.filter(({ searched }) => contains(searched, words)).map(({ pad }) => pad);
  };
}

export interface Paged<Item> {
  items: Item[];
  /** Counted from 1. The last page, if a later one was requested. */
  page: number;
  pages: number;
}

/** One page of a list. `size`: rows of a page. */
export function pageOf<Item>(items: readonly Item[], asked: number, size: number = limits.page): Paged<Item> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(pages, Math.max(1, Number.isInteger(asked) ? asked : 1));
  return { items: items.slice((page - 1) * size, page * size), page, pages };
}
