/** LDAP and CAS with the packaged plugin: people sign in through them, and Etherpad survives their failures. */
import { expect } from 'chai';
import { type BrokenServer, startBrokenServer } from '../support/brokenServer';
import { type CasServer, startCasServer } from '../support/casServer';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { type LdapServer, people, startLdapServer } from '../support/ldapServer';

const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';

describe('an Etherpad', function () {
  this.timeout(300_000);

  /** The answer to a sign-in, while which a pad is opened. */
  async function outcome(etherpad: RunningEtherpad, place: string, body: object) {
    const answer = etherpad.api('POST', place, { body });
    const page = await etherpad.get('/p/somewhere');
    const { status, body: said } = await answer;
    expect(page.status).to.equal(200);
    return { status, error: (said as { error?: string }).error };
  }

  describe('with an LDAP directory', () => {
    let directory: LdapServer;
    let nonsense: BrokenServer;
    before(async () => {
      directory = await startLdapServer();
      nonsense = await startBrokenServer((socket) => {
        socket.write(Buffer.from('84ff0030800201ff30ff61', 'hex'));
      });
    });
    after(async () => {
      await nonsense?.stop();
      await directory?.stop();
    });

    it('signs people in, and keeps running when the server hangs, sends nonsense, and stops', async () => {
      const authLdapSettings = directory.settings();
      const plugin = { authMethod: 'ldap', authLdapSettings };
      const atNonsense = { ...authLdapSettings, url: `ldap://127.0.0.1:${nonsense.port}` };
      const [etherpad, confused] = await Promise.all([
        startEtherpad({ settings: { ep_mypads: plugin } }),
        startEtherpad({ settings: { ep_mypads: { ...plugin, authLdapSettings: atNonsense } } }),
      ]);
      const pid = etherpad.pid();
      const { uid: login, password } = people.alice;
      const enter = (secret = password, where = etherpad) =>
        outcome(where, 'auth/login', { login, password: secret });
      expect((await enter()).status).to.equal(200);
      expect(await enter('wrong')).to.include({ error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' });
      expect(await enter(password, confused)).to.deep.equal({ status: 503, error: unavailable });
      await directory.freeze();
      expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
      directory.thaw();
      expect((await enter()).status).to.equal(200);
      await directory.stop();
      expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
      expect(etherpad.pid()).to.equal(pid);
      expect(etherpad.log()).not.to.include(password);
      await Promise.all([etherpad.stop(), confused.stop()]);
    });
  });

  describe('with a CAS server', () => {
    let cas: CasServer;
    before(async () => {
      cas = await startCasServer();
    });
    after(() => cas.stop());

    it('signs people in, and keeps running when the server sends nonsense, hangs, and stops', async () => {
      const rootUrl = 'https://pads.example.org';
      const ep_mypads = { rootUrl, authMethod: 'cas', authCasSettings: cas.settings() };
      const etherpad = await startEtherpad({ settings: { ep_mypads } });
      const pid = etherpad.pid();
      const person = { user: 'ada', attributes: { email: 'ada@example.org' } };
      const enter = () =>
        outcome(etherpad, 'auth/login/cas', { ticket: cas.ticket(person, `${rootUrl}/mypads/?/login`) });
      expect((await enter()).status).to.equal(200);
      cas.misbehave((response) => response.end('<html><body>Sign in</body></html>'));
      expect(await enter()).to.deep.equal({
        status: 400,
        error: 'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED',
      });
      cas.misbehave(() => undefined);
      expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
      cas.misbehave(undefined);
      expect((await enter()).status).to.equal(200);
      await cas.stop();
      expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
      expect(etherpad.pid()).to.equal(pid);
      await etherpad.stop();
    });
  });
});
