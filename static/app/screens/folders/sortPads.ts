import type { Pad } from '../../../../api/answers';
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
