/** Reads typed and pasted lists of people. */
import parseAddresses from 'nodemailer/lib/addressparser';
import type { Person } from '../../../../api/answers';
import { comparable } from '../../lib/matching';

/** A people list, with those whom it names. */
export interface NamedList {
  name: string;
  entries: readonly string[];
}

/** Finds a person by login or e-mail address like the server: the exact login first, then regardless of case. */
export function findPerson(people: readonly Person[], entry: string): Person | undefined {
  const wanted = comparable(entry);
  const isNamed = (name: string | undefined): boolean => name !== undefined && comparable(name) === wanted;
  return (
    people.find(({ login }) => login === entry) ??
    people.find(({ login, email }) => isNamed(login) || isNamed(email))
  );
}

/**
 * Splits typed or pasted text into logins and addresses: `Name <mail>; "Name" <mail>` as in mail programs, or words
 * between commas, line breaks or spaces. People of `people` become their login, and the name of a list its entries.
 * Entries are unique.
 */
export function entriesIn(
  text: string,
  people: readonly Person[],
  lists: readonly NamedList[] = [],
): string[] {
  const listed: string[] = [];
  const takeList = (part: string): string => {
    const found = lists.find(({ name }) => comparable(name) === comparable(part.trim()));
    listed.push(...(found?.entries ?? []));
    return found === undefined ? part : '';
  };
  // The name of a list may have a comma itself.
  const rest = takeList(text).replace(/[^,;\n]+/g, takeList);
  const parts = rest
    .split(/[;\n]/)
    .flatMap((line) => parseAddresses(line, { flatten: true }))
    .map(({ address, name }) => address || name);
  const entries = parts.flatMap((part) =>
    part.includes('@') || findPerson(people, part) !== undefined ? part : part.split(/\s+/),
  );
  const named = entries.map((entry) => findPerson(people, entry)?.login ?? entry);
  return [...new Set([...listed, ...named])].filter(Boolean);
}
