import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { languageCodes } from '../../model/languages';
import { ldapSettings, useConfiguration } from '../support/configuration';

describe('the settings', () => {
  const settings = useConfiguration();
  const { load, refusal } = settings;

  it('have their defaults in a new database', () => {
    expect(settings.configuration.get('title')).to.equal('MyPads');
    expect(settings.configuration.get('passwordMin')).to.equal(8);
    expect(settings.configuration.get('passwordMax')).to.equal(128);
    expect(settings.configuration.get('openRegistration')).to.equal(true);
    expect(settings.configuration.get('SMTPHost')).to.equal(undefined);
  });

  it('stay after a restart and go back to the default when removed', async () => {
    const heard: string[] = [];
    settings.events.on('configuration', ({ key }) => heard.push(key));
    await settings.configuration.set('title', 'Pads of us');
    expect(settings.configuration.get('title')).to.equal('Pads of us');
    await settings.configuration.remove('rootUrl');
    expect(heard).to.deep.equal(['title', 'rootUrl']);
    await load();
    expect(settings.configuration.get('title')).to.equal('Pads of us');
    await settings.configuration.remove('title');
    expect(settings.configuration.get('title')).to.equal('MyPads');
    await load();
    expect(settings.configuration.get('title')).to.equal('MyPads');
    expect(settings.configuration.get('rootUrl')).to.equal('');
  });

  it('accept numbers that were stored as texts, and ignore invalid values', async () => {
    await settings.ports.database.set('mypads:conf:SMTPPort', '587');
    await settings.ports.database.set('mypads:conf:tokenDuration', 'soon');
    await settings.ports.database.set('mypads:conf:openRegistration', ['yes']);
    await settings.ports.database.set('mypads:conf:authMethod', 'ldap');
    await settings.ports.database.set('mypads:conf:languages', { xx: 'X' });
    await load();
    expect(settings.configuration.get('SMTPPort')).to.equal(587);
    expect(settings.configuration.get('tokenDuration')).to.equal(60);
    expect(settings.configuration.get('openRegistration')).to.equal(true);
    expect(settings.configuration.get('authMethod')).to.equal('ldap');
    expect(Object.keys(settings.configuration.get('languages'))).to.deep.equal(languageCodes);
    expect(
      settings.ports.lines.filter(({ level }) => level === 'warn').map(({ facts }) => facts.key),
    ).to.have.members(['tokenDuration', 'openRegistration']);
  });

  it('take a switch that 1.x stored as a number or text for what it was there', async () => {
    for (const [value, isOn] of [
      [1, true],
      ['true', true],
      ['false', true],
      [0, false],
      ['', false],
    ] as const)
      for (const key of ['allPadsPublicsAuthentifiedOnly', 'openRegistration', 'checkMails'] as const) {
        await settings.ports.database.set(`mypads:conf:${key}`, value);
        await load();
        expect(settings.configuration.get(key), `${key}: ${JSON.stringify(value)}`).to.equal(isOn);
        expect(await refusal(key, value)).to.equal('BACKEND.ERROR.TYPE.PARAM_INVALID');
      }
  });

  it('take 0 minutes and port 0 of 1.x for not set, as it did, and say so in the log', async () => {
    for (const zero of [0, '0']) {
      await settings.ports.database.set('mypads:conf:tokenDuration', zero);
      await settings.ports.database.set('mypads:conf:SMTPPort', zero);
      settings.ports.lines.length = 0;
      await load();
      expect(settings.configuration.get('tokenDuration')).to.equal(60);
      expect(settings.configuration.get('SMTPPort')).to.equal(undefined);
      expect(settings.ports.lines.map(({ facts }) => facts.key)).to.include.members([
        'tokenDuration',
        'SMTPPort',
      ]);
    }
  });

  it('refuse values of the wrong type and unknown names', async () => {
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
      expect(() => settings.configuration.shown(key)).to.throw(MyPadsError);
    }
    expect(settings.configuration.get('title')).to.equal('MyPads');
  });

  it('never allow a minimum length of passwords above the maximum', async () => {
    expect(await refusal('passwordMin', 129)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect(await refusal('passwordMax', 7)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    const both = await Promise.all([refusal('passwordMin', 100), refusal('passwordMax', 50)]);
    expect(both.filter((answer) => answer === 'BACKEND.ERROR.TYPE.PASSWORD_SIZE')).to.have.length(1);
  });

  it('are not reset to a default where the minimum length of passwords would exceed the maximum', async () => {
    await settings.configuration.set('passwordMax', 300);
    await settings.configuration.set('passwordMin', 200);
    const error = await settings.configuration.remove('passwordMax').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MyPadsError).with.property('key', 'BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect(settings.configuration.get('passwordMax')).to.equal(300);
    await settings.configuration.remove('passwordMin');
    await settings.configuration.remove('passwordMax');
    expect(settings.configuration.get('passwordMax')).to.equal(128);
  });

  it('are accepted as forms send them: numbers in quotes, logins with commas, blanks around an address', async () => {
    await settings.configuration.set('SMTPPort', '587');
    await settings.configuration.set('userLoginsAsAdmin', ' ada , grace,, ada ');
    await settings.configuration.set('rootUrl', ' https://pads.example.org/ ');
    expect(settings.configuration.get('SMTPPort')).to.equal(587);
    expect(settings.configuration.get('userLoginsAsAdmin')).to.deep.equal(['ada', 'grace']);
    expect(settings.configuration.get('rootUrl')).to.equal('https://pads.example.org');
    expect(await settings.ports.database.get('mypads:conf:SMTPPort')).to.equal(587);
    await settings.configuration.set('userLoginsAsAdmin', '');
    expect(settings.configuration.get('userLoginsAsAdmin')).to.deep.equal([]);
  });

  it('store the root address without a slash at its end', async () => {
    await settings.configuration.set('rootUrl', 'https://pads.example.org/sub//');
    expect(settings.configuration.get('rootUrl')).to.equal('https://pads.example.org/sub');
  });

  it('allow passwords of 30 characters in an existing database, and longer ones in a new one', async () => {
    await settings.ports.database.set('mypads:conf:languages', { en: 'English' });
    await load();
    expect(settings.configuration.get('passwordMax')).to.equal(30);
    await settings.configuration.set('passwordMax', 64);
    await load();
    expect(settings.configuration.get('passwordMax')).to.equal(64);
    await settings.configuration.remove('passwordMax');
    expect(settings.configuration.get('passwordMax')).to.equal(30);
  });

  it('are tested before they are stored, where there is a test', async () => {
    const tried: unknown[] = [];
    await load(async (key, value) => {
      tried.push([key, value]);
      if (key === 'authLdapSettings') {
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
      }
    });
    const unreachable = ldapSettings({ url: 'ldap://x' });
    expect(await refusal('authLdapSettings', unreachable)).to.equal(
      'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
    );
    expect(tried).to.deep.equal([['authLdapSettings', { bindCredentials: '', ...unreachable }]]);
    expect(await settings.ports.database.get('mypads:conf:authLdapSettings')).not.to.be.ok;
  });
});
