/** docs/ as the administration shows it, and what links to it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { docsOf, pageOfSetting } from '../../bin/docsPages';
import { configurationKeys } from '../../model/settings/definitions';

const root = path.join(__dirname, '..', '..');
const pages = docsOf().groups.flatMap(({ pages }) => pages);

/** The ids of the headings of a page. */
const idsOf = (name: string): string[] => {
  const html = pages.find((page) => page.name === name)?.html ?? '';
  return [...html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id = '']) => id);
};

/** Those of these links that lead nowhere: `mail#test-it`. */
const broken = (links: readonly string[]): string[] =>
  links.filter((link) => {
    const [page = '', id] = link.split('#');
    return !pages.some(({ name }) => name === page) || (id !== undefined && !idsOf(page).includes(id));
  });

describe('The documentation in the administration', () => {
  it('has every page of docs/ once, in four groups, but not that for developers', () => {
    const files = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.map(({ name }) => `${name}.md`).sort()).to.deep.equal(
      files.filter((name) => !['README.md', 'architecture.md'].includes(name)).sort(),
    );
    expect(docsOf().groups.map(({ title }) => title)).to.deep.equal([
      'Tutorials',
      'How to',
      'Reference',
      'Background',
    ]);
  });

  it('has a title and a summary for each page', () => {
    for (const { name, title, summary } of pages) {
      expect(title, name).to.match(/^\S.{2,60}$/);
      expect(summary, name).to.match(/\S/);
      expect(summary.length, `${name}: ${summary}`).to.be.below(300);
    }
  });

  it('shows no picture, because the package has none of docs/images', () => {
    const withPicture = pages.filter(({ html }) => /<img|<p><\/p>/.test(html));
    expect(withPicture.map(({ name }) => name)).to.deep.equal([]);
  });

  it('has links only to its own pages, to their headings, and to other sites', () => {
    const wrong = pages.flatMap(({ name, html }) => {
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      );
      const own = links
        .filter((href) => !/^https?:/.test(href) && href !== '?/admin/docs')
        .map((href) => (href.startsWith('#') ? name + href : href.replace('?/admin/docs/', '')));
      return broken(own).map((link) => `${name}: ${link}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('has the pages and headings that screens of the administration link to', () => {
    const folder = path.join(root, 'static/app/screens/admin');
    const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('\n');
    const links = [...source.matchAll(/<Docs\w+\s(?:[^>]*\s)?page="([^"]+)"|\{ page: '([^']+)'/g)].map(
      ([, link, inTable]) => link ?? inTable ?? '',
    );
    expect(links.length).to.be.above(20);
    expect(broken(links)).to.deep.equal([]);
  });

  it('has the pages and headings that settings link to', () => {
    const links = configurationKeys.flatMap((key) => pageOfSetting(key) ?? []);
    expect(links).to.include.members(['mail', 'ldap#the-settings', 'second-factor']);
    expect(broken(links)).to.deep.equal([]);
  });
});
