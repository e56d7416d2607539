import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { createEvents, type Events } from '../../model/events';
import { languageCodes } from '../../model/languages';
import { type Configuration, createConfiguration } from '../../model/settings/configuration';
import { createStore } from '../../model/store/store';
import { createTestPorts, type TestPorts } from '../support/app';

describe('the settings', () => {
  let ports: TestPorts & { closeDatabase(): Promise<void> };
  let configuration: Configuration;
  let events: Events;
  /** The `ep_mypads` block of the host's settings file. */
  let block: Record<string, unknown>;
  const load = async () => {
    events = createEvents(ports.log, () => {});
    configuration = await createConfiguration({
      store: createStore(ports.database, ports.coordination),
      events,
      log: ports.log,
      presets: () => block,
    });
  };
  beforeEach(async () => {
    ports = await createTestPorts();
    block = {};
    await load();
  });
  /** The host has read its settings file, which presets these settings now. */
  const preset = async (next: Record<string, unknown>) => {
    block = next;
    await configuration.reload();
  };
  afterEach(() => ports.closeDatabase());

  const errorOf = (key: string, value: unknown): Promise<unknown> =>
    configuration.set(key, value).catch((thrown: unknown) => thrown);
  const refusal = async (key: string, value: unknown): Promise<string> => {
    const error = await errorOf(key, value);
    return error instanceof MyPadsError ? error.key : `stored: ${String(error)}`;
  };

  /** The shortest LDAP settings that can work. */
  const ldap = (changes: object) => ({
    url: 'ldaps://directory.example.org',
    searchBase: 'dc=example,dc=org',
    searchFilter: '(uid={{username}})',
    ...changes,
  });

  it('have their defaults in a new database', () => {
    expect(configuration.get('title')).to.equal('MyPads');
    expect(configuration.get('passwordMin')).to.equal(8);
    expect(configuration.get('passwordMax')).to.equal(128);
    expect(configuration.get('openRegistration')).to.equal(true);
    expect(configuration.get('SMTPHost')).to.equal(undefined);
  });

  it('stay after a restart and go back to the default when removed', async () => {
    const heard: string[] = [];
    events.on('configuration', ({ key }) => heard.push(key));
    await configuration.set('title', 'Pads of us');
    expect(configuration.get('title')).to.equal('Pads of us');
    await configuration.remove('rootUrl');
    expect(heard).to.deep.equal(['title', 'rootUrl']);
    await load();
    expect(configuration.get('title')).to.equal('Pads of us');
    await configuration.remove('title');
    expect(configuration.get('title')).to.equal('MyPads');
    await load();
    expect(configuration.get('title')).to.equal('MyPads');
    expect(configuration.get('rootUrl')).to.equal('');
  });

  it('understand numbers that were stored as texts, and pass over what makes no sense', async () => {
    await ports.database.set('mypads:conf:SMTPPort', '587');
    await ports.database.set('mypads:conf:tokenDuration', 'soon');
    await ports.database.set('mypads:conf:openRegistration', 'yes');
    await ports.database.set('mypads:conf:authMethod', 'ldap');
    await ports.database.set('mypads:conf:languages', { xx: 'X' });
    await load();
    expect(configuration.get('SMTPPort')).to.equal(587);
    expect(configuration.get('tokenDuration')).to.equal(60);
    expect(configuration.get('openRegistration')).to.equal(true);
    expect(configuration.get('authMethod')).to.equal('ldap');
    expect(Object.keys(configuration.get('languages'))).to.deep.equal(languageCodes);
    expect(ports.lines.filter(({ level }) => level === 'warn').map(({ facts }) => facts.key)).to.have.members(
      ['tokenDuration', 'openRegistration'],
    );
  });

  it('refuse values of the wrong type and names that nobody knows', async () => {
    const wrong: [string, unknown][] = [
      ['title', ''],
      ['title', '  '],
      ['title', 5],
      ['title', 'x'.repeat(101)],
      ['rootUrl', 'javascript:alert(1)'],
      ['rootUrl', 'not a url'],
      ['rootUrl', 'https:pads.example.org'],
      ['rootUrl', 'https://pads.example.org/?a=b'],
      ['rootUrl', 'https://pads.example.org/#top'],
      ['rootUrl', 'https://ada:secret@pads.example.org'],
      ['rootUrl', 'https://pads.example.org/a b'],
      ['rootUrl', `https://pads.example.org/${'x'.repeat(300)}`],
      ['rootUrl', 5],
      ['passwordMin', 0],
      ['passwordMin', 1.5],
      ['passwordMax', '30 characters'],
      ['passwordMax', '1e2'],
      ['passwordMax', ''],
      ['passwordMax', Number.NaN],
      ['SMTPPort', 70_000],
      ['SMTPEmailFrom', 'nobody'],
      ['defaultLanguage', 'xx'],
      ['defaultLanguage', 'constructor'],
      ['authMethod', 'none'],
      ['openRegistration', null],
      ['loginMsg', { en: 5 }],
      ['loginMsg', null],
      ['loginMsg', ['text']],
      ['loginMsg', { 'not a language': 'x' }],
      ['tokenDuration', 0],
      ['tokenDuration', 10_081],
      ['SMTPPort', 0],
      ['SMTPEmailFrom', 'a@b.org, c@d.org'],
      ['passwordMax', 1_001],
      ['trustProxy', 'yes'],
      ['userLoginsAsAdmin', { 0: 'root' }],
      ['userLoginsAsAdmin', ['root', 5]],
      ['userLoginsAsAdmin', ['x'.repeat(301)]],
      ['userLoginsAsAdmin', Array.from({ length: 1_001 }, (_, index) => `login ${index}`)],
      ['languages', { xx: 'X' }],
      ['availableAuthMethods', []],
      ['authLdapSettings', null],
      ['authCasSettings', []],
    ];
    for (const [key, value] of wrong) {
      expect(await refusal(key, value), `${key} = ${JSON.stringify(value)}`).to.equal(
        `BACKEND.ERROR.TYPE.${key.startsWith('SMTP') ? 'SMTP_CONFIG' : 'PARAM_INVALID'}`,
      );
    }
    for (const key of ['', 'unknown', '__proto__', 'constructor', 'toString']) {
      expect(await refusal(key, 1), key).to.equal('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
      expect(() => configuration.shown(key)).to.throw(MyPadsError);
    }
    expect(configuration.get('title')).to.equal('MyPads');
  });

  it('never let the shortest password be longer than the longest', async () => {
    expect(await refusal('passwordMin', 129)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect(await refusal('passwordMax', 7)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    const both = await Promise.all([refusal('passwordMin', 100), refusal('passwordMax', 50)]);
    expect(both.filter((answer) => answer === 'BACKEND.ERROR.TYPE.PASSWORD_SIZE')).to.have.length(1);
  });

  it('go back to their default only where the lengths of passwords still fit', async () => {
    await configuration.set('passwordMax', 300);
    await configuration.set('passwordMin', 200);
    const error = await configuration.remove('passwordMax').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MyPadsError).with.property('key', 'BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect(configuration.get('passwordMax')).to.equal(300);
    await configuration.remove('passwordMin');
    await configuration.remove('passwordMax');
    expect(configuration.get('passwordMax')).to.equal(128);
  });

  it('are understood as forms write them: numbers in quotes, logins with commas, blanks around an address', async () => {
    await configuration.set('SMTPPort', '587');
    await configuration.set('userLoginsAsAdmin', ' ada , grace,, ada ');
    await configuration.set('rootUrl', ' https://pads.example.org/ ');
    expect(configuration.get('SMTPPort')).to.equal(587);
    expect(configuration.get('userLoginsAsAdmin')).to.deep.equal(['ada', 'grace']);
    expect(configuration.get('rootUrl')).to.equal('https://pads.example.org');
    expect(await ports.database.get('mypads:conf:SMTPPort')).to.equal(587);
    await configuration.set('userLoginsAsAdmin', '');
    expect(configuration.get('userLoginsAsAdmin')).to.deep.equal([]);
  });

  it('show no password, and keep the one of a service that is saved without it', async () => {
    await configuration.set('SMTPPass', 'mail secret');
    await configuration.set('authLdapSettings', ldap({ bindCredentials: 'bind secret' }));
    expect(configuration.shown('SMTPPass')).to.equal(undefined);
    expect(JSON.stringify(configuration.all())).not.to.match(/secret/);
    const other = ldap({ url: 'ldap://b' });
    await configuration.set('authLdapSettings', other);
    expect(configuration.get('authLdapSettings')).to.deep.equal({ ...other, bindCredentials: 'bind secret' });
    expect(configuration.shown('authLdapSettings')).to.deep.equal(other);
  });

  it('keep the root address without a slash at its end', async () => {
    await configuration.set('rootUrl', 'https://pads.example.org/sub//');
    expect(configuration.get('rootUrl')).to.equal('https://pads.example.org/sub');
  });

  describe('of the settings file', () => {
    it('count before those of the database, which come back when the file is changed', async () => {
      await configuration.set('title', 'Of the database');
      const file = { title: 'Of the file', SMTPPort: '2525', rootUrl: 'https://pads.example.org/' };
      await preset(file);
      expect(configuration.get('title')).to.equal('Of the file');
      expect(configuration.get('SMTPPort')).to.equal(2525);
      expect(configuration.get('rootUrl')).to.equal('https://pads.example.org');
      expect(configuration.locked()).to.have.members(['title', 'SMTPPort', 'rootUrl']);
      expect(await refusal('title', 'Of somebody')).to.equal('BACKEND.ERROR.CONFIGURATION.LOCKED');
      const error = await configuration.remove('title').catch((thrown: unknown) => thrown);
      expect(error).to.have.property('key', 'BACKEND.ERROR.CONFIGURATION.LOCKED');
      await load();
      expect(configuration.get('title'), 'after a start').to.equal('Of the file');
      await preset({});
      expect(configuration.locked()).to.deep.equal([]);
      expect(configuration.get('title')).to.equal('Of the database');
    });

    it('are told to whoever listens when the file changes them, and only those that differ', async () => {
      await preset({ title: 'Of the file', openRegistration: true });
      const heard: string[] = [];
      events.on('configuration', ({ key }) => heard.push(key));
      await preset({ title: 'Of the file', allPadsPublicsAuthentifiedOnly: true, passwordMin: 8 });
      expect(heard).to.deep.equal(['allPadsPublicsAuthentifiedOnly']);
      expect(configuration.get('allPadsPublicsAuthentifiedOnly')).to.equal(true);
      await preset({});
      expect(heard.slice(1)).to.have.members(['title', 'allPadsPublicsAuthentifiedOnly']);
    });

    it('can be any but the built-in ones; what makes no sense is told in the log and passed over', async () => {
      await preset({
        title: '',
        passwordMin: 'many',
        languages: { xx: 'X' },
        unknown: 1,
        constructor: 1,
        authCasSettings: { serverUrl: 'cas.example.org' },
        checkMails: true,
      });
      expect(configuration.get('checkMails')).to.equal(true);
      expect(configuration.get('title')).to.equal('MyPads');
      expect(configuration.get('passwordMin')).to.equal(8);
      expect(configuration.locked()).to.deep.equal(['checkMails']);
      const told = ports.lines.filter(({ level }) => level === 'error').map(({ facts }) => facts);
      const names = ['title', 'passwordMin', 'languages', 'unknown', 'constructor', 'authCasSettings'];
      expect(told.map(({ key }) => key)).to.have.members(names);
      expect(told.find(({ key }) => key === 'authCasSettings')?.reason).to.match(/^serverUrl is not/);
    });

    it('bound the others: no shortest password beyond the preset longest', async () => {
      await preset({ passwordMax: 20 });
      expect(await refusal('passwordMin', 21)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      expect(await refusal('passwordMin', 20)).to.equal('stored: undefined');
    });

    it('leave a length that passwords can have, whatever the database says', async () => {
      await configuration.set('passwordMax', 20);
      await preset({ passwordMin: 25 });
      expect(configuration.get('passwordMin')).to.equal(25);
      expect(configuration.get('passwordMax')).to.equal(25);
    });

    it('may be the LDAP settings as before: taken over once, and the administrator’s from then on', async () => {
      const before = { url: 'ldap://directory', bindCredentials: 'of the file' };
      await preset({ ldap: before });
      expect(configuration.get('authMethod')).to.equal('ldap');
      expect(configuration.get('authLdapSettings')).to.deep.equal(before);
      expect(configuration.locked()).to.deep.equal([]);
      await configuration.set('authLdapSettings', ldap({ url: 'ldap://other' }));
      await configuration.set('authMethod', 'internal');
      await load();
      expect(configuration.get('authMethod')).to.equal('internal');
      expect(configuration.get('authLdapSettings')).to.have.property('url', 'ldap://other');
    });
  });

  it('of an existing database keep its longest password, new ones allow more', async () => {
    await ports.database.set('mypads:conf:languages', { en: 'English' });
    await load();
    expect(configuration.get('passwordMax')).to.equal(30);
    await configuration.set('passwordMax', 64);
    await load();
    expect(configuration.get('passwordMax')).to.equal(64);
    await configuration.remove('passwordMax');
    expect(configuration.get('passwordMax')).to.equal(30);
  });

  it('are tried out before they are stored, where somebody can', async () => {
    const tried: unknown[] = [];
    configuration = await createConfiguration({
      store: createStore(ports.database, ports.coordination),
      events,
      log: ports.log,
      probe: async (key, value) => {
        tried.push([key, value]);
        if (key === 'authLdapSettings') {
          throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
        }
      },
    });
    const unreachable = ldap({ url: 'ldap://x' });
    expect(await refusal('authLdapSettings', unreachable)).to.equal(
      'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
    );
    expect(tried).to.deep.equal([['authLdapSettings', { bindCredentials: '', ...unreachable }]]);
    expect(await ports.database.get('mypads:conf:authLdapSettings')).not.to.be.ok;
  });

  it('show no secret of a directory under any of its names', async () => {
    await configuration.set(
      'authLdapSettings',
      ldap({
        adminPassword: 'hidden 1',
        Credentials: 'hidden 2',
        tlsOptions: { rejectUnauthorized: true, key: 'hidden 3', passphrase: 'hidden 4' },
      }),
    );
    expect(JSON.stringify([configuration.all(), configuration.shown('authLdapSettings')])).not.to.include(
      'hidden',
    );
    expect(configuration.secrets()).to.deep.equal([
      'authLdapSettings.Credentials',
      'authLdapSettings.adminPassword',
      'authLdapSettings.tlsOptions.key',
      'authLdapSettings.tlsOptions.passphrase',
    ]);
    await configuration.set('authLdapSettings', configuration.shown('authLdapSettings'));
    expect(configuration.secrets()).to.have.length(4);
  });

  describe('of sign-in services are looked into', () => {
    const cas = (changes: object) => ({ serverUrl: 'https://cas.example.org/cas', ...changes });
    const deep = Array.from({ length: 20_000 }).reduce((inner: unknown) => [inner], 'deep');

    const wrong: [key: string, field: string, value: object][] = [
      ['authLdapSettings', 'value.url', {}],
      ['authLdapSettings', 'value.url', ldap({ url: 'https://directory.example.org' })],
      ['authLdapSettings', 'value.url', ldap({ url: [] })],
      ['authLdapSettings', 'value.url', ldap({ url: ['ldap://a', 'b'] })],
      ['authLdapSettings', 'value.searchBase', ldap({ searchBase: undefined })],
      ['authLdapSettings', 'value.searchBase', ldap({ searchBase: ['dc=org'] })],
      ['authLdapSettings', 'value.searchFilter', ldap({ searchFilter: '(uid=ada)' })],
      ['authLdapSettings', 'value.searchFilter', ldap({ searchFilter: null })],
      ['authLdapSettings', 'value.searchScope', ldap({ searchScope: 'everything' })],
      ['authLdapSettings', 'value.searchAttributes', ldap({ searchAttributes: 'mail' })],
      ['authLdapSettings', 'value.bindDN', ldap({ bindDN: 5 })],
      ['authLdapSettings', 'value.bindCredentials', ldap({ bindCredentials: null })],
      ['authLdapSettings', 'value.bindCredentials', ldap({ bindCredentials: 'x'.repeat(1_001) })],
      ['authLdapSettings', 'value.starttls', ldap({ starttls: 'yes' })],
      ['authLdapSettings', 'value.tlsOptions', ldap({ tlsOptions: [] })],
      [
        'authLdapSettings',
        'value.tlsOptions.rejectUnauthorized',
        ldap({ tlsOptions: { rejectUnauthorized: 'false' } }),
      ],
      ['authLdapSettings', 'value.properties', ldap({ properties: ['uid'] })],
      ['authLdapSettings', 'value.properties.login', ldap({ properties: { login: ' ' } })],
      ['authLdapSettings', 'value.properties.email', ldap({ properties: { email: ['mail'] } })],
      ['authLdapSettings', 'value.properties.firstName', ldap({ properties: { firstName: 'givenName' } })],
      ['authLdapSettings', 'value.defaultLang', ldap({ defaultLang: 'xx' })],
      ['authLdapSettings', 'value', ldap({ reconnect: deep })],
      ['authLdapSettings', 'value', ldap({ list: Array.from({ length: 1_000 }).fill(0) })],
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
    it('and refused with the place of the fault', async () => {
      for (const [index, [key, field, value]] of wrong.entries()) {
        const error = await errorOf(key, value);
        const row = `${index}. ${key}: ${field}`;
        expect(error, row).to.be.instanceOf(MyPadsError);
        expect(error, row).to.have.property('key', 'BACKEND.ERROR.TYPE.PARAM_INVALID');
        expect((error as MyPadsError).details, row).to.include({ field, key });
      }
      expect(configuration.get('authCasSettings')).to.have.property(
        'serverUrl',
        'https://cas.example.org/cas',
      );
    });

    it('and kept with everything that is not ours to judge', async () => {
      const values: [string, object][] = [
        [
          'authLdapSettings',
          ldap({ url: ['ldap://a', 'ldaps://b:6360'], groupSearchBase: 'dc=org', cache: true }),
        ],
        [
          'authLdapSettings',
          ldap({ searchScope: 'one', searchAttributes: ['uid', 'mail'], defaultLang: '' }),
        ],
        ['authCasSettings', cas({ protocolVersion: '3.0', useGateway: false, logoutUrl: '' })],
        [
          'authCasSettings',
          cas({ properties: { login: 'user', email: 'mail' }, logoutUrl: 'https://out.example.org' }),
        ],
      ];
      for (const [key, value] of values) {
        expect(await errorOf(key, value), JSON.stringify(value)).to.equal(undefined);
        expect(configuration.shown(key)).to.deep.equal(value);
      }
    });

    it('but those of an old database stay as they are', async () => {
      const old = {
        serverUrl: 'cas.example.org',
        properties: { login: 'login', mail: 'mail' },
        logoutUrl: 5,
      };
      await ports.database.set('mypads:conf:authCasSettings', old);
      await ports.database.set('mypads:conf:authLdapSettings', { url: 'nowhere', more: true });
      await load();
      expect(configuration.get('authCasSettings')).to.deep.equal(old);
      expect(configuration.get('authLdapSettings')).to.deep.equal({ url: 'nowhere', more: true });
    });
  });
});
