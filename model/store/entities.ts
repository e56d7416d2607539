/**
 * The records of the database. Keys and shapes are those of ep_mypads 1.x, so that an old database works unchanged;
 * fields that it did not have are optional. Unknown fields survive a save.
 */

import type { ExternalIdentity } from '../externalIdentity';

export const visibilities = ['restricted', 'private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/**
 * A stored password. Old records have no `scheme`; their `hash` is the hex SHA-512 of salt (ASCII) and password. With
 * `scheme: 'bcrypt'` it is bcrypt of the Base64 SHA-384 of the password, so that bcrypt's limit of 72 bytes cuts
 * nothing off.
 */
export interface StoredPassword {
  scheme?: 'bcrypt';
  salt?: string;
  hash: string;
}

export interface UserListRecord {
  name: string;
  uids: string[];
  /** The e-mail addresses that the owner typed, by user id. Not in old records. */
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
  /** Author token of Etherpad for this person, `''` when there is none. Never shown to others. */
  eplAuthorToken: string;
  /** Ids of Etherpad authors that this person has used, the latest last. Not in old records. */
  authors?: string[];
  /** Index of the groups that list this person. The lists in the groups are authoritative. */
  groups: string[];
  /** The same for groups whose `readers` list them. Not in `groups`, where ep_mypads 1.x would show them. */
  readerOf?: string[];
  /** Index of the pads whose `people` list them. Not in old records. */
  sharedPads?: string[];
  /** Links that the person keeps, so that all their sessions have proved them. Not in old records. */
  keptLinks?: KeptLink[];
  bookmarks: { groups: string[]; pads: string[] };
  userlists: Record<string, UserListRecord>;
  /** False until the address is confirmed, or after an administrator closed the account. */
  active: boolean;
  /**
   * True when an administrator closed the account or its removal has begun. A mailed link cannot open it then. Not in
   * old records.
   */
  closed?: boolean;
  /**
   * True when the account was registered with an address that another account has. Only the other account is found by
   * it. Not in old records.
   */
  addressTaken?: boolean;
  /** The account is unconfirmed and will be removed at this time, in milliseconds since 1970. Not in old records. */
  unconfirmedUntil?: number;
  /**
   * The requested new address; it becomes `email` when its link is followed. Links of this request carry `id`. Not in
   * old records.
   */
  pendingEmail?: { address: string; id: string };
  useLoginAndColorInPads: boolean;
  hideHelp: boolean;
  /** Whether single keys are shortcuts in the app. Missing: yes. Not in old records, so that these stay as they are. */
  singleKeys?: boolean;
  lang: string;
  /** Who the person is for the services by which they sign in. Not in old records. */
  identities?: ExternalIdentity[];
  /**
   * The directory does not know the person any more: since when, in milliseconds since 1970, and whether the account
   * was closed for it. Not in old records.
   */
  absent?: Absence;
  /** A sync of a file has made the account, and whether one has closed it; see model/people/fileSync.ts. */
  bySync?: { closed?: true };
  /** Whether they get an email when others add them to a folder. Missing: yes. Not in old records. */
  mailWhenAdded?: boolean;
  ctime: number;
}

export interface Absence {
  since: number;
  closed?: true;
}

/** A link that a person keeps: with what it opens, and what a session stores as its proof. */
export interface KeptLink {
  _id: string;
  /** For a link to a group. */
  group?: string;
  /** For a link to a pad. */
  pad?: string;
  proof: string;
}

export interface GroupRecord {
  _id: string;
  name: string;
  description: string;
  visibility: Visibility;
  /** Used only while `visibility` is `private`. Old records may hold a plain string, which matches no password. */
  password: StoredPassword | string | null;
  readonly: boolean;
  archived: boolean;
  allowUsersToCreatePads: boolean;
  tags: string[];
  admins: string[];
  users: string[];
  /** People who may read everything in the group and write nothing. Unknown to ep_mypads 1.x. */
  readers: string[];
  /** What rules give people, by id of their account; see model/store/ruleGrants.ts. Not in old records. */
  byRule?: ReadonlyMap<string, RuleGrant>;
  pads: string[];
  /** Unknown to ep_mypads 1.x. */
  links: LinkRecord[];
  /** Unknown to ep_mypads 1.x. */
  requests: RequestRecord[];
  /** When the managers were last mailed about requests, in milliseconds since 1970. */
  requestsMailed?: number;
  invitations: InvitationRecord[];
  ctime: number;
}

/** What a link or a share of a single pad lets people do. */
export const grantRoles = ['reader', 'writer'] as const;
export type GrantRole = (typeof grantRoles)[number];

/** Who makes links: the setting `linksBy`. */
export const linkMakers = ['managers', 'writers', 'nobody'] as const;
export type LinkMakers = (typeof linkMakers)[number];

/** Somebody asks the managers of a group for access, or a reader for the right to write. */
export interface RequestRecord {
  _id: string;
  user: string;
  /** Without it, the request is about the group. */
  pad?: string;
  /** What they say, on one line; `''`: nothing. */
  text: string;
  created: number;
  /** When a manager declined it. It is kept for a while, so that it is not made again at once. */
  declined?: number;
}

/**
 * A link that opens a group, or one pad of it, to everybody who has its secret. It is kept in the group's record, so
 * that an access check reads no other record. The secret is made from `seed` and the server's own secret.
 */
export interface LinkRecord {
  /** A digest of the secret. */
  _id: string;
  role: GrantRole;
  /** What the link is for, such as "Parents of 5b". */
  label: string;
  /** Without it, the link opens the group and the pads that have its visibility. */
  pad?: string;
  /** Milliseconds since 1970; `null`: it does not end by itself. */
  ends: number | null;
  password: StoredPassword | null;
  /** Whether guests are asked for a name before it opens. */
  asksName: boolean;
  seed: string;
  /** Who made it: an account; `null` for a server administrator and for somebody whose account was removed. */
  by: string | null;
  created: number;
}

/** The lists of people in a group, the role with most rights first. Nobody is on two. */
export const memberLists = ['admins', 'users', 'readers'] as const;
export type MemberList = (typeof memberLists)[number];
/** What rules give a person in a group, by id of the rule. The lists have the stronger of this and `own`. */
export interface RuleGrant {
  rules: Record<string, MemberList>;
  /** The role that people have given. Missing: none. */
  own?: MemberList;
}

/** The services whose groups and attributes rules name. */
export const ruleSources = ['ldap', 'cas', 'oidc', 'header'] as const;
export type RuleSource = (typeof ruleSources)[number];

/** People of whom a service sends this value of an attribute have a role in a group; see model/rules/groupRules.ts. */
export interface GroupRule {
  id: string;
  source: RuleSource;
  /** For a method with several services: which one. */
  provider?: string | undefined;
  attribute: string;
  value: string;
  /** If the service sends nothing about the attribute, the person has no value of it. Otherwise nothing is known. */
  absentIsEmpty: boolean;
  role: MemberList;
  /** Missing until the first person comes for whom `managers` get a new group. */
  folder?: string | undefined;
  /** Ids of accounts: a group is made for this rule, and they manage it. */
  managers?: string[] | undefined;
}

/** The names that the API and the page have for the roles. */
export const listOfRole = { manager: 'admins', writer: 'users', reader: 'readers' } as const;
export const roleOfList = { admins: 'manager', users: 'writer', readers: 'reader' } as const;

/** Ids of people by role. */
export type MembersByRole = Pick<GroupRecord, MemberList>;

/** `waiting`: it is being sent. `refused`: the owner of the address wants no invitations, so nothing was sent. */
export const invitationMails = ['waiting', 'sent', 'failed', 'refused'] as const;

/**
 * An email address without an account that was invited to a group, or to one pad of it. It opens nothing before an
 * account of this address accepts it. The token in the mail is made from `seed` and the server's own secret.
 */
export interface InvitationRecord {
  /** A digest of the token. */
  _id: string;
  address: string;
  /** The pad that is shared alone with the person. Missing: they join the group. */
  pad?: string;
  /** The list that the person gets on; for a pad, its name for the role: `users` or `readers`. */
  role: MemberList;
  /** Who invites: an account; `null` for a server administrator and for somebody whose account was removed. */
  by: string | null;
  /** What they wrote, in one line; `''`: nothing. */
  sentence: string;
  /** Language of the mail; `''`: the server's. */
  lang: string;
  /** Times in milliseconds since 1970. */
  created: number;
  expires: number;
  mail: (typeof invitationMails)[number];
  /** When the mail was last accepted by the mail server; `null`: never. */
  mailed: number | null;
  reminded: boolean;
  /** Somebody has registered with it. */
  registered?: true;
  seed: string;
}

export interface PadRecord {
  _id: string;
  name: string;
  group: string;
  /** `null`: as the group. */
  visibility: Visibility | null;
  /** Used only while the pad's own `visibility` is `private`. */
  password: StoredPassword | string | null;
  /** `null`: as the group. */
  readonly: boolean | null;
  /** Kept for ep_mypads 1.x; gives no rights. */
  users: string[];
  /** People with whom this pad alone is shared, by id of their account. Not in old records. */
  people?: Record<string, GrantRole>;
  ctime: number;
  /** New pads can begin with the text of this one. Missing otherwise. */
  template?: true;
  /** Time of the last change of the text, to the minute, if known. */
  lastUpdate?: number;
  /** Who made that change: the id of an account, `null` for a guest. Missing if it is not known. */
  lastEditor?: string | null;
}

/** Who confirmed that somebody is a server administrator; see model/access/administrator.ts. */
export interface Voucher {
  /**
   * True when Etherpad's settings file lists the account as an administrator; false when only a plugin confirmed it.
   */
  listed: boolean;
  /** Fingerprint of the Etherpad session that opened this session. The session is valid only together with it. */
  hostSession?: string;
}

/**
 * `user`: a signed-in person. `admin`: a signed-in server administrator. `guest`: a browser without account that has
 * proved a password. A signed token names the session; see model/access/token.ts.
 */
export interface SessionRecord {
  _id: string;
  kind: 'user' | 'admin' | 'guest';
  /** User id (`user`), name of the Etherpad account (`admin`), `''` (`guest`). */
  owner: string;
  created: number;
  lastSeen: number;
  /** The `User-Agent` header, cut to 200 characters. */
  browser: string;
  /** For administrators only. Missing in old records: their owners are in the settings file. */
  voucher?: Voucher;
  /**
   * Proved passwords and links: `group:<id>`, `pad:<id>` or `link:<id>`, with a fingerprint of the stored password.
   * After a change of the password the proof no longer matches.
   */
  unlocked: Record<string, string>;
  /** How the person has signed in. Missing in old records, and for everybody else. */
  signedInBy?: MethodOfSession;
  /** The name that a guest gave when they opened a link that asks for it. */
  guest?: NamedGuest;
}

/**
 * What an API token may allow. `read`: what its owner may see. `write`: folders, pads, lists, bookmarks. `people`: who
 * belongs to a folder. `administration`: what server administrators do.
 */
export const scopes = ['read', 'write', 'people', 'administration'] as const;
export type Scope = (typeof scopes)[number];

/** A token with which a program calls the API in the name of its owner; see model/access/apiTokens.ts. */
export interface ApiTokenRecord {
  /** The SHA-256 of the token, in hexadecimal. The token itself is not stored. */
  _id: string;
  /** `user`: of a person. `admin`: of a server administrator. */
  kind: 'user' | 'admin';
  /** User id (`user`), name of the Etherpad account (`admin`). */
  owner: string;
  name: string;
  scopes: Scope[];
  lastFour: string;
  /** IP addresses and networks from which it may be used; empty: from everywhere. */
  addresses: string[];
  /** Times in milliseconds since 1970. */
  created: number;
  ends: number;
  /** Accurate to five minutes; `null`: never. */
  lastUsed: number | null;
  /** Of administrators: what the token and their password in the settings file have in common. */
  proof?: string;
}

/** A passkey of an account. */
export interface PasskeyRecord {
  /** The id of the credential, in Base64url. */
  _id: string;
  name: string;
  /** In COSE form, in Base64url. */
  publicKey: string;
  /** How often it was used, as far as the device counts. A lower number than before comes from a copy. */
  counter: number;
  transports: string[];
  /** Times in milliseconds since 1970. `lastUsed`: `null`: never. */
  created: number;
  lastUsed: number | null;
}

/** An authenticator app, which shows a new code every half minute. */
export interface TotpRecord {
  _id: string;
  /** The secret follows from it and the secret of the server; see model/access/token.ts. */
  seed: string;
  /** The half minute of the last code that was accepted: each works once. */
  lastStep: number;
  created: number;
  lastUsed: number | null;
}

/** What an account needs besides its password; see model/access/factors.ts. */
export interface FactorsRecord {
  totp?: TotpRecord;
  passkeys: PasskeyRecord[];
  /** SHA-256 of the recovery codes that are left. */
  recovery: string[];
  /** Another one after each change of what is above, so that confirmed browsers must confirm again. */
  version: string;
}

/** The method by which a session began. */
export interface MethodOfSession {
  /** A name of model/signin/methods.ts. */
  method: string;
  /** For a method with several services: the one that was used, and who the person is there. */
  provider?: string;
  issuer?: string;
  subject?: string;
  /** The session at the service, with which this one ends. */
  sid?: string;
}

export interface NamedGuest {
  name: string;
  /** What the link is for: its label. */
  link: string;
}
