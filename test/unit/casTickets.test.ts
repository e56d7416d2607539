import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { casLoginUrl, casLogoutUrl, readCasSettings } from '../../model/signin/cas';
import { alice, failed, rootUrl, service, unavailable, useCas } from '../support/casSignIn';
import { refusal } from '../support/errorKeys';

describe('signing in with a CAS ticket', () => {
  const cas = useCas();
  const { signIn } = cas;

  describe('a valid ticket', () => {
    it('signs the person in with the name and address of the server (version 3)', async () => {
      expect(await signIn()).to.deep.equal({
        login: 'alice',
        email: 'alice@example.org',
        firstname: 'Alice',
        lastname: 'Liddell',
        lang: 'de',
        identity: { method: 'cas', issuer: '', subject: 'alice' },
        attributes: {},
      });
    });

    it('is checked at the port and path of serverUrl, with ticket and service encoded', async () => {
      await signIn();
      const [request = ''] = cas.server.requests;
      expect(request).to.match(/^\/cas\/p3\/serviceValidate\?service=/);
      expect(request).to.contain(encodeURIComponent(service));
    });

    it('works for version 2, whose answer has a user and no attributes', async () => {
      cas.settings = cas.server.settings({
        protocolVersion: 2,
        properties: { login: 'user', email: 'user' },
      });
      const profile = await signIn({ user: 'alice@example.org' });
      expect(profile).to.include({ login: 'alice@example.org', email: 'alice@example.org', firstname: '' });
      expect(cas.server.requests[0]).to.match(/^\/cas\/serviceValidate\?/);
    });

    it('works for version 1, whose answer is two lines', async () => {
      cas.settings = cas.server.settings({
        protocolVersion: 1,
        properties: { login: 'user', email: 'user' },
      });
      expect(await signIn({ user: 'alice@example.org' })).to.include({ login: 'alice@example.org' });
      expect(cas.server.requests[0]).to.match(/^\/cas\/validate\?/);
    });

    it('gives the attributes that the settings name, and the first of several values', async () => {
      cas.settings = cas.server.settings({
        properties: { login: 'employeeID', email: 'MAIL', firstname: 'givenName', lastname: 'sn' },
      });
      const profile = await signIn({
        user: 'x123',
        attributes: {
          employeeID: 'renée',
          mail: ['renee@example.org', 'second@example.org'],
          givenName: ['Renée', 'R.'],
          sn: 'Lefèvre & <Söhne>',
        },
      });
      expect(profile).to.deep.equal({
        login: 'renée',
        email: 'renee@example.org',
        firstname: 'Renée',
        lastname: 'Lefèvre & <Söhne>',
        lang: 'de',
        identity: { method: 'cas', issuer: '', subject: 'renée' },
        attributes: {},
      });
    });

    it('works with settings that other parts use, such as logoutUrl', async () => {
      cas.settings = cas.server.settings({
        logoutUrl: 'https://cas.example.org/bye',
        useGateway: false,
        surprise: [1],
      });
      expect(await signIn()).to.include({ login: 'alice' });
    });

    it('works with a slash at the end of serverUrl and of rootUrl', async () => {
      cas.settings = cas.server.settings({ serverUrl: `${cas.server.url}/` });
      cas.root = `${rootUrl}/`;
      expect(await signIn()).to.include({ login: 'alice' });
    });

    it('may be as long as signed tickets are, with any characters', async () => {
      const odd = `ST-1&service=x#/?=+ ${'y'.repeat(1_500)}`;
      cas.server.misbehave((response, answer) => response.end(answer));
      expect(await refusal(cas.method.authenticate({ ticket: odd }))).to.equal(failed);
      const asked = new URL(cas.server.requests[0] ?? '', cas.server.url).searchParams;
      expect(asked.get('ticket')).to.equal(odd);
      expect(asked.getAll('service')).to.deep.equal([service]);
    });
  });

  describe('an invalid sign-in', () => {
    it('is refused with an invented ticket, in any version', async () => {
      for (const protocolVersion of [1, 2, 3]) {
        cas.settings = cas.server.settings({ protocolVersion });
        expect(await refusal(cas.method.authenticate({ ticket: 'ST-none' }))).to.equal(failed);
      }
      expect(cas.lines.map(({ facts }) => facts?.code)).to.deep.equal([
        'no',
        'INVALID_TICKET',
        'INVALID_TICKET',
      ]);
    });

    it('is refused with a very long ticket, without a request to the server', async () => {
      expect(await refusal(cas.method.authenticate({ ticket: 'S'.repeat(10_000) }))).to.equal(failed);
      expect(cas.server.requests).to.have.length(0);
    });

    it('is refused without a valid e-mail address', async () => {
      const addresses: Record<string, string>[] = [
        {},
        { email: '' },
        { email: 'alice' },
        { email: '<b>a@b.c</b>' },
      ];
      for (const attributes of addresses) {
        expect(await refusal(signIn({ user: 'alice', attributes }))).to.equal(
          'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL',
        );
      }
    });

    it('is refused without the attribute of the login, so that two people never share an account', async () => {
      cas.settings = cas.server.settings({ properties: { login: 'uid', email: 'email' } });
      expect(await refusal(signIn())).to.equal('BACKEND.ERROR.TYPE.USER_INVALID');
      const reason = 'BACKEND.ERROR.TYPE.USER_INVALID';
      const facts = { user: 'alice', attributes: 'email firstname lastname', reason };
      expect(cas.lines.map((line) => line.facts)).to.deep.equal([facts]);
    });

    it('is refused when the settings name no usable server', async () => {
      const unusable = [
        null,
        'x',
        {},
        { serverUrl: 'ftp://example.org' },
        { serverUrl: 'http://' },
        { ...cas.server.settings(), protocolVersion: 4 },
      ];
      for (const value of unusable) {
        cas.settings = value;
        expect(await refusal(signIn())).to.equal(unavailable);
        expect(() => readCasSettings(value)).to.throw(/serverUrl|protocolVersion|object/);
      }
    });
  });

  describe('addresses', () => {
    it('lead to the sign-on page and back to ours', async () => {
      const login = casLoginUrl(cas.server.settings(), rootUrl);
      expect(login).to.equal(`${cas.server.url}/login?service=${encodeURIComponent(service)}`);
      cas.server.present(alice);
      const response = await fetch(login, { redirect: 'manual' });
      const back = new URL(response.headers.get('location') ?? '');
      expect(back.href.startsWith(`${service}&ticket=ST-`)).to.equal(true);
      const ticket = back.searchParams.get('ticket') ?? '';
      expect(await cas.method.authenticate({ ticket })).to.include({ login: 'alice' });
    });

    it('for signing out lead to the configured page, or to the server with the way back', () => {
      const logoutUrl = 'https://sso.example.org/bye?x=1';
      expect(casLogoutUrl({ ...cas.server.settings(), logoutUrl }, rootUrl)).to.equal(logoutUrl);
      const back = encodeURIComponent(`${rootUrl}/mypads/`);
      expect(casLogoutUrl(cas.server.settings(), `${rootUrl}/`)).to.equal(
        `${cas.server.url}/logout?service=${back}`,
      );
      expect(casLogoutUrl(cas.server.settings(), '')).to.equal(`${cas.server.url}/logout`);
    });

    it('are never a javascript: address', () => {
      const logoutUrl = 'javascript:alert(1)';
      expect(casLogoutUrl({ ...cas.server.settings(), logoutUrl }, '')).to.equal(`${cas.server.url}/logout`);
      expect(() => casLoginUrl({ serverUrl: logoutUrl }, rootUrl)).to.throw(MyPadsError);
    });
  });
});
