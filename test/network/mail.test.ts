import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { callerOf } from '../support/caller';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';
import { incorrect, openMailFixture, person, root, tokenIn, useMailFixture } from '../support/mailFixture';
import { casSettings } from '../support/signInServices';
import { closedPort } from '../support/smtpServer';

describe('mail about accounts, over HTTP', () => {
  const { fixture, register, login, confirm, recover, complete } = useMailFixture();

  describe('a forgotten password', () => {
    it('is replaced through a mailed link, once, which ends every session (W4)', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app);
      expect((await recover(user.email)).body).to.deep.equal({ success: true });
      const token = tokenIn(await mail.next(), 'passrecover');
      const answer = await complete(token, 'a new secret');
      expect(answer.body).to.deep.equal({ success: true, login: user.login });
      expect(await fixture.app.model.sessions.read(user.token, ['user'])).to.equal(undefined);
      expect((await login(user.login, user.password)).status).to.equal(400);
      await signIn(fixture.app, user.login, 'a new secret');
      expect((await complete(token, 'a third secret')).body.error).to.equal('BACKEND.ERROR.TOKEN.INCORRECT');
    });

    it('can be replaced only where mail is set up and passwords are checked here', async () => {
      const user = await buildUser(fixture.app);
      const said = async (token?: string): Promise<unknown> =>
        (await callerOf(fixture.app, token)('get', 'configuration')).body.value.passwordRecovery;
      expect(await said()).to.equal(false);
      await fixture.startMail();
      expect(
        await Promise.all([said(), said(user.token), said(await signInAsAdmin(fixture.app))]),
      ).to.deep.equal([true, true, true]);
      await fixture.set({ authCasSettings: casSettings });
      for (const [name, off, on] of [
        ['rootUrl', '', root],
        ['SMTPEmailFrom', '', 'pads@example.org'],
        ['authMethod', 'cas', 'internal'],
      ] as const) {
        await fixture.set({ [name]: off });
        expect(await said(), name).to.equal(false);
        await fixture.set({ [name]: on });
      }
      expect(await said()).to.equal(true);
    });

    it('that has been replaced: the owner gets a mail that says what to do if it was somebody else', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app, { lang: 'it' });
      await recover(user.email);
      const token = tokenIn(await mail.next(), 'passrecover');
      await complete(token, 'a new secret', 'mismatch');
      await complete(token, 'a new secret');
      const notice = await mail.next();
      expect(notice.to).to.deep.equal([user.email]);
      expect(notice.subject).to.include('La tua password è stata cambiata');
      expect(notice.text).to.include(user.login).and.to.include(`\n${root}/mypads/index.html?/passrecover\n`);
      expect(notice.raw).not.to.match(/[0-9a-f]{64}|a new secret/);
      expect(mail.received).to.have.length(2);
    });

    it('that is changed in the profile: the owner gets a mail too', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app, { lang: 'fr' });
      expect((await fixture.change(user, { password: 'a new secret' })).status).to.equal(200);
      const received = await mail.next();
      expect(received.to).to.deep.equal([user.email]);
      expect(received.subject).to.include('Votre mot de passe a été modifié');
      expect(received.text).to.match(/UTC, depuis l’adresse IP [\d.:a-f]+\d\./);
      expect(received.text).to.include(`\n${root}/mypads/index.html?/passrecover\n`);
      await fixture.change(user, { password: 'another', currentPassword: 'wrong' });
      await fixture.change(user, { firstname: 'Ada' });
      await fixture.app.model.jobs.idle();
      expect(mail.received).to.have.length(1);
    });

    it('is replaced also where the mail about it cannot be sent', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app);
      const tokens = [];
      for (let count = 0; count < 2; count += 1) {
        await recover(user.email);
        tokens.push(tokenIn(await mail.next(), 'passrecover'));
        if (count === 0) await fixture.pointMailAt(await closedPort());
        else await fixture.set({ SMTPHost: '' });
        expect((await complete(tokens[count] ?? '', `secret ${count}`)).status).to.equal(200);
        await signIn(fixture.app, user.login, `secret ${count}`);
        await fixture.app.model.jobs.idle();
        await fixture.pointMailAt(mail.port);
      }
      expect(mail.received).to.have.length(2);
    });

    it('is replaced only once when twenty use the link at the same moment', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app);
      await recover(user.email);
      const token = tokenIn(await mail.next(), 'passrecover');
      const passwords = Array.from({ length: 20 }, (_, index) => `secret number ${index}`);
      const answers = await Promise.all(passwords.map((password) => complete(token, password)));
      const winners = passwords.filter((_, index) => answers[index]?.status === 200);
      expect(winners).to.have.length(1);
      await signIn(fixture.app, user.login, winners[0] ?? '');
    });

    it('cannot be replaced with an earlier link after any change of the password or address', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app);
      const admin = await signInAsAdmin(fixture.app);
      const put = (token: string, body: object) =>
        fixture.app.agent.put(`/api/user/${user.login}`).set('Authorization', `Bearer ${token}`).send(body);
      for (const change of [
        async () => {
          const answer = await put(user.token, { password: 'of oneself', currentPassword: user.password });
          expect((await mail.next()).subject).to.include('has been changed');
          return answer;
        },
        () => put(admin, { password: 'of an administrator' }),
        () => put(admin, { email: `moved.${user.email}` }),
      ]) {
        await recover(user.email);
        const token = tokenIn(await mail.next(), 'passrecover');
        expect((await change()).status).to.equal(200);
        const late = await complete(token, 'a late secret');
        expect(late.body).to.deep.equal(incorrect);
      }
    });

    it('of an address that nobody has gets the same answer, and no mail (W4)', async () => {
      const mail = await fixture.startMail();
      const answer = await recover('nobody@example.org');
      expect(answer.body).to.deep.equal({ success: true });
      await fixture.app.said('recovery mail not sent, no account with a password has this address');
      expect(mail.received).to.deep.equal([]);
    });

    it('can be replaced after a try with two different passwords or one of the wrong length', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app);
      await recover(user.email);
      const token = tokenIn(await mail.next(), 'passrecover');
      expect((await complete(token, 'a new secret', 'another')).body.error).to.equal(
        'USER.ERR.PASSWORD_MISMATCH',
      );
      expect((await complete(token, 'short')).body.error).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      expect((await complete(token, 'x'.repeat(129))).body.error).to.equal(
        'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
      );
      expect((await complete(token, 'a new secret')).status).to.equal(200);
    });

    it('can be looked up before anybody types a new one: whether the link still works', async () => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app);
      const check = async (token: string): Promise<unknown> =>
        (await fixture.app.agent.get(`/api/passrecover/${token}`)).body;
      const tokenOf = async (): Promise<string> => {
        await recover(user.email);
        return tokenIn(await mail.next(), 'passrecover');
      };
      const token = await tokenOf();
      for (const _ of [1, 2]) expect(await check(token)).to.deep.equal({ success: true });
      await complete(token, 'a new secret').expect(200);
      expect(await check(token), 'used').to.deep.equal(incorrect);
      expect(await check('made-up')).to.deep.equal(incorrect);
      await mail.next();
      const later = await tokenOf();
      fixture.app.ports.advance(61 * 60_000);
      expect(await check(later)).to.deep.equal({ error: 'BACKEND.ERROR.TOKEN.EXPIRED' });
      await fixture.set({ authCasSettings: casSettings, authMethod: 'cas' });
      expect(await check(later)).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER' });
    });
  });

  it('opens an account of 1.x that waited for its mail, but none that an administrator closed', async () => {
    const old = await openMailFixture({
      async prepare(database) {
        const used: Record<string, object> = {
          waiting: {},
          member: { groups: ['folder'] },
          signedIn: { eplAuthorToken: 't.author' },
          listed: { userlists: { friends: { name: 'Friends', uids: [] } } },
          marked: { bookmarks: { groups: [], pads: ['some-pad'] } },
        };
        for (const [login, fields] of Object.entries(used)) {
          const record = { _id: login, login, email: `${login}@example.org`, active: false, password: '' };
          await database.set(keys.user(login), { ...record, ...fields });
        }
      },
    });
    const mail = await old.startMail();
    for (const login of ['signedIn', 'listed', 'marked', 'member', 'waiting']) {
      expect((await old.recover(`${login}@example.org`)).body).to.deep.equal({ success: true });
      await old.app.model.jobs.idle();
    }
    const received = await mail.next();
    expect(received.to).to.deep.equal(['waiting@example.org']);
    await old.complete(tokenIn(received, 'passrecover'), 'a new secret');
    await signIn(old.app, 'waiting', 'a new secret');
    expect(mail.received.map(({ to }) => to[0])).not.to.include('signedIn@example.org');
    await old.close();
  });

  it('has links that work for their own purpose only; invented links do not work', async () => {
    const mail = await fixture.startMail();
    const user = await buildUser(fixture.app);
    await recover(user.email);
    const recovery = tokenIn(await mail.next(), 'passrecover');
    for (const token of [recovery, '0'.repeat(64), 'x', '', '__proto__', 5, null, ['x'], 'x'.repeat(300)]) {
      const answer = await confirm(token);
      expect(answer.body.error).to.equal('BACKEND.ERROR.TOKEN.INCORRECT');
    }
    expect((await complete('constructor', 'a new secret')).body.error).to.equal(
      'BACKEND.ERROR.TOKEN.INCORRECT',
    );
  });

  it('reaches every address that registration accepts, and no other', async () => {
    const mail = await fixture.startMail();
    await buildUser(fixture.app, { email: "o'neil@example.org" });
    await recover("o'neil@example.org");
    expect((await mail.next()).to).to.deep.equal(["o'neil@example.org"]);
    for (const email of ['a..b@example.org', '.a@example.org', 'a@-b.org', 'a@b', 'a@1.2']) {
      expect((await register(person('odd', { email }))).body.error, email).to.equal(
        'BACKEND.ERROR.TYPE.MAIL',
      );
      expect((await recover(email)).body.error, email).to.equal('BACKEND.ERROR.TYPE.MAIL');
    }
  });

  describe('the address in a link', () => {
    const ask = async (headers: Record<string, string>): Promise<string> => {
      const mail = await fixture.startMail();
      const user = await buildUser(fixture.app);
      await fixture.app.agent.post('/api/passrecover').set(headers).send({ email: user.email });
      return (await mail.next()).text;
    };
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'public.example.net:8443' };

    it('is the configured address, whatever the request and a trusted proxy say', async () => {
      const evil = { ...forwarded, Host: 'evil.example.org', 'X-Forwarded-Prefix': '/evil' };
      for (const trustProxy of [false, true]) {
        await fixture.set({ trustProxy });
        for (const headers of [{ Host: 'evil.example.org' }, forwarded, evil]) {
          expect(await ask(headers))
            .to.include(`\n${root}/mypads/`)
            .and.not.match(/evil|example\.net/);
        }
      }
    });

    it('has to be set before a mail is sent, behind a trusted proxy too', async () => {
      await fixture.startMail();
      await fixture.set({ trustProxy: true, rootUrl: '' });
      const user = await buildUser(fixture.app);
      const { status, body } = await fixture.app.agent
        .post('/api/passrecover')
        .set(forwarded)
        .send({ email: user.email });
      expect([status, body.error]).to.deep.equal([501, 'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED']);
    });
  });

  it('puts no link, token, address or password into the log', async () => {
    const mail = await fixture.startMail();
    await fixture.set({ checkMails: true });
    await register(person('ada'));
    const confirmation = tokenIn(await mail.next(), 'accountconfirm');
    await confirm(confirmation);
    await recover('ada@example.org');
    const recovery = tokenIn(await mail.next(), 'passrecover');
    await complete(recovery, 'a new secret', 'mismatch');
    await complete(recovery, 'a new secret');
    await complete(recovery, 'a new secret');
    for (const secret of [confirmation, recovery, 'ada@example.org', 'a new secret', 'secret of ada']) {
      expect(await fixture.logged()).not.to.include(secret);
    }
  });
});
