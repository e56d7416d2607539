/** Names for new things. Uses no browser API, so that it can be tested without one. */
import { cutText } from '../../../../model/cutText';
import { limits } from '../../../../model/limits';
import { comparable } from '../../lib/matching';

/**
 * `wanted`, or with the first free number: "Untitled", "Untitled 2". Letter case does not count. Never longer than
 * `limits.name`: the end of a long name is left out, the number never.
 */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const names = new Set([...taken].map(comparable));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`;
    const name = cutText(wanted, limits.name - ending.length).trimEnd() + ending;
    if (!names.has(comparable(name))) return name;
  }
}
