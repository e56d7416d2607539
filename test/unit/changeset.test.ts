import { expect } from 'chai';
import fc from 'fast-check';
import { fitsAttributedText, fitsText, parseChangeset } from '../../host/changeset';

const base36 = (number: number): string => number.toString(36);
const linesIn = (text: string): number => text.split('\n').length - 1;

interface Piece {
  sign: '=' | '+' | '-';
  text: string;
}

/** The operators for a piece of text as Etherpad writes them: one for whole lines, one for the rest after them. */
function operators({ sign, text }: Piece): string {
  const end = text.lastIndexOf('\n') + 1;
  const [whole, rest] = [text.slice(0, end), text.slice(end)];
  const first = whole === '' ? '' : `|${base36(linesIn(whole))}${sign}${base36(whole.length)}`;
  return first + (rest === '' ? '' : `${sign}${base36(rest.length)}`);
}

/** A text, and a changeset that keeps, removes and adds these pieces of it. `tail`: the end of the text. It stays. */
function write(pieces: Piece[], tail: string): { before: string; changeset: string } {
  const joined = (...signs: string[]) =>
    pieces
      .filter(({ sign }) => signs.includes(sign))
      .map(({ text }) => text)
      .join('');
  const before = joined('=', '-') + tail;
  const [bank, removed] = [joined('+'), joined('-')];
  const difference = bank.length - removed.length;
  const sign = difference < 0 ? '<' : '>';
  const header = `Z:${base36(before.length)}${sign}${base36(Math.abs(difference))}`;
  return { before, changeset: `${header}${pieces.map(operators).join('')}$${bank}` };
}

const text = fc
  .array(fc.constantFrom('a', 'é', '\n', '$', '+', 'word '), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''));
const pieces = fc.array(fc.record({ sign: fc.constantFrom('=', '+', '-'), text }), {
  maxLength: 8,
}) as fc.Arbitrary<Piece[]>;

describe('a changeset', () => {
  it('is accepted when its numbers are consistent and fit the text', () => {
    fc.assert(
      fc.property(pieces, text, (made, tail) => {
        const { before, changeset } = write(made, tail);
        const parsed = parseChangeset(changeset);
        expect(parsed, changeset).to.not.equal(undefined);
        if (parsed) expect(fitsText(parsed, before), changeset).to.equal(true);
      }),
    );
  });

  it('is refused when any of its numbers is wrong', () => {
    fc.assert(
      fc.property(pieces, text, fc.nat(), fc.integer({ min: 1, max: 40 }), (made, tail, which, more) => {
        const { before, changeset } = write(made, tail);
        const end = changeset.indexOf('$');
        const numbers = [...changeset.slice(0, end).matchAll(/[0-9a-z]+/g)];
        const { 0: digits, index } = numbers[which % numbers.length] ?? { 0: '', index: 0 };
        // Skips numbers of kept characters: with a larger one, the changeset can be consistent for another text.
        fc.pre(changeset[index - 1] !== '=');
        const other = base36(Number.parseInt(digits, 36) + more);
        const changed = changeset.slice(0, index) + other + changeset.slice(index + digits.length);
        const parsed = parseChangeset(changed);
        expect(parsed !== undefined && fitsText(parsed, before), changed).to.equal(false);
      }),
    );
  });

  it('is refused when it is cut off, or has one more letter', () => {
    for (const changeset of [
      '',
      'Z:',
      'Z:1>1',
      'Z:1>1+1',
      'Z:1>1+1$',
      'Z:1>1+1$xy',
      'Y:1>1+1$x',
      'Z:1>1+1 $x',
    ]) {
      expect(parseChangeset(changeset), changeset).to.equal(undefined);
    }
  });

  const bad: Record<string, string> = {
    'characters that it does not bring along': 'Z:1>zzzzzz*0+zzzzzz$x',
    'an old length that is made up, with characters that it does not bring along': 'Z:zzzzzz>zzzzz*0+zzzzz$x',
    'more kept than there is': 'Z:5>0*0=zzzzzz$',
    'more removed than there is': 'Z:5<zzzzzz-zzzzzz$',
    'more lines than characters': 'Z:5>0*0|zzzzzz=5$',
    'lines that are not in what it inserts': 'Z:1>2|1+2$xx',
    'a line end that it does not tell of': 'Z:1>2+2$x\n',
    'a line that does not end where it says': 'Z:1>2|1+2$\nx',
    'nothing kept': 'Z:5>0=0$',
    'a number with too many digits': 'Z:00000001>0$',
    'a number above what counts': 'Z:zzzzzzzz>0$',
    'a negative number': 'Z:5>0|-5=3$',
    'a capital letter': 'Z:A>0$',
    'an operator that is none': 'Z:5>0?1$',
    'attributes of nothing': 'Z:5>0*1*2$',
  };
  for (const [what, changeset] of Object.entries(bad)) {
    it(`is refused with ${what}`, () => expect(parseChangeset(changeset)).to.equal(undefined));
  }

  it('lists the attributes of each operator', () => {
    const parsed = parseChangeset('Z:3>1=1*0*1a+1$x');
    expect(parsed?.operators.map(({ attributes }) => attributes)).to.deep.equal([[], [0, 46]]);
  });

  it('is refused with more operators than allowed', () => {
    const many = `Z:${base36(20)}>0${'*0=1=1'.repeat(10)}$`;
    expect(parseChangeset(many, 20)?.operators).to.have.length(20);
    expect(parseChangeset(many, 19)).to.equal(undefined);
  });
});

describe('stored attributes of a text', () => {
  it('must cover exactly this text', () => {
    expect(fitsAttributedText('ab\nc\n', '*0|1+3|1+2')).to.equal(true);
    for (const attribs of ['', '*0|1+3', '*0|1+3|1+3', '|1+5', '|2=5', '*0|zzzzz+zzzzzz', 'x']) {
      expect(fitsAttributedText('ab\nc\n', attribs), attribs).to.equal(false);
    }
  });
});
