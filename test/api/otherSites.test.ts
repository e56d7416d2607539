/** What a page of another site can do to people through the browser of one visitor: nothing that locks them out. */
import { expect } from 'chai';
import { type LimitName, limitTable } from '../../web/rateLimit';
import { startApp, type TestApp } from '../support/app';
import { checkEach } from '../support/cases';
import { buildUser, type TestUser } from '../support/factories';
import { overNetwork } from '../support/network';
import { closedPort } from '../support/smtpServer';

/** What browsers send for a picture on a page of another site. */
const picture = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };

// Over the network, limits cannot be reduced.
const limitFactor = overNetwork ? 1 : 0.1;
const pointsOf = (limit: LimitName): number => limitTable[limit].points * limitFactor;

describe('a page of another site', () => {
  let app: TestApp;
  let user: TestUser;
  beforeEach(async () => {
    app = await startApp({ limitFactor });
    user = await buildUser(app);
  });
  afterEach(() => app.close());

  const times = async (many: number, work: (number: number) => PromiseLike<unknown>) => {
    for (let number = 0; number < many; number += 1) await work(number);
  };

  async function expectSignIn(): Promise<void> {
    const { login, password } = user;
    const { status, text } = await app.agent.post('/api/auth/login').send({ login, password });
    expect(status, text).to.equal(200);
  }

  it('locks nobody out of the sign-in with answers of OpenID Connect for which no browser waits', async () => {
    const visit = (path: string, headers: Record<string, string>) =>
      times(pointsOf('signInAddress'), () =>
        app.agent
          .get(`/api/auth/oidc/${path}`)
          .set({ ...picture, ...headers })
          .redirects(0),
      );
    await visit('x/callback?state=1', {});
    await expectSignIn();
    const issuer = `http://127.0.0.1:${await closedPort()}`;
    const school = { name: 'School', issuer, clientId: 'pads', clientSecret: 'secret' };
    await app.model.configuration.set('rootUrl', 'https://pads.example.org');
    await app.model.configuration.set('authOidcSettings', { providers: { school } });
    await app.model.configuration.set('authMethods', ['internal', 'oidc']);
    await checkEach<[string, Record<string, string>]>(
      {
        'of an unknown provider': ['x/callback?state=1&code=1', {}],
        'without the cookie': ['school/callback?state=1&code=1', {}],
        'with a state that nobody knows': [
          'school/callback?state=1&code=1',
          { Cookie: `mypads_oidc=${'x'.repeat(43)}` },
        ],
      },
      async ([path, headers]) => {
        await visit(path, headers);
        await expectSignIn();
      },
    );
  }).timeout(60_000);

  it('locks nobody out of the sign-in with forms that a service sends when somebody has signed out there', () =>
    checkEach<[string, Record<string, string>]>(
      {
        CAS: ['/api/auth/cas/logout', { logoutRequest: '<x/>' }],
        'CAS, at the address of the service': ['/?/login', { logoutRequest: '<x/>' }],
        'OpenID Connect': ['/api/auth/oidc/x/logout', { logout_token: 'x' }],
      },
      async ([path, form]) => {
        await times(pointsOf('signInAddress'), () =>
          app.agent
            .post(path)
            .set({ ...picture, 'Sec-Fetch-Dest': 'iframe' })
            .type('form')
            .send(form),
        );
        await expectSignIn();
      },
    )).timeout(60_000);
});
