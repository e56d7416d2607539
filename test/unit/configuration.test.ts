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
  const load = async () => {
    events = createEvents(ports.log);
    configuration = await createConfiguration({ store: createStore(ports.database), events, log: ports.log });
  };
  beforeEach(async () => {
    ports = await createTestPorts();
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
});
