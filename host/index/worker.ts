/** The thread of the index: receives `IndexOrder`, answers `IndexReply`; see indexThread.ts. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../model/workerThread';
import { openEngine } from './engine';
import type { IndexOrder, IndexReply } from './indexThread';
import type { Engine } from './statements';

lowerPriority(5);

const open = new Map<number, { engine: Engine; file: string }>();

/** Files of SQLite beside the database; and of the WebAssembly version, whose lock stays after a kill. */
const companions = ['-journal', '-wal', '-shm', '.lock'];

function removeFile(file: string): void {
  for (const name of [file, ...companions.map((ending) => file + ending)]) {
    rmSync(name, { recursive: true, force: true });
  }
}

/** The number of the schema, for `PRAGMA user_version`. */
const versionOf = (schema: string): number =>
  createHash('sha256').update(schema).digest().readUInt32BE() & 0x7fffffff;

const numberOf = (engine: Engine, pragma: string): number =>
  Number(Object.values(engine.all(`PRAGMA ${pragma}`, [])[0] ?? {})[0]);

/** Is it whole? Asked if its process was killed, or the machine has stopped. */
const isWhole = (engine: Engine): boolean =>
  Object.values(engine.all('PRAGMA quick_check', [])[0] ?? {})[0] === 'ok';

/** The value of `application_id` while a process uses the file. */
const inUse = 1;

/** Returns whether the file can be used: it has these tables, or none at all. */
function prepare(engine: Engine, schema: string): boolean {
  engine.execute('PRAGMA journal_mode = TRUNCATE');
  // If the machine stops, the file may be damaged. It is built again then.
  engine.execute('PRAGMA synchronous = OFF');
  engine.execute('PRAGMA cache_size = -8000');
  // What was removed is not left in the file.
  engine.execute('PRAGMA secure_delete = ON');
  const version = versionOf(schema);
  const present = numberOf(engine, 'user_version');
  if (present !== version) {
    if (present !== 0) return false;
    engine.execute(`BEGIN; ${schema}; PRAGMA user_version = ${version}; COMMIT;`);
  } else if (numberOf(engine, 'application_id') === inUse && !isWhole(engine)) return false;
  engine.execute(`PRAGMA application_id = ${inUse}`);
  return true;
}

/** Opens the file, which only this account of the system may read: names and addresses are in it. */
function openPrivate(file: string): Engine {
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600));
  return openEngine(file);
}

/** `undefined`: the file cannot be used. Throws the same. A file that stays open would keep its space on the disk. */
function openPrepared(file: string, schema: string): Engine | undefined {
  const engine = openPrivate(file);
  let isUsable = false;
  try {
    isUsable = prepare(engine, schema);
    return isUsable ? engine : undefined;
  } finally {
    if (!isUsable) engine.close();
  }
}

function openFile(file: string, schema: string, afresh: boolean): Engine {
  // The owner of this lock has ended: openIndex.ts gives each file to one process.
  rmSync(`${file}.lock`, { recursive: true, force: true });
  if (!afresh) {
    try {
      const engine = openPrepared(file, schema);
      if (engine) return engine;
    } catch {
      // No database, or a damaged one.
    }
  }
  removeFile(file);
  const engine = openPrepared(file, schema);
  if (engine === undefined) throw new Error('the new file cannot be used');
  return engine;
}

/** Bytes. The end of a failed transaction has given some back. */
const leastRoom = 16 * 1024 ** 2;

/** The WebAssembly version says of a full disk only that there was an error. */
function withFullDisk(error: unknown, file: string): unknown {
  if (file === ':memory:' || !String(error).includes('disk I/O error')) return error;
  const { bavail, bsize } = statfsSync(path.dirname(file));
  if (bavail * bsize >= leastRoom) return error;
  return Object.assign(new Error('database or disk is full'), { name: 'SQLite3Error' });
}

function write(engine: Engine, { statements }: Extract<IndexOrder, { kind: 'write' }>): void {
  engine.execute('BEGIN');
  try {
    for (const { sql, values } of statements) engine.run(sql, values);
    engine.execute('COMMIT');
  } catch (error) {
    try {
      engine.execute('ROLLBACK');
    } catch {
      // A full disk may have ended the transaction. That is to be reported, and not that there is none.
    }
    throw error;
  }
}

function handle(order: IndexOrder): object[] {
  if (order.kind === 'open') {
    const { file, schema, afresh } = order;
    open.set(order.database, { engine: openFile(file, schema, afresh), file });
    return [];
  }
  const opened = open.get(order.database);
  if (opened === undefined) throw new Error('the index is not open');
  const { engine, file } = opened;
  if (order.kind === 'read') return engine.all(order.sql, order.values);
  if (order.kind === 'write') {
    try {
      write(engine, order);
    } catch (error) {
      throw withFullDisk(error, file);
    }
  } else {
    open.delete(order.database);
    try {
      engine.execute('PRAGMA application_id = 0');
    } catch {
      // The disk is full: the next opening checks the file.
    }
    engine.close();
  }
  return [];
}

parentPort?.on('message', (order: IndexOrder) => {
  let reply: IndexReply;
  try {
    reply = { number: order.number, rows: handle(order) };
  } catch (error) {
    reply = { number: order.number, failure: String(error) };
  }
  parentPort?.postMessage(reply);
});
