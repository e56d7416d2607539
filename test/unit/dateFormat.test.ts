import { expect } from 'chai';
import { dateFormat, dateFormatter } from '../../model/dateFormat';

const day = (date: number): Date => new Date(2026, 11, date, 14, 5);

describe('dates', () => {
  it('name the first of a month as people do in French and in Brazil, and no other day', () => {
    expect(dateFormat('fr')(day(1))).to.equal('1er décembre 2026');
    expect(dateFormat('pt-BR')(day(1))).to.equal('1º de dezembro de 2026');
    const medium = dateFormatter('fr', { dateStyle: 'medium', timeStyle: 'short' });
    expect(medium(day(1))).to.match(/^1er déc\. 2026/);
    for (const date of [11, 21, 31]) expect(medium(day(date))).to.match(new RegExp(`^${date} déc`));
  });

  it('are those of the language elsewhere', () => {
    expect(dateFormat('en')(day(1))).to.equal('1 December 2026');
    expect(dateFormat('de')(day(1))).to.equal('1. Dezember 2026');
    expect(dateFormatter('fr', { timeStyle: 'short' })(day(1))).to.equal('14:05');
  });
});
