import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type LanguageCode, languageCodes, languages, matchLanguage } from '../../model/languages';

const root = join(__dirname, '..', '..');
const codesIn = (...folder: string[]): string[] =>
  readdirSync(join(root, ...folder))
    // qqq.json has a sentence about each text for translators.
    .filter((file) => file.endsWith('.json') && file !== 'qqq.json')
    .map((file) => file.replace('.json', ''))
    .sort();

describe('the list of languages', () => {
  it('has an entry for every file with texts, and both files for every entry', () => {
    const listed = [...languageCodes].sort();
    expect(codesIn('locales'), 'locales/').to.deep.equal(listed);
    expect(codesIn('templates', 'mail'), 'templates/mail/').to.deep.equal(listed);
  });

  it('names each language in that language, and by the code that browsers and screen readers know', () => {
    for (const code of languageCodes) {
      expect(Intl.getCanonicalLocales(code)).to.deep.equal([code]);
      const own = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? '';
      const { name } = languages[code];
      const same = name.localeCompare(own, code, { sensitivity: 'base' }) === 0;
      // The name may be shorter, as 中文 for 简体中文, or longer: Indonesian people say Bahasa Indonesia.
      expect(same || own.includes(name) || name.includes(own), `${name}, not ${own}`).to.equal(true);
    }
  });

  it('says which languages are written from right to left', () => {
    const rightToLeft = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm'];
    for (const code of languageCodes) {
      const { script = '' } = new Intl.Locale(code).maximize();
      const direction = rightToLeft.includes(script) ? 'rtl' : 'ltr';
      expect(languages[code].direction, code).to.equal(direction);
    }
  });
});

describe('the language of a browser', () => {
  // A fixed list, so that the rule is tested with languages that we may not have.
  const known = ['en', 'fr', 'pt-BR', 'zh-Hans', 'ar', 'nb'] as unknown as LanguageCode[];
  const cases: [string[], string | undefined][] = [
    [['fr'], 'fr'],
    [['FR-ca'], 'fr'],
    [['eo', 'fr'], 'fr'],
    [['pt'], 'pt-BR'],
    [['pt-PT'], 'pt-BR'],
    [['zh'], 'zh-Hans'],
    [['zh-CN'], 'zh-Hans'],
    [['zh-Hans-SG'], 'zh-Hans'],
    [['zh-TW', 'en'], 'en'],
    [['zh-Hant'], undefined],
    [['ar-EG'], 'ar'],
    [['nb-NO'], 'nb'],
    [['no'], 'nb'],
    [['no-NO', 'en'], 'nb'],
    [['nn-NO', 'nb'], 'nb'],
    [['nno'], 'nb'],
    [['frr', 'arn'], undefined],
    [['*', 'constructor', '', 'f', 'zh_CN', 'not a language'], undefined],
    [[], undefined],
  ];
  for (const [wanted, found] of cases) {
    it(`${wanted.join(', ') || 'nothing'} finds ${found ?? 'nothing'}`, () => {
      expect(matchLanguage(wanted, known)).to.equal(found);
    });
  }

  it('tells the two Chinese scripts apart', () => {
    for (const tag of ['zh-TW', 'zh-HK', 'zh-Hant'])
      expect(matchLanguage([tag], languageCodes)).to.equal('zh-Hant');
    for (const tag of ['zh', 'zh-CN', 'zh-SG'])
      expect(matchLanguage([tag], languageCodes)).to.equal('zh-Hans');
  });

  it('is the one of the region, or the first in the list of the same language', () => {
    for (const [tag, found] of [
      ['pt', 'pt'],
      ['pt-PT', 'pt'],
      ['pt-AO', 'pt'],
      ['pt-BR', 'pt-BR'],
    ] as const) {
      expect(matchLanguage([tag], languageCodes), tag).to.equal(found);
    }
  });

  it('is looked for in the first of a long list only', () => {
    const many = Array.from({ length: 5000 }, () => 'xx');
    expect(matchLanguage([...many, 'fr'], known)).to.equal(undefined);
  });
});
