/**
 * `npm run docs` generates the tables in docs/ from the code, between `<!-- generated: name -->` and `<!-- end -->`,
 * and whole files from others. A unit test fails if one is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import texts from '../locales/en.json';
import { limits as bounds } from '../model/limits';
import {
  type ConfigurationKey,
  configurationKeys,
  settings as definitions,
  keysOfSection,
  settingSections,
} from '../model/settings/definitions';
import { limitTable } from '../web/rateLimit';
import { chartNginx } from './chartNginx';
import { errorMeanings } from './docsErrors';
import { openAcr } from './openAcr';

const folder = path.resolve(__dirname, '..', 'docs');
const labels: Readonly<Record<string, string | undefined>> = texts;

/** The pages with generated tables. */
export const pages = ['configuration.md', 'api.md', 'limits.md'] as const;

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

const isLong = (value: unknown): boolean => shownDefault(value) === 'see below';

function settingRow(key: ConfigurationKey): string[] {
  const { value, initial, seenBy, means, fixed } = definitions[key];
  const takes = fixed ? 'built in, cannot be changed' : (value.description ?? '');
  const who = seenBy === 'everybody' ? 'everyone' : seenBy;
  const label = labels[`admin.setting.${key}`]?.replaceAll('“', '‘').replaceAll('”', '’');
  const named = label === undefined ? `\`${key}\`` : `\`${key}\`: “${label}”`;
  return [named, takes, shownDefault(initial), who, means];
}

/** Tables of the settings under the headings of the administration, followed by the long defaults. */
async function settings(): Promise<string> {
  const onlyShown = configurationKeys.filter((key) => definitions[key].onlyShown).map((key) => `\`${key}\``);
  const sections = settingSections.map((section) => {
    const heading = texts[`admin.section.${section}`];
    const rows = keysOfSection(section).map(settingRow);
    return `### ${heading}\n\n${table(['Setting', 'Takes', 'Default', 'Seen by', 'What it does'], rows)}`;
  });
  const long = configurationKeys
    .map((key) => ({ key, initial: definitions[key].initial }))
    .filter(({ initial }) => isLong(initial))
    .map(({ key, initial }) => `\`${key}\`:\n\n\`\`\`json\n${JSON.stringify(initial, null, 2)}\n\`\`\``);
  return [
    `These only change what the page shows; the server refuses nothing because of them: ${onlyShown.join(', ')}.`,
    ...sections,
    '### Longer defaults',
    ...long,
  ].join('\n\n');
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

/** The calls of the API, as the description of a server with an empty database lists them. */
async function calls(): Promise<string> {
  const { startApp } = await import('../test/support/app');
  const app = await startApp();
  const { body } = await app.agent.get('/api/openapi.json');
  await app.close();
  type Described = { summary: string; description: string; 'x-api-token-scope': string };
  const paths: Record<string, Record<string, Described>> = body.paths;
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, description, 'x-api-token-scope': scope }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      description.replace('For: ', ''),
      scope === 'none' ? '' : `\`${scope}\``,
      summary,
    ]),
  );
  return table(['Call', 'Who', 'Scope', 'What it does'], rows);
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
    ['name of a folder, a pad or a people list', bounds.name, 'characters'],
    ['description of a folder', bounds.description, 'characters'],
    ['tag', bounds.tag, 'characters'],
    ['tags of a folder', bounds.tags, 'tags'],
    ['username of a new account', bounds.login, 'characters'],
    ['first and last name, organisation, nickname', bounds.text, 'characters'],
    ['email address', bounds.email, 'characters'],
    ['list of people in one call', bounds.people, 'people'],
    ['addresses that one call invites', bounds.invited, 'addresses'],
    ['links to a folder and its pads that have not ended', bounds.links, 'links'],
    ['people with whom one pad alone is shared', bounds.padPeople, 'people'],
    ['invitations of a folder that nobody has accepted', bounds.invitations, 'invitations'],
    ['message in an invitation', bounds.sentence, 'characters'],
    ['people lists of one person', bounds.userlists, 'lists'],
    ['people on all people lists of one person', bounds.listedPeople, 'people'],
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

const root = path.resolve(folder, '..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

/** Files that are made from others, and what should be in each of them. */
export const madeFiles: Readonly<Record<string, () => string>> = {
  'docs/openacr.yaml': () => openAcr(readPage('accessibility.md')),
  'deploy/helm/nginx.conf': () => chartNginx(read('deploy/nginx.conf')),
};

export const readPage = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

async function writeAll(): Promise<void> {
  for (const name of pages) writeFileSync(path.join(folder, name), await regenerated(readPage(name)));
  for (const [name, make] of Object.entries(madeFiles)) writeFileSync(path.join(root, name), make());
}

if (require.main === module) {
  writeAll().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
