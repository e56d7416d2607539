import { expect } from 'chai';
import { isSafeAttribute, type Pool, padLoad } from '../../hooks/attributes';

/** As Etherpad reads it from its database. */
function poolOf(pairs: unknown[]): Pool {
  const numbers = pairs.map((pair, number) => [String(pair), number]);
  return { numToAttrib: { ...pairs }, attribToNum: Object.fromEntries(numbers) };
}

describe('attributes of a pad', () => {
  it('may be what editors and their plugins write', () => {
    for (const pair of [
      ['author', 'a.g8Fh2kLmN0pQrStU'],
      ['author', ''],
      ['bold', 'true'],
      ['list', 'number1'],
      ['list', ''],
      ['start', '12'],
      ['heading', 'h1'],
      ['comment', 'c-4PNzMWj2Vn'],
      ['img', '<img src="https://example.org/start:a.png" alt="a tag: one, a url: one">'],
      ['link', 'https://example.org/?tag:x=1&url:y=2'],
    ]) {
      expect(isSafeAttribute(pair), JSON.stringify(pair)).to.equal(true);
    }
  });

  it('are pairs of texts', () => {
    for (const pair of [null, undefined, 5, 'list', {}, [], ['bold'], ['bold', true], [['start'], '1']]) {
      expect(isSafeAttribute(pair), JSON.stringify(pair)).to.equal(false);
    }
  });

  it('are repaired one by one in a pad that is read, and the valid ones stay', () => {
    const pool = poolOf([
      ['author', 'a.x'],
      ['start', '1'],
      ['start', '1><img/src=x>'],
      ['list', 'number1 start:1><img/src=x>'],
      [['start'], '1><svg>'],
      ['color', ['red']],
      null,
    ]);
    padLoad('padLoad', { pad: { pool } });
    expect(Object.values(pool.numToAttrib)).to.deep.equal([
      ['author', 'a.x'],
      ['start', '1'],
      ['start', '1imgsrcx'],
      ['list', 'number1start1imgsrcx'],
      ['', '1svg'],
      ['color', ''],
      null,
    ]);
    for (const [number, pair] of Object.entries(pool.numToAttrib)) {
      expect(pool.attribToNum[String(pair)], number).to.equal(Number(number));
    }
    expect(Object.keys(pool.attribToNum)).to.have.length(7);
  });
});
