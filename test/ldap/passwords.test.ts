import { expect } from 'chai';
import type { ErrorKey } from '../../model/errors';
import { refusal } from '../support/errorKeys';
import { people } from '../support/ldapServer';
import { frozen, incorrect, useLdap } from '../support/ldapSignIn';

describe('passwords at an LDAP server', () => {
  const ldap = useLdap();
  const { patient, signIn } = ldap;
  const noMail = 'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL';
  const invalid = 'BACKEND.ERROR.TYPE.USER_INVALID';

  describe('the right password', () => {
    it('signs the person in with the name and address of the directory', async () => {
      expect(await signIn(people.alice)).to.deep.equal({
        login: 'alice',
        email: 'alice@example.org',
        firstname: 'Alice',
        lastname: 'Liddell',
        lang: 'fr',
        identity: { method: 'ldap', issuer: '', subject: 'alice' },
        attributes: {},
      });
    });

    it('may have accents and emoji, as may login and names', async () => {
      expect(await signIn(people.renee)).to.include({
        login: 'renée',
        firstname: 'Renée',
        lastname: 'Lefèvre-Ñandú',
      });
      expect(await signIn(people.fox)).to.include({ login: '🦊fox' });
    });

    it('works for logins of characters with a special meaning in LDAP', async () => {
      expect(await signIn(people.special)).to.include({ login: people.special.uid });
      expect(await signIn(people.star)).to.include({ login: '*', email: 'star@example.org' });
      expect(await signIn(people.backslash)).to.include({ login: '\\2a', email: 'backslash@example.org' });
    });

    it('takes the first of several addresses and names', async () => {
      expect(await signIn(people.bob)).to.include({ email: 'bob@example.org', firstname: 'Bob' });
    });

    it('returns the login as the directory writes it, whatever letter case was typed', async () => {
      const { password } = people.alice;
      expect(await patient.authenticate({ login: ' ALICE ', password })).to.include({ login: 'alice' });
    });

    it('shortens very long names', async () => {
      expect((await signIn(people.wordy)).firstname).to.equal('x'.repeat(100));
    });

    it('works with a filter that also finds addresses, and one of several conditions', async () => {
      const searchFilter =
        '(&(|(uid={{username}})(mail={{username}}))(!(sn=Lef\\c3\\a8vre*))(objectClass=*))';
      ldap.settings = ldap.server.settings({ searchFilter });
      const { password } = people.alice;
      expect(await patient.authenticate({ login: 'alice@example.org', password })).to.include({
        login: 'alice',
      });
      expect(await refusal(signIn(people.renee))).to.equal(incorrect);
    });

    it('works with names of attributes in any letter case, and without a default language', async () => {
      ldap.settings = ldap.server.settings({
        properties: { login: 'UID', email: 'Mail', firstname: 'givenname', lastname: 'SN' },
        defaultLang: undefined,
      });
      expect(await signIn(people.alice)).to.deep.equal({
        login: 'alice',
        email: 'alice@example.org',
        firstname: 'Alice',
        lastname: 'Liddell',
        identity: { method: 'ldap', issuer: '', subject: 'alice' },
        attributes: {},
      });
    });

    it('does not change the settings, and works with frozen ones', async () => {
      const before = ldap.server.settings({ searchAttributes: ['uid', 'mail'] });
      ldap.settings = frozen(structuredClone(before));
      expect(await signIn(people.alice)).to.include({ login: 'alice', firstname: '' });
      expect(ldap.settings).to.deep.equal(before);
    });
  });

  describe('a refusal', () => {
    it('is the same for a wrong password and an unknown login, and takes at least the same time', async () => {
      const timed = async (login: string): Promise<[ErrorKey, number]> => {
        const start = performance.now();
        const key = await refusal(patient.authenticate({ login, password: 'guess' }));
        return [key, performance.now() - start];
      };
      const [wrong, wrongTime] = await timed('alice');
      const [unknown, unknownTime] = await timed('mallory');
      expect([wrong, unknown]).to.deep.equal([incorrect, incorrect]);
      // Both refusals wait for half a second, so that the milliseconds of a bind reveal nothing. Node's timers may end
      // some milliseconds early.
      expect(Math.min(wrongTime, unknownTime)).to.be.at.least(490);
    });

    it('comes without a request to the directory when the password or the login is empty', async () => {
      const asked = ldap.server.connections();
      const nothing: unknown[] = ['', undefined, null, 0, {}, []];
      for (const password of nothing as string[]) {
        expect(await refusal(patient.authenticate({ login: 'alice', password }))).to.equal(incorrect);
        expect(await patient.checkPassword('alice', password)).to.equal(false);
      }
      for (const login of [...nothing, '  '] as string[]) {
        expect(await refusal(patient.authenticate({ login, password: 'x' }))).to.equal(incorrect);
      }
      await ldap.server.quiet();
      expect(ldap.server.connections()).to.equal(asked);
    });

    it('is given to logins that contain parts of a search filter', async () => {
      const tricks = [
        'ali*',
        '*',
        'alice)(uid=*',
        '*)(|(uid=*',
        "$'",
        '$`',
        '$&',
        '{{username}}',
        '\\61lice',
        'alice\u0000',
        '\ud800',
      ];
      const { password } = people.alice;
      const keys = await Promise.all(
        tricks.map((login) => refusal(patient.authenticate({ login, password }))),
      );
      expect(new Set(keys)).to.deep.equal(new Set([incorrect]));
      expect(ldap.lines).to.deep.equal([]);
    });

    it('is given to a person with the password of another whose login is the escaped form of theirs', async () => {
      const { password } = people.star;
      expect(await refusal(patient.authenticate({ login: people.backslash.uid, password }))).to.equal(
        incorrect,
      );
    });

    it('is given to people who have no password in the directory', async () => {
      expect(await refusal(signIn(people.erin))).to.equal(incorrect);
    });

    it('is given for a login that finds two people, and the log says so', async () => {
      ldap.settings = ldap.server.settings({ searchFilter: '(mail={{username}})' });
      const attempt = patient.authenticate({ login: 'twins@example.org', password: 'same' });
      expect(await refusal(attempt)).to.equal(incorrect);
      expect(ldap.lines[0]?.message).to.match(/matched several people/);
    });

    it('names a missing or invalid address as the reason', async () => {
      expect(await refusal(signIn(people.carol))).to.equal(noMail);
      expect(await refusal(signIn(people.dave))).to.equal(noMail);
      expect(ldap.lines[0]?.facts).to.deep.equal({ login: 'carol', reason: noMail });
    });

    it('is given to everybody while the login attribute is missing, so that two people never share an account', async () => {
      ldap.settings = ldap.server.settings({ properties: { login: 'employeeNumber', email: 'mail' } });
      expect(await refusal(signIn(people.alice))).to.equal(invalid);
    });

    it('never writes a password to the log', async () => {
      ldap.settings = ldap.server.settings({ bindCredentials: 'secret of the service' });
      await refusal(patient.authenticate({ login: 'alice', password: 'secret of alice' }));
      expect(JSON.stringify(ldap.lines)).not.to.contain('secret of');
    });
  });

  describe('connections', () => {
    it('are all closed after a sign-in, a refusal and a failure', async () => {
      await signIn(people.alice);
      await refusal(signIn({ ...people.alice, password: 'wrong' }));
      await refusal(signIn(people.carol));
      await refusal(signIn(people.oddCode));
      ldap.settings = ldap.server.settings({ searchBase: 'dc=nowhere' });
      await refusal(signIn(people.alice));
      await ldap.server.quiet();
    });
  });

  describe('checking the password of somebody who is signed in', () => {
    it('says yes to the right one and no to any other', async () => {
      const { uid, password } = people.renee;
      expect(await patient.checkPassword(uid, password)).to.equal(true);
      expect(await patient.checkPassword(uid, `${password} `)).to.equal(false);
      expect(await patient.checkPassword(uid, people.alice.password)).to.equal(false);
      expect(await patient.checkPassword('mallory', password)).to.equal(false);
      expect(await patient.checkPassword('ALICE', people.alice.password)).to.equal(true);
    });

    it('finds them by their username, also if people sign in with something else', async () => {
      ldap.settings = ldap.server.settings({ searchFilter: 'mail={{username}}' });
      for (const { uid, password } of [people.renee, people.special])
        expect(await patient.checkPassword(uid, password), uid).to.equal(true);
      expect(await patient.checkPassword('alice', people.bob.password)).to.equal(false);
      expect(await patient.checkPassword('*', people.bob.password)).to.equal(false);
      ldap.settings = ldap.server.settings({ searchFilter: '(&(mail={{username}})(sn=Liddell))' });
      expect(await patient.checkPassword('alice', people.alice.password)).to.equal(true);
      expect(await patient.checkPassword('bob', people.bob.password), 'who may not sign in').to.equal(false);
    });

    it('does not accept another person whom the filter finds', async () => {
      ldap.settings = ldap.server.settings({ searchFilter: '(|(uid={{username}})(mail={{username}}))' });
      expect(await patient.checkPassword('bob@example.org', people.bob.password)).to.equal(false);
    });
  });
});
