/**
 * Types of everything that the server and its clients exchange. The page imports nothing else of api/. None of them
 * contains passwords, salts, hashes, session keys or author tokens of other people.
 */

import type { AdminAction, AdminObjectKind } from '../model/access/adminLog';
import type { EffectiveSettings, GroupAbilities, PadAbilities } from '../model/access/permissions';
import type { DayNumbers } from '../model/accounts/dailyNumbers';
import type { Check } from '../model/checkup/findings';
import type { ErrorKey } from '../model/errors';
import type { Visibility } from '../model/store/entities';

export type { AdminAction, AdminObjectKind } from '../model/access/adminLog';
export type { EffectiveSettings, GroupAbilities, PadAbilities } from '../model/access/permissions';
export type { DayNumbers } from '../model/accounts/dailyNumbers';
export type { Check, CheckState } from '../model/checkup/findings';
export type { ErrorKey, Visibility };

/** The body of every error answer. `field` names the input that caused it, if one did. */
export interface ErrorAnswer {
  error: ErrorKey;
  field?: string;
  key?: string;
  /** Seconds until another try may succeed, with TOO_MANY. */
  retryAfter?: number;
  /**
   * A sentence for administrators: with UNABLE_TO_BIND_TO_LDAP, when settings of a sign-in service are refused, and what
   * the mail server said to a test mail.
   */
  reason?: string;
  /** The limit that was exceeded, with USERLIST_CRUD. */
  most?: number;
}

/** The caller's own account, in answers to login, registration and configuration. */
export interface OwnUser {
  _id: string;
  login: string;
  email: string;
  /** The address that becomes `email` when it is confirmed. */
  pendingEmail?: string;
  firstname: string;
  lastname: string;
  organization: string;
  color: string;
  padNickname: string;
  lang: string;
  active: boolean;
  useLoginAndColorInPads: boolean;
  hideHelp: boolean;
  ctime: number;
  bookmarks: { groups: string[]; pads: string[] };
  groups: string[];
}

/** An account in answers to those who may change it. The last three fields are sent to server administrators only. */
export interface Account extends OwnUser {
  /** Not active, because an administrator has closed the account. */
  closed?: boolean;
  /** Not active, because the person has not confirmed their address yet. */
  unconfirmed?: boolean;
  /** Another account has the same address. The account can only be opened after one of them gets another address. */
  addressTaken?: boolean;
}

/** A session of an account: one browser or program that is signed in. */
export interface OwnSession {
  /** Names the session in `DELETE user/:login/sessions/:session`. It is not part of a token. */
  _id: string;
  created: number;
  /** When it was last used, to five minutes. */
  lastSeen: number;
  /** The `User-Agent` header of the sign-in, cut to 200 characters. */
  browser: string;
  /** Whether this call was made with it. */
  current: boolean;
}

/** `GET user/:login/sessions`: the last used one first. */
export interface OwnSessionsAnswer {
  key: string;
  value: OwnSession[];
}

/** Another person. Names and e-mail are sent only to administrators of a group that the person is in. */
export interface Person {
  _id: string;
  login: string;
  color: string;
  firstname?: string;
  lastname?: string;
  email?: string;
}

export interface Group {
  _id: string;
  name: string;
  description: string;
  visibility: Visibility;
  hasPassword: boolean;
  readonly: boolean;
  archived: boolean;
  allowUsersToCreatePads: boolean;
  tags: string[];
  /** User ids; empty if `abilities.seePeople` is false. */
  admins: string[];
  users: string[];
  /** Ids of the pads that are listed for the caller. */
  pads: string[];
  ctime: number;
  abilities: GroupAbilities;
}

/** A private group whose password the caller has not proved. */
export interface LockedGroup {
  name: string;
  visibility: 'private';
}

export interface Pad {
  _id: string;
  name: string;
  group: string;
  /** The pad's own setting; `null`: the setting of its group. */
  visibility: Visibility | null;
  readonly: boolean | null;
  hasPassword: boolean;
  ctime: number;
  /** Milliseconds since 1970; `null` if nobody has written in the pad yet. */
  lastUpdate: number | null;
  effective: EffectiveSettings;
  abilities: PadAbilities;
}

/** `GET group` */
export interface GroupsAnswer {
  value: {
    groups: Record<string, Group>;
    pads: Record<string, Pad>;
    /** The people in these groups whom the caller may see, by user id. */
    users: Record<string, Person>;
    /** Those of `users` who administer at least one of these groups. */
    admins: Record<string, Person>;
    /** Bookmarked groups and pads that the caller may still see, also of groups that they do not belong to. */
    bookmarks: { groups: Record<string, Group>; pads: Record<string, Pad> };
  };
}

