import { useRef, useState } from 'react';

export interface Selection {
  /** Selected ids that are still in the list. */
  ids: readonly string[];
  has: (id: string) => boolean;
  /** Selects or deselects an id; with `range`, also all ids between it and the one before. */
  toggle: (id: string, range: boolean) => void;
  set: (ids: readonly string[]) => void;
  clear: () => void;
}

/** The selection in a list. `listed`: the ids in the order that is shown. */
export function useSelection(listed: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  const toggle = (id: string, range: boolean): void => {
    const next = new Set(chosen);
    const [from, to] = [listed.indexOf(anchor.current ?? id), listed.indexOf(id)].sort(
      (left, right) => left - right,
    );
    const ids =
      range && from !== undefined && from >= 0 && to !== undefined ? listed.slice(from, to + 1) : [id];
    for (const each of ids) {
      if (chosen.has(id)) next.delete(each);
      else next.add(each);
    }
    anchor.current = id;
    setChosen(next);
  };
  return {
    ids: listed.filter((id) => chosen.has(id)),
    has: (id) => chosen.has(id),
    toggle,
    set: (ids) => setChosen(new Set(ids)),
    clear: () => setChosen(new Set()),
  };
}
