/** Filters the list of pads and splits it into pages. */
import type { Pad } from '../../../../api/answers';
import { limits } from '../../../../model/limits';

/** Pads whose name, or the word for their own visibility, contains every word of `text`. */
export function filterPads(pads: readonly Pad[], text: string, visibilityWord: (pad: Pad) => string): Pad[] {
  const words = text.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [...pads];
  return pads.filter((pad) => {
    const haystack = `${pad.name} ${visibilityWord(pad)}`.toLocaleLowerCase();
    return words.every((word) => haystack.includes(word));
  });
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
