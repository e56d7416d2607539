/** Calculates what saving the share dialog would change among the people of a folder. */
import type { Group, Person } from '../../../../api/answers';
import { type GrantRole, grantRoles, type MemberList, memberLists } from '../../../../model/store/entities';
import { peopleOf } from '../../../../model/store/records';
import { findPerson } from '../people/entries';

export type Role = MemberList;
export type NextRole = Role | 'removed';
export type NextPadRole = GrantRole | 'removed';
/** What people are added as: to the folder, or to the pad alone. */
export type AddedAs = Role | GrantRole;

export const isGrant = (as: AddedAs): as is GrantRole => grantRoles.some((role) => role === as);

/** The people with whom a pad alone is shared, and their roles in it by id. */
export interface PadPeople {
  people: Person[];
  roles: Readonly<Record<string, GrantRole>>;
}

/** The role of somebody in the folder. */
export const roleOf = (group: Pick<Group, Role>, id: string): Role =>
  memberLists.find((list) => group[list].includes(id)) ?? 'users';

/** The people of a folder whom the viewer knows, administrators first; with `adminsOnly` nobody else. */
export function peopleIn(
  group: Pick<Group, Role>,
  people: Readonly<Record<string, Person>>,
  adminsOnly: boolean,
): Person[] {
  return (adminsOnly ? group.admins : peopleOf(group)).flatMap((id) => people[id] ?? []);
}

/** Those of the people who get another role in the pad alone; usernames by role. */
export function padSharesOf(
  now: Readonly<Record<string, GrantRole>>,
  next: Readonly<Record<string, NextPadRole>>,
  nameOf: (id: string) => string | undefined,
): Record<NextPadRole, string[]> {
  const to = (role: NextPadRole): string[] =>
    Object.keys(now).flatMap((id) => (next[id] === role && now[id] !== role ? (nameOf(id) ?? []) : []));
  return { reader: to('reader'), writer: to('writer'), removed: to('removed') };
}

/**
 * Splits entries for the pad alone: people who may already do as much in the whole folder (`inside`), and the others.
 */
export function takePadEntries(
  group: Lists,
  entries: readonly string[],
  as: GrantRole,
  people: Readonly<Record<string, Person>>,
): { entries: string[]; inside: Person[] } {
  const enough = as === 'reader' ? peopleOf(group) : [...group.admins, ...group.users];
  const may = enough.flatMap((id) => people[id] ?? []);
  const inside = entries.flatMap((entry) => findPerson(may, entry) ?? []);
  return { entries: entries.filter((entry) => findPerson(may, entry) === undefined), inside };
}

/** The choices and entries in the dialog. */
export interface Plan {
  /** New roles of people of the folder, by id. People who keep their role are not in it. */
  roles: Readonly<Record<string, NextRole>>;
  /** Logins and e-mail addresses of people to add. */
  entries: readonly string[];
  /** The role that they get. */
  as: Role;
}

/** The changes that saving would make. People are named by what `nameOf` returns. */
export interface Changes {
  added: string[];
  /** Typed entries that the page does not know. Only the server can tell whether they have an account. */
  asked: string[];
  toAdmins: string[];
  toUsers: string[];
  toReaders: string[];
  removed: string[];
  /** No administrator would be left, as far as the page knows. */
  noAdmin: boolean;
  /** What happens to a signed-in administrator: removed from the folder, or in another role. */
  self: 'removed' | 'demoted' | 'reading' | null;
}

type Lists = Pick<Group, Role>;

/** Only roles that differ from those in the folder, of people who are still in it. */
function changed(group: Lists, roles: Plan['roles'], next: NextRole): string[] {
  return peopleOf(group).filter((id) => roles[id] === next && roleOf(group, id) !== next);
}

/** `people`: everybody whom the page knows. `self`: id of the signed-in person. */
export function changesOf(
  group: Lists,
  plan: Plan,
  people: readonly Person[],
  nameOf: (person: Person) => string,
  self: string | undefined,
): Changes {
  const names = (ids: readonly string[]): string[] =>
    ids.flatMap((id) => {
      const person = people.find(({ _id }) => _id === id);
      return person === undefined ? [] : nameOf(person);
    });
  const found = plan.entries.map((entry) => ({ entry, person: findPerson(people, entry) }));
  const to = (next: NextRole): string[] => changed(group, plan.roles, next);
  const [toAdmins, toUsers, toReaders, removed] = [to('admins'), to('users'), to('readers'), to('removed')];
  const known = new Set(people.map(({ _id }) => _id));
  const leaving = new Set([...toUsers, ...toReaders, ...removed]);
  const staying = group.admins.filter((id) => known.has(id) && !leaving.has(id));
  const next = self === undefined || !group.admins.includes(self) ? undefined : plan.roles[self];
  const lost = { admins: null, users: 'demoted', readers: 'reading', removed: 'removed' } as const;
  return {
    added: found.flatMap(({ person }) => (person === undefined ? [] : nameOf(person))),
    asked: found.flatMap(({ entry, person }) => (person === undefined ? entry : [])),
    toAdmins: names(toAdmins),
    toUsers: names(toUsers),
    toReaders: names(toReaders),
    removed: names(removed),
    noAdmin: staying.length + toAdmins.length + (plan.as === 'admins' ? plan.entries.length : 0) === 0,
    self: next === undefined ? null : lost[next],
  };
}

/** The same changes in the form of the API: logins and e-mail addresses by role. */
export function assignmentOf(
  group: Lists,
  plan: Plan,
  people: Readonly<Record<string, Person>>,
): Record<NextRole, string[]> {
  const logins = (next: NextRole): string[] =>
    changed(group, plan.roles, next).flatMap((id) => people[id]?.login ?? []);
  const roles = {
    admins: logins('admins'),
    users: logins('users'),
    readers: logins('readers'),
    removed: logins('removed'),
  };
  roles[plan.as].push(...plan.entries);
  return roles;
}

/**
 * Splits the typed entries: people who are in the folder already are not added again. Somebody who would have been
 * removed stays, and somebody who is added in a role with more rights gets it. Typing never takes a right away.
 */
export function takeEntries(
  group: Lists,
  plan: Plan,
  people: Readonly<Record<string, Person>>,
): Pick<Plan, 'entries' | 'roles'> & { inside: Person[] } {
  const everybody = peopleOf(group).flatMap((id) => people[id] ?? []);
  const inside = plan.entries.flatMap((entry) => findPerson(everybody, entry) ?? []);
  const roles = { ...plan.roles };
  for (const { _id: id } of inside) {
    if (roles[id] === 'removed') delete roles[id];
    const raised = memberLists.indexOf(plan.as) < memberLists.indexOf(roleOf(group, id));
    if (raised) roles[id] = plan.as;
  }
  const entries = plan.entries.filter((entry) => findPerson(everybody, entry) === undefined);
  return { entries, roles, inside };
}
