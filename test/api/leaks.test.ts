/** The check for secrets that runs in every test: when an answer contains a secret, the test that gets it must fail. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import supertest, { type Agent } from 'supertest';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { createTestPorts, useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { readDocument } from '../support/document';
import { buildUser, type TestUser } from '../support/factories';
import { watchAnswers, watchDatabase } from '../support/leaks';
import { inProcessOnly } from '../support/network';

interface Planted {
  body?: unknown;
  /** Parts of the answer that are sent separately, before the body. */
  pieces?: string[];
  headers?: Record<string, string | string[]>;
  path?: string;
}

// This starts a server that leaks on purpose. Over the network, the log of the real one is searched at the end:
// test/network/leaks.test.ts.
inProcessOnly.describe('the search for secrets in every answer', () => {
  const app = useTestApp();
  let user: TestUser;
  let record: UserRecord;
  before(async () => {
    user = await buildUser(app);
    await app.model.users.update(user.id, (one) => ({ ...one, eplAuthorToken: 't.of-a-person' }));
    record = (await app.model.users.get(user.id)) as UserRecord;
  });

  /** Calls a server that gives this answer and has read the record of the user. */
  async function ask({ body = {}, pieces = [], headers = {}, path = '/api/cache/check' }: Planted) {
    const { closeDatabase, ...ports } = await createTestPorts();
    const secrets = watchDatabase(ports.database);
    await ports.database.set(keys.user(user.id), record);
    await ports.database.set(keys.group('g-1'), { _id: 'g-1', password: { salt: 'of an old group, 20' } });
    await ports.database.set(keys.session('the id of a session'), {});
    await ports.database.set(keys.tokenSecret, { base64: 'c2VjcmV0IG9mIHRva2Vucw==' });
    const planted = watchAnswers(
      (_request, response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        for (const piece of pieces) response.write(piece);
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      },
      () => undefined,
      secrets,
    );
    const agent: Agent = supertest(planted);
    const answer = await agent.get(path).buffer(true);
    await closeDatabase();
    return answer;
  }

  const claims = Buffer.from('{"alg":"HS256"}').toString('base64url');
  const token = `${claims}.${claims}.${randomBytes(32).toString('base64url')}`;
  const device = `d.${'Ab-_'.repeat(3)}.0fz9.${'x'.repeat(22)}`;
  const leaks: [string, Planted | (() => Planted), RegExp][] = [
    ['a stored password', { body: { value: { password: { salt: 'x', hash: 'y' } } } }, /a stored password/],
    ['a hash by itself', () => ({ body: { a: (record.password || undefined)?.hash } }), /bcrypt hash/],
    ['a hash of the earlier generation', { body: { a: 'fe'.repeat(64) } }, /an old hash/],
    ['a mailed token', { body: { a: randomBytes(32).toString('hex') } }, /a mailed token/],
    ['a salt, known by its value', { body: ['of an old group, 20'] }, /a stored hash or salt/],
    ['the id of a session', { body: { jti: randomBytes(24).toString('hex') } }, /a session id/],
    ['the id of a session, in capitals', { body: { jti: 'AB'.repeat(24) } }, /a session id/],
    ['the id of a session, known by its value', { body: 'the id of a session' }, /the id of a session/],
    [
      'the author token, whatever its name',
      { body: { author: 't.of-a-person' } },
      /author token of a person/,
    ],
    ['the field of the author token', { body: { user: { eplAuthorToken: '' } } }, /an author token/],
    ['the authors of a person', { body: { user: { authors: ['a.x'] } } }, /an author token/],
    ['what somebody has proved', { body: { unlocked: {} } }, /proofs/],
    ['the secret of the tokens', { body: { a: 'c2VjcmV0IG9mIHRva2Vucw==' } }, /secret of the tokens/],
    ['a token where none belongs', { body: { token } }, /token/],
    ['a token inside a value', { body: { value: { token } }, path: '/api/auth/login' }, /token/],
    ['a stack trace', { body: new Error('x').stack ?? '' }, /stack trace/],
    ['a secret that is sent in pieces', { pieces: ['{"pass', 'word": 1', '}'], body: '' }, /password/],
    ['a secret in a header', { headers: { 'X-Author': 't.of-a-person' } }, /author token/],
    ['a token in a redirect', { headers: { Location: `/p/x?auth_token=${token}` } }, /token/],
    ['a token in another cookie', { headers: { 'Set-Cookie': [`token=${token}`] } }, /token/],
    ['the cookie of a known browser', { body: { device } }, /known browser/],
    ['a secret in the page', { path: '/', body: '<p>t.of-a-person</p>' }, /author token/],
    ['a secret under an odd spelling', { path: '/API/x', body: 't.of-a-person' }, /author token/],
    ['a secret in the description', { path: '/api/openapi.json', body: 't.of-a-person' }, /author token/],
  ];
  for (const [title, planted, fault] of leaks) {
    it(`finds ${title}`, async () => {
      const answer = await ask(typeof planted === 'function' ? planted() : planted);
      expect(answer.status, answer.text).to.equal(599);
      expect(answer.text).to.match(fault);
    });
  }

  const harmless: [string, Planted][] = [
    ['one’s own new token', { body: { success: true, token }, path: '/api/auth/login' }],
    ['the cookie that opens pads', { headers: { 'Set-Cookie': [`mypads_entry=${token}; HttpOnly`] } }],
    ['the cookie of a known browser', { headers: { 'Set-Cookie': [`mypads_device=${device}; HttpOnly`] } }],
    ['the fields that the description tells of', { body: { password: {} }, path: '/api/openapi.json' }],
    ['an id', { body: { key: 'some-group-0f0f0f0f0f0f', hasPassword: true } }],
  ];
  for (const [title, planted] of harmless) {
    it(`accepts ${title}`, async () => {
      const answer = await ask(planted);
      expect([answer.status, answer.text]).to.deep.equal([200, JSON.stringify(planted.body ?? {})]);
    });
  }

  it('uses the secrets of its own server', async () => {
    const leaking = watchAnswers(
      (_request, response) => void response.end(JSON.stringify({ author: 't.of-a-person' })),
      () => undefined,
    );
    expect((await supertest(leaking).get('/api/x')).status).to.equal(200);
    await app.model.users.update(user.id, (one) => ({ ...one, firstname: one.eplAuthorToken }));
    const shown = await callerOf(app, user.token)('get', `user/${user.login}`);
    expect([shown.status, shown.body.fault]).to.deep.equal([
      599,
      `GET /api/user/${user.login} 200 reveals the author token of a person`,
    ]);
  });
});

inProcessOnly.describe('the comparison of every answer with its description', () => {
  const app = useTestApp();

  it('finds a field too many or too few, a wrong status, and an unknown path', async () => {
    const { faultOf } = await readDocument(app.agent);
    const answer = { method: 'GET', path: '/cache/check', status: 200, text: '{"userCacheReady":true}' };
    expect(faultOf(answer)).to.equal(undefined);
    expect(faultOf({ ...answer, text: '{"userCacheReady":true,"more":1}' })).to.match(/described/);
    expect(faultOf({ ...answer, text: '{}' })).to.match(/described/);
    expect(faultOf({ ...answer, path: '/cache' })).to.match(/not in the description/);
    const error = { ...answer, status: 400, text: '{"error":"BACKEND.ERROR.TYPE.ROUTE"}' };
    expect(faultOf(error)).to.match(/not as described/);
  });
});
