/** `admin/testMail`: an administrator learns whether the settings for mail work, and what the mail server says. */
import { expect } from 'chai';
import type { CheckupAnswer } from '../../api/admin/schema';
import { startBrokenServer } from '../support/brokenServer';
import { type Call, callerOf } from '../support/caller';
import { signInAsAdmin } from '../support/factories';
import { root, useMailFixture } from '../support/mailFixture';
import { closedPort, startSmtpServer } from '../support/smtpServer';

describe('a test mail', () => {
  const { fixture } = useMailFixture();
  let admin: Call;
  beforeEach(async () => {
    admin = callerOf(fixture.app, await signInAsAdmin(fixture.app));
  });

  const sendTo = (to: unknown, more: object = {}) => admin('post', 'admin/testMail', { to, ...more });

  it('goes to any address, in the language of the page, and the answer has the words of the mail server', async () => {
    const mail = await fixture.startMail();
    await fixture.set({ title: 'Our pads' });
    const { body } = await sendTo('ada@elsewhere.example', { lang: 'fr' });
    expect(body).to.include({ success: true, host: '127.0.0.1', port: mail.port, encryption: 'none' });
    expect(body.reply).to.match(/^250 /);
    const received = await mail.next();
    expect(received.to).to.deep.equal(['ada@elsewhere.example']);
    expect(received.subject).to.equal('Courriel de test – Our pads');
    expect(received.text.split('\n')).to.include(`${root}/mypads/`);
    expect(await fixture.logged())
      .to.include('test mail sent')
      .and.not.include('elsewhere.example');
  });

  it('is in the default language where the page has an unknown one', async () => {
    const mail = await fixture.startMail();
    await fixture.set({ defaultLanguage: 'de' });
    for (const more of [{}, { lang: 'tlh' }]) {
      await sendTo('ada@example.org', more).expect(200);
      expect((await mail.next()).subject).to.include('Test-E-Mail');
    }
  });

  it('needs one address, and nothing else', async () => {
    const mail = await fixture.startMail();
    for (const to of [undefined, '', 'ada', 'ada@example.org, bob@example.org', 7, ['ada@example.org']]) {
      const { status, body } = await sendTo(to);
      expect(status, String(to)).to.equal(400);
      expect(body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.MAIL', field: 'to' });
    }
    expect(mail.received).to.deep.equal([]);
  });

  it('says which setting is missing', async () => {
    const off = await sendTo('ada@example.org');
    expect(off.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED' });
    await fixture.startMail();
    await fixture.set({ rootUrl: '' });
    const homeless = await sendTo('ada@example.org');
    expect(homeless.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED' });
  });

  it('says why when the mail server is down, and works as soon as it is up', async () => {
    const port = await closedPort();
    await fixture.pointMailAt(port);
    const down = await sendTo('ada@example.org');
    expect(down.body.error).to.equal('BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE');
    expect(down.body.reason).to.include('ECONNREFUSED');
    const mail = await fixture.startMail();
    await sendTo('ada@example.org').expect(200);
    await mail.next();
  });

  it('says which setting to change when the port expects another start of the encryption', async () => {
    const mail = await startSmtpServer({ encryption: 'starttls' });
    fixture.keep(mail);
    await fixture.pointMailAt(mail.port, { SMTPSSL: true });
    const { body } = await sendTo('ada@example.org');
    expect(body).to.deep.equal({
      error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
      field: 'SMTPSSL',
      reason: `port ${mail.port} does not start with TLS: switch SMTPSSL off; with SMTPTLS on, STARTTLS encrypts the mail`,
    });
    const { checks } = (await admin('get', 'admin/checkup')).body as CheckupAnswer;
    const found = checks.find(({ id }) => id === 'mail');
    expect(found?.facts.reason).to.equal(body.reason);
  });

  it('says that it was STARTTLS which the mail server refused', async () => {
    const mail = await startSmtpServer();
    fixture.keep(mail);
    await fixture.pointMailAt(mail.port, { SMTPTLS: true });
    const { body } = await sendTo('ada@example.org').expect(503);
    expect(body.reason).to.match(/^STARTTLS: 5\d\d /);
  });

  it('does not blame the address when the mail server passes on nothing for this server', async () => {
    const closed = await startSmtpServer({
      refuse: { at: 'recipient', code: 550, reply: '5.7.1 {address}: relaying denied' },
    });
    fixture.keep(closed);
    await fixture.pointMailAt(closed.port);
    const { body } = await sendTo('ada@example.org').expect(503);
    expect(body.error).to.equal('BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE');
    expect(body.reason).to.include('5.7.1 ada@example.org: relaying denied');
  });

  it('repeats what the mail server says when it refuses, but no password', async () => {
    const auth = { user: 'pads-user', pass: 'right' };
    const wrong = await startSmtpServer({ auth });
    fixture.keep(wrong);
    await fixture.pointMailAt(wrong.port, { SMTPUser: auth.user, SMTPPass: 'typed wrongly' });
    const refused = await sendTo('ada@example.org');
    expect(refused.status).to.equal(503);
    expect(refused.body.reason).to.match(/535/);
    expect(refused.text).to.not.include('typed wrongly');

    const talkative = await startSmtpServer({
      auth,
      refuse: { at: 'message', code: 554, reply: 'your password is right' },
    });
    fixture.keep(talkative);
    await fixture.pointMailAt(talkative.port, { SMTPUser: auth.user, SMTPPass: auth.pass });
    const told = await sendTo('ada@example.org');
    expect(told.body).to.deep.equal({ error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE' });

    const choosy = await startSmtpServer({
      refuse: { at: 'recipient', code: 550, reply: '5.1.1 {address} unknown' },
    });
    fixture.keep(choosy);
    await fixture.pointMailAt(choosy.port, { SMTPUser: '', SMTPPass: '' });
    const unknown = await sendTo('ada@example.org');
    expect(unknown.body.error).to.equal('BACKEND.ERROR.TYPE.TO_MAIL');
    expect(unknown.body.reason).to.include('5.1.1 ada@example.org unknown');

    const echoing = await startBrokenServer((socket) => {
      socket.write('220 mail\r\n');
      socket.on('data', (line) =>
        socket.write(
          /^EHLO/.test(`${line}`) ? '250-mail\r\n250 AUTH PLAIN\r\n' : `500 5.5.1 what is ${line}`,
        ),
      );
    });
    fixture.keep({ close: echoing.stop });
    await fixture.pointMailAt(echoing.port, { SMTPUser: auth.user, SMTPPass: auth.pass });
    const echoed = await sendTo('ada@example.org');
    expect(echoed.body).to.deep.equal({ error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE' });
  });
});
