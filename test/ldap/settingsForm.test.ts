import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { testBind } from '../../model/signin/ldap';
import { frozen, unableToBind, useLdap } from '../support/ldapSignIn';

describe('the test of LDAP settings in the settings form', () => {
  const ldap = useLdap();

  async function reason(value: unknown, timeLimit?: number): Promise<unknown> {
    try {
      await testBind(value, timeLimit);
    } catch (error) {
      if (error instanceof MyPadsError && error.key === unableToBind) return error.details.reason;
      throw error;
    }
    return undefined;
  }

  it('succeeds with valid settings, and leaves no connection open', async () => {
    expect(await reason(frozen(ldap.server.settings()))).to.equal(undefined);
    await ldap.server.quiet();
  });

  it('says what is wrong', async () => {
    expect(await reason(ldap.server.settings({ bindCredentials: 'x' }))).to.match(
      /bindDN was refused.*Invalid Credentials/,
    );
    expect(await reason(ldap.server.settings({ url: ldap.server.secureUrl }))).to.match(/self-signed/);
    expect(await reason(ldap.server.settings({ url: 'ldap://127.0.0.1:1' }))).to.match(/ECONNREFUSED/);
    expect(await reason(ldap.server.settings({ searchFilter: '(uid=alice)' }))).to.match(/\{\{username\}\}/);
    expect(await reason({})).to.match(/url/);
  });

  it('fails with a filter that finds people for any login', async () => {
    const searchFilter = '(|(uid={{username}})(objectClass=inetOrgPerson))';
    expect(await reason(ldap.server.settings({ searchFilter }))).to.match(/finds people whatever/);
    const one = '(|(uid={{username}})(uid=alice))';
    expect(await reason(ldap.server.settings({ searchFilter: one }))).to.match(/finds people whatever/);
  });

  it('fails in time when the directory hangs (A10)', async () => {
    await ldap.server.freeze();
    try {
      expect(await reason(ldap.server.settings(), 1_000)).to.equal('no answer in time');
    } finally {
      ldap.server.thaw();
    }
  });
});
