/** Lists the sessions of an account and ends them. */
import { expect } from 'chai';
import type { OwnSession } from '../../api/user/schema';
import { useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildApiToken, buildUser, signInAsAdmin } from '../support/factories';
import { usePerson } from '../support/people';
import { until } from '../support/waiting';

const minute = 60_000;
const gone = 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND';

describe('the sessions of an account', () => {
  const app = useTestApp();
  const { user } = usePerson(app, beforeEach);

  const call = (token = user.token) => callerOf(app, token);
  const list = async (token = user.token): Promise<OwnSession[]> => {
    const answer = await call(token)('get', `user/${user.login}/sessions`);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.key).to.equal(user.login);
    return answer.body.value;
  };
  const end = (session: string | undefined, token = user.token) =>
    call(token)('delete', `user/${user.login}/sessions/${session}`);
  const isSignedIn = async (token: string): Promise<boolean> =>
    (await call(token)('get', 'configuration')).body.auth;

  const signInAgain = (password: string, browser = '') =>
    app.agent.post('/api/auth/login').set('User-Agent', browser).send({ login: user.login, password });
  const signInWith = async (browser: string): Promise<string> =>
    (await signInAgain(user.password, browser)).body.token;

  it('are listed with browser and times, the last used one first, and the current one is marked', async () => {
    app.ports.advance(minute);
    const phone = await signInWith(`A phone ${'x'.repeat(300)}`);
    const now = app.ports.now();
    const [first, second, ...more] = await list();
    expect(more).to.deep.equal([]);
    expect(first?.browser).to.equal(`A phone ${'x'.repeat(192)}`);
    expect([first?.current, second?.current]).to.deep.equal([false, true]);
    expect(first?.created).to.be.closeTo(now, minute / 2);
    expect(first?.lastSeen).to.equal(first?.created);
    expect(first?.created).to.be.greaterThan(second?.created ?? 0);
    const seen = (await list(phone)).map(({ _id, current }) => [_id, current]);
    expect(seen).to.deep.equal([
      [first?._id, true],
      [second?._id, false],
    ]);
  });

  it('that have expired are not listed', async () => {
    const old = await signInWith('Old');
    app.ports.advance(31 * 24 * 60 * minute);
    const fresh = await signInWith('Fresh');
    expect(await isSignedIn(old)).to.equal(false);
    expect((await list(fresh)).map(({ browser }) => browser)).to.deep.equal(['Fresh']);
  });

  it('can be ended one by one, and the others stay', async () => {
    const [one, other] = [await signInWith('One'), await signInWith('Other')];
    const ended = (await list()).find(({ browser }) => browser === 'One');
    const answer = await end(ended?._id);
    expect([answer.status, answer.body]).to.deep.equal([200, { success: true, key: ended?._id }]);
    expect(await Promise.all([user.token, one, other].map(isSignedIn))).to.deep.equal([true, false, true]);
    expect((await list()).map(({ browser }) => browser)).not.to.include('One');
    const again = await end(ended?._id);
    expect([again.status, again.body]).to.deep.equal([404, { error: gone }]);
  });

  it('can all be ended at once, except the current one', async () => {
    const other = await signInWith('Other');
    expect((await call()('delete', `user/${user.login}/sessions`)).status).to.equal(200);
    expect((await list()).map(({ current }) => current)).to.deep.equal([true]);
    expect(await isSignedIn(other)).to.equal(false);
  });

  it('end with a new password, also at a second try after the database has failed', async () => {
    for (const name of ['sessions:', 'session:', 'apitokens:', 'apitoken:']) {
      const [own, stolen] = [await signInWith('Own'), await signInWith('Stolen')];
      const token = await buildApiToken(app, { ...user, token: own });
      const [currentPassword, password] = [user.password, `${user.password} again`];
      const change = async () =>
        (await call(own)('put', `user/${user.login}`, { password, currentPassword })).status;
      await app.inject({ fault: 'fail', why: 'full', calls: ['set', 'remove'], keys: `mypads:${name}` });
      expect(await change(), name).to.equal(503);
      await app.inject({ fault: 'none' });
      // Until the failed write is rolled back.
      await until(`${name} the second try`, async () => (await change()) !== 503);
      expect((await signInAgain(password)).status, `${name} the new password`).to.equal(200);
      expect(await isSignedIn(own), 'the own one').to.equal(true);
      for (const other of [stolen, token])
        expect((await call(other)('get', 'userlist')).status, `${name} another one`).to.equal(401);
      user.password = password;
    }
  });

  it('include the current one; ending it signs the person out', async () => {
    const [own] = await list();
    expect((await end(own?._id)).status).to.equal(200);
    expect(await isSignedIn(user.token)).to.equal(false);
  });

  it('stay when a link is only looked at (HEAD), as scanners of links do', async () => {
    const admin = await signInAsAdmin(app);
    const paths = [
      'logout',
      'admin/logout',
      ...['start', 'callback', 'logout'].map((end) => `oidc/x/${end}`),
    ];
    for (const path of paths)
      for (const token of [user.token, admin]) {
        const answer = await app.agent.head(`/api/auth/${path}`).set('Authorization', `Bearer ${token}`);
        expect(answer.status, path).to.equal(404);
      }
    expect(await isSignedIn(user.token)).to.equal(true);
    expect((await call(admin)('get', 'stats/stats.json')).status).to.equal(200);
    expect((await app.agent.head('/api/cache/check')).status, 'what monitors ask').to.equal(200);
  });

  it('have ids that are not in the token', async () => {
    const [own] = await list();
    expect(Buffer.from(user.token.split('.')[1] ?? '', 'base64url').toString()).not.to.include(own?._id);
    const { _id } = (await app.model.sessions.read(user.token, ['user'])) ?? {};
    expect((await end(_id)).status).to.equal(404);
  });

  it('are seen and ended by a server administrator too', async () => {
    const admin = await signInAsAdmin(app);
    const [only] = await list(admin);
    expect(only?.current).to.equal(false);
    expect((await end(only?._id, admin)).status).to.equal(200);
    expect(await isSignedIn(user.token)).to.equal(false);
    const answers = [
      await call(admin)('get', 'user/nobody/sessions'),
      await call(admin)('delete', 'user/nobody/sessions/0'),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 404]);
  });

  it('cannot be seen or ended by anybody else', async () => {
    const [own] = await list();
    const outsider = await buildUser(app);
    const calls = [callerOf(app), call(outsider.token)];
    for (const ask of calls) {
      const answers = [
        await ask('get', `user/${user.login}/sessions`),
        await ask('delete', `user/${user.login}/sessions/${own?._id}`),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 401]);
    }
    const path = `user/${outsider.login}/sessions/${own?._id}`;
    expect((await call(outsider.token)('delete', path)).status).to.equal(404);
    expect(await isSignedIn(user.token)).to.equal(true);
  });

  it('cannot be ended by an invalid id', async () => {
    for (const name of ['x', '%00', 'x'.repeat(256), '__proto__']) {
      const answer = await end(name);
      expect([answer.status, answer.body.error]).to.deep.equal([404, gone]);
    }
  });
});
