/** An open database, and its prepared statements. */
import type { SqlValue } from '../../model/ports';

/** An open database. All functions block. */
export interface Engine {
  execute(sql: string): void;
  run(sql: string, values: readonly SqlValue[]): void;
  all(sql: string, values: readonly SqlValue[]): object[];
  close(): void;
}

/** Statements that are kept, because a question is asked more than once. */
const keptStatements = 100;

/** Keeps prepared statements by their text. */
export class Statements<Statement> {
  private readonly prepared = new Map<string, Statement>();

  constructor(
    private readonly prepare: (sql: string) => Statement,
    private readonly end: (statement: Statement) => void,
  ) {}

  of(sql: string): Statement {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;
    if (this.prepared.size >= keptStatements) this.clear();
    const statement = this.prepare(sql);
    this.prepared.set(sql, statement);
    return statement;
  }

  clear(): void {
    for (const statement of this.prepared.values()) this.end(statement);
    this.prepared.clear();
  }
}
