import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { languageCodes } from '../../model/languages';
import { ldapSettings, useConfiguration } from '../support/configuration';

describe('the settings', () => {
  const settings = useConfiguration();
  const { load, refusal } = settings;

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

  it('name in the log the languages whose message at the sign-in is too long', async () => {
    const loginMsg = { en: 'Welcome', fr: `<img src="data:${'x'.repeat(10_000)}">`, de: '', es: null };
    await settings.ports.database.set('mypads:conf:loginMsg', loginMsg);
    await load();
    expect(settings.configuration.get('loginMsg')).to.deep.equal({ en: 'Welcome', de: '' });
    expect(settings.ports.lines.filter(({ level }) => level === 'warn')).to.deep.equal([
      {
        level: 'warn',
        message: 'texts of a stored setting left out',
        facts: { key: 'loginMsg', languages: 'fr' },
      },
    ]);
  });

  it('never allow a minimum length of passwords above the maximum, also when both change at once', async () => {
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
