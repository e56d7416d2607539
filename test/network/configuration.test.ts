import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app';
import { callerOf } from '../support/caller';
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
  const put = (key: string, value: unknown) =>
    app.agent.put(`/api/configuration/${key}`).set('Authorization', `Bearer ${admin}`).send({ value });

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

  it('are saved without showing secrets in the answer', async () => {
    const answer = await put('SMTPPass', 'mail secret');
    expect(answer.body).to.deep.equal({ success: true, key: 'SMTPPass' });
    expect(await app.ports.database.get('mypads:conf:SMTPPass')).to.equal('mail secret');
    expect(JSON.stringify(await app.lines())).not.to.match(/mail secret/);
  });

  it('are refused with the name or value that is wrong', async () => {
    for (const key of ['unknown', 'constructor', '__proto__', 'x'.repeat(200)]) {
      for (const answer of [
        await get(`/${key}`, admin),
        await put(key, 1),
        await app.agent.delete(`/api/configuration/${key}`).query({ auth_token: admin }),
      ]) {
        expect(answer.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
      }
    }
    const invalid = await put('passwordMin', 'many');
    expect(invalid.body).to.deep.equal({
      error: 'BACKEND.ERROR.TYPE.PARAM_INVALID',
      field: 'value',
      key: 'passwordMin',
    });
    const missing = await app.agent.put('/api/configuration/title').query({ auth_token: admin }).send({});
    expect(missing.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED', field: 'value' });
    const nameless = await callerOf(app, admin)('post', 'configuration', { value: 1 });
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
});
