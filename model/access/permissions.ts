/**
 * All permission rules, as pure functions. The API, the HTTP gate and the websocket gate of pads use them; the page
 * gets their results as `abilities`. test/unit/permissions.test.ts and permissionsToChange.test.ts check all of them.
 */
import type { ErrorKey } from '../errors';
import {
  type GrantRole,
  type GroupRecord,
  type LinkMakers,
  type LinkRecord,
  type MemberList,
  type MembersByRole,
  type PadRecord,
  type Scope,
  type StoredPassword,
  scopes,
  type Visibility,
} from '../store/entities';
import { peopleOf } from '../store/records';
import { roleByRule } from '../store/ruleGrants';

/**
 * True when the visitor has proved the password that is stored now; of a link, its secret too. `null`: a link without a
 * password, which whoever has opened it may still open, whatever its password was then.
 */
export type Unlocked = (
  what: 'group' | 'pad' | 'link',
  id: string,
  password: StoredPassword | null,
) => boolean;

/**
 * For someone who has proved no password and opened no link, which is most people. Their links are not compared one by
 * one: the folders of a list may have thousands.
 */
export const nothingUnlocked: Unlocked = () => false;

/** The caller. Server administrators have no editor identity and cannot enter pads. */
export type Actor =
  | { kind: 'guest'; unlocked: Unlocked }
  | { kind: 'user'; id: string; unlocked: Unlocked }
  | { kind: 'admin' };

/** The id of the caller's account; `null` for guests and server administrators. */
export const accountIdOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.id : null);

/** The settings that the rules depend on. */
export interface Policy {
  allPadsPublicsAuthentifiedOnly: boolean;
  /** Who makes links to folders and pads. */
  linksBy: LinkMakers;
  /** The id of the group whose templates everyone who is signed in may use; `''`: there is none. */
  templatesFolder: string;
  /** Milliseconds since 1970. Links end. */
  now: number;
}

type GroupRules = Pick<
  GroupRecord,
  '_id' | 'visibility' | 'password' | 'readonly' | MemberList | 'byRule' | 'allowUsersToCreatePads' | 'links'
>;
type PadRules = Pick<PadRecord, '_id' | 'visibility' | 'password' | 'readonly' | 'people'>;

export type Role = 'guest' | 'user' | 'reader' | 'member' | 'groupAdmin' | 'serverAdmin';

export function roleIn(actor: Actor, group: MembersByRole): Role {
  if (actor.kind === 'admin') return 'serverAdmin';
  if (actor.kind === 'guest') return 'guest';
  if (group.admins.includes(actor.id)) return 'groupAdmin';
  if (group.users.includes(actor.id)) return 'member';
  return group.readers.includes(actor.id) ? 'reader' : 'user';
}

const isManager = (role: Role): boolean => role === 'groupAdmin' || role === 'serverAdmin';

/** The stored password if it can be verified. Plain texts of old records cannot. */
export function usablePassword(password: StoredPassword | string | null): StoredPassword | null {
  return password !== null && typeof password === 'object' && typeof password.hash === 'string'
    ? password
    : null;
}

export interface EffectiveSettings {
  visibility: Visibility;
  /** Where the effective password is stored; `null` unless `visibility` is `private`. */
  passwordOf: 'pad' | 'group' | null;
  readonly: boolean;
}

/** The effective settings of a pad: its own, else those of its group. */
export function effectiveSettings(pad: PadRules, group: GroupRules): EffectiveSettings {
  const own = pad.visibility ?? null;
  const visibility = own ?? group.visibility;
  return {
    visibility,
    passwordOf: visibility === 'private' ? (own === 'private' ? 'pad' : 'group') : null,
    readonly: pad.readonly ?? group.readonly,
  };
}

/** The record whose password a visitor has to prove. */
export interface Guarded {
  what: 'group' | 'pad';
  id: string;
}

/** The record whose password protects the pad. It is the group if the pad has no password of its own. */
export function guardOf(pad: PadRules, group: GroupRules): Guarded {
  return effectiveSettings(pad, group).passwordOf === 'pad'
    ? { what: 'pad', id: pad._id }
    : { what: 'group', id: group._id };
}

