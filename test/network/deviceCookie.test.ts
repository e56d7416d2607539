/** The cookie of a browser that has proved a password: strangers at the same address cannot lock it out. */
import { expect } from 'chai';
import type { Response } from 'supertest';
import { lifetimes } from '../../model/limits';
import { limitTable } from '../../web/rateLimit';
import { useTestAppForEach } from '../support/app';
import { callerOf, encodePassword } from '../support/caller';
import { startCasServer } from '../support/casServer';
import { buildGroup, buildPad, buildUser, type TestUser } from '../support/factories';
import { openOidcBrowser } from '../support/oidcBrowser';
import { startOidcServer } from '../support/oidcServer';
import { ada } from '../support/oidcSignIn';
import { usePerson } from '../support/people';
import { addApp, addPasskey, codeOf, nextCode, site } from '../support/secondFactors';

const school = '192.0.2.1';

interface Cookie {
  /** As a browser sends it. */
  pair: string;
  attributes: string[];
}

/** The cookie of a known browser that an answer sets. */
function cookieIn(answer: { headers: Record<string, unknown> }): Cookie {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  const [pair = '', ...attributes] = lines.find((one) => one.startsWith('mypads_device='))?.split('; ') ?? [];
  return { pair, attributes };
}

describe('a browser in which the right password was typed before', () => {
  const app = useTestAppForEach({ limitFactor: 1, trustProxy: () => true });
  const { user } = usePerson(app, beforeEach);

  function post(path: string, body: object, { pair }: { pair?: string } = {}): Promise<Response> {
    const call = app.agent.post(`/api/${path}`).set('X-Forwarded-For', school);
    if (pair) call.set('Cookie', pair);
    return call.send(body);
  }
  const signIn = (login: string, password: string, cookie?: Cookie) =>
    post('auth/login', { login, password }, cookie);
  const ownSignIn = (cookie?: Cookie) => signIn(user.login, user.password, cookie);
  /** A browser that has signed in. */
  async function knownBrowser(cookie?: Cookie): Promise<Cookie> {
    const answer = await ownSignIn(cookie);
    expect(answer.status).to.equal(200);
    return cookieIn(answer);
  }
  /** Somebody at the same address guesses, until nobody can sign in to this account there, or to any account. */
  async function lockAccount(): Promise<void> {
    for (let number = 0; number < limitTable.signIn.points; number += 1) await signIn(user.login, 'a guess');
    expect((await ownSignIn()).status).to.equal(429);
  }
  async function lockAddress(): Promise<void> {
    // Without a password, because each takes its time.
    for (let number = 0; number < limitTable.signInAddress.points; number += 1)
      await post('auth/login/header', {});
    expect((await signIn('somebody else', 'a guess')).status).to.equal(429);
  }

  it('gets a cookie that scripts cannot read, for half a year, and keeps its name in it', async () => {
    const { pair, attributes } = await knownBrowser();
    expect(pair).to.match(/^mypads_device=d\.[\w-]{12}\.[0-9a-z]{4}\.[\w-]{22}$/);
    expect(attributes).to.include.members(['HttpOnly', 'SameSite=Lax', 'Path=/']);
    expect(attributes).to.include(`Max-Age=${lifetimes.device / 1000}`);
    expect((await knownBrowser({ pair, attributes })).pair).to.equal(pair);
    expect((await knownBrowser()).pair).not.to.equal(pair);
  });

  it('gets in while the account and the address are locked by others', async () => {
    const browser = await knownBrowser();
    await lockAccount();
    expect((await ownSignIn(browser)).status).to.equal(200);
    await lockAddress();
    expect((await ownSignIn(browser)).status).to.equal(200);
    expect((await ownSignIn()).status, 'without the cookie').to.equal(429);
  });

  it('has a limit of its own, and its wrong passwords do not count for others', async () => {
    const browser = await knownBrowser();
    const other = await knownBrowser();
    for (let number = 0; number < limitTable.signInBrowser.points; number += 1)
      expect((await signIn(user.login, 'a guess', browser)).status).to.equal(400);
    expect((await ownSignIn(browser)).status).to.equal(429);
    expect((await ownSignIn(other)).status, 'another browser').to.equal(200);
    expect((await ownSignIn()).status, 'a stranger').to.equal(200);
  });

  it('is a stranger for every other account', async () => {
    const browser = await knownBrowser();
    const other = await buildUser(app);
    for (let number = 0; number < limitTable.signIn.points; number += 1)
      await signIn(other.login, 'a guess', browser);
    expect((await signIn(other.login, other.password, browser)).status).to.equal(429);
    expect((await ownSignIn(browser)).status).to.equal(200);
  });

  it('is a stranger again when the password has changed, or with a cookie that was made up', async () => {
    const browser = await knownBrowser();
    await lockAccount();
    const [name, end, signature] = browser.pair.slice('mypads_device=d.'.length).split('.');
    for (const value of [
      `d.${name}.${end}.${[...(signature ?? '')].reverse().join('')}`,
      `d.${[...(name ?? '')].reverse().join('')}.${end}.${signature}`,
      `d.${name}.zzzz.${signature}`,
      '',
      'd...',
      '~'.repeat(3_000),
    ]) {
      const forged = { pair: `mypads_device=${value}`, attributes: [] };
      expect((await ownSignIn(forged)).status, value).to.equal(429);
    }
    expect((await ownSignIn(browser)).status).to.equal(200);
    const password = 'another password';
    const change = await callerOf(app, user.token)('put', `user/${user.login}`, {
      password,
      currentPassword: user.password,
    });
    expect(change.status).to.equal(200);
    expect((await signIn(user.login, password, browser)).status).to.equal(429);
  });

  it('is a stranger again after half a year', async () => {
    const browser = await knownBrowser();
    app.ports.advance(lifetimes.device + 24 * 3600_000);
    await lockAccount();
    expect((await ownSignIn(browser)).status).to.equal(429);
  });

  it('gets no right by the cookie', async () => {
    const { pair } = await knownBrowser();
    const folder = await buildGroup(app, user);
    for (const path of [`group/${folder._id}`, 'group', `user/${user.login}`, 'admin/users']) {
      const { status } = await app.agent.get(`/api/${path}`).set('Cookie', pair);
      expect(status, path).to.equal(401);
    }
    expect((await signIn(user.login, 'a guess', { pair, attributes: [] })).status).to.equal(400);
  });

  it('is remembered for the last ten accounts of a computer that many people use', async () => {
    const people: TestUser[] = [];
    for (let number = 0; number < 11; number += 1) people.push(await buildUser(app));
    let cookie: Cookie | undefined;
    const names: string[] = [];
    for (const { login, password } of people) {
      cookie = cookieIn(await signIn(login, password, cookie));
      names.push(cookie.pair.split('.')[1] ?? '');
    }
    const entries = cookie?.pair.slice('mypads_device='.length).split('~') ?? [];
    expect(entries.map((entry) => entry.split('.')[1])).to.deep.equal(names.slice(1).reverse());
  });

  it('gets in with the password of a folder or pad while others guess it', async () => {
    const folder = await buildGroup(app, user, { visibility: 'private', password: 'secret' });
    const unlock = (password: string, cookie?: Cookie) =>
      post(`group/${folder._id}/unlock`, { password }, cookie);
    const browser = cookieIn(await unlock('secret'));
    for (let number = 0; number < limitTable.passwordProof.points; number += 1) await unlock('a guess');
    expect((await unlock('secret')).status).to.equal(429);
    expect((await unlock('secret', browser)).status).to.equal(200);
    const pad = await buildPad(app, user, folder);
    const host = await app.listen();
    const visit = (cookie: string) =>
      fetch(`${host.url}/p/${pad._id}?mypadspassword=${encodePassword('secret')}`, {
        redirect: 'manual',
        headers: { 'X-Forwarded-For': school, Cookie: cookie },
      });
    expect((await visit('')).status).to.equal(429);
    const entered = await visit(browser.pair);
    expect(entered.status).to.equal(302);
    expect(entered.headers.getSetCookie().join()).to.include(browser.pair);
    await host.close();
  });

  it('gets in as a server administrator while others guess', async () => {
    const adminSignIn = (password: string, cookie?: Cookie) =>
      post('auth/admin/login', { login: 'root', password }, cookie);
    const browser = cookieIn(await adminSignIn('rootroot'));
    for (let number = 0; number < limitTable.adminSignIn.points; number += 1) await adminSignIn('a guess');
    expect((await adminSignIn('rootroot')).status).to.equal(429);
    expect((await adminSignIn('rootroot', browser)).status).to.equal(200);
  });

  it('gets in through CAS while the address is locked', async () => {
    const cas = await startCasServer();
    const root = 'https://pads.example.org';
    const { configuration } = app.model;
    await configuration.set('rootUrl', root);
    await configuration.set('authCasSettings', cas.settings());
    await configuration.set('authMethod', 'cas');
    const attributes = { email: 'ada@example.org' };
    const enter = (cookie?: Cookie) =>
      post(
        'auth/login/cas',
        { ticket: cas.ticket({ user: 'ada', attributes }, `${root}/mypads/?/login`) },
        cookie,
      );
    const browser = cookieIn(await enter());
    const guess = () => post('auth/login/cas', { ticket: 'ST-made-up' });
    while ((await guess()).status !== 429);
    expect((await enter()).status).to.equal(429);
    expect((await enter(browser)).status).to.equal(200);
    await cas.stop();
  });

  it('gets in with a second step, or a passkey, while the address is locked', async () => {
    await app.model.configuration.set('rootUrl', site);
    const { secret } = await addApp(app, user);
    const device = await addPasskey(app, user);
    nextCode(app);
    const secondStep = async (cookie?: Cookie) =>
      post('auth/login/factor', { pending: await begin(cookie), code: codeOf(app, secret) }, cookie);
    const begin = async (cookie?: Cookie) => (await ownSignIn(cookie)).body.pending;
    const browser = cookieIn(await secondStep());
    const passkey = async (cookie?: Cookie) => {
      const options = (await post('auth/passkey/options', {})).body.value;
      return post('auth/login/passkey', { passkey: device.signIn(options) }, cookie);
    };
    await lockAddress();
    nextCode(app);
    expect((await secondStep(browser)).status, 'a code').to.equal(200);
    expect((await passkey(browser)).status, 'a passkey').to.equal(200);
    expect((await passkey()).status, 'without the cookie').to.equal(429);
  });

  it('gets in with OpenID Connect while the address is locked', async () => {
    const provider = await startOidcServer({ root: site });
    const { configuration } = app.model;
    await configuration.set('rootUrl', site);
    await configuration.set('authOidcSettings', { providers: { school: provider.provider() } });
    await configuration.set('authMethods', ['oidc']);
    provider.present(ada);
    const browser = openOidcBrowser(app, site, { 'X-Forwarded-For': school });
    expect((await browser.signIn()).status).to.equal(200);
    await lockAddress();
    expect((await browser.signIn()).status).to.equal(200);
    const stranger = openOidcBrowser(app, site, { 'X-Forwarded-For': school });
    expect((await stranger.signIn()).status, 'without the cookie').to.equal(429);
    await provider.stop();
  });

  it('gets in by the header of a proxy while the address is locked', async () => {
    const { configuration } = app.model;
    await configuration.set('authHeaderSettings', { name: 'Authelia', proxies: ['127.0.0.0/8', '::1'] });
    await configuration.set('authMethods', ['header']);
    const enter = ({ pair = '' }: { pair?: string } = {}) =>
      app.agent
        .post('/api/auth/login/header')
        .set({ 'X-Forwarded-For': school, 'Remote-User': 'ada', 'Remote-Email': ada.email, Cookie: pair })
        .send({});
    const browser = cookieIn(await enter());
    await lockAddress();
    expect((await enter(browser)).status).to.equal(200);
    expect((await enter()).status, 'without the cookie').to.equal(429);
  });

  it('has a cookie that is in no line of the log', async () => {
    const browser = await knownBrowser();
    await signIn(user.login, 'a guess', browser);
    await lockAccount();
    const [name, , signature] = browser.pair.slice('mypads_device=d.'.length).split('.');
    const log = JSON.stringify(await app.lines());
    expect(log).to.include('sign-in refused');
    for (const secret of [name, signature]) expect(log).not.to.include(secret);
  });

  it('is known after a restart', async () => {
    const browser = await knownBrowser();
    await app.restart();
    await lockAccount();
    expect((await ownSignIn(browser)).status).to.equal(200);
  });
});
