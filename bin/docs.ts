/**
 * `npm run docs` generates the tables in docs/ from the code, between `<!-- generated: name -->` and `<!-- end -->`. A
 * unit test fails if a page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publicConfiguration } from '../api/configuration/presenter';
import { createInProcessCoordination } from '../model/coordination/inProcess';
import { createEvents } from '../model/events';
import { limits as bounds } from '../model/limits';
import type { Log } from '../model/ports';
import { type Configuration, createConfiguration } from '../model/settings/configuration';
import { describeSettings } from '../model/settings/definitions';
import { createStore } from '../model/store/store';
import { limitTable } from '../web/rateLimit';
import { errorMeanings } from './docsErrors';
import { settingMeanings } from './docsSettings';

const folder = path.resolve(__dirname, '..', 'docs');

/** The pages with generated tables. */
export const pages = ['configuration.md', 'api.md', 'limits.md'] as const;

const noLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The settings of a new installation. */
function newConfiguration(): Promise<Configuration> {
  const database = {
    get: async () => undefined,
    set: async () => {},
    remove: async () => {},
    findKeys: async () => [],
  };
  const store = createStore(database, createInProcessCoordination({ now: Date.now }));
  return createConfiguration({ store, events: createEvents(noLog, () => {}), log: noLog });
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');

function shownDefault(value: unknown): string {
  if (value === undefined) return 'not set';
  if (value === '') return 'empty';
  const json = JSON.stringify(value);
  return json.length > 60 ? 'see below' : `\`${json}\``;
}

/** Tables of the settings under the headings of docsSettings.ts, followed by the long defaults. */
async function settings(): Promise<string> {
  const configuration = await newConfiguration();
  const everybody = publicConfiguration(configuration, false);
  const facts = describeSettings();
  const sections = Object.entries(settingMeanings).map(([heading, meanings]) => {
    const rows = Object.entries(meanings).map(([key, meaning]) => {
      const fact = facts.find((one) => one.key === key);
      if (!fact) throw new Error(`${key} is no setting`);
      const readers = Object.hasOwn(everybody, key) ? 'everybody' : 'administrators';
      const seenBy = key === 'SMTPPass' ? 'nobody' : readers;
      const accepts = fact.fixed ? 'built in, cannot be changed' : fact.accepts;
      return [`\`${key}\``, accepts, shownDefault(fact.initial), seenBy, meaning];
    });
    return `### ${heading}\n\n${table(['Key', 'Takes', 'Default', 'Seen by', 'What it does'], rows)}`;
  });
  const long = facts
    .filter(({ initial }) => shownDefault(initial) === 'see below')
    .map(({ key, initial }) => `\`${key}\`:\n\n\`\`\`json\n${JSON.stringify(initial, null, 2)}\n\`\`\``);
  return [...sections, '### Longer defaults', ...long].join('\n\n');
}

async function errors(): Promise<string> {
  const { errorStatus } = await import('../model/errors');
  const rows = Object.entries(errorMeanings).map(([key, meaning]) => [
    `\`${key}\``,
    String(errorStatus[key as keyof typeof errorMeanings]),
    meaning,
  ]);
  return table(['`error`', 'Status', 'Meaning'], rows);
}

/** From the routes, as a server with an empty database describes them. */
async function calls(): Promise<string> {
  const { startApp } = await import('../test/support/app');
  const app = await startApp();
  const { body } = await app.agent.get('/api/openapi.json');
  await app.close();
  const paths: Record<string, Record<string, { summary: string; description: string }>> = body.paths;
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, description }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      description.replace('For: ', ''),
      summary,
    ]),
  );
  return table(['Call', 'Who', 'What it does'], rows);
}

async function limits(): Promise<string> {
  const rows = Object.values(limitTable).map(({ counts, by, points, seconds }) => [
    counts,
    by,
    points.toLocaleString('en'),
    seconds === 60 ? 'a minute' : `${seconds / 60} minutes`,
  ]);
  return table(['What is counted', 'By', 'At most', 'In'], rows);
}

async function sizes(): Promise<string> {
  const rows: [what: string, most: number, of: string][] = [
    ['name of a folder, a pad or a user list', bounds.name, 'characters'],
    ['description of a folder', bounds.description, 'characters'],
    ['tag', bounds.tag, 'characters'],
    ['tags of a folder', bounds.tags, 'tags'],
    ['login of a new account', bounds.login, 'characters'],
    ['first and last name, organisation, nickname', bounds.text, 'characters'],
    ['e-mail address', bounds.email, 'characters'],
    ['list of people in one call', bounds.people, 'people'],
    ['user lists of one person', bounds.userlists, 'lists'],
    ['people on all user lists of one person', bounds.listed, 'people'],
    ['id in a path or a body', bounds.id, 'characters'],
  ];
  return table(
    ['What', 'At most'],
    rows.map(([what, most, of]) => [what, `${most.toLocaleString('en')} ${of}`]),
  );
}

const parts: Readonly<Record<string, () => Promise<string>>> = { settings, calls, errors, limits, sizes };

/** `page` with new generated tables. Throws for an unknown name of a table. */
export async function regenerated(page: string): Promise<string> {
  const pieces = page.split(/(<!-- generated: \w+ -->\n)[\s\S]*?(<!-- end -->)/);
  for (const [index, piece] of pieces.entries()) {
    const name = /^<!-- generated: (\w+) -->\n$/.exec(piece)?.[1];
    if (name === undefined) continue;
    const make = parts[name];
    if (!make) throw new Error(`There is no generated table ${name}`);
    pieces[index] = `${piece}\n${await make()}\n\n`;
  }
  return pieces.join('');
}

export const readPage = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

async function writeAll(): Promise<void> {
  for (const name of pages) writeFileSync(path.join(folder, name), await regenerated(readPage(name)));
}

if (require.main === module) {
  writeAll().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
