import { useMemo } from 'react';
import type { Person } from '../../../../api/answers';
import { displayName } from '../../components/Avatar';
import type { Suggestion } from '../../components/ChipInput';
import { useGroups } from '../../data/folders';
import { useUserLists } from '../../data/userLists';

const nobody: Readonly<Record<string, Person>> = {};

/** The people whom the person may see: those of all their folders and lists, and of `inside`, sorted by login. */
export function useKnownPeople(inside: Readonly<Record<string, Person>> = nobody): Person[] {
  const { data: groups } = useGroups();
  const { data: lists } = useUserLists();
  return useMemo(() => {
    const known: Record<string, Person> = {};
    const listed = Object.values(lists ?? {}).flatMap(({ users }) => users);
    for (const person of [...listed, ...Object.values(groups?.users ?? {}), ...Object.values(inside)]) {
      known[person._id] = { color: '', ...known[person._id], ...person };
    }
    return Object.values(known).sort((left, right) => left.login.localeCompare(right.login));
  }, [groups, lists, inside]);
}

/** Suggestions for a field that takes people. They are found by name, login and e-mail address. */
export function suggestionsOf(people: readonly Person[]): Suggestion[] {
  return people.map((person) => {
    const label = displayName(person);
    const hint =
      [label !== person.login && person.login, person.email].filter(Boolean).join(' · ') || undefined;
    return { value: person.login, label, person, hint };
  });
}
