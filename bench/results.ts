/**
 * Results of the scripts: prints tables, stores them (`--out`) and compares them with an earlier file (`--against`).
 * Names stay the same between runs, so that files can be compared.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

export type Unit = 'ms' | 's' | 'pages' | 'kB' | 'MB' | 'MiB' | 'per s' | '';

export interface Result {
  name: string;
  value: number;
  unit: Unit;
  /** The largest acceptable value. */
  goal?: number;
}

interface Table {
  title: string;
  results: Result[];
}

const tables: Table[] = [];
let earlier = new Map<string, number>();

const keyOf = (title: string, name: string): string => `${title} / ${name}`;

function show(value: number, unit: Unit): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) < 10 ? 2 : 1;
  return `${value.toFixed(digits)} ${unit}`.trimEnd();
}

function verdict({ value, unit, goal }: Result): string {
  if (goal === undefined) return '';
  return `${value <= goal ? 'met   ' : 'MISSED'} (at most ${show(goal, unit)})`;
}

function rowsOf({ title, results }: Table): string[][] {
  return results.map((result) => {
    const before = earlier.get(keyOf(title, result.name));
    return [
      result.name,
      show(result.value, result.unit),
      earlier.size === 0 ? '' : before === undefined ? 'new' : `before ${show(before, result.unit)}`,
      verdict(result),
    ];
  });
}

function printTable(table: Table): void {
  const rows = rowsOf(table);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${table.title}`);
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('  ').trimEnd()}`);
  }
}

/** Prints a table and keeps it for the end of the run. */
export function report(title: string, results: Result[]): void {
  const table = { title, results };
  tables.push(table);
  printTable(table);
}

/** Reads a file of `--out`. Later tables show its values too. */
export function compareWith(file: string): void {
  const { tables: read } = JSON.parse(readFileSync(file, 'utf8')) as { tables: Table[] };
  earlier = new Map(
    read.flatMap(({ title, results }) => results.map(({ name, value }) => [keyOf(title, name), value])),
  );
}

/** Writes all results, with the data that is needed to interpret them. */
export function writeResults(file: string, server: string): void {
  const [processor] = cpus();
  const machine = { processor: processor?.model, processors: cpus().length, node: process.version };
  const text = JSON.stringify({ date: new Date().toISOString(), server, machine, tables }, null, 2);
  writeFileSync(file, `${text}\n`);
}

/** The names of all missed goals. */
export function missedGoals(): string[] {
  return tables.flatMap(({ title, results }) =>
    results
      .filter(({ value, goal }) => goal !== undefined && value > goal)
      .map(({ name }) => keyOf(title, name)),
  );
}
