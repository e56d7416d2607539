import type { Pad } from '../../../../api/answers';
import type { Sorting } from '../../data/preferences';
import { keepResult } from '../../lib/keepResult';

/** Compares names by the rules of a language, "Pad 2" before "Pad 10". */
export const nameOrder = keepResult(
  (language: string) => new Intl.Collator(language, { numeric: true, sensitivity: 'base' }).compare,
);

/** For a pad that nobody has written in, the last change is its creation. */
function time(pad: Pad, by: 'ctime' | 'lastUpdate'): number {
  return by === 'ctime' ? pad.ctime : (pad.lastUpdate ?? pad.ctime);
}

/** Returns a sorted copy. */
export function sortPads(pads: readonly Pad[], { by, ascending }: Sorting, language: string): Pad[] {
  const compare = nameOrder(language);
  const direction = ascending ? 1 : -1;
  return [...pads].sort((left, right) => {
    const difference = by === 'name' ? compare(left.name, right.name) : time(left, by) - time(right, by);
    return direction * (difference || compare(left.name, right.name) || (left._id < right._id ? -1 : 1));
  });
}
