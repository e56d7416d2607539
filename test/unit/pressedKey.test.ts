import { expect } from 'chai';
import { pressedKey } from '../../static/app/lib/pressedKey';

describe('the pressed key', () => {
  it('is the same letter with Caps Lock, and on keyboards without Latin letters', () => {
    expect(pressedKey({ key: 'K', code: 'KeyK' })).to.equal('k');
    expect(pressedKey({ key: 'л', code: 'KeyK' })).to.equal('k');
    expect(pressedKey({ key: 'Л', code: 'KeyK' })).to.equal('k');
    expect(pressedKey({ key: 'ן', code: 'KeyI' })).to.equal('i');
  });

  it('is the letter that the keyboard says where it has Latin letters elsewhere (Dvorak)', () => {
    expect(pressedKey({ key: 'k', code: 'KeyV' })).to.equal('k');
  });

  it('stays what it is when it is no letter of a Latin keyboard', () => {
    expect(pressedKey({ key: '?', code: 'Minus' })).to.equal('?');
    expect(pressedKey({ key: 'ArrowDown', code: 'ArrowDown' })).to.equal('ArrowDown');
    expect(pressedKey({ key: 'ж', code: 'Semicolon' })).to.equal('ж');
  });
});
