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
    const { signedInBy } = (await oidc.app.model.sessions.list('user', first.body.user._id)).at(-1) ?? {};
    expect(signedInBy?.sid).to.be.a('string');
    const one = await tell({ ...claims(), sid: signedInBy?.sid });
    expect([one.status, one.body]).to.deep.equal([200, { success: true }]);
    expect((await open()).filter(Boolean)).to.have.length(2);
    expect((await tell(claims(), 'logout+jwt')).status).to.equal(200);
    expect(await open()).to.deep.equal([false, false, true]);
  });

  it('is believed only of the provider, for this server, and now', async () => {
    const { token } = (await oidc.signIn()).body;
    const old = Math.floor(Date.now() / 1000) - 600;
    await checkEach<JWTPayload>(
      {
        'another issuer': { ...claims(), iss: 'https://evil.example.org' },
        'another audience': { ...claims(), aud: 'other' },
        'an ID token': { ...claims(), events: undefined },
        'with a nonce': { ...claims(), nonce: 'x' },
        'without a person': { ...claims(), sub: undefined },
        old: { ...claims(), iat: old },
      },
      async (sent) => {
        expect((await tell(sent)).status).to.equal(400);
      },
    );
    const forged = await oidc.app.agent
      .post('/api/auth/oidc/school/logout')
      .type('form')
      .send({ logout_token: `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` });
    expect(forged.status).to.equal(400);
    expect(await isIn(token)).to.equal(true);
  });
});
