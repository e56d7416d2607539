import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { startApp, type TestApp, useTestApp } from '../support/app';
import { checkEach } from '../support/cases';
import { buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { listen } from '../support/listening';
import { overNetwork } from '../support/network';

type Method = 'post' | 'put' | 'delete' | 'get';

/** A call with a body: who makes it, and a valid body. */
type Call = [as: 'guest' | 'user' | 'admin', Method, path: string, body: Record<string, unknown>];

describe('bad input', () => {
  const app = useTestApp();
  let user: TestUser;
  let admin: string;
  before(async () => {
    user = await buildUser(app, {
      login: 'target',
      password: 'secret of target',
      email: 'target@example.org',
    });
    admin = await signInAsAdmin(app);
  });

  const signIn = { login: 'target', password: 'secret of target' };
  const password = { password: 'long enough', passwordConfirm: 'long enough' };
  const names = { firstname: 'F', lastname: 'L', organization: 'O', padNickname: 'N', color: '#123456' };
  const newcomer = { login: 'newcomer', email: 'newcomer@example.org', ...password, ...names };
  const calls: Call[] = [
    ['guest', 'post', '/auth/login', signIn],
    ['guest', 'post', '/auth/admin/login', { login: 'root', password: 'rootroot' }],
    ['user', 'post', '/auth/check', signIn],
    ['guest', 'post', '/user', { ...newcomer, hideHelp: true, useLoginAndColorInPads: true, lang: 'fr' }],
    [
      'user',
      'put',
      '/user/target',
      { email: 'other@example.org', ...password, currentPassword: signIn.password },
    ],
    ['user', 'put', '/user/target', { firstname: 'F', color: '#123456', hideHelp: true }],
    ['user', 'delete', '/user/target', { currentPassword: signIn.password }],
    ['admin', 'post', '/configuration', { key: 'title', value: 'Other' }],
    ['admin', 'put', '/configuration/title', { value: 'Other' }],
    ['admin', 'delete', '/configuration/title', {}],
    ['guest', 'post', '/auth/login/cas', { ticket: 'ST-1' }],
    ['user', 'post', '/auth/logout', {}],
    ['guest', 'post', '/passrecover', { email: 'target@example.org' }],
    ['guest', 'put', `/passrecover/${'0'.repeat(64)}`, password],
    ['guest', 'post', '/accountconfirm', { token: '0'.repeat(64) }],
    ['user', 'post', '/userlist', { name: 'List' }],
    ['user', 'put', '/userlist/list-1', { name: 'List', loginsOrEmails: ['target'], ulistid: 'list-1' }],
    ['user', 'delete', '/userlist/list-1', { ulistid: 'list-1' }],
    ['user', 'delete', '/user/target/sessions', {}],
    ['admin', 'post', '/auth/admin/logout', {}],
    ['guest', 'get', '/configuration', {}],
  ];
  /** Bodies are read in one place, before any call: one call of each method and of each caller is enough. */
  const readsAlike = ['/auth/login', '/user/target', '/configuration/title', '/configuration'];

  const send = ([as, method, path]: Call) => {
    const call = app.agent[method](`/api${path}`);
    if (as === 'guest') return call;
    return call.set('Authorization', `Bearer ${as === 'user' ? user.token : admin}`);
  };

  /** All records of the plugin, without the times when sessions were last used. */
  async function everything(): Promise<Record<string, unknown>> {
    const found = await app.ports.database.findKeys('mypads:*', null);
    const values = await Promise.all(
      found.map(async (key) => {
        const value = await app.ports.database.get(key);
        return [key, typeof value === 'object' ? { ...value, lastSeen: 0 } : value] as const;
      }),
    );
    return Object.fromEntries(values);
  }

  const json = 'application/json';
  /** Bodies that every call must refuse: name, text, content type, error and status (400 by default). */
  const rawBodies: [string, string, string, string, number?][] = [
    ['broken JSON', '{"login": ', json, 'JSON'],
    ['a JSON list', '[]', json, 'JSON'],
    ['a JSON text', '"text"', json, 'JSON'],
    ['JSON null', 'null', json, 'JSON'],
    ['a form', 'login=target&password=x', 'application/x-www-form-urlencoded', 'JSON'],
    ['plain text', '{}', 'text/plain', 'JSON'],
    ['an unknown charset', '{}', 'application/json; charset=odd', 'JSON'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}', json, 'PARAM_UNKNOWN'],
    ['constructor', '{"constructor":{"a":1}}', json, 'PARAM_UNKNOWN'],
    ['prototype', '{"prototype":{"a":1}}', json, 'PARAM_UNKNOWN'],
    ['__proto__ inside', '{"value":[{"__proto__":1}]}', json, 'PARAM_UNKNOWN'],
    ['ninety thousand brackets', `{"value":${'['.repeat(45_000)}${']'.repeat(45_000)}}`, json, 'JSON'],
    ['a megabyte', JSON.stringify({ login: 'x'.repeat(1024 * 1024) }), json, 'TOO_LARGE', 413],
  ];

  const wrongValues: unknown[] = [5, true, null, [], ['x'], {}, { length: 3 }, 'x'.repeat(1_001), '\u0000'];

  type Check = () => Promise<void>;

  /** A check for each kind of bad input to a call, by what is wrong with the input. */
  function casesOf(call: Call): Record<string, Check> {
    const [, , path, body] = call;
    const texts = rawBodies.map(([name, text, type, error, status = 400]): [string, Check] => [
      name,
      async () => {
        const answer = await send(call).set('Content-Type', type).send(text);
        expect([answer.status, answer.body.error]).to.deep.equal([status, `BACKEND.ERROR.TYPE.${error}`]);
        expect(answer.headers['content-type']).to.match(/^application\/json/);
      },
    ]);
    const fields = Object.keys(body).map((field): [string, Check] => [
      `a wrong ${field}`,
      async () => {
        for (const value of wrongValues) {
          const fits = typeof value === typeof body[field];
          if (fits && (typeof value === 'boolean' || (field !== 'color' && value === '\u0000'))) continue;
          const answer = await send(call).send({ ...body, [field]: value });
          const told = `${JSON.stringify(value)?.slice(0, 40)}: ${answer.text}`;
          expect(answer.status, told).to.be.within(400, 404);
          expect(answer.body.error, told).to.match(/^(BACKEND\.ERROR|USER\.ERR)\./);
        }
      },
    ]);
    const read = readsAlike.includes(path) ? Object.fromEntries(texts) : {};
    return {
      ...read,
      ...Object.fromEntries(fields),
      'an unknown field, by its name': async () => {
        const answer = await send(call).send({ ...body, surprise: 1 });
        expect(answer.body).to.deep.include({ error: 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN', field: 'surprise' });
      },
      'an _id': async () => {
        const answer = await send(call).send({ ...body, _id: 'somebody-else' });
        expect(answer.status).to.equal(400);
        expect(answer.body.field).to.equal('_id');
      },
    };
  }

  it('of every kind is refused, whichever call gets it, and changes nothing', async () => {
    const before = await everything();
    for (const call of calls) {
      const [, method, path] = call;
      const cases = Object.entries(casesOf(call)).map(
        ([name, check]) => [`${method} ${path}: ${name}`, check] as const,
      );
      await checkEach(cases, (check) => check());
      expect(await everything(), `${method} ${path}`).to.deep.equal(before);
    }
    expect((await app.lines()).filter(({ level }) => level === 'error')).to.deep.equal([]);
    expect(({} as Record<string, unknown>).isAdmin).to.equal(undefined);
  });

  it('of halves of characters is stored without them, so that every program can print it', async () => {
    const body = { name: 'Cut \ud83d', tags: ['\udc00', 'whole \u{1f600}'] };
    const made = await send(['user', 'post', '/group', {}]).send(body);
    expect(made.status).to.equal(200);
    const { name, tags } = made.body.value;
    expect([name, tags]).to.deep.equal(['Cut \ufffd', ['\ufffd', 'whole \u{1f600}']]);
  });

  it('missing fields are reported with the error keys of 1.x', async () => {
    const cases: [string, object, string][] = [
      ['/auth/login', {}, 'TYPE.LOGIN_STR'],
      ['/auth/login', { login: '', password: 'x' }, 'TYPE.LOGIN_STR'],
      ['/auth/login', { login: 'target' }, 'TYPE.PASSWORD_STR'],
      ['/auth/login', { login: 'target', password: '' }, 'TYPE.PASSWORD_STR'],
      ['/auth/admin/login', { login: 'root' }, 'TYPE.PASSWORD_STR'],
      ['/user', {}, 'TYPE.PARAM_STR'],
      ['/user', { login: '   ', password: 'long enough', email: 'a@b.org' }, 'TYPE.PARAM_STR'],
      ['/user', { login: 'x'.repeat(41), password: 'long enough', email: 'a@b.org' }, 'TYPE.PARAM_STR'],
      ['/user', { login: 'x', email: 'a@b.org' }, 'TYPE.PARAM_STR'],
      ['/user', { login: 'x', password: 'long enough' }, 'TYPE.MAIL'],
      ['/user', { login: 'x', password: 'long enough', email: '<b>a@b.org</b>' }, 'TYPE.MAIL'],
      ['/user', { login: 'x', password: 'long enough', email: 'a@b.org\nBcc: c@d.org' }, 'TYPE.MAIL'],
    ];
    for (const [path, body, error] of cases) {
      const answer = await app.agent.post(`/api${path}`).send(body);
      expect(answer.status, JSON.stringify(body)).to.equal(400);
      expect(answer.body.error, JSON.stringify(body)).to.equal(`BACKEND.ERROR.${error}`);
    }
  });

  it('calls that do not exist answer 404 as JSON', async () => {
    const calls: [Method, string][] = [
      ['get', '/api'],
      ['get', '/api/nothing'],
      ['post', '/api/cache/check'],
      ['put', '/api/configuration'],
      ['delete', '/api/user'],
      ['get', '/api/auth/login'],
      ['get', '/nothing'],
      ['get', '/assets/../package.json'],
      ['get', '/api/user/%E0%A4%A'],
      ['get', '/assets/%E0%A4%A'],
    ];
    for (const [method, path] of calls) {
      const answer = await app.agent[method](path);
      expect(answer.body, path).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.ROUTE' });
    }
  });

  it('unusual paths of known calls match no account', async () => {
    for (const name of ['%00', '%2e%2e', '__proto__', 'constructor', 'x'.repeat(400), '%F0%9F%98%80']) {
      const answer = await app.agent.get(`/api/user/${name}`).query({ auth_token: admin });
      expect(answer.body.error, name).to.equal('BACKEND.ERROR.USER.NOT_FOUND');
    }
  });
});

describe('a host of another version', () => {
  let app: TestApp;
  let host: string;
  let stop: (() => Promise<void>) | undefined;
  before(async () => {
    app = await startApp();
    if (overNetwork) {
      host = (await app.listen()).url;
      return;
    }
    // Prepares requests as Express 4 does: the query can have nested objects, and the body is parsed already.
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      Object.assign(request, { query: { auth_token: { nested: 'object' } } });
      Object.assign(request, { body: text === '' ? {} : JSON.parse(text), _body: true, baseUrl: '/mypads' });
      Object.assign(request, { originalUrl: request.url, url: request.url?.slice('/mypads'.length) });
      app.handler(request, response);
    });
    ({ url: host, stop } = await listen(server));
  });
  after(async () => {
    await stop?.();
    await app.close();
  });

  it('does not change how calls are read', async () => {
    const user = await buildUser(app);
    const base = `${host}/mypads/api`;
    const signedIn = await fetch(`${base}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ login: user.login, password: user.password }),
    });
    expect(signedIn.status).to.equal(200);
    const mine = await fetch(`${base}/configuration?auth_token=${user.token}`);
    expect((await mine.json()).auth).to.equal(true);
    expect(mine.headers.get('x-powered-by')).to.equal(null);
    const polluted = await fetch(`${base}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"login":"a","password":"b","__proto__":{"x":1}}',
    });
    expect(polluted.status).to.equal(400);
  });

  it('survives a caller who disconnects in the middle', async () => {
    const { url, close } = await app.listen();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      'POST /mypads/api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"lo',
    );
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await app.agent.get('/api/cache/check')).status).to.equal(200);
    expect((await app.lines()).filter(({ level }) => level === 'error')).to.deep.equal([]);
    await close();
  });
});
