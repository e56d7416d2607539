/**
 * What travels between the server and its clients, as types. The page imports nothing else of api/. Passwords, salts, hashes,
 * session keys and other people's author tokens are in none of these.
 */
import type { Visibility } from '../model/entities';
import type { ErrorKey } from '../model/errors';
import type { EffectiveSettings, GroupAbilities, PadAbilities } from '../model/permissions';

export type { EffectiveSettings, Entry, GroupAbilities, PadAbilities } from '../model/permissions';
export type { ErrorKey, Visibility };

/** The body of every answer that is not a success. `field` names the input that is meant, where there is one. */
export interface ErrorAnswer {
  error: ErrorKey;
  field?: string;
  key?: string;
  /** Seconds, with TOO_MANY. */
  retryAfter?: number;
  /** In words, for administrators, with UNABLE_TO_BIND_TO_LDAP and where the settings of a sign-in service are refused. */
  reason?: string;
  /** With USERLIST_CRUD. */
  most?: number;
}

/** One's own account, as login, registration and configuration answer it. */
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

/** Somebody else. Names and e-mail only for those who administer a group that person is in. */
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
  /** User ids; empty where `abilities.seePeople` is false. */
  admins: string[];
  users: string[];
  /** Ids of the pads that the caller sees listed. */
  pads: string[];
  ctime: number;
  abilities: GroupAbilities;
}

/** A private group before its password was proved. */
export interface LockedGroup {
  name: string;
  visibility: 'private';
}

export interface Pad {
  _id: string;
  name: string;
  group: string;
  /** The pad's own; `null`: as its group. */
  visibility: Visibility | null;
  readonly: boolean | null;
  hasPassword: boolean;
  ctime: number;
  /** Milliseconds since 1970; `null` while nobody has written in it. */
  lastUpdate: number | null;
  effective: EffectiveSettings;
  abilities: PadAbilities;
}

/** `GET group` */
export interface GroupsAnswer {
  value: {
    groups: Record<string, Group>;
    pads: Record<string, Pad>;
    /** Everybody in these groups whom the caller may know, by user id. */
    users: Record<string, Person>;
    /** Those of them who administer at least one of these groups. */
    admins: Record<string, Person>;
    /** Bookmarked things that the caller may still see, also outside the own groups. */
    bookmarks: { groups: Record<string, Group>; pads: Record<string, Pad> };
  };
}

/** `GET group/:id`, and `POST group/:id/unlock` with `{password}` as it was typed. `pads` and `users` are missing while the group is locked. */
export interface GroupAnswer {
  key: string;
  value: Group | LockedGroup;
  pads?: Record<string, Pad>;
  users?: Record<string, Person>;
  /** A guest who has just proved the password gets a token to send as `auth_token` from now on. */
  token?: string;
}

/** `POST group`, `PUT group/:id`, `POST group/resign` */
export interface GroupSavedAnswer {
  success: true;
  key: string;
  value: Group;
}

/** `POST group/invite` */
export interface InviteAnswer {
  success: true;
  value: Group;
  users: Record<string, Person>;
  /** Entries as they were sent: known, and known to nobody. */
  present: string[];
  absent: string[];
}

/** `GET pad/:id`, and `POST pad/:id/unlock` with `{password}` as it was typed. `group` tells the pad's group where the caller sees it. */
export interface PadAnswer {
  key: string;
  value: Pad;
  /** As in `GroupAnswer`. */
  token?: string;
}

/** `POST pad`, `PUT pad/:id` */
export interface PadSavedAnswer {
  success: true;
  key: string;
  value: Pad;
}

/** `GET pad/ispublic/:id`. A pad that is not public and one that does not exist look the same. */
export interface PublicPadAnswer {
  success: true;
  key: string;
  ispublic: boolean;
}

