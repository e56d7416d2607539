import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { type CasPerson, type CasServer, startCasServer } from '../support/casServer';
import { buildUser } from '../support/factories';
import { startMailFor, tokenIn } from '../support/mailFixture';
import { openOidcBrowser } from '../support/oidcBrowser';
import { type OidcServer, startOidcServer } from '../support/oidcServer';
import { useAdmin } from '../support/people';

const root = 'https://pads.example.org';
const service = `${root}/mypads/?/login`;
const ada: CasPerson = {
  user: 'ada',
  attributes: { email: 'ada@example.org', firstname: 'Ada', lastname: 'Lovelace' },
};
const error = (name: string) => `BACKEND.ERROR.${name}`;

describe('passwords of this server and single sign-on, side by side', () => {
  const app = useTestAppForEach();
  let cas: CasServer;
  let provider: OidcServer | undefined;
  const admin = useAdmin(app, beforeEach);
  beforeEach(async () => {
    cas = await startCasServer();
    const { configuration } = app.model;
    await configuration.set('rootUrl', root);
    await configuration.set('authCasSettings', cas.settings());
    await configuration.set('authMethods', ['cas']);
  });
  afterEach(async () => {
    await cas.stop();
    await provider?.stop();
  });

  const set = (key: string, value: unknown) => app.model.configuration.set(key, value);
  const byTicket = (person = ada) =>
    app.agent.post('/api/auth/login/cas').send({ ticket: cas.ticket(person, service) });
  const byPassword = (login: string, password: string) =>
    app.agent.post('/api/auth/login').send({ login, password });

  it('are both offered, in their order, to everybody', async () => {
    const { value } = (await app.agent.get('/api/auth/methods')).body;
    expect(value).to.deep.equal([
      { method: 'internal', proof: 'typed', passkeys: true },
      {
        method: 'cas',
        proof: 'redirect',
        name: '127.0.0.1',
        url: `${cas.url}/login?service=${encodeURIComponent(service)}`,
      },
    ]);
    expect((await app.agent.get('/api/configuration')).body.value).to.deep.include({
      signInMethods: value,
      storesPasswords: true,
    });
    await set('authMethod', 'cas');
    await set('authMethods', ['internal', 'cas']);
    const names = (await app.agent.get('/api/auth/methods')).body.value.map(
      ({ method }: { method: string }) => method,
    );
    expect(names).to.deep.equal(['cas', 'internal']);
  });

  it('open the accounts of their people', async () => {
    const bob = await buildUser(app, { login: 'bob' });
    const first = await byTicket();
    expect([first.status, first.body.user.login, first.body.user.passwordAt]).to.deep.equal([
      200,
      'ada',
      'none',
    ]);
    expect((await byTicket()).body.user._id).to.equal(first.body.user._id);
    const own = await byPassword('bob', bob.password);
    expect([own.status, own.body.user.passwordAt]).to.deep.equal([200, 'here']);
  });

  it('never give somebody the account of another person with the same login', async () => {
    const before = await buildUser(app, { login: 'ada' });
    const answer = await byTicket();
    expect([answer.status, answer.body.error]).to.deep.equal([400, error('USER.ALREADY_EXISTS')]);
    expect((await byPassword('ada', before.password)).status).to.equal(200);
    const taken = await app.agent
      .post('/api/user')
      .send({ login: 'eve', email: 'eve@example.org', password: 'long enough' });
    expect(taken.status).to.equal(200);
    const eve = await byTicket({ user: 'eva', attributes: { email: 'eve@example.org' } });
    expect(eve.body.error).to.equal(error('USER.EMAIL_ALREADY_EXISTS'));
  });

  it('find an account of 1.x by its login, and remember it', async () => {
    await set('authMethod', 'cas');
    await set('authMethods', []);
    const { body } = await byTicket();
    await app.model.users.update(body.user._id, ({ identities: _, ...user }) => user);
    await set('authMethods', ['internal']);
    expect((await byTicket()).body.user._id).to.equal(body.user._id);
    const { identities } = (await app.model.users.get(body.user._id)) ?? {};
    expect(identities).to.deep.equal([{ method: 'cas', issuer: '', subject: 'ada' }]);
  });

  it('refuse a password for a person of single sign-on, from whomever it comes', async () => {
    const { token } = (await byTicket()).body;
    const own = await callerOf(app, token)('put', 'user/ada', { password: 'long enough' });
    const refused = { error: error('AUTHENTICATION.NO_RECOVER'), field: 'password' };
    expect([own.status, own.body]).to.deep.equal([400, refused]);
    const given = await admin('put', 'user/ada', { password: 'long enough', firstname: 'Augusta' });
    expect([given.status, given.body]).to.deep.equal([400, refused]);
    const user = await app.model.users.findByLogin('ada');
    expect([user?.password, user?.firstname]).to.deep.equal([null, 'Ada']);
    expect((await admin('put', 'user/ada', { organization: 'Engines' })).status).to.equal(200);
  });

  it('mail no link for a password to a person of single sign-on', async () => {
    const mail = await startMailFor(app);
    await byTicket();
    const bob = await buildUser(app);
    for (const email of ['ada@example.org', bob.email])
      expect((await app.agent.post('/api/passrecover').send({ email })).status).to.equal(200);
    await app.idle();
    expect((await mail.next()).to).to.deep.equal([bob.email]);
    expect(mail.received).to.have.length(1);
    await mail.close();
  });

  it('take no password by a link that was mailed before the person signed in by single sign-on', async () => {
    const mail = await startMailFor(app);
    await admin('post', 'user', { login: 'ada', email: 'ada@example.org', invite: true }).expect(200);
    const token = tokenIn(await mail.next(), 'passrecover', root);
    expect((await byTicket()).status).to.equal(200);
    const chosen = { password: 'long enough', passwordConfirm: 'long enough' };
    for (const answer of [
      await app.agent.get(`/api/passrecover/${token}`),
      await app.agent.put(`/api/passrecover/${token}`).send(chosen),
    ])
      expect([answer.status, answer.body.error]).to.deep.equal([400, error('AUTHENTICATION.NO_RECOVER')]);
    expect((await app.model.users.findByLogin('ada'))?.password).to.equal(null);
    expect((await byPassword('ada', chosen.password)).status).to.equal(400);
    await mail.close();
  });

  it('say of a password typed for a person of single sign-on only that it is wrong', async () => {
    await byTicket();
    for (const login of ['ada', 'nobody'])
      expect((await byPassword(login, 'long enough')).body.error).to.equal(
        error('AUTHENTICATION.PASSWORD_INCORRECT'),
      );
  });

  it('lead back to passwords: a person of single sign-on learns that they need one', async () => {
    const { user } = (await byTicket()).body;
    await set('authMethods', []);
    const typed = await byPassword('ada', 'long enough');
    expect(typed.body.error).to.equal(error('AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD'));
    expect((await admin('put', 'user/ada', { password: 'long enough' })).status).to.equal(200);
    const now = await byPassword('ada', 'long enough');
    expect([now.status, now.body.user._id, now.body.user.passwordAt]).to.deep.equal([200, user._id, 'here']);
  });

  it('open one account by two methods, with one verified address, and sign out at each of them', async () => {
    provider = await startOidcServer({ root });
    const { present, url: issuer } = provider;
    const school = provider.provider({ linkDomains: ['example.org'] });
    await set('authOidcSettings', { providers: { school } });
    await set('authMethods', ['cas', 'oidc']);
    const first = (await byTicket()).body;
    const person = { sub: 'a-1', preferred_username: 'countess', email: 'ada@example.org' };
    const byProvider = async (claims = {}) => {
      present({ ...person, email_verified: true, ...claims });
      return (await openOidcBrowser(app, root).signIn()).body;
    };
    const unproved = await byProvider({ email_verified: false });
    expect(unproved.error).to.equal(error('AUTHENTICATION.LDAP_NO_VALID_MAIL'));
    const { user, token } = await byProvider();
    expect([user._id, user.login]).to.deep.equal([first.user._id, 'ada']);
    const again = (await byTicket()).body;
    expect(again.user._id).to.equal(user._id);
    const kept = (await app.model.users.get(user._id))?.identities ?? [];
    expect(kept.map(({ method }) => method)).to.deep.equal(['cas', 'oidc']);
    const out = async (one: string) => (await callerOf(app, one)('post', 'auth/logout')).body.url;
    expect([await out(token), await out(again.token)].map((url) => new URL(url).origin)).to.deep.equal([
      issuer,
      new URL(cas.url).origin,
    ]);
  });

  it('begin a session of their own, also in a browser to which somebody has given theirs', async () => {
    const eve = await buildUser(app);
    await set('authHeaderSettings', { name: 'Authelia', proxies: ['127.0.0.1', '::1'] });
    await set('authMethods', ['cas', 'header']);
    const bob = await buildUser(app);
    const isOf = async (token: string) =>
      (await callerOf(app, token)('get', 'configuration')).body.user?._id as string | undefined;
    const cookieOf = (answer: Response): string =>
      String(answer.headers['set-cookie']).match(/mypads_entry=[^;]+/)?.[0] ?? '';
    const given = await byPassword(eve.login, eve.password);
    const asIn = (call: Test) =>
      call.set('Cookie', cookieOf(given)).set('Authorization', `Bearer ${given.body.token}`);
    const headers = { 'Remote-User': 'hedy', 'Remote-Email': 'hedy@example.org' };
    await checkEach(
      {
        'a password': () => asIn(byPassword(bob.login, bob.password)),
        'a ticket of CAS': () => asIn(byTicket()),
        'the headers of a proxy': () => asIn(app.agent.post('/api/auth/login/header').set(headers).send({})),
      },
      async (signIn) => {
        const answer = await signIn();
        expect([answer.status, answer.body.error]).to.deep.equal([200, undefined]);
        expect(answer.body.token).to.not.equal(given.body.token);
        expect(cookieOf(answer)).to.not.be.oneOf(['', cookieOf(given)]);
        expect(await isOf(answer.body.token)).to.equal(answer.body.user._id);
        expect(await isOf(given.body.token)).to.equal(eve.id);
      },
    );
  });

  it('sign out where the session began', async () => {
    const bob = await buildUser(app);
    const out = async (token: string) => (await callerOf(app, token)('post', 'auth/logout')).body;
    expect(await out(bob.token)).to.deep.equal({ success: true });
    const back = encodeURIComponent(`${root}/mypads/`);
    expect(await out((await byTicket()).body.token)).to.deep.equal({
      success: true,
      url: `${cas.url}/logout?service=${back}`,
    });
  });
});
