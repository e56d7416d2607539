import { expect } from 'chai';
import fc from 'fast-check';
import { newId, slug } from '../../model/ids';

describe('ids', () => {
  it('contain the name they were made for', () => {
    expect(slug('Réunion du Comité')).to.equal('reunion-du-comite');
    expect(slug('  Straße -- Łódź! ')).to.equal('strasse-lodz');
    expect(slug('Привет, мир')).to.equal('privet-mir');
    expect(slug('Αθήνα')).to.match(/^[a-z0-9]+$/);
    expect(slug('会議')).to.equal('');
    expect(newId('Réunion')).to.match(/^reunion-[a-z0-9]{12}$/);
    expect(newId('会議')).to.match(/^[a-z0-9]{12}$/);
  });

  it('are valid pad ids of at most 50 characters, whatever the name is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (name) =>
        /^[a-z0-9]([a-z0-9-]{10,48})[a-z0-9]$/.test(newId(name)),
      ),
    );
  });

  it('are never equal', () => {
    const many = new Set(Array.from({ length: 10_000 }, () => newId('same')));
    expect(many.size).to.equal(10_000);
  });
});
