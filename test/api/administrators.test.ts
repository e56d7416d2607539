import { expect } from 'chai';
import { lifetimes } from '../../model/limits';
import type { HostAnswer } from '../../model/ports';
import type { SessionRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { buildUser, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';

const incorrect = { error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' };
const denied = { error: 'BACKEND.ERROR.AUTHENTICATION.ADMIN' };
const unavailable = { error: 'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE' };

/** Names that every JavaScript object answers to. */
const builtIn = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

const loginOf = (app: TestApp) => (login: unknown, password: unknown) =>
  app.agent.post('/api/auth/admin/login').send({ login, password });

/** Something that only administrators see. */
const settingsOf = (app: TestApp) => (token: string, cookie?: string) => {
  const call = app.agent.get('/api/configuration/title').query({ auth_token: token });
  return cookie === undefined ? call : call.set('Cookie', cookie);
};

describe('administrators of the server', () => {
  let app: TestApp;
  let login: ReturnType<typeof loginOf>;
  let settings: ReturnType<typeof settingsOf>;
  beforeEach(async () => {
    app = await startApp();
    login = loginOf(app);
    settings = settingsOf(app);
  });
  afterEach(() => app.close());

  for (const method of ['get', 'post'] as const) {
    it(`sign in with their account of the host and out again by ${method.toUpperCase()} (W5)`, async () => {
      const token = await signInAsAdmin(app);
      const other = await signInAsAdmin(app);
      expect((await settings(token)).body).to.deep.equal({ key: 'title', value: 'MyPads' });
      const bye = await app.agent[method]('/api/auth/admin/logout').query({ auth_token: token });
      expect(bye.body).to.deep.equal({ success: true });
      expect((await settings(token)).body).to.deep.equal(denied);
      const again = await app.agent[method]('/api/auth/admin/logout').query({ auth_token: token });
      expect(again.body).to.deep.equal(denied);
      expect((await settings(other)).status).to.equal(200);
    });
  }

  it('are not signed out by somebody who is not an administrator', async () => {
    const token = await signInAsAdmin(app);
    const person = await buildUser(app);
    for (const outsider of [person.token, 'garbage', '']) {
      const answer = await app.agent.post('/api/auth/admin/logout').query({ auth_token: outsider });
      expect(answer.body).to.deep.equal(denied);
    }
    expect((await settings(token)).status).to.equal(200);
  });

  it('must have is_admin and a password of the right type in the settings file', async () => {
    expect((await login('plain', 'plainplain')).body).to.deep.equal(denied);
    app.ports.accounts.empty = { password: '', is_admin: true };
    app.ports.accounts.odd = { password: 12345678, is_admin: true };
    app.ports.accounts.none = { is_admin: true };
    app.ports.accounts.nearly = { password: 'nearly', is_admin: 'true' };
    app.ports.accounts.silent = { password: 'silent' };
    for (const [name, password] of [
      ['empty', ''],
      ['odd', 12345678],
      ['odd', '12345678'],
      ['none', 'undefined'],
      ['root', 'rootroot '],
      ['Root', 'rootroot'],
    ]) {
      expect((await login(name, password)).status).to.equal(400);
    }
    expect((await login('nearly', 'nearly')).body).to.deep.equal(denied);
    expect((await login('silent', 'silent')).body).to.deep.equal(denied);
  });

  it('cannot be called __proto__ or another built-in name of JavaScript', async () => {
    for (const name of builtIn) {
      for (const password of ['x', 'undefined', name]) {
        const answer = await login(name, password);
        expect(answer.status).to.equal(400);
        expect(answer.body).to.deep.equal(incorrect);
      }
    }
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });

  it('are told which field is missing', async () => {
    const send = (body: object) => app.agent.post('/api/auth/admin/login').send(body);
    expect((await send({})).body.error).to.equal('BACKEND.ERROR.TYPE.LOGIN_STR');
    expect((await send({ password: 'x' })).body.error).to.equal('BACKEND.ERROR.TYPE.LOGIN_STR');
    expect((await send({ login: 'root' })).body.error).to.equal('BACKEND.ERROR.TYPE.PASSWORD_STR');
  });

  it('lose their session with is_admin, and do not get it back with is_admin', async () => {
    const token = await signInAsAdmin(app);
    app.ports.accounts.root = { password: 'rootroot', is_admin: false };
    expect((await settings(token)).status).to.equal(401);
    app.ports.accounts.root = { password: 'rootroot', is_admin: true };
    expect((await settings(token)).status).to.equal(401);
    expect((await settings(await signInAsAdmin(app))).status).to.equal(200);
  });

  it('lose their session when the account is gone from the settings file', async () => {
    const token = await signInAsAdmin(app);
    delete app.ports.accounts.root;
    expect((await settings(token)).status).to.equal(401);
  });

  it('are signed out after half a day', async () => {
    const token = await signInAsAdmin(app);
    app.ports.advance(lifetimes.adminSession - 60_000);
    expect((await settings(token)).status).to.equal(200);
    app.ports.advance(60_000);
    expect((await settings(token)).status).to.equal(401);
  });

  it('keep a session that was made before the update', async () => {
    const token = await signInAsAdmin(app);
    const [key = ''] = await app.ports.database.findKeys('mypads:session:*', null);
    const { voucher, ...old } = (await app.ports.database.get(key)) as SessionRecord;
    expect(voucher).to.deep.equal({ listed: true });
    await app.ports.database.set(keys.session(old._id), old);
    expect((await settings(token)).status).to.equal(200);
  });
});

describe('an administrator who is signed in at Etherpad itself', () => {
  let app: TestApp;
  let settings: ReturnType<typeof settingsOf>;
  beforeEach(async () => {
    app = await startApp();
    settings = settingsOf(app);
  });
  afterEach(() => app.close());

  const enter = (cookie: string) =>
    app.agent.post('/api/auth/admin/login/host').set('Cookie', cookie).send({});
  const configuration = (cookie: string) => app.agent.get('/api/configuration').set('Cookie', cookie);

  it('signs in without a password, and the page knows that it can', async () => {
    const cookie = await app.signInAtHost('root');
    const before = await configuration(cookie);
    expect(before.body.hostAdministrator).to.equal('root');
    expect(before.body.auth).to.equal(false);
    expect(before.body).not.to.have.property('locked');
    const { status, body } = await enter(cookie);
    expect(status).to.equal(200);
    expect((await settings(body.token, cookie)).body).to.deep.equal({ key: 'title', value: 'MyPads' });
  });

  it('is not recognised by the cookie alone', async () => {
    const cookie = await app.signInAtHost('root');
    const calls = ['configuration/title', 'all-users', 'stats/stats.json'];
    for (const path of calls) {
      const answer = await app.agent.get(`/api/${path}`).set('Cookie', cookie);
      expect(answer.body).to.deep.equal(denied);
    }
  });

  it('has a token that no other browser and no other account can use', async () => {
    const cookie = await app.signInAtHost('root');
    const { token } = (await enter(cookie)).body;
    app.ports.accounts.second = { password: 'secondsecond', is_admin: true };
    expect((await settings(token)).status).to.equal(401);
    expect((await settings(token, await app.signInAtHost('root'))).status).to.equal(401);
    expect((await settings(token, await app.signInAtHost('second'))).status).to.equal(401);
    expect((await settings(token, cookie)).status).to.equal(200);
  });

  it('is signed out here and stays signed in there', async () => {
    const cookie = await app.signInAtHost('root');
    const { token } = (await enter(cookie)).body;
    const bye = await app.agent
      .post('/api/auth/admin/logout')
      .set('Cookie', cookie)
      .query({ auth_token: token });
    expect(bye.status).to.equal(200);
    expect((await settings(token, cookie)).status).to.equal(401);
    expect((await configuration(cookie)).body.hostAdministrator).to.equal('root');
  });

  it('loses the session with the right', async () => {
    const cookie = await app.signInAtHost('root');
    const { token } = (await enter(cookie)).body;
    app.ports.accounts.root = { password: 'rootroot', is_admin: false };
    expect((await settings(token, cookie)).status).to.equal(401);
    expect((await configuration(cookie)).body).not.to.have.property('hostAdministrator');
    expect((await enter(cookie)).body).to.deep.equal(denied);
  });

  it('signs in only from a page of the plugin', async () => {
    const cookie = await app.signInAtHost('root');
    const post = () => app.agent.post('/api/auth/admin/login/host').set('Cookie', cookie);
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];
    for (const type of forms) {
      const answer = await post().set('Content-Type', type).send('{}');
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.JSON' });
    }
    expect((await post()).body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.JSON' });
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await post().set('Sec-Fetch-Site', site).send({})).body).to.deep.equal(denied);
    }
    expect((await post().set('Sec-Fetch-Site', 'same-origin').send({})).status).to.equal(200);
  });

  it('is not let in by GET or by an answer that other sites may read', async () => {
    const cookie = await app.signInAtHost('root');
    for (const method of ['get', 'head', 'put', 'delete'] as const) {
      expect((await app.agent[method]('/api/auth/admin/login/host').set('Cookie', cookie)).status).to.equal(
        404,
      );
    }
    const asked = await app.agent
      .options('/api/auth/admin/login/host')
      .set('Origin', 'https://elsewhere.example.org')
      .set('Access-Control-Request-Method', 'POST')
      .set('Access-Control-Request-Headers', 'content-type');
    const answered = await enter(cookie);
    for (const { headers } of [asked, answered]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    }
  });

  it('gets no session without a session at Etherpad, or with that of a person without is_admin', async () => {
    const cookies = ['', 'express_sid=made-up', await app.signInAtHost('plain').catch(() => '')];
    for (const cookie of cookies) {
      const answer = await enter(cookie);
      expect(answer.status).to.equal(401);
      expect(answer.body).to.deep.equal(denied);
      expect((await configuration(cookie)).body).not.to.have.property('hostAdministrator');
    }
  });

  // Sessions of the host that no host makes; what real ones do is in test/host/administrators.test.ts.
  inProcessOnly.it('gets no session with a damaged account', async () => {
    const users: unknown[] = [
      'root',
      true,
      [],
      { is_admin: true },
      { is_admin: true, username: '' },
      { is_admin: true, username: 5 },
      { is_admin: 'true', username: 'outsider' },
      { is_admin: 1, username: 'outsider' },
      Object.create({ is_admin: true, username: 'outsider' }),
      { is_admin: true, username: 'plain' },
      ...builtIn.map((username) => ({ is_admin: true, username })),
    ];
    for (const user of users) {
      app.ports.hostSessions.set('odd', { id: 'odd', user });
      expect((await enter('express_sid=odd')).body, JSON.stringify(user)).to.deep.equal(denied);
    }
  });
});

