import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildPad, buildUser, signInAsAdmin } from '../support/factories';
import { openOidcBrowser } from '../support/oidcBrowser';
import { startOidcServer } from '../support/oidcServer';
import { addApp, addPasskey, site } from '../support/secondFactors';

const errorOf = (name: string): string => `BACKEND.ERROR.${name}`;
const failed = errorOf('AUTHENTICATION.HEADER_FAILED');
/** The tests connect from there. */
const here = ['127.0.0.0/8', '::1'];
type Headers = Record<string, string | string[]>;
const ada = { 'Remote-User': 'ada', 'Remote-Email': 'ada@example.org', 'Remote-Name': 'Ada Lovelace' };

describe('sign-in by headers of a proxy', () => {
  const app = useTestAppForEach({ trustProxy: () => true });
  const set = (key: string, value: unknown) => app.model.configuration.set(key, value);
  const configure = (changes: object = {}) =>
    set('authHeaderSettings', { name: 'Authelia', proxies: here, ...changes });
  beforeEach(async () => {
    await configure();
    await set('authMethods', ['header']);
  });

  const signIn = (headers: Headers = ada) =>
    app.agent
      .post('/api/auth/login/header')
      .set(headers as Record<string, string>)
      .send({});
  /** With headers that come twice, or have any bytes. */
  async function sent(headers: Headers, method = 'POST', path = 'auth/login/header') {
    const { url, close } = await app.listen();
    const call = request(`${url}/mypads/api/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      agent: false,
    });
    // Bytes: a text would make Node send the headers in the encoding of the text.
    call.end(method === 'POST' ? Buffer.from('{}') : undefined);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const body = await json(answer);
    await close();
    return { status: answer.statusCode, body };
  }
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  /** The status of a call with a token, and with what the proxy says. */
  const statusOf = async (token: string, headers: Headers = {}) =>
    (await app.agent.get('/api/group').set({ ...bearer(token), ...(headers as Record<string, string>) }))
      .status;

  it('makes an account at the first sign-in, finds it again, and follows its names', async () => {
    const first = await signIn();
    expect(first.body.user).to.include({
      login: 'ada',
      email: 'ada@example.org',
      firstname: 'Ada Lovelace',
      passwordAt: 'none',
    });
    expect(String(first.headers['set-cookie'])).to.match(/^mypads_entry=[^;]+; .*HttpOnly/);
    const second = await signIn({ ...ada, 'Remote-User': 'ADA', 'Remote-Email': 'king@example.org' });
    expect(second.body.user).to.include({
      _id: first.body.user._id,
      login: 'ada',
      email: 'king@example.org',
    });
    expect((await app.model.users.findByLogin('ada'))?.identities).to.deep.equal([
      { method: 'header', issuer: '', subject: 'ada' },
    ]);
    const { value } = (await app.agent.get('/api/auth/methods')).body;
    expect(value).to.deep.include({ method: 'header', proof: 'header', name: 'Authelia' });
  });

  it('makes an account also with an address that somebody has registered and not confirmed', async () => {
    const { users } = app.model;
    const fields = { login: 'stranger', email: ada['Remote-Email'], password: 'secret of stranger' };
    const stranger = await users.register({
      ...fields,
      active: false,
      unconfirmedUntil: Date.now() + 3600_000,
    });
    const { body } = await signIn();
    expect(body.user).to.include({ login: 'ada', email: 'ada@example.org' });
    expect(await users.get(stranger._id)).to.include({ active: false, addressTaken: true });
    expect((await users.findByEmail('ada@example.org'))?.login).to.equal('ada');
  });

  it('believes only the address of the connection', async () => {
    await configure({ proxies: ['192.0.2.0/24', '2001:db8::1'] });
    await checkEach<Headers>(
      {
        'no other header': {},
        'X-Forwarded-For': { 'X-Forwarded-For': '192.0.2.7' },
        'X-Forwarded-For with IPv6': { 'X-Forwarded-For': '2001:db8::1' },
        Forwarded: { 'X-Real-IP': '192.0.2.7', Forwarded: 'for=192.0.2.7' },
      },
      async (headers) => {
        const answer = await signIn({ ...ada, ...headers });
        expect([answer.status, answer.body]).to.deep.equal([400, { error: failed }]);
      },
    );
    expect(await app.model.users.findByLogin('ada')).to.equal(undefined);
    const lines = (await app.lines()).filter(({ message }) => message.startsWith('header of the proxy'));
    expect(lines[0]?.facts).to.include({ reason: 'the request comes from no proxy' });
  });

  it('is off until it is offered, and cannot be offered without the addresses of proxies', async () => {
    await set('authMethods', []);
    expect((await signIn()).body.error).to.equal(failed);
    await app.model.configuration.remove('authHeaderSettings');
    const offered = await set('authMethods', ['header']).catch((error: unknown) => error);
    expect(offered).to.include({ key: errorOf('CONFIGURATION.SIGN_IN_NOT_CONFIGURED') });
    const stored = await configure({ proxies: [] }).catch((error: unknown) => error);
    expect(stored)
      .to.have.nested.property('details.reason')
      .that.matches(/^proxies is missing/);
    expect((await signIn()).body.error).to.equal(failed);
  });

  it('refuses another site, a form, and a call without the header', async () => {
    const from = (site: string) => signIn({ ...ada, 'Sec-Fetch-Site': site });
    expect((await from('cross-site')).body.error).to.equal(failed);
    expect((await from('same-site')).body.error).to.equal(failed);
    const form = await app.agent.post('/api/auth/login/header').set(ada).type('form').send('');
    expect(form.body.error).to.equal(errorOf('TYPE.JSON'));
    await checkEach({ empty: '', blank: ' ', 'not set in Apache': '(null)' }, async (login) => {
      expect((await signIn({ ...ada, 'Remote-User': login })).body.error).to.equal(failed);
    });
    expect((await from('same-origin')).status).to.equal(200);
  });

  it('refuses names and addresses that an account cannot have', async () => {
    const bad = { 'a soft hyphen': 'a\u00ad', dots: '..', 'too long': 'x'.repeat(101) };
    await checkEach(bad, async (login) => {
      const { body } = await signIn({ ...ada, 'Remote-User': login });
      expect(body).to.deep.equal({ error: errorOf('TYPE.USER_INVALID'), field: 'login' });
    });
    await checkEach({ none: '', 'no address': 'ada', two: 'a@example.org, b@example.org' }, async (email) => {
      const { body } = await signIn({ ...ada, 'Remote-Email': email });
      expect(body.error).to.equal(errorOf('AUTHENTICATION.LDAP_NO_VALID_MAIL'));
    });
    await configure({ emailDomain: 'school.example.org' });
    expect((await signIn({ 'Remote-User': 'eve' })).body.user?.email).to.equal('eve@school.example.org');
  });

  it('reads names in UTF-8, and in the older ISO 8859-1', async () => {
    const encodings = { 'Zoë 日本': 'utf8', jürgen: 'latin1' } as const;
    await checkEach<BufferEncoding>(encodings, async (encoding, login) => {
      // Node sends each character of a header as one byte.
      const user = Buffer.from(login, encoding).toString('latin1');
      const { body } = await sent({ 'Remote-User': user, 'Remote-Email': `${encoding}@example.org` });
      expect(body).to.have.nested.property('user.login', login);
    });
  });

  it('finds the account, and keeps the session, when the proxy sends its letters decomposed', async () => {
    const [composed, decomposed] = ['zoë', 'zoë'.normalize('NFD')].map((login) =>
      Buffer.from(login, 'utf8').toString('latin1'),
    ) as [string, string];
    const zoe = { 'Remote-Email': 'zoe@example.org', 'Remote-Name': 'Zoë' };
    const first = (await sent({ ...zoe, 'Remote-User': decomposed })).body as {
      user: { _id: string };
      token: string;
    };
    expect(first).to.have.nested.property('user.login', 'zoë');
    for (const name of [composed, decomposed]) {
      const again = await sent({ ...zoe, 'Remote-User': name, 'Remote-Name': 'Zoë Ohm' });
      expect(again.body).to.deep.nested.include({ 'user._id': first.user._id, 'user.firstname': 'Zoë Ohm' });
      expect((await sent({ ...bearer(first.token), 'Remote-User': name }, 'GET', 'group')).status).to.equal(
        200,
      );
    }
  });

  it('refuses a header that comes twice: one of them may be the caller’s', async () => {
    const { body } = await signIn();
    const twice = { others: ['ada', 'admin'], 'not set': ['admin', '(null)'], same: ['ada', 'ada'] };
    await checkEach(twice, async (names) => {
      const answer = await sent({ ...ada, 'Remote-User': names });
      expect([answer.status, answer.body]).to.deep.equal([400, { error: failed }]);
    });
    expect(
      (await sent({ ...bearer(body.token), 'Remote-User': ['ada', 'eve'] }, 'GET', 'group')).status,
    ).to.equal(401);
    expect(await statusOf(body.token)).to.equal(401);
  });

  it('ends the session when the proxy names somebody else', async () => {
    const { body } = await signIn();
    expect(await statusOf(body.token, { 'Remote-User': 'Ada' })).to.equal(200);
    // A proxy may let people in to some addresses without asking who they are.
    expect(await statusOf(body.token)).to.equal(200);
    expect(await statusOf(body.token, { 'Remote-User': '(null)' })).to.equal(200);
    await configure({ proxies: ['192.0.2.1'] });
    expect(await statusOf(body.token, { 'Remote-User': 'eve' })).to.equal(200);
    await configure();
    expect(await statusOf(body.token, { 'Remote-User': 'eve' })).to.equal(401);
    expect(await statusOf(body.token)).to.equal(401);
    await app.said('session ended, the proxy names somebody else');
  });

  it('ends the session at a pad too', async () => {
    const { body, headers } = await signIn();
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const pad = await buildPad(app, body, await buildGroup(app, body, { visibility: 'restricted' }));
    const { url, close } = await app.listen();
    const open = async (more: Record<string, string>) =>
      (await fetch(`${url}/p/${pad._id}`, { headers: { Cookie: cookie, ...more } })).status;
    expect(await open({ 'Remote-User': 'ada' })).to.equal(200);
    expect(await open({ 'Remote-User': 'eve' })).to.equal(401);
    expect(await open({})).to.equal(401);
    await close();
  });

  it('ends no session that began with a password', async () => {
    const user = await buildUser(app);
    expect(await statusOf(user.token, ada)).to.equal(200);
  });

  it('opens an account that existed before, where no password is checked here, and ends its password', async () => {
    const before = await buildUser(app, { login: 'ada', email: 'ada@example.org' });
    await set('authMethod', 'header');
    const answer = await signIn();
    expect([answer.status, answer.body.user?._id]).to.deep.equal([200, before.id]);
    expect((await app.model.users.get(before.id))?.password).to.equal(null);
    expect(await statusOf(before.token)).to.equal(401);
  });

  it('leaves nothing to whoever had the account before: no session, API token, passkey or app', async () => {
    await set('rootUrl', site);
    await checkEach({ 'with a password': true, 'without one': false }, async (hasPassword) => {
      await set('authMethod', 'internal');
      const before = await buildUser(app);
      await addApp(app, before);
      const device = await addPasskey(app, before);
      const apiToken = await buildApiToken(app, before);
      if (!hasPassword) await app.model.users.update(before.id, (user) => ({ ...user, password: null }));
      await set('authMethod', 'header');
      const named = { 'Remote-User': before.login, 'Remote-Email': before.email };
      const both = await Promise.all([signIn(named), signIn(named)]);
      for (const { status, body } of both) {
        expect([status, body.user?._id]).to.deep.equal([200, before.id]);
        expect(await statusOf(body.token, named), 'two windows').to.equal(200);
      }
      expect([await statusOf(before.token), await statusOf(apiToken)]).to.deep.equal([401, 401]);
      await set('authMethod', 'internal');
      const guest = callerOf(app);
      const { value } = (await guest('post', 'auth/passkey/options', {}).expect(200)).body;
      const answer = await guest('post', 'auth/login/passkey', { passkey: device.signIn(value) });
      expect(answer.body.error).to.equal(errorOf('FACTOR.PASSKEY'));
      expect((await app.model.factors.of({ _id: before.id })).totp).to.equal(undefined);
    });
  });

  it('keeps the passkeys that people add once the account is theirs', async () => {
    const { _id } = (await signIn()).body.user;
    const passkey = { _id: 'own', name: 'Phone', publicKey: '', counter: 0, transports: [] };
    await app.model.factors.addPasskey({ _id }, passkey);
    expect((await signIn()).status).to.equal(200);
    expect((await app.model.factors.of({ _id })).passkeys).to.have.length(1);
  });

  it('opens one account with a provider of OpenID Connect, by one verified address', async () => {
    const root = 'https://pads.example.org';
    const provider = await startOidcServer({ root });
    try {
      await set('rootUrl', root);
      const school = provider.provider({ linkDomains: ['example.org'] });
      await set('authOidcSettings', { providers: { school } });
      await set('authMethods', ['header', 'oidc']);
      const { user } = (await signIn()).body;
      const claims = { sub: 'a-1', preferred_username: 'countess', email: 'ada@example.org' };
      provider.present({ ...claims, email_verified: true });
      const linked = (await openOidcBrowser(app, root).signIn()).body.user;
      expect([linked._id, linked.login]).to.deep.equal([user._id, 'ada']);
      expect((await signIn()).body.user._id).to.equal(user._id);
    } finally {
      await provider.stop();
    }
  });

  it('opens no closed account, and no account of somebody else with the same username', async () => {
    const other = await buildUser(app, { login: 'ada' });
    const taken = await signIn();
    expect([taken.status, taken.body.error]).to.deep.equal([400, errorOf('USER.ALREADY_EXISTS')]);
    expect(await statusOf(other.token)).to.equal(200);
    const eve = { ...ada, 'Remote-User': 'eve' };
    await signIn(eve);
    await callerOf(app, await signInAsAdmin(app))('put', 'user/eve', { active: false });
    const closed = await signIn(eve);
    expect(closed.body.error).to.equal(errorOf('AUTHENTICATION.ACTIVATION_NEEDED'));
  });

  it('makes people members of folders by the groups that the proxy sends, and by no header of somebody else', async () => {
    const manager = await buildUser(app);
    const folder = await buildGroup(app, manager);
    const root = callerOf(app, await signInAsAdmin(app));
    const rule = { source: 'header', value: 'staff', role: 'writer', folder: folder._id };
    const setRule = (changes = {}) => root('put', 'admin/group-rules', { rules: [{ ...rule, ...changes }] });
    expect((await setRule()).status).to.equal(200);
    /** Whether somebody whom the proxy sends with these headers is in the folder afterwards. */
    const isMember = async (headers: Headers): Promise<boolean> => {
      const { user } = (await sent({ ...ada, ...headers })).body as { user?: { _id: string } };
      const { value } = (await callerOf(app, manager.token)('get', `group/${folder._id}`)).body;
      return value.users.includes(user?._id);
    };
    expect(await isMember({ 'Remote-Groups': 'staff' }), 'no header is set up').to.equal(false);
    await configure({ headers: { groups: 'Remote-Groups' } });
    await checkEach<[value: string | undefined, is: boolean]>(
      {
        'another group': ['staffroom,old staff', false],
        given: ['maths, staff', true],
        'none sent': [undefined, true],
        'not set in Apache': ['(null)', true],
        empty: ['', false],
        'given again': ['staff', true],
        'another letter case': ['Staff', false],
      },
      async ([value, is]) =>
        expect(await isMember(value === undefined ? {} : { 'Remote-Groups': value })).to.equal(is),
    );
    await isMember({ 'Remote-Groups': 'staff' });
    const { rules } = (await root('get', 'admin/group-rules')).body;
    await setRule({ id: rules[0].id, absentIsEmpty: true });
    expect(await isMember({}), 'nothing sent means no group').to.equal(false);
    expect((await sent({ ...ada, 'Remote-Groups': ['maths', 'staff'] })).status, 'twice').to.equal(400);

    await configure({ proxies: ['192.0.2.1'], headers: { groups: 'Remote-Groups' } });
    expect(await isMember({ 'Remote-Groups': 'staff' }), 'from elsewhere').to.equal(false);
    const refused = await setRule({ attribute: 'memberOf' });
    expect([refused.status, refused.body.error]).to.deep.equal([400, errorOf('TYPE.PARAM_INVALID')]);
  });

  it('leads to the sign-out of the proxy', async () => {
    await configure({ signOutUrl: 'https://auth.example.org/logout' });
    const { body } = await signIn();
    const { body: left } = await callerOf(app, body.token)('post', 'auth/logout');
    expect(left).to.deep.equal({ success: true, url: 'https://auth.example.org/logout' });
    expect(await statusOf(body.token)).to.equal(401);
  });
});
