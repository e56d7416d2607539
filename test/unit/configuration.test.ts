import { expect } from 'chai';
import { type Configuration, createConfiguration } from '../../model/configuration';
import { MyPadsError } from '../../model/errors';
import { createEvents, type Events } from '../../model/events';
import { createStore } from '../../model/store';
import { createTestPorts, type TestPorts } from '../support/app';

describe('the settings', () => {
  let ports: TestPorts & { closeDatabase(): Promise<void> };
  let configuration: Configuration;
  let events: Events;
  /** The `ep_mypads` block of the host's settings file. */
  let block: Record<string, unknown>;
  const load = async () => {
    events = createEvents(ports.log);
    configuration = await createConfiguration({
      store: createStore(ports.database),
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
  afterEach(() => ports.closeDatabase());

  const refusal = async (key: string, value: unknown): Promise<string> => {
    const error = await configuration.set(key, value).catch((thrown: unknown) => thrown);
    return error instanceof MyPadsError ? error.key : `stored: ${String(error)}`;
  };

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
    expect(Object.keys(configuration.get('languages'))).to.deep.equal(['en', 'fr', 'de', 'es', 'it']);
    expect(ports.lines.filter(({ level }) => level === 'warn').map(({ facts }) => facts.key)).to.have.members(
      ['tokenDuration', 'openRegistration'],
    );
  });

  it('refuse values of the wrong type and names that nobody knows', async () => {
    const wrong: [string, unknown][] = [
      ['title', ''],
      ['title', 5],
      ['title', 'x'.repeat(101)],
      ['rootUrl', 'javascript:alert(1)'],
      ['rootUrl', 'not a url'],
      ['passwordMin', 0],
      ['passwordMin', 1.5],
      ['passwordMax', '30'],
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
      ['userLoginsAsAdmin', 'root'],
      ['languages', { xx: 'X' }],
      ['availableAuthMethods', []],
      ['authLdapSettings', null],
      ['authCasSettings', []],
    ];
    for (const [key, value] of wrong) {
      expect(await refusal(key, value), `${key} = ${JSON.stringify(value)}`).to.equal(
        'BACKEND.ERROR.TYPE.PARAM_INVALID',
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

  it('show no password, and keep the one of a service that is saved without it', async () => {
    await configuration.set('SMTPPass', 'mail secret');
    await configuration.set('authLdapSettings', { url: 'ldap://a', bindCredentials: 'bind secret' });
    expect(configuration.shown('SMTPPass')).to.equal(undefined);
    expect(JSON.stringify(configuration.all())).not.to.match(/secret/);
    await configuration.set('authLdapSettings', { url: 'ldap://b' });
    expect(configuration.get('authLdapSettings')).to.deep.equal({
      url: 'ldap://b',
      bindCredentials: 'bind secret',
    });
    expect(configuration.shown('authLdapSettings')).to.deep.equal({ url: 'ldap://b' });
  });

  it('keep the root address without a slash at its end', async () => {
    await configuration.set('rootUrl', 'https://pads.example.org/sub//');
    expect(configuration.get('rootUrl')).to.equal('https://pads.example.org/sub');
  });

  describe('of the settings file', () => {
    it('count before those of the database, which come back when the file is changed', async () => {
      await configuration.set('title', 'Of the database');
      block = { title: 'Of the file', SMTPPort: '2525', rootUrl: 'https://pads.example.org/' };
      expect(configuration.get('title')).to.equal('Of the file');
      expect(configuration.get('SMTPPort')).to.equal(2525);
      expect(configuration.get('rootUrl')).to.equal('https://pads.example.org');
      expect(configuration.locked()).to.have.members(['title', 'SMTPPort', 'rootUrl']);
      expect(await refusal('title', 'Of somebody')).to.equal('BACKEND.ERROR.CONFIGURATION.LOCKED');
      block = {};
      expect(configuration.locked()).to.deep.equal([]);
      expect(configuration.get('title')).to.equal('Of the database');
    });

    it('can be any but the built-in ones; what makes no sense is told in the log and passed over', () => {
      block = {
        title: '',
        passwordMin: 'many',
        languages: { xx: 'X' },
        unknown: 1,
        constructor: 1,
        checkMails: true,
      };
      expect(configuration.get('checkMails')).to.equal(true);
      expect(configuration.get('title')).to.equal('MyPads');
      expect(configuration.get('passwordMin')).to.equal(8);
      expect(configuration.locked()).to.deep.equal(['checkMails']);
      const told = ports.lines.filter(({ level }) => level === 'error').map(({ facts }) => facts.key);
      expect(told).to.have.members(['title', 'passwordMin', 'languages', 'unknown', 'constructor']);
    });

    it('bound the others: no shortest password beyond the preset longest', async () => {
      block = { passwordMax: 20 };
      expect(await refusal('passwordMin', 21)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      expect(await refusal('passwordMin', 20)).to.equal('stored: undefined');
    });

    it('may be the LDAP settings as before: taken over once, and the administrator’s from then on', async () => {
      block = { ldap: { url: 'ldap://directory', bindCredentials: 'of the file' } };
      await load();
      expect(configuration.get('authMethod')).to.equal('ldap');
      expect(configuration.get('authLdapSettings')).to.deep.equal(block.ldap);
      expect(configuration.locked()).to.deep.equal([]);
      await configuration.set('authLdapSettings', { url: 'ldap://other' });
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
      store: createStore(ports.database),
      events,
      log: ports.log,
      probe: async (key, value) => {
        tried.push([key, value]);
        if (key === 'authLdapSettings') {
          throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
        }
      },
    });
    expect(await refusal('authLdapSettings', { url: 'ldap://x' })).to.equal(
      'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
    );
    expect(tried).to.deep.equal([['authLdapSettings', { bindCredentials: '', url: 'ldap://x' }]]);
    expect(await ports.database.get('mypads:conf:authLdapSettings')).not.to.be.ok;
  });

  it('show no secret of a directory under any of its names', async () => {
    await configuration.set('authLdapSettings', {
      url: 'ldaps://a',
      adminPassword: 'hidden 1',
      Credentials: 'hidden 2',
      tlsOptions: { rejectUnauthorized: true, key: 'hidden 3', passphrase: 'hidden 4' },
    });
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
});
