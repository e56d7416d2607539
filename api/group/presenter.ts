/** What may leave of groups and of the people in them. */
import type { GroupRecord, PadRecord, UserRecord } from '../../model/entities';
import {
  type Actor,
  groupAbilities,
  listsPad,
  type PeopleSight,
  type Policy,
  peopleSight,
} from '../../model/permissions';
import { peopleOf } from '../../model/records';
import { hasPassword, presentPad } from '../pad/presenter';
import type { Group, LockedGroup, Pad, Person } from '../wire';

/** Some groups with everything that an answer about them needs. */
export interface Scene {
  groups: GroupRecord[];
  /** The pads of each group, by the group's id; only those that name it themselves, in its order. */
  pads: Map<string, PadRecord[]>;
  /** The accounts of people in groups whose people the caller may know. */
  people: Map<string, UserRecord>;
}

export interface Presented {
  groups: Record<string, Group>;
  pads: Record<string, Pad>;
  users: Record<string, Person>;
  admins: Record<string, Person>;
}

export function presentLocked(group: GroupRecord): LockedGroup {
  return { name: group.name, visibility: 'private' };
}

function presentPerson(user: UserRecord, sight: PeopleSight): Person {
  const person = { _id: user._id, login: user.login, color: user.color };
  if (sight !== 'full') return person;
  return { ...person, firstname: user.firstname, lastname: user.lastname, email: user.email };
}

function presentGroup(actor: Actor, group: GroupRecord, pads: PadRecord[], policy: Policy): Group {
  const abilities = groupAbilities(actor, group, policy);
  return {
    _id: group._id,
    name: group.name,
    description: group.description,
    visibility: group.visibility,
    hasPassword: group.visibility === 'private' && hasPassword(group),
    readonly: group.readonly,
    archived: group.archived,
    allowUsersToCreatePads: group.allowUsersToCreatePads,
    tags: group.tags,
    admins: abilities.seePeople ? group.admins : [],
    users: abilities.seePeople ? group.users : [],
    pads: pads.map((pad) => pad._id),
    ctime: group.ctime,
    abilities,
  };
}

/** The group without people whose account is gone; who counts as the last admin depends on it. */
function withLiving(group: GroupRecord, people: Map<string, UserRecord>): GroupRecord {
  const living = (ids: string[]): string[] => ids.filter((id) => people.has(id));
  return { ...group, admins: living(group.admins), users: living(group.users) };
}

/** `times`: when pads last changed, where that was asked; see `Pads.lastUpdates`. */
export function presentScene(
  actor: Actor,
  scene: Scene,
  policy: Policy,
  times?: Map<string, number | null>,
): Presented {
  const groups = new Map<string, Group>();
  const pads = new Map<string, Pad>();
  const users = new Map<string, Person>();
  const admins = new Set<string>();
  for (const stored of scene.groups) {
    const sight = peopleSight(actor, stored, policy);
    const group = sight === 'none' ? stored : withLiving(stored, scene.people);
    const listed = (scene.pads.get(group._id) ?? []).filter((pad) => listsPad(actor, pad, group, policy));
    groups.set(group._id, presentGroup(actor, group, listed, policy));
    for (const pad of listed) pads.set(pad._id, presentPad(actor, pad, group, policy, times?.get(pad._id)));
    if (sight === 'none') continue;
    for (const id of peopleOf(group)) {
      const user = scene.people.get(id);
      if (user && (sight === 'full' || !users.has(id))) users.set(id, presentPerson(user, sight));
    }
    for (const id of group.admins) admins.add(id);
  }
  return {
    groups: Object.fromEntries(groups),
    pads: Object.fromEntries(pads),
    users: Object.fromEntries(users),
    admins: Object.fromEntries([...users].filter(([id]) => admins.has(id))),
  };
}
