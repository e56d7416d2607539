import { expect } from 'chai';
import { keepResult } from '../../static/app/lib/keepResult';

describe('a kept result', () => {
  it('is shared while the data is the same, and made again for other data', () => {
    const sorted = keepResult((names: readonly string[], ascending: boolean) =>
      ascending ? [...names].sort() : [...names].sort().reverse(),
    );
    const names = ['b', 'a'];
    const first = sorted(names, true);
    expect(first).to.deep.equal(['a', 'b']);
    expect(sorted(names, true)).to.equal(first);
    expect(sorted(names, false)).to.deep.equal(['b', 'a']);
    expect(sorted(['c'], true)).to.deep.equal(['c']);
    expect(sorted(names, true)).not.to.equal(first);
  });
});
