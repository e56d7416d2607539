/** What a list of logins and e-mail addresses means for the people of a folder, before it is sent. */
import type { Group, Person } from '../../../../api/wire';

export type Role = 'users' | 'admins';

const other = { users: 'admins', admins: 'users' } as const;

/** What saving a list would change. */
export interface Changes {
  added: string[];
  /** Entries, as they were typed, of whom only the server can tell whether they have an account. */
  asked: string[];
  /** Those who lose the folder altogether. */
  removed: string[];
  /** Those who come over from the other list. */
  moved: string[];
  /** Nobody would be left to administer the folder, as far as can be told here. */
  noAdmin: boolean;
  /** What becomes of the person who asks: loses the folder, or no longer administers it. */
  self: 'removed' | 'demoted' | null;
}

/** Finds somebody by login or e-mail address, as the server does: the exact login first, then regardless of case. */
export function findPerson(people: readonly Person[], entry: string): Person | undefined {
  const lower = entry.toLocaleLowerCase();
  return (
    people.find(({ login }) => login === entry) ??
    people.find(
      ({ login, email }) => login.toLocaleLowerCase() === lower || email?.toLocaleLowerCase() === lower,
    )
  );
}

/** `nameOf` says how somebody is called on the screen; `self` is the id of the person who asks. */
export function changesOf(
  group: Pick<Group, 'users' | 'admins'>,
  role: Role,
  entries: readonly string[],
  people: readonly Person[],
  nameOf: (person: Person) => string,
  self: string | undefined,
): Changes {
  const found = entries.map((entry) => ({ entry, person: findPerson(people, entry) }));
  const listed = new Set(found.flatMap(({ person }) => person?._id ?? []));
  const name = (id: string): string => {
    const person = people.find(({ _id }) => _id === id);
    return person === undefined ? id : nameOf(person);
  };
  const inside = new Set([...group.users, ...group.admins]);
  const fresh = found.flatMap(({ person }) => (person === undefined || inside.has(person._id) ? [] : person));
  const removed = group[role].filter((id) => !listed.has(id));
  const moved = group[other[role]].filter((id) => listed.has(id));
  const adminsLeft = role === 'admins' ? entries.length : group.admins.filter((id) => !listed.has(id)).length;
  const isAdmin = self !== undefined && group.admins.includes(self);
  const demoted = isAdmin && role === 'users' && listed.has(self);
  return {
    added: fresh.map(nameOf),
    asked: found.flatMap(({ entry, person }) => (person === undefined ? entry : [])),
    removed: removed.map(name),
    moved: moved.map(name),
    noAdmin: adminsLeft === 0,
    self: self !== undefined && removed.includes(self) ? 'removed' : demoted ? 'demoted' : null,
  };
}
