import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { createLdapSignIn, testBind } from '../../model/signin/ldap';
import { startBrokenServer, startProxy } from '../support/brokenServer';
import { type LdapPerson, type LdapServer, people, startLdapServer } from '../support/ldapServer';

interface LogLine {
  message: string;
  facts: Record<string, unknown> | undefined;
}

function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

describe('Sign-in with LDAP', () => {
  let server: LdapServer;
  let settings: unknown;
  let lines: LogLine[];

  const note = (message: string, facts?: Record<string, unknown>): void => {
    lines.push({ message, facts });
  };
  const log = { debug: note, info: note, warn: note, error: note };
  const ldap = createLdapSignIn({ settings: () => settings, log });
  // Each conversation begins with a process, which takes its time on a busy machine.
  const patient = createLdapSignIn({ settings: () => settings, log, timeLimit: 40_000 });
  const hasty = createLdapSignIn({ settings: () => settings, log, timeLimit: 1_500 });

  before(async () => {
    server = await startLdapServer();
  });
  after(() => server.stop());
  beforeEach(() => {
    settings = server.settings();
    lines = [];
  });

  const signIn = ({ uid, password = 'no password' }: LdapPerson, method = patient) =>
    method.authenticate({ login: uid, password });

  async function refusal(attempt: Promise<unknown>): Promise<ErrorKey> {
    try {
      await attempt;
    } catch (error) {
      if (error instanceof MyPadsError) return error.key;
      throw error;
    }
    throw new Error('it was not refused');
  }

  const incorrect = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
  const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';
  const noMail = 'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL';
  const invalid = 'BACKEND.ERROR.TYPE.USER_INVALID';
  const unableToBind = 'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP';

  describe('the right password', () => {
    it('brings in the person with the name and address that the directory says', async () => {
      expect(await signIn(people.alice)).to.deep.equal({
        login: 'alice',
        email: 'alice@example.org',
        firstname: 'Alice',
        lastname: 'Liddell',
        lang: 'fr',
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

    it('works for logins made of the characters that mean something to LDAP', async () => {
      expect(await signIn(people.special)).to.include({ login: people.special.uid });
      expect(await signIn(people.star)).to.include({ login: '*', email: 'star@example.org' });
      expect(await signIn(people.backslash)).to.include({ login: '\\2a', email: 'backslash@example.org' });
    });

    it('takes the first of several addresses and names', async () => {
      expect(await signIn(people.bob)).to.include({ email: 'bob@example.org', firstname: 'Bob' });
    });

    it('gives the login as the directory writes it, whatever letter case was typed', async () => {
      const { password } = people.alice;
      expect(await patient.authenticate({ login: ' ALICE ', password })).to.include({ login: 'alice' });
    });

    it('shortens endless names', async () => {
      expect((await signIn(people.wordy)).firstname).to.equal('x'.repeat(100));
    });

    it('works with a filter that also finds addresses, and one of several conditions', async () => {
      const searchFilter =
        '(&(|(uid={{username}})(mail={{username}}))(!(sn=Lef\\c3\\a8vre*))(objectClass=*))';
      settings = server.settings({ searchFilter });
      const { password } = people.alice;
      expect(await patient.authenticate({ login: 'alice@example.org', password })).to.include({
        login: 'alice',
      });
      expect(await refusal(signIn(people.renee))).to.equal(incorrect);
    });

    it('works with names of attributes in any letter case, and without a default language', async () => {
      settings = server.settings({
        properties: { login: 'UID', email: 'Mail', firstname: 'givenname', lastname: 'SN' },
        defaultLang: undefined,
      });
      expect(await signIn(people.alice)).to.deep.equal({
        login: 'alice',
        email: 'alice@example.org',
        firstname: 'Alice',
        lastname: 'Liddell',
      });
    });

    it('leaves the settings as they are, even when nobody may change them', async () => {
      const before = server.settings({ searchAttributes: ['uid', 'mail'] });
      settings = frozen(structuredClone(before));
      expect(await signIn(people.alice)).to.include({ login: 'alice', firstname: '' });
      expect(settings).to.deep.equal(before);
    });

    it('works for many people at once', async () => {
      const profiles = await Promise.all(Array.from({ length: 10 }, () => signIn(people.alice)));
      expect(profiles.filter(({ login }) => login === 'alice')).to.have.length(10);
    });
  });

  describe('a refusal', () => {
    it('is the same for a wrong password and for an unknown login, and never so fast that it tells them apart', async () => {
      const timed = async (login: string): Promise<[ErrorKey, number]> => {
        const start = performance.now();
        const key = await refusal(patient.authenticate({ login, password: 'guess' }));
        return [key, performance.now() - start];
      };
      const [wrong, wrongTime] = await timed('alice');
      const [unknown, unknownTime] = await timed('mallory');
      expect([wrong, unknown]).to.deep.equal([incorrect, incorrect]);
      // A bind that is tried takes some milliseconds, so does one that is not: both wait until this time.
      expect(Math.min(wrongTime, unknownTime)).to.be.at.least(499);
    });

    it('comes before anything is asked when the password or the login is empty', async () => {
      const asked = server.connections();
      const nothing: unknown[] = ['', undefined, null, 0, {}, []];
      for (const password of nothing as string[]) {
        expect(await refusal(patient.authenticate({ login: 'alice', password }))).to.equal(incorrect);
        expect(await patient.checkPassword('alice', password)).to.equal(false);
      }
      for (const login of [...nothing, '  '] as string[]) {
        expect(await refusal(patient.authenticate({ login, password: 'x' }))).to.equal(incorrect);
      }
      await server.quiet();
      expect(server.connections()).to.equal(asked);
    });

    it('meets whoever tries to write their own search', async () => {
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
      expect(lines).to.deep.equal([]);
    });

    it('meets one person with the password of another whose name looks alike when escaped', async () => {
      const { password } = people.star;
      expect(await refusal(patient.authenticate({ login: people.backslash.uid, password }))).to.equal(
        incorrect,
      );
    });

    it('is what Active Directory means by "data 52e" and "data 525"', async () => {
      expect(await refusal(signIn(people.adWrongPassword))).to.equal(incorrect);
      expect(await refusal(signIn(people.adUnknown))).to.equal(incorrect);
    });

    it('meets people who have no password in the directory', async () => {
      expect(await refusal(signIn(people.erin))).to.equal(incorrect);
    });

    it('meets a name that finds two people, and the log tells the operator', async () => {
      settings = server.settings({ searchFilter: '(mail={{username}})' });
      const attempt = patient.authenticate({ login: 'twins@example.org', password: 'same' });
      expect(await refusal(attempt)).to.equal(incorrect);
      expect(lines[0]?.message).to.match(/matched several people/);
    });

    it('says what is missing: no address, or none that is one', async () => {
      expect(await refusal(signIn(people.carol))).to.equal(noMail);
      expect(await refusal(signIn(people.dave))).to.equal(noMail);
      expect(lines[0]?.facts).to.deep.equal({ login: 'carol', reason: noMail });
    });

    it('meets everybody while the login attribute is missing, so that two people never share an account', async () => {
      settings = server.settings({ properties: { login: 'employeeNumber', email: 'mail' } });
      expect(await refusal(signIn(people.alice))).to.equal(invalid);
    });

    it('never writes a password to the log', async () => {
      settings = server.settings({ bindCredentials: 'secret of the service' });
      await refusal(patient.authenticate({ login: 'alice', password: 'secret of alice' }));
      expect(JSON.stringify(lines)).not.to.contain('secret of');
    });
  });

  describe('connections', () => {
    it('are all closed after a sign-in, a refusal and a failure', async () => {
      await signIn(people.alice);
      await refusal(signIn({ ...people.alice, password: 'wrong' }));
      await refusal(signIn(people.carol));
      await refusal(signIn(people.oddCode));
      settings = server.settings({ searchBase: 'dc=nowhere' });
      await refusal(signIn(people.alice));
      await server.quiet();
    });
  });

  describe('encryption', () => {
    const trusted = () => ({ tlsOptions: { ca: [server.certificate] } });
    for (const [name, secure] of [
      ['ldaps://', () => ({ url: server.secureUrl })],
      ['StartTLS', () => ({ starttls: true })],
    ] as const) {
      it(`${name} refuses a certificate that nobody vouches for, and hands over no password`, async () => {
        settings = server.settings(secure());
        expect(await refusal(signIn(people.alice))).to.equal(unavailable);
        expect(lines[0]?.facts?.reason).to.match(/self-signed certificate/);
      });

      it(`${name} accepts a certificate that the settings name`, async () => {
        settings = server.settings({ ...secure(), ...trusted() });
        expect(await signIn(people.alice)).to.include({ login: 'alice' });
      });

      it(`${name} accepts any certificate when the settings say so`, async () => {
        settings = server.settings({ ...secure(), tlsOptions: { rejectUnauthorized: false } });
        expect(await signIn(people.alice)).to.include({ login: 'alice' });
      });

      it(`${name} holds the certificate against the name of the server`, async () => {
        const tlsOptions = { ca: [server.certificate], servername: 'ldap.example.org' };
        settings = server.settings({ ...secure(), tlsOptions });
        expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      });
    }
  });

  describe('StartTLS', () => {
    const secrets = ['service secret', people.alice.password];

    it('lets nobody on the way overhear a password', async () => {
      const { hostname, port } = new URL(server.url);
      const heard: Buffer[] = [];
      const overhear = (part: Buffer): Buffer => {
        heard.push(part);
        return part;
      };
      const proxy = await startProxy({ host: hostname, port: Number(port) }, { question: overhear });
      const url = `ldap://127.0.0.1:${proxy.port}`;
      settings = server.settings({ url });
      await signIn(people.alice);
      const inTheClear = Buffer.concat(heard.splice(0)).toString('latin1');
      expect(secrets.every((secret) => inTheClear.includes(secret))).to.equal(true);
      settings = server.settings({ url, starttls: true, tlsOptions: { ca: server.certificate } });
      await signIn(people.alice);
      const encrypted = Buffer.concat(heard).toString('latin1');
      expect(encrypted.length).to.be.above(500);
      expect(secrets.some((secret) => encrypted.includes(secret))).to.equal(false);
      await proxy.stop();
    });

    it('gives no password to a server that refuses to encrypt', async () => {
      const heard: Buffer[] = [];
      const refusing = await startBrokenServer((socket) => {
        socket.on('data', (part) => {
          heard.push(part);
          // Extended response to message 1: protocol error.
          socket.write(Buffer.from('300c02010178070a010204000400', 'hex'));
        });
      });
      settings = server.settings({ url: `ldap://127.0.0.1:${refusing.port}`, starttls: true });
      expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      const all = Buffer.concat(heard).toString('latin1');
      expect(all).not.to.equal('');
      expect(secrets.some((secret) => all.includes(secret))).to.equal(false);
      await refusing.stop();
    });
  });

  describe('a directory that cannot be used', () => {
    it('is noticed at once when it is down', async () => {
      const nobody = await startBrokenServer(() => undefined);
      await nobody.stop();
      settings = server.settings({ url: `ldap://127.0.0.1:${nobody.port}` });
      expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      expect(lines[0]?.facts?.reason).to.contain('ECONNREFUSED');
    });

    it('is given up after five seconds when it stands still, by everybody who waits', async () => {
      await server.freeze();
      try {
        const start = performance.now();
        const keys = await Promise.all(Array.from({ length: 12 }, () => refusal(signIn(people.alice, ldap))));
        expect(performance.now() - start).to.be.within(4_500, 15_000);
        expect(new Set(keys)).to.deep.equal(new Set([unavailable]));
      } finally {
        server.thaw();
      }
      expect(await signIn(people.alice)).to.include({ login: 'alice' });
      await server.quiet();
    }).timeout(60_000);

    it('sends away whom it could not serve in time anyway', async () => {
      await server.freeze();
      try {
        const keys = await Promise.all(
          Array.from({ length: 130 }, () => refusal(signIn(people.alice, hasty))),
        );
        expect(keys.filter((key) => key === 'BACKEND.ERROR.SERVER.BUSY')).to.have.length(26);
        expect(keys.filter((key) => key === unavailable)).to.have.length(104);
      } finally {
        server.thaw();
      }
    }).timeout(60_000);

    it('is no question of the password when the service account is refused', async () => {
      settings = server.settings({ bindCredentials: 'outdated' });
      expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      expect(lines[0]?.facts?.reason).to.match(/^bindDN was refused/);
    });

    it('is said to be unavailable when it is busy, hangs up or uses a code that does not exist', async () => {
      for (const person of [people.busy, people.hangUp, people.oddCode]) {
        expect(await refusal(signIn(person))).to.equal(unavailable);
      }
    });

    const mistakes: [string, unknown][] = [
      ['no settings', undefined],
      ['a text', 'ldap://127.0.0.1'],
      ['no url', { url: undefined }],
      ['an url of something else', { url: 'https://127.0.0.1' }],
      ['an impossible port', { url: 'ldap://127.0.0.1:99999' }],
      ['a filter without {{username}}', { searchFilter: '(uid=alice)' }],
      ['a filter that is none', { searchFilter: '((uid={{username}})' }],
      ['a base that is none', { searchBase: 'somewhere' }],
      ['a base that does not exist', { searchBase: 'dc=example,dc=net' }],
      ['a scope that does not exist', { searchScope: 'everything' }],
      ['a property to bind with that nobody has', { bindProperty: 'description' }],
      ['a certificate that is none', { starttls: true, tlsOptions: { ca: 'certificate' } }],
      [
        'options of the wrong type',
        { starttls: 'yes', tlsOptions: { minVersion: 7, checkServerIdentity: 1 } },
      ],
      ['a name that does not resolve', { url: 'ldap://directory.invalid' }],
    ];
    for (const [what, change] of mistakes) {
      it(`stops nobody but the person who signs in, and the settings form tells: ${what}`, async () => {
        settings = typeof change === 'object' ? server.settings({ ...change }) : change;
        expect(await refusal(signIn(people.alice))).to.equal(unavailable);
        expect(lines[0]?.facts?.reason).to.be.a('string');
        expect(lines[0]?.facts?.reason).not.to.equal('');
        if (what !== 'a property to bind with that nobody has') {
          expect(await refusal(testBind(settings))).to.equal(unableToBind);
        }
      });
    }
  });

  describe('a directory with invalid answers', () => {
    // Message 2, somebody found: uid=alice,ou=users,dc=example,dc=org with two addresses and a uid.
    const found = Buffer.from(
      '3059020102645404247569643d616c6963652c6f753d75736572732c64633d6578616d706c652c64633d6f7267302c301a04046d61696c311204076140622e6f726704076340642e6f7267300e040375696431070405616c696365',
      'hex',
    );
    const changed = (at: number, byte: number): Buffer => {
      const answer = Buffer.from(found);
      answer.writeUInt8(byte, at);
      return answer;
    };
    const bound = Buffer.from('300c02010161070a010004000400', 'hex');
    const nonsense: [string, (socket: import('node:net').Socket) => void][] = [
      ['a web page', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n<html></html>')],
      ['nothing, and hangs up', (socket) => socket.end()],
      ['nothing, and breaks off', (socket) => socket.resetAndDestroy()],
      ['nothing, and stays', (socket) => socket.resume()],
      ['half a message', (socket) => socket.once('data', () => socket.write(bound.subarray(0, 6)))],
      ['random bytes', (socket) => socket.write(Buffer.from('84ff0030800201ff30ff61', 'hex'))],
      ['the same for ever', (socket) => flood(socket, Buffer.alloc(64 * 1024, 0x30))],
      ['messages without end', (socket) => flood(socket, Buffer.concat(Array(5_000).fill(bound)))],
      [
        'a message of four gigabytes',
        (socket) => flood(socket, Buffer.concat([Buffer.from('3084ffffffff', 'hex'), Buffer.alloc(64_000)])),
      ],
      [
        'a list whose length is wrong by one byte, over which the LDAP client never finishes',
        (socket) => {
          socket.once('data', () => {
            socket.write(bound);
            socket.once('data', () => socket.write(changed(found.indexOf('c@d.org') - 1, 0x84)));
          });
        },
      ],
      [
        'a code that does not exist',
        (socket) =>
          socket.once('data', () => socket.write(Buffer.from('300c02010161070a017f04000400', 'hex'))),
      ],
      ['a person to whoever binds', (socket) => socket.once('data', () => socket.write(changed(4, 1)))],
    ];

    function flood(socket: import('node:net').Socket, block: Buffer): void {
      const more = (): void => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on('drain', more);
      more();
    }

    for (const [what, behave] of nonsense) {
      it(`costs one sign-in and nobody else's time: ${what}`, async () => {
        const strange = await startBrokenServer(behave);
        const delay = monitorEventLoopDelay({ resolution: 10 });
        for (const scheme of ['ldap', 'ldaps']) {
          settings = server.settings({ url: `${scheme}://127.0.0.1:${strange.port}` });
          const start = performance.now();
          if (!what.includes('for ever') && !what.includes('end') && !what.includes('giga')) delay.enable();
          expect(await refusal(signIn(people.alice, hasty))).to.equal(unavailable);
          delay.disable();
          expect(performance.now() - start).to.be.below(15_000);
        }
        expect(delay.max / 1e6 || 0).to.be.below(3_000);
        await strange.stop();
      });
    }

    it('never lets anybody in, and never ends the server, whichever byte of an answer is spoiled', async () => {
      const { hostname, port } = new URL(server.url);
      let place = 0;
      const outcomes: string[] = [];
      const spoil = (answer: Buffer): Buffer => {
        // The answers are some two hundred bytes; each sign-in sees another one wrong.
        const spoiled = Buffer.from(answer);
        place += 1;
        const at = (place * 37) % spoiled.length;
        spoiled.writeUInt8(spoiled.readUInt8(at) ^ (1 << (place % 8)), at);
        return spoiled;
      };
      const proxy = await startProxy({ host: hostname, port: Number(port) }, { answer: spoil });
      settings = server.settings({ url: `ldap://127.0.0.1:${proxy.port}` });
      const wrong = { ...people.alice, password: 'wrong' };
      await Promise.all(
        Array.from({ length: 24 }, async () => {
          outcomes.push(
            await refusal(
              signIn(wrong, createLdapSignIn({ settings: () => settings, log, timeLimit: 1_500 })),
            ),
          );
        }),
      );
      await proxy.stop();
      expect(outcomes).to.have.length(24);
      expect(outcomes.every((key) => [unavailable, incorrect].includes(key))).to.equal(true);
      await server.quiet();
    }).timeout(60_000);
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

    it('is not content with somebody else whom the filter finds', async () => {
      settings = server.settings({ searchFilter: '(|(uid={{username}})(mail={{username}}))' });
      expect(await patient.checkPassword('bob@example.org', people.bob.password)).to.equal(false);
    });

    it('says when the directory cannot be asked', async () => {
      settings = server.settings({ bindCredentials: 'outdated' });
      expect(await refusal(patient.checkPassword('alice', 'x'))).to.equal(unavailable);
    });
  });

  describe('the test in the settings form', () => {
    async function reason(value: unknown, timeLimit?: number): Promise<unknown> {
      try {
        await testBind(value, timeLimit);
      } catch (error) {
        if (error instanceof MyPadsError && error.key === unableToBind) return error.details.reason;
        throw error;
      }
      return undefined;
    }

    it('is content with settings that work, and leaves no connection', async () => {
      expect(await reason(frozen(server.settings()))).to.equal(undefined);
      await server.quiet();
    });

    it('says in words what is wrong', async () => {
      expect(await reason(server.settings({ bindCredentials: 'x' }))).to.match(
        /bindDN was refused.*Invalid Credentials/,
      );
      expect(await reason(server.settings({ url: server.secureUrl }))).to.match(/self-signed/);
      expect(await reason(server.settings({ url: 'ldap://127.0.0.1:1' }))).to.match(/ECONNREFUSED/);
      expect(await reason(server.settings({ searchFilter: '(uid=alice)' }))).to.match(/\{\{username\}\}/);
      expect(await reason({})).to.match(/url/);
    });

    it('is not content with a filter that finds people for any login', async () => {
      const searchFilter = '(|(uid={{username}})(objectClass=inetOrgPerson))';
      expect(await reason(server.settings({ searchFilter }))).to.match(/finds people whatever/);
      const one = '(|(uid={{username}})(uid=alice))';
      expect(await reason(server.settings({ searchFilter: one }))).to.match(/finds people whatever/);
    });

    it('gives up when the directory stands still (A10)', async () => {
      await server.freeze();
      try {
        expect(await reason(server.settings(), 1_000)).to.equal('no answer in time');
      } finally {
        server.thaw();
      }
    });
  });
});
