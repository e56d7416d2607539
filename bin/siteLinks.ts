/** Finds links and pictures of a built site that lead nowhere, or to a heading that is not there. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Parser } from 'htmlparser2';

interface SitePage {
  ids: Set<string>;
  links: string[];
}

const here = 'https://site.invalid';

function read(html: string): SitePage {
  const page: SitePage = { ids: new Set(), links: [] };
  const parser = new Parser({
    onopentag(_name, { id, href, src }) {
      if (id) page.ids.add(id);
      page.links.push(...[href, src].filter((link) => link !== undefined));
    },
  });
  parser.end(html);
  return page;
}

/** `<page>: <link>` for each link in `folder` that leads nowhere. Links to other sites are not followed. */
export function deadLinks(folder: string): string[] {
  const pages = new Map<string, SitePage>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.html')) pages.set(`/${name}`, read(readFileSync(path.join(folder, name), 'utf8')));
  const leadsNowhere = (link: string, from: string): boolean => {
    const place = new URL(link, here + from);
    if (place.origin !== here) return false;
    const target = decodeURIComponent(place.pathname).replace(/\/$/, '/index.html');
    const heading = decodeURIComponent(place.hash.slice(1));
    const page = pages.get(target);
    if (page) return heading !== '' && !page.ids.has(heading);
    const file = path.join(folder, target);
    return !(existsSync(file) && statSync(file).isFile());
  };
  return [...pages].flatMap(([name, { links }]) =>
    [...new Set(links)].filter((link) => leadsNowhere(link, name)).map((link) => `${name}: ${link}`),
  );
}
