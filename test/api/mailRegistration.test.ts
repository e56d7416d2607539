import { expect } from 'chai';
import { callerOf } from '../support/caller';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';
import { person, tokenIn, unavailable, useMailFixture } from '../support/mailFixture';
import { inProcessOnly } from '../support/network';
import { closedPort } from '../support/smtpServer';

describe('a registration where addresses are confirmed', () => {
  const { fixture, register, login, confirm } = useMailFixture({ checkMails: true });

  it('sends a link, and only this link activates the account (B1)', async () => {
    const mail = await fixture.startMail();
    const answer = await register(person('ada', { lang: 'fr' }));
    expect(answer.body).to.deep.include({ success: true, key: 'ada' });
    expect(answer.body.value).to.include({ login: 'ada', email: 'ada@example.org', active: false });
    const early = await login('ada', 'secret of ada');
    expect(early.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    const received = await mail.next();
    expect(received.to).to.deep.equal(['ada@example.org']);
    expect(received.headers['content-language']).to.equal('fr');
    expect(received.subject).to.match(/Confirmez votre adresse/);
    const token = tokenIn(received, 'accountconfirm');
    expect((await confirm(token)).body).to.deep.equal({ success: true, login: 'ada' });
    expect((await login('ada', 'secret of ada')).status).to.equal(200);
    const again = await confirm(token);
    expect(again.body).to.deep.equal({ error: 'BACKEND.ERROR.TOKEN.INCORRECT' });
  });

  it('mails nothing that the registrant typed, whatever mail reaches the address', async () => {
    const mail = await fixture.startMail();
    const advertisement = 'Win a prize at evil.example';
    const stranger = { ...person(advertisement, { email: 'victim@example.org' }), firstname: advertisement };
    const sent = async () => JSON.stringify(await mail.next());
    expect((await register(stranger)).status).to.equal(200);
    const first = await sent();
    expect((await register(stranger)).status).to.equal(200);
    const again = await sent();
    expect((await register({ ...stranger, login: `${advertisement} again` })).status).to.equal(200);
    const taken = await sent();
    await fixture.recover('victim@example.org');
    const recovery = await sent();
    await fixture.set({ checkMails: false });
    const asMember = await buildUser(fixture.app, { login: `${advertisement} as member` });
    await fixture.set({ checkMails: true });
    const change = { email: 'other@example.org', currentPassword: asMember.password };
    await callerOf(fixture.app, asMember.token)('put', `user/${asMember.login}`, change).expect(200);
    const changes = [await sent(), await sent()];
    for (const one of [first, again, taken, recovery, ...changes]) expect(one).not.to.include('evil.example');
  });

  it('refuses a login that would be a link or two lines, also with letters that look like them', async () => {
    await fixture.startMail();
    const answers: unknown[] = [];
    const wrong = [
      'https://evil.example',
      'evil.example/win',
      'a:b',
      'evil.example／win',
      'a℀b',
      'a@b.org',
      'a＠b.org',
    ];
    for (const [number, login] of wrong.entries()) {
      const { body } = await register(person(login, { email: `p${number}@example.org` }));
      answers.push(body.error);
    }
    expect(answers).to.deep.equal(wrong.map(() => 'BACKEND.ERROR.TYPE.LOGIN_STR'));
    for (const login of ['a\nb', 'a\rb', 'a\u2028b', 'a\u0085b']) {
      expect((await register(person(login, { email: 'p@example.org' }))).body.error).to.equal(
        'BACKEND.ERROR.TYPE.PARAM_STR',
      );
    }
  });

  it('fails at once when mail is not set up, and leaves no account', async () => {
    const answer = await register(person('half'));
    expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED' });
    await fixture.startMail();
    await fixture.set({ rootUrl: '' });
    const rootless = await register(person('half'));
    expect(rootless.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    expect(await fixture.app.model.users.find('half')).to.equal(undefined);
  });

  describe('that is repeated because the mail did not arrive', () => {
    it('with the same login, address and password sends the mail again', async () => {
      const mail = await fixture.startMail();
      const first = await register(person('ada', { firstname: 'Ada' }));
      const second = await register(person('ada'));
      expect(second.status).to.equal(200);
      expect(second.body).to.deep.equal(first.body);
      const tokens = [await mail.next(), await mail.next()].map((one) => tokenIn(one, 'accountconfirm'));
      expect(tokens[0]).not.to.equal(tokens[1]);
      expect((await confirm(tokens[1])).body).to.deep.equal({ success: true, login: 'ada' });
      await signIn(fixture.app, 'ada', 'secret of ada');
    });

    it('with another address or password is told that the login is taken, in the same time', async () => {
      const mail = await fixture.startMail();
      await register(person('ada'));
      await mail.next();
      for (const body of [
        person('ada', { password: 'another secret' }),
        person('ada', { email: 'other@example.org' }),
        person('ada', { email: 'other@example.org', password: 'another secret' }),
      ]) {
        const refused = { error: 'BACKEND.ERROR.USER.ALREADY_EXISTS', field: 'login' };
        const work = await fixture.workOf(() => register(body).expect(400, refused), mail);
        // The first comparison of all also hashes a dummy password to compare with.
        expect(work.filter((name) => name !== 'hash')).to.deep.equal(['compare']);
      }
      expect(mail.received).to.have.length(1);
    });

    it('is told that the login is taken as soon as the account is open, or was closed', async () => {
      const mail = await fixture.startMail();
      await register(person('ada'));
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      await register(person('bob'));
      const admin = await signInAsAdmin(fixture.app);
      await fixture.app.agent.put('/api/user/bob').query({ auth_token: admin }).send({ active: false });
      for (const name of ['ada', 'bob']) {
        expect((await register(person(name))).body.error).to.equal('BACKEND.ERROR.USER.ALREADY_EXISTS');
      }
    });

    it('opens the account when addresses need not be confirmed any more, with the same data only', async () => {
      await fixture.startMail();
      await register(person('ada'));
      await fixture.set({ checkMails: false });
      const taken = { error: 'BACKEND.ERROR.USER.ALREADY_EXISTS', field: 'login' };
      await register(person('ada', { password: 'another secret' })).expect(400, taken);
      await register(person('ada', { email: 'other@example.org' })).expect(400, taken);
      const { status, body } = await register(person('ada'));
      expect([status, body.value?.active]).to.deep.equal([200, true]);
      await signIn(fixture.app, 'ada@example.org', 'secret of ada');
    });

    // In the process only: it waits for the end of a comparison.
    inProcessOnly.it('opens no account that is closed while the password is compared', async () => {
      await fixture.startMail();
      const id = (await register(person('ada'))).body.value._id;
      await fixture.set({ checkMails: false });
      const { users } = fixture.app.model;
      const find = users.findUnconfirmed;
      users.findUnconfirmed = async (fields) => {
        const found = await find(fields);
        await users.updateProfile(id, { active: false });
        return found;
      };
      const { body } = await register(person('ada'));
      expect(body.error).to.equal('BACKEND.ERROR.USER.ALREADY_EXISTS');
      expect((await users.get(id))?.closed).to.equal(true);
    });

    it('sends the owner of the address another mail, and the answer is the same', async () => {
      const mail = await fixture.startMail();
      await register(person('victim'));
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      const body = person('curious', { email: 'victim@example.org' });
      const first = await register(body);
      const second = await register(body);
      expect(second.body).to.deep.equal(first.body);
      for (const received of [await mail.next(), await mail.next()]) {
        expect(received.to).to.deep.equal(['victim@example.org']);
        expect(received.subject).to.include('You already have an account');
        expect(received.text).not.to.match(/[0-9a-f]{64}|curious/);
      }
    });

    it('gets a link that works when the address has become free', async () => {
      const mail = await fixture.startMail();
      await register(person('victim'));
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      const body = person('curious', { email: 'victim@example.org' });
      await register(body);
      await mail.next();
      const admin = await signInAsAdmin(fixture.app);
      await fixture.app.agent.delete('/api/user/victim').query({ auth_token: admin });
      await register(body);
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      await signIn(fixture.app, 'victim@example.org', 'secret of curious');
    });

    it('fails when mail is down, keeps the account, and works later', async () => {
      const mail = await fixture.startMail();
      await register(person('ada'));
      const token = tokenIn(await mail.next(), 'accountconfirm');
      await fixture.pointMailAt(await closedPort());
      const links = await fixture.links();
      expect((await register(person('ada'))).body).to.deep.equal(unavailable);
      expect(await fixture.links()).to.deep.equal(links);
      const later = await fixture.startMail();
      expect((await register(person('ada'))).status).to.equal(200);
      tokenIn(await later.next(), 'accountconfirm');
      expect((await confirm(token)).status).to.equal(200);
    });

    it('many times at once makes one account, and none when its mail fails', async () => {
      const mail = await fixture.startMail();
      const many = (name: string) => Promise.all(Array.from({ length: 9 }, () => register(person(name))));
      for (const { status, body } of await many('ada')) {
        if (status !== 200) expect(body).to.deep.equal({ error: 'BACKEND.ERROR.SERVER.BUSY' });
      }
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      await signIn(fixture.app, 'ada', 'secret of ada');
      await fixture.pointMailAt(await closedPort());
      for (const { status } of await many('half')) expect(status).to.equal(503);
      expect(await fixture.app.model.users.find('half')).to.equal(undefined);
    });

    it('has a log message of its own', async () => {
      await fixture.startMail();
      await register(person('ada'));
      await register(person('ada'));
      const messages = (await fixture.app.lines()).map(({ message }) => message);
      expect(messages.filter((one) => one === 'account created')).to.have.length(1);
      expect(messages.filter((one) => one === 'confirmation mail sent again')).to.have.length(1);
    });
  });
});
