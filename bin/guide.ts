/** Turns the guide for people into scripts: static/guide has a folder for each language, a file for each page. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import PublicIcon from 'lucide-react/icons/globe';
import PrivateIcon from 'lucide-react/icons/key-round';
import ReadonlyIcon from 'lucide-react/icons/lock';
import RestrictedIcon from 'lucide-react/icons/users';
import type { Tokens } from 'marked';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { escapeHtml } from '../model/html';
import type { GuideGroup, GuideTexts } from '../static/app/screens/guide/guideTexts';
import { markedFor, pageOf } from './markdown';

const root = path.join(__dirname, '..', 'static', 'guide');
const pictures = path.join(root, 'pictures');
const page = path.join(__dirname, '..', 'static', 'app');

/** `![](icon:public)` shows an icon of the app. The word for it is in the text beside it. */
const icons: Readonly<Record<string, typeof PublicIcon>> = {
  restricted: RestrictedIcon,
  private: PrivateIcon,
  public: PublicIcon,
  readonly: ReadonlyIcon,
};

/** The languages that have a guide. */
export const guideLanguages: readonly string[] = readdirSync(root)
  .filter((name) => name !== 'pictures')
  .sort();

const pictureNames: readonly string[] = readdirSync(pictures).sort();

/** The pictures of the guide, under names that contain a hash of the content. */
export function guidePictures(): Map<string, Uint8Array> {
  return new Map(pictureNames.map((file) => [builtName(file), readFileSync(path.join(pictures, file))]));
}

function builtName(file: string): string {
  const { name, ext } = path.parse(file);
  const hash = createHash('sha256')
    .update(readFileSync(path.join(pictures, file)))
    .digest('hex');
  return `assets/guide-${name}-${hash.slice(0, 8).toUpperCase()}${ext}`;
}

/** The source of a page, or `index` for the list of pages. */
export const guideSource = (language: string, page: string): string =>
  readFileSync(path.join(root, language, `${page}.md`), 'utf8');

/** An address in the app: `sharing.md#links` is a page of the guide, `app:/mypads` another screen. */
function addressOf(href: string): string {
  if (href.startsWith('app:')) return `?${href.slice('app:'.length)}`;
  const [, page, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return page === undefined ? href : `?/help/${page}${anchor}`;
}

/** The width and height of a WebP file, in both forms that browsers write. */
function sizeOf(file: string): { width: number; height: number } {
  const bytes = readFileSync(path.join(pictures, file));
  if (bytes.toString('latin1', 12, 16) === 'VP8X')
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

function pictureHtml({ href, text }: Tokens.Image): string {
  const icon = icons[href.replace(/^icon:/, '')];
  if (icon !== undefined) return renderToStaticMarkup(createElement(icon, { 'aria-hidden': true }));
  const file = path.basename(href);
  const { width, height } = sizeOf(file);
  return `<img src="${builtName(file)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
}

/** `## Links {#links}`: headings have the same ids in all languages, because links in the app name them. */
function headingOf(text: string): [name: string, id: string | undefined] {
  const [, name = text, id] = /^(.*) \{#([\w-]+)\}$/.exec(text) ?? [];
  return [name, id];
}

const marked = markedFor({ headingOf, addressOf, pictureHtml });

/** The guide in one language. The order of its pages is that of the links in `index.md`. */
export function guideOf(language: string): GuideTexts {
  const groups: GuideGroup[] = [];
  for (const line of guideSource(language, 'index').split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1];
    const page = /^- \[.*\]\(([\w-]+)\.md\)$/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, pages: [] });
    if (page !== undefined) groups.at(-1)?.pages.push(pageOf(marked, page, guideSource(language, page)));
  }
  const [, intro = ''] = /^# .*\n\n(.*)\n/.exec(guideSource(language, 'index')) ?? [];
  return { intro, groups };
}

/** Makes `guide:<language>` a module, so that each language is a script of its own that is loaded on demand. */
export const guideScripts: Plugin = {
  name: 'guide',
  setup(build) {
    build.onResolve({ filter: /^guide:/ }, ({ path: name }) => ({
      path: name.slice('guide:'.length),
      namespace: 'guide',
    }));
    build.onLoad({ filter: /./, namespace: 'guide' }, ({ path: language }) => ({
      // The import of the entry is for the same reason as in `firstVisitInOneFile`.
      contents: `import './main'; export const guide = JSON.parse(${JSON.stringify(JSON.stringify(guideOf(language)))});`,
      resolveDir: page,
      watchFiles: readdirSync(path.join(root, language)).map((file) => path.join(root, language, file)),
    }));
  },
};
