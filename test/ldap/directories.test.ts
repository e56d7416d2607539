/**
 * Differences between directories: several servers, referrals, searches without a bind name, and passwords that a
 * server written in C truncates.
 */
import { expect } from 'chai';
import { limits } from '../../model/limits';
import { type BrokenServer, startBrokenServer, startProxy } from '../support/brokenServer';
import { type LdapPerson, people, startLdapServer } from '../support/ldapServer';
import { incorrect, unavailable, useLdap } from '../support/ldapSignIn';
import { closedPort } from '../support/smtpServer';

describe('an LDAP directory', () => {
  let elsewhere: BrokenServer;
  let callsElsewhere = 0;
  const ldap = useLdap(async () => {
    elsewhere = await startBrokenServer((socket) => {
      callsElsewhere += 1;
      socket.destroy();
    });
    return startLdapServer({ elsewhere: `ldap://127.0.0.1:${elsewhere.port}` });
  });
  after(() => elsewhere.stop());

  /** The login of the person who is signed in, or the error key of the refusal. */
  const outcome = (person: LdapPerson): Promise<string> =>
    ldap.signIn(person).then(
      (profile) => profile.login,
      (error: Error) => error.message,
    );

  it('that refers to another server is not followed there, and its own people can sign in', async () => {
    expect(await outcome(people.alice)).to.equal('alice');
    expect(await outcome({ uid: 'mallory', password: 'x', sn: '' })).to.equal(incorrect);
    expect(await outcome({ ...people.referred, password: 'x' })).to.equal(unavailable);
    ldap.settings = ldap.server.settings({ searchBase: 'ou=elsewhere,ou=people,dc=example,dc=org' });
    expect(await outcome(people.alice)).to.equal(unavailable);
    expect(callsElsewhere).to.equal(0);
  });

  it('may have an address of IPv6', async () => {
    const { hostname, port } = new URL(ldap.server.url);
    const proxy = await startProxy({ host: hostname, port: Number(port) }, {}, '::1');
    ldap.settings = ldap.server.settings({ url: `ldap://[::1]:${proxy.port}` });
    expect(await outcome(people.alice)).to.equal('alice');
    await proxy.stop();
  });

  it('that can be searched anonymously tells a wrong password from a wrong configuration', async () => {
    for (const nobody of [undefined, null, '']) {
      ldap.settings = ldap.server.settings({
        bindDN: nobody,
        bindCredentials: nobody,
        searchBase: 'ou=open,dc=example,dc=org',
      });
      expect(await outcome(people.frodo)).to.equal('frodo');
      expect(await outcome({ ...people.frodo, password: 'wrong' })).to.equal(incorrect);
      expect(await outcome({ ...people.frodo, uid: 'sam' })).to.equal(incorrect);
    }
  });

  it('is asked at the next of several addresses when the first is down', async () => {
    const down = `ldap://127.0.0.1:${await closedPort()}`;
    ldap.settings = ldap.server.settings({ url: [down, ldap.server.url] });
    expect(await outcome(people.alice)).to.equal('alice');
    expect(await outcome({ ...people.alice, password: 'wrong' })).to.equal(incorrect);
    ldap.settings = ldap.server.settings({ url: [down, down] });
    expect(await outcome(people.alice)).to.equal(unavailable);
    await ldap.server.quiet();
  });

  it('is searched as deep as the settings say', async () => {
    const base = 'dc=example,dc=org';
    for (const [searchBase, searchScope, expected] of [
      [base, 'sub', 'alice'],
      [base, 'one', incorrect],
      [`ou=people,${base}`, 'one', 'alice'],
      [`uid=alice,ou=people,${base}`, 'base', 'alice'],
      [`uid=bob,ou=people,${base}`, 'base', incorrect],
    ]) {
      ldap.settings = ldap.server.settings({ searchBase, searchScope });
      expect(await outcome(people.alice), `${searchBase} ${searchScope}`).to.equal(expected);
    }
  });

  it('never gets a password that it could read as empty or shorter', async () => {
    const asked = ldap.server.connections();
    const { uid, password } = people.alice;
    for (const tried of [
      '\0',
      '\0\0\0',
      `\0${password}`,
      `${password}\0`,
      `${password}\0x`,
      'x'.repeat(limits.password + 1),
    ]) {
      expect(await outcome({ uid, password: tried, sn: '' })).to.equal(incorrect);
      expect(await ldap.patient.checkPassword(uid, tried)).to.equal(false);
    }
    expect(await outcome({ uid: 'x'.repeat(10_000), password, sn: '' })).to.equal(incorrect);
    await ldap.server.quiet();
    expect(ldap.server.connections()).to.equal(asked);
    expect(await outcome({ uid, password: 'x'.repeat(limits.password), sn: '' })).to.equal(incorrect);
    expect(ldap.server.connections()).to.be.greaterThan(asked);
  });
});