/** `POST pad/:id/ticket`: what the frame's URL needs. */
export interface PadTicketAnswer {
  success: true;
  key: string;
  /** Good once, for this pad, for a minute. Goes into the frame's URL as `auth_token`. */
  ticket: string;
  /** Empty: leave it out of the URL. */
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

/** `POST user` by a person: `value.active` false means that a mail was sent and must be answered first. */
export interface RegisterAnswer {
  success: true;
  key: string;
  value: OwnUser;
}

/** The configuration that everybody may know. */
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
  /** `loginUrl`, `logoutUrl`: where the page sends people. `''` where they are not known (CAS is off, or `rootUrl` is not set). */
  authCasSettings: { serverUrl: string; loginUrl: string; logoutUrl: string };
  allPadsPublicsAuthentifiedOnly: boolean;
  disableLogoutButton: boolean;
  disableLangageSelect: boolean;
  disableUserList: boolean;
  disableUserProfile: boolean;
  userLoginsAsAdmin: string[];
  HTMLExtraHead: string;
}

/** `GET configuration`. With an administrator's token `value` holds every key. */
export interface ConfigurationAnswer {
  value: PublicConfiguration;
  /** For administrators: the keys that Etherpad's settings file presets. They cannot be changed here. */
  locked?: string[];
  /** For administrators: the secrets that are set, as `SMTPPass` or `authLdapSettings.bindCredentials`. Their values never come. */
  secrets?: string[];
  /** Whether the token that was sent names a living session of a person or an administrator. */
  auth: boolean;
  user?: OwnUser;
  /**
   * The name of the administrator who is signed in at Etherpad itself in this browser: `POST auth/admin/login/host` lets him in here
   * without a password. Not in answers to administrators.
   */
  hostAdministrator?: string;
}

/** Somebody on a user list. Names and e-mail as for `Person`; the e-mail also where the owner of the list typed it himself. */
export interface ListedPerson {
  _id: string;
  login: string;
  firstname?: string;
  lastname?: string;
  email?: string;
}

/** One's own user lists by their ids. Accounts that are gone are not on them. */
export type UserLists = Record<string, { name: string; uids: string[]; users: ListedPerson[] }>;

/** `GET userlist` */
export interface UserListsAnswer {
  value: UserLists;
  /** Nobody was asked for: both are empty. */
  present: string[];
  absent: string[];
}

/** `POST userlist`, `PUT userlist/:key`: the list that was saved, and all lists as they are now. */
export interface UserListSavedAnswer {
  success: true;
  key: string;
  value: UserLists;
  /** Entries as they were sent: known, and known to nobody. */
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

/** `PUT passrecover/:token`, `POST accountconfirm`: whose link it was. Nobody is signed in by it. */
export interface LinkUsedAnswer {
  success: true;
  login: string;
}

/** `POST auth/admin/login`, `POST auth/admin/login/host` */
export interface AdminLoginAnswer {
  success: true;
  token: string;
}

/** Of calls that remove something: what was removed. */
export interface KeyAnswer {
  success: true;
  key: string;
}

/** `GET user/:login` */
export interface UserAnswer {
  key: string;
  value: OwnUser;
}

/**
 * `GET all-users`, `GET search-users/:text`: one page of what was found, by login, and how many were found in all. Of several accounts
 * with the same login (an old database may have them) the oldest, which is the one that signs in.
 */
export interface UsersAnswer {
  users: Record<string, { _id: string; email: string; firstname: string; lastname: string; active: boolean }>;
  usersCount: number;
}

/** `GET configuration/:key`. No `value` where it is a secret. */
export interface SettingAnswer {
  key: string;
  value?: unknown;
}

/** `POST configuration`, `PUT configuration/:key`. No `value` where it is a secret. */
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

/** `GET configuration/public/allpadspublicsauthentifiedonly`; `group` of the pad that was asked for, for people signed in. */
export interface AuthentifiedOnlyAnswer {
  success: true;
  allpadspublicsauthentifiedonly: boolean;
  group?: string;
}

/** `GET cache/check`: can everybody be found yet? */
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
