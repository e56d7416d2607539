/**
 * The records as they stand in the database. Keys and shapes are those of the earlier generation, so that an old database opens
 * unchanged; fields that it did not have are optional here. Unknown fields of a record survive a save.
 */

export const visibilities = ['restricted', 'private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/**
 * A stored password. `scheme` is absent in old records: `hash` is then the hex SHA-512 over the salt's ASCII text and the password.
 * With `scheme: 'bcrypt'` the hash is bcrypt over the Base64 SHA-384 of the password (48 bytes, so that no password is cut).
 */
export interface StoredPassword {
  scheme?: 'bcrypt';
  salt?: string;
  hash: string;
}

export interface UserListRecord {
  name: string;
  uids: string[];
  /** The e-mail addresses under which the owner named people, by user id. Not in old records. */
  emails?: Record<string, string>;
}

export interface UserRecord {
  _id: string;
  login: string;
  email: string;
  password: StoredPassword | '' | null;
  firstname: string;
  lastname: string;
  organization: string;
  /** `#rrggbb` or `''`. */
  color: string;
  padNickname: string;
  /** Etherpad author token of this person, `''` when none is bound. Nobody else ever sees it. */
  eplAuthorToken: string;
  /** Ids of the editor's authors that this person was, the latest last. Not in old records. */
  authors?: string[];
  /** Index of the groups that name this person; the groups' own lists are what counts. */
  groups: string[];
  bookmarks: { groups: string[]; pads: string[] };
  userlists: Record<string, UserListRecord>;
  /** False until the address is confirmed, or when an administrator closed the account. */
  active: boolean;
  /** An administrator closed it, or its removal has begun: a mailed link does not open it again. Not in old records. */
  closed?: boolean;
  /** Registered with the address of another account, which nobody may be told; only that account is found by it. Not in old records. */
  addressTaken?: boolean;
  /** Waits for its first confirmation; given up then, in milliseconds since 1970 (model/unconfirmed.ts). Not in old records. */
  unconfirmedUntil?: number;
  /** Becomes `email` when the link that was mailed there is followed; the links of this wish carry its `id`. Not in old records. */
  pendingEmail?: { address: string; id: string };
  useLoginAndColorInPads: boolean;
  hideHelp: boolean;
  lang: string;
  ctime: number;
}

export interface GroupRecord {
  _id: string;
  name: string;
  description: string;
  visibility: Visibility;
  /** Counts only while `visibility` is `private`. Old records may hold a plain string: it opens nothing. */
  password: StoredPassword | string | null;
  readonly: boolean;
  archived: boolean;
  allowUsersToCreatePads: boolean;
  tags: string[];
  admins: string[];
  users: string[];
  pads: string[];
  ctime: number;
}

export interface PadRecord {
  _id: string;
  name: string;
  group: string;
  /** `null`: as the group. */
  visibility: Visibility | null;
  /** Counts only while the pad's own `visibility` is `private`. */
  password: StoredPassword | string | null;
  /** `null`: as the group. */
  readonly: boolean | null;
  /** Kept for old records; gives no right. */
  users: string[];
  ctime: number;
  /** When the text last changed, as far as we were told; kept to the minute. */
  lastUpdate?: number;
}

/** On whose word somebody is a server administrator; see model/administrator.ts. */
export interface Voucher {
  /** Whether the host's settings file called the account an administrator. If not, a plugin of the host did. */
  listed: boolean;
  /** Fingerprint of the host's own session, where it opened this one: good only together with it. */
  hostSession?: string;
}

/**
 * `user`: a person signed in. `admin`: a server administrator signed in. `guest`: a browser without account that has proved
 * a password. The token that names a session is signed and says its audience; see model/token.ts.
 */
export interface SessionRecord {
  _id: string;
  kind: 'user' | 'admin' | 'guest';
  /** User id (`user`), the host account's name (`admin`), `''` (`guest`). */
  owner: string;
  created: number;
  lastSeen: number;
  /** The browser's own description, shortened to 200 characters. */
  browser: string;
  /** Of administrators. Not in old records, whose owners the settings file names. */
  voucher?: Voucher;
  /** Proved passwords: `group:<id>` or `pad:<id>` to a fingerprint of the stored password, so that a new password locks again. */
  unlocked: Record<string, string>;
}
