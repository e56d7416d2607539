/** What a page of another site can do to people through the browser of one visitor: nothing that locks them out. */
import { expect } from 'chai';
import { type LimitName, limitTable } from '../../web/rateLimit';
import { useTestAppForEach } from '../support/app';
import { encodePassword } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildGroup, buildPad } from '../support/factories';
import { usePerson } from '../support/people';
import { closedPort } from '../support/smtpServer';

/** What browsers send for a picture on a page of another site. */
const picture = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

const limitFactor = 0.1;
const pointsOf = (limit: LimitName): number => limitTable[limit].points * limitFactor;

describe('a page of another site', () => {
  const app = useTestAppForEach({ limitFactor });
  const { user } = usePerson(app, beforeEach);

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
          { Cookie: `mypads_oidc_x=${'x'.repeat(43)}` },
        ],
      },
      async ([path, headers]) => {
        await visit(path, headers);
        await expectSignIn();
      },
    );
  });

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
    ));

  it('uses up no attempts at links of emails', async () => {
    const open = (headers: Record<string, string>) =>
      app.agent.get(`/api/passrecover/${'0'.repeat(64)}`).set(headers);
    const wrong = { error: 'BACKEND.ERROR.TOKEN.INCORRECT' };
    for (const dest of ['image', 'empty', 'iframe']) {
      const foreign = { ...picture, 'Sec-Fetch-Dest': dest };
      await times(pointsOf('mailedLink'), async () => {
        const { status, body } = await open(foreign);
        expect([status, body], dest).to.deep.equal([400, wrong]);
      });
    }
    // A program, an old browser, our own page.
    const own = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
    await times(pointsOf('mailedLink'), async (number) => {
      expect((await open(number % 2 === 0 ? {} : own)).status).to.equal(400);
    });
    expect((await open({})).status, 'the limit itself still holds').to.equal(429);
  });

  it('uses up no attempts at the passwords of folders', async () => {
    const { _id: group } = await buildGroup(app, user, { visibility: 'private', password: 'secret' });
    const pad = await buildPad(app, user, { _id: group });
    const paths = [`group/${group}`, `pad/${pad._id}`];
    const open = (path: string, password: string, headers: Record<string, string>) =>
      app.agent.get(`/api/${path}?password=${password}`).set(headers);
    for (const path of paths) {
      const { status, body } = await app.agent.get(`/api/${path}`);
      for (const password of [encodePassword('a guess'), encodePassword('secret'), '!!!'])
        await times(pointsOf('passwordProof'), async () => {
          const answer = await open(path, password, picture);
          expect([answer.status, answer.body], 'as without a password').to.deep.equal([status, body]);
          expect(answer.headers['set-cookie']).to.equal(undefined);
        });
    }
    for (const path of paths)
      for (const headers of [{}, link])
        expect((await open(path, encodePassword('secret'), headers)).status, path).to.equal(200);
    await times(pointsOf('passwordProof'), () => open(`group/${group}`, encodePassword('no'), {}));
    expect((await open(`group/${group}`, encodePassword('secret'), {})).status).to.equal(429);
  });

  it('uses up no attempts at the addresses of pads, but may link to them', async () => {
    const group = await buildGroup(app, user, { visibility: 'private', password: 'secret' });
    const pad = await buildPad(app, user, group);
    const host = await app.listen();
    const visit = async (password: string, headers: Record<string, string>) => {
      const answer = await fetch(`${host.url}/p/${pad._id}?mypadspassword=${encodePassword(password)}`, {
        redirect: 'manual',
        headers,
      });
      return [answer.status, answer.headers.getSetCookie().some((one) => one.startsWith('mypads_entry='))];
    };
    try {
      for (const dest of ['image', 'script', 'iframe', 'empty'])
        for (const password of ['secret', 'a guess'])
          await times(pointsOf('passwordProof'), async () => {
            const answer = await visit(password, { ...picture, 'Sec-Fetch-Dest': dest });
            expect(answer, 'as without a password').to.deep.equal([401, false]);
          });
      await checkEach<Record<string, string>>(
        {
          'a program, an old browser': {},
          'a link': link,
          'an address that somebody types': { ...link, 'Sec-Fetch-Site': 'none' },
          'another server of the organisation': { ...picture, 'Sec-Fetch-Site': 'same-site' },
        },
        async (headers) => expect(await visit('secret', headers)).to.deep.equal([302, true]),
      );
      await times(pointsOf('passwordProof'), () => visit('a guess', {}));
      expect(await visit('secret', {}), 'the limit itself still holds').to.deep.equal([429, false]);
    } finally {
      await host.close();
    }
  });
});
