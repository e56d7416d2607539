/** The site: pages, menus, search. bin/site.ts puts the pages into site/pages first. */
import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const { version, description } = JSON.parse(read('package.json')) as { version: string; description: string };

interface Item {
  text: string;
  link: string;
}

const titleOf = (page: string): string => /^# (.+)$/m.exec(read(`docs/${page}.md`))?.[1] ?? page;

/** The groups of docs/README.md with the pages that it names. */
function sidebar(): { text: string; items: Item[] }[] {
  const groups: { text: string; items: Item[] }[] = [];
  const found = new Set<string>();
  for (const line of read('docs/README.md').split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1];
    if (title !== undefined) groups.push({ text: title, items: [] });
    for (const [, page = ''] of line.matchAll(/\]\(([\w-]+)\.md[#)]/g)) {
      if (groups.length === 0 || found.has(page)) continue;
      found.add(page);
      groups.at(-1)?.items.push({ text: titleOf(page), link: `/docs/${page}` });
    }
  }
  return groups;
}

/** The id of a heading as GitHub makes it, because links in docs/ name them. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Whether a link of a page leads to a file in `public`, which is no page. */
function isFile(link: string, page: string): boolean {
  const place = new URL(link, `https://site.invalid/${page}`);
  return place.host === 'site.invalid' && existsSync(new URL(`site/pages/public${place.pathname}`, root));
}

export default defineConfig({
  lang: 'en',
  title: 'MyPads',
  description,
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.cache',
  head: [['link', { rel: 'icon', href: '/logo.svg', type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify },
    // Text in code has at least 4.5:1.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { caddyfile: 'nginx' },
    config(md) {
      // `{{username}}` is text. Vue would take it for an expression.
      md.core.ruler.push('no-vue-in-code', ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? []))
          if (token.type === 'code_inline') token.attrSet('v-pre', '');
      });
      // VitePress would add `.html` to links to files such as deploy/Dockerfile. It leaves links with a target alone.
      md.core.ruler.push('links-to-files', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? []))
          if (token.type === 'link_open' && isFile(token.attrGet('href') ?? '', env.relativePath))
            token.attrSet('target', '_self');
      });
    },
  },
  // VitePress' home page has no landmark for its content.
  transformHtml: (html, _id, { pageData }) =>
    pageData.frontmatter.layout === 'home'
      ? html.replace('id="VPContent"', 'id="VPContent" role="main"')
      : html,
  themeConfig: {
    logo: { src: '/logo.svg', alt: '' },
    search: { provider: 'local' },
    outline: { level: [2, 3], label: 'On this page' },
    sidebar: sidebar(),
    nav: [
      { text: 'Documentation', link: '/docs/README' },
      { text: 'Troubleshooting', link: '/docs/troubleshooting' },
      {
        text: version,
        items: [
          { text: 'What is new', link: '/CHANGELOG' },
          { text: 'From 1.x', link: '/docs/upgrade' },
          { text: 'ep_mypads 1.x', link: 'https://framagit.org/framasoft/Etherpad/ep_mypads' },
        ],
      },
    ],
  },
});
