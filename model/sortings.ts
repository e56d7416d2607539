/** The fields by which server administrators can sort their lists. Imports nothing, because the page uses it too. */

/** Not by name or address: these orders would need another index in memory. */
export const accountSortings = ['login', 'created'] as const;
export type AccountSorting = (typeof accountSortings)[number];

export const groupSortings = ['name', 'pads', 'changed'] as const;
export type GroupSorting = (typeof groupSortings)[number];

export const padSortings = ['name', 'changed'] as const;
export type PadSorting = (typeof padSortings)[number];
