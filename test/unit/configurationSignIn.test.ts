import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { ldapSettings, useConfiguration } from '../support/configuration';
import { errorOf as errorOfPromise } from '../support/errorKeys';

describe('settings of sign-in services', () => {
  const settings = useConfiguration();
  const { load } = settings;
  const errorOf = (key: string, value: unknown): Promise<unknown> =>
    settings.configuration.set(key, value).catch((thrown: unknown) => thrown);

  it('are shown without passwords, and keep the password when they are saved without one', async () => {
    await settings.configuration.set('SMTPPass', 'mail secret');
    await settings.configuration.set('authLdapSettings', ldapSettings({ bindCredentials: 'bind secret' }));
    expect(settings.configuration.shown('SMTPPass')).to.equal(undefined);
    expect(JSON.stringify(settings.configuration.all())).not.to.match(/secret/);
    const other = ldapSettings({ url: 'ldap://b' });
    await settings.configuration.set('authLdapSettings', other);
    expect(settings.configuration.get('authLdapSettings')).to.deep.equal({
      ...other,
      bindCredentials: 'bind secret',
    });
    expect(settings.configuration.shown('authLdapSettings')).to.deep.equal(other);
  });

  it('are shown without the secrets of a directory under any name', async () => {
    await settings.configuration.set(
      'authLdapSettings',
      ldapSettings({
        adminPassword: 'hidden 1',
        Credentials: 'hidden 2',
        tlsOptions: { rejectUnauthorized: true, key: 'hidden 3', passphrase: 'hidden 4' },
      }),
    );
    expect(
      JSON.stringify([settings.configuration.all(), settings.configuration.shown('authLdapSettings')]),
    ).not.to.include('hidden');
    expect(settings.configuration.secrets()).to.deep.equal([
      'authLdapSettings.Credentials',
      'authLdapSettings.adminPassword',
      'authLdapSettings.tlsOptions.key',
      'authLdapSettings.tlsOptions.passphrase',
    ]);
    await settings.configuration.set('authLdapSettings', settings.configuration.shown('authLdapSettings'));
    expect(settings.configuration.secrets()).to.have.length(4);
  });

  describe('must be stored before people sign in by them', () => {
    const notConfigured = 'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED';
    const fault = async (method: string): Promise<object | undefined> => {
      const error = await errorOf('authMethod', method);
      if (error === undefined) return undefined;
      expect(error).to.be.instanceOf(MyPadsError).and.to.have.property('key', notConfigured);
      expect(settings.configuration.get('authMethod')).to.equal('internal');
      return (error as MyPadsError).details;
    };

    it('a directory', async () => {
      expect(await fault('ldap')).to.deep.equal({ key: 'authMethod' });
      // The sample that ep_mypads 1.x stored.
      const sample = ldapSettings({ url: 'ldaps://ldap.example.org', bindCredentials: 'S3cr3t' });
      await settings.ports.database.set('mypads:conf:authLdapSettings', sample);
      await load();
      expect(await fault('ldap')).to.deep.equal({ key: 'authMethod' });
      await settings.ports.database.set('mypads:conf:authLdapSettings', { url: 'ldap://directory' });
      await load();
      expect(await fault('ldap')).to.deep.equal({
        key: 'authMethod',
        reason: 'authLdapSettings: searchBase is missing',
      });
      await settings.configuration.set('authLdapSettings', ldapSettings({}));
      expect(await fault('ldap')).to.equal(undefined);
    });

    it('a CAS server, and the address to which it sends people back', async () => {
      expect(await fault('cas')).to.deep.equal({ key: 'authMethod' });
      await settings.configuration.set('authCasSettings', { serverUrl: 'https://sso.example.org' });
      expect(await fault('cas')).to.deep.equal({ key: 'authMethod', reason: 'rootUrl' });
      await settings.configuration.set('rootUrl', 'https://pads.example.org');
      expect(await fault('cas')).to.equal(undefined);
      const removal = await errorOfPromise(settings.configuration.remove('authCasSettings'));
      expect(removal, 'while people sign in by them').to.equal(notConfigured);
    });

    it('also where they are offered beside another', async () => {
      const offer = (methods: string[]) => errorOf('authMethods', methods);
      expect(await offer(['internal'])).to.equal(undefined);
      for (const service of ['ldap', 'cas']) {
        const error = await offer(['internal', service]);
        expect(error, service).to.have.property('key', notConfigured);
        expect((error as MyPadsError).details).to.deep.equal({ key: 'authMethods' });
      }
      await settings.configuration.set('rootUrl', 'https://pads.example.org');
      await settings.configuration.set('authCasSettings', { serverUrl: 'https://sso.example.org' });
      expect(await offer(['internal', 'cas'])).to.equal(undefined);
      const removal = await errorOfPromise(settings.configuration.remove('authCasSettings'));
      expect(removal, 'while people sign in by them').to.equal(notConfigured);
    });

    it('or preset in the settings file', async () => {
      await settings.preset({ authLdapSettings: ldapSettings({}) });
      expect(await fault('ldap')).to.equal(undefined);
      await settings.preset({ authMethod: 'cas' });
      expect(settings.configuration.get('authMethod'), 'a preset is used as it is').to.equal('cas');
    });
  });

  describe('are checked', () => {
    const cas = (changes: object) => ({ serverUrl: 'https://cas.example.org/cas', ...changes });
    const deep = Array.from({ length: 20_000 }).reduce((inner: unknown) => [inner], 'deep');

    const wrong: [key: string, field: string, value: object][] = [
      ['authLdapSettings', 'value.url', {}],
      ['authLdapSettings', 'value.url', ldapSettings({ url: 'https://directory.example.org' })],
      ['authLdapSettings', 'value.url', ldapSettings({ url: [] })],
      ['authLdapSettings', 'value.url', ldapSettings({ url: ['ldap://a', 'b'] })],
      ['authLdapSettings', 'value.searchBase', ldapSettings({ searchBase: undefined })],
      ['authLdapSettings', 'value.searchBase', ldapSettings({ searchBase: ['dc=org'] })],
      ['authLdapSettings', 'value.searchFilter', ldapSettings({ searchFilter: '(uid=ada)' })],
      ['authLdapSettings', 'value.searchFilter', ldapSettings({ searchFilter: null })],
      ['authLdapSettings', 'value.searchScope', ldapSettings({ searchScope: 'everything' })],
      ['authLdapSettings', 'value.searchAttributes', ldapSettings({ searchAttributes: 'mail' })],
      ['authLdapSettings', 'value.bindDN', ldapSettings({ bindDN: 5 })],
      ['authLdapSettings', 'value.bindCredentials', ldapSettings({ bindCredentials: null })],
      ['authLdapSettings', 'value.bindCredentials', ldapSettings({ bindCredentials: 'x'.repeat(1_001) })],
      ['authLdapSettings', 'value.starttls', ldapSettings({ starttls: 'yes' })],
      ['authLdapSettings', 'value.tlsOptions', ldapSettings({ tlsOptions: [] })],
      ['authLdapSettings', 'value.tlsOptions.ca', ldapSettings({ tlsOptions: { ca: '/etc/ssl/ca.pem' } })],
      [
        'authLdapSettings',
        'value.tlsOptions.rejectUnauthorized',
        ldapSettings({ tlsOptions: { rejectUnauthorized: 'false' } }),
      ],
      ['authLdapSettings', 'value.properties', ldapSettings({ properties: ['uid'] })],
      ['authLdapSettings', 'value.properties.login', ldapSettings({ properties: { login: ' ' } })],
      ['authLdapSettings', 'value.properties.email', ldapSettings({ properties: { email: ['mail'] } })],
      [
        'authLdapSettings',
        'value.properties.firstName',
        ldapSettings({ properties: { firstName: 'givenName' } }),
      ],
      ['authLdapSettings', 'value.defaultLang', ldapSettings({ defaultLang: 'xx' })],
      ['authLdapSettings', 'value', ldapSettings({ reconnect: deep })],
      ['authLdapSettings', 'value', ldapSettings({ list: Array.from({ length: 1_000 }).fill(0) })],
      ['authCasSettings', 'value.serverUrl', {}],
      ['authCasSettings', 'value.serverUrl', cas({ serverUrl: 'cas.example.org' })],
      ['authCasSettings', 'value.serverUrl', cas({ serverUrl: 'javascript:alert(1)' })],
      ['authCasSettings', 'value.serverUrl', cas({ serverUrl: 'https://cas.example.org/?a=b' })],
      ['authCasSettings', 'value.protocolVersion', cas({ protocolVersion: 4 })],
      ['authCasSettings', 'value.protocolVersion', cas({ protocolVersion: [3] })],
      ['authCasSettings', 'value.properties', cas({ properties: 'user' })],
      ['authCasSettings', 'value.properties.login', cas({ properties: { login: null } })],
      ['authCasSettings', 'value.properties.mail', cas({ properties: { mail: 'mail' } })],
      ['authCasSettings', 'value.logoutUrl', cas({ logoutUrl: 'javascript:alert(1)' })],
      ['authCasSettings', 'value.strictSSL', cas({ strictSSL: 'no' })],
      ['authCasSettings', 'value.ca', cas({ ca: '/etc/ssl/our-ca.pem' })],
      ['authCasSettings', 'value.defaultLang', cas({ defaultLang: 5 })],
      ['authCasSettings', 'value', cas({ method: deep })],
    ];
    it('and refused with the field that is wrong', async () => {
      for (const [index, [key, field, value]] of wrong.entries()) {
        const error = await errorOf(key, value);
        const row = `${index}. ${key}: ${field}`;
        expect(error, row).to.be.instanceOf(MyPadsError);
        expect(error, row).to.have.property('key', 'BACKEND.ERROR.TYPE.PARAM_INVALID');
        expect((error as MyPadsError).details, row).to.include({ field, key });
      }
      expect(settings.configuration.get('authCasSettings')).to.have.property(
        'serverUrl',
        'https://cas.example.org/cas',
      );
    });

    it('and stored with all unknown fields', async () => {
      const values: [string, object][] = [
        [
          'authLdapSettings',
          ldapSettings({ url: ['ldap://a', 'ldaps://b:6360'], groupSearchBase: 'dc=org', cache: true }),
        ],
        [
          'authLdapSettings',
          ldapSettings({ searchScope: 'one', searchAttributes: ['uid', 'mail'], defaultLang: '' }),
        ],
        ['authCasSettings', cas({ protocolVersion: '3.0', useGateway: false, logoutUrl: '' })],
        [
          'authCasSettings',
          cas({ properties: { login: 'user', email: 'mail' }, logoutUrl: 'https://out.example.org' }),
        ],
      ];
      for (const [key, value] of values) {
        expect(await errorOf(key, value), JSON.stringify(value)).to.equal(undefined);
        expect(settings.configuration.shown(key)).to.deep.equal(value);
      }
    });

    it('but not those of an old database, which stay as they are', async () => {
      const old = {
        serverUrl: 'cas.example.org',
        properties: { login: 'login', mail: 'mail' },
        logoutUrl: 5,
      };
      await settings.ports.database.set('mypads:conf:authCasSettings', old);
      await settings.ports.database.set('mypads:conf:authLdapSettings', { url: 'nowhere', more: true });
      await load();
      expect(settings.configuration.get('authCasSettings')).to.deep.equal(old);
      expect(settings.configuration.get('authLdapSettings')).to.deep.equal({ url: 'nowhere', more: true });
    });
  });
});
