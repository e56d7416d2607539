/** The guide for people: complete in its languages, in the words of the screen, and without dead links. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Marked, type Token } from 'marked';
import { guideLanguages, guideOf, guideSource } from '../../bin/guide';
import { languageCodes } from '../../model/languages';

const root = path.join(__dirname, '..', '..');
const textsOf = (language: string): Set<string> =>
  new Set(Object.values(require(path.join(root, 'locales', `${language}.json`)) as Record<string, string>));
const namesOf = (language: string): string[] =>
  readdirSync(path.join(root, 'static', 'guide', language))
    .map((file) => path.parse(file).name)
    .sort();

/** The tokens of this type in a page. */
function tokensOf(language: string, name: string, type: string): (Token & { text: string; href: string })[] {
  const marked = new Marked();
  const found: Token[] = [];
  marked.walkTokens(marked.lexer(guideSource(language, name)), (token) => {
    if (token.type === type) found.push(token);
  });
  return found as (Token & { text: string; href: string })[];
}

const idsOf = (language: string, name: string): string[] =>
  [...guideSource(language, name).matchAll(/^## .* \{#([\w-]+)\}$/gm)].map(([, id = '']) => id);

describe('The guide', () => {
  it('exists in five languages of the app', () => {
    expect(guideLanguages).to.deep.equal(['de', 'en', 'es', 'fr', 'it']);
    expect(languageCodes).to.include.members([...guideLanguages]);
  });

  for (const language of guideLanguages)
    describe(`in ${language}`, () => {
      it('has all pages, and lists each of them once', () => {
        const listed = guideOf(language).groups.flatMap(({ pages }) => pages.map(({ name }) => name));
        expect(namesOf(language)).to.deep.equal(namesOf('en'));
        expect([...listed, 'index'].sort()).to.deep.equal(namesOf('en'));
        expect(listed).to.deep.equal(
          guideOf('en').groups.flatMap(({ pages }) => pages.map(({ name }) => name)),
        );
      });

      it('has a title, a summary and the same headings, pictures and tables on each page', () => {
        for (const name of namesOf('en').filter((one) => one !== 'index')) {
          expect(idsOf(language, name), name).to.deep.equal(idsOf('en', name));
          for (const type of ['image', 'table', 'list']) {
            const count = tokensOf(language, name, type).length;
            expect(count, `${name}: ${type}`).to.equal(tokensOf('en', name, type).length);
          }
        }
        for (const { name, title, summary } of guideOf(language).groups.flatMap(({ pages }) => pages)) {
          expect(title, name).to.match(/\S/);
          expect(summary, name).to.match(/\S/);
        }
      });

      it('quotes only texts that the app shows', () => {
        const texts = textsOf(language);
        const wrong = namesOf(language).flatMap((name) =>
          tokensOf(language, name, 'strong')
            .filter(({ text }) => !texts.has(text.replaceAll('&#39;', "'")))
            .map(({ text }) => `${name}: ${text}`),
        );
        expect(wrong).to.deep.equal([]);
      });

      it('has links to pages and headings that exist', () => {
        const wrong = namesOf(language).flatMap((name) =>
          tokensOf(language, name, 'link')
            .map(({ href }) => href)
            .filter((href) => !href.startsWith('app:'))
            .filter((href) => {
              const [, page = '', id] = /^([\w-]+)\.md(?:#([\w-]+))?$/.exec(href) ?? [];
              return (
                !namesOf(language).includes(page) || (id !== undefined && !idsOf(language, page).includes(id))
              );
            })
            .map((href) => `${name}: ${href}`),
        );
        expect(wrong).to.deep.equal([]);
      });
    });

  it('has the pages and headings that the app links to', () => {
    const pages = ['folders', 'access', 'access#pad', 'sharing', 'sharing#links', 'trash', 'finding#texts'];
    for (const link of [...pages, 'account#second-step', 'account#tokens', 'templates']) {
      const [page = '', id] = link.split('#');
      expect(namesOf('en'), link).to.include(page);
      if (id !== undefined) expect(idsOf('en', page), link).to.include(id);
    }
  });
});
