/**
 * Who may do what: the one set of rules, as pure functions. The REST API, the HTTP gate on pads and the websocket gate ask
 * them, and the page shows the `abilities` that they compute. test/unit/permissions.test.ts holds them against the full table.
 */
import type { GroupRecord, PadRecord, StoredPassword, Visibility } from './entities';

/** Tells whether this visitor has proved the password that is stored there now. */
export type Unlocked = (what: 'group' | 'pad', id: string, password: StoredPassword) => boolean;

/** Who asks. A server administrator is nobody in the editor: never a way into a pad. */
export type Actor =
  | { kind: 'guest'; unlocked: Unlocked }
  | { kind: 'user'; id: string; unlocked: Unlocked }
  | { kind: 'admin' };

/** The configuration keys that rules depend on. */
export interface Policy {
  allPadsPublicsAuthentifiedOnly: boolean;
}

type GroupRules = Pick<
  GroupRecord,
  '_id' | 'visibility' | 'password' | 'readonly' | 'admins' | 'users' | 'allowUsersToCreatePads'
>;
type PadRules = Pick<PadRecord, '_id' | 'visibility' | 'password' | 'readonly'>;

/** What an actor is to a group. */
export type Relation = 'guest' | 'user' | 'member' | 'groupAdmin' | 'serverAdmin';

export function relation(actor: Actor, group: Pick<GroupRecord, 'admins' | 'users'>): Relation {
  if (actor.kind === 'admin') return 'serverAdmin';
  if (actor.kind === 'guest') return 'guest';
  if (group.admins.includes(actor.id)) return 'groupAdmin';
  return group.users.includes(actor.id) ? 'member' : 'user';
}

/** A password that can be proved; old plain texts and left-overs open nothing. */
function usable(password: StoredPassword | string | null): StoredPassword | null {
  return password !== null && typeof password === 'object' && typeof password.hash === 'string'
    ? password
    : null;
}

export interface EffectiveSettings {
  visibility: Visibility;
  /** Where the password that counts is stored; `null` unless `visibility` is `private`. */
  passwordOf: 'pad' | 'group' | null;
  readonly: boolean;
}

/** The settings that count for a pad: its own where set, else its group's. */
export function effectiveSettings(pad: PadRules, group: GroupRules): EffectiveSettings {
  const own = pad.visibility ?? null;
  const visibility = own ?? group.visibility;
  return {
    visibility,
    passwordOf: visibility === 'private' ? (own === 'private' ? 'pad' : 'group') : null,
    readonly: pad.readonly ?? group.readonly,
  };
}

/** Has the actor proved the group's password? False where the group is not private. */
export function groupUnlocked(actor: Actor, group: GroupRules): boolean {
  const password = usable(group.password);
  return (
    actor.kind !== 'admin' &&
    group.visibility === 'private' &&
    password !== null &&
    actor.unlocked('group', group._id, password)
  );
}

function padUnlocked(actor: Actor, pad: PadRules, group: GroupRules, passwordOf: 'pad' | 'group'): boolean {
  if (passwordOf === 'group') return groupUnlocked(actor, group);
  const password = usable(pad.password);
  return actor.kind !== 'admin' && password !== null && actor.unlocked('pad', pad._id, password);
}

/** `password`: may enter once the password is proved. `signIn`: a guest whom signing in might help. */
export type Entry = 'write' | 'read' | 'password' | 'signIn' | 'no';

/** May the actor enter the pad, and how? The same answer on every way that leads to it. */
export function padEntry(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): Entry {
  const settings = effectiveSettings(pad, group);
  const inside: Entry = settings.readonly ? 'read' : 'write';
  const who = relation(actor, group);
  if (who === 'serverAdmin') return 'no';
  if (policy.allPadsPublicsAuthentifiedOnly) return who === 'guest' ? 'signIn' : inside;
  if (who === 'groupAdmin') return inside;
  if (settings.passwordOf !== null) {
    if (who === 'member' && settings.passwordOf === 'group') return inside;
    return padUnlocked(actor, pad, group, settings.passwordOf) ? inside : 'password';
  }
  if (settings.visibility === 'public') return inside;
  if (who === 'member') return inside;
  return who === 'guest' ? 'signIn' : 'no';
}

