/** All query keys of TanStack Query. */
export const keys = {
  configuration: ['configuration'],
  ready: ['ready'],
  /** Whether the link of a mail still works. */
  mailedLink: (token: string) => ['mailedLink', token] as const,
  /** Where the person is signed in. */
  sessions: ['sessions'],
  /** The person's second factors. */
  factors: ['factors'],
  /** The person's API tokens. */
  tokens: ['tokens'],
  /** The person's folders without pads, and the bookmarks. */
  groups: ['groups'],
  /** The pads that the person opened last. */
  recent: ['recent'],
  /** The names of all pads that the person can see in a list. */
  padNames: ['padNames'],
  /** Pads by words in their texts. */
  textSearch: (search: object) => ['textSearch', search] as const,
  userLists: ['userLists'],
  everyTrash: ['trash'],
  /** A page of what was deleted. */
  trash: (page: { offset: number; limit: number }) => ['trash', page.offset, page.limit] as const,
  exports: (caller: string) => ['exports', caller] as const,
  export: (caller: string, id: string) => ['exports', caller, id] as const,
  import: (id: string) => ['import', id] as const,
  /** All folders that were opened. */
  everyGroup: ['group'],
  group: (id: string) => ['group', id] as const,
  everyLink: ['links'],
  /** The links of a folder and its pads, or those of a pad. */
  links: (group: string, pad?: string) => ['links', group, pad] as const,
  /** How to keep the folder or pad that a link has opened in this tab. */
  keepOffer: (id: string) => ['keepOffer', id] as const,
  everyAccess: ['access'],
  /** Who can open a folder, or a pad of it. */
  access: (group: string, pad?: string) => ['access', group, pad] as const,
  /** The requests for access to the person's folders. */
  requests: ['requests'],
  /** The invitations of a folder. */
  invitations: (group: string) => ['invitations', group] as const,
  /** What the link of an invitation is for. */
  invitation: (token: string) => ['invitation', token] as const,
  everyPad: ['pad'],
  pad: (id: string) => ['pad', id] as const,
  /** Who has the pad open. Read together with the pad. */
  present: (id: string) => ['present', id] as const,
  /** Who has pads of a list open. `list`: the call that reads it. */
  everyPresentIn: ['presentIn'],
  presentIn: (folder?: string) => ['presentIn', folder] as const,
  /** A ticket is valid once, so `visit` gives each opening of the editor a key of its own. */
  ticket: (id: string, visit: number) => ['ticket', id, visit] as const,
} as const;
