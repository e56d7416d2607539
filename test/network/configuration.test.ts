import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app';
import { buildGroup, buildPad, buildUser, signInAsAdmin } from '../support/factories';

describe('settings over HTTP', () => {
  let app: TestApp;
  let admin: string;
  beforeEach(async () => {
    app = await startApp();
    admin = await signInAsAdmin(app);
  });
  afterEach(() => app.close());

  const get = (path = '', token = '') =>
    app.agent.get(`/api/configuration${path}`).query({ auth_token: token });
  const put = (key: string, value: unknown, token = admin) =>
    app.agent.put(`/api/configuration/${key}`).set('Authorization', `Bearer ${token}`).send({ value });

  it('are shown to everybody only as far as they are public', async () => {
    const { body, headers } = await get();
    expect(headers['cache-control']).to.equal('no-store');
    expect(body.auth).to.equal(false);
    expect(body.value).to.have.keys(
      'title',
      'passwordMin',
      'passwordMax',
      'languages',
      'defaultLanguage',
      'loginMsg',
      'guide',
      'guidePage',
      'openRegistration',
      'allowRequests',
      'searchTexts',
      'apiTokens',
      'hideHelpBlocks',
      'useFirstLastNameInPads',
      'authMethod',
      'authMethods',
      'autoSignIn',
      'signInMethods',
      'storesPasswords',
      'authCasSettings',
      'allPadsPublicsAuthentifiedOnly',
      'linksMaxDays',
      'trashDays',
      'disableLogoutButton',
      'disableLangageSelect',
      'disableUserList',
      'disableUserProfile',
      'userLoginsAsAdmin',
      'HTMLExtraHead',
      'passwordRecovery',
    );
    expect(body.value.authCasSettings).to.have.keys('serverUrl', 'loginUrl', 'logoutUrl');
  });

  it('show a person their own account, and an administrator everything but passwords (W14)', async () => {
    await app.close();
    const ldap = { url: 'ldap://127.0.0.1:1', bindCredentials: 'bind secret' };
    app = await startApp({
      prepare: (database) => database.set('mypads:conf:authLdapSettings', ldap),
    });
    admin = await signInAsAdmin(app);
    const user = await buildUser(app);
    const own = (await get('', user.token)).body;
    expect(own.auth).to.equal(true);
    expect(own.user).to.deep.equal(user.value);
    expect(own.value).not.to.have.property('rootUrl');
    await put('SMTPPass', 'mail secret');
    const all = await get('', admin);
    expect(all.body.auth).to.equal(true);
    expect(all.body).not.to.have.property('user');
    expect(all.body.value).to.include({ rootUrl: '', allowEtherPads: true, tokenDuration: 60 });
    expect(all.body.value.authCasSettings).to.have.property('protocolVersion', 3);
    expect(all.text).not.to.match(/mail secret|bind secret/);
    expect(all.body.secrets).to.have.members(['SMTPPass', 'authLdapSettings.bindCredentials']);
    expect(all.body.locked).to.deep.equal([]);
    for (const { body } of [await get('', user.token), await get()]) {
      expect(body).not.to.have.any.keys('secrets', 'locked');
    }
  });

  it('are read, changed and reset by administrators', async () => {
    expect((await put('title', 'Ours')).body).to.deep.equal({ success: true, key: 'title', value: 'Ours' });
    expect((await get('/title', admin)).body).to.deep.equal({ key: 'title', value: 'Ours' });
    expect((await get()).body.value.title).to.equal('Ours');
    const posted = await app.agent
      .post('/api/configuration')
      .send({ key: 'passwordMin', value: 12, auth_token: admin });
    expect(posted.body).to.deep.equal({ success: true, key: 'passwordMin', value: 12 });
    const removed = await app.agent.delete('/api/configuration/title').query({ auth_token: admin });
    expect(removed.body).to.deep.equal({ success: true, key: 'title' });
    expect((await get()).body.value.title).to.equal('MyPads');
  });

  it('are saved without showing secrets in the answer', async () => {
    const answer = await put('SMTPPass', 'mail secret');
    expect(answer.body).to.deep.equal({ success: true, key: 'SMTPPass' });
    expect(await app.ports.database.get('mypads:conf:SMTPPass')).to.equal('mail secret');
    expect(JSON.stringify(await app.lines())).not.to.match(/mail secret/);
  });

  it('of the settings file are used, shown as locked, and cannot be changed', async () => {
    const preset = await startApp({
      plugin: { title: 'Of the operator', openRegistration: false, SMTPPass: 'preset secret' },
    });
    const token = await signInAsAdmin(preset);
    const asAdmin = (method: 'get' | 'put' | 'delete', path: string) =>
      preset.agent[method](`/api/configuration${path}`).set('Authorization', `Bearer ${token}`);
    expect((await preset.agent.get('/api/configuration')).body.value).to.include({
      title: 'Of the operator',
      openRegistration: false,
    });
    const shown = await asAdmin('get', '');
    expect(shown.body.locked).to.have.members(['title', 'openRegistration', 'SMTPPass']);
    expect(shown.body.secrets).to.deep.equal(['SMTPPass']);
    expect(shown.text).not.to.include('preset secret');
    for (const answer of [
      await asAdmin('put', '/title').send({ value: 'Mine' }),
      await asAdmin('delete', '/title'),
      await preset.agent.post('/api/configuration').send({ key: 'title', value: 'x', auth_token: token }),
    ]) {
      expect(answer.status).to.equal(403);
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.LOCKED', key: 'title' });
    }
    expect((await asAdmin('get', '/title')).body.value).to.equal('Of the operator');
    expect((await asAdmin('put', '/passwordMin').send({ value: 9 })).status).to.equal(200);
    const refused = await preset.agent
      .post('/api/user')
      .send({ login: 'a', password: 'secret of a', email: 'a@example.org' });
    expect(refused.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION');
    await preset.close();
  });

  it('can be read and changed by nobody else', async () => {
    const user = await buildUser(app);
    const calls = (token: string) => [
      get('/rootUrl', token),
      put('title', 'Theirs', token || 'x'),
      app.agent.post('/api/configuration').send({ key: 'title', value: 'Theirs', auth_token: token }),
      app.agent.delete('/api/configuration/title').query({ auth_token: token }),
      app.agent.get('/api/stats/stats.json').query({ auth_token: token }),
    ];
    for (const token of [user.token, user.entryToken, '']) {
      for (const call of calls(token)) {
        const answer = await call;
        expect(answer.status).to.equal(401);
        expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ADMIN');
      }
    }
    expect(app.model.configuration.get('title')).to.equal('MyPads');
  });

  it('are refused with the name or value that is wrong', async () => {
    for (const key of ['unknown', 'constructor', '__proto__', 'x'.repeat(200)]) {
      for (const answer of [
        await get(`/${key}`, admin),
        await put(key, 1),
        await app.agent.delete(`/api/configuration/${key}`).query({ auth_token: admin }),
      ]) {
        expect(answer.status).to.equal(404);
        expect(answer.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
      }
    }
    const invalid = await put('passwordMin', 'many');
    expect(invalid.status).to.equal(400);
    expect(invalid.body).to.deep.equal({
      error: 'BACKEND.ERROR.TYPE.PARAM_INVALID',
      field: 'value',
      key: 'passwordMin',
    });
    const missing = await app.agent.put('/api/configuration/title').query({ auth_token: admin }).send({});
    expect(missing.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED', field: 'value' });
    const nameless = await app.agent
      .post('/api/configuration')
      .query({ auth_token: admin })
      .send({ value: 1 });
    expect(nameless.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.KEY_STR', field: 'key' });
  });

  it('answer the questions of the editor’s page, and name the group of a pad to people signed in', async () => {
    const user = await buildUser(app);
    const group = await buildGroup(app, user);
    const pad = await buildPad(app, user, group);
    const ask = (query: object) =>
      app.agent.get('/api/configuration/public/allpadspublicsauthentifiedonly').query(query);
    expect((await get('/public/usefirstlastname')).body).to.deep.equal({
      success: true,
      usefirstlastname: false,
    });
    expect((await ask({})).body).to.deep.equal({ success: true, allpadspublicsauthentifiedonly: false });
    await put('allPadsPublicsAuthentifiedOnly', true);
    const on = { success: true, allpadspublicsauthentifiedonly: true };
    expect((await ask({})).body).to.deep.equal(on);
    expect((await ask({ pid: pad._id })).body).to.deep.equal(on);
    expect((await ask({ pid: 'unknown', auth_token: user.token })).body).to.deep.equal(on);
    expect((await ask({ pid: pad._id, auth_token: user.token })).body).to.deep.equal({
      ...on,
      group: group._id,
    });
    expect((await ask({ pid: ['a', 'b'] })).status).to.equal(400);
  });

  it('include the numbers of accounts, groups and pads for administrators', async () => {
    const user = await buildUser(app);
    await buildPad(app, user, await buildGroup(app, user));
    const ask = () => app.agent.get('/api/stats/stats.json').query({ auth_token: admin });
    const counted = await ask();
    expect(counted.body).to.include({ users: 1, groups: 1, pad: 1 });
    expect(counted.body.timestamp).to.be.a('number');
  });
});
