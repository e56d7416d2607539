/** Folders of pads with texts, as records of a file for the embedded database, and the person to whom they belong. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { legacyPeople, legacyRecords } from '../test/support/legacy';

const padsInFolder = 100;
const vocabulary = 30_000;
const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'sa', 'ti', 'vo', 'be', 'do', 'fe', 'gu', 'ha', 'ji', 'pa'];

/** The word of this number; number 0 is in nearly every text, the last ones in a few. */
export function wordOf(number: number): string {
  let word = '';
  for (let rest = number + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

/** The same numbers between 0 and 1 in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A text of so many characters, whose words are as frequent as those of a language. */
export function textOf(seed: number, length: number): string {
  const random = numbersFrom(seed + 1);
  let text = '';
  for (let words = 1; text.length < length; words += 1)
    text += wordOf(Math.floor(vocabulary ** random()) - 1) + (words % 12 === 0 ? '\n' : ' ');
  return `${text.slice(0, length - 1).trimEnd()}\n`;
}

type Stored = [key: string, value: unknown];

function padOf(id: string, number: number, { length, group }: { length: number; group: string }): Stored[] {
  const text = textOf(number, length);
  const lines = text.split('\n').length - 1;
  const attribs = `|${lines.toString(36)}+${text.length.toString(36)}`;
  const atext = { text, attribs };
  const pool = { numToAttrib: {}, nextNum: 0 };
  const rest = { chatHead: -1, publicStatus: false, passwordHash: null, savedRevisions: [] };
  const time = 1_700_000_000_000 + number;
  const changeset = `Z:1>${(text.length - 1).toString(36)}${attribs}$${text}`;
  return [
    [`pad:${id}`, { atext, pool, head: 0, ...rest }],
    [`pad:${id}:revs:0`, { changeset, meta: { author: '', timestamp: time, pool, atext } }],
    [
      `mypads:pad:${id}`,
      { _id: id, name: `Pad ${number}`, group, visibility: null, users: [], password: null, ctime: time },
    ],
  ];
}

export interface TextPads {
  file: string;
  login: string;
  password: string;
  folders: string[];
}

/** `length`: characters of each text. */
export async function writeTextPads(
  folder: string,
  { pads, length, inFolder = padsInFolder }: { pads: number; length: number; inFolder?: number },
): Promise<TextPads> {
  const [alice] = legacyPeople;
  if (alice === undefined) throw new Error('nobody is in the old database');
  const file = path.join(folder, 'texts.db');
  const handle = await open(file, 'w');
  const write = (records: Stored[]): Promise<unknown> =>
    handle.write(records.map(([key, val]) => `${JSON.stringify({ key, val })}\n`).join(''));
  const folders: string[] = [];
  for (let first = 0; first < pads; first += inFolder) {
    const group = `folder-${first}`;
    const ids = Array.from(
      { length: Math.min(inFolder, pads - first) },
      (_, index) => `text-${first + index}`,
    );
    const settings = { visibility: 'restricted', password: null, readonly: false, tags: [], ctime: 1 };
    const people = { admins: [alice.id], users: [] };
    const record = {
      _id: group,
      name: `Folder ${first}`,
      description: '',
      ...people,
      ...settings,
      pads: ids,
    };
    await write([[`mypads:group:${group}`, record]]);
    for (const [index, id] of ids.entries()) await write(padOf(id, first + index, { length, group }));
    folders.push(group);
  }
  const account = legacyRecords().get(`mypads:user:${alice.id}`) as object;
  const bookmarks = { groups: [], pads: [] };
  await write([[`mypads:user:${alice.id}`, { ...account, groups: folders, bookmarks, userlists: {} }]]);
  await handle.close();
  return { file, login: alice.login, password: alice.password, folders };
}
