import { expect } from 'chai';
import { testBind } from '../../model/signin/ldap';
import { startBrokenServer, startProxy } from '../support/brokenServer';
import { refusal } from '../support/errorKeys';
import { people } from '../support/ldapServer';
import { incorrect, unableToBind, unavailable, useLdap } from '../support/ldapSignIn';

describe('an LDAP server that fails', () => {
  const ldap = useLdap();
  const { withShortTimeLimit, signIn } = ldap;

  describe('a directory that cannot be used', () => {
    it('is noticed at once when it is down', async () => {
      const nobody = await startBrokenServer(() => undefined);
      await nobody.stop();
      ldap.settings = ldap.server.settings({ url: `ldap://127.0.0.1:${nobody.port}` });
      expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      expect(ldap.lines[0]?.facts?.reason).to.contain('ECONNREFUSED');
    });

    it('is not waited for without end when it hangs, by any caller', async () => {
      const method = ldap.create();
      await ldap.server.freeze();
      try {
        const keys = await Promise.all(
          Array.from({ length: 12 }, () => refusal(signIn(people.alice, method))),
        );
        expect(new Set(keys)).to.deep.equal(new Set([unavailable]));
      } finally {
        ldap.server.thaw();
      }
      expect(await signIn(people.alice)).to.include({ login: 'alice' });
      await ldap.server.quiet();
    });

    it('is not waited for by callers who could not be served in time', async () => {
      await ldap.server.freeze();
      try {
        const keys = await Promise.all(
          Array.from({ length: 130 }, () => refusal(signIn(people.alice, withShortTimeLimit))),
        );
        expect(keys.filter((key) => key === 'BACKEND.ERROR.SERVER.BUSY')).to.have.length(26);
        expect(keys.filter((key) => key === unavailable)).to.have.length(104);
      } finally {
        ldap.server.thaw();
      }
    });

    it('is reported as unavailable, not as a wrong password, when the service account is refused', async () => {
      ldap.settings = ldap.server.settings({ bindCredentials: 'outdated' });
      expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      expect(ldap.lines[0]?.facts?.reason).to.match(/^bindDN was refused/);
    });

    it('is reported as unavailable when it is busy, disconnects or sends an unknown code', async () => {
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
      it(`fails only the sign-in, and the settings form reports the reason: ${what}`, async () => {
        ldap.settings = typeof change === 'object' ? ldap.server.settings({ ...change }) : change;
        expect(await refusal(signIn(people.alice))).to.equal(unavailable);
        expect(ldap.lines[0]?.facts?.reason).to.be.a('string');
        expect(ldap.lines[0]?.facts?.reason).not.to.equal('');
        if (what !== 'a property to bind with that nobody has') {
          expect(await refusal(testBind(ldap.settings))).to.equal(unableToBind);
        }
      });
    }
  });

  describe('a directory with invalid answers', () => {
    // Message 2, a search result: uid=alice,ou=users,dc=example,dc=org with two addresses and a uid.
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
      it(`fails one sign-in and delays nobody else: ${what}`, async () => {
        const strange = await startBrokenServer(behave);
        for (const scheme of ['ldap', 'ldaps']) {
          ldap.settings = ldap.server.settings({ url: `${scheme}://127.0.0.1:${strange.port}` });
          const before = process.cpuUsage();
          expect(await refusal(signIn(people.alice, withShortTimeLimit))).to.equal(unavailable);
          const { user } = process.cpuUsage(before);
          // Processor time, which does not depend on what else the machine does. Sending without end needs more.
          if (!/for ever|end|giga/.test(what)) expect(user / 1000, scheme).to.be.below(3_000);
        }
        await strange.stop();
      });
    }

    it('never signs anybody in, and never ends the server, whichever byte of an answer is changed', async () => {
      const { hostname, port } = new URL(ldap.server.url);
      let place = 0;
      const outcomes: string[] = [];
      const spoil = (answer: Buffer): Buffer => {
        // Each sign-in gets an answer with another wrong byte. An answer has about two hundred bytes.
        const spoiled = Buffer.from(answer);
        place += 1;
        const at = (place * 37) % spoiled.length;
        spoiled.writeUInt8(spoiled.readUInt8(at) ^ (1 << (place % 8)), at);
        return spoiled;
      };
      const proxy = await startProxy({ host: hostname, port: Number(port) }, { answer: spoil });
      ldap.settings = ldap.server.settings({ url: `ldap://127.0.0.1:${proxy.port}` });
      const wrong = { ...people.alice, password: 'wrong' };
      await Promise.all(
        Array.from({ length: 24 }, async () => {
          outcomes.push(await refusal(signIn(wrong, ldap.create(1_500))));
        }),
      );
      await proxy.stop();
      expect(outcomes).to.have.length(24);
      expect(outcomes.every((key) => [unavailable, incorrect].includes(key))).to.equal(true);
      await ldap.server.quiet();
    });
  });
});
