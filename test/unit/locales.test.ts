import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { errorStatus } from '../../model/errors';

const root = join(__dirname, '..', '..');
type Texts = Record<string, string>;

const languages = readdirSync(join(root, 'locales'))
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, Texts] => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(root, 'locales', file), 'utf8')),
  ]);

const [, english] = languages.find(([language]) => language === 'en') ?? ['en', {}];
const placeholders = (text = ''): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort();

for (const [language, texts] of languages) {
  describe(`the words in "${language}"`, () => {
    it('are there for everything that the page says in English, and for nothing else', () => {
      expect(Object.keys(texts).sort()).to.deep.equal(Object.keys(english).sort());
    });

    it('fill in the same names and numbers as in English', () => {
      for (const [key, text] of Object.entries(texts)) {
        // "One person" need not repeat the number.
        const optional = key.endsWith('_one') ? ['count', 'name'] : [];
        const wanted = placeholders(english[key]).filter((name) => !optional.includes(name));
        expect(
          placeholders(text).filter((name) => !optional.includes(name)),
          key,
        ).to.deep.equal(wanted);
      }
    });

    it('say what to do for every error that the server knows', () => {
      for (const key of Object.keys(errorStatus)) expect(texts[key]?.length ?? 0, key).to.be.greaterThan(10);
    });

    it('do not shout, and are never empty', () => {
      for (const [key, text] of Object.entries(texts)) {
        expect(text.trim(), key).to.equal(text).and.not.equal('');
        expect(text, key).to.not.contain('!');
      }
    });

    it('have a singular and a plural where they count', () => {
      const keys = Object.keys(texts);
      for (const key of keys.filter((one) => one.endsWith('_one')))
        expect(keys).to.include(key.replace('_one', '_other'));
    });
  });
}

describe('the words in French', () => {
  it('never leave a mark of punctuation alone at the start of a line', () => {
    const [, french] = languages.find(([language]) => language === 'fr') ?? ['fr', {}];
    for (const [key, text] of Object.entries(french)) expect(text, key).to.not.match(/« | [»?:;]/);
  });
});

describe('the words of the page', () => {
  it('are all asked for by their key, none is written into a screen', () => {
    const files = readdirSync(join(root, 'static', 'app'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.tsx'),
    );
    const written = files.flatMap((file) => {
      const source = readFileSync(join(root, 'static', 'app', file), 'utf8');
      return [...source.matchAll(/(?:aria-label|title|placeholder|alt|label)="([^"{]*[a-z]{3}[^"]*)"/g)].map(
        ([text]) => `${file}: ${text}`,
      );
    });
    expect(written).to.deep.equal([]);
  });
});
