import { expect } from 'chai';
import { startBrokenServer, startProxy } from '../support/brokenServer';
import { refusal } from '../support/errorKeys';
import { people } from '../support/ldapServer';
import { unavailable, useLdap } from '../support/ldapSignIn';

describe('encrypted connections to an LDAP server', () => {
  const ldap = useLdap();
  const { signIn } = ldap;

  describe('encryption', () => {
    const trusted = () => ({ tlsOptions: { ca: [ldap.server.certificate] } });
    for (const [name, secure] of [
      ['ldaps://', () => ({ url: ldap.server.secureUrl })],
      ['StartTLS', () => ({ starttls: true })],
    ] as const) {
      it(`${name} refuses a self-signed certificate, and sends no password`, async () => {
        ldap.settings = ldap.server.settings(secure());
        expect(await refusal(signIn(people.alice))).to.equal(unavailable);
        expect(ldap.lines[0]?.facts?.reason).to.match(/self-signed certificate/);
      });

      it(`${name} accepts a certificate that the settings contain`, async () => {
        ldap.settings = ldap.server.settings({ ...secure(), ...trusted() });
        expect(await signIn(people.alice)).to.include({ login: 'alice' });
      });

      it(`${name} accepts any certificate when the settings say so`, async () => {
        ldap.settings = ldap.server.settings({ ...secure(), tlsOptions: { rejectUnauthorized: false } });
        expect(await signIn(people.alice)).to.include({ login: 'alice' });
      });

      it(`${name} compares the certificate with the name of the server`, async () => {
        const tlsOptions = { ca: [ldap.server.certificate], servername: 'ldap.example.org' };
        ldap.settings = ldap.server.settings({ ...secure(), tlsOptions });
        expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      });
    }
  });

  describe('StartTLS', () => {
    const secrets = ['service secret', people.alice.password];

    it('sends no password unencrypted', async () => {
      const { hostname, port } = new URL(ldap.server.url);
      const heard: Buffer[] = [];
      const overhear = (part: Buffer): Buffer => {
        heard.push(part);
        return part;
      };
      const proxy = await startProxy({ host: hostname, port: Number(port) }, { question: overhear });
      const url = `ldap://127.0.0.1:${proxy.port}`;
      ldap.settings = ldap.server.settings({ url });
      await signIn(people.alice);
      const inTheClear = Buffer.concat(heard.splice(0)).toString('latin1');
      expect(secrets.every((secret) => inTheClear.includes(secret))).to.equal(true);
      ldap.settings = ldap.server.settings({
        url,
        starttls: true,
        tlsOptions: { ca: ldap.server.certificate },
      });
      await signIn(people.alice);
      const encrypted = Buffer.concat(heard).toString('latin1');
      expect(encrypted.length).to.be.above(500);
      expect(secrets.some((secret) => encrypted.includes(secret))).to.equal(false);
      await proxy.stop();
    });

    it('sends no password to a server that refuses encryption', async () => {
      const heard: Buffer[] = [];
      const refusing = await startBrokenServer((socket) => {
        socket.on('data', (part) => {
          heard.push(part);
          // Extended response to message 1: protocol error.
          socket.write(Buffer.from('300c02010178070a010204000400', 'hex'));
        });
      });
      ldap.settings = ldap.server.settings({ url: `ldap://127.0.0.1:${refusing.port}`, starttls: true });
      expect(await refusal(signIn(people.alice))).to.equal(unavailable);
      const all = Buffer.concat(heard).toString('latin1');
      expect(all).not.to.equal('');
      expect(secrets.some((secret) => all.includes(secret))).to.equal(false);
      await refusing.stop();
    });
  });
});
