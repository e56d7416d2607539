/** Pads with a long history, written into a database file in the `dirty` format before a server opens it. */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { copyOfLegacyDatabase, legacyGroups } from './legacy';

export interface LongPads {
  ids: string[];
  revisions: number;
  chat: number;
}

function lines(id: string, { revisions, chat }: Omit<LongPads, 'ids'>): string[] {
  const text = 'A long history.\n';
  const atext = { text, attribs: '|1+g' };
  const pool = { numToAttrib: {}, nextNum: 0 };
  const entry = (key: string, val: unknown): string => JSON.stringify({ key, val });
  const head = { head: revisions - 1, chatHead: chat - 1, publicStatus: false, savedRevisions: [] };
  const record = { _id: id, name: id, group: legacyGroups.class, users: [], visibility: null, ctime: 1 };
  const timestamp = 1_600_000_000_000;
  return [
    entry(`mypads:pad:${id}`, { ...record, password: null, readonly: null }),
    entry(`pad:${id}`, { atext, pool, ...head }),
    entry(`pad2readonly:${id}`, `r.${id}`),
    entry(`readonly2pad:r.${id}`, id),
    ...Array.from({ length: revisions }, (_, number) => {
      const meta = { author: '', timestamp: timestamp + number, ...(number % 100 === 0 && { atext, pool }) };
      const changeset = number === 0 ? `Z:1>f|1+f$${text}` : 'Z:g>0$';
      return entry(`pad:${id}:revs:${number}`, { changeset, meta });
    }),
    ...Array.from({ length: chat }, (_, number) =>
      entry(`pad:${id}:chat:${number}`, { text: `message ${number}`, userId: 'a.nobody', time: timestamp }),
    ),
  ];
}

/** The old school's database with these pads in the class of `alice`. Returns the file. */
export function databaseWithLongPads(folder: string, pads: LongPads): string {
  const file = copyOfLegacyDatabase(folder);
  const group = `"mypads:group:${legacyGroups.class}"`;
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((one) => one.includes(`{"key":${group}`));
  const { key, val } = JSON.parse(line ?? '') as { key: string; val: { pads: string[] } };
  const listed = JSON.stringify({ key, val: { ...val, pads: [...val.pads, ...pads.ids] } });
  appendFileSync(file, `${[listed, ...pads.ids.flatMap((id) => lines(id, pads))].join('\n')}\n`);
  return path.resolve(file);
}

/** All records of a pad in a database, by key, except those of its author. */
export function tracesOf(id: string, records: Map<string, unknown>): string[] {
  return [...records]
    .filter(
      ([key, value]) => key.split(':').includes(id) || (key.startsWith('readonly2pad:') && value === id),
    )
    .map(([key]) => key);
}