// With a stand-in for the plugin, which can be given every fault; test/host/administrators.test.ts has a real one.
inProcessOnly.describe('an administrator whom only a plugin of the host knows', () => {
  let app: TestApp;
  let asked: [login: string, address: string][];
  /** What the plugin does, and whether it is there at all. */
  let answer: (login: string, password: string) => Promise<HostAnswer | undefined>;
  let present: boolean;
  let login: ReturnType<typeof loginOf>;
  let settings: ReturnType<typeof settingsOf>;

  const start = (limitFactor = 1_000) =>
    startApp({
      limitFactor,
      hostAccounts: {
        present: () => present,
        authenticate: (name, password, address) => {
          asked.push([name, address]);
          return answer(name, password);
        },
      },
    });
  beforeEach(async () => {
    asked = [];
    present = true;
    answer = async (username, password) =>
      password === 'right' ? { user: { username, is_admin: true } } : undefined;
    app = await start();
    login = loginOf(app);
    settings = settingsOf(app);
  });
  afterEach(() => app.close());

  it('signs in, and stays for two hours', async () => {
    const { body } = await login('ada', 'right');
    app.ports.advance(lifetimes.pluginAdminSession - 60_000);
    expect((await settings(body.token)).status).to.equal(200);
    app.ports.advance(60_000);
    expect((await settings(body.token)).status).to.equal(401);
    expect(lifetimes.pluginAdminSession).to.be.at.most(2 * 3600_000);
  });

  it('is signed out while that plugin is missing', async () => {
    const { body } = await login('ada', 'right');
    present = false;
    expect((await settings(body.token)).status).to.equal(401);
  });

  it('is signed out as soon as the settings file says that the account is no administrator', async () => {
    const { body } = await login('ada', 'right');
    app.ports.accounts.ada = {};
    expect((await settings(body.token)).status).to.equal(200);
    app.ports.accounts.ada = { is_admin: false };
    expect((await settings(body.token)).status).to.equal(401);
    expect((await login('ada', 'right')).body).to.deep.equal(denied);
  });

  it('must have the password of the settings file if that names the account as administrator', async () => {
    app.ports.accounts.hashed = { is_admin: true };
    const { body } = await login('hashed', 'right');
    app.ports.advance(lifetimes.pluginAdminSession);
    expect((await settings(body.token)).status).to.equal(200);
    delete app.ports.accounts.hashed;
    expect((await settings(body.token)).status).to.equal(401);
  });

  it('is called by the name that the plugin gives, whatever was typed', async () => {
    answer = async () => ({ user: { username: 'ada', is_admin: true } });
    await login('ADA@example.org', 'right');
    const [line] = (await app.lines()).filter(({ message }) => message === 'administrator signed in');
    expect(line?.facts).to.deep.equal({ login: 'ada', by: 'plugin', address: '127.0.0.1' });
  });

  it('gets the same answer for a wrong password as an unknown login', async () => {
    for (const name of ['ada', 'root', 'plain', 'nobody']) {
      const { status, body } = await login(name, 'wrong');
      expect(status).to.equal(400);
      expect(body).to.deep.equal(incorrect);
    }
  });

  it('is refused when the plugin knows the account but not as administrator', async () => {
    for (const is_admin of [undefined, false, 'true', 1]) {
      answer = async () => ({ user: { username: 'ada', is_admin } });
      const { status, body } = await login('ada', 'right');
      expect(status).to.equal(401);
      expect(body).to.deep.equal(denied);
    }
  });

  it('is told that the plugin fails, and the log says how', async () => {
    const faults: [typeof answer, RegExp][] = [
      [() => Promise.reject(new Error('directory is down')), /directory is down/],
      [() => Promise.reject(undefined), /undefined/],
      [(_name, password) => Promise.reject(new Error(`bad ${password}`)), /contains what was typed/],
      [async () => ({ user: undefined }), /without a username/],
      [async () => ({ user: { is_admin: true } }), /without a username/],
      [async () => ({ user: { username: '__proto__', is_admin: true } }), /without a username/],
    ];
    for (const [fault, why] of faults) {
      answer = fault;
      const { status, body } = await login('ada', 'typed secret');
      expect(status).to.equal(503);
      expect(body).to.deep.equal(unavailable);
      const line = (await app.lines()).findLast(({ message }) => message.includes('plugin of Etherpad'));
      expect(line?.facts.error).to.match(why);
    }
    expect(JSON.stringify(await app.lines())).not.to.contain('typed secret');
  });

  it('does not wait for a plugin that never answers, and neither do others', async () => {
    answer = () => new Promise(() => {});
    const waiting = login('ada', 'right').then((one) => one);
    expect((await settings(await signInAsAdmin(app))).status).to.equal(200);
    expect((await waiting).body).to.deep.equal(unavailable);
  });

  it('does not hinder those whose password is in the settings file', async () => {
    answer = () => Promise.reject(new Error('out of order'));
    await signInAsAdmin(app);
    expect(asked).to.deep.equal([]);
  });

  it('cannot have a name with a special meaning in JavaScript or HTTP', async () => {
    for (const name of [...builtIn, 'ada:x', 'ada\u0000', 'ada\nx']) {
      expect((await login(name, 'right')).body).to.deep.equal(incorrect);
    }
    expect(asked).to.deep.equal([]);
  });

  it('is looked up only as often as the limits allow, however the name is written', async () => {
    await app.close();
    app = await start(1);
    const wrong = (name: string) => loginOf(app)(name, 'wrong');
    const names = ['ada', 'ADA', ' ada', 'Ada ', 'aDa', 'ada', 'adA'];
    const statuses = [];
    for (const name of names) statuses.push((await wrong(name)).status);
    expect(statuses).to.deep.equal([400, 400, 400, 400, 400, 429, 429]);
    expect(asked).to.deep.equal(names.slice(0, 5).map((name) => [name, '127.0.0.1']));
  });
});
