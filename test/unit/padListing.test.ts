import { expect } from 'chai';
import type { Pad } from '../../api/answers';
import { limits } from '../../model/limits';
import { padSearch, pageOf } from '../../static/app/screens/folders/padListing';
import { sortPads } from '../../static/app/screens/folders/sortPads';

function pad(name: string, ctime = 0, lastUpdate: number | null = null): Pad {
  return {
    _id: name,
    name,
    group: 'g',
    visibility: null,
    readonly: null,
    hasPassword: false,
    ctime,
    lastUpdate,
    effective: { visibility: 'public', passwordOf: null, readonly: false },
    abilities: {
      enter: 'write',
      edit: false,
      remove: false,
      removeChatHistory: false,
      move: false,
      bookmark: false,
      askToWrite: false,
    },
  };
}

const names = (pads: readonly Pad[]): string[] => pads.map(({ name }) => name);

describe('the list of pads', () => {
  it('sorts numbers by their value, and ignores case and accents', () => {
    const pads = ['Pad 10', 'pad 2', 'Zoo', 'école', 'Echo'].map((name) => pad(name));
    const sorted = names(sortPads(pads, { by: 'name', ascending: true }, 'fr'));
    expect(sorted).to.deep.equal(['Echo', 'école', 'pad 2', 'Pad 10', 'Zoo']);
    expect(names(sortPads(pads, { by: 'name', ascending: false }, 'fr'))).to.deep.equal(sorted.reverse());
  });

  it('takes the creation as the last change of an empty pad', () => {
    const pads = [pad('new', 30), pad('old but changed', 10, 40), pad('old', 20)];
    const sorted = sortPads(pads, { by: 'lastUpdate', ascending: false }, 'en');
    expect(names(sorted)).to.deep.equal(['old but changed', 'new', 'old']);
  });

  it('does not change the list that it is given', () => {
    const pads = [pad('b'), pad('a')];
    sortPads(pads, { by: 'name', ascending: true }, 'en');
    expect(names(pads)).to.deep.equal(['b', 'a']);
  });

  it('finds every word of the filter, in any order and case, in the name or the word for the visibility', () => {
    const pads = [pad('Minutes of March (draft'), pad('March past'), pad('Budget')];
    const word = ({ name }: Pad): string => (name === 'Budget' ? 'Private' : '');
    const find = padSearch(pads, word);
    expect(names(find('MARCH min'))).to.deep.equal(['Minutes of March (draft']);
    expect(names(find('(dr'))).to.deep.equal(['Minutes of March (draft']);
    expect(names(find('priv'))).to.deep.equal(['Budget']);
    expect(names(find('  '))).to.have.length(3);
  });

  it('finds names without their accents, and does not add names that only have the letters', () => {
    const pads = [pad('Été à Köln'), pad('Eternal talk'), pad('Minutes')];
    const find = padSearch(pads, () => '');
    expect(names(find('koln ete'))).to.deep.equal(['Été à Köln']);
    expect(names(find('mnts'))).to.deep.equal([]);
  });

  it('shows the nearest page when one is asked for that is not there', () => {
    const items = Array.from({ length: limits.page + 1 }, (_, index) => index);
    expect(pageOf(items, 2)).to.deep.equal({ items: [limits.page], page: 2, pages: 2 });
    expect(pageOf(items, 99).page).to.equal(2);
    for (const asked of [0, -1, Number.NaN, 1.5]) expect(pageOf(items, asked).page).to.equal(1);
    expect(pageOf([], 1)).to.deep.equal({ items: [], page: 1, pages: 1 });
  });
});
