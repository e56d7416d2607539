/** Preferences of this browser, in the cookies of ep_mypads 1.x. */

import { readItem, writeItem } from '../lib/storage';
import { readCookie, writeCookie } from './cookies';

/** One year in seconds. */
const lifetime = 365 * 24 * 3600;

/** Whether the editor should fill the whole window. */
export function wantsExpandedPad(): boolean {
  return readCookie('wantExpandedPad') === 'true';
}

export function rememberExpandedPad(expanded: boolean): void {
  writeCookie('wantExpandedPad', String(expanded), lifetime);
}

/** Sort fields of lists: time of creation, name, time of the last change. */
const sortFields = ['ctime', 'name', 'lastUpdate'] as const;
export type SortField = (typeof sortFields)[number];

export interface Sorting {
  by: SortField;
  ascending: boolean;
}

function isSortField(value: unknown): value is SortField {
  return sortFields.some((field) => field === value);
}

/** Kept, because lists ask for it at each change, and browsers read cookies slowly. */
let preferences: Readonly<Record<string, unknown>> | undefined;

/** Another tab may have sorted. */
addEventListener('focus', () => {
  preferences = undefined;
});

function readPreferences(): Readonly<Record<string, unknown>> {
  preferences ??= storedPreferences();
  return preferences;
}

function storedPreferences(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readCookie('sortingPreferences') ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The last sorting of the list of folders (`group`) or pads. Default: by creation, the oldest first. */
export function rememberedSorting(list: 'group' | 'pad'): Sorting {
  const { [`${list}ByField`]: by, [`${list}Asc`]: ascending } = readPreferences();
  return { by: isSortField(by) ? by : 'ctime', ascending: ascending !== false };
}

/** The sorting in the URL, or else the remembered one. */
export function sortingOf(list: 'group' | 'pad', parameters: URLSearchParams): Sorting {
  const by = parameters.get('sort');
  return isSortField(by) ? { by, ascending: parameters.get('order') !== 'desc' } : rememberedSorting(list);
}

export function rememberSorting(list: 'group' | 'pad', { by, ascending }: Sorting): void {
  preferences = { ...storedPreferences(), [`${list}ByField`]: by, [`${list}Asc`]: ascending };
  writeCookie('sortingPreferences', JSON.stringify(preferences), lifetime);
}

const foldedItem = 'sidebarFolded';

/** Whether the sidebar is folded away on a desktop. */
export const wantsFoldedSidebar = (): boolean => readItem(foldedItem) === 'true';

export function rememberFoldedSidebar(folded: boolean): void {
  writeItem(foldedItem, String(folded));
}
