/** Names for new things. Uses no browser API, so that it can be tested without one. */
import { limits } from '../../../../model/limits';
import { comparable } from '../../lib/matching';

/** The first characters of a text, at most `most` UTF-16 units, without half a character at the end. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.slice(0, end).trimEnd();
}

/**
 * `wanted`, or with the first free number: "Untitled", "Untitled 2". Letter case does not count. Never longer than
 * `limits.name`: the end of a long name is left out, the number never.
 */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const names = new Set([...taken].map(comparable));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`;
    const name = cut(wanted, limits.name - ending.length) + ending;
    if (!names.has(comparable(name))) return name;
  }
}
