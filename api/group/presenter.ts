/** Turns group records and people into what the API answers, without what the caller may not see. */

import {
  type Actor,
  type GroupAbilities,
  groupAbilities,
  isOpen,
  isPadListed,
  type PeopleSight,
  type Policy,
  padEntry,
  peopleSight,
} from '../../model/access/permissions';
import type { PersonSummary } from '../../model/folders/groupContent';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { roleByRule } from '../../model/store/ruleGrants';
import type { Group, GroupSummary, LockedGroup, Named, Person } from '../answers';
import { editorShown, hasPassword } from '../pad/presenter';

export function presentLocked(group: GroupRecord): LockedGroup {
  return { name: group.name, visibility: 'private' };
}

/** What every list shows of a group. */
export function outlineOf({ _id, name, visibility, readonly, archived, tags }: GroupRecord) {
  return { _id, name, visibility, readonly, archived, tags };
}

export function presentPerson(user: PersonSummary, sight: PeopleSight): Person {
  const person = { _id: user._id, login: user.login, color: user.color };
  if (sight !== 'full') return person;
  return { ...person, firstname: user.firstname, lastname: user.lastname, email: user.email };
}

/** Only while rules give something, so that most answers stay as they were. */
function byRuleOf(group: GroupRecord): Pick<Group, 'byRule'> {
  const given = [...(group.byRule?.keys() ?? [])].flatMap((person) => {
    const role = roleByRule(group, person);
    return role === undefined ? [] : [[person, role] as const];
  });
  return given.length === 0 ? {} : { byRule: Object.fromEntries(given) };
}

function presentGroup(actor: Actor, group: GroupRecord, pads: readonly PadRecord[], policy: Policy): Group {
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
    readers: abilities.seePeople ? group.readers : [],
    ...(abilities.share && byRuleOf(group)),
    pads: pads.map((pad) => pad._id),
    ctime: group.ctime,
    abilities,
  };
}

/** Without deleted accounts, so that the last administrator who still exists is recognised as the only one. */
function withoutDeleted(group: GroupRecord, people: ReadonlyMap<string, PersonSummary>): GroupRecord {
  const current = (ids: string[]): string[] => ids.filter((id) => people.has(id));
  const { admins, users, readers } = group;
  return { ...group, admins: current(admins), users: current(users), readers: current(readers) };
}

export interface PresentedGroup {
  group: Group;
  /** How much of the people in `group` the actor sees. */
  sight: PeopleSight;
  /** The record without deleted accounts, and the pads that are listed for the actor, as `presentPad` needs them. */
  current: GroupRecord;
  listed: PadRecord[];
}

/** One group as the actor sees it, and the pads that are listed for them. */
export function presentGroupFor(
  actor: Actor,
  stored: GroupRecord,
  { pads, people }: { pads: readonly PadRecord[]; people: ReadonlyMap<string, PersonSummary> },
  policy: Policy,
): PresentedGroup {
  const sight = peopleSight(actor, stored, policy);
  const current = sight === 'none' ? stored : withoutDeleted(stored, people);
  const listed = pads.filter((pad) => isPadListed(actor, pad, current, policy));
  return { group: presentGroup(actor, current, listed, policy), sight, current, listed };
}

/** A short key that is the same for the same abilities. */
function abilitiesKey(abilities: GroupAbilities): string {
  const bits = Object.entries(abilities).map(([, allowed]) => (allowed ? 1 : 0));
  return Number.parseInt(bits.join(''), 2).toString(36);
}

/** The last change of the pads, and who made it; without pads the creation of the group. */
function lastChange(
  actor: Actor,
  group: GroupRecord,
  pads: readonly PadRecord[],
  policy: Policy,
): Pick<GroupSummary, 'lastUpdate' | 'lastEditor'> {
  const time = ({ lastUpdate, ctime }: PadRecord): number => lastUpdate ?? ctime;
  const lastUpdate = pads.reduce((latest, pad) => Math.max(latest, time(pad)), group.ctime);
  const pad = pads.find((one) => one.lastUpdate === lastUpdate);
  return { lastUpdate, ...(pad && editorShown(actor, pad, group, policy)) };
}

/** Only if there are any, so that most answers stay as they were. */
export function templatesOf(pads: readonly PadRecord[]): { templates?: Named[] } {
  const templates = pads.filter(({ template }) => template).map(({ _id, name }) => ({ _id, name }));
  return templates.length === 0 ? {} : { templates };
}

/** One group in a list of groups, as the actor sees it. */
export function presentSummary(
  actor: Actor,
  stored: GroupRecord,
  { pads, people }: { pads: readonly PadRecord[]; people: ReadonlyMap<string, PersonSummary> },
  policy: Policy,
): { summary: GroupSummary; abilities: GroupAbilities; sight: PeopleSight } {
  const sight = peopleSight(actor, stored, policy);
  const group = sight === 'none' ? stored : withoutDeleted(stored, people);
  const listed = pads.filter((pad) => isPadListed(actor, pad, group, policy));
  const abilities = groupAbilities(actor, group, policy);
  const summary = {
    ...outlineOf(group),
    admins: abilities.seePeople ? group.admins : [],
    users: abilities.seePeople ? group.users : [],
    readers: abilities.seePeople ? group.readers : [],
    padCount: listed.length,
    // Not those that ask for another password.
    ...templatesOf(listed.filter((pad) => pad.template && isOpen(padEntry(actor, pad, group, policy)))),
    ctime: group.ctime,
    ...lastChange(actor, group, listed, policy),
    abilities: abilitiesKey(abilities),
  };
  return { summary, abilities, sight };
}
