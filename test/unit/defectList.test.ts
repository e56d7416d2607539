import { expect } from 'chai';
import { codesIn, defects, defectsUntested } from '../support/defects';

describe('the list of defects of ep_mypads 1.x', () => {
  const codes = Object.keys(defects);

  it('is compared with the codes that titles of tests name in parentheses, one or several', () => {
    expect(codesIn('a group is not taken over by its id in a body (C7)')).to.deep.equal(['C7']);
    expect(codesIn('five groups go at once (R2, R3)')).to.deep.equal(['R2', 'R3']);
    expect(codesIn('a database (PostgreSQL) of C3 (1.8.14)')).to.deep.equal([]);
  });

  it('fails a complete run if no passed test covers one of the defects', () => {
    expect(defectsUntested(codes)).to.deep.equal([]);
    expect(defectsUntested(codes.slice(1))).to.have.length(1);
    expect(defectsUntested(codes.slice(1))[0]).to.include('C1');
    expect(defectsUntested([...codes, 'C99'])).to.have.length(1);
  });
});