/** A group in a list of groups: without its pads. */
export interface GroupSummary {
  _id: string;
  name: string;
  visibility: Visibility;
  readonly: boolean;
  archived: boolean;
  tags: string[];
  /** User ids; empty if the ability `seePeople` is false. */
  admins: string[];
  users: string[];
  /** How many pads are listed for the caller. */
  padCount: number;
  ctime: number;
  /** When one of these pads last changed, or when the group was created. */
  lastUpdate: number;
  /** A key of `abilities` in the answer. */
  abilities: string;
}

/** A pad in a list of bookmarks. */
export interface PadSummary {
  _id: string;
  name: string;
  group: string;
  /** The effective visibility: the pad's own, or that of its group. */
  visibility: Visibility;
  ctime: number;
  lastUpdate: number | null;
}

/** Who has a pad open now. `people`: those of its group whom the caller may see; they count too. At most 20. */
export interface Present {
  count: number;
  people: Person[];
}

/** `GET overview` */
export interface OverviewAnswer {
  value: {
    groups: Record<string, GroupSummary>;
    /** As in `GroupsAnswer`. */
    bookmarks: { groups: Record<string, GroupSummary>; pads: Record<string, PadSummary> };
    /** Sets of abilities; groups with the same abilities share one. */
    abilities: Record<string, GroupAbilities>;
    /** The people in these groups whom the caller may see, by user id. */
    users: Record<string, Person>;
  };
}

/** `GET overview/pads`: the pads that are listed for the caller, by group, for a search. */
export interface PadNamesAnswer {
  value: Record<string, { _id: string; name: string }[]>;
}

/** `GET overview/recent`: the pads that the caller opened last and may still open, the latest first. */
export interface RecentPadsAnswer {
  value: PadSummary[];
}

/**
 * `GET group/:id`, and `POST group/:id/unlock` with `{password}` as it was typed. Without `pads` and `users` if the
 * group is locked for the caller.
 */
export interface GroupAnswer {
  key: string;
  value: Group | LockedGroup;
  pads?: Record<string, Pad>;
  users?: Record<string, Person>;
  /** How many people have a pad open now, by pad. Without pads that nobody has open. */
  present?: Record<string, number>;
  /** For a guest who has just proved the password: the token to send with later calls. */
  token?: string;
}

/** `POST group`, `PUT group/:id`, `POST group/resign` */
export interface GroupSavedAnswer {
  success: true;
  key: string;
  value: Group;
  /** `POST group` by an administrator with `ifExists`: whether the group was created by this call. */
  made?: boolean;
}

/** Tags to add to a group and to remove from it. */
export interface TagChange {
  group: string;
  add: string[];
  remove: string[];
}

/** `POST group/tags` */
export interface TagsAnswer {
  success: true;
  /** What was really added and removed. Sent with `add` and `remove` exchanged, it undoes the call. */
  changed: TagChange[];
  /** The groups that stay as they were, and why. */
  failed: { group: string; error: ErrorKey }[];
}

/** `POST group/invite`, `POST group/:id/members`, `PUT group/:id/members` */
export interface InviteAnswer {
  success: true;
  value: Group;
  users: Record<string, Person>;
  /** The entries as they were sent: those with an account, and those without one. */
  present: string[];
  absent: string[];
}

/** `GET pad/:id`, and `POST pad/:id/unlock` with `{password}` as it was typed. */
export interface PadAnswer {
  key: string;
  value: Pad;
  present: Present;
  /** As in `GroupAnswer`. */
  token?: string;
}

/** `POST pad`, `POST pad/:id/duplicate`, `PUT pad/:id` */
export interface PadSavedAnswer {
  success: true;
  key: string;
  value: Pad;
}

/** `GET pad/ispublic/:id`. The answer is the same for a pad that is not public and for one that does not exist. */
export interface PublicPadAnswer {
  success: true;
  key: string;
  ispublic: boolean;
}

/** `POST pad/:id/ticket`: the parameters of the frame's URL. */
export interface PadTicketAnswer {
  success: true;
  key: string;
  /** Valid once, for this pad, for one minute. Goes into the frame's URL as `auth_token`. */
  ticket: string;
  /** If empty, leave it out of the URL. */
  userName: string;
  userColor: string;
  mode: 'write' | 'read';
}

/** `POST auth/login`, `POST auth/login/cas` */
export interface LoginAnswer {
  success: true;
  token: string;
  user: OwnUser;
}

