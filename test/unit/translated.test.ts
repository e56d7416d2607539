import { expect } from 'chai';
import { renewed, staleTranslations } from '../../bin/translated';

describe('the translations', () => {
  it('were made from the English texts of today: translate these keys, then run npm run translated', () => {
    expect(staleTranslations()).to.deep.equal({});
  });
});

describe('the list of what the translations were made from', () => {
  const before = {
    'action.open': 'old',
    'de action.save': 'older',
    'action.save': 'old',
    'action.gone': 'old',
  };
  const english = { 'action.open': 'new', 'action.save': 'old' };

  it('names the languages that are behind', () => {
    const stale = staleTranslations(before, english);
    expect(stale.de).to.deep.equal(['action.open', 'action.save']);
    expect(stale.fr).to.deep.equal(['action.open']);
  });

  it('is renewed for all languages, and forgets texts that no longer exist', () => {
    const languages = [...Object.keys(staleTranslations(before, english))];
    const after = renewed(before, english, languages, ['action.open', 'action.save']);
    expect(after).to.deep.equal(english);
  });

  it('is renewed for one language, and the others stay behind', () => {
    const after = renewed(before, english, ['fr'], ['action.open']);
    const stale = staleTranslations(after, english);
    expect(stale.fr).to.equal(undefined);
    expect(stale.de).to.deep.equal(['action.open', 'action.save']);
    expect(stale.it).to.deep.equal(['action.open']);
  });

  it('has every language behind with a new text', () => {
    expect(staleTranslations({}, english).fr).to.deep.equal(['action.open', 'action.save']);
    expect(staleTranslations(renewed({}, english, ['fr'], ['action.open']), english).de).to.deep.equal([
      'action.open',
      'action.save',
    ]);
  });
});
