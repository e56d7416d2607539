/** `admin/testSetting`: tests settings of a sign-in service without storing them. */
import { expect } from 'chai';
import { useAdministrator } from '../support/administrators';
import { startCasServer } from '../support/casServer';
import { closedPort } from '../support/smtpServer';

describe('trying the settings of a sign-in service', () => {
  const { app, admin } = useAdministrator();
  beforeEach(async () => {
    await app.model.configuration.set('rootUrl', 'https://pads.example.org');
  });

  const attempt = (key: string, value: unknown) => admin('post', 'admin/testSetting', { key, value });

  it('works for a CAS server that answers, and stores nothing', async () => {
    const before = (await admin('get', 'admin/settings')).text;
    const cas = await startCasServer();
    for (const protocolVersion of [1, 2, 3]) {
      const { status, text } = await attempt('authCasSettings', cas.settings({ protocolVersion }));
      expect(status, text).to.equal(200);
    }
    cas.misbehave((response, answer) =>
      response.end(answer.replace('INVALID_TICKET', 'UNAUTHORIZED_SERVICE')),
    );
    const unknown = await attempt('authCasSettings', cas.settings());
    expect(unknown.body).to.deep.equal({
      error: 'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED',
      reason: 'UNAUTHORIZED_SERVICE',
    });
    await cas.stop();
    const gone = await attempt('authCasSettings', cas.settings());
    expect(gone.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE');
    expect(gone.body.reason).to.include('ECONNREFUSED');
    expect((await admin('get', 'admin/settings')).text).to.equal(before);
  });

  it('says that people sign in by the service whose sample is tried', async () => {
    const cas = await startCasServer();
    await app.model.configuration.set('authCasSettings', cas.settings());
    await app.model.configuration.set('authMethods', ['internal', 'cas']);
    const { body } = await attempt(
      'authCasSettings',
      cas.settings({ serverUrl: 'https://cas.example.org/cas' }),
    ).expect(400);
    await cas.stop();
    expect(body.error).to.equal('BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED');
  });

  it('says why a directory cannot be used', async () => {
    const url = `ldap://127.0.0.1:${await closedPort()}`;
    const { body } = await attempt('authLdapSettings', {
      url,
      searchBase: 'dc=example,dc=org',
      searchFilter: '(uid={{username}})',
    });
    expect(body.error).to.equal('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
    expect(body.reason).to.include('ECONNREFUSED');
  });

  it('names the field that is wrong, and tries nothing else than these services', async () => {
    const wrong = await attempt('authCasSettings', { serverUrl: 'nowhere' });
    expect(wrong.body).to.include({ error: 'BACKEND.ERROR.TYPE.PARAM_INVALID', field: 'value.serverUrl' });
    for (const [key, value] of [
      ['title', 'x'],
      ['SMTPHost', {}],
      ['authCasSettings', 'text'],
      ['authCasSettings', undefined],
    ] as const) {
      expect((await attempt(key, value)).status, key).to.equal(400);
    }
  });

  it('says that the address of the server is missing, which CAS needs', async () => {
    const cas = await startCasServer();
    await app.model.configuration.set('rootUrl', '');
    const { body } = await attempt('authCasSettings', cas.settings());
    await cas.stop();
    expect(body.error).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
  });
});

describe('trying settings of a sign-in service that settings.json presets', () => {
  const issuer = 'https://127.0.0.1:1';
  const provider = { name: 'School', issuer, clientId: 'pads', clientSecret: 'secret of the school' };
  const { app, admin } = useAdministrator({
    plugin: { authOidcSettings: { providers: { school: provider } } },
  });

  it('tries them with their secrets, which nobody sees', async () => {
    await app.model.configuration.set('rootUrl', 'https://pads.example.org');
    const shown = (await admin('get', 'configuration/authOidcSettings').expect(200)).body.value;
    expect(shown.providers.school).to.not.have.property('clientSecret');
    const body = { key: 'authOidcSettings', value: shown };
    const { body: answer } = await admin('post', 'admin/testSetting', body);
    expect(answer.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE');
    expect(answer.reason).to.include('ECONNREFUSED');

    const elsewhere = { providers: { school: { ...shown.providers.school, issuer: 'https://127.0.0.1:2' } } };
    const other = (await admin('post', 'admin/testSetting', { ...body, value: { ...shown, ...elsewhere } }))
      .body;
    expect(other.error, 'with another server').to.equal('BACKEND.ERROR.TYPE.PARAM_INVALID');
  });
});
