import { expect } from 'chai';
import { checkTogether } from '../support/cases';
import { errorOf } from '../support/errorKeys';
import { soon, testMessage, unavailable, useMailer } from '../support/mailer';
import {
  closedPort,
  smtpFailures,
  smtpStages,
  startBadSmtpServer,
  startFailingSmtpServer,
} from '../support/smtpServer';
import { until } from '../support/waiting';

describe('a mail server that fails', () => {
  const { closeLater, mailerFor, start } = useMailer();

  describe('a mail server that fails', () => {
    it('does not run: a clear error, at once', async () => {
      const { mailer, log } = mailerFor(await closedPort());
      expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
      expect(log()).to.include('ECONNREFUSED');
    });

    it('has a name that does not exist: a clear error', async () => {
      const { mailer } = mailerFor(25, { SMTPHost: 'mail.invalid' });
      expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
    });

    it('sends a greeting that never ends: a clear error in time, and the next mail is sent', async () => {
      const bad = await startBadSmtpServer('drips');
      closeLater(bad);
      const good = await start();
      const { mailer, settings } = mailerFor(bad.port, {}, soon);
      expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
      settings.SMTPPort = good.port;
      await mailer.send(testMessage);
      expect(good.received).to.have.length(1);
      await bad.abandoned();
    });

    for (const failure of smtpFailures) {
      it(`${failure}, at any step: a clear error in time, with no secret in the log`, () =>
        checkTogether(
          smtpStages.map((stage) => [stage, stage] as const),
          async (stage) => {
            const bad = await startFailingSmtpServer(stage, failure);
            closeLater(bad);
            const more = { SMTPTLS: stage === 'starttls', SMTPUser: 'pads-user', SMTPPass: 'geheim' };
            const { mailer, log } = mailerFor(
              bad.port,
              stage === 'starttls' ? { SMTPTLS: true } : more,
              soon,
            );
            expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
            await bad.abandoned();
            expect(log()).to.include('mail not accepted by the mail server');
            expect(log()).not.to.match(/ada@|geheim|secret-link|pads-user/);
          },
        ));
    }

    it('is silent while TLS is expected: a clear error in time', async () => {
      const bad = await startBadSmtpServer('silent');
      closeLater(bad);
      const { mailer } = mailerFor(bad.port, { SMTPSSL: true }, soon);
      expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
      expect(await errorOf(mailer.probe())).to.equal(unavailable);
    });

    it('refuses our name and password: a clear error, nothing of them in the log', async () => {
      const server = await start({ auth: { user: 'pads-user', pass: 'right' } });
      const { mailer, log } = mailerFor(server.port, { SMTPUser: 'pads-user', SMTPPass: 'wrong-geheim' });
      expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
      expect(log()).to.include('535').and.to.include('5.7.8');
      expect(log()).not.to.include('geheim');
      expect(log()).not.to.include('pads-user');
    });

    it('requires a name and a password that are not configured: a clear error', async () => {
      const server = await start({ auth: { user: 'pads', pass: 'right' } });
      expect(await errorOf(mailerFor(server.port).mailer.send(testMessage))).to.equal(unavailable);
      const half = mailerFor(server.port, { SMTPUser: 'pads' });
      expect(await errorOf(half.mailer.send(testMessage))).to.equal(unavailable);
    });

    it('does not know the recipient: an error about the address', async () => {
      const refuse = { at: 'recipient', code: 550, reply: '5.1.1 <{address}> no such user' } as const;
      const server = await start({ refuse });
      const { mailer, log } = mailerFor(server.port);
      expect(await errorOf(mailer.send(testMessage))).to.equal('BACKEND.ERROR.TYPE.TO_MAIL');
      expect(log()).to.include('5.1.1');
      expect(log()).not.to.include('ada');
    });
  });

  describe('many mails', () => {
    it('all arrive, a few at a time', async () => {
      const server = await start();
      const { mailer } = mailerFor(server.port);
      await Promise.all(Array.from({ length: 30 }, () => mailer.send(testMessage)));
      expect(server.received).to.have.length(30);
    });

    it('at a silent server end with an error, and the queue is limited', async () => {
      const bad = await startBadSmtpServer('silent');
      closeLater(bad);
      const { mailer } = mailerFor(bad.port, {}, soon);
      const errors = await Promise.all(Array.from({ length: 70 }, () => errorOf(mailer.send(testMessage))));
      expect(errors.filter((key) => key === 'BACKEND.ERROR.SERVER.BUSY')).to.have.length(15);
      expect(errors.filter((key) => key === unavailable)).to.have.length(55);
    });
  });

  it('when the plugin stops, mails in progress and in the queue end at once', async () => {
    const bad = await startBadSmtpServer('silent');
    closeLater(bad);
    const port = await closedPort();
    const { mailer, settings } = mailerFor(bad.port);
    const sent = Array.from({ length: 8 }, () => errorOf(mailer.send(testMessage)));
    sent.push(errorOf(mailer.probe()));
    await bad.entered();
    settings.SMTPPort = port;
    sent.push(errorOf(mailer.send(testMessage)));
    mailer.close();
    expect(new Set(await Promise.all(sent))).to.deep.equal(new Set([unavailable]));
    expect(await errorOf(mailer.send(testMessage))).to.equal(unavailable);
  });

  describe('the check of the mail server', () => {
    it('sends nothing, and connects once for several callers', async () => {
      const server = await start();
      const { mailer } = mailerFor(server.port);
      await Promise.all([mailer.probe(), mailer.probe(), mailer.probe()]);
      await mailer.probe();
      expect(server.connections()).to.equal(1);
      expect(server.received).to.deep.equal([]);
    });

    it('succeeds soon after the server is back', async () => {
      const port = await closedPort();
      const { mailer } = mailerFor(port);
      expect(await errorOf(mailer.probe())).to.equal(unavailable);
      const server = await start({ port });
      expect(await errorOf(mailer.probe()), 'asked a moment ago').to.equal(unavailable);
      expect(server.connections()).to.equal(0);
      await until('the server is found', async () => (await errorOf(mailer.probe())) === 'no error');
      expect(server.connections()).to.equal(1);
    });

    it('notices a wrong password', async () => {
      const server = await start({ auth: { user: 'pads', pass: 'right' } });
      const { mailer, settings } = mailerFor(server.port, { SMTPUser: 'pads', SMTPPass: 'wrong' });
      expect(await errorOf(mailer.probe())).to.equal(unavailable);
      settings.SMTPPass = 'right';
      expect(await errorOf(mailer.probe())).to.equal('no error');
    });
  });
});
