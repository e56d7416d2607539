import { expect } from 'chai';
import { limits } from '../../model/limits';
import { freeName } from '../../static/app/screens/newPad/freeName';

describe('the name of a new pad', () => {
  it('gets a number when it is taken, whatever its letter case', () => {
    expect(freeName('Untitled', [])).to.equal('Untitled');
    expect(freeName('Untitled', ['untitled'])).to.equal('Untitled 2');
    expect(freeName('Untitled', ['Untitled', 'Untitled 3', 'UNTITLED 2'])).to.equal('Untitled 4');
    expect(freeName('Untitled', ['Untitled 2'])).to.equal('Untitled');
    expect(freeName('Été', ['E\u0301te\u0301'])).to.equal('Été 2');
  });

  it('is never longer than a name may be, and keeps its number', () => {
    const long = 'a'.repeat(60);
    const cut = 'a'.repeat(limits.name);
    expect(freeName(long, [])).to.equal(cut);
    expect(freeName(long, [cut])).to.equal(`${'a'.repeat(limits.name - 2)} 2`);
  });

  it('does not end with half a character', () => {
    const name = freeName(`${'a'.repeat(limits.name - 1)}😀`, []);
    expect(name).to.equal('a'.repeat(limits.name - 1));
  });
});
