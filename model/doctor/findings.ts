/** Kinds of damage in a database, and their repair. */
import type { Fields } from '../fields';

/**
 * Description of each kind in the report. Orphans are repaired only with `--orphans`, because their text is deleted.
 */
export const kinds = {
  unreadable: 'records that cannot be read; nothing is repaired while there are any',
  junkUser: 'invalid account records',
  junkGroup: 'invalid group records',
  junkPad: 'invalid pad records',
  duplicateAccounts: 'accounts that exist twice, with the same username and the same address',
  sharedLogin: 'usernames that several accounts with different addresses share',
  sharedAddress: 'addresses that several accounts with different usernames share',
  noPassword: 'accounts without a password: nobody can sign in with them until someone chooses one',
  staleGroupIndex: 'accounts whose own list of groups or shared pads differs from these',
  danglingBookmarks: 'accounts with bookmarks on deleted groups or pads',
  danglingLists: 'accounts with people lists that contain deleted accounts',
  danglingPeople: 'groups and pads that list deleted accounts, or an account twice',
  ownerless: 'groups without a manager',
  wrongPadLists: 'groups that list deleted pads, pads of other groups, or a pad twice',
  unlinkedPads: 'pads that their group does not list',
  leftOverPasswords: 'groups and pads with an unused password, some in plain text',
  leftOverFields: 'pads with an unused field of an old move',
  unusableSettings: 'invalid settings, whose defaults are used',
  contradictorySettings: 'settings that contradict each other',
  staleIndex: 'wrong or missing index entries of usernames and addresses',
  expiredSessions: 'expired sessions, and sessions of deleted accounts',
  unlistedSessions: "sessions that are missing in their owner's list: a new password would not end them",
  expiredTokens: 'expired mail links, and mail links of deleted accounts',
  lostLinks: 'notes about links that no group has',
  lostInvitations: 'notes about invitations that no group has',
  lostRemovals:
    'unfinished deletions that nothing resumes; --repair lets the next start of Etherpad resume them',
  staleFormerPads:
    'records about deleted pads that are older than a year, damaged, or about pads that exist again',
  leftovers: 'deleted pads of which history, chat, a read-only address or a deletion token is left',
  orphanPads: 'pads whose group is deleted',
  foreignPads: "Etherpad's own pads, while allowEtherPads is off",
} as const;

export type Kind = keyof typeof kinds;

/** Kinds that are repaired only with `orphans`. */
export const orphanKinds: ReadonlySet<Kind> = new Set(['orphanPads', 'foreignPads']);

export interface Finding {
  kind: Kind;
  /** The key or id concerned. */
  of: string;
  /** Details in words. */
  detail?: string;
  /** Repairs, in this order. Missing when a person has to decide. */
  changes?: Change[];
  /** Keys to remove; `*` at the end means all keys with that prefix. */
  removes?: string[];
}

export const canRepair = ({ changes, removes }: Finding): boolean => Boolean(changes ?? removes);

/** Changes some fields of a record and keeps the others. Does nothing when the record does not exist. */
export function changeFields(key: string, change: (fields: Fields) => Fields) {
  return {
    key,
    change: (stored: unknown): unknown =>
      typeof stored === 'object' && stored !== null ? { ...stored, ...change(stored as Fields) } : stored,
  };
}

/** A change of one record. `change` gets the stored value; returning `undefined` removes the record. */
export type Change = ReturnType<typeof changeFields>;

export function sameList(one: unknown, other: readonly string[]): boolean {
  return (
    Array.isArray(one) && one.length === other.length && one.every((item, index) => item === other[index])
  );
}
