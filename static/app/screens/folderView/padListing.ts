/** Filters, sorts and splits the list of pads into pages. */
import type { Pad } from '../../../../api/answers';
import { limits } from '../../../../model/limits';
import type { Sorting } from '../../data/preferences';

const collators = new Map<string, Intl.Collator>();

function collator(language: string): Intl.Collator {
  const known =
    collators.get(language) ?? new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  collators.set(language, known);
  return known;
}

/** For a pad that nobody has written in, the last change is its creation. */
function time(pad: Pad, by: 'ctime' | 'lastUpdate'): number {
  return by === 'ctime' ? pad.ctime : (pad.lastUpdate ?? pad.ctime);
}

/** Returns a sorted copy. Names follow the rules of the language, "Pad 2" before "Pad 10". */
export function sortPads(pads: readonly Pad[], { by, ascending }: Sorting, language: string): Pad[] {
  const { compare } = collator(language);
  const direction = ascending ? 1 : -1;
  return [...pads].sort((left, right) => {
    const difference = by === 'name' ? compare(left.name, right.name) : time(left, by) - time(right, by);
    return direction * (difference || compare(left.name, right.name) || (left._id < right._id ? -1 : 1));
  });
}

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
