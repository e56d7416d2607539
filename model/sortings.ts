/** By what server administrators can sort their lists. Without imports, because the page uses it too. */

/** Accounts. An order by name or address would need an index of its own. */
export const accountSortings = ['login', 'created'] as const;
export type AccountSorting = (typeof accountSortings)[number];

export const groupSortings = ['name', 'pads', 'changed'] as const;
export type GroupSorting = (typeof groupSortings)[number];

export const padSortings = ['name', 'changed'] as const;
export type PadSorting = (typeof padSortings)[number];