/** True when the actor has proved the group's password. False when the group is not private. */
export function groupUnlocked(actor: Actor, group: GroupRules): boolean {
  const password = usablePassword(group.password);
  return (
    actor.kind !== 'admin' &&
    group.visibility === 'private' &&
    password !== null &&
    actor.unlocked('group', group._id, password)
  );
}

/** True when the actor has proved the pad's effective password, stored in `passwordOf`. */
export function padUnlocked(
  actor: Actor,
  pad: PadRules,
  group: GroupRules,
  passwordOf: 'pad' | 'group',
): boolean {
  if (passwordOf === 'group') return groupUnlocked(actor, group);
  const password = usablePassword(pad.password);
  return actor.kind !== 'admin' && password !== null && actor.unlocked('pad', pad._id, password);
}

/** What a session proves of a link: its secret and, if it has one, its password. */
export const proofOfLink = ({ _id, password }: Pick<LinkRecord, '_id' | 'password'>): StoredPassword =>
  password ?? { hash: _id };

/** The links of the group that the actor has opened and that have not ended. */
function openedLinks(actor: Actor, group: GroupRules, policy: Policy): LinkRecord[] {
  if (actor.kind === 'admin' || policy.allPadsPublicsAuthentifiedOnly) return [];
  if (actor.unlocked === nothingUnlocked) return [];
  return group.links.filter(
    (link) =>
      (link.ends === null || policy.now < link.ends) && actor.unlocked('link', link._id, link.password),
  );
}

