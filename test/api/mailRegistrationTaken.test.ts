import { expect } from 'chai';
import { callerOf } from '../support/caller';
import { signInAsAdmin } from '../support/factories';
import { person, root, tokenIn, unavailable, useMailFixture } from '../support/mailFixture';
import { closedPort, type TestSmtpServer } from '../support/smtpServer';

describe('a registration with an address that has an account, where addresses are confirmed', () => {
  const { fixture, register, login, confirm, recover, complete } = useMailFixture({ checkMails: true });

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
    const received = await mail.next();
    const free = await register(person('curious2', { email: 'free@example.org' }));
    await mail.next();
    const same = (text: string): string =>
      text.replace(/curious2/g, 'curious').replace('free@example.org', email);
    expect(JSON.parse(same(JSON.stringify(shapeOf(free))))).to.deep.equal(shapeOf(taken));
    expect(received.to).to.deep.equal(['victim@example.org']);
    expect(received.headers['content-language']).to.equal('de');
    expect(received.subject).to.include('Sie haben schon ein Konto');
    expect(received.text).to.include(`\n${root}/mypads/index.html?/passrecover\n`);
    expect(received.text).not.to.include('curious');
  });

  it('does the same work before it answers, so that the time reveals nothing', async () => {
    const mail = await fixture.startMail();
    const email = await known(mail);
    const work = (body: object) => fixture.workOf(() => register(body).expect(200), mail);
    const free = await work(person('curious', { email: 'free@example.org' }));
    expect(free.filter((name) => name === 'hash' || name === 'mail')).to.deep.equal(['hash', 'mail']);
    expect(await work(person('curious2', { email }))).to.deep.equal(free);
    const again = await work(person('curious', { email: 'free@example.org' }));
    expect(again.filter((name) => name === 'compare' || name === 'mail')).to.deep.equal(['compare', 'mail']);
    expect(await work(person('curious2', { email }))).to.deep.equal(again);
  });

  it('makes an account like any other once an administrator gives it another address', async () => {
    const mail = await fixture.startMail();
    await register(person('curious', { email: await known(mail) }));
    const admin = await signInAsAdmin(fixture.app);
    const changed = await callerOf(fixture.app, admin)('put', 'user/curious', {
      email: 'curious@example.org',
      active: true,
    });
    expect(changed.status).to.equal(200);
    expect((await login('curious@example.org', 'secret of curious')).status).to.equal(200);
    expect(await fixture.app.model.users.get(changed.body.value._id)).not.to.have.property(
      'addressTaken',
      true,
    );
    expect((await login('victim@example.org', 'secret of victim')).status).to.equal(200);
  });

  it('makes an account that administrators cannot activate while another has the address, and they see why', async () => {
    const mail = await fixture.startMail();
    const email = await known(mail);
    await register(person('curious', { email }));
    const auth_token = await signInAsAdmin(fixture.app);
    const change = (name: string, body: object) =>
      fixture.app.agent.put(`/api/user/${name}`).query({ auth_token }).send(body);
    const { body: shown } = await fixture.app.agent.get('/api/user/curious').query({ auth_token });
    expect(shown.value).to.include({ active: false, closed: false, unconfirmed: true, addressTaken: true });
    for (const body of [{ active: true }, { active: true, email }, { ...shown.value, active: true }]) {
      const refused = await change('curious', body);
      expect(refused.body, JSON.stringify(body)).to.include({
        error: 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
        field: 'email',
      });
    }
    expect((await login('curious', 'secret of curious')).status).to.equal(401);
    // Changes other than opening the account do not need the address.
    expect((await change('curious', { firstname: 'C' })).status).to.equal(200);
    const closed = (await change('curious', { active: false })).body.value;
    expect(closed).to.include({ closed: true, unconfirmed: false, addressTaken: true });
    const open = (await fixture.app.agent.get('/api/user/victim').query({ auth_token })).body.value;
    expect(open).to.include({ active: true, closed: false, unconfirmed: false, addressTaken: false });
  });

  it('gets the address when it has become free; of several registrations only one does', async () => {
    const mail = await fixture.startMail();
    const email = await known(mail);
    const names = ['curious', 'curious2', 'curious3'];
    for (const name of names) await register(person(name, { email }));
    const auth_token = await signInAsAdmin(fixture.app);
    await callerOf(fixture.app, auth_token)('put', 'user/victim', { email: 'moved@example.org' });
    const answers = await Promise.all(
      names.map((name) =>
        fixture.app.agent.put(`/api/user/${name}`).query({ auth_token }).send({ active: true }),
      ),
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
    const own = await fixture.app.agent.get('/api/user/victim').query({ auth_token: body.token });
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
    const before = await fixture.app.model.users.findByEmail('victim@example.org');
    await register(person('curious', { email, password: 'of the curious' }));
    await mail.next();
    expect(await fixture.app.model.users.findByEmail('victim@example.org')).to.deep.equal(before);
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
      expect(await fixture.app.model.users.find(name)).to.equal(undefined);
    }
  });

  it('is refused when the login is taken', async () => {
    const mail = await fixture.startMail();
    const email = await known(mail);
    const answer = await register(person('victim', { email }));
    expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.USER.ALREADY_EXISTS', field: 'login' });
    expect(mail.received).to.have.length(1);
  });

  it('does not prevent the owner from activating the account with a recovery mail', async () => {
    const mail = await fixture.startMail();
    await register(person('waiting'));
    await mail.next();
    await register(person('second', { email: 'waiting@example.org' }));
    await mail.next();
    await recover('waiting@example.org');
    await complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
    expect((await login('waiting', 'a new secret')).status).to.equal(200);
  });

  it('opens the account whose link is opened first, if nobody has confirmed the address before', async () => {
    const mail = await fixture.startMail();
    const tokens: string[] = [];
    for (const name of ['stranger', 'owner', 'third']) {
      await register(person(name, { email: 'owner@example.org' }));
      tokens.push(tokenIn(await mail.next(), 'accountconfirm'));
    }
    const [first, second, third] = tokens;
    expect((await confirm(second)).body).to.deep.equal({ success: true, login: 'owner' });
    for (const late of [first, third])
      expect((await confirm(late)).body.error).to.equal('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS');
    expect((await login('owner@example.org', 'secret of owner')).body.user.login).to.equal('owner');
    const { error } = (await login('stranger', 'secret of stranger')).body;
    expect(error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
  });
});
