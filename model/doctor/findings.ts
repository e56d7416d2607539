/** What can be wrong with a database, and what mends it. */

/** What the doctor calls each kind of damage. `orphans` are mended only when they are asked for by name: text goes with them. */
export const kinds = {
  unreadable: 'records that cannot be read at all; nothing is mended while there are any',
  junkUser: 'records that are no account',
  junkGroup: 'records that are no group',
  junkPad: 'records that are no pad',
  twinAccounts: 'accounts that exist twice, with the same login and the same address',
  sharedLogin: 'logins of several accounts with different addresses',
  sharedAddress: 'addresses of several accounts with different logins',
  noPassword: 'accounts that nobody can sign in to until the password is recovered',
  staleGroupIndex: 'accounts whose own list of groups is not what the groups say',
  danglingBookmarks: 'accounts with bookmarks on what is gone',
  danglingLists: 'lists of people that name accounts which are gone',
  danglingPeople: 'groups and pads that name accounts which are gone, or somebody twice',
  ownerless: 'groups that nobody administers any more',
  ghostPads: 'groups that list pads which are gone, elsewhere, or listed twice',
  unlinkedPads: 'pads that their group does not list',
  leftOverPasswords: 'groups and pads with a password that counts for nothing, some in clear',
  leftOverFields: 'pads with a note of an old move',
  unusableSettings: 'settings that make no sense, whose defaults count',
  contradictorySettings: 'settings that do not fit together',
  staleIndex: 'index entries of logins and addresses that are wrong or missing',
  expiredSessions: 'sessions that have expired or whose account is gone',
  unlistedSessions: 'sessions that the list of their owner does not name: a new password would not end them',
  expiredTokens: 'links of mails that have expired or whose account is gone',
  lostRemovals: 'removals that nobody goes on with; --repair lets the next start of Etherpad do so',
  remains: 'pads of which only history, chat or a read-only address is left',
  orphanPads: 'pads whose group is gone',
  foreignPads: "pads of Etherpad's own, while these are switched off",
} as const;

export type Kind = keyof typeof kinds;

/** The kinds that are repaired only with `orphans`. */
export const orphanKinds: ReadonlySet<Kind> = new Set(['orphanPads', 'foreignPads']);

/** One change of one record. `change` gets what is stored then; `undefined` removes it. */
export interface Change {
  key: string;
  change: (stored: unknown) => unknown;
}

export interface Finding {
  kind: Kind;
  /** The key or the id that is meant. */
  of: string;
  /** In words, where the kind does not say it all. */
  detail?: string;
  /** What mends it, in this order. Missing where a person has to decide. */
  changes?: Change[];
  /** Keys that go; `*` at the end stands for all that start so. */
  removes?: string[];
}

type Fields = Record<string, unknown>;

/** Changes some fields of a record and keeps the others. Nothing happens where there is no record any more. */
export function changeFields(key: string, change: (fields: Fields) => Fields): Change {
  return {
    key,
    change: (stored) =>
      typeof stored === 'object' && stored !== null ? { ...stored, ...change(stored as Fields) } : stored,
  };
}

export function sameList(one: unknown, other: readonly string[]): boolean {
  return (
    Array.isArray(one) && one.length === other.length && one.every((item, index) => item === other[index])
  );
}
