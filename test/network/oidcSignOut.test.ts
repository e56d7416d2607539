import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { oidcRoot, useOidc } from '../support/oidcSignIn';

const event = 'http://schemas.openid.net/event/backchannel-logout';

describe('signing out with OpenID Connect', () => {
  const oidc = useOidc();
  const isIn = async (token: string): Promise<boolean> =>
    (await callerOf(oidc.app, token)('get', 'configuration')).body.auth;
  const tell = async (claims: JWTPayload, type?: string) =>
    oidc.app.agent
      .post('/api/auth/oidc/school/logout')
      .type('form')
      .send({ logout_token: await oidc.server.sign(claims, type) });
  const claims = (): JWTPayload => ({
    iss: oidc.server.url,
    aud: 'pads',
    sub: 'a-1',
    iat: Math.floor(Date.now() / 1000),
    jti: 'x',
    events: { [event]: {} },
  });

  it('leads to the provider, unless the settings say otherwise', async () => {
    const out = async () =>
      (await callerOf(oidc.app, (await oidc.signIn()).body.token)('post', 'auth/logout')).body.url;
    const url = new URL(await out());
    expect(url.origin + url.pathname).to.equal(`${oidc.server.url}/session/end`);
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      client_id: 'pads',
      post_logout_redirect_uri: `${oidcRoot}/mypads/`,
    });
    await oidc.configure({ signOut: false });
    expect(await out()).to.equal(undefined);
  });

  it('at the provider ends all sessions of the person here, or the one of a session there', async () => {
    const [first, second, other] = [
      await oidc.signIn(),
      await oidc.signIn(),
      await oidc.signIn({
        sub: 'b-1',
        preferred_username: 'bob',
        email: 'bob@example.org',
        email_verified: true,
      }),
    ];
    const tokens = [first, second, other].map(({ body }) => body.token);
    const open = () => Promise.all(tokens.map(isIn));
    const { signedInBy } = (await oidc.app.model.sessions.list(first.body.user._id)).at(-1) ?? {};
    expect(signedInBy?.sid).to.be.a('string');
    const one = await tell({ ...claims(), sid: signedInBy?.sid });
    expect([one.status, one.body]).to.deep.equal([200, { success: true }]);
    expect((await open()).filter(Boolean)).to.have.length(2);
    expect((await tell(claims(), 'logout+jwt')).status).to.equal(200);
    expect(await open()).to.deep.equal([false, false, true]);
  });

  /** What the frame on the provider's page asks. */
  const frame = (query: Record<string, string>) =>
    oidc.app.agent.get('/api/auth/oidc/school/logout').query(query);

  it('at a provider that frames our address, or names no person, ends the sessions of the session there', async () => {
    const signIn = async () => {
      const { token, user } = (await oidc.signIn()).body;
      const { signedInBy } = (await oidc.app.model.sessions.list(user._id))[0] ?? {};
      return { token: String(token), sid: String(signedInBy?.sid) };
    };
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    const open = () => Promise.all([first, second, third].map(({ token }) => isIn(token)));
    await checkEach<Record<string, string>>(
      {
        'another issuer': { iss: 'https://evil.example.org', sid: first.sid },
        'an unknown session': { iss: oidc.server.url, sid: 'x' },
      },
      async (query) => {
        const { status, body } = await frame(query);
        expect([status, body]).to.deep.equal([200, { success: true }]);
      },
    );
    for (const query of [{}, { iss: oidc.server.url }, { sid: first.sid }])
      expect((await frame(query as Record<string, string>)).status, JSON.stringify(query)).to.equal(400);
    expect(await open()).to.deep.equal([true, true, true]);

    const answer = await frame({ iss: oidc.server.url, sid: first.sid });
    expect([answer.status, answer.body]).to.deep.equal([200, { success: true }]);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers['x-frame-options']).to.equal(undefined);
    expect(answer.headers['content-security-policy']).to.equal(
      `default-src 'none'; frame-ancestors ${oidc.server.url}`,
    );
    expect(await open()).to.deep.equal([false, true, true]);
    expect((await tell({ ...claims(), sub: undefined, sid: second.sid })).status).to.equal(200);
    expect(await open()).to.deep.equal([false, false, true]);
    await callerOf(oidc.app, third.token)('post', 'auth/logout');
    expect(await oidc.app.ports.database.findKeys('mypads:providersession:*', null)).to.deep.equal([]);
  });
});
