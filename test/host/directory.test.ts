/** LDAP and CAS with the packaged plugin: people sign in through them, and Etherpad survives their failures. */
import { expect } from 'chai';
import { type BrokenServer, startProxy } from '../support/brokenServer';
import { type CasServer, startCasServer } from '../support/casServer';
import { type LdapServer, people, startLdapServer } from '../support/ldapServer';
import { useEtherpad } from '../support/useEtherpad';

const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';

describe('an Etherpad', function () {
  this.timeout(300_000);
  const { etherpad, fixture } = useEtherpad();

  /** The answer to a sign-in, while which a pad is opened. */
  async function outcome(place: string, body: object) {
    const answer = etherpad.api('POST', place, { body });
    const page = await etherpad.get('/p/somewhere');
    const { status, body: said } = await answer;
    expect(page.status).to.equal(200);
    return { status, error: (said as { error?: string }).error };
  }

  let directory: LdapServer;
  let beforeDirectory: BrokenServer;
  let isConfused = false;
  let cas: CasServer;
  let pid = 0;
  const rootUrl = 'https://pads.example.org';

  before(async () => {
    directory = await startLdapServer();
    cas = await startCasServer();
    const { hostname, port } = new URL(directory.url);
    const answer = (part: Buffer): Buffer =>
      isConfused ? Buffer.from('84ff0030800201ff30ff61', 'hex') : part;
    beforeDirectory = await startProxy({ host: hostname, port: Number(port) }, { answer });
    for (const [key, value] of Object.entries({
      rootUrl,
      authLdapSettings: directory.settings({ url: `ldap://127.0.0.1:${beforeDirectory.port}` }),
      authCasSettings: cas.settings(),
      authMethods: ['ldap', 'cas'],
      authMethod: 'ldap',
    }))
      await fixture.configure(key, value);
    pid = etherpad.pid();
  });
  after(async () => {
    for (const [key, value] of Object.entries({ authMethod: 'internal', authMethods: [], rootUrl: '' }))
      await fixture.configure(key, value);
    await beforeDirectory?.stop();
    await directory?.stop();
    await cas?.stop();
  });
  afterEach(() => {
    expect(etherpad.pid()).to.equal(pid);
  });

  it('signs people of an LDAP directory in, and keeps running when it sends nonsense, hangs, and stops', async () => {
    const { uid: login, password } = people.alice;
    const enter = (secret = password) => outcome('auth/login', { login, password: secret });
    expect((await enter()).status).to.equal(200);
    expect(await enter('wrong')).to.include({ error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' });
    isConfused = true;
    expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
    isConfused = false;
    await directory.freeze();
    expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
    directory.thaw();
    expect((await enter()).status).to.equal(200);
    await directory.stop();
    expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
    expect(etherpad.log()).not.to.include(password);
  });

  it('signs people of a CAS server in, and keeps running when it sends nonsense, hangs, and stops', async () => {
    const person = { user: 'ada', attributes: { email: 'ada@example.org' } };
    const enter = () =>
      outcome('auth/login/cas', { ticket: cas.ticket(person, `${rootUrl}/mypads/?/login`) });
    expect((await enter()).status).to.equal(200);
    cas.misbehave((response) => response.end('<html><body>Sign in</body></html>'));
    expect(await enter()).to.deep.equal({ status: 400, error: 'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED' });
    cas.misbehave(() => undefined);
    expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
    cas.misbehave(undefined);
    expect((await enter()).status).to.equal(200);
    await cas.stop();
    expect(await enter()).to.deep.equal({ status: 503, error: unavailable });
  });
});
