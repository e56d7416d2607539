/** Calculates what saving the share dialog would change among the people of a folder. */
import type { Group, Person } from '../../../../api/answers';
import { findPerson } from '../people/entries';

export type Role = 'admins' | 'users';
export type NextRole = Role | 'removed';

/** The people of a folder whom the viewer knows, administrators first; with `adminsOnly` no members. */
export function peopleIn(
  { admins, users }: Pick<Group, Role>,
  people: Readonly<Record<string, Person>>,
  adminsOnly: boolean,
): Person[] {
  return [...admins, ...(adminsOnly ? [] : users)].flatMap((id) => people[id] ?? []);
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
  removed: string[];
  /** No administrator would be left, as far as the page knows. */
  noAdmin: boolean;
  /** What happens to the signed-in person: removed from the folder, or no longer administrator. */
  self: 'removed' | 'demoted' | null;
}

type Lists = Pick<Group, Role>;

/** Only roles that differ from those in the folder, of people who are still in it. */
function changed({ admins, users }: Lists, roles: Plan['roles'], next: NextRole): string[] {
  return [...admins, ...users].filter(
    (id) => roles[id] === next && (next === 'removed' || !(next === 'admins' ? admins : users).includes(id)),
  );
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
  const [toAdmins, toUsers, removed] = (['admins', 'users', 'removed'] as const).map((next) =>
    changed(group, plan.roles, next),
  ) as [string[], string[], string[]];
  const known = new Set(people.map(({ _id }) => _id));
  const leaving = new Set([...toUsers, ...removed]);
  const staying = group.admins.filter((id) => known.has(id) && !leaving.has(id));
  const isAdmin = self !== undefined && group.admins.includes(self);
  return {
    added: found.flatMap(({ person }) => (person === undefined ? [] : nameOf(person))),
    asked: found.flatMap(({ entry, person }) => (person === undefined ? entry : [])),
    toAdmins: names(toAdmins),
    toUsers: names(toUsers),
    removed: names(removed),
    noAdmin: staying.length + toAdmins.length + (plan.as === 'admins' ? plan.entries.length : 0) === 0,
    self: !isAdmin ? null : removed.includes(self) ? 'removed' : toUsers.includes(self) ? 'demoted' : null,
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
  const admins = logins('admins');
  const users = logins('users');
  (plan.as === 'admins' ? admins : users).push(...plan.entries);
  return { admins, users, removed: logins('removed') };
}

/**
 * Splits the typed entries: people who are in the folder already are not added again. Somebody who would have been
 * removed stays, and a member who is added as an administrator becomes one. Typing never takes a role away.
 */
export function takeEntries(
  group: Lists,
  plan: Plan,
  people: Readonly<Record<string, Person>>,
): Pick<Plan, 'entries' | 'roles'> & { inside: Person[] } {
  const everybody = [...group.admins, ...group.users].flatMap((id) => people[id] ?? []);
  const inside = plan.entries.flatMap((entry) => findPerson(everybody, entry) ?? []);
  const roles = { ...plan.roles };
  for (const { _id: id } of inside) {
    if (roles[id] === 'removed') delete roles[id];
    if (plan.as === 'admins' && !group.admins.includes(id)) roles[id] = 'admins';
  }
  const entries = plan.entries.filter((entry) => findPerson(everybody, entry) === undefined);
  return { entries, roles, inside };
}
