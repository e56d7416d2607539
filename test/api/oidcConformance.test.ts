/** What the OpenID Foundation's plans for clients (Basic, Config, Form Post, Back-Channel RP) check: docs/oidc.md. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { ada, oidcError, useOidc } from '../support/oidcSignIn';

const failed = [400, oidcError('AUTHENTICATION.OIDC_FAILED')];
const signedIn = [200, undefined];

interface Key {
  public: JWK;
  sign(claims: JWTPayload, header?: { kid?: string; typ?: string }): Promise<string>;
}

async function newKey(kid?: string, alg = 'RS256'): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    public: { ...(await exportJWK(publicKey)), use: 'sig', alg, ...(kid && { kid }) },
    sign: (claims, header = kid === undefined ? {} : { kid }) =>
      new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(privateKey),
  };
}

describe('a client of OpenID Connect, checked as by the OpenID Foundation', () => {
  const oidc = useOidc();
  const outcome = async (answer: Promise<{ status: number; body: { error?: string } }>) => {
    const { status, body } = await answer;
    return [status, body.error];
  };
  const json = (response: ServerResponse, body: unknown): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  /** The provider answers these paths with this, and the others itself. */
  const answers = (
    bodies: Record<string, (request: IncomingMessage, response: ServerResponse) => void>,
  ): void =>
    oidc.server.intercept((path, request, response) => {
      bodies[path]?.(request, response);
      return Object.hasOwn(bodies, path);
    });
  const keysAre = (...keys: Key[]): void =>
    answers({ '/jwks': (_request, response) => json(response, { keys: keys.map((one) => one.public) }) });
  const without = (name: string) => (claims: JWTPayload) => {
    const { [name]: _, ...others } = claims;
    return others;
  };

  it('refuses ID tokens without a claim that must be there, or for several clients', () =>
    checkEach<[(claims: JWTPayload) => JWTPayload, unknown[]]>(
      {
        'without iss': [without('iss'), failed],
        'without sub': [without('sub'), failed],
        'without aud': [without('aud'), failed],
        'without iat': [without('iat'), failed],
        'without exp': [without('exp'), failed],
        'an iss with a slash more': [(claims) => ({ ...claims, iss: `${claims.iss}/` }), failed],
        'issued to another client': [(claims) => ({ ...claims, aud: ['pads', 'x'], azp: 'x' }), failed],
        'for two clients, nobody said to whom': [(claims) => ({ ...claims, aud: ['pads', 'x'] }), failed],
        'for two clients, issued to us': [
          (claims) => ({ ...claims, aud: ['pads', 'x'], azp: 'pads' }),
          signedIn,
        ],
        'an hour too old': [(claims) => ({ ...claims, exp: Number(claims.iat) - 3_600 }), failed],
      },
      async ([how, wanted]) => {
        oidc.server.changeTokens(how);
        expect(await outcome(oidc.browser().signIn())).to.deep.equal(wanted);
      },
    ));

  it('finds the key of an ID token with and without its name, and takes no other', async () => {
    const [named, other, nameless, forged] = await Promise.all([
      newKey('one'),
      newKey('two'),
      newKey(),
      newKey('one'),
    ]);
    const elliptic = await newKey('three', 'ES256');
    await checkEach<[Key[], (claims: JWTPayload) => Promise<string>, unknown[]]>(
      {
        'no kid, one key': [[nameless], (claims) => nameless.sign(claims, {}), signedIn],
        'no kid, one key of this kind': [[named, elliptic], (claims) => named.sign(claims, {}), signedIn],
        'no kid, two keys of this kind': [[named, other], (claims) => named.sign(claims, {}), failed],
        'a kid among several': [[named, other], (claims) => other.sign(claims), signedIn],
        'an unknown kid': [[named, other], (claims) => named.sign(claims, { kid: 'three' }), failed],
        'a wrong signature (RS256)': [[named], (claims) => forged.sign(claims), failed],
        'the key of another algorithm': [[named], (claims) => elliptic.sign(claims, { kid: 'one' }), failed],
        'a cut signature': [[named], async (claims) => (await named.sign(claims)).slice(0, -20), failed],
      },
      async ([keys, sign, wanted]) => {
        keysAre(...keys);
        oidc.server.changeTokens(sign);
        expect(await outcome(oidc.browser().signIn())).to.deep.equal(wanted);
      },
    );
  });

  it('refuses an ID token that is signed with the secret of the client, or with a public key as a secret', () =>
    checkEach<(secret: string) => Uint8Array>(
      {
        'the secret': (secret) => new TextEncoder().encode(secret.padEnd(32)),
        'the public key': () =>
          new TextEncoder().encode('-----BEGIN PUBLIC KEY----- and so on, with 32 bytes'),
      },
      async (bytes) => {
        const secret = bytes(String(oidc.server.provider().clientSecret));
        oidc.server.changeTokens((claims) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret),
        );
        expect(await outcome(oidc.browser().signIn())).to.deep.equal(failed);
      },
    ));

  it('uses the key after a change also if the name of the key is the same', async () => {
    expect(await outcome(oidc.signIn())).to.deep.equal(signedIn);
    const [before, after] = [await newKey('same'), await newKey('same')];
    for (const key of [before, after]) {
      keysAre(key);
      oidc.server.changeTokens((claims) => key.sign(claims));
      expect(await outcome(oidc.signIn())).to.deep.equal(signedIn);
    }
    oidc.server.changeTokens((claims) => before.sign(claims));
    expect(await outcome(oidc.signIn())).to.deep.equal(failed);
  });

  it('takes claims from userinfo only if they are about the same person', () =>
    checkEach<[unknown, unknown[]]>(
      {
        'the same person': [
          { sub: 'a-1', preferred_username: 'ada', email: ada.email, email_verified: true },
          signedIn,
        ],
        'another person': [
          { sub: 'b-2', preferred_username: 'ada', email: ada.email, email_verified: true },
          failed,
        ],
        nobody: [{ preferred_username: 'ada', email: ada.email, email_verified: true }, failed],
        'no object': [['a-1'], failed],
      },
      async ([userinfo, wanted]) => {
        answers({ '/me': (_request, response) => json(response, userinfo) });
        expect(await outcome(oidc.browser().signIn())).to.deep.equal(wanted);
      },
    ));

  it('asks userinfo with the token in a header, and for the scopes of the settings', async () => {
    const asked: { authorization: string | undefined; url: string | undefined }[] = [];
    oidc.server.intercept((path, request) => {
      if (path === '/me') asked.push({ authorization: request.headers.authorization, url: request.url });
      return false;
    });
    const answer = await oidc.signIn();
    expect(answer.body.user).to.include({ email: ada.email, firstname: 'Ada', lastname: 'Lovelace' });
    expect(asked.map(({ url }) => url)).to.deep.equal(['/me']);
    expect(asked[0]?.authorization).to.match(/^Bearer ./);
    await oidc.configure({ scopes: 'openid profile', emailDomain: 'pads.example.org' });
    const { body } = await oidc.signIn({ ...ada, sub: 'c-3', preferred_username: 'carl' });
    expect(body.user.email).to.equal('carl@pads.example.org');
  });

  it('sends its secret as the settings say, and never in an address', () =>
    checkEach({ basic: /^Basic ./, post: undefined }, async (header) => {
      const clientAuth = header ? 'basic' : 'post';
      const sent: (string | undefined)[] = [];
      oidc.server.intercept((path, request) => {
        if (path === '/token') sent.push(request.headers.authorization);
        return false;
      });
      await oidc.configure({ clientAuth });
      expect(await outcome(oidc.browser().signIn())).to.deep.equal(signedIn);
      expect(sent).to.have.length(1);
      if (header) expect(sent[0]).to.match(header);
      else expect(sent[0]).to.equal(undefined);
      const secret = encodeURIComponent(String(oidc.server.provider().clientSecret));
      expect(oidc.server.requests.join(' ')).to.not.contain(secret);
    }));

  it('refuses what a provider says of itself with another issuer, or without what the flow needs', async () => {
    const found = (await (
      await fetch(`${oidc.server.url}/.well-known/openid-configuration`)
    ).json()) as object;
    await checkEach<object>(
      {
        'another issuer': { issuer: 'https://evil.example.org' },
        'the issuer with a slash more': { issuer: `${oidc.server.url}/` },
        'no issuer': { issuer: undefined },
        'no authorization endpoint': { authorization_endpoint: undefined },
      },
      async (changes) => {
        answers({
          '/.well-known/openid-configuration': (_request, response) =>
            json(response, { ...found, ...changes }),
        });
        await oidc.configure({ name: JSON.stringify(changes).slice(0, 40) });
        const page = await oidc.browser().visit('/api/auth/oidc/school/start');
        expect(await outcome(oidc.browser().redeem(page))).to.deep.equal(failed);
      },
    );
  });

  it('refuses an answer with a wrong or no state, and one that names another issuer', async () => {
    await checkEach<(answer: URL) => void>(
      {
        'a wrong state': (answer) => answer.searchParams.set('state', 'x'),
        'no state': (answer) => answer.searchParams.delete('state'),
        'another issuer (RFC 9207)': (answer) => answer.searchParams.set('iss', 'https://evil.example.org'),
        'no code': (answer) => answer.searchParams.delete('code'),
        'a wrong code': (answer) => answer.searchParams.set('code', 'x'),
      },
      async (change) => {
        const browser = oidc.browser();
        const answer = await browser.visitUntilAnswer('/api/auth/oidc/school/start');
        change(answer);
        const path = answer.pathname.replace(/^.*\/mypads(?=\/)/, '') + answer.search;
        const page = new URL((await browser.open(path)).location);
        expect(await outcome(browser.redeem(page))).to.deep.equal(failed);
      },
    );
  });

  it('tells somebody who refuses at the provider, also with the answer in a form', async () => {
    oidc.server.present(undefined);
    expect(await outcome(oidc.browser().signIn())).to.deep.equal(failed);
    await oidc.configure({ responseMode: 'form_post' });
    expect(await outcome(oidc.browser().signIn())).to.deep.equal(failed);
    oidc.server.present(ada);
    oidc.server.changeTokens((claims) => ({ ...claims, nonce: 'x' }));
    expect(await outcome(oidc.browser().signIn())).to.deep.equal(failed);
  });

  describe('in its back channel', () => {
    const event = 'http://schemas.openid.net/event/backchannel-logout';
    const claims = (): JWTPayload => ({
      ...{ iss: oidc.server.url, aud: 'pads', sub: 'a-1', jti: 'x', events: { [event]: {} } },
      iat: Math.floor(Date.now() / 1000),
    });
    const tell = (token: string) =>
      oidc.app.agent.post('/api/auth/oidc/school/logout').type('form').send({ logout_token: token });

    it('refuses logout tokens without a claim, of another key, or of another kind, and ends nothing', async () => {
      const { token } = (await oidc.signIn()).body;
      const [key, forged] = [await newKey('one'), await newKey('one')];
      keysAre(key);
      const now = Math.floor(Date.now() / 1000);
      await checkEach<() => Promise<string>>(
        {
          'without iss': () => key.sign(without('iss')(claims())),
          'another issuer': () => key.sign({ ...claims(), iss: 'https://evil.example.org' }),
          'another audience': () => key.sign({ ...claims(), aud: 'other' }),
          'with a nonce': () => key.sign({ ...claims(), nonce: 'x' }),
          'without a person and a session': () => key.sign(without('sub')(claims())),
          'alg: none': async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`,
          'without aud': () => key.sign(without('aud')(claims())),
          'without iat': () => key.sign(without('iat')(claims())),
          'without events': () => key.sign(without('events')(claims())),
          'another event': () => key.sign({ ...claims(), events: { 'https://example.org/other': {} } }),
          'events of another form': () => key.sign({ ...claims(), events: event }),
          'a wrong signature': () => forged.sign(claims()),
          expired: () => key.sign({ ...claims(), exp: now - 600 }),
          old: () => key.sign({ ...claims(), iat: now - 600 }),
          'of tomorrow': () => key.sign({ ...claims(), iat: now + 86_400 }),
          'signed with a secret': () =>
            new SignJWT(claims())
              .setProtectedHeader({ alg: 'HS256', kid: 'one' })
              .sign(new TextEncoder().encode(String(oidc.server.provider().clientSecret))),
        },
        async (make) => {
          expect((await tell(await make())).status).to.equal(400);
        },
      );
      const isIn = async () => (await callerOf(oidc.app, token)('get', 'configuration')).body.auth;
      expect(await isIn()).to.equal(true);
      expect((await tell(await key.sign(claims()))).status).to.equal(200);
      expect(await isIn()).to.equal(false);
    });
  });
});
