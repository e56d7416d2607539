import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { startApp, type TestApp, useTestApp } from '../support/app';
import { checkEach } from '../support/cases';
import { buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { overNetwork } from '../support/network';

type Method = 'post' | 'put' | 'delete' | 'get';

/** A call with a body: who makes it, and a valid body. */
interface Call {
  method: Method;
  path: string;
  as: 'guest' | 'user' | 'admin';
  body: Record<string, unknown>;
}

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

  const calls: Call[] = [
    {
      method: 'post',
      path: '/auth/login',
      as: 'guest',
      body: { login: 'target', password: 'secret of target' },
    },
    { method: 'post', path: '/auth/admin/login', as: 'guest', body: { login: 'root', password: 'rootroot' } },
    {
      method: 'post',
      path: '/auth/check',
      as: 'user',
      body: { login: 'target', password: 'secret of target' },
    },
    {
      method: 'post',
      path: '/user',
      as: 'guest',
      body: {
        login: 'newcomer',
        password: 'long enough',
        passwordConfirm: 'long enough',
        email: 'newcomer@example.org',
        firstname: 'F',
        lastname: 'L',
        organization: 'O',
        padNickname: 'N',
        color: '#123456',
        hideHelp: true,
        useLoginAndColorInPads: true,
        lang: 'fr',
      },
    },
    {
      method: 'put',
      path: '/user/target',
      as: 'user',
      body: {
        email: 'other@example.org',
        password: 'long enough',
        passwordConfirm: 'long enough',
        currentPassword: 'secret of target',
        firstname: 'F',
        color: '#123456',
        hideHelp: true,
      },
    },
    { method: 'delete', path: '/user/target', as: 'user', body: { currentPassword: 'secret of target' } },
    { method: 'post', path: '/configuration', as: 'admin', body: { key: 'title', value: 'Other' } },
    { method: 'put', path: '/configuration/title', as: 'admin', body: { value: 'Other' } },
    { method: 'delete', path: '/configuration/title', as: 'admin', body: {} },
    { method: 'post', path: '/auth/login/cas', as: 'guest', body: { ticket: 'ST-1' } },
    { method: 'post', path: '/auth/logout', as: 'user', body: {} },
    { method: 'post', path: '/passrecover', as: 'guest', body: { email: 'target@example.org' } },
    {
      method: 'put',
      path: `/passrecover/${'0'.repeat(64)}`,
      as: 'guest',
      body: { password: 'long enough', passwordConfirm: 'long enough' },
    },
    { method: 'post', path: '/accountconfirm', as: 'guest', body: { token: '0'.repeat(64) } },
    { method: 'post', path: '/userlist', as: 'user', body: { name: 'List' } },
    {
      method: 'put',
      path: '/userlist/list-1',
      as: 'user',
      body: { name: 'List', loginsOrEmails: ['target'], ulistid: 'list-1' },
    },
    { method: 'delete', path: '/userlist/list-1', as: 'user', body: { ulistid: 'list-1' } },
    { method: 'delete', path: '/user/target/sessions', as: 'user', body: {} },
    { method: 'post', path: '/auth/admin/logout', as: 'admin', body: {} },
  ];

  const send = ({ method, path, as }: Call) => {
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

  /** Bodies that every call must refuse: name, text, content type, status and error key. */
  const rawBodies: [string, string, string, number, string][] = [
    ['broken JSON', '{"login": ', 'application/json', 400, 'BACKEND.ERROR.TYPE.JSON'],
    ['a JSON list', '[]', 'application/json', 400, 'BACKEND.ERROR.TYPE.JSON'],
    ['a JSON text', '"text"', 'application/json', 400, 'BACKEND.ERROR.TYPE.JSON'],
    ['JSON null', 'null', 'application/json', 400, 'BACKEND.ERROR.TYPE.JSON'],
    [
      'a form',
      'login=target&password=x',
      'application/x-www-form-urlencoded',
      400,
      'BACKEND.ERROR.TYPE.JSON',
    ],
    ['plain text', '{}', 'text/plain', 400, 'BACKEND.ERROR.TYPE.JSON'],
    ['an unknown charset', '{}', 'application/json; charset=odd', 400, 'BACKEND.ERROR.TYPE.JSON'],
    [
      '__proto__',
      '{"__proto__":{"isAdmin":true}}',
      'application/json',
      400,
      'BACKEND.ERROR.TYPE.PARAM_UNKNOWN',
    ],
    ['constructor', '{"constructor":{"a":1}}', 'application/json', 400, 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN'],
    [
      '__proto__ inside',
      '{"value":[{"__proto__":1}]}',
      'application/json',
      400,
      'BACKEND.ERROR.TYPE.PARAM_UNKNOWN',
    ],
    [
      'a megabyte',
      JSON.stringify({ login: 'x'.repeat(1024 * 1024) }),
      'application/json',
      413,
      'BACKEND.ERROR.TYPE.TOO_LARGE',
    ],
  ];

  const wrongValues: unknown[] = [5, true, null, [], ['x'], {}, { length: 3 }, 'x'.repeat(1_001), '\u0000'];

  type Check = () => Promise<void>;

  /** A check for each kind of bad input to a call, by what is wrong with the input. */
  function casesOf(call: Call): Record<string, Check> {
    const texts = rawBodies.map(([name, text, type, status, error]): [string, Check] => [
      name,
      async () => {
        const answer = await send(call).set('Content-Type', type).send(text);
        expect(answer.status).to.equal(status);
        expect(answer.body.error).to.equal(error);
        expect(answer.headers['content-type']).to.match(/^application\/json/);
      },
    ]);
    const fields = Object.keys(call.body).map((field): [string, Check] => [
      `a wrong ${field}`,
      async () => {
        for (const value of wrongValues) {
          const fits = typeof value === typeof call.body[field];
          if (fits && (typeof value === 'boolean' || (field !== 'color' && value === '\u0000'))) continue;
          const answer = await send(call).send({ ...call.body, [field]: value });
          const told = `${JSON.stringify(value)?.slice(0, 40)}: ${answer.text}`;
          expect(answer.status, told).to.be.within(400, 404);
          expect(answer.body.error, told).to.match(/^(BACKEND\.ERROR|USER\.ERR)\./);
        }
      },
    ]);
    return {
      ...Object.fromEntries([...texts, ...fields]),
      'ninety thousand brackets': async () => {
        const deep = `{"value":${'['.repeat(45_000)}${']'.repeat(45_000)}}`;
        const answer = await send(call).set('Content-Type', 'application/json').send(deep);
        expect(answer.status).to.equal(400);
      },
      'an unknown field, by its name': async () => {
        const answer = await send(call).send({ ...call.body, surprise: 1 });
        expect(answer.status).to.equal(400);
        expect(answer.body).to.deep.include({ error: 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN', field: 'surprise' });
      },
      'an _id': async () => {
        const answer = await send(call).send({ ...call.body, _id: 'somebody-else' });
        expect(answer.status).to.equal(400);
        expect(answer.body.field).to.equal('_id');
      },
    };
  }

  for (const call of calls) {
    it(`of every kind is refused by ${call.method.toUpperCase()} ${call.path} and changes nothing`, async () => {
      const before = await everything();
      await checkEach(casesOf(call), (check) => check());
      expect(await everything()).to.deep.equal(before);
      expect((await app.lines()).filter(({ level }) => level === 'error')).to.deep.equal([]);
    });
  }

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
      expect(answer.status, path).to.equal(404);
      expect(answer.body, path).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.ROUTE' });
    }
  });

  it('unusual paths of known calls match no account', async () => {
    for (const name of ['%00', '%2e%2e', '__proto__', 'constructor', 'x'.repeat(400), '%F0%9F%98%80']) {
      const answer = await app.agent.get(`/api/user/${name}`).query({ auth_token: admin });
      expect(answer.status, name).to.equal(404);
      expect(answer.body.error, name).to.equal('BACKEND.ERROR.USER.NOT_FOUND');
    }
  });
});

describe('a host of another version', () => {
  let app: TestApp;
  let server: Server;
  let host: string;
  before(async () => {
    app = await startApp();
    if (overNetwork) {
      host = (await app.listen()).url;
      return;
    }
    // Prepares requests as Express 4 does: the query can have nested objects, and the body is parsed already.
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      Object.assign(request, { query: { auth_token: { nested: 'object' } } });
      Object.assign(request, { body: text === '' ? {} : JSON.parse(text), _body: true, baseUrl: '/mypads' });
      Object.assign(request, { originalUrl: request.url, url: request.url?.slice('/mypads'.length) });
      app.handler(request, response);
    });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server?.close();
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