/** `POST user`. With `value.active` false, a mail was sent and the person must open its link first. */
export interface RegisterAnswer {
  success: true;
  key: string;
  value: Account;
  /** `POST user` by an administrator with `ifExists`: whether the account was created by this call. */
  made?: boolean;
}

/** The settings that everybody may see. */
export interface PublicConfiguration {
  title: string;
  passwordMin: number;
  passwordMax: number;
  languages: Record<string, string>;
  defaultLanguage: string;
  loginMsg: Record<string, string>;
  openRegistration: boolean;
  hideHelpBlocks: boolean;
  useFirstLastNameInPads: boolean;
  authMethod: 'internal' | 'ldap' | 'cas';
  /**
   * `loginUrl`, `logoutUrl`: the pages of the CAS server. `''` if they are not known: CAS is off, or `rootUrl` is not
   * set.
   */
  authCasSettings: { serverUrl: string; loginUrl: string; logoutUrl: string };
  allPadsPublicsAuthentifiedOnly: boolean;
  disableLogoutButton: boolean;
  disableLangageSelect: boolean;
  disableUserList: boolean;
  disableUserProfile: boolean;
  userLoginsAsAdmin: string[];
  HTMLExtraHead: string;
  /** Whether people can ask for a mail to choose a new password. Follows from other settings. */
  passwordRecovery: boolean;
}

/** `GET configuration`. For administrators, `value` holds every setting. */
export interface ConfigurationAnswer {
  value: PublicConfiguration;
  /** For administrators: the settings that Etherpad's settings file fixes. They cannot be changed through the API. */
  locked?: string[];
  /**
   * For administrators: names of the secrets that are set, as `SMTPPass` or `authLdapSettings.bindCredentials`. Their
   * values are never sent.
   */
  secrets?: string[];
  /** Whether the token belongs to a valid session of a person or an administrator. */
  auth: boolean;
  user?: OwnUser;
  /**
   * Name of the administrator who is signed in at Etherpad itself in this browser. `POST auth/admin/login/host` signs
   * them in without a password. Not sent to administrators.
   */
  hostAdministrator?: string;
}

/** A person on a user list. Names and e-mail as in `Person`; the e-mail also if the owner of the list typed it. */
export interface ListedPerson {
  _id: string;
  login: string;
  firstname?: string;
  lastname?: string;
  email?: string;
}

/** The caller's user lists by id, without accounts that no longer exist. */
export type UserLists = Record<string, { name: string; uids: string[]; users: ListedPerson[] }>;

/** `GET userlist` */
export interface UserListsAnswer {
  value: UserLists;
  /** Always empty in this answer. */
  present: string[];
  absent: string[];
}

/** `POST userlist`, `PUT userlist/:key`: the id of the saved list, and all lists. */
export interface UserListSavedAnswer {
  success: true;
  key: string;
  value: UserLists;
  /** The entries as they were sent: those with an account, and those without one. */
  present: string[];
  absent: string[];
}

/** `DELETE userlist/:key` */
export interface UserListRemovedAnswer {
  success: true;
  key: string;
  value: UserLists;
}

export interface SuccessAnswer {
  success: true;
}

/** `PUT usermark`: the ids whose bookmark this call has set or removed, and those that may not be bookmarked. */
export interface BookmarksAnswer {
  success: true;
  changed: string[];
  refused: string[];
}

/** `PUT passrecover/:token`, `POST accountconfirm`: the account that the link belongs to. The call does not sign in. */
export interface LinkUsedAnswer {
  success: true;
  login: string;
}

/** `POST auth/admin/login`, `POST auth/admin/login/host` */
export interface AdminLoginAnswer {
  success: true;
  token: string;
}

/** Answer of calls that remove something: what was removed. */
export interface KeyAnswer {
  success: true;
  key: string;
}

/** `GET user/:login` */
export interface UserAnswer {
  key: string;
  value: Account;
}

/**
 * `GET all-users`, `GET search-users/:text`: one page of accounts by login, and the number of all matches. If accounts
 * of an old database share a login, the oldest has it as its key, and it is the one that can sign in.
 */
export interface UsersAnswer {
  users: Record<string, { _id: string; email: string; firstname: string; lastname: string; active: boolean }>;
  usersCount: number;
}

/** `GET configuration/:key`. Without `value` if the setting is a secret. */
export interface SettingAnswer {
  key: string;
  value?: unknown;
}

/** `POST configuration`, `PUT configuration/:key`. Without `value` if the setting is a secret. */
export interface SettingSavedAnswer {
  success: true;
  key: string;
  value?: unknown;
}

/** `GET configuration/public/usefirstlastname` */
export interface UseFirstLastNameAnswer {
  success: true;
  usefirstlastname: boolean;
}

