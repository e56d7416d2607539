import { expect } from 'chai';
import { bestMatches, fold, scoreOf, searchable, wordsOf } from '../../static/app/lib/matching';

describe('a search in names', () => {
  const finds = (text: string, name: string, more: string[] = []): boolean =>
    scoreOf(wordsOf(text), searchable(name, more)) > 0;

  it('ignores accents, letter case, punctuation and the order of words', () => {
    for (const [text, name] of [
      ['ete', 'Été à Köln'],
      ['köln ÉTÉ', 'Été à Koln'],
      ['strasse', 'Straße'],
      ['meeting board', 'Board – meeting (May)'],
      ['ελλ', 'Ἑλλάς'],
      ['ΜΑΣ', 'Μαστοράκης'],
      ['ışık', 'Işık'],
      ['istanbul', 'İSTANBUL'],
      ['smorrebrod', 'Smørrebrød'],
      ['lodz', 'Łódź'],
      ['กิน', 'ร้านกินข้าว'],
      ['한', '하늘 한국'],
      ['한국', '한국'.normalize('NFD')],
      ['й'.normalize('NFD'), 'Мой'],
      ['会', '会議'],
      ['festausschuss', 'Fest\u00adausschuss'],
      ['\u0645\u062d\u0645\u062f', '\u0645\u062d\u0640\u0640\u0645\u062f'],
    ] as const) {
      expect(finds(text, name), `${text} in ${name}`).to.equal(true);
    }
    expect(fold('Été à Köln!')).to.equal('ete a koln');
    expect(finds('กัน', 'ร้านกินข้าว')).to.equal(false);
  });

  it('finds words with missing letters, but not any word', () => {
    expect(finds('mnutes', 'Minutes of May')).to.equal(true);
    expect(finds('mint', 'Minutes')).to.equal(true);
    expect(finds('mxy', 'Minutes')).to.equal(false);
    // Over six letters at most.
    expect([finds('mse', 'mixset'), finds('mse', 'mixsite')]).to.deep.equal([true, false]);
    expect(finds('mse', 'Many other things somewhere')).to.equal(false);
    expect(finds('minutes june', 'Minutes of May')).to.equal(false);
  });

  it('searches folders and tags too, and finds names that consist of punctuation', () => {
    expect(finds('board minutes', 'Minutes', ['Board', 'school'])).to.equal(true);
    expect(finds('school', 'Minutes', ['Board', 'school'])).to.equal(true);
    expect(finds('???', '???')).to.equal(true);
  });

  it('puts what begins like the search first, then words in it, then the rest', () => {
    const names = ['Examination', 'My exam', 'Exam', 'Exams 2027', 'Hexameter', 'Reexamined exam', 'Garden'];
    const all = names.map((name) => ({ name, searched: searchable(name) }));
    const found = bestMatches(all, wordsOf('exam'), 10).map(({ name }) => name);
    const inWords = ['My exam', 'Reexamined exam', 'Hexameter'];
    expect(found).to.deep.equal(['Exam', 'Examination', 'Exams 2027', ...inWords]);
    expect(bestMatches(all, wordsOf('exam'), 2)).to.have.length(2);
  });
});
