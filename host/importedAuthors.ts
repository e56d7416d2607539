/**
 * Whom an imported .etherpad file names as authors. Anybody can write a file, so a text in it must not count as written
 * by somebody whom Etherpad knows. Such authors are replaced by new ones, which keep the name and colour of the file.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fields } from '../model/fields';
import { randomText } from '../model/ids';

/** An author's id: alone, in the key of their record, or in the key of their attribute in a pool. */
const authorPattern = /^(|globalAuthor:|author,)(a\.[\w-]{1,64})$/;

const authorIn = (text: string): string | undefined => authorPattern.exec(text)?.[2];

/** Etherpad 3.x: the author of texts that nobody has written. */
const nobody = 'a.etherpad-system';

/** Adds all authors that a value names, at any depth. */
function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    const author = authorIn(value);
    if (author !== undefined) found.add(author);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      collect(name, found);
      collect(inner, found);
    }
  }
}

function renamed(text: string, names: ReadonlyMap<string, string>): string {
  const author = authorIn(text);
  const name = author && names.get(author);
  return name === undefined || author === undefined ? text : text.replace(author, name);
}

/** The value with other authors. */
function replaced(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renamed(value, names);
  if (Array.isArray(value)) return value.map((inner) => replaced(inner, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [renamed(name, names), replaced(inner, names)]),
  );
}

/** Whose authors a file may name. */
export interface AuthorsOfImport {
  /** The authors of whoever imports. */
  own: readonly string[];
  /** Those of these authors whom Etherpad knows. */
  known(authorIds: readonly string[]): Promise<string[]>;
}

/** The number of records that are searched before other work gets a turn. */
const batchSize = 100;

/** The records with other authors than those whom Etherpad knows; the same object if they name none of these. */
export async function withoutKnownAuthors(records: Fields, authors: AuthorsOfImport): Promise<Fields> {
  const named = new Set<string>();
  const entries = Object.entries(records);
  for (const [index, entry] of entries.entries()) {
    if (index % batchSize === 0) await nextTurn();
    collect(entry, named);
  }
  for (const own of [...authors.own, nobody]) named.delete(own);
  const known = await authors.known([...named]);
  if (known.length === 0) return records;
  const names = new Map(known.map((id) => [id, `a.${randomText(16)}`]));
  const result: [string, unknown][] = [];
  for (const [index, [key, record]] of entries.entries()) {
    if (index % batchSize === 0) await nextTurn();
    result.push([renamed(key, names), replaced(record, names)]);
  }
  return Object.fromEntries(result);
}
