/** What programs of ep_mypads 1.x send and read, whatever the call: tokens, headers, passwords in a query, errors. */
import { expect } from 'chai';
import type { Test } from 'supertest';
import { useTestApp } from '../support/app';
import { callerOf, type Method } from '../support/caller';
import { buildGroup, buildPad, signIn, signInAsAdmin } from '../support/factories';
import { usePerson } from '../support/people';

describe('programs written for 1.x', () => {
  const app = useTestApp();
  const { user } = usePerson(app, before);
  const { user: friend } = usePerson(app, before);
  let admin: string;
  let group: string;
  let pad: string;
  let list: string;
  before(async () => {
    admin = await signInAsAdmin(app);
    group = (await buildGroup(app, user, { visibility: 'private', password: 'ÿ>>>???' }))._id;
    pad = (await buildPad(app, user, { _id: group }))._id;
    list = (await callerOf(app, user.token)('post', 'userlist', { name: 'L' })).body.key;
  });

  /** Calls that need a token and can be repeated. */
  const calls: [Method, () => string, 'user' | 'admin', (() => object)?][] = [
    ['get', () => `user/${user.login}`, 'user'],
    ['get', () => 'group', 'user'],
    ['get', () => 'userlist', 'user'],
    ['get', () => 'all-users', 'admin'],
    ['get', () => 'search-users/person', 'admin'],
    ['get', () => 'configuration/title', 'admin'],
    ['post', () => 'auth/check', 'user', () => ({ login: user.login, password: user.password })],
    ['post', () => 'group', 'user', () => ({ name: 'G' })],
    ['post', () => 'group', 'admin', () => ({ name: 'G', admin: user.id })],
    [
      'post',
      () => 'group/invite',
      'user',
      () => ({ gid: group, invite: true, loginsOrEmails: [friend.login] }),
    ],
    ['post', () => 'pad', 'user', () => ({ name: 'P', group })],
    ['post', () => `pad/${pad}/ticket`, 'user', () => ({})],
    ['post', () => 'usermark', 'user', () => ({ type: 'pads', key: pad })],
    ['post', () => 'userlist', 'user', () => ({ name: 'L' })],
    ['post', () => 'configuration', 'admin', () => ({ key: 'title', value: 'T' })],
    ['put', () => `user/${user.login}`, 'user', () => ({ lang: 'fr' })],
    ['put', () => `user/${friend.login}`, 'admin', () => ({ lang: 'fr' })],
    ['put', () => `group/${group}`, 'user', () => ({ name: 'G' })],
    ['put', () => `pad/${pad}`, 'user', () => ({ name: 'P' })],
    ['put', () => `userlist/${list}`, 'user', () => ({ name: 'L' })],
    ['put', () => 'configuration/title', 'admin', () => ({ value: 'T' })],
    ['delete', () => `pad/chathistory/${pad}`, 'user', () => ({})],
    ['delete', () => `user/${user.login}/sessions`, 'user', () => ({})],
    ['delete', () => 'configuration/title', 'admin', () => ({})],
  ];

  const carriages: Record<string, (request: Test, token: string, body: object | undefined) => Test> = {
    'Authorization: Bearer': (request, token, body) =>
      request.set('Authorization', `Bearer ${token}`).send(body),
    'Authorization: JWT': (request, token, body) => request.set('Authorization', `JWT ${token}`).send(body),
    'auth_token in the query': (request, token, body) => request.query({ auth_token: token }).send(body),
    'auth_token beside the password for a proxy': (request, token, body) =>
      request.set('Authorization', 'Basic cm9vdDpyb290').query({ auth_token: token }).send(body),
    'auth_token in the body': (request, token, body) => request.send({ ...body, auth_token: token }),
  };

  for (const [how, carry] of Object.entries(carriages)) {
    it(`may send the token as ${how}, in every call`, async () => {
      for (const [method, path, who, body] of calls) {
        const told = `${method} ${path()}`;
        const call = () => app.agent[method](`/api/${path()}`);
        const token = who === 'admin' ? admin : user.token;
        expect((await carry(call(), token, body?.())).status, told).to.equal(200);
        expect((await carry(call(), 'worth nothing', body?.())).status, told).to.equal(401);
      }
    });
  }

  it('may send unknown parameters in a query, as browsers and old pages do', async () => {
    for (const [path, token] of [
      [`user/${user.login}?admin=true`, admin],
      ['group?_=1795226493712', user.token],
      ['configuration?_=1', ''],
      [`configuration/public/allpadspublicsauthentifiedonly?pid=${pad}&_=1`, ''],
      [`pad/ispublic/${pad}?auth_token=&_=1`, ''],
      ['all-users?_=1', admin],
    ] as const) {
      const answer = await app.agent.get(`/api/${path}`).set('Authorization', `Bearer ${token || 'x'}`);
      expect(answer.status, path).to.equal(200);
    }
  });

  it('are told not to cache answers, also by the header of 1.x', async () => {
    for (const path of [
      'configuration',
      'configuration/title',
      'configuration/public/allpadspublicsauthentifiedonly',
      'userlist',
      'group/nothing-here',
    ]) {
      const { headers } = await callerOf(app, path.startsWith('conf') ? admin : user.token)('get', path);
      expect(headers.expires, path).to.equal('-1');
      expect(headers['cache-control'], path).to.equal('no-store');
    }
  });

  it('may cache a list, and ask each time whether it has changed', async () => {
    for (const path of ['group', `group/${group}`, 'overview']) {
      const { headers } = await callerOf(app, user.token)('get', path);
      expect(headers.expires, path).to.equal('-1');
      expect(headers['cache-control'], path).to.equal('private, no-cache');
      expect(headers.vary, path).to.match(/Authorization/);
      expect(headers.etag, path).to.match(/^"[\w-]+"$/);
    }
  });

  it('may send a password in either alphabet of Base64, with an unencoded + (B2)', async () => {
    const standard = Buffer.from('ÿ>>>???', 'utf8').toString('base64');
    expect(standard).to.match(/\+/).and.to.match(/\//);
    const spellings = [
      encodeURIComponent(standard),
      standard.replaceAll('+', '-').replaceAll('/', '_'),
      Buffer.from('ÿ>>>???', 'utf8').toString('base64url'),
      standard,
    ];
    for (const what of [`group/${group}`, `pad/${pad}`]) {
      for (const password of spellings) {
        const answer = await callerOf(app)('get', `${what}?password=${password}`);
        expect(answer.status, password).to.equal(200);
        expect(answer.body.token, password).to.be.a('string');
      }
      expect((await callerOf(app)('get', `${what}?password=${standard}x`)).status).to.equal(401);
    }
  });

  it('may send the current password with a profile, as in 1.x, and no session ends', async () => {
    const save = (body: object) => callerOf(app, user.token)('put', `user/${user.login}`, body);
    const whole = (await callerOf(app, user.token)('get', `user/${user.login}`)).body.value;
    const saved = await save({ ...whole, firstname: 'Old', password: user.password });
    expect([saved.status, saved.body.value.firstname]).to.deep.equal([200, 'Old']);
    const moved = await save({ ...whole, email: 'moved@example.org', password: user.password });
    expect([moved.status, moved.body.value.email]).to.deep.equal([200, 'moved@example.org']);
    for (const password of ['another secret', `${user.password} `]) {
      const refused = await save({ ...whole, email: 'again@example.org', password });
      expect(refused.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    }
    const { body } = await callerOf(app, user.token)('get', 'configuration');
    expect([body.auth, body.user.email]).to.deep.equal([true, 'moved@example.org']);
    await signIn(app, user.login, user.password);
  });

  it('get JSON with the key of what is wrong, whatever is wrong', async () => {
    const guest = callerOf(app);
    const answers = [
      await guest('get', 'group'),
      await guest('get', 'unknown'),
      await guest('get', 'user/%zz'),
      await guest('post', 'auth/login', {}),
      await guest('delete', 'configuration/title'),
      await app.agent.post('/api/auth/login').set('Content-Type', 'application/json').send('{"'),
      await app.agent.patch('/api/group'),
      await app.agent.get('/api/group').set('Accept', 'text/html'),
    ];
    for (const { status, headers, body } of answers) {
      expect(status).to.be.within(400, 404);
      expect(headers['content-type']).to.match(/^application\/json/);
      expect(body.error).to.match(/^BACKEND\.ERROR\./);
    }
  });

  it('get success: true with every change, and never with an error', async () => {
    for (const [method, path, who, body] of calls) {
      const answer = await callerOf(app, who === 'admin' ? admin : user.token)(method, path(), body?.());
      expect(answer.body.success, `${method} ${path()}`).to.equal(method === 'get' ? undefined : true);
      const refused = await callerOf(app)(method, path(), body?.());
      expect(refused.body, `${method} ${path()}`).not.to.have.property('success');
    }
  });
});
