import { expect } from 'chai';
import { callerOf } from '../support/caller';
import { type EmailChange, startEmailChange } from '../support/emailChange';
import { signIn, signInAsAdmin, type TestUser } from '../support/factories';
import { incorrect, type MailFixture, root, tokenIn, unavailable } from '../support/mailFixture';
import { closedPort, type TestSmtpServer } from '../support/smtpServer';

const wrongPassword = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';

describe('a new address that is not confirmed yet', () => {
  let fixture: MailFixture;
  let mail: TestSmtpServer;
  let user: TestUser;
  let fresh: string;
  let requestChange: EmailChange['requestChange'];
  let requestedToken: EmailChange['requestedToken'];
  beforeEach(async () => {
    ({ fixture, mail, user, fresh, requestChange, requestedToken } = await startEmailChange());
  });
  afterEach(() => fixture.close());

  it('is mailed again when it is saved again; the first link that is opened ends the others', async () => {
    const first = await requestedToken();
    expect((await fixture.change(user, { email: fresh })).body.value.pendingEmail).to.equal(fresh);
    const second = tokenIn(await mail.next(), 'accountconfirm');
    await fixture.app.model.jobs.idle();
    expect(mail.received, 'no second notice').to.have.length(3);
    expect(second).not.to.equal(first);
    expect((await fixture.confirm(first)).status).to.equal(200);
    expect((await fixture.confirm(second)).body).to.deep.equal(incorrect);
    expect((await fixture.confirm(first)).body).to.deep.equal(incorrect);
  });

  it('is withdrawn by saving the old address, without a password', async () => {
    const token = await requestedToken();
    const back = await fixture.change(user, { email: user.email, currentPassword: undefined });
    expect(back.status).to.equal(200);
    expect(back.body.value).to.deep.equal(user.value);
    expect((await fixture.confirm(token)).body).to.deep.equal(incorrect);
    expect((await fixture.own(user)).email).to.equal(user.email);
  });

  it('is replaced by a later one', async () => {
    const first = await requestedToken();
    const second = await requestedToken(`later.${user.email}`);
    expect((await fixture.confirm(first)).body).to.deep.equal(incorrect);
    expect((await fixture.confirm(second)).status).to.equal(200);
    expect((await fixture.own(user)).email).to.equal(`later.${user.email}`);
  });

  it('stays pending when a client sends back the whole account with another change', async () => {
    const { answer } = await requestChange();
    const sent = { ...answer.body.value, firstname: 'Ada', currentPassword: undefined };
    const saved = await fixture.change(user, sent);
    expect(saved.status, saved.text).to.equal(200);
    expect(await fixture.own(user)).to.deep.equal({ ...answer.body.value, firstname: 'Ada' });
  });

  it('stays pending when other fields of the profile change', async () => {
    const token = await requestedToken();
    expect((await fixture.change(user, { organization: 'X' })).body.value.pendingEmail).to.equal(fresh);
    expect((await fixture.confirm(token)).status).to.equal(200);
  });

  describe('and a new password', () => {
    const gone = async (token: string, password: string): Promise<void> => {
      expect((await fixture.confirm(token)).body).to.deep.equal(incorrect);
      const { token: session } = await signIn(fixture.app, user.login, password);
      expect(await fixture.own({ ...user, token: session })).to.deep.equal(user.value);
    };

    it('of the person: it is discarded', async () => {
      const token = await requestedToken();
      await fixture.change(user, { password: 'a new secret' });
      await gone(token, 'a new secret');
    });

    it('by a mailed link: it is discarded', async () => {
      const token = await requestedToken();
      await fixture.recover(user.email);
      await fixture.complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
      await gone(token, 'a new secret');
    });

    it('of an administrator: it is discarded', async () => {
      const token = await requestedToken();
      const admin = await signInAsAdmin(fixture.app);
      await callerOf(fixture.app, admin)('put', `user/${user.login}`, { password: 'a new secret' });
      await gone(token, 'a new secret');
    });

    it('in the same call: it stays pending', async () => {
      const before = await requestedToken();
      await fixture.change(user, { email: fresh, password: 'a new secret' });
      const token = tokenIn(await mail.next(), 'accountconfirm');
      expect((await fixture.confirm(before)).body).to.deep.equal(incorrect);
      expect((await fixture.confirm(token)).status).to.equal(200);
      await signIn(fixture.app, fresh, 'a new secret');
    });

    it('while the mail is being sent: it is refused', async () => {
      let taken = false;
      const slow = await fixture.startMail({
        async hold() {
          if (taken) return;
          taken = true;
          const admin = await signInAsAdmin(fixture.app);
          await callerOf(fixture.app, admin)('put', `user/${user.login}`, { password: 'a new secret' });
        },
      });
      const answer = await fixture.change(user, { email: fresh });
      expect(answer.body).to.deep.equal({ error: wrongPassword, field: 'currentPassword' });
      expect((await fixture.stored(user.id))?.pendingEmail).to.equal(undefined);
      expect((await fixture.confirm(tokenIn(await slow.next(), 'accountconfirm'))).body).to.deep.equal(
        incorrect,
      );
    });
  });

  it('is discarded when an administrator sets an address, which is used at once without mail', async () => {
    const token = await requestedToken();
    const admin = await signInAsAdmin(fixture.app);
    const byAdmin = (body: object) =>
      fixture.app.agent.put(`/api/user/${user.login}`).query({ auth_token: admin }).send(body);
    expect((await byAdmin({ firstname: 'X' })).body.value.pendingEmail).to.equal(fresh);
    const given = await byAdmin({ email: `given.${user.email}` });
    expect(given.body.value).to.deep.include({
      ...user.value,
      firstname: 'X',
      email: `given.${user.email}`,
    });
    await signIn(fixture.app, `given.${user.email}`, user.password);
    expect((await fixture.confirm(token)).body).to.deep.equal(incorrect);
    await fixture.app.model.jobs.idle();
    expect(mail.received).to.have.length(2);
  });

  it('cannot be confirmed while the account is closed, but after it is opened again', async () => {
    const token = await requestedToken();
    const admin = await signInAsAdmin(fixture.app);
    const setActive = (active: boolean) =>
      fixture.app.agent.put(`/api/user/${user.login}`).query({ auth_token: admin }).send({ active });
    await setActive(false);
    expect((await fixture.confirm(token)).body).to.deep.equal(incorrect);
    await setActive(true);
    expect((await fixture.confirm(token)).status).to.equal(200);
  });

  it('has a link that expires and works for nothing else', async () => {
    await fixture.set({ tokenDuration: 5 });
    const token = await requestedToken();
    expect((await fixture.complete(token, 'a new secret')).body).to.deep.equal(incorrect);
    fixture.app.ports.advance(5 * 60_000);
    expect((await fixture.confirm(token)).body).to.deep.equal({ error: 'BACKEND.ERROR.TOKEN.EXPIRED' });
    expect((await fixture.own(user)).pendingEmail).to.equal(fresh);
    await fixture.change(user, { email: fresh });
    expect((await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'))).status).to.equal(200);
  });

  describe('when mail does not work', () => {
    it('nothing of the call is stored, and it can be repeated', async () => {
      const before = await fixture.stored(user.id);
      await fixture.pointMailAt(await closedPort());
      const body = { email: fresh, firstname: 'Half', password: 'a new secret' };
      const answer = await fixture.change(user, body);
      expect(answer.body).to.deep.equal(unavailable);
      expect(await fixture.stored(user.id)).to.deep.equal(before);
      expect(await fixture.links()).to.deep.equal([]);
      mail = await fixture.startMail();
      await fixture.change(user, body);
      expect((await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'))).status).to.equal(200);
      await signIn(fixture.app, fresh, 'a new secret');
    });

    it('an earlier pending address and its link stay', async () => {
      const token = await requestedToken();
      await fixture.pointMailAt(await closedPort());
      for (const email of [fresh, `later.${user.email}`]) {
        expect((await fixture.change(user, { email })).body).to.deep.equal(unavailable);
      }
      expect((await fixture.own(user)).pendingEmail).to.equal(fresh);
      expect((await fixture.confirm(token)).status).to.equal(200);
    });

    it('the answer says that mail is not set up, or that the address does not exist', async () => {
      await fixture.set({ SMTPHost: '' });
      const unset = await fixture.change(user, { email: fresh });
      expect(unset.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
      await fixture.startMail();
      await fixture.set({ rootUrl: '' });
      const rootless = await fixture.change(user, { email: fresh });
      expect(rootless.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
      await fixture.set({ rootUrl: root });
      await fixture.startMail({ refuse: { at: 'recipient', code: 550, reply: '5.1.1 nobody' } });
      const nobody = await fixture.change(user, { email: fresh });
      expect(nobody.body.error).to.equal('BACKEND.ERROR.TYPE.TO_MAIL');
      expect(await fixture.own(user)).to.deep.equal(user.value);
    });

    it('the rest of a profile that a client sends whole is still changed', async () => {
      await fixture.set({ SMTPHost: '' });
      const whole = { ...user.value, organization: 'X', currentPassword: undefined };
      expect((await fixture.change(user, whole)).body.value).to.deep.equal({
        ...user.value,
        organization: 'X',
      });
    });
  });
});
