/** A database of the benchmarks in the PostgreSQL of this machine. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

const access = { host: '127.0.0.1', port: 5432, user: 'postgres', password: '', database: 'mypads_bench' };

/** Settings of Etherpad that lead to it. */
export const postgresSettings = { dbType: 'postgres', dbSettings: access };

async function inDatabase(database: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ ...access, database });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** Makes it anew, with the records of a file in the `dirty` format, each of which is there once. */
export async function writePostgres(file: string): Promise<void> {
  await dropPostgres();
  await inDatabase('postgres', (client) => client.query(`CREATE DATABASE ${access.database}`));
  await inDatabase(access.database, async (client) => {
    await client.query(
      'CREATE TABLE store (key character varying(100) NOT NULL PRIMARY KEY, value text NOT NULL)',
    );
    let keys: string[] = [];
    let values: string[] = [];
    const insert = () =>
      client.query('INSERT INTO store SELECT * FROM unnest($1::text[], $2::text[])', [keys, values]);
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const { key, val } = JSON.parse(line) as { key: string; val: unknown };
      keys.push(key);
      values.push(JSON.stringify(val));
      if (keys.length < 5_000) continue;
      await insert();
      keys = [];
      values = [];
    }
    await insert();
  });
}

export const dropPostgres = (): Promise<void> =>
  inDatabase('postgres', (client) => client.query(`DROP DATABASE IF EXISTS ${access.database} WITH (FORCE)`));
