/** The size of a message from an editor, checked before Etherpad handles it. */
import { expect } from 'chai';
import { isWithinBounds } from '../../host/bounds';
import { checkEach } from '../support/cases';

describe('the size of a message', () => {
  const most = { characters: 10, values: 4, depth: 2 };

  it('may reach each limit but not exceed it', () => {
    const cases: Record<string, [value: unknown, isWithin: boolean]> = {
      'ten characters': ['0123456789', true],
      'eleven characters': ['0123456789x', false],
      'ten characters, names of fields counted': [{ abcde: '01234' }, true],
      'eleven characters, names of fields counted': [{ abcdef: '01234' }, false],
      'four values': [[1, 2, 3], true],
      'five values': [[1, 2, 3, 4], false],
      'two levels': [[[1]], true],
      'three levels': [[[[]]], false],
    };
    return checkEach(cases, ([value, isWithin]) => expect(isWithinBounds(value, most)).to.equal(isWithin));
  });

  it('is never valid for binary data', () => {
    expect(isWithinBounds(Buffer.from(''), most)).to.equal(false);
    expect(isWithinBounds([new ArrayBuffer(0)], most)).to.equal(false);
  });
});
