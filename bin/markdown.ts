/** Turns pages in Markdown into the HTML that the app shows: those of the guide, and those of docs/. */
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../model/html';
import type { GuidePage } from '../static/app/screens/guide/guideTexts';

export interface Rendering {
  /** The text of a heading without its id, and its id. */
  headingOf(text: string): [name: string, id: string | undefined];
  /** The address of a link; `undefined`: only its text is shown. */
  addressOf(href: string): string | undefined;
  pictureHtml(picture: Tokens.Image): string;
}

export const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();

export const markedFor = ({ headingOf, addressOf, pictureHtml }: Rendering): Marked =>
  new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const [name, id] = headingOf(this.parser.parseInline(tokens));
        if (id === undefined) return `<h${depth}>${name}</h${depth}>\n`;
        return `<h${depth} id="${id}" tabindex="-1"><a href="#${id}">${name}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(href);
        const text = this.parser.parseInline(tokens);
        return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
      },
      image: pictureHtml,
      // Both scroll on a narrow screen, so they must be reachable by keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const names = header.map(({ tokens }) => this.parser.parseInline(tokens));
        // A phone shows each row of a wide table as a list, with the name of its column before each cell.
        const isWide = names.length > 2;
        const headOf = (scope: string, text: string): string => `<th scope="${scope}">${text}</th>`;
        const cell = (text: string, at: number): string => {
          if (at === 0 && text !== '') return headOf('row', text);
          const label = isWide && text !== '' ? ` data-label="${escapeHtml(plain(names[at] ?? ''))}"` : '';
          return `<td${label}>${text}</td>`;
        };
        const head = names.map((text) => (text === '' ? '<td></td>' : headOf('col', text))).join('');
        const lines = rows
          .map((row) => row.map(({ tokens }, at) => cell(this.parser.parseInline(tokens), at)).join(''))
          .map((line) => `<tr>${line}</tr>`)
          .join('');
        return `<div data-table="${isWide ? 'wide' : ''}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table></div>`;
      },
      checkbox: () => '☐ ',
      // Comments of the source.
      html: () => '',
    },
  });

/** A page: its title, its first paragraph, and the rest. */
export function pageOf(marked: Marked, name: string, source: string): GuidePage {
  const html = marked.parse(source, { async: false });
  const [heading = '', title = ''] = /^<h1[^>]*>(.*)<\/h1>\n/.exec(html) ?? [];
  const body = html.slice(heading.length);
  const [, summary = ''] = /<p>(.*?)<\/p>/s.exec(body) ?? [];
  return { name, title: plain(title), summary: plain(summary), html: body.trim() };
}
