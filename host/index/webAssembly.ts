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
        // It tells once more that the last run has failed. The statement has ended all the same.
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
