import { expect } from 'chai';
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { keys } from '../../model/store/store';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildUser, signInAsAdmin } from '../support/factories';
import { startMailFor, tokenIn } from '../support/mailFixture';
import { type OidcPersonOfTest, startOidcServer } from '../support/oidcServer';
import { ada, oidcError, oidcRoot, useOidc } from '../support/oidcSignIn';
import { addApp, addPasskey } from '../support/secondFactors';
import { until } from '../support/waiting';

describe('single sign-on with OpenID Connect', () => {
  const oidc = useOidc();

  it('is offered with its name, and where it begins', async () => {
    const { value } = (await oidc.app.agent.get('/api/auth/methods')).body;
    expect(value).to.deep.equal([
      { method: 'internal', proof: 'typed', passkeys: true },
      {
        method: 'oidc',
        proof: 'redirect',
        provider: 'school',
        name: 'The School',
        url: `${oidcRoot}/mypads/api/auth/oidc/school/start`,
      },
    ]);
  });

  it('makes an account at the first sign-in, and finds it again with the current data', async () => {
    await oidc.configure({ defaultLang: 'de' });
    const first = await oidc.signIn();
    expect(first.body.user).to.include({
      login: 'ada',
      email: 'ada@example.org',
      firstname: 'Ada',
      lastname: 'Lovelace',
      lang: 'de',
      active: true,
      passwordAt: 'none',
    });
    const second = await oidc.signIn({ ...ada, preferred_username: 'countess', family_name: 'King' });
    expect(second.body.user).to.include({ _id: first.body.user._id, login: 'ada', lastname: 'King' });
    const me = await callerOf(oidc.app, second.body.token)('get', 'configuration');
    expect(me.body.user._id).to.equal(first.body.user._id);
  });

  it('works with the answer in a form', async () => {
    await oidc.configure({ responseMode: 'form_post' });
    expect((await oidc.signIn()).status).to.equal(200);
  });

  it('makes one account of many sign-ins at the same moment', async () => {
    oidc.server.present(ada);
    const answers = await Promise.all(Array.from({ length: 6 }, () => oidc.browser().signIn()));
    expect(answers.map(({ status }) => status)).to.deep.equal(new Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => body.user._id)).size).to.equal(1);
  });

  it('works in several tabs that begin at the same moment, or one before another has ended', async () => {
    const start = '/api/auth/oidc/school/start';
    const browser = oidc.browser();
    const begun = await Promise.all(Array.from({ length: 4 }, () => browser.open(start)));
    begun.push(await browser.open(start));
    const [first, ...others] = begun.map(({ location }) => location);
    // This one has come back from the provider before the others end.
    const early = await browser.follow(first ?? '');
    for (const location of [...others, undefined]) {
      const page = location === undefined ? early : await browser.follow(location);
      const { status, body } = await browser.redeem(page);
      expect([status, body.error]).to.deep.equal([200, undefined]);
    }
  });

  it('keeps few cookies in a browser, however often it begins, and the last sign-in works', async () => {
    const browser = oidc.browser();
    const names = new Set<string>();
    for (let number = 0; number < 25; number += 1) {
      const { response } = await browser.open('/api/auth/oidc/school/start');
      const [name] = String(response.headers['set-cookie']).split('=');
      names.add(name ?? '');
    }
    expect(names.size).to.equal(10);
    expect((await browser.signIn()).status).to.equal(200);
  });

  it('opens the wanted path afterwards', async () => {
    const path = '/mypads/group/maths/view';
    const page = await oidc.browser().visit(`/api/auth/oidc/school/start?next=${encodeURIComponent(path)}`);
    expect(page.searchParams.get('return')).to.equal(path);
  });

  it('lets in only those with the right claims', async () => {
    await oidc.configure({ allow: { claim: 'groups', values: ['staff', 'board'] } });
    expect((await oidc.signIn()).status).to.equal(200);
    for (const groups of [['pupils'], undefined]) {
      const answer = await oidc.signIn({ ...ada, sub: 'b-2', groups });
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.OIDC_DENIED');
    }
    // Whoever was let in before is asked again.
    expect((await oidc.signIn({ ...ada, groups: [] })).status).to.equal(403);
  });

  it('handles people without a usable address or with a taken username as the settings say', async () => {
    await buildUser(oidc.app, { login: 'ada', email: 'other@example.org' });
    expect((await oidc.signIn()).body.error).to.equal(oidcError('USER.ALREADY_EXISTS'));
    await oidc.configure({ takenLogin: 'number' });
    expect((await oidc.signIn()).body.user.login).to.equal('ada2');
    const bob = { sub: 'b-1', preferred_username: 'bob' };
    expect((await oidc.signIn(bob)).body.error).to.equal(oidcError('AUTHENTICATION.LDAP_NO_VALID_MAIL'));
    const unverified = { ...bob, email: 'bob@example.org', email_verified: false };
    expect((await oidc.signIn(unverified)).body.error).to.equal(
      oidcError('AUTHENTICATION.LDAP_NO_VALID_MAIL'),
    );
    await oidc.configure({ emailDomain: 'school.example.org' });
    expect((await oidc.signIn(bob)).body.user.email).to.equal('bob@school.example.org');
    await oidc.configure({ trustEmail: true });
    const eve = { sub: 'e-1', preferred_username: 'eve', email: 'eve@example.org' };
    expect((await oidc.signIn(eve)).body.user.email).to.equal('eve@example.org');
    for (const preferred_username of [undefined, '', 'x'.repeat(101), 'a\u0085b']) {
      const answer = await oidc.signIn({ ...ada, sub: 'odd', preferred_username });
      expect(answer.body.error, String(preferred_username)).to.equal(oidcError('TYPE.USER_INVALID'));
    }
  });

  it('reads other claims, also inside others', async () => {
    await oidc.configure({ claims: { login: 'sub', firstname: 'preferred_username' } });
    expect((await oidc.signIn()).body.user).to.include({ login: 'a-1', firstname: 'ada' });
    const long = await oidc.signIn({
      ...ada,
      sub: 'long',
      family_name: `${'x'.repeat(99)}\u{1f600}`,
      email: 'l@example.org',
    });
    expect(long.body.user.lastname, 'no half of a character').to.equal('x'.repeat(99));
  });

  it('opens an existing account only by a verified address that may be linked, and ends its password', async () => {
    const before = await buildUser(oidc.app, { login: 'lovelace', email: 'ada@example.org' });
    const taken = oidcError('USER.EMAIL_ALREADY_EXISTS');
    const linking = { linkDomains: ['example.org'], trustEmail: true };
    await checkEach(
      {
        'no domain may be linked': [{}, true],
        'another domain': [{ linkDomains: ['school.example.org'] }, true],
        unverified: [linking, false],
        'not said to be verified': [linking, undefined],
      } as Record<string, [Record<string, unknown>, boolean | undefined]>,
      async ([settings, email_verified]) => {
        await oidc.configure(settings);
        expect((await oidc.signIn({ ...ada, email_verified })).body.error).to.equal(taken);
      },
    );
    await oidc.configure({ linkDomains: ['EXAMPLE.org'] });
    const linked = await oidc.signIn();
    expect([linked.status, linked.body.user._id]).to.deep.equal([200, before.id]);
    const old = await callerOf(oidc.app, before.token)('get', 'configuration');
    expect(old.body.auth, 'sessions from before').to.equal(false);
    const typed = { login: 'lovelace', password: before.password };
    expect((await oidc.app.agent.post('/api/auth/login').send(typed)).status).to.equal(400);
    // The address later belongs to somebody else at the provider.
    const next = await oidc.signIn({ ...ada, sub: 'a-2', preferred_username: 'ada2' });
    expect(next.body.error).to.equal(taken);
  });

  it('ends sessions and API tokens of an account without a password that it links', async () => {
    await oidc.configure({ linkDomains: ['example.org'] });
    const before = await buildUser(oidc.app, { login: 'lovelace', email: ada.email });
    const apiToken = await buildApiToken(oidc.app, before);
    await oidc.app.model.users.update(before.id, (user) => ({ ...user, password: null }));
    expect((await oidc.signIn()).body.user._id).to.equal(before.id);
    for (const token of [before.token, apiToken])
      expect((await callerOf(oidc.app, token)('get', 'group')).status).to.equal(401);
  });

  it('opens a linked account with no passkey or app from before, also if the sign-in stopped', async () => {
    const guest = callerOf(oidc.app);
    const byPasskey = async (device: Awaited<ReturnType<typeof addPasskey>>) => {
      const { value } = (await guest('post', 'auth/passkey/options', {}).expect(200)).body;
      return (await guest('post', 'auth/login/passkey', { passkey: device.signIn(value) })).body;
    };
    const identityOf = (subject: string) => ({ method: 'oidc' as const, issuer: oidc.server.url, subject });
    await oidc.configure({ linkDomains: ['example.org'] });
    await checkEach(
      {
        'it did not stop': () => undefined,
        'before the factors are gone': (id) => ({ calls: ['remove'], keys: keys.factors(id) }),
        'before the account is changed': (id) => ({ calls: ['set'], keys: keys.user(id) }),
        'before the account is noted': (id) => ({ calls: ['set'], keys: keys.identity(identityOf(id)) }),
      } as Record<string, (id: string) => { calls: ('remove' | 'set')[]; keys: string } | undefined>,
      async (stopsAt) => {
        await oidc.set('authMethods', ['oidc']);
        const { id, ...stranger } = await buildUser(oidc.app);
        await addApp(oidc.app, { id, ...stranger });
        const device = await addPasskey(oidc.app, { id, ...stranger });
        const person = { ...ada, sub: id, preferred_username: `own${id}`, email: stranger.email };
        const left = async () => {
          const { totp, passkeys, recovery } = await oidc.app.model.factors.of({ _id: id });
          return [...(totp ? [totp] : []), ...passkeys, ...recovery];
        };
        const stop = stopsAt(id);
        if (stop) {
          await oidc.app.inject({ fault: 'fail', why: 'full', ...stop });
          expect((await oidc.signIn(person)).status).to.equal(503);
          await oidc.app.inject({ fault: 'none' });
          // The record itself: a read is refused until a failed write is rolled back.
          const stored = await oidc.app.ports.database.get(keys.user(id));
          if (JSON.stringify(stored).includes('identities'))
            expect(await left(), 'when it stopped').to.deep.equal([]);
        }
        await until('it is linked', async () => (await oidc.signIn(person)).body.user?._id === id);
        await oidc.set('authMethods', []);
        expect((await byPasskey(device)).error).to.equal(oidcError('FACTOR.PASSKEY'));
        expect(await left()).to.deep.equal([]);
      },
    );
  });

  it('keeps the passkeys that people add once the account is theirs', async () => {
    const { _id } = (await oidc.signIn()).body.user;
    const passkey = { _id: 'own', name: 'Phone', publicKey: '', counter: 0, transports: [] };
    await oidc.app.model.factors.addPasskey({ _id }, passkey);
    expect((await oidc.signIn()).status).to.equal(200);
    expect((await oidc.app.model.factors.of({ _id })).passkeys).to.have.length(1);
  });

  it('finds the account again after a first sign-in that stopped before it was noted', async () => {
    const bob = { ...ada, sub: 'b-1', preferred_username: 'bob', email: 'bob@example.org' };
    await buildUser(oidc.app, { login: 'lovelace', email: ada.email });
    await buildUser(oidc.app, { login: 'bob', email: 'other@example.org' });
    await checkEach(
      {
        'linked, with another username': [{ linkDomains: ['example.org'] }, ada, 'lovelace'],
        'made, with a number': [{ takenLogin: 'number' }, bob, 'bob2'],
      } as Record<string, [Record<string, unknown>, OidcPersonOfTest, string]>,
      async ([settings, person, login]) => {
        await oidc.configure(settings);
        const note = keys.identity({ method: 'oidc', issuer: oidc.server.url, subject: person.sub });
        await oidc.app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: note });
        expect((await oidc.signIn(person)).status, 'stopped').to.equal(503);
        await oidc.app.inject({ fault: 'none' });
        // Until the failed write is rolled back.
        await until('the note can be written', async () => (await oidc.signIn(person)).status !== 503);
        const { status, body } = await oidc.signIn(person);
        expect([status, body.error, body.user?.login]).to.deep.equal([200, undefined, login]);
        expect(await oidc.app.ports.database.get(note)).to.deep.equal({ user: body.user._id });
      },
    );
  });

  it('refuses those whose account was closed, and forgets a removed account', async () => {
    const { user } = (await oidc.signIn()).body;
    const admin = callerOf(oidc.app, await signInAsAdmin(oidc.app));
    await admin('put', 'user/ada', { active: false });
    const refused = await oidc.signIn();
    expect(refused.body.error).to.equal(oidcError('AUTHENTICATION.ACTIVATION_NEEDED'));
    const key = keys.identity({ method: 'oidc', issuer: oidc.server.url, subject: 'a-1' });
    expect(await oidc.app.ports.database.get(key)).to.deep.equal({ user: user._id });
    await admin('delete', 'user/ada').expect(200);
    await oidc.app.idle();
    expect((await oidc.app.ports.database.get(key)) ?? undefined).to.equal(undefined);
    const again = await oidc.signIn();
    expect([again.status, again.body.user._id === user._id]).to.deep.equal([200, false]);
  });

  it('leaves its people to passwords once their provider is removed or has moved', async () => {
    const admin = callerOf(oidc.app, await signInAsAdmin(oidc.app));
    await oidc.set('authHeaderSettings', { name: 'Proxy', proxies: ['127.0.0.1', '::1'] });
    await oidc.set('authMethods', ['oidc', 'header']);
    const { user } = (await oidc.signIn()).body;
    const chosen = { login: 'ada', password: 'long enough' };
    const given = () => admin('put', 'user/ada', { password: chosen.password });
    const typed = () => oidc.app.agent.post('/api/auth/login').send(chosen);
    const byProxy = (login: string) =>
      oidc.app.agent
        .post('/api/auth/login/header')
        .set({ 'Remote-User': login, 'Remote-Email': `${login}@example.net` })
        .send({});
    const school = oidc.server.provider();
    const another = oidc.server.provider({ issuer: 'https://id.example.net' });
    await checkEach(
      {
        'the same issuer': { school },
        'the same issuer, written otherwise': { school: { ...school, issuer: `${oidc.server.url}/` } },
        'under another name': { another, renamed: school },
      } as Record<string, Record<string, unknown>>,
      async (providers) => {
        await oidc.set('authOidcSettings', { providers });
        expect((await given()).body.error).to.equal(oidcError('AUTHENTICATION.NO_RECOVER'));
      },
    );
    await checkEach(
      { removed: { another }, moved: { school: another } } as Record<string, object>,
      async (providers) => {
        await oidc.app.model.users.update(user._id, (stored) => ({ ...stored, password: null }));
        await oidc.set('authOidcSettings', { providers });
        expect((await byProxy('ada')).body.error).to.equal(oidcError('USER.ALREADY_EXISTS'));
        const before = (await typed()).body.error;
        expect(before).to.equal(oidcError('AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD'));
        expect((await given()).status).to.equal(200);
        const now = (await typed()).body.user;
        expect([now?._id, now?.passwordAt]).to.deep.equal([user._id, 'here']);
      },
    );
    await oidc.configure();
    expect((await oidc.signIn()).body.user._id).to.equal(user._id);
    expect((await typed()).status, 'a password from when it was away').to.equal(400);
  });

  it('mails a link for a password once their provider is removed', async () => {
    await oidc.signIn();
    const mail = await startMailFor(oidc.app, { rootUrl: oidcRoot });
    const asked = async () => {
      expect((await oidc.app.agent.post('/api/passrecover').send({ email: ada.email })).status).to.equal(200);
      await oidc.app.idle();
    };
    await asked();
    expect(mail.received).to.deep.equal([]);
    await oidc.configure({ issuer: 'https://id.example.net' });
    await asked();
    const token = tokenIn(await mail.next(), 'passrecover', oidcRoot);
    const chosen = { password: 'long enough', passwordConfirm: 'long enough' };
    expect((await oidc.app.agent.put(`/api/passrecover/${token}`).send(chosen)).status).to.equal(200);
    await mail.close();
  });

  it('is not there where it is not offered', async () => {
    await oidc.set('authMethods', []);
    const page = await oidc.browser().visit('/api/auth/oidc/school/start');
    const answer = await oidc.browser().redeem(page);
    expect([answer.status, answer.body.error]).to.deep.equal([400, oidcError('AUTHENTICATION.OIDC_FAILED')]);
  });

  it('proves who this server is with a key instead of a secret (private_key_jwt)', () =>
    checkEach(
      [
        ['RSA', 'RS256'],
        ['EC', 'ES256'],
      ] as const,
      async (alg) => {
        const pair = await generateKeyPair(alg, { extractable: true });
        const key = { ...(await exportJWK(pair.publicKey)), alg, use: 'sig', kid: 'ours' };
        const client = {
          client_secret: undefined,
          token_endpoint_auth_method: 'private_key_jwt' as const,
          token_endpoint_auth_signing_alg: alg,
          jwks: { keys: [key] },
        };
        const server = await startOidcServer({ root: oidcRoot, client });
        server.present({ ...ada, sub: alg, preferred_username: alg, email: `${alg}@example.org` });
        const settings = {
          clientSecret: undefined,
          privateKey: await exportPKCS8(pair.privateKey),
          keyId: 'ours',
        };
        const { clientSecret: _secret, ...provider } = server.provider(settings);
        await oidc.set('authOidcSettings', { providers: { school: { ...provider } } });
        const answer = await oidc.browser().signIn();
        await server.stop();
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      },
    ));
});
