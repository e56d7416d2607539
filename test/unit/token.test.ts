import { expect } from 'chai';
import jsonwebtoken from 'jsonwebtoken';
import { createTokens, type Tokens } from '../../model/access/token';
import { createStore, keys, type Store } from '../../model/store/store';
import { createTestPorts } from '../support/app';

describe('tokens', () => {
  let store: Store;
  let tokens: Tokens;
  let close: () => Promise<void>;
  let secret: Buffer;
  let clock = 1_700_000_000_000;
  const now = (): number => clock;
  const hour = 3600_000;
  before(async () => {
    const ports = await createTestPorts();
    close = ports.closeDatabase;
    store = createStore(ports.database, ports.coordination);
    tokens = await createTokens({ store, now });
    secret = Buffer.from((await store.get<{ base64: string }>(keys.tokenSecret))?.base64 ?? '', 'base64');
  });
  after(() => close());

  it('name the session that they were signed for', () => {
    expect(tokens.verify(tokens.sign('abc', 'user', clock + hour), ['user'])).to.deep.include({
      sessionId: 'abc',
    });
    expect(tokens.verify(tokens.sign('abc', 'entry', clock + hour), ['user', 'entry'])).to.deep.equal({
      sessionId: 'abc',
      audience: 'entry',
    });
  });

  it('are valid for one audience only', () => {
    for (const audience of ['admin', 'guest', 'entry'] as const) {
      expect(tokens.verify(tokens.sign('abc', audience, clock + hour), ['user'])).to.equal(undefined);
    }
    expect(tokens.verify(tokens.sign('abc', 'user', clock + hour), [])).to.equal(undefined);
  });

  it('expire at their time', () => {
    const token = tokens.sign('abc', 'user', clock + hour);
    expect(tokens.verify(token, ['user'])).to.deep.include({ sessionId: 'abc' });
    clock += hour;
    expect(tokens.verify(token, ['user'])).to.equal(undefined);
    clock -= 1_000;
    expect(tokens.verify(token, ['user'])).to.deep.include({ sessionId: 'abc' });
  });

  it('with another or no algorithm, without expiry or without audience are refused', () => {
    const claims = { jti: 'abc', aud: 'user', exp: Math.floor(clock / 1000) + 3600 };
    const { exp: _, ...endless } = claims;
    const { aud: __, ...aimless } = claims;
    const forged = [
      jsonwebtoken.sign(claims, secret, { algorithm: 'HS512' }),
      jsonwebtoken.sign(claims, '', { algorithm: 'none' }),
      jsonwebtoken.sign(endless, secret),
      jsonwebtoken.sign(aimless, secret),
      jsonwebtoken.sign({ ...claims, aud: ['user', 'admin'] }, secret),
      jsonwebtoken.sign({ ...claims, jti: undefined }, secret),
      jsonwebtoken.sign('text', secret),
      '',
      'a.b.c',
    ];
    expect(tokens.verify(jsonwebtoken.sign(claims, secret), ['user'])).to.deep.include({ sessionId: 'abc' });
    for (const token of forged) expect(tokens.verify(token, ['user'])).to.equal(undefined);
  });

  it('work on after a restart, because the database keeps the secret', async () => {
    const token = tokens.sign('abc', 'user', clock + hour);
    const restarted = await createTokens({ store, now });
    expect(restarted.verify(token, ['user'])).to.deep.include({ sessionId: 'abc' });
    expect(secret).to.have.length(32);
  });

  it('are all refused when the secret is damaged', async () => {
    const ports = await createTestPorts();
    const damaged = createStore(ports.database, ports.coordination);
    await damaged.set(keys.tokenSecret, { base64: 'AAAA' });
    const failure = await createTokens({ store: damaged, now }).catch((error: Error) => error.message);
    expect(failure).to.match(/damaged/);
    await ports.closeDatabase();
  });
});
