/** Reads typed and pasted lists of people. */
import parseAddresses from 'nodemailer/lib/addressparser';
import type { Person } from '../../../../api/answers';
import { comparable } from '../../lib/matching';

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
 * between commas, line breaks or spaces. People of `people` become their login. Entries are unique.
 */
export function entriesIn(text: string, people: readonly Person[]): string[] {
  const parts = text
    .split(/[;\n]/)
    .flatMap((line) => parseAddresses(line, { flatten: true }))
    .map(({ address, name }) => address || name);
  const entries = parts.flatMap((part) =>
    part.includes('@') || findPerson(people, part) !== undefined ? part : part.split(/\s+/),
  );
  return [...new Set(entries.map((entry) => findPerson(people, entry)?.login ?? entry))].filter(Boolean);
}
