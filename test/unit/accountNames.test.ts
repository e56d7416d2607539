import { expect } from 'chai';
import fc from 'fast-check';
import {
  comparableAddress,
  comparableLogin,
  comparableMailbox,
  mixesScripts,
} from '../../model/accounts/accountNames';

describe('names of accounts', () => {
  it('count as one login when they look the same', () => {
    const same = [
      ['alice', 'Alice', 'ａlice', 'alice\u2800', 'ali\u00adce', 'alice\u3164', '\u200balice'],
      ['straße', 'STRASSE', 'Strasse'],
      ['ren\u00e9', 'rene\u0301', 'RENÉ'],
      ['anna maria', 'anna\u00a0maria', 'anna  maria'],
      ['ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
    ];
    for (const logins of same) {
      expect(new Set(logins.map(comparableLogin)), logins.join()).to.have.lengthOf(1);
    }
    expect(new Set(['alice', 'alicé', 'al ice', 'bob'].map(comparableLogin))).to.have.lengthOf(4);
  });

  it('count as one address when mail goes to one mailbox', () => {
    const same = [
      [
        'twin@example.org',
        'twin@ｅxample.org',
        'Twin@Example.ORG',
        'twin＠example.org',
        'twin@example\u3002org',
      ],
      ['ada@müller.example', 'ada@xn--mller-kva.example', 'ada@MÜLLER.example', 'ada@mu\u0308ller.example'],
    ];
    for (const addresses of same) {
      const forms = addresses.map((address) => comparableAddress(address));
      expect(new Set(forms), addresses.join()).to.have.lengthOf(1);
    }
    const terms = { keepCase: true };
    expect(comparableAddress('Twin@ｅxample.org', terms)).to.equal(
      comparableAddress('Twin@EXAMPLE.org', terms),
    );
    expect(comparableAddress('Twin@example.org', terms)).not.to.equal(
      comparableAddress('twin@example.org', terms),
    );
    expect(comparableAddress('a@b.example')).not.to.equal(comparableAddress('a@c.example'));
  });

  it('take no time that depends on how many accents they have', () => {
    for (const name of [`a${'\u0301'.repeat(100_000)}`, `i${'\u0307'.repeat(100_000)}`])
      expect(comparableLogin(name).length).to.be.lessThan(name.length);
    expect(comparableMailbox('a'.repeat(500_000))).to.have.length(500_000);
  });

  it('stay as they are when they are normalised twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(comparableLogin(comparableLogin(text))).to.equal(comparableLogin(text));
        const address = comparableAddress(`a@${text}`);
        expect(comparableAddress(address)).to.equal(address);
      }),
    );
  });

  it('are refused when they mix scripts that nobody writes together', () => {
    for (const login of [
      'alice',
      'аня',
      'user-12_é',
      '田中taro',
      '김kim',
      'カタひら漢字',
      'Ὀδυσσεύς',
      '12',
      'anna.ö',
      'ㄅ漢a',
    ]) {
      expect(mixesScripts(login), login).to.equal(false);
    }
    for (const login of ['аlice', 'pаypal', 'αlpha', 'aдмин', 'каtя', 'אab']) {
      expect(mixesScripts(login), login).to.equal(true);
    }
  });
});
