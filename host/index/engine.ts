/** SQLite: the one of Node, or where Node has none (before 22.5), the same compiled to WebAssembly. */
import { createRequire } from 'node:module';
import type { SqlValue } from '../../model/ports';
import { type Engine, Statements } from './statements';

/** As in `node:sqlite`. The types of Node 20 do not have it. */
interface NodeStatement {
  run(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): object[];
}
interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

function openWithNode(file: string): Engine | undefined {
  let sqlite: { DatabaseSync: new (file: string) => NodeDatabase };
  try {
    sqlite = createRequire(__filename)('node:sqlite');
  } catch {
    return undefined;
  }
  const database = new sqlite.DatabaseSync(file);
  const statements = new Statements<NodeStatement>(
    (sql) => database.prepare(sql),
    () => {},
  );
  return {
    execute: (sql) => database.exec(sql),
    run: (sql, values) => void statements.of(sql).run(...values),
    all: (sql, values) => statements.of(sql).all(...values),
    close: () => database.close(),
  };
}

/** `:memory:` is no file. Throws if the file is no database, or cannot be opened. */
export function openEngine(file: string): Engine {
  // Loaded only here, because it takes 60 MB of memory.
  return (
    openWithNode(file) ?? (require('./webAssembly') as typeof import('./webAssembly')).openInWebAssembly(file)
  );
}
