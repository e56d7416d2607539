import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { checkEach } from '../support/cases';
import { type CasPerson, type CasServer, logoutRequest, startCasServer } from '../support/casServer';
import { buildUser, signInAsAdmin } from '../support/factories';
import { closedPort } from '../support/smtpServer';

const root = 'https://pads.example.org/etherpad';
const service = `${root}/mypads/?/login`;
const person: CasPerson = {
  user: 'ada',
  attributes: { email: 'ada@example.org', firstname: 'Ada', lastname: 'Lovelace' },
};

describe('single sign-on with CAS', () => {
  const app = useTestAppForEach();
  let cas: CasServer;
  beforeEach(async () => {
    cas = await startCasServer();
    await app.model.configuration.set('rootUrl', root);
    await app.model.configuration.set('authCasSettings', cas.settings());
    await app.model.configuration.set('authMethod', 'cas');
  });
  afterEach(async () => {
    await cas.stop();
  });

  const login = (ticket: unknown) => app.agent.post('/api/auth/login/cas').send({ ticket });
  const signIn = (who: CasPerson = person) => login(cas.ticket(who, service));

  it('makes an account at the first sign-in, open at once, also where addresses are confirmed', async () => {
    await app.model.configuration.set('checkMails', true);
    const answer = await signIn();
    expect(answer.status).to.equal(200);
    expect(answer.body.success).to.equal(true);
    expect(answer.body.user).to.include({
      login: 'ada',
      email: 'ada@example.org',
      firstname: 'Ada',
      lastname: 'Lovelace',
      lang: 'de',
      active: true,
    });
    expect(String(answer.headers['set-cookie'])).to.match(/^mypads_entry=[^;]+; .*HttpOnly/);
    const me = await app.agent.get('/api/configuration').query({ auth_token: answer.body.token });
    expect(me.body.user.login).to.equal('ada');
  });

  it('finds the same account again, with the current data of the server', async () => {
    const first = await signIn();
    const changed = { ...person.attributes, email: 'countess@example.org', lastname: 'King', firstname: '' };
    const second = await signIn({ user: 'ada', attributes: changed });
    expect(second.body.user).to.include({
      _id: first.body.user._id,
      email: 'countess@example.org',
      firstname: 'Ada',
      lastname: 'King',
    });
    expect((await app.model.users.findByEmail('countess@example.org'))?.login).to.equal('ada');
    expect(await app.model.users.findByEmail('ada@example.org')).to.equal(undefined);
  });

  it('makes one account of twenty sign-ins at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn()));
    expect(answers.map(({ status }) => status)).to.deep.equal(new Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.user._id)).size).to.equal(1);
  });

  it('accepts unusual names, and names that mean something to JavaScript', async () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'O’Brien & <b>"x"</b>',
      '日本 語',
      '🦊',
      '../a?b#c%2e',
      'urn:school:ada',
      'x'.repeat(100),
    ];
    for (const [index, user] of names.entries()) {
      const odd = { user, attributes: { email: `odd${index}@example.org` } };
      const first = await signIn(odd);
      expect([first.status, first.body.user?.login]).to.deep.equal([200, user]);
      expect((await signIn(odd)).body.user._id, user).to.equal(first.body.user._id);
      const own = app.agent.get(`/api/user/${encodeURIComponent(user)}`);
      const { body } = await own.set('Authorization', `Bearer ${first.body.token}`);
      expect(body.value?.login).to.equal(user);
    }
    expect(({} as Record<string, unknown>).login).to.equal(undefined);
    for (const user of ['', ' ', 'x'.repeat(101), 'a\u0085b']) {
      const refused = await signIn({ user, attributes: { email: 'refused@example.org' } });
      expect(refused.status, JSON.stringify(user)).to.equal(400);
    }
  });

  it('treats a name in another letter case as the same person', async () => {
    const first = await signIn();
    const second = await signIn({ ...person, user: 'ADA' });
    expect(second.body.user).to.include({ _id: first.body.user._id, login: 'ada' });
  });

  it('refuses a missing, invented, used or foreign ticket (C2)', async () => {
    for (const ticket of ['', '   ', undefined, 5, null, ['ST-1']]) {
      const answer = await login(ticket);
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
    }
    const used = cas.ticket(person, service);
    expect((await login(used)).status).to.equal(200);
    for (const ticket of ['ST-1-made-up', used, cas.ticket(person, 'https://other.example.org/')]) {
      const answer = await login(ticket);
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED' });
    }
    const typed = await app.agent.post('/api/auth/login').send({ login: 'ada', password: 'any' });
    expect(typed.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
  });

  describe('signing out at the server', () => {
    const isIn = async (token: string): Promise<boolean> =>
      (await app.agent.get('/api/configuration').query({ auth_token: token })).body.auth;
    const tell = (sent: Record<string, string>, path = '/api/auth/cas/logout') =>
      app.agent.post(path).type('form').send(sent);
    /** Signs Ada in. */
    async function enter(): Promise<{ ticket: string; token: string }> {
      const ticket = cas.ticket(person, service);
      return { ticket, token: (await login(ticket)).body.token };
    }

    for (const [name, path] of [
      ['the address of the API', '/api/auth/cas/logout'],
      ['the address of the service, which servers take by default', '/?/login'],
    ] as const) {
      it(`ends the session that began with the ticket, and no other, when it is told at ${name}`, async () => {
        const [first, second] = [await enter(), await enter()];
        const answer = await tell({ logoutRequest: logoutRequest(first.ticket) }, path);
        expect([answer.status, answer.body]).to.deep.equal([200, { success: true }]);
        expect([await isIn(first.token), await isIn(second.token)]).to.deep.equal([false, true]);
        const again = await tell({ logoutRequest: logoutRequest(first.ticket) }, path);
        expect([again.status, again.body]).to.deep.equal([200, { success: true }]);
      });
    }

    it('answers the same to a ticket that it does not know, and keeps no ticket', async () => {
      const { ticket, token } = await enter();
      for (const other of ['ST-made-up', ticket.toLowerCase(), `${ticket}x`, 'x'.repeat(5_000)]) {
        const answer = await tell({ logoutRequest: logoutRequest(other) });
        expect([answer.status, answer.body], other).to.deep.equal([200, { success: true }]);
      }
      expect(await isIn(token)).to.equal(true);
      const { database } = app.ports;
      const found = (await database.findKeys('mypads:*', null)) as string[];
      const records = await Promise.all(found.map((key) => database.get(key)));
      expect(JSON.stringify([found, records])).to.not.contain(ticket);
      await app.agent.post('/api/auth/logout').set('Authorization', `Bearer ${token}`).send({});
      expect(await database.findKeys('mypads:providersession:*', null)).to.deep.equal([]);
    });

    it('is believed only in the form of the protocol, without anything to load or expand', async () => {
      const { ticket, token } = await enter();
      const right = logoutRequest(ticket);
      const inside = (xml: string): string => right.replace(ticket, xml);
      await checkEach<Record<string, string>>(
        {
          'no message': {},
          'no XML': { logoutRequest: ticket },
          'XML that ends too early': { logoutRequest: right.slice(0, -5) },
          'another message': { logoutRequest: right.replaceAll('LogoutRequest', 'LogoutResponse') },
          'of another namespace': { logoutRequest: right.replace('SAML:2.0:protocol', 'SAML:1.0:protocol') },
          'without a ticket': { logoutRequest: inside('') },
          'with two tickets': {
            logoutRequest: inside(`${ticket}</samlp:SessionIndex><samlp:SessionIndex>ST-2`),
          },
          'a ticket deeper inside': { logoutRequest: inside(`<a>${ticket}</a>`) },
          'with a document type': { logoutRequest: `<!DOCTYPE a SYSTEM "file:///etc/passwd">${right}` },
          'with entities': {
            logoutRequest: `<!DOCTYPE a [<!ENTITY t "${ticket}">]>${inside('&t;')}`,
          },
          'with an entity of HTML': { logoutRequest: inside(`${ticket}&nbsp;`) },
          'two documents': { logoutRequest: right + right },
          'deeply nested': { logoutRequest: inside(`${ticket}${'<a>'.repeat(20)}${'</a>'.repeat(20)}`) },
          'too long': { logoutRequest: inside(`${ticket}${' '.repeat(20_000)}`) },
        },
        async (sent) => {
          expect((await tell(sent)).status).to.equal(400);
        },
      );
      const json = await app.agent.post('/api/auth/cas/logout').send({ logoutRequest: right });
      expect(await isIn(token), `after JSON, answered ${json.status}`).to.equal(json.status !== 200);
    });

    it('works for a server that really sends it', async () => {
      const running = await app.listen();
      const { ticket, token } = await enter();
      expect(await cas.signOut(ticket, `${running.url}/mypads/?/login`)).to.equal(200);
      expect(await isIn(token)).to.equal(false);
      await running.close();
    });
  });

  it('accepts no ticket where passwords are checked here', async () => {
    await app.model.configuration.set('authMethod', 'internal');
    expect((await signIn()).body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
    expect(await app.model.users.findByLogin('ada')).to.equal(undefined);
  });

  it('never merges two people, neither by address nor by a missing login', async () => {
    await signIn();
    const sameMail = await signIn({ user: 'eve', attributes: { email: 'ADA@example.org' } });
    expect(sameMail.body.error).to.equal('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS');
    expect(await app.model.users.findByLogin('eve')).to.equal(undefined);
    await signIn({ user: 'bob', attributes: { email: 'bob@example.org' } });
    const moved = await signIn({ user: 'bob', attributes: { email: 'ada@example.org', firstname: 'Bob' } });
    expect(moved.body.user).to.include({ login: 'bob', email: 'bob@example.org', firstname: 'Bob' });
    const mailless = await signIn({ user: 'carl' });
    expect(mailless.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL');
  });

  it('refuses people whose account an administrator closed', async () => {
    const { body } = await signIn();
    const admin = await signInAsAdmin(app);
    await app.agent.put('/api/user/ada').query({ auth_token: admin }).send({ active: false });
    const me = await app.agent.get('/api/configuration').query({ auth_token: body.token });
    expect(me.body.auth).to.equal(false);
    const answer = await signIn();
    expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
  });

  it('uses an account that existed before, and ends its password and sessions', async () => {
    await app.model.configuration.set('authMethod', 'internal');
    const before = await buildUser(app, { login: 'ada', email: 'ada@example.org' });
    await app.model.configuration.set('authMethod', 'cas');
    const answer = await signIn();
    expect(answer.body.user._id).to.equal(before.id);
    expect((await app.model.users.get(before.id))?.password).to.equal(null);
    const old = await app.agent.get('/api/configuration').query({ auth_token: before.token });
    expect(old.body.auth).to.equal(false);
    await app.model.configuration.set('authMethod', 'internal');
    for (const password of [before.password, 'soooooo_useless', 'null']) {
      const typed = await app.agent.post('/api/auth/login').send({ login: 'ada', password });
      expect(typed.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD');
    }
  });

  it('tells people who are signed in that they need a password, after a change to passwords of this server', async () => {
    const { token } = (await signIn()).body;
    await app.model.configuration.set('openRegistration', false);
    await app.model.configuration.set('authMethod', 'internal');
    const asAda = (method: 'put' | 'delete' | 'post', path: string) =>
      app.agent[method](`/api/${path}`).set('Authorization', `Bearer ${token}`);
    const passwords = { password: 'long enough', currentPassword: 'at the server' };
    for (const answer of [
      await asAda('put', 'user/ada').send(passwords),
      await asAda('post', 'auth/check').send({ login: 'ada', password: 'at the server' }),
      await asAda('delete', 'user/ada').send({ currentPassword: 'at the server' }),
    ]) {
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD');
    }
  });

  it('lets people change and remove their account without a password, and keeps none', async () => {
    const { token, user } = (await signIn()).body;
    const asAda = (method: 'put' | 'delete' | 'post', path: string) =>
      app.agent[method](`/api/${path}`).set('Authorization', `Bearer ${token}`);
    const profile = { organization: 'Engines', password: '', passwordConfirm: '' };
    expect((await asAda('put', 'user/ada').send(profile)).status).to.equal(200);
    const refused = await asAda('put', 'user/ada').send({ ...profile, password: 'long enough' });
    expect(refused.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
    expect((await app.model.users.get(user._id))?.password).to.equal(null);
    const check = await asAda('post', 'auth/check').send({ login: 'ada', password: 'any' });
    expect(check.status).to.equal(400);
    expect((await asAda('delete', 'user/ada')).status).to.equal(200);
    expect(await app.model.users.findByLogin('ada')).to.equal(undefined);
  });

  it('shows everybody the addresses of the server, and no other of its settings', async () => {
    const cases = { logoutUrl: 'https://cas.example.org/bye', strictSSL: true, secret: 'x' };
    await app.model.configuration.set('authCasSettings', cas.settings(cases));
    const { body } = await app.agent.get('/api/configuration');
    expect(body.value.authMethod).to.equal('cas');
    expect(body.value.authCasSettings).to.deep.equal({
      serverUrl: cas.url,
      loginUrl: `${cas.url}/login?service=${encodeURIComponent(service)}`,
      logoutUrl: 'https://cas.example.org/bye',
    });
    expect((await signIn()).status).to.equal(200);
    // It cannot be emptied while people sign in by CAS, but an older database may lack it.
    await app.ports.database.set(keys.conf('rootUrl'), '');
    await app.restart();
    expect((await app.agent.get('/api/configuration')).body.value.authCasSettings.loginUrl).to.equal('');
    const rootless = await signIn();
    expect(rootless.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
  });

  it('is stored without the /login of the page from which people copy the address', () =>
    checkEach<[string, string]>(
      {
        '/login': ['https://sso.example.org/cas/login', 'https://sso.example.org/cas'],
        'with a slash': ['https://cas.example.org/login/', 'https://cas.example.org'],
        'with a service': ['https://sso.example.org/cas/login?service=x', 'https://sso.example.org/cas'],
        'a host with this name': ['https://login.example.org', 'https://login.example.org'],
        'a folder with this name': ['https://example.org/login/cas/', 'https://example.org/login/cas/'],
      },
      async ([typed, stored]) => {
        await app.model.configuration.set('authCasSettings', cas.settings({ serverUrl: typed }));
        expect(app.model.configuration.get('authCasSettings')).to.include({ serverUrl: stored });
      },
    ));

  it('ignores the host that a request claims', async () => {
    await app.model.configuration.set('trustProxy', true);
    const foreign = 'https://evil.example.org/etherpad/mypads/?/login';
    const answer = await app.agent
      .post('/api/auth/login/cas')
      .set({ Host: 'evil.example.org', 'X-Forwarded-Host': 'evil.example.org', 'X-Forwarded-Proto': 'https' })
      .send({ ticket: cas.ticket(person, foreign) });
    expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
  });

  it('says that the server is down, and works again when it is back', async () => {
    const dead = { ...cas.settings(), serverUrl: `http://127.0.0.1:${await closedPort()}/cas` };
    await app.model.configuration.set('authCasSettings', dead);
    const answer = await signIn();
    expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE' });
    await app.model.configuration.set('authCasSettings', cas.settings());
    expect((await signIn()).status).to.equal(200);
  });

  it('closes registration and recovery', async () => {
    const body = { login: 'x', password: 'long enough', email: 'x@example.org' };
    expect((await app.agent.post('/api/user').send(body)).body.error).to.equal(
      'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION',
    );
    expect((await app.agent.post('/api/passrecover').send({ email: 'x@example.org' })).body.error).to.equal(
      'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
    );
  });
});
