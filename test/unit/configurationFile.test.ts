import { expect } from 'chai';
import { ldapSettings, useConfiguration } from '../support/configuration';

describe('settings in the settings file of Etherpad', () => {
  const settings = useConfiguration();
  const { load, preset, refusal } = settings;

  it('take precedence over the database, whose values are used again when the file is changed', async () => {
    await settings.configuration.set('title', 'Of the database');
    const file = { title: 'Of the file', SMTPPort: '2525', rootUrl: 'https://pads.example.org/' };
    await preset(file);
    expect(settings.configuration.get('title')).to.equal('Of the file');
    expect(settings.configuration.get('SMTPPort')).to.equal(2525);
    expect(settings.configuration.get('rootUrl')).to.equal('https://pads.example.org');
    expect(settings.configuration.locked()).to.have.members(['title', 'SMTPPort', 'rootUrl']);
    expect(await refusal('title', 'Of somebody')).to.equal('BACKEND.ERROR.CONFIGURATION.LOCKED');
    const error = await settings.configuration.remove('title').catch((thrown: unknown) => thrown);
    expect(error).to.have.property('key', 'BACKEND.ERROR.CONFIGURATION.LOCKED');
    await load();
    expect(settings.configuration.get('title'), 'after a start').to.equal('Of the file');
    await preset({});
    expect(settings.configuration.locked()).to.deep.equal([]);
    expect(settings.configuration.get('title')).to.equal('Of the database');
  });

  it('cause an event when the file changes, but only for values that differ', async () => {
    await preset({ title: 'Of the file', openRegistration: true });
    const heard: string[] = [];
    settings.events.on('configuration', ({ key }) => heard.push(key));
    await preset({ title: 'Of the file', allPadsPublicsAuthentifiedOnly: true, passwordMin: 8 });
    expect(heard).to.deep.equal(['allPadsPublicsAuthentifiedOnly']);
    expect(settings.configuration.get('allPadsPublicsAuthentifiedOnly')).to.equal(true);
    await preset({});
    expect(heard.slice(1)).to.have.members(['title', 'allPadsPublicsAuthentifiedOnly']);
  });

  it('can be any but the built-in ones; invalid ones are logged and ignored', async () => {
    await preset({
      title: '',
      passwordMin: 'many',
      languages: { xx: 'X' },
      unknown: 1,
      constructor: 1,
      authCasSettings: { serverUrl: 'cas.example.org' },
      checkMails: true,
    });
    expect(settings.configuration.get('checkMails')).to.equal(true);
    expect(settings.configuration.get('title')).to.equal('MyPads');
    expect(settings.configuration.get('passwordMin')).to.equal(8);
    expect(settings.configuration.locked()).to.deep.equal(['checkMails']);
    const told = settings.ports.lines.filter(({ level }) => level === 'error').map(({ facts }) => facts);
    const noSetting = 'no setting that can be changed has this name';
    expect(Object.fromEntries(told.map(({ key, reason }) => [key, reason]))).to.deep.equal({
      title: 'takes text of 1 to 100 characters',
      passwordMin: 'takes whole number from 1 to 1000',
      languages: noSetting,
      unknown: noSetting,
      constructor: noSetting,
      authCasSettings: 'serverUrl is not of the form https://host/path',
    });
  });

  it('limit the others: the minimum length of passwords cannot exceed a preset maximum', async () => {
    await preset({ passwordMax: 20 });
    expect(await refusal('passwordMin', 21)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect(await refusal('passwordMin', 20)).to.equal('no error');
  });

  it('never make all lengths of passwords invalid, whatever the database contains', async () => {
    await settings.configuration.set('passwordMax', 20);
    await preset({ passwordMin: 25 });
    expect(settings.configuration.get('passwordMin')).to.equal(25);
    expect(settings.configuration.get('passwordMax')).to.equal(25);
  });

  it('may be the LDAP settings of 1.x: copied once, and changed by administrators from then on', async () => {
    const before = { url: 'ldap://directory', bindCredentials: 'of the file' };
    await preset({ ldap: before });
    expect(settings.configuration.get('authMethod')).to.equal('ldap');
    expect(settings.configuration.get('authLdapSettings')).to.deep.equal(before);
    expect(settings.configuration.locked()).to.deep.equal([]);
    await settings.configuration.set('authLdapSettings', ldapSettings({ url: 'ldap://other' }));
    await settings.configuration.set('authMethod', 'internal');
    await load();
    expect(settings.configuration.get('authMethod')).to.equal('internal');
    expect(settings.configuration.get('authLdapSettings')).to.have.property('url', 'ldap://other');
  });
});
