/** The names under which TanStack Query keeps answers, all of them. */
export const keys = {
  configuration: ['configuration'],
  ready: ['ready'],
  /** The own folders with all that is in them. */
  groups: ['groups'],
  /** Every folder that was opened. */
  everyGroup: ['group'],
  group: (id: string) => ['group', id] as const,
  everyPad: ['pad'],
  pad: (id: string) => ['pad', id] as const,
  /** `visit` makes each showing of the editor another one: a ticket is good once. */
  ticket: (id: string, visit: number) => ['ticket', id, visit] as const,
} as const;
