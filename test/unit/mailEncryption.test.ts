import { expect } from 'chai';
import { createCertificate } from '../support/certificate';
import { errorOf } from '../support/errorKeys';
import { testMessage, unavailable, useMailer } from '../support/mailer';

describe('encrypted connections to a mail server', () => {
  const { mailerFor, start } = useMailer();

  it('TLS from the start (SMTPSSL) encrypts the mail', async () => {
    const server = await start({ encryption: 'tls' });
    const trust = { certificateAuthorities: [server.certificate.cert] };
    await mailerFor(server.port, { SMTPSSL: true, SMTPTLS: true }, trust).mailer.send(testMessage);
    expect((await server.next()).secure).to.equal(true);
  });

  it('STARTTLS (SMTPTLS, the default) encrypts name, password and mail', async () => {
    const auth = { user: 'pads', pass: 'geheim' };
    const server = await start({ encryption: 'starttls', auth });
    const trust = { certificateAuthorities: [server.certificate.cert] };
    const more = { SMTPTLS: undefined, SMTPUser: auth.user, SMTPPass: auth.pass };
    await mailerFor(server.port, more, trust).mailer.send(testMessage);
    const arrived = await server.next();
    expect(arrived.secure).to.equal(true);
    expect(arrived.user).to.equal('pads');
  });

  it('a server without STARTTLS gets neither the password nor the mail in plain text', async () => {
    const server = await start({ auth: { user: 'pads', pass: 'geheim' } });
    const { mailer } = mailerFor(server.port, { SMTPTLS: true, SMTPUser: 'pads', SMTPPass: 'geheim' });
    expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
    expect(server.received).to.deep.equal([]);
  });

  for (const [encryption, SMTPSSL] of [
    ['tls', true],
    ['starttls', false],
  ] as const) {
    it(`a self-signed certificate is refused (${encryption}), and the log says so`, async () => {
      const server = await start({ encryption });
      const { mailer, log } = mailerFor(server.port, { SMTPSSL, SMTPTLS: true });
      expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
      expect(server.received).to.deep.equal([]);
      expect(log()).to.match(/certificate/);
    });
  }

  it('a certificate of another host is refused', async () => {
    const certificate = createCertificate('mail.example.org');
    const server = await start({ encryption: 'tls', certificate });
    const trust = { certificateAuthorities: [certificate.cert] };
    const { mailer, log } = mailerFor(server.port, { SMTPSSL: true }, trust);
    expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
    expect(server.received).to.deep.equal([]);
    expect(log()).to.match(/certificate's (list|altnames)/);
  });

  it('a certificate of another authority is refused', async () => {
    const server = await start({ encryption: 'tls' });
    const trust = { certificateAuthorities: [createCertificate().cert] };
    const { mailer } = mailerFor(server.port, { SMTPSSL: true }, trust);
    expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
    expect(server.received).to.deep.equal([]);
  });

  it('with both settings off the mail is sent unencrypted, even if the server offers STARTTLS with a self-signed certificate', async () => {
    const server = await start({ encryption: 'starttls' });
    await mailerFor(server.port).mailer.send(testMessage);
    expect((await server.next()).secure).to.equal(false);
  });
});
