import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { createHasher } from '../../model/passwords/hasher';
import { createPasswords, fingerprint } from '../../model/passwords/password';
import type { PasswordHasher } from '../../model/ports';
import { oldPassword } from '../support/legacy';

const keyOf = (error: unknown): string => (error instanceof MyPadsError ? error.key : String(error));

describe('passwords', () => {
  let hasher: PasswordHasher;
  before(() => {
    hasher = createHasher({ rounds: 4, workers: 1 });
  });
  after(() => hasher.close());

  it('of 1.x still match, and are reported as outdated', async () => {
    const passwords = createPasswords(hasher);
    expect(await passwords.verify('correct hörse', oldPassword)).to.deep.equal({ ok: true, outdated: true });
    expect((await passwords.verify('correct horse', oldPassword)).ok).to.equal(false);
    expect((await passwords.verify('correct hörse', { ...oldPassword, hash: '' })).ok).to.equal(false);
  });

  it('are compared to the last character, also far beyond the 72 bytes of bcrypt', async () => {
    const passwords = createPasswords(hasher);
    const long = 'é'.repeat(400);
    const stored = await passwords.hash(`${long}a`);
    expect(await passwords.verify(`${long}a`, stored)).to.deep.equal({ ok: true, outdated: false });
    expect((await passwords.verify(`${long}b`, stored)).ok).to.equal(false);
    expect((await passwords.verify(long, stored)).ok).to.equal(false);
  });

  it('may contain zero characters and blanks, which are significant', async () => {
    const passwords = createPasswords(hasher);
    const stored = await passwords.hash(' a\0b ');
    expect((await passwords.verify(' a\0b ', stored)).ok).to.equal(true);
    expect((await passwords.verify(' a\0c ', stored)).ok).to.equal(false);
    expect((await passwords.verify('a\0b', stored)).ok).to.equal(false);
  });

  it('above the maximum length are refused, not cut', async () => {
    const passwords = createPasswords(hasher);
    expect(await passwords.hash('x'.repeat(1_001)).catch(keyOf)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    const stored = await passwords.hash('x'.repeat(1_000));
    expect((await passwords.verify('x'.repeat(1_001), stored)).ok).to.equal(false);
  });

  it('never match when nothing, a plain text or an invalid hash is stored', async () => {
    const passwords = createPasswords(hasher);
    for (const stored of [
      null,
      undefined,
      '',
      'plain',
      { hash: 'plain' },
      { scheme: 'bcrypt', hash: 'plain' },
    ] as const) {
      expect(await passwords.verify('plain', stored)).to.deep.equal({ ok: false, outdated: false });
    }
  });

  it('take one comparison whether they are wrong, old or missing', async () => {
    let compared = 0;
    const counting: PasswordHasher = {
      ...hasher,
      compare: (text, hash) => {
        compared += 1;
        return hasher.compare(text, hash);
      },
    };
    const passwords = createPasswords(counting);
    const stored = await passwords.hash('right');
    for (const where of [stored, oldPassword, null]) {
      compared = 0;
      await passwords.verify('wrong', where);
      expect(compared).to.equal(1);
    }
  });

  it('have a fingerprint that changes with each new hash', async () => {
    const passwords = createPasswords(hasher);
    const one = await passwords.hash('same');
    const other = await passwords.hash('same');
    expect(fingerprint(one)).to.equal(fingerprint({ ...one }));
    expect(fingerprint(one)).not.to.equal(fingerprint(other));
    expect(fingerprint(one)).to.match(/^[0-9a-f]{32}$/);
  });
});

describe('the hasher', () => {
  it('refuses calls when its queue is full, and keeps working', async () => {
    const hasher = createHasher({ rounds: 4, workers: 1, queueLimit: 3 });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => hasher.hash('text')));
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map((result) => keyOf(result.reason));
    expect(refused).to.deep.equal(new Array(6).fill('BACKEND.ERROR.SERVER.BUSY'));
    expect(await hasher.hash('text')).to.match(/^\$2b\$04\$/);
    await hasher.close();
    expect(await hasher.hash('text').catch(keyOf)).to.equal('BACKEND.ERROR.SERVER.BUSY');
  });

  it('does not block the event loop', async () => {
    const hasher = createHasher({ rounds: 10, workers: 1 });
    await hasher.hash('warm');
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await Promise.all(Array.from({ length: 5 }, () => hasher.hash('text')));
    clearInterval(timer);
    await hasher.close();
    // If hashing ran on the event loop, the timer would run only once for each hash.
    expect(turns).to.be.above(20);
  });

  it('rejects waiting calls when it is closed', async () => {
    const hasher = createHasher({ rounds: 12, workers: 1 });
    const waiting = [hasher.hash('one').catch(keyOf), hasher.hash('two').catch(keyOf)];
    await hasher.close();
    expect(await Promise.all(waiting)).to.deep.equal([
      'BACKEND.ERROR.SERVER.BUSY',
      'BACKEND.ERROR.SERVER.BUSY',
    ]);
  });
});
