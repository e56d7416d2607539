/** SQLite compiled to WebAssembly. */
import { Database } from 'node-sqlite3-wasm';
import { type Engine, Statements } from './statements';

/** As `openEngine`. */
export function openInWebAssembly(file: string): Engine {
  const database = new Database(file);
  const statements = new Statements(
    (sql) => database.prepare(sql),
    (statement) => {
      try {
        statement.finalize();
      } catch {
        // It has ended, and reports once more that its last run has failed.
      }
    },
  );
  return {
    execute: (sql) => database.exec(sql),
    run: (sql, values) => void statements.of(sql).run([...values]),
    all: (sql, values) => statements.of(sql).all([...values]) as object[],
    close() {
      statements.clear();
      database.close();
    },
  };
}
