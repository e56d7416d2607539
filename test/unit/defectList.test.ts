import { expect } from 'chai';
import { codesIn, defects, defectsUntested } from '../support/defects';

describe('what the earlier generation got wrong', () => {
  const codes = Object.keys(defects);

  it('is found in titles by its code, alone or with others', () => {
    expect(codesIn('a group is not taken over by its id in a body (C7)')).to.deep.equal(['C7']);
    expect(codesIn('five groups go at once (R2, R3)')).to.deep.equal(['R2', 'R3']);
    expect(codesIn('a database (PostgreSQL) of C3 (1.8.14)')).to.deep.equal([]);
  });

  it('fails a whole run in which no test that passed is about it', () => {
    expect(defectsUntested(codes)).to.deep.equal([]);
    expect(defectsUntested(codes.slice(1))).to.have.length(1);
    expect(defectsUntested(codes.slice(1))[0]).to.include('C1');
    expect(defectsUntested([...codes, 'C99'])).to.have.length(1);
  });
});
