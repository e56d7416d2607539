import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { mailAddress } from '../../model/mail/address';
import type { MailSetting } from '../../model/mail/mailer';
import { checkEach } from '../support/cases';
import { errorOf } from '../support/errorKeys';
import { notConfigured, testMessage, useMailer } from '../support/mailer';

type Settings = Partial<Record<MailSetting, unknown>>;

describe('sending mail', () => {
  const { mailerFor, start } = useMailer();

  describe('what arrives', () => {
    it('is one mail in plain text and HTML, from the instance to this person and nobody else', async () => {
      const server = await start();
      await mailerFor(server.port).mailer.send(testMessage);
      const arrived = await server.next();
      expect(arrived.from).to.equal('pads@example.org');
      expect(arrived.to).to.deep.equal(['ada@example.org']);
      expect(arrived.headers.from).to.equal('Pads of the school <pads@example.org>');
      expect(arrived.headers.to).to.equal('ada@example.org');
      expect(arrived.subject).to.equal('A subject');
      expect(arrived.text).to.equal(testMessage.text);
      expect(arrived.html).to.equal(testMessage.html);
      expect(arrived.headers).not.to.have.any.keys('cc', 'bcc', 'reply-to', 'x-mailer');
    });

    it('says in which language it is, and that a machine sent it, so that no holiday notice comes back', async () => {
      const server = await start();
      await mailerFor(server.port).mailer.send({ ...testMessage, language: 'fr' });
      const { headers } = await server.next();
      expect(headers['content-language']).to.equal('fr');
      expect(headers['auto-submitted']).to.equal('auto-generated');
      expect(headers['x-auto-response-suppress']).to.equal('All');
      expect(headers).not.to.have.property('reply-to');
    });

    it('keeps every script of a title, a subject and a text', async () => {
      const server = await start();
      const { mailer } = mailerFor(server.port, { title: 'Pads „Köln“, 東京' });
      await mailer.send({ ...testMessage, subject: 'Привет, été 🙂', text: 'Grüße, 東京\n' });
      const arrived = await server.next();
      expect(arrived.headers.from).to.equal('Pads „Köln“, 東京 <pads@example.org>');
      expect(arrived.subject).to.equal('Привет, été 🙂');
      expect(arrived.text).to.equal('Grüße, 東京\n');
    });
  });

  describe('settings', () => {
    const missing: [string, Settings][] = [
      ['no host', { SMTPHost: undefined }],
      ['an empty host', { SMTPHost: ' ' }],
      ['a host that is none', { SMTPHost: 'smtp.example.org/path' }],
      ['a host with a line break', { SMTPHost: 'a\r\nb' }],
      ['a host of the wrong type', { SMTPHost: { host: 'x' } }],
      ['no sender', { SMTPEmailFrom: undefined }],
      ['a sender that is no address', { SMTPEmailFrom: 'pads' }],
      ['a sender with a name around it', { SMTPEmailFrom: 'Pads <pads@example.org>' }],
      ['a port that is no number', { SMTPPort: 'smtp' }],
      ['a port beyond the last', { SMTPPort: 65_536 }],
      ['port 0', { SMTPPort: 0 }],
    ];
    it('that name no usable server mean that mail is not configured', () =>
      checkEach(missing, async (more) => {
        const { mailer } = mailerFor(25, more);
        expect(() => mailer.mustBeConfigured()).to.throw(MyPadsError, notConfigured);
        expect(await errorOf(mailer.send(testMessage))).to.equal(notConfigured);
        expect(await errorOf(mailer.probe())).to.equal(notConfigured);
      }));

    it('a port that an old database has stored as text works', async () => {
      const server = await start();
      await mailerFor(String(server.port)).mailer.send(testMessage);
      expect((await server.next()).subject).to.equal('A subject');
    });

    it('a change applies to the next mail', async () => {
      const first = await start();
      const second = await start({ auth: { user: 'pads', pass: 'geheim' } });
      const { mailer, settings } = mailerFor(first.port);
      await mailer.send(testMessage);
      settings.SMTPPort = second.port;
      settings.SMTPUser = 'pads';
      settings.SMTPPass = 'geheim';
      settings.SMTPEmailFrom = 'new@example.org';
      await mailer.send(testMessage);
      expect(first.received).to.have.length(1);
      const [arrived] = second.received;
      expect(arrived?.from).to.equal('new@example.org');
      expect(arrived?.user).to.equal('pads');
      settings.SMTPHost = '';
      expect(await errorOf(mailer.send(testMessage))).to.equal(notConfigured);
    });

    it('a title with line breaks adds no header', async () => {
      const server = await start();
      await mailerFor(server.port, { title: 'Pads\r\nBcc: eve@example.org' }).mailer.send(testMessage);
      const arrived = await server.next();
      expect(arrived.to).to.deep.equal(['ada@example.org']);
      expect(arrived.headers).not.to.have.property('bcc');
    });
  });

  describe('addresses', () => {
    const good: [string, string][] = [
      ['ada@example.org', 'ada@example.org'],
      ["carol.o'neil@example.org", "carol.o'neil@example.org"],
      ['ada.b+pads_1-x@sub.example.org', 'ada.b+pads_1-x@sub.example.org'],
      ['Gina.Rossi@Example.ORG', 'Gina.Rossi@example.org'],
      ['jörg@müller.de', 'jörg@xn--mller-kva.de'],
    ];
    it('are normalised', () =>
      checkEach(good, (address, typed) => expect(mailAddress(typed)).to.equal(address)));

    const bad = [
      '',
      'ada',
      'ada@localhost',
      'ada@example.org, eve@example.org',
      'ada@example.org eve@example.org',
      'ada@example.org\r\nBcc: eve@example.org',
      'ada@example.org\n',
      'Ada <ada@example.org>',
      '<ada@example.org>',
      '"ada@evil.org"@example.org',
      '"ada"@example.org',
      'ada@evil.org@example.org',
      'ada(comment)@example.org',
      'friends:ada@example.org;',
      'ada@[127.0.0.1]',
      'ada@127.0.0.1',
      'ada..b@example.org',
      '.ada@example.org',
      'ada.@example.org',
      'ada@-example.org',
      'ada@example..org',
      'ada@exam_ple.org',
      'ada\u0000@example.org',
      'ada\u202e@example.org',
      `${'a'.repeat(65)}@example.org`,
      `ada@${'a.'.repeat(130)}org`,
      '<script>alert(1)</script>a@b.c',
    ];
    it('are refused when they are invalid, and no mail is sent to them', () =>
      checkEach(
        bad.map((typed) => [JSON.stringify(typed).slice(0, 50), typed] as const),
        async (typed) => {
          expect(mailAddress(typed)).to.equal(undefined);
          const { mailer } = mailerFor(1);
          expect(await errorOf(mailer.send({ ...testMessage, to: typed }))).to.equal(
            'BACKEND.ERROR.TYPE.TO_MAIL',
          );
        },
      ));

    it('must be text', () => {
      for (const value of [undefined, null, 7, ['ada@example.org'], { address: 'ada@example.org' }]) {
        expect(mailAddress(value)).to.equal(undefined);
      }
    });
  });

  it('a subject keeps what isolates a name in it from a language written from right to left', async () => {
    const server = await start();
    const subject = 'נוספת אל "\u2068Choir (A)\u2069"';
    await mailerFor(server.port).mailer.send({ ...testMessage, subject });
    expect((await server.next()).subject).to.equal(subject);
  });

  it('a subject with line breaks adds no header and no recipient', async () => {
    const server = await start();
    const subject = 'Hello\r\nBcc: eve@example.org\r\n\r\n<b>body</b>\u2028X-Evil: 1';
    await mailerFor(server.port).mailer.send({ ...testMessage, subject });
    const arrived = await server.next();
    expect(arrived.to).to.deep.equal(['ada@example.org']);
    expect(arrived.headers).not.to.have.any.keys('bcc', 'x-evil');
    expect(arrived.subject).to.equal('Hello Bcc: eve@example.org <b>body</b> X-Evil: 1');
    expect(arrived.text).to.equal(testMessage.text);
  });
});
