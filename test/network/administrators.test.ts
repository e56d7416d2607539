import { expect } from 'chai';
import { lifetimes } from '../../model/limits';
import type { SessionRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { builtIn, denied, incorrect, loginOf, settingsOf } from '../support/administrators';
import { useTestAppForEach } from '../support/app';
import { buildUser, signInAsAdmin } from '../support/factories';

describe('administrators of the server', () => {
  const app = useTestAppForEach();
  let login: ReturnType<typeof loginOf>;
  let settings: ReturnType<typeof settingsOf>;
  beforeEach(async () => {
    login = loginOf(app);
    settings = settingsOf(app);
  });

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

  it('must have is_admin and a password of the right type in the settings file (C12)', async () => {
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
      ['admin', 'admin'],
      ['grace', 'admin'],
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

  it('lose their session when is_admin is taken away, and do not get it back when it is given again', async () => {
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
