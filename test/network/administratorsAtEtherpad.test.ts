import { expect } from 'chai';
import { denied, settingsOf } from '../support/administrators';
import { useTestAppForEach } from '../support/app';

describe('an administrator who is signed in at Etherpad itself', () => {
  const app = useTestAppForEach();
  let settings: ReturnType<typeof settingsOf>;
  beforeEach(async () => {
    settings = settingsOf(app);
  });

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

  it('loses the session when is_admin is taken away', async () => {
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
      expect(answer.body).to.deep.equal(denied);
      expect((await configuration(cookie)).body).not.to.have.property('hostAdministrator');
    }
  });
});
