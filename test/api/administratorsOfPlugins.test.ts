import { expect } from 'chai';
import { lifetimes } from '../../model/limits';
import type { HostAnswer } from '../../model/ports';
import { builtIn, denied, incorrect, loginOf, settingsOf } from '../support/administrators';
import { startApp, type TestApp, useTestAppForEach } from '../support/app';
import { signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';

const unavailable = { error: 'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE' };

// With a mock of the plugin that can fail in every way. test/host/administrators.test.ts has a real plugin.
inProcessOnly.describe('an administrator whom only a plugin of the host knows', () => {
  let app: TestApp;
  let asked: [login: string, address: string][];
  /** What the plugin answers. `present`: whether there is such a plugin. */
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
      const { body } = await login(name, 'wrong');
      expect(body).to.deep.equal(incorrect);
    }
  });

  it('is refused when the plugin knows the account but not as administrator', async () => {
    for (const is_admin of [undefined, false, 'true', 1]) {
      answer = async () => ({ user: { username: 'ada', is_admin } });
      const { body } = await login('ada', 'right');
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
      const { body } = await login('ada', 'typed secret');
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

// Etherpad itself does not create such sessions. test/host/administrators.test.ts tests real ones.
inProcessOnly.describe('a session at Etherpad with a damaged account', () => {
  const app = useTestAppForEach();
  const enter = () => app.agent.post('/api/auth/admin/login/host').set('Cookie', 'express_sid=odd').send({});

  it('begins no session of an administrator', async () => {
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
      expect((await enter()).body, JSON.stringify(user)).to.deep.equal(denied);
    }
  });
});
