import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { mailAddress } from '../../model/mail/address';
import {
  createMailer,
  type Mailer,
  type MailerContext,
  type MailMessage,
  type MailSetting,
} from '../../model/mail/mailer';
import { checkEach, checkTogether } from '../support/cases';
import { createCertificate } from '../support/certificate';
import {
  closedPort,
  type Misbehaviour,
  type SmtpServerOptions,
  smtpFailures,
  smtpStages,
  startBadSmtpServer,
  startFailingSmtpServer,
  startSmtpServer,
  type TestSmtpServer,
} from '../support/smtpServer';

type Settings = Partial<Record<MailSetting, unknown>>;

const unavailable = 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE';
const notConfigured = 'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED';

/** For servers that would never answer. */
const soon = { times: { start: 400, step: 500, total: 1_500 } };

const letter: MailMessage = {
  to: 'ada@example.org',
  subject: 'A subject',
  text: 'The plain text with a secret-link\n',
  html: '<p>The HTML with a secret-link</p>\n',
  language: 'en',
};

describe('sending mail', () => {
  const endings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function start(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
    const server = await startSmtpServer(options);
    endings.push(() => server.close());
    return server;
  }

  interface Desk {
    mailer: Mailer;
    settings: Settings;
    /** Everything that was logged, as one text. */
    log: () => string;
  }

  /** A mailer for a server on this port, unencrypted unless `more` says otherwise. */
  function mailerFor(port: unknown, more: Settings = {}, context: Partial<MailerContext> = {}): Desk {
    const settings: Settings = {
      SMTPHost: '127.0.0.1',
      SMTPPort: port,
      SMTPTLS: false,
      SMTPEmailFrom: 'pads@example.org',
      title: 'Pads of the school',
      ...more,
    };
    const lines: string[] = [];
    const write = (message: string, facts?: unknown): void => {
      lines.push(`${message} ${JSON.stringify(facts)}`);
    };
    const mailer = createMailer({
      settings: (name) => settings[name],
      log: { debug: write, info: write, warn: write, error: write },
      times: { start: 3_000, step: 3_000, total: 6_000 },
      ...context,
    });
    endings.push(() => mailer.close());
    return { mailer, settings, log: () => lines.join('\n') };
  }

  async function errorOf(work: Promise<unknown>): Promise<string> {
    try {
      await work;
    } catch (error) {
      if (error instanceof MyPadsError) return error.key;
      throw error;
    }
    return 'no error';
  }

  describe('what arrives', () => {
    it('is one letter in plain text and HTML, from the instance to the person, unread by anybody else', async () => {
      const server = await start();
      await mailerFor(server.port).mailer.send(letter);
      const arrived = await server.next();
      expect(arrived.from).to.equal('pads@example.org');
      expect(arrived.to).to.deep.equal(['ada@example.org']);
      expect(arrived.headers.from).to.equal('Pads of the school <pads@example.org>');
      expect(arrived.headers.to).to.equal('ada@example.org');
      expect(arrived.subject).to.equal('A subject');
      expect(arrived.text).to.equal(letter.text);
      expect(arrived.html).to.equal(letter.html);
      expect(arrived.headers).not.to.have.any.keys('cc', 'bcc', 'reply-to', 'x-mailer');
    });

    it('says in which language it is, and that a machine sent it, so that no holiday notice comes back', async () => {
      const server = await start();
      await mailerFor(server.port).mailer.send({ ...letter, language: 'fr' });
      const { headers } = await server.next();
      expect(headers['content-language']).to.equal('fr');
      expect(headers['auto-submitted']).to.equal('auto-generated');
      expect(headers['x-auto-response-suppress']).to.equal('All');
      expect(headers).not.to.have.property('reply-to');
    });

    it('keeps every script of a title, a subject and a text', async () => {
      const server = await start();
      const { mailer } = mailerFor(server.port, { title: 'Pads „Köln“, 東京' });
      await mailer.send({ ...letter, subject: 'Привет, été 🙂', text: 'Grüße, 東京\n' });
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
    it('that name no usable server: the answer is that mail is not configured', () =>
      checkEach(missing, async (more) => {
        const { mailer } = mailerFor(25, more);
        expect(() => mailer.mustBeConfigured()).to.throw(MyPadsError, notConfigured);
        expect(await errorOf(mailer.send(letter))).to.equal(notConfigured);
        expect(await errorOf(mailer.probe())).to.equal(notConfigured);
      }));

    it('a port kept as text by an old database works', async () => {
      const server = await start();
      await mailerFor(String(server.port)).mailer.send(letter);
      expect((await server.next()).subject).to.equal('A subject');
    });

    it('a change acts on the very next letter', async () => {
      const first = await start();
      const second = await start({ auth: { user: 'pads', pass: 'geheim' } });
      const { mailer, settings } = mailerFor(first.port);
      await mailer.send(letter);
      settings.SMTPPort = second.port;
      settings.SMTPUser = 'pads';
      settings.SMTPPass = 'geheim';
      settings.SMTPEmailFrom = 'new@example.org';
      await mailer.send(letter);
      expect(first.letters).to.have.length(1);
      const [arrived] = second.letters;
      expect(arrived?.from).to.equal('new@example.org');
      expect(arrived?.user).to.equal('pads');
      settings.SMTPHost = '';
      expect(await errorOf(mailer.send(letter))).to.equal(notConfigured);
    });

    it('a title with line breaks adds no header', async () => {
      const server = await start();
      await mailerFor(server.port, { title: 'Pads\r\nBcc: eve@example.org' }).mailer.send(letter);
      const arrived = await server.next();
      expect(arrived.to).to.deep.equal(['ada@example.org']);
      expect(arrived.headers).not.to.have.property('bcc');
    });
  });

  describe('encryption', () => {
    it('TLS from the start (SMTPSSL) carries the letter encrypted', async () => {
      const server = await start({ encryption: 'tls' });
      const trust = { certificateAuthorities: [server.certificate.cert] };
      await mailerFor(server.port, { SMTPSSL: true, SMTPTLS: true }, trust).mailer.send(letter);
      expect((await server.next()).secure).to.equal(true);
    });

    it('STARTTLS (SMTPTLS, the default) carries name, password and letter encrypted', async () => {
      const auth = { user: 'pads', pass: 'geheim' };
      const server = await start({ encryption: 'starttls', auth });
      const trust = { certificateAuthorities: [server.certificate.cert] };
      const more = { SMTPTLS: undefined, SMTPUser: auth.user, SMTPPass: auth.pass };
      await mailerFor(server.port, more, trust).mailer.send(letter);
      const arrived = await server.next();
      expect(arrived.secure).to.equal(true);
      expect(arrived.user).to.equal('pads');
    });

    it('a server without STARTTLS gets neither the password nor the letter in clear', async () => {
      const server = await start({ auth: { user: 'pads', pass: 'geheim' } });
      const { mailer } = mailerFor(server.port, { SMTPTLS: true, SMTPUser: 'pads', SMTPPass: 'geheim' });
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
      expect(server.letters).to.deep.equal([]);
    });

    for (const [encryption, SMTPSSL] of [
      ['tls', true],
      ['starttls', false],
    ] as const) {
      it(`a certificate that nobody vouches for is refused (${encryption}), and the log says so`, async () => {
        const server = await start({ encryption });
        const { mailer, log } = mailerFor(server.port, { SMTPSSL, SMTPTLS: true });
        expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
        expect(server.letters).to.deep.equal([]);
        expect(log()).to.match(/certificate/);
      });
    }

    it('a certificate of another host is refused', async () => {
      const certificate = createCertificate('mail.example.org');
      const server = await start({ encryption: 'tls', certificate });
      const trust = { certificateAuthorities: [certificate.cert] };
      const { mailer, log } = mailerFor(server.port, { SMTPSSL: true }, trust);
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
      expect(server.letters).to.deep.equal([]);
      expect(log()).to.match(/certificate's (list|altnames)/);
    });

    it('a certificate of another authority is refused', async () => {
      const server = await start({ encryption: 'tls' });
      const trust = { certificateAuthorities: [createCertificate().cert] };
      const { mailer } = mailerFor(server.port, { SMTPSSL: true }, trust);
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
      expect(server.letters).to.deep.equal([]);
    });

    it('without any (both off) the letter still goes, also past an offer of STARTTLS with a home-made certificate', async () => {
      const server = await start({ encryption: 'starttls' });
      await mailerFor(server.port).mailer.send(letter);
      expect((await server.next()).secure).to.equal(false);
    });
  });

  describe('a mail server that fails', () => {
    it('is not there: a clear error, at once', async () => {
      const { mailer, log } = mailerFor(await closedPort());
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
      expect(log()).to.include('ECONNREFUSED');
    });

    it('has a name that does not exist: a clear error', async () => {
      const { mailer } = mailerFor(25, { SMTPHost: 'mail.invalid' });
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
    });

    for (const kind of ['silent', 'closes', 'nonsense', 'drips', 'stalls'] satisfies Misbehaviour[]) {
      it(`${kind}: a clear error in time, no connection left open, and the next letter goes`, async () => {
        const bad = await startBadSmtpServer(kind);
        endings.push(() => bad.close());
        const good = await start();
        const { mailer, settings } = mailerFor(bad.port, {}, soon);
        expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
        settings.SMTPPort = good.port;
        await mailer.send(letter);
        expect(good.letters).to.have.length(1);
        await bad.abandoned();
      });
    }

    for (const failure of smtpFailures) {
      it(`${failure}, at whatever step: a clear error in time, with nothing secret in the log`, () =>
        checkTogether(
          smtpStages.map((stage) => [stage, stage] as const),
          async (stage) => {
            const bad = await startFailingSmtpServer(stage, failure);
            endings.push(() => bad.close());
            const more = { SMTPTLS: stage === 'starttls', SMTPUser: 'pads-user', SMTPPass: 'geheim' };
            const { mailer, log } = mailerFor(
              bad.port,
              stage === 'starttls' ? { SMTPTLS: true } : more,
              soon,
            );
            expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
            await bad.abandoned();
            expect(log()).to.include('mail not accepted by the mail server');
            expect(log()).not.to.match(/ada@|geheim|secret-link|pads-user/);
          },
        ));
    }

    it('is silent while TLS is expected: a clear error in time', async () => {
      const bad = await startBadSmtpServer('silent');
      endings.push(() => bad.close());
      const { mailer } = mailerFor(bad.port, { SMTPSSL: true }, soon);
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
      expect(await errorOf(mailer.probe())).to.equal(unavailable);
    });

    it('does not take our name and password: a clear error, nothing of them in the log', async () => {
      const server = await start({ auth: { user: 'pads-user', pass: 'right' } });
      const { mailer, log } = mailerFor(server.port, { SMTPUser: 'pads-user', SMTPPass: 'wrong-geheim' });
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
      expect(log()).to.include('535').and.to.include('5.7.8');
      expect(log()).not.to.include('geheim');
      expect(log()).not.to.include('pads-user');
    });

    it('wants a name and password that are not configured: a clear error', async () => {
      const server = await start({ auth: { user: 'pads', pass: 'right' } });
      expect(await errorOf(mailerFor(server.port).mailer.send(letter))).to.equal(unavailable);
      const half = mailerFor(server.port, { SMTPUser: 'pads' });
      expect(await errorOf(half.mailer.send(letter))).to.equal(unavailable);
    });

    for (const at of ['connection', 'sender', 'letter'] as const) {
      it(`refuses at the ${at}: a clear error`, async () => {
        const server = await start({ refuse: { at, code: 554, reply: '5.7.1 not from you' } });
        expect(await errorOf(mailerFor(server.port).mailer.send(letter))).to.equal(unavailable);
      });
    }

    it('knows no such person: the address is what is wrong', async () => {
      const refuse = { at: 'recipient', code: 550, reply: '5.1.1 <{address}> no such user' } as const;
      const server = await start({ refuse });
      const { mailer, log } = mailerFor(server.port);
      expect(await errorOf(mailer.send(letter))).to.equal('BACKEND.ERROR.TYPE.TO_MAIL');
      expect(log()).to.include('5.1.1');
      expect(log()).not.to.include('ada');
    });

    it('has no room for the person now: that is not the address', async () => {
      const refuse = { at: 'recipient', code: 452, reply: '4.2.2 {address} is full' } as const;
      const server = await start({ refuse });
      expect(await errorOf(mailerFor(server.port).mailer.send(letter))).to.equal(unavailable);
    });

    it('serves others again as soon as it is back', async () => {
      const port = await closedPort();
      const { mailer, settings } = mailerFor(port);
      expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
      settings.SMTPPort = (await start()).port;
      expect(await errorOf(mailer.send(letter))).to.equal('no error');
    });
  });

  describe('many letters', () => {
    it('all arrive, a few at a time', async () => {
      const server = await start();
      const { mailer } = mailerFor(server.port);
      await Promise.all(Array.from({ length: 30 }, () => mailer.send(letter)));
      expect(server.letters).to.have.length(30);
    });

    it('at a silent server neither pile up nor wait for ever', async () => {
      const bad = await startBadSmtpServer('silent');
      endings.push(() => bad.close());
      const { mailer } = mailerFor(bad.port, {}, soon);
      const errors = await Promise.all(Array.from({ length: 70 }, () => errorOf(mailer.send(letter))));
      expect(errors.filter((key) => key === 'BACKEND.ERROR.SERVER.BUSY')).to.have.length(15);
      expect(errors.filter((key) => key === unavailable)).to.have.length(55);
    });
  });

  it('ends at once when the server stops, with what is under way and what waits', async () => {
    const bad = await startBadSmtpServer('silent');
    endings.push(() => bad.close());
    const port = await closedPort();
    const { mailer, settings } = mailerFor(bad.port);
    const sent = Array.from({ length: 8 }, () => errorOf(mailer.send(letter)));
    sent.push(errorOf(mailer.probe()));
    await bad.entered();
    settings.SMTPPort = port;
    sent.push(errorOf(mailer.send(letter)));
    const began = performance.now();
    mailer.close();
    expect(new Set(await Promise.all(sent))).to.deep.equal(new Set([unavailable]));
    expect(await errorOf(mailer.send(letter))).to.equal(unavailable);
    expect(performance.now() - began).to.be.below(5_000);
  });

  describe('asking whether the server is there', () => {
    it('sends nothing, and asks once for many who want to know', async () => {
      const server = await start();
      const { mailer } = mailerFor(server.port);
      await Promise.all([mailer.probe(), mailer.probe(), mailer.probe()]);
      await mailer.probe();
      expect(server.connections()).to.equal(1);
      expect(server.letters).to.deep.equal([]);
    });

    it('finds it again soon after it was away', async () => {
      const port = await closedPort();
      const { mailer } = mailerFor(port);
      expect(await errorOf(mailer.probe())).to.equal(unavailable);
      const server = await start({ port });
      expect(await errorOf(mailer.probe()), 'asked a moment ago').to.equal(unavailable);
      expect(server.connections()).to.equal(0);
      const until = performance.now() + 15_000;
      while ((await errorOf(mailer.probe())) !== 'no error') {
        expect(performance.now()).to.be.below(until);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(server.connections()).to.equal(1);
    });

    it('finds a wrong password', async () => {
      const server = await start({ auth: { user: 'pads', pass: 'right' } });
      const { mailer, settings } = mailerFor(server.port, { SMTPUser: 'pads', SMTPPass: 'wrong' });
      expect(await errorOf(mailer.probe())).to.equal(unavailable);
      settings.SMTPPass = 'right';
      expect(await errorOf(mailer.probe())).to.equal('no error');
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
    it('are written in one way', () =>
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
    it('are refused when they are none, and no letter leaves for them', () =>
      checkEach(
        bad.map((typed) => [JSON.stringify(typed).slice(0, 50), typed] as const),
        async (typed) => {
          expect(mailAddress(typed)).to.equal(undefined);
          const { mailer } = mailerFor(1);
          expect(await errorOf(mailer.send({ ...letter, to: typed }))).to.equal('BACKEND.ERROR.TYPE.TO_MAIL');
        },
      ));

    it('what is no text is no address', () => {
      for (const value of [undefined, null, 7, ['ada@example.org'], { address: 'ada@example.org' }]) {
        expect(mailAddress(value)).to.equal(undefined);
      }
    });
  });

  it('a subject with line breaks adds no header and no recipient', async () => {
    const server = await start();
    const subject = 'Hello\r\nBcc: eve@example.org\r\n\r\n<b>body</b>\u2028X-Evil: 1';
    await mailerFor(server.port).mailer.send({ ...letter, subject });
    const arrived = await server.next();
    expect(arrived.to).to.deep.equal(['ada@example.org']);
    expect(arrived.headers).not.to.have.any.keys('bcc', 'x-evil');
    expect(arrived.subject).to.equal('Hello Bcc: eve@example.org <b>body</b> X-Evil: 1');
    expect(arrived.text).to.equal(letter.text);
  });

  it('whatever goes wrong, the log holds neither the letter nor the address', async () => {
    const refusing = await start({
      refuse: { at: 'recipient', code: 550, reply: '5.1.1 {address} unknown' },
    });
    for (const port of [refusing.port, await closedPort()]) {
      const { mailer, log } = mailerFor(port);
      await errorOf(mailer.send(letter));
      expect(log()).not.to.match(/ada|secret-link|A subject/);
    }
  });
});
