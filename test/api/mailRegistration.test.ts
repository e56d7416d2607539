import { expect } from 'chai';
import { type TestApp, temporaryFolder } from '../support/app';
import { signIn, signInAsAdmin } from '../support/factories';
import {
  incorrect,
  type MailFixture,
  openMailFixture,
  person,
  root,
  tokenIn,
  unavailable,
} from '../support/mailFixture';
import { closedPort, type TestSmtpServer } from '../support/smtpServer';

describe('a registration where addresses are confirmed', () => {
  let fixture: MailFixture;
  let app: TestApp;
  beforeEach(async () => {
    fixture = await openMailFixture();
    app = fixture.app;
    await fixture.set({ checkMails: true });
  });
  afterEach(() => fixture.close());

  const register = (body: object) => fixture.register(body);
  const login = (name: string, password: string) => fixture.login(name, password);
  const confirm = (token: unknown) => fixture.confirm(token);
  const recover = (email: unknown) => fixture.recover(email);
  const complete: MailFixture['complete'] = (...given) => fixture.complete(...given);

  it('sends a link, and only this link activates the account', async () => {
    const mail = await fixture.startMail();
    const answer = await register(person('ada', { lang: 'fr' }));
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.include({ success: true, key: 'ada' });
    expect(answer.body.value).to.include({ login: 'ada', email: 'ada@example.org', active: false });
    const early = await login('ada', 'secret of ada');
    expect(early.status).to.equal(401);
    expect(early.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    const letter = await mail.next();
    expect(letter.to).to.deep.equal(['ada@example.org']);
    expect(letter.headers['content-language']).to.equal('fr');
    const token = tokenIn(letter, 'accountconfirm');
    expect((await confirm(token)).body).to.deep.equal({ success: true, login: 'ada' });
    expect((await login('ada', 'secret of ada')).status).to.equal(200);
    const again = await confirm(token);
    expect(again.status).to.equal(400);
    expect(again.body).to.deep.equal({ error: 'BACKEND.ERROR.TOKEN.INCORRECT' });
  });

  it('fails at once when mail is not set up, and leaves no account', async () => {
    const answer = await register(person('half'));
    expect(answer.status).to.equal(501);
    expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED' });
    await fixture.startMail();
    await fixture.set({ rootUrl: '' });
    const rootless = await register(person('half'));
    expect(rootless.status).to.equal(501);
    expect(rootless.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    expect(await app.model.users.find('half')).to.equal(undefined);
  });

  it('fails when mail is down, stores nothing, and works when tried again (A4)', async () => {
    await fixture.pointMailAt(await closedPort());
    const before = await app.ports.database.findKeys('mypads:*', null);
    const answer = await register(person('half'));
    expect(answer.status).to.equal(503);
    expect(answer.body).to.deep.equal(unavailable);
    const after = await app.ports.database.findKeys('mypads:*', null);
    expect(after.filter((key) => !before.includes(key))).to.deep.equal([]);
    const mail = await fixture.startMail();
    expect((await register(person('half'))).status).to.equal(200);
    await confirm(tokenIn(await mail.next(), 'accountconfirm'));
    expect((await login('half', 'secret of half')).status).to.equal(200);
  });

  it('fails when the mail server does not know the address', async () => {
    await fixture.startMail({ refuse: { at: 'recipient', code: 550, reply: '5.1.1 nobody' } });
    const answer = await register(person('half'));
    expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.TO_MAIL' });
    expect(await app.model.users.find('half')).to.equal(undefined);
  });

  it('by an administrator makes an active account, without mail', async () => {
    const admin = await signInAsAdmin(app);
    const made = await register({ ...person('given'), auth_token: admin });
    expect(made.body.value.active).to.equal(true);
    expect((await login('given', 'secret of given')).status).to.equal(200);
  });

  describe('with an address that has an account', () => {
    /** A person with an open account, and the address in another letter case. */
    async function known(mail: TestSmtpServer): Promise<string> {
      await register(person('victim', { lang: 'de' }));
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      return 'Victim@Example.org';
    }
    const shapeOf = (answer: { status: number; body: { value: Record<string, unknown> } }): unknown => ({
      status: answer.status,
      ...answer.body,
      value: { ...answer.body.value, _id: typeof answer.body.value._id, ctime: 0 },
    });

    it('answers as for any other, and tells the owner by mail', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      const taken = await register(person('curious', { email }));
      const letter = await mail.next();
      const free = await register(person('curious2', { email: 'free@example.org' }));
      await mail.next();
      const same = (text: string): string =>
        text.replace(/curious2/g, 'curious').replace('free@example.org', email);
      expect(JSON.parse(same(JSON.stringify(shapeOf(free))))).to.deep.equal(shapeOf(taken));
      expect(letter.to).to.deep.equal(['victim@example.org']);
      expect(letter.headers['content-language']).to.equal('de');
      expect(letter.subject).to.include('Sie haben schon ein Konto');
      expect(letter.text).to.include('„victim“').and.to.include(`\n${root}/mypads/index.html?/passrecover\n`);
      expect(letter.text).not.to.include('curious');
    });

    it('does the same work before it answers, so that the time reveals nothing', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      const work = (body: object) => fixture.workOf(() => register(body).expect(200), mail);
      const free = await work(person('curious', { email: 'free@example.org' }));
      expect(free.filter((name) => name === 'hash' || name === 'mail')).to.deep.equal(['hash', 'mail']);
      expect(await work(person('curious2', { email }))).to.deep.equal(free);
      const again = await work(person('curious', { email: 'free@example.org' }));
      expect(again.filter((name) => name === 'compare' || name === 'mail')).to.deep.equal([
        'compare',
        'mail',
      ]);
      expect(await work(person('curious2', { email }))).to.deep.equal(again);
    });

    it('makes an account like any other once an administrator gives it another address', async () => {
      const mail = await fixture.startMail();
      await register(person('curious', { email: await known(mail) }));
      const admin = await signInAsAdmin(app);
      const changed = await app.agent
        .put('/api/user/curious')
        .query({ auth_token: admin })
        .send({ email: 'curious@example.org', active: true });
      expect(changed.status).to.equal(200);
      expect((await login('curious@example.org', 'secret of curious')).status).to.equal(200);
      expect(await app.model.users.get(changed.body.value._id)).not.to.have.property('addressTaken', true);
      expect((await login('victim@example.org', 'secret of victim')).status).to.equal(200);
    });

    it('makes an account that administrators cannot activate while another has the address, and they see why', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      await register(person('curious', { email }));
      const auth_token = await signInAsAdmin(app);
      const change = (name: string, body: object) =>
        app.agent.put(`/api/user/${name}`).query({ auth_token }).send(body);
      const { body: shown } = await app.agent.get('/api/user/curious').query({ auth_token });
      expect(shown.value).to.include({ active: false, closed: false, unconfirmed: true, addressTaken: true });
      for (const body of [{ active: true }, { active: true, email }, { ...shown.value, active: true }]) {
        const refused = await change('curious', body);
        expect(refused.body, JSON.stringify(body)).to.include({
          error: 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
          field: 'email',
        });
      }
      expect((await login('curious', 'secret of curious')).status).to.equal(401);
      // Closing and any other change are none of the address.
      expect((await change('curious', { firstname: 'C' })).status).to.equal(200);
      const closed = (await change('curious', { active: false })).body.value;
      expect(closed).to.include({ closed: true, unconfirmed: false, addressTaken: true });
      const open = (await app.agent.get('/api/user/victim').query({ auth_token })).body.value;
      expect(open).to.include({ active: true, closed: false, unconfirmed: false, addressTaken: false });
    });

    it('gets the address when it has become free; of several registrations only one does', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      const names = ['curious', 'curious2', 'curious3'];
      for (const name of names) await register(person(name, { email }));
      const auth_token = await signInAsAdmin(app);
      await app.agent.put('/api/user/victim').query({ auth_token }).send({ email: 'moved@example.org' });
      const answers = await Promise.all(
        names.map((name) => app.agent.put(`/api/user/${name}`).query({ auth_token }).send({ active: true })),
      );
      const opened = answers.filter(({ status }) => status === 200);
      expect(opened).to.have.length(1);
      const { value } = opened[0]?.body ?? {};
      expect(value).to.include({ active: true, addressTaken: false, email });
      const signedIn = await login(email, `secret of ${value.login}`);
      expect(signedIn.body.user.login).to.equal(value.login);
    });

    it('shows people nothing about the state of their account', async () => {
      const mail = await fixture.startMail();
      await known(mail);
      const { body } = await login('victim@example.org', 'secret of victim');
      const own = await app.agent.get('/api/user/victim').query({ auth_token: body.token });
      expect(own.body.value).not.to.have.any.keys('closed', 'unconfirmed', 'addressTaken');
    });

    it('makes an account that behaves like any other that is not confirmed', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      await register(person('curious', { email }));
      await register(person('curious2', { email: 'free@example.org' }));
      for (const name of ['curious', 'curious2']) {
        const entered = await login(name, `secret of ${name}`);
        expect(entered.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
        expect((await register(person(name, { email: 'other@example.org' }))).body.error).to.equal(
          'BACKEND.ERROR.USER.ALREADY_EXISTS',
        );
      }
      const answers = await Promise.all([
        register(person('third', { email })),
        register(person('fourth', { email: 'free@example.org' })),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    });

    it('changes nothing for the owner of the address', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      const before = await app.model.users.findByEmail('victim@example.org');
      await register(person('curious', { email, password: 'of the curious' }));
      await mail.next();
      expect(await app.model.users.findByEmail('victim@example.org')).to.deep.equal(before);
      expect((await login('victim@example.org', 'of the curious')).status).to.equal(400);
      expect((await login('victim@example.org', 'secret of victim')).status).to.equal(200);
      await recover('victim@example.org');
      await complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
      expect((await login('victim', 'a new secret')).status).to.equal(200);
    });

    it('has the same answer as any other when mail is down', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      await fixture.pointMailAt(await closedPort());
      for (const [name, address] of [
        ['curious', email],
        ['curious2', 'free@example.org'],
      ] as const) {
        expect((await register(person(name, { email: address }))).body).to.deep.equal(unavailable);
        expect(await app.model.users.find(name)).to.equal(undefined);
      }
    });

    it('is refused when the login is taken', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      const answer = await register(person('victim', { email }));
      expect(answer.status).to.equal(400);
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.USER.ALREADY_EXISTS', field: 'login' });
    });

    it('is refused in the same way when an address is sent as login, taken or not', async () => {
      const mail = await fixture.startMail();
      const email = await known(mail);
      for (const name of [email, 'victim@example.org', 'free@example.org']) {
        const answer = await register(person('x', { login: name }));
        expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.LOGIN_STR', field: 'login' });
      }
    });

    it('does not prevent the owner from activating the account with a recovery mail', async () => {
      const mail = await fixture.startMail();
      await register(person('waiting'));
      await mail.next();
      await register(person('second', { email: 'waiting@example.org' }));
      expect((await mail.next()).text).to.include('“waiting”');
      await recover('waiting@example.org');
      await complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
      expect((await login('waiting', 'a new secret')).status).to.equal(200);
    });
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
      await signIn(app, 'ada', 'secret of ada');
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
        // The first comparison of all makes a stand-in to compare with.
        expect(work.filter((name) => name !== 'hash')).to.deep.equal(['compare']);
      }
      expect(mail.letters).to.have.length(1);
    });

    it('is told that the login is taken as soon as the account is open, or was closed', async () => {
      const mail = await fixture.startMail();
      await register(person('ada'));
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      await register(person('bob'));
      const admin = await signInAsAdmin(app);
      await app.agent.put('/api/user/bob').query({ auth_token: admin }).send({ active: false });
      for (const name of ['ada', 'bob']) {
        expect((await register(person(name))).body.error).to.equal('BACKEND.ERROR.USER.ALREADY_EXISTS');
      }
    });

    it('sends the owner of the address another mail, and the answer is the same', async () => {
      const mail = await fixture.startMail();
      await register(person('victim'));
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      const body = person('curious', { email: 'victim@example.org' });
      const first = await register(body);
      const second = await register(body);
      expect(second.body).to.deep.equal(first.body);
      for (const letter of [await mail.next(), await mail.next()]) {
        expect(letter.to).to.deep.equal(['victim@example.org']);
        expect(letter.text)
          .to.include('“victim”')
          .and.not.to.match(/[0-9a-f]{64}/);
      }
    });

    it('gets a link that works when the address has become free', async () => {
      const mail = await fixture.startMail();
      await register(person('victim'));
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      const body = person('curious', { email: 'victim@example.org' });
      await register(body);
      await mail.next();
      const admin = await signInAsAdmin(app);
      await app.agent.delete('/api/user/victim').query({ auth_token: admin });
      await register(body);
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      await signIn(app, 'victim@example.org', 'secret of curious');
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
      await signIn(app, 'ada', 'secret of ada');
      await fixture.pointMailAt(await closedPort());
      for (const { status } of await many('half')) expect(status).to.equal(503);
      expect(await app.model.users.find('half')).to.equal(undefined);
    });

    it('has a log message of its own', async () => {
      await fixture.startMail();
      await register(person('ada'));
      await register(person('ada'));
      const messages = (await app.lines()).map(({ message }) => message);
      expect(messages.filter((one) => one === 'account created')).to.have.length(1);
      expect(messages.filter((one) => one === 'confirmation mail sent again')).to.have.length(1);
    });
  });

  it('still works after a restart', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/dirty.db`;
    try {
      let running = await openMailFixture({ file });
      const mail = await running.startMail();
      await running.set({ checkMails: true });
      await running.register(person('ada'));
      await running.register(person('bob'));
      const tokens = [await mail.next(), await mail.next()].map((one) => tokenIn(one, 'accountconfirm'));
      await running.confirm(tokens[0]);
      await running.close();
      running = await openMailFixture({ file });
      expect((await running.confirm(tokens[0])).body).to.deep.equal(incorrect);
      expect((await running.confirm(tokens[1])).body).to.deep.equal({ success: true, login: 'bob' });
      await running.close();
    } finally {
      folder.remove();
    }
  });
});
