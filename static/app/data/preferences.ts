/** What this browser remembers of how somebody likes the page, in the cookies that the earlier generation wrote. */
import { readCookie, writeCookie } from './cookies';

/** A year, in seconds; specification, section 9. */
const lifetime = 365 * 24 * 3600;

/** Is the editor to fill the whole window? */
export function wantsExpandedPad(): boolean {
  return readCookie('wantExpandedPad') === 'true';
}

export function rememberExpandedPad(expanded: boolean): void {
  writeCookie('wantExpandedPad', String(expanded), lifetime);
}

/** By what a list is sorted: when things were made, their names, or their last change. */
export const sortFields = ['ctime', 'name', 'lastUpdate'] as const;
export type SortField = (typeof sortFields)[number];

export interface Sorting {
  by: SortField;
  ascending: boolean;
}

export function isSortField(value: unknown): value is SortField {
  return sortFields.some((field) => field === value);
}

function readPreferences(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readCookie('sortingPreferences') ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** How the list of folders (`group`) or of pads was sorted last; by creation, the oldest first, when it never was. */
export function rememberedSorting(list: 'group' | 'pad'): Sorting {
  const preferences = readPreferences();
  const by = preferences[`${list}ByField`];
  return { by: isSortField(by) ? by : 'ctime', ascending: preferences[`${list}Asc`] !== false };
}

export function rememberSorting(list: 'group' | 'pad', { by, ascending }: Sorting): void {
  const preferences = { ...readPreferences(), [`${list}ByField`]: by, [`${list}Asc`]: ascending };
  writeCookie('sortingPreferences', JSON.stringify(preferences), lifetime);
}
