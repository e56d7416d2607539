/** What people type into the search in texts, and what they see of a text. */
import { expect } from 'chai';
import { markedExcerpt } from '../../model/texts/excerpt';
import { excerptOf, indexedText, marks, matchOf, searchedParts } from '../../model/texts/textQuery';
import { checkEach } from '../support/cases';

const { begin, end } = marks;
const split = (text: string): string => text.replaceAll('\u200b', '|');

describe('a search in texts', () => {
  it('looks for words by their beginning, from three letters on', () => {
    expect(matchOf('budget 2026')).to.equal('"budget"* AND "2026"*');
    expect(matchOf('EU a')).to.equal('"EU" AND "a"');
    expect(matchOf("C++ l'a l'art")).to.equal(`"C++" AND "l'a" AND "l'art"*`);
    // Some systems send an accent as a character of its own.
    expect(matchOf('Cafe\u0301')).to.equal('"Caf\u00e9"*');
  });

  it('looks for phrases in any kind of quotation marks', () => {
    expect(matchOf('"annual report" draft')).to.equal('"annual report" AND "draft"*');
    for (const phrase of [
      '„neue Ordnung“',
      '«neue Ordnung»',
      '“neue Ordnung”',
      '”neue Ordnung”',
      '»neue Ordnung«',
    ])
      expect(matchOf(phrase), phrase).to.equal('"neue Ordnung"');
    expect(matchOf('"not closed')).to.equal('"not"* AND "closed"*');
  });

  it('takes nothing for a command of the database', () => {
    expect(matchOf('NEAR(a b) OR text:x* ^y')).to.equal('"NEAR(a" AND "b)" AND "OR" AND "text:x*" AND "^y"');
    expect(matchOf(' " ** -- ')).to.equal(undefined);
    expect(matchOf('')).to.equal(undefined);
  });

  it('has no characters that end a question of the database', () => {
    expect(matchOf('one\0two \u0001three')).to.equal('"one"* AND "two"* AND "three"*');
    expect(matchOf('"one\0two"')).to.equal('"one two"');
    expect(matchOf('half\ud800')).to.equal('"half"*');
    expect(matchOf('\0')).to.equal(undefined);
  });

  it('has a limit for words', () => {
    expect(matchOf('word '.repeat(50))?.split(' AND ')).to.have.length(20);
    const words = (match = '') => match.match(/[a-z]+|東/g)?.length;
    const phrase = matchOf(`"${'na '.repeat(120)}"`);
    expect([words(phrase), phrase?.startsWith('"na na ')]).to.deep.equal([20, true]);
    expect(words(matchOf('東'.repeat(100)))).to.equal(20);
    expect(matchOf(`${'a-b-c-d-e '.repeat(5)}"x y"`)?.split(' AND ')).to.have.length(4);
    expect(matchOf(`${'a '.repeat(19)}"longer phrase" more`)).to.match(/"a" AND "longer "$/);
  });

  it('finds parts of sentences that have no spaces', async () => {
    expect(split(await indexedText('東京 is big'))).to.equal('|東||京| is big');
    expect(split(matchOf('東京') ?? '')).to.equal('"|東||京|"');
    expect(await indexedText('No such letters')).to.equal('No such letters');
  });

  it('finds words whatever way a system writes their accents and syllables', async () => {
    const composed = 'йога, 한국어, café, آب';
    const long = `${'x'.repeat(9_998)}한`;
    for (const text of [composed, long, `x${long}`, `xx${long}`])
      expect(await indexedText(text.normalize('NFD')), text.slice(-20)).to.equal(await indexedText(text));
    expect(matchOf('йога 한국어'.normalize('NFD'))).to.equal('"йога"* AND "한국어"*');
  });

  it('finds words of web pages and PDF files, with soft hyphens and in shapes that nobody types', async () => {
    const typed = 'Festausschuss Office \u0645\u062d\u0645\u062f 10\u6708';
    const copied = 'Fest\u00adaus\u00adschuss O\ufb03ce \ufee3\ufea4\ufee4\ufeaa \uff11\uff10\u6708';
    expect(await indexedText(copied)).to.equal(await indexedText(typed));
    expect(matchOf(copied)).to.equal(matchOf(typed));
    expect(matchOf('Fest\u00adna')).to.equal('"Festna"*');
    // Signs stay as the text has them, because excerpts show them.
    expect(await indexedText('\uff08x\uff09')).to.equal('\uff08x\uff09');
  });

  it('reads a text that consists of accents without holding up others', async () => {
    const accents = '\u0301\u0323'.repeat(200_000);
    expect((await indexedText(`a${accents} end`)).length).to.be.lessThan(1_000);
  });

  it('finds each character of a long text, also those that a computer stores as two', async () => {
    const text = `a${'𠮷'.repeat(20_000)}b`;
    expect(split(await indexedText(text))).to.equal(`a${'|𠮷|'.repeat(20_000)}b`);
  });

  it('finds what stands in the first half million of characters', async () => {
    expect((await indexedText('x'.repeat(500_001))).length).to.equal(500_000);
  });

  it('shows the words around the first place, and marks what was found', async () => {
    const numbers = Array.from({ length: 100 }, (_, at) => `n${at}`).join(' ');
    const words = (from: number, to: number) => numbers.split(' ').slice(from, to).join(' ');
    const long = `${words(0, 50)} The Büdget, (of 2026)! ${words(50, 100)}`;
    const found = `${words(42, 50)} The [Büdget], (of 2026)! ${words(50, 62)}`;
    return checkEach(
      {
        'a word, without its accent': [
          long,
          'budget',
          `…${words(43, 50)} The [Büdget], (of 2026)! ${words(50, 63)}…`,
        ],
        'the beginning of a word': [
          long,
          'büd',
          `…${words(43, 50)} The [Büdget], (of 2026)! ${words(50, 63)}…`,
        ],
        'a phrase': [long, '"the budget"', `…${found.replace('The [Büdget]', '[The Büdget]')}…`],
        'several words': ['One two three.', 'three one', '[One] two [three].'],
        'no phrase where its words are apart': ['a b c a c', '"a c"', 'a b c [a c]'],
        'at the end': [`${words(0, 50)} end.`, 'end', `…${words(42, 50)} [end].`],
        'a phrase after so many': [
          `${words(0, 20)} end here.`,
          '"end here"',
          `…${words(12, 20)} [end here].`,
        ],
        'a script without spaces': [await indexedText('東京で会う'), '京で', '東[京で]会う'],
        'control characters of an import': ['one \u0001two\u0002 three', 'three', 'one  two  [three]'],
        'nothing that is found here': [words(0, 30), 'missing', `${words(0, 24)}…`],
        'many signs': [`one ${'*'.repeat(5_000)} two`, 'two', `one ${'*'.repeat(99)}…[two]`],
        'signs alone': ['***', 'missing', '***'],
        'an empty text': ['', 'missing', ''],
      },
      async ([text, search, expected]) => {
        const excerpt = await markedExcerpt(text ?? '', searchedParts(search ?? ''));
        const shown = excerpt.replaceAll('\u200b', '').replaceAll(begin, '[').replaceAll(end, ']');
        expect(shown).to.equal(expected);
      },
    );
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
