import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { startOidcServer } from '../support/oidcServer';
import { ada, oidcError, oidcRoot, useOidc } from '../support/oidcSignIn';
import { closedPort } from '../support/smtpServer';

const failed = [400, oidcError('AUTHENTICATION.OIDC_FAILED')];
const unavailable = [503, oidcError('AUTHENTICATION.DIRECTORY_UNAVAILABLE')];
const start = '/api/auth/oidc/school/start';

/** The path and query of an address of ours, for the app. */
const ownPath = ({ pathname, search }: URL): string => pathname.replace(/^.*\/mypads(?=\/)/, '') + search;

describe('OpenID Connect under attack', () => {
  const oidc = useOidc();
  const outcome = async (answer: Promise<{ status: number; body: { error?: string } }>) => {
    const { status, body } = await answer;
    return status === 200 ? [200] : [status, body.error];
  };
  const reasons = async (): Promise<unknown[]> =>
    (await oidc.app.lines())
      .filter(({ message }) => message.startsWith('OpenID Connect'))
      .map(({ facts }) => (facts as { reason?: string } | undefined)?.reason);

  it('refuses an answer that was sent before, in another browser, or that nobody waits for', async () => {
    const browser = oidc.browser();
    const answer = ownPath(await browser.visitUntilAnswer(start));
    const page = new URL((await browser.open(answer)).location);
    const again = new URL((await browser.open(answer)).location);
    expect(await outcome(browser.redeem(again)), 'sent again').to.deep.equal(failed);
    expect(await outcome(browser.redeem(page))).to.deep.equal([200]);
    expect(await outcome(browser.redeem(page)), 'code used twice').to.deep.equal(failed);

    // Somebody lets another person sign in to their account (CSRF on the callback).
    const own = oidc.browser();
    const stolen = ownPath(await own.visitUntilAnswer(start));
    const victim = oidc.browser();
    await victim.visitUntilAnswer(start);
    const foreign = new URL((await victim.open(stolen)).location);
    expect(await outcome(victim.redeem(foreign)), 'in another browser').to.deep.equal(failed);
    const late = new URL((await own.open(stolen)).location);
    expect(await outcome(own.redeem(late)), 'used up by the attack').to.deep.equal(failed);

    const madeUp = await victim.open('/api/auth/oidc/school/callback?code=1&state=2');
    expect(await outcome(victim.redeem(new URL(madeUp.location)))).to.deep.equal(failed);
    expect(await reasons()).to.include.members([
      'an answer that nobody waits for',
      'another browser than the one that began',
    ]);
  });

  it('gives the session only to the browser that has signed in, and never continues an earlier one', async () => {
    const browser = oidc.browser();
    const page = await browser.visit(start);
    // Somebody else has seen the address.
    expect(await outcome(oidc.browser().redeem(page))).to.deep.equal(failed);
    const first = await browser.signIn();
    const second = await browser.signIn();
    expect(first.body.token).not.to.equal(second.body.token);
    const fixed = await callerOf(oidc.app, first.body.token)('post', 'auth/logout');
    expect(fixed.status).to.equal(200);
    const { body } = await callerOf(oidc.app, second.body.token)('get', 'configuration');
    expect(body.auth).to.equal(true);
  });

  it('leads to no other site, whatever `next` says', () =>
    checkEach(
      Object.fromEntries(
        [
          'https://evil.example.org',
          '//evil.example.org',
          '/\\evil.example.org',
          'javascript:alert(1)',
          '/ok\nSet-Cookie: x=1',
          'evil',
        ].map((next) => [next, next]),
      ),
      async (next) => {
        const page = await oidc.browser().visit(`${start}?next=${encodeURIComponent(next)}`);
        expect(page.href.startsWith(`${oidcRoot}/mypads/?/login&`)).to.equal(true);
        expect(page.searchParams.get('return')).to.equal(null);
      },
    ));

  it('begins no sign-in for another site, and leads to a page that does not begin one by itself, without end', async () => {
    const answer = await oidc.app.agent.get(start).set('Sec-Fetch-Site', 'cross-site').redirects(0);
    expect(answer.headers.location).to.equal(`${oidcRoot}/mypads/?/login&auto=no`);
    expect(answer.headers['set-cookie']).to.equal(undefined);
  });

  it('keeps forms of providers that send some, and only small ones', async () => {
    const send = async (provider: string, form: Record<string, string>) => {
      const answer = oidc.app.agent.post(`/api/auth/oidc/${provider}/callback`).type('form');
      const { status, headers } = await answer.send(form).redirects(0);
      return [status, /[?&](answer|oidc)=/.exec(headers.location ?? '')?.[1]];
    };
    const small = { state: 'x', code: 'y' };
    expect(await send('school', small), 'no form was asked for').to.deep.equal([303, 'oidc']);
    expect(await send('unknown', small)).to.deep.equal([303, 'oidc']);
    await oidc.configure({ responseMode: 'form_post' });
    expect(await send('school', small)).to.deep.equal([303, 'answer']);
    const large = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`code${at}`, 'y'.repeat(7_000)]));
    expect(await send('school', large)).to.deep.equal([400, undefined]);
  });

  it('takes no form for a ticket that opens a pad as somebody else', async () => {
    await oidc.configure({ responseMode: 'form_post' });
    const person = await buildUser(oidc.app);
    const pad = await buildPad(oidc.app, person, await buildGroup(oidc.app, person));
    const [, claims = ''] = person.token.split('.');
    const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string };
    const { headers } = await oidc.app.agent
      .post('/api/auth/oidc/school/callback')
      .type('form')
      .send({ padId: pad._id, sessionId: jti })
      .redirects(0);
    const answer = new URL(String(headers.location)).searchParams.get('answer');
    const server = await oidc.app.listen();
    try {
      const opened = await fetch(`${server.url}/p/${pad._id}?auth_token=oidc-answer:${answer}`, {
        redirect: 'manual',
      });
      // A real Etherpad sets one of its own.
      expect(opened.headers.getSetCookie().join()).to.not.contain('mypads_entry=');
    } finally {
      await server.close();
    }
  });

  it('accepts no token in an address', async () => {
    for (const name of ['access_token', 'id_token']) {
      const browser = oidc.browser();
      const answer = await browser.visitUntilAnswer(start);
      answer.searchParams.set(name, await oidc.server.sign({ sub: 'a-1' }));
      const page = new URL((await browser.open(ownPath(answer))).location);
      expect(await outcome(browser.redeem(page)), name).to.deep.equal(failed);
    }
  });

  it('never takes the person of another provider for somebody, also with the same `sub`', async () => {
    const other = await startOidcServer({ root: oidcRoot, id: 'other' });
    const providers = { school: oidc.server.provider(), other: other.provider({ takenLogin: 'number' }) };
    await oidc.set('authOidcSettings', { providers });
    const own = (await oidc.signIn()).body.user;
    other.present({ ...ada, email: 'second@example.org' });
    const foreign = await oidc.browser().signIn('other');
    expect([foreign.status, foreign.body.user._id === own._id, foreign.body.user.login]).to.deep.equal([
      200,
      false,
      'ada2',
    ]);
    // The answer of one provider, sent to the address of the other.
    const browser = oidc.browser();
    const answer = await browser.visitUntilAnswer(start);
    const mixed = ownPath(answer).replace('/school/', '/other/');
    const page = new URL((await browser.open(mixed)).location);
    expect(await outcome(browser.redeem(page))).to.deep.equal(failed);
    // The answer names another issuer (RFC 9207).
    const second = await browser.visitUntilAnswer(start);
    second.searchParams.set('iss', other.url);
    const wrong = new URL((await browser.open(ownPath(second))).location);
    expect(await outcome(browser.redeem(wrong))).to.deep.equal(failed);
    await other.stop();
  });

  it('gives nobody an account by an address that the provider does not call verified', async () => {
    const victim = await buildUser(oidc.app, { login: 'victim', email: 'victim@example.org' });
    await oidc.configure({ linkDomains: ['example.org'] });
    const eve = { sub: 'e-1', preferred_username: 'eve', email: 'victim@example.org', email_verified: false };
    expect((await oidc.signIn(eve)).body.error).to.equal(oidcError('AUTHENTICATION.LDAP_NO_VALID_MAIL'));
    // Nor by a username that is the address of somebody else.
    const named = {
      sub: 'e-2',
      preferred_username: 'victim@example.org',
      email: 'e@example.org',
      email_verified: true,
    };
    expect((await oidc.signIn(named)).body.error).to.equal(oidcError('USER.ALREADY_EXISTS'));
    // Nor by an address that is made of a username, while the provider vouches for something else.
    await oidc.configure({ linkDomains: ['example.org'], emailDomain: 'example.org' });
    await buildUser(oidc.app, { login: 'chief', email: 'boss@example.org' });
    const made = { sub: 'e-3', preferred_username: 'boss', email: 'no address', email_verified: true };
    expect((await oidc.signIn(made)).body.error).to.equal(oidcError('USER.EMAIL_ALREADY_EXISTS'));
    // Nor from somebody who has not confirmed the address yet.
    const { users } = oidc.app.model;
    const waiting = { login: 'new', email: 'made@example.org', password: 'long enough', active: false };
    const owner = await users.register({ ...waiting, unconfirmedUntil: Date.now() + 3600_000 });
    const taking = { ...made, sub: 'e-4', preferred_username: 'made' };
    expect((await oidc.signIn(taking)).body.error).to.equal(oidcError('USER.EMAIL_ALREADY_EXISTS'));
    expect((await users.findByEmail('made@example.org'))?._id).to.equal(owner._id);
    const { body } = await callerOf(oidc.app, victim.token)('get', 'configuration');
    expect(body.auth).to.equal(true);
  });

  it('gives nobody the address of another person as their username', async () => {
    const eve = { ...ada, sub: 'e-1', preferred_username: 'head@example.org', email: 'eve@example.net' };
    const { login } = (await oidc.signIn(eve)).body.user;
    await oidc.set('SMTPHost', '127.0.0.1');
    await oidc.set('SMTPPort', await closedPort());
    await oidc.set('SMTPEmailFrom', 'pads@example.org');
    const owner = await buildUser(oidc.app);
    const { _id: group } = await buildGroup(oidc.app, owner);
    const invited = { loginsOrEmails: ['head@example.org'] };
    const answer = await callerOf(oidc.app, owner.token)('post', `group/${group}/invitations`, invited);
    expect(answer.body).to.deep.include({ present: [], invited: ['head@example.org'] });
    const head = { ...ada, sub: 'h-1', preferred_username: 'head@example.org', email: 'Head@example.org' };
    expect((await oidc.signIn(head)).body.user?.login).to.equal('head@example.org');
    expect(login).to.equal('head');
  });

  it('takes no address of another claim for the one that the provider has verified', async () => {
    const victim = await buildUser(oidc.app, { login: 'victim', email: 'victim@example.org' });
    // People choose the name in `preferred_username`. The provider has verified the other address.
    const claims = { login: 'sub', email: 'preferred_username' };
    await oidc.configure({ linkDomains: ['example.org'], claims });
    const named = { preferred_username: 'victim@example.org', email_verified: true };
    const eve = { ...named, sub: 'eve', email: 'eve@example.net' };
    expect((await oidc.signIn(eve)).body.error).to.equal(oidcError('AUTHENTICATION.LDAP_NO_VALID_MAIL'));
    const { body } = await callerOf(oidc.app, victim.token)('get', 'configuration');
    expect(body.auth).to.equal(true);
    // Without an address in `email`, the provider has verified none.
    const without = await oidc.signIn({ ...named, sub: 'v-1' });
    expect(without.body.error).to.equal(oidcError('AUTHENTICATION.LDAP_NO_VALID_MAIL'));
  });

  it('takes no address of the ID token for the one that userinfo calls verified', async () => {
    await buildUser(oidc.app, { login: 'victim', email: 'victim@example.org' });
    await oidc.configure({ linkDomains: ['example.org'] });
    oidc.server.changeTokens((claims) => ({ ...claims, email: 'victim@example.org' }));
    const eve = { ...ada, sub: 'eve', preferred_username: 'eve', email: 'eve@example.net' };
    expect((await oidc.signIn(eve)).body.error).to.equal(oidcError('AUTHENTICATION.LDAP_NO_VALID_MAIL'));
    const victim = { ...eve, sub: 'v-1', email: 'victim@example.org' };
    expect((await oidc.signIn(victim)).body.user.login).to.equal('victim');
  });

  it('accepts only tokens of this provider, for this server, of this moment', async () => {
    const change = (fields: JWTPayload) => (claims: JWTPayload) => ({ ...claims, ...fields });
    const now = Math.floor(Date.now() / 1000);
    await checkEach<[(claims: JWTPayload) => JWTPayload | null, unknown[]]>(
      {
        'as it is': [(claims) => claims, [200]],
        'alg: none': [() => null, failed],
        'another issuer': [change({ iss: 'https://evil.example.org' }), failed],
        'another audience': [change({ aud: 'another client' }), failed],
        'another nonce': [change({ nonce: 'another' }), failed],
        'without a nonce': [({ nonce: _, ...claims }) => claims, failed],
        'another person than userinfo': [change({ sub: 'b-2' }), failed],
        expired: [change({ exp: now - 90 }), failed],
        'expired 30 s ago, by another clock': [change({ exp: now - 30 }), [200]],
        'from a clock that is 50 s ahead': [change({ iat: now + 50, nbf: now + 50 }), [200]],
        'from a clock that is 90 s ahead': [change({ nbf: now + 90 }), failed],
      },
      async ([how, expected]) => {
        oidc.server.changeTokens(how);
        expect(await outcome(oidc.signIn())).to.deep.equal(expected);
      },
    );
  });

  it('says in the log what the provider has answered, for the operator who has set it up wrongly', async () => {
    const { url } = oidc.server;
    const another = (path: string, response: ServerResponse): boolean => {
      if (!path.endsWith('/openid-configuration')) return false;
      response.setHeader('content-type', 'application/json');
      response.end('{"issuer":"https://id.example.org/realm"}');
      return true;
    };
    await checkEach<[Record<string, unknown>, RegExp, (() => void)?]>(
      {
        'a wrong secret': [{ clientSecret: 'of another client' }, /invalid_client/],
        'a wrong path of the issuer': [{ issuer: `${url}/nowhere` }, /status 404$/],
        'another issuer': [
          { name: 'Moved' },
          /it is https:\/\/id\.example\.org\/realm$/,
          () => oidc.server.intercept((path, _request, response) => another(path, response)),
        ],
        'somebody who refuses': [{}, /access_denied/, () => oidc.server.present(undefined)],
      },
      async ([changes, expected, prepare]) => {
        await oidc.configure(changes);
        oidc.server.present(ada);
        prepare?.();
        const browser = oidc.browser();
        await browser.redeem(await browser.visit(start));
        oidc.server.intercept(undefined);
        expect((await reasons()).at(-1)).to.match(expected);
      },
    );
  });

  it('says that a provider is down, slow or answers nonsense, and works again afterwards', async () => {
    const answerAt = (at: string, text: string, status = 200) =>
      oidc.server.intercept((path, _request, response) => {
        if (path !== at) return false;
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
        return true;
      });
    await checkEach<[() => unknown, unknown[]]>(
      {
        'the token endpoint fails': [() => answerAt('/token', 'oops', 500), unavailable],
        'the token endpoint refuses': [() => answerAt('/token', '{"error":"invalid_grant"}', 400), failed],
        'too long an answer': [() => answerAt('/token', `"${'x'.repeat(300_000)}"`), unavailable],
        'no JSON': [() => answerAt('/token', '<html>'), failed],
        'no answer': [() => oidc.server.intercept((path) => path === '/token'), unavailable],
        'another issuer than in the settings': [
          () => answerAt('/.well-known/openid-configuration', '{"issuer":"https://evil.example.org"}'),
          failed,
        ],
      },
      async ([misbehave, expected]) => {
        const browser = oidc.browser();
        const answer = await browser.visitUntilAnswer(start);
        misbehave();
        const page = new URL((await browser.open(ownPath(answer))).location);
        expect(await outcome(browser.redeem(page))).to.deep.equal(expected);
        oidc.server.intercept(undefined);
      },
    );
    await oidc.configure({ issuer: `http://127.0.0.1:${await closedPort()}` });
    expect(await outcome(oidc.signIn()), 'down').to.deep.equal(unavailable);
    await oidc.configure();
    expect(await outcome(oidc.signIn())).to.deep.equal([200]);
  });
});
