/** The readable list of what is in an export: `index.html`, without scripts, with links to the files beside it. */
import { dateFormat } from '../dateFormat';
import { escapeHtml } from '../html';
import { type LanguageCode, languages } from '../languages';
import { pageText } from '../pageText';
import type { IndexedFolder, IndexedPad, LeftOut } from './contents';

/** The text `exportFile.<name>` of the page, with `values` in it. */
export function exportText(
  language: LanguageCode,
  name: string,
  values: Readonly<Record<string, string>> = {},
): string {
  const text = pageText(language, `exportFile.${name}`);
  return text.replace(/\{\{(\w+)\}\}/g, (_placeholder, value: string) => values[value] ?? '');
}

/** What `index.json` says, in the form that docs/export.md describes. */
export interface ExportIndex {
  format: 'ep_mypads';
  version: 1;
  server: string;
  createdAt: string;
  createdBy: string;
  folders: readonly IndexedFolder[];
  leftOut: readonly LeftOut[];
}

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h2{margin:2rem 0 0}p{margin:.25rem 0}table{border-collapse:collapse;width:100%;margin:.5rem 0}
th,td{text-align:start;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
.quiet{opacity:.75}`;

export class IndexPage {
  private readonly times: ReturnType<typeof dateFormat>;

  constructor(
    private readonly index: ExportIndex,
    private readonly language: LanguageCode,
    private readonly hasPersonalData: boolean,
  ) {
    this.times = dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  }

  private text(name: string, values: Readonly<Record<string, string>> = {}): string {
    return escapeHtml(exportText(this.language, name, values));
  }

  private time(iso: string | undefined): string {
    if (iso === undefined) return '';
    return `<time datetime="${escapeHtml(iso)}">${escapeHtml(this.times(new Date(iso)))} UTC</time>`;
  }

  /** Each part of the path on its own: `#` and `%` are allowed in names. */
  private link(path: string, text: string): string {
    const address = path.split('/').map(encodeURIComponent).join('/');
    return `<a href="${escapeHtml(address)}">${text}</a>`;
  }

  private pad({ name, template, changedAt, createdAt, files }: IndexedPad): string {
    const links = Object.entries(files).map(([kind, path]) => this.link(path, this.text(`format.${kind}`)));
    const isTemplate = template ? ` <span class="quiet">(${this.text('template')})</span>` : '';
    return `<tr><td><bdi>${escapeHtml(name)}</bdi>${isTemplate}</td><td>${links.join(' \u00b7 ')}</td><td>${this.time(changedAt ?? createdAt)}</td></tr>`;
  }

  private *people(people: NonNullable<IndexedFolder['people']>): Generator<string> {
    if (people.length === 0) return;
    yield `<details><summary>${this.text('people')}</summary><ul>`;
    for (const { username, name, role } of people) {
      const shown = name === '' ? username : `${name} (${username})`;
      yield `<li><bdi>${escapeHtml(shown)}</bdi>: ${this.text(`role.${role}`)}</li>`;
    }
    yield '</ul></details>';
  }

  private *folder({
    name,
    description,
    tags,
    visibility,
    people = [],
    pads,
  }: IndexedFolder): Generator<string> {
    const facts = [this.text(`visibility.${visibility}`), ...tags.map((tag) => `#${escapeHtml(tag)}`)];
    const head = ['pad', 'files', 'changed'].map((column) => `<th scope="col">${this.text(column)}</th>`);
    yield `<section><h2><bdi>${escapeHtml(name)}</bdi></h2><p class="quiet">${facts.join(' \u00b7 ')}</p>
<p>${escapeHtml(description)}</p>`;
    yield* this.people(people);
    yield `
<table><thead><tr>${head.join('')}</tr></thead><tbody>
`;
    for (const pad of pads) yield `${this.pad(pad)}\n`;
    yield '</tbody></table></section>\n';
  }

  private *leftOut(): Generator<string> {
    if (this.index.leftOut.length === 0) return;
    yield `<section><h2>${this.text('leftOut')}</h2><ul>\n`;
    for (const { name, reason } of this.index.leftOut) {
      const shown = name === undefined ? this.text('unnamed') : `<bdi>${escapeHtml(name)}</bdi>`;
      yield `<li>${shown}: ${this.text(`leftOut.${reason}`)}</li>\n`;
    }
    yield '</ul></section>';
  }

  /** The page in pieces, because there may be thousands of pads and people in it. */
  *pieces(): Generator<string> {
    const { server, createdAt, createdBy, folders } = this.index;
    const title = this.text('title', { server });
    const personal = this.hasPersonalData ? `<p>${this.link('me.json', this.text('personal'))}</p>` : '';
    const none = folders.length === 0 ? `<p>${this.text('empty')}</p>` : '';
    yield `<!doctype html>
<html lang="${this.language}" dir="${languages[this.language].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p class="quiet">${this.text('madeBy', { name: createdBy })} \u00b7 ${this.time(createdAt)}</p>
${personal}${none}
`;
    for (const folder of folders) yield* this.folder(folder);
    yield* this.leftOut();
    yield '\n</body>\n</html>\n';
  }
}
