/** What differs between two lists of people. */

/** `left`: only in the list before; `joined`: only in the one after. */
export interface ListChange {
  left: string[];
  joined: string[];
}

/**
 * Compares lists in which nobody is twice. Their equal beginnings and ends are skipped: of 50,000 people, few change at
 * once, and those who come are at the end.
 */
export function listChange(before: readonly string[], after: readonly string[]): ListChange {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [was, is] = [before, after].map((list) => new Set(list.slice(start, list.length - end))) as [
    Set<string>,
    Set<string>,
  ];
  return {
    left: [...was].filter((person) => !is.has(person)),
    joined: [...is].filter((person) => !was.has(person)),
  };
}
