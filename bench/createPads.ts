/**
 * Measures how long it takes to create pads in a folder, one after another: with the embedded database and, if it runs
 * here, with PostgreSQL. There Etherpad collects writes for 100 ms, so the time shows how many writes wait for others.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { EtherpadOptions } from '../test/support/etherpad';
import { Dataset } from './dataset';
import { summarise, time } from './measure';
import { report } from './results';
import { foreign, mainThreadInPages, openTarget, timeInPages } from './target';

const server = { host: '127.0.0.1', port: 5432, user: 'postgres', password: '' };

/** Runs a statement in PostgreSQL's default database. Returns false if PostgreSQL is not available. */
async function inPostgres(statement: string): Promise<boolean> {
  const client = new pg.Client({ ...server, database: 'postgres', connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.query(statement);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Starts a server with a folder. `make` creates a pad in it. */
async function open(options: EtherpadOptions) {
  const target = await openTarget(options);
  const data = await Dataset.open(target);
  const folder = await data.folder(await data.person());
  return { target, make: () => data.pad(folder) };
}

async function withEmbeddedDatabase(): Promise<void> {
  const { target, make } = await open({});
  try {
    const { median, p95, pages } = await timeInPages(300, make, 30);
    const work = await mainThreadInPages(target, 200, make);
    report('Pads made one after another', [
      { name: 'a pad', value: median, unit: 'ms' },
      { name: 'a pad, p95', value: p95, unit: 'ms' },
      { name: 'a pad, in pages', value: pages, unit: 'pages' },
      ...(work ? [{ name: 'the main thread, a pad', value: work.call, unit: 'ms' } as const] : []),
    ]);
  } finally {
    await target.close();
  }
}

async function withPostgres(): Promise<void> {
  const database = `bench_${randomBytes(6).toString('hex')}`;
  if (foreign || !(await inPostgres(`CREATE DATABASE ${database}`))) return;
  try {
    const settings = { dbType: 'postgres', dbSettings: { ...server, database } };
    const { target, make } = await open({ settings });
    try {
      const { median, p95 } = summarise(await time(50, make, 5));
      report('Pads made one after another, PostgreSQL', [
        { name: 'a pad', value: median, unit: 'ms' },
        { name: 'a pad, p95', value: p95, unit: 'ms' },
      ]);
    } finally {
      await target.close();
    }
  } finally {
    await inPostgres(`DROP DATABASE IF EXISTS ${database}`);
  }
}

export async function createPads(): Promise<void> {
  await withEmbeddedDatabase();
  await withPostgres();
}
