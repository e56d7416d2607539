import { expect } from 'chai';
import { isValidMessage } from '../../hooks/packets';
import { editorLimits } from '../../model/limits';
import { checkEach } from '../support/cases';

describe('a request for the history', () => {
  const isValid = (data: object): boolean =>
    isValidMessage({ component: 'pad', type: 'CHANGESET_REQ', data });
  const { granularity: most } = editorLimits;
  const highest = 2 ** 31 - 1;

  it('may have the highest and the lowest numbers', () => {
    expect(isValid({ start: highest, granularity: most })).to.equal(true);
    expect(isValid({ start: 0, granularity: 1 })).to.equal(true);
  });

  it('is not valid with numbers up to which Etherpad should not count', () =>
    checkEach<object>(
      {
        'a start above the limit': { start: highest + 1, granularity: 1 },
        'a start below zero': { start: -1, granularity: 1 },
        'half a revision': { start: 0.5, granularity: 1 },
        'a text': { start: '0', granularity: 1 },
        'no granularity': { start: 0 },
        'the granularity 0': { start: 0, granularity: 0 },
        'a granularity above the limit': { start: 0, granularity: most + 1 },
        'half a granularity': { start: 0, granularity: 1.5 },
      },
      (data) => expect(isValid(data)).to.equal(false),
    ));
});