/**
 * How much of a group the actor sees. `all`: the record and every pad. `open`: the record and the pads of `listsPad`.
 * `name`: name and visibility only.
 */
export type GroupSight = 'all' | 'open' | 'name' | 'no';

export function groupSight(actor: Actor, group: GroupRules, policy: Policy): GroupSight {
  const who = relation(actor, group);
  if (who === 'member' || who === 'groupAdmin' || who === 'serverAdmin') return 'all';
  if (policy.allPadsPublicsAuthentifiedOnly) return who === 'user' ? 'all' : 'no';
  if (group.visibility === 'public') return 'open';
  if (group.visibility === 'private') return groupUnlocked(actor, group) ? 'open' : 'name';
  return 'no';
}

/** Is the pad in the group's list that the actor gets? */
export function listsPad(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): boolean {
  const sight = groupSight(actor, group, policy);
  if (sight === 'all') return true;
  if (sight !== 'open') return false;
  const own = pad.visibility ?? null;
  return own === null || (group.visibility === 'public' && own === 'public');
}

/** Which facts about the people of a group the actor gets. */
export type PeopleSight = 'none' | 'logins' | 'full';

export function peopleSight(actor: Actor, group: GroupRules, policy: Policy): PeopleSight {
  const who = relation(actor, group);
  if (who === 'groupAdmin' || who === 'serverAdmin') return 'full';
  if (who === 'guest') return 'none';
  const sight = groupSight(actor, group, policy);
  return sight === 'all' || sight === 'open' ? 'logins' : 'none';
}

export interface GroupAbilities {
  edit: boolean;
  remove: boolean;
  invite: boolean;
  share: boolean;
  leave: boolean;
  createPad: boolean;
  bookmark: boolean;
  seePeople: boolean;
}

export function groupAbilities(actor: Actor, group: GroupRules, policy: Policy): GroupAbilities {
  const who = relation(actor, group);
  const rules = who === 'groupAdmin' || who === 'serverAdmin';
  const sight = groupSight(actor, group, policy);
  return {
    edit: rules,
    remove: rules,
    invite: rules,
    share: rules,
    leave: who === 'member' || (who === 'groupAdmin' && group.admins.length > 1),
    createPad: rules || (who === 'member' && group.allowUsersToCreatePads),
    bookmark: actor.kind === 'user' && (sight === 'all' || sight === 'open'),
    seePeople: peopleSight(actor, group, policy) !== 'none',
  };
}

export interface PadAbilities {
  enter: Entry;
  edit: boolean;
  remove: boolean;
  removeChatHistory: boolean;
  /** Out of its group. The target group asks `mayReceivePad` besides. */
  move: boolean;
  bookmark: boolean;
}

export function padAbilities(actor: Actor, pad: PadRules, group: GroupRules, policy: Policy): PadAbilities {
  const who = relation(actor, group);
  const rules = who === 'groupAdmin' || who === 'serverAdmin';
  const enter = padEntry(actor, pad, group, policy);
  return {
    enter,
    edit: rules,
    remove: rules,
    removeChatHistory: rules,
    move: rules,
    bookmark:
      actor.kind === 'user' && (enter === 'write' || enter === 'read' || listsPad(actor, pad, group, policy)),
  };
}

/** May the actor move a pad into this group? */
export function mayReceivePad(actor: Actor, group: Pick<GroupRecord, 'admins' | 'users'>): boolean {
  const who = relation(actor, group);
  return who === 'groupAdmin' || who === 'serverAdmin';
}

/** May the actor make groups? A server administrator makes them for a person whom he names. */
export function mayCreateGroup(actor: Actor): boolean {
  return actor.kind !== 'guest';
}

/** May the actor read and change this account (user id; `undefined`: not the own one)? Server administrators may any. */
export function mayChangeAccount(actor: Actor, account: string | undefined): boolean {
  return actor.kind === 'admin' || (actor.kind === 'user' && actor.id === account);
}

/** May the actor see and change the settings, and search, make, change and remove accounts? */
export function mayAdministrate(actor: Actor): boolean {
  return actor.kind === 'admin';
}
