/**
 * Differences between directories: several servers, referrals, searches without a bind name, and passwords that a
 * server written in C truncates.
 */
import { expect } from 'chai';
import { limits } from '../../model/limits';
import { createLdapSignIn } from '../../model/signin/ldap';
import { type BrokenServer, startBrokenServer } from '../support/brokenServer';
import { type LdapPerson, type LdapServer, people, startLdapServer } from '../support/ldapServer';
import { closedPort } from '../support/smtpServer';

const incorrect = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';

describe('an LDAP directory', () => {
  let server: LdapServer;
  let elsewhere: BrokenServer;
  let callsElsewhere = 0;
  let settings: unknown;
  let reasons: unknown[];
  const note = (_message: string, facts?: Record<string, unknown>): void => {
    reasons.push(facts?.reason);
  };
  const log = { debug: note, info: note, warn: note, error: note };
  const ldap = createLdapSignIn({ settings: () => settings, log, timeLimit: 40_000 });

  before(async () => {
    elsewhere = await startBrokenServer((socket) => {
      callsElsewhere += 1;
      socket.destroy();
    });
    server = await startLdapServer({ elsewhere: `ldap://127.0.0.1:${elsewhere.port}` });
  });
  after(async () => {
    await server.stop();
    await elsewhere.stop();
  });
  beforeEach(() => {
    settings = server.settings();
    reasons = [];
  });

  /** The login of the person who is signed in, or the error key of the refusal. */
  const outcome = ({ uid, password = '' }: LdapPerson): Promise<string> =>
    ldap.authenticate({ login: uid, password }).then(
      (profile) => profile.login,
      (error: Error) => error.message,
    );

  it('that refers to another server is not followed there, and its own people can sign in', async () => {
    expect(await outcome(people.alice)).to.equal('alice');
    expect(await outcome({ uid: 'mallory', password: 'x', sn: '' })).to.equal(incorrect);
    expect(await outcome({ ...people.referred, password: 'x' })).to.equal(unavailable);
    settings = server.settings({ searchBase: 'ou=elsewhere,ou=people,dc=example,dc=org' });
    expect(await outcome(people.alice)).to.equal(unavailable);
    expect(callsElsewhere).to.equal(0);
  });

  it('that can be searched anonymously tells a wrong password from a wrong configuration', async () => {
    for (const nobody of [undefined, null, '']) {
      settings = server.settings({
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
    settings = server.settings({ url: [down, server.url] });
    expect(await outcome(people.alice)).to.equal('alice');
    expect(await outcome({ ...people.alice, password: 'wrong' })).to.equal(incorrect);
    settings = server.settings({ url: [down, down] });
    expect(await outcome(people.alice)).to.equal(unavailable);
    await server.quiet();
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
      settings = server.settings({ searchBase, searchScope });
      expect(await outcome(people.alice), `${searchBase} ${searchScope}`).to.equal(expected);
    }
  });

  it('never gets a password that it could read as empty or shorter', async () => {
    const asked = server.connections();
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
      expect(await ldap.checkPassword(uid, tried)).to.equal(false);
    }
    expect(await outcome({ uid: 'x'.repeat(10_000), password, sn: '' })).to.equal(incorrect);
    await server.quiet();
    expect(server.connections()).to.equal(asked);
    expect(await outcome({ uid, password: 'x'.repeat(limits.password), sn: '' })).to.equal(incorrect);
    expect(server.connections()).to.be.greaterThan(asked);
  });
});
