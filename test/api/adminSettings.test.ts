/** `admin/settings`: what a form for the settings needs to know. */
import { expect } from 'chai';
import type { AdminSettingsAnswer } from '../../api/admin/schema';
import { startApp, useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { signInAsAdmin } from '../support/factories';
import { useAdmin } from '../support/people';

describe('the list of settings for server administrators', () => {
  const app = useTestApp({ plugin: { title: 'Of the operator', SMTPPass: 'preset secret' } });
  const admin = useAdmin(app, before);

  async function listed(): Promise<AdminSettingsAnswer> {
    const { status, body } = await admin('get', 'admin/settings');
    expect(status).to.equal(200);
    return body as AdminSettingsAnswer;
  }
  const find = ({ settings }: AdminSettingsAnswer, key: string) =>
    settings.find((setting) => setting.key === key);

  it('has each setting that can be changed, with value, default and valid values', async () => {
    await admin('put', 'configuration/passwordMin', { value: 12 });
    const answer = await listed();
    expect(find(answer, 'passwordMin')).to.deep.equal({
      key: 'passwordMin',
      section: 'accounts',
      kind: 'integer',
      value: 12,
      default: 8,
      schema: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        description: 'whole number from 1 to 1000',
      },
      locked: false,
    });
    expect(find(answer, 'SMTPHost')).to.include({ locked: false }).and.not.have.any.keys('value', 'default');
    for (const fixed of ['languages', 'availableAuthMethods'])
      expect(find(answer, fixed)).to.equal(undefined);
  });

  it('says what the settings file locks, and which secrets are set, but no secret', async () => {
    const { text } = await admin('get', 'admin/settings');
    expect(text).to.not.contain('preset secret').and.not.contain('bindCredentials":');
    const answer = await listed();
    expect(find(answer, 'title')).to.include({ value: 'Of the operator', default: 'MyPads', locked: true });
    expect(find(answer, 'SMTPPass')).to.include({ locked: true }).and.not.have.any.keys('value');
    expect(answer.secrets).to.deep.equal(['SMTPPass']);
    expect(answer.administrator).to.equal('root');
  });

  it('gives the default of 1.x to a database that comes from there', async () => {
    const old = await startApp({
      prepare: (database) => database.set('mypads:conf:languages', { en: 'English' }),
    });
    try {
      const { body } = await callerOf(old, await signInAsAdmin(old))('get', 'admin/settings');
      expect(find(body as AdminSettingsAnswer, 'passwordMax')).to.include({ value: 30, default: 30 });
    } finally {
      await old.close();
    }
  });
});
