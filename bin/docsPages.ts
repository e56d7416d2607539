/** Turns docs/ into a script, so that administrators read it in the app, also without a connection to the internet. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { type ConfigurationKey, configurationKeys, settings } from '../model/settings/definitions';
import type { GuideGroup, GuideTexts } from '../static/app/screens/guide/guideTexts';
import { markedFor, pageOf, plain } from './markdown';

const folder = path.join(__dirname, '..', 'docs');
const page = path.join(__dirname, '..', 'static', 'app');

const source = (name: string): string => readFileSync(path.join(folder, `${name}.md`), 'utf8');

/** The titles of the pages, by their names. */
const titles = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.replace('.md', ''), /^# (.+)$/m.exec(source(file.replace('.md', '')))?.[1] ?? file]),
);

/** Links that are named after a file, such as `[mail.md](mail.md)`, get the title of its page. */
export const withTitles = (text: string): string =>
  text.replace(
    /\[(?:docs\/)?([\w-]+)\.md\](?=\((?:docs\/)?\1\.md)/g,
    (link, name: string) => `[${titles.get(name) ?? link.slice(1, -1)}]`,
  );

const read = (name: string): string => withTitles(source(name));

/** The id of a heading, as GitHub and others make it. */
const slug = (heading: string): string =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** How the code is built: for developers, who have the repository. */
const isForDevelopers = (name: string): boolean => name === 'architecture';

/** `mail.md#test-it` is a page of the app. Files outside of docs/ are not in the app, and only named. */
function addressOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined || isForDevelopers(name)) return undefined;
  return name === 'README' ? '?/admin/docs' : `?/admin/docs/${name}${anchor}`;
}

const marked = markedFor({
  headingOf: (text) => [text, slug(text)],
  addressOf,
  // The package does not have them. They show screens that the reader of this page has before them.
  pictureHtml: () => '',
});

/** The first sentence of a text. */
const firstSentence = (text: string): string =>
  /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, '.') ?? text;

/** All pages for operators, in the order and with the groups of README.md. */
export function docsOf(): GuideTexts {
  const groups: GuideGroup[] = [];
  const found = new Set<string>();
  for (const line of read('README').split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, pages: [] });
    for (const [, name = ''] of line.matchAll(/\]\(([\w-]+)\.md[#)]/g)) {
      if (groups.length === 0 || found.has(name) || isForDevelopers(name)) continue;
      found.add(name);
      const made = pageOf(marked, name, read(name));
      // A paragraph with only a picture is empty.
      const html = made.html.replaceAll('<p></p>\n', '');
      groups.at(-1)?.pages.push({ ...made, html, summary: firstSentence(made.summary) });
    }
  }
  return { intro: '', groups };
}

/** The page of docs/ that says more about a setting: the first one that its description names. */
export function pageOfSetting(key: ConfigurationKey): string | undefined {
  const { means, value } = settings[key];
  const [, name, anchor = ''] =
    /\]\(([\w-]+)\.md(#[\w-]+)?\)/.exec(`${means} ${value.description ?? ''}`) ?? [];
  return name && name + anchor;
}

function settingPages(): Record<string, string> {
  const pages = configurationKeys.map((key) => [key, pageOfSetting(key)] as const);
  return Object.fromEntries(
    pages.filter((entry): entry is [ConfigurationKey, string] => entry[1] !== undefined),
  );
}

const asModule = (name: string, value: unknown): string =>
  `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`;

/** Makes `docs:pages` and `docs:settings` modules. The first is a script of its own that is loaded on demand. */
export const docsScripts: Plugin = {
  name: 'docs',
  setup(build) {
    build.onResolve({ filter: /^docs:/ }, ({ path: name }) => ({ path: name, namespace: 'docs' }));
    build.onLoad({ filter: /^docs:settings$/, namespace: 'docs' }, () => ({
      contents: asModule('settingPages', settingPages()),
    }));
    build.onLoad({ filter: /^docs:pages$/, namespace: 'docs' }, () => ({
      // The import of the entry is for the same reason as in `firstVisitInOneFile`.
      contents: `import './main'; ${asModule('docs', docsOf())}`,
      resolveDir: page,
      watchFiles: readdirSync(folder).map((file) => path.join(folder, file)),
    }));
  },
};