/**
 * `GET configuration/public/allpadspublicsauthentifiedonly`. `group` of the requested pad, for people who are signed
 * in.
 */
export interface AuthentifiedOnlyAnswer {
  success: true;
  allpadspublicsauthentifiedonly: boolean;
  group?: string;
}

/** `GET cache/check`: whether the index of accounts is complete, so that everybody can sign in. */
export interface CacheAnswer {
  userCacheReady: boolean;
}

/** `GET stats/stats.json`. `timestamp`: seconds since 1970. */
export interface StatisticsAnswer {
  timestamp: number;
  users: number;
  pad: number;
  groups: number;
}

/** A setting with what a form needs to know about it. */
export interface AdminSetting {
  key: string;
  /** Missing if it has no value, and for secrets. */
  value?: unknown;
  /** Missing if there is none. */
  default?: unknown;
  /** JSON Schema of valid values. The server may refuse more. */
  schema: Readonly<Record<string, unknown>>;
  /** Etherpad's settings file presets it. It cannot be changed through the API. */
  locked: boolean;
}

/** `GET admin/settings`: the settings that can be changed, in the order of the documentation. */
export interface AdminSettingsAnswer {
  settings: AdminSetting[];
  /** As in `ConfigurationAnswer`. */
  secrets: string[];
}

/** `GET admin/users`: one page of accounts by login, and the number of all matches. */
export interface AdminUsersAnswer {
  users: {
    _id: string;
    login: string;
    email: string;
    firstname: string;
    lastname: string;
    ctime: number;
    active: boolean;
    /** Not active, because an administrator has closed the account. */
    closed: boolean;
    /** The person has not confirmed their address yet. */
    unconfirmed: boolean;
    /** Another account has the same address. */
    addressTaken: boolean;
  }[];
  count: number;
}

/** `POST admin/testMail`: which mail server has accepted the mail, and its reply. */
export interface TestMailAnswer {
  success: true;
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  reply: string;
}

/** `GET admin/checkup` */
export interface CheckupAnswer {
  time: number;
  /** What the server has found. The page completes `address` and `proxy`, and adds `cookies` and `websocket`. */
  checks: Check[];
  /** The value of a cookie that came with this answer, for `GET admin/checkup/cookie`. */
  cookie: string;
  /** Version of Etherpad, on which the protocol of its websocket depends. `null` if it is not known. */
  etherpad: string | null;
}

/** `GET admin/checkup/cookie`: whether the browser has sent the cookie with this value. */
export interface CheckupCookieAnswer {
  received: boolean;
}

/** Something that a server administrator did. */
export interface AdminLogEntry {
  /** Of several refused sign-ins the last one. */
  time: number;
  action: AdminAction;
  /** The administrator's name at Etherpad; `null` for a refused sign-in under a name that is none. */
  by: string | null;
  /** `id` of a setting: its key. `name`: the login of an account. `null` if it is gone and its name is not known. */
  object: { kind: AdminObjectKind; id: string | null; name: string | null } | null;
  /** Names of the fields that were changed. */
  changed: string[];
  /** How many times in an hour, for refused sign-ins; otherwise 1. */
  count: number;
}

/** `GET admin/log`: one page, the latest first, and the number of all entries. */
export interface AdminLogAnswer {
  entries: AdminLogEntry[];
  count: number;
}

/** `GET admin/numbers`: one row for each day on which the server ran, the oldest first, and today as it is now. */
export interface AdminNumbersAnswer {
  days: DayNumbers[];
}

/** A folder in the list of all folders. `lastUpdate`: the last change in one of its pads, or when it was created. */
export interface AdminGroup {
  _id: string;
  name: string;
  visibility: Visibility;
  readonly: boolean;
  archived: boolean;
  tags: string[];
  ctime: number;
  lastUpdate: number;
  admins: Person[];
  /** Members who are not administrators. */
  memberCount: number;
  padCount: number;
}

/** `GET admin/groups`: one page of folders by id, and the number of all matches. */
export interface AdminGroupsAnswer {
  groups: AdminGroup[];
  count: number;
}

/** A pad in the list of all pads, with its effective `visibility` and `readonly`: its own or those of its folder. */
export interface AdminPad {
  _id: string;
  name: string;
  group: string;
  groupName: string;
  visibility: Visibility;
  readonly: boolean;
  /** Whether its folder is archived. */
  archived: boolean;
  ctime: number;
  /** `null` if nobody has written in the pad yet. */
  lastUpdate: number | null;
}

/** `GET admin/pads`: one page of pads by id, and the number of all matches. */
export interface AdminPadsAnswer {
  pads: AdminPad[];
  count: number;
}
