/** What people type into the search in texts, and what they see of a text. */
import { expect } from 'chai';
import { excerptOf, indexedText, marks, matchOf } from '../../model/texts/textQuery';

const { begin, end } = marks;
const split = (text: string): string => text.replaceAll('\u200b', '|');

describe('a search in texts', () => {
  it('looks for words by their beginning, from three letters on', () => {
    expect(matchOf('budget 2026')).to.equal('"budget"* AND "2026"*');
    expect(matchOf('EU a')).to.equal('"EU" AND "a"');
  });

  it('looks for phrases in any kind of quotation marks', () => {
    expect(matchOf('"annual report" draft')).to.equal('"annual report" AND "draft"*');
    for (const phrase of ['„neue Ordnung“', '«neue Ordnung»', '“neue Ordnung”'])
      expect(matchOf(phrase), phrase).to.equal('"neue Ordnung"');
    expect(matchOf('"not closed')).to.equal('"not"* AND "closed"*');
  });

  it('takes nothing for a command of the database', () => {
    expect(matchOf('NEAR(a b) OR text:x* ^y')).to.equal(
      '"NEAR(a"* AND "b)" AND "OR" AND "text:x*"* AND "^y"',
    );
    expect(matchOf(' " ** -- ')).to.equal(undefined);
    expect(matchOf('')).to.equal(undefined);
  });

  it('has a limit for words', () => {
    expect(matchOf('word '.repeat(50))?.split(' AND ')).to.have.length(20);
  });

  it('finds parts of sentences that have no spaces', async () => {
    expect(split(await indexedText('東京 is big'))).to.equal('|東||京| is big');
    expect(split(matchOf('東京') ?? '')).to.equal('"|東||京|"');
    expect(await indexedText('No such letters')).to.equal('No such letters');
  });

  it('finds each character of a long text, also those that a computer stores as two', async () => {
    const text = `a${'𠮷'.repeat(20_000)}b`;
    expect(split(await indexedText(text))).to.equal(`a${'|𠮷|'.repeat(20_000)}b`);
  });

  it('shows excerpts on one line, with what was found', () => {
    expect(excerptOf(`The ${begin}budget${end} of\n\n  the year`)).to.deep.equal([
      { text: 'The ' },
      { text: 'budget', found: true },
      { text: ' of the year' },
    ]);
    const found = `${begin}東${end}\u200b\u200b${begin}京${end}`;
    expect(excerptOf(`在\u200b${found}`)).to.deep.equal([{ text: '在' }, { text: '東京', found: true }]);
    expect(excerptOf('')).to.deep.equal([]);
  });
});
