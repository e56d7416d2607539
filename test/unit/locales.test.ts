import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { errorStatus } from '../../model/errors';
import { type LanguageCode, languages as languageList } from '../../model/languages';
import { checkEach } from '../support/cases';

const root = join(__dirname, '..', '..');
type Texts = Record<string, string>;

const languages = readdirSync(join(root, 'locales'))
  .filter((file) => file.endsWith('.json') && file !== 'qqq.json')
  .map((file): [string, Texts] => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(root, 'locales', file), 'utf8')),
  ]);

const [, english] = languages.find(([language]) => language === 'en') ?? ['en', {}];
const placeholders = (text = ''): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort();

const baseOf = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '');
/** Keys of texts with a number, without the ending of the plural form. */
const counting = new Set(
  Object.keys(english)
    .filter((key) => key.endsWith('_other'))
    .map(baseOf),
);

/**
 * The plural forms that a language needs for whole numbers below a million, and `other`, which stands in for the rest.
 * It may have all of Intl.PluralRules, as "many" of French for "un million de dossiers", and `zero` for 0.
 */
function formsOf(language: string): { needed: string[]; possible: string[] } {
  const rules = new Intl.PluralRules(language);
  const numbers = Array.from({ length: 1000 }, (_, number) => rules.select(number));
  const possible = ['zero', ...rules.resolvedOptions().pluralCategories];
  return { needed: [...new Set([...numbers, 'other'])], possible };
}

const isCounting = (key: string): boolean => counting.has(baseOf(key)) && baseOf(key) !== key;

describe('the texts in each language', () => {
  it('have the same keys as the English ones', () =>
    checkEach(languages, (texts) => {
      const plain = (keys: string[]): string[] => keys.filter((key) => !isCounting(key)).sort();
      expect(plain(Object.keys(texts))).to.deep.equal(plain(Object.keys(english)));
    }));

  it('have the plural forms of the language', () =>
    checkEach(languages, (texts, language) => {
      const { needed, possible } = formsOf(language);
      const keys = Object.keys(texts);
      const missing = [...counting].flatMap((base) =>
        needed.map((form) => `${base}_${form}`).filter((key) => !keys.includes(key)),
      );
      expect(missing, 'missing').to.deep.equal([]);
      const allowed = new Set([...counting].flatMap((base) => possible.map((form) => `${base}_${form}`)));
      const surplus = keys.filter((key) => isCounting(key) && !allowed.has(key));
      expect(surplus, 'forms that the language does not have').to.deep.equal([]);
    }));

  it('have the same placeholders as in English', () =>
    checkEach(languages, (texts) => {
      for (const [key, text] of Object.entries(texts)) {
        // The plural form for one ("one person") need not contain the number, nor need those for zero and two.
        const optional = /_(zero|one|two)$/.test(key) ? ['count', 'name'] : [];
        const original = english[key] ?? english[`${baseOf(key)}_other`];
        const wanted = placeholders(original).filter((name) => !optional.includes(name));
        expect(
          placeholders(text).filter((name) => !optional.includes(name)),
          key,
        ).to.deep.equal(wanted);
      }
    }));

  it('say what to do for every error that the server knows', () =>
    checkEach(languages, (texts) => {
      for (const key of Object.keys(errorStatus))
        expect(Buffer.byteLength(texts[key] ?? ''), key).to.be.greaterThan(10);
    }));

  it('have no exclamation marks, and are never empty', () =>
    checkEach(languages, (texts) => {
      for (const [key, text] of Object.entries(texts)) {
        expect(text.trim(), key).to.equal(text).and.not.equal('');
        expect(text, key).to.not.match(/[!！]/);
      }
    }));

  it('are never a single letter, which stands for a text that was not written', () =>
    checkEach(languages, (texts) => {
      for (const [key, text] of Object.entries(texts))
        if ((english[key] ?? '').length > 2)
          expect(text, key).to.not.match(/^[^\p{Script=Han}\p{Script=Hangul}]$/u);
    }));
});

describe('the texts from right to left', () => {
  it('isolate names and addresses, so that Latin letters do not reorder the sentence', () => {
    const names =
      /\{\{(name|names|login|email|title|tag|entry|entries|server|host|text|rootUrl|address)\}\}/g;
    const isRightToLeft = (code: string): boolean => languageList[code as LanguageCode]?.direction === 'rtl';
    for (const [language, texts] of languages.filter(([code]) => isRightToLeft(code)))
      for (const [key, text] of Object.entries(texts)) {
        // This text becomes the name of a pad, which must not contain these signs.
        if (key === 'padActions.copyOf') continue;
        const open = text.replace(/\u2068[^\u2068\u2069]*\u2069/g, '');
        expect(open, `${language}: ${key}`).to.not.match(/[\u2068\u2069]/);
        expect(open.match(names), `${language}: ${key}`).to.equal(null);
      }
  });
});

describe('the texts in French', () => {
  it('never have punctuation alone at the start of a line', () => {
    const [, french] = languages.find(([language]) => language === 'fr') ?? ['fr', {}];
    for (const [key, text] of Object.entries(french)) expect(text, key).to.not.match(/« | [»?:;]/);
  });
});

describe('the texts of the page', () => {
  it('are all keys of locales/; none is written in a screen', () => {
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

  it('are shown with their values', () => {
    const [, english] = languages.find(([language]) => language === 'en') ?? ['en', {}];
    const files = readdirSync(join(root, 'static', 'app'), { recursive: true, encoding: 'utf8' });
    const bare = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(root, 'static', 'app', file), 'utf8').matchAll(/\bt\(\s*'([^']+)',?\s*\)/g),
      ])
      .map(([, key = '']) => key);
    expect(bare.filter((key) => english[key]?.includes('{{'))).to.deep.equal([]);
  });
});

describe('the texts about work in the background', () => {
  it('say what each type of job does, and docs/monitoring.md lists it', () => {
    const sources = readdirSync(join(root, 'model'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'model', file), 'utf8'))
      .filter((source) => /jobs\.(define|regularly)\b/.test(source));
    const types = sources.flatMap((source) =>
      [...source.matchAll(/(?:^ +type: |const type = |regularly\()'(\w+)'/gm)].map(([, type = '']) => type),
    );
    expect(types).to.include.members(['removePads', 'mailRecovery', 'storeNumbersOfTheDay']);
    const prefix = 'admin.jobs.type.';
    const told = Object.keys(english).flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    );
    expect(told).to.have.members(types);
    const [, section = ''] = readFileSync(join(root, 'docs', 'monitoring.md'), 'utf8').split('## Jobs');
    const [table = ''] = section.split('## Log lines');
    for (const type of types) expect(table).to.include(`\`${type}\``);
  });
});