/** When the first of them ends; `undefined` if none does. What the actor may do can change then. */
export function endOfLinks(actor: Actor, group: GroupRules, policy: Policy): number | undefined {
  const ends = openedLinks(actor, group, policy).flatMap((link) => link.ends ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The role in this pad alone, if it is shared with the actor. */
function sharedRole(actor: Actor, { people }: PadRules): GrantRole | undefined {
  return actor.kind === 'user' ? people?.[actor.id] : undefined;
}

/** What else lets the actor in: the links that they have opened, and those of `pads` that are shared with them. */
export function grantsOf(
  actor: Actor,
  group: GroupRules,
  pads: readonly PadRules[],
  policy: Policy,
): string[] {
  const links = openedLinks(actor, group, policy).map(({ _id, role }) => `${_id} ${role}`);
  const own = pads.flatMap((pad) => {
    const role = sharedRole(actor, pad);
    return role === undefined ? [] : `${pad._id} ${role}`;
  });
  return [...links, ...own];
}

/** The role in the pad that links give: those to the pad, and those to the group if it has the group's visibility. */
function linkRole(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): GrantRole | undefined {
  const inherits = (pad.visibility ?? null) === null;
  const roles = openedLinks(actor, group, policy)
    .filter((link) => (link.pad === undefined ? inherits : link.pad === pad._id))
    .map(({ role }) => role);
  return roles.includes('writer') ? 'writer' : roles[0];
}

/** `password`: may enter after proving the password. `signIn`: a guest who may be allowed after signing in. */
export type Entry = 'write' | 'read' | 'password' | 'signIn' | 'no';

/** Whether the pad is open, for reading or for writing too. */
export const isOpen = <Any extends string | undefined>(entry: Any): entry is Any & ('write' | 'read') =>
  entry === 'write' || entry === 'read';

/** The error for a visitor who may not enter, or not yet. The API and the pad's URL answer with it. */
export const entryErrors = {
  password: 'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
  signIn: 'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
  no: 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
} as const satisfies Record<Exclude<Entry, 'read' | 'write'>, ErrorKey>;

/** A question for a password is not a refusal, so it is not logged. */
export const isRefusal = (key: ErrorKey): boolean => key !== entryErrors.password;

/** Decides whether the actor may enter the pad, and how. The same for every way into a pad. */
export function padEntry(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): Entry {
  const settings = effectiveSettings(pad, group);
  const inside: Entry = settings.readonly ? 'read' : 'write';
  const role = roleIn(actor, group);
  if (role === 'serverAdmin') return 'no';
  if (policy.allPadsPublicsAuthentifiedOnly) return role === 'guest' ? 'signIn' : inside;
  if (role === 'groupAdmin') return inside;
  if (settings.visibility === 'public') return inside;
  if (settings.passwordOf !== null && padUnlocked(actor, pad, group, settings.passwordOf)) return inside;
  // People of the group need the pad's own password too.
  const counted = settings.passwordOf === 'pad' ? undefined : role;
  if (counted === 'member') return inside;
  const granted = [sharedRole(actor, pad), linkRole(actor, pad, group, policy)];
  if (granted.includes('writer')) return inside;
  if (counted === 'reader' || granted.includes('reader')) return 'read';
  if (settings.passwordOf !== null) return 'password';
  return role === 'guest' ? 'signIn' : 'no';
}

/**
 * True when a proved password would change how the actor enters the pad: it lets them in, or lets a reader of the group
 * write.
 */
export function padPasswordHelps(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): boolean {
  const entry = padEntry(actor, pad, group, policy);
  if (actor.kind === 'admin' || entry === 'password') return entry === 'password';
  const unlocked: Unlocked = (what, id, password) => what !== 'link' || actor.unlocked(what, id, password);
  return entry !== padEntry({ ...actor, unlocked }, pad, group, policy);
}

/** The same for a group: it lets them see the group, or lets a reader write. */
export function groupPasswordHelps(actor: Actor, group: GroupRules, policy: Policy): boolean {
  if (groupSight(actor, group, policy) === 'name') return true;
  const isReader = roleIn(actor, group) === 'reader' && !policy.allPadsPublicsAuthentifiedOnly;
  return isReader && group.visibility === 'private' && !groupUnlocked(actor, group);
}

/**
 * What the actor sees of a group. `all`: everything. `open`: the group and the pads of `isPadListed`. `name`: name and
 * visibility.
 */
export type GroupSight = 'all' | 'open' | 'name' | 'no';

/** What the actor sees without a link. */
function sightWithoutLink(actor: Actor, group: GroupRules, policy: Policy): GroupSight {
  const role = roleIn(actor, group);
  if (role !== 'guest' && role !== 'user') return 'all';
  if (policy.allPadsPublicsAuthentifiedOnly) return role === 'user' ? 'all' : 'no';
  if (group.visibility === 'public') return 'open';
  if (group.visibility === 'private') return groupUnlocked(actor, group) ? 'open' : 'name';
  return 'no';
}

export function groupSight(actor: Actor, group: GroupRules, policy: Policy): GroupSight {
  const sight = sightWithoutLink(actor, group, policy);
  if (sight === 'all' || sight === 'open') return sight;
  return openedLinks(actor, group, policy).some(({ pad }) => pad === undefined) ? 'open' : sight;
}

/**
 * Whether the actor sees what is in the group. The sight `name` is for people who have the address of the group: an
 * answer about one of its pads must not tell it to others.
 */
export const seesGroup = (...asked: Parameters<typeof groupSight>): boolean =>
  ['all', 'open'].includes(groupSight(...asked));

export function isPadListed(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): boolean {
  const sight = groupSight(actor, group, policy);
  if (sight === 'all') return true;
  if (sight !== 'open') return false;
  const own = pad.visibility ?? null;
  return (
    own === null ||
    sharedRole(actor, pad) !== undefined ||
    (group.visibility === 'public' && own === 'public')
  );
}

const entryRank: Record<Entry, number> = { no: 0, signIn: 0, password: 0, read: 1, write: 2 };

/**
 * True when the actor may ask the managers of the group for access to it, or to the pad alone: people who are not
 * members, if they could do more with it.
 */
export function mayAskForAccess(actor: Actor, group: GroupRules, policy: Policy, pad?: PadRules): boolean {
  const role = roleIn(actor, group);
  if (actor.kind !== 'user' || (role !== 'user' && role !== 'reader')) return false;
  if (policy.allPadsPublicsAuthentifiedOnly) return false;
  if (pad === undefined) return true;
  const shared = { ...pad, people: { ...pad.people, [actor.id]: 'writer' as const } };
  return entryRank[padEntry(actor, shared, group, policy)] > entryRank[padEntry(actor, pad, group, policy)];
}

export type PeopleSight = 'none' | 'logins' | 'full';

export function peopleSight(actor: Actor, group: GroupRules, policy: Policy): PeopleSight {
  const role = roleIn(actor, group);
  if (isManager(role)) return 'full';
  if (role === 'guest') return 'none';
  // A link shows nobody.
  const sight = sightWithoutLink(actor, group, policy);
  return sight === 'all' || sight === 'open' ? 'logins' : 'none';
}

/**
 * The person who changed a pad last, as the actor may know them: `null` if it is nobody whom the group knows, and
 * `undefined` if the actor does not see the people of the group, or if this person is not one of them any more.
 */
export function lastEditorSeen(
  actor: Actor,
  lastEditor: string | null | undefined,
  group: GroupRules,
  policy: Policy,
): string | null | undefined {
  if (lastEditor === undefined || peopleSight(actor, group, policy) === 'none') return undefined;
  const isOfGroup = lastEditor !== null && peopleOf(group).includes(lastEditor);
  return lastEditor === null || isOfGroup ? lastEditor : undefined;
}

export interface GroupAbilities {
  edit: boolean;
  remove: boolean;
  invite: boolean;
  share: boolean;
  /** May make links to the group and its pads. */
  link: boolean;
  leave: boolean;
  createPad: boolean;
  bookmark: boolean;
  /** May get the group as a file. Others may export single pads that they may open. */
  export: boolean;
  seePeople: boolean;
}

/** Whether a rule of the server has put the actor into the group. */
export const isByRule = (actor: Actor, group: Pick<GroupRecord, 'byRule'>): boolean =>
  actor.kind === 'user' && roleByRule(group, actor.id) !== undefined;

/** Whether the group keeps a manager without somebody in this role. */
const isOneOfSeveral = (role: Role, { admins }: MembersByRole): boolean =>
  role === 'member' || role === 'reader' || (role === 'groupAdmin' && admins.length > 1);

export function groupAbilities(actor: Actor, group: GroupRules, policy: Policy): GroupAbilities {
  const role = roleIn(actor, group);
  const administers = isManager(role);
  return {
    edit: administers,
    remove: administers,
    invite: administers,
    share: administers,
    link: administers ? policy.linksBy !== 'nobody' : role === 'member' && policy.linksBy === 'writers',
    leave: !isByRule(actor, group) && isOneOfSeveral(role, group),
    createPad: administers || (role === 'member' && group.allowUsersToCreatePads),
    bookmark: actor.kind === 'user' && seesGroup(actor, group, policy),
    export: role === 'reader' || role === 'member' || role === 'groupAdmin',
    seePeople: peopleSight(actor, group, policy) !== 'none',
  };
}

/** True when the actor sees this link in lists and may end it: managers any, others those that they have made. */
export function mayEndLink(
  actor: Actor,
  { by }: Pick<LinkRecord, 'by'>,
  group: GroupRules,
  policy: Policy,
): boolean {
  const { share, link } = groupAbilities(actor, group, policy);
  return share || (link && actor.kind === 'user' && actor.id === by);
}

/**
 * True when the actor may give this role with a link to the pad alone: managers any, members what they may do
 * themselves. For them, a pad with its own password stays closed until they have proved it.
 */
export function mayLinkPad(
  actor: Actor,
  pad: PadRules,
  group: GroupRules,
  linked: GrantRole,
  policy: Policy,
): boolean {
  const { share, link } = groupAbilities(actor, group, policy);
  if (!link || share) return link;
  // While the pad is read-only, nobody writes by the link either.
  const own = padEntry(actor, { ...pad, readonly: false }, group, policy);
  return entryRank[own] >= entryRank[linked === 'writer' ? 'write' : 'read'];
}

export interface PadAbilities {
  enter: Entry;
  edit: boolean;
  remove: boolean;
  removeChatHistory: boolean;
  /** May move the pad out of its group. The target group needs `mayReceivePad`. */
  move: boolean;
  bookmark: boolean;
  /** May ask the managers of the group for the right to write. */
  askToWrite: boolean;
}

export function padAbilities(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): PadAbilities {
  const administers = isManager(roleIn(actor, group));
  const enter = padEntry(actor, pad, group, policy);
  return {
    enter,
    edit: administers,
    remove: administers,
    removeChatHistory: administers,
    move: administers,
    bookmark: actor.kind === 'user' && (isOpen(enter) || isPadListed(actor, pad, group, policy)),
    askToWrite: enter === 'read' && mayAskForAccess(actor, group, policy, pad),
  };
}

/**
 * True when the actor may create pads with the text of this one: a template that they may open, or one for everyone who
 * is signed in. Server administrators may use any, as they create pads for others.
 */
export function mayUseTemplate(
  actor: Actor,
  pad: PadRules & Pick<PadRecord, 'template'>,
  group: GroupRules,
  policy: Policy,
): boolean {
  if (pad.template !== true || actor.kind === 'guest') return false;
  const isForAll = group._id === policy.templatesFolder;
  return isForAll || actor.kind === 'admin' || isOpen(padEntry(actor, pad, group, policy));
}

/** True when the actor may move a pad into this group. */
export function mayReceivePad(actor: Actor, group: MembersByRole): boolean {
  return isManager(roleIn(actor, group));
}

/**
 * True when the actor sees what was deleted in this group (`by`: by whom), may restore it and delete it for good:
 * managers everything, writers what they have deleted themselves. The same for a group that is in the trash.
 */
export function mayUseTrash(actor: Actor, by: string | null, group: MembersByRole): boolean {
  const role = roleIn(actor, group);
  if (isManager(role)) return true;
  return role === 'member' && actor.kind === 'user' && actor.id === by;
}

/** True when the actor may create groups. Server administrators create them for a person whom they name. */
export function mayCreateGroup(actor: Actor): boolean {
  return actor.kind !== 'guest';
}

/**
 * True when the actor may read and change the account with this user id. `undefined` is an account of another person,
 * whose id does not matter. Server administrators may change any.
 */
export function mayChangeAccount(actor: Actor, account: string | undefined): boolean {
  return actor.kind === 'admin' || (actor.kind === 'user' && actor.id === account);
}

/** What decides about a password that this server would store. */
export interface PasswordPolicy {
  /** Whether accounts can have a password here. */
  storePasswords: boolean;
  /** Whether somebody else says who the person is, such as a directory: `isElsewhere` of model/signin/methods.ts. */
  isElsewhere: boolean;
}

/**
 * True when the actor may set the password that this server stores for an account. Nobody may for a person of a
 * directory: the password would open the account without it. While no passwords are stored here, only server
 * administrators may, for the time when they are again.
 */
export function mayChangePassword(actor: Actor, { storePasswords, isElsewhere }: PasswordPolicy): boolean {
  return !isElsewhere && (actor.kind === 'admin' || storePasswords);
}

/** True when the actor may change the settings and manage accounts. */
export function mayAdministrate(actor: Actor): boolean {
  return actor.kind === 'admin';
}

/** What API tokens of the actor may allow. */
export const scopesOf = (actor: Actor): readonly Scope[] =>
  mayAdministrate(actor) ? scopes : scopes.filter((scope) => scope !== 'administration');

/**
 * True when the actor may accept an invitation to a folder: only the account of the invited address, so a forwarded
 * email opens nothing. Addresses as `comparableAddress` returns them.
 */
export function mayAcceptInvitation(actor: Actor, ownAddress: string, invitedAddress: string): boolean {
  return actor.kind === 'user' && ownAddress !== '' && ownAddress === invitedAddress;
}

/** The settings that decide who may register. */
export interface RegistrationPolicy {
  /** Whether accounts can have a password here. */
  storePasswords: boolean;
  openRegistration: boolean;
  invitationsCreateAccounts: boolean;
}

/** True when people may create their own account. `isInvited`: with the address of an invitation that they have. */
export function mayRegister(policy: RegistrationPolicy, isInvited: boolean): boolean {
  if (!policy.storePasswords) return false;
  return policy.openRegistration || (isInvited && policy.invitationsCreateAccounts);
}
