import { expect } from 'chai';
import { useAdministrator } from '../support/administrators';
import { startApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import { chooseCas } from '../support/signInServices';
import type { TestSmtpServer } from '../support/smtpServer';

const bob = { login: 'bob', email: 'bob@example.org', firstname: 'Bob' };

describe('accounts and folders that administrators make for others', () => {
  const { app, admin } = useAdministrator();

  describe('without a password', () => {
    let mail: TestSmtpServer;
    beforeEach(async () => {
      mail = await startMailFor(app);
    });
    afterEach(() => mail.close());

    it('are active, and open with the password that is chosen by the mailed link', async () => {
      const { status, body } = await admin('post', 'user', { ...bob, invite: true });
      expect([status, body.value.active]).to.deep.equal([200, true]);
      const { to, text } = await mail.next();
      expect([to].flat().join()).to.include('bob@example.org');
      expect(text)
        .to.match(/7 days/)
        .and.to.match(/passrecover\/[0-9a-f]{64}/);
      for (const password of ['', 'null', 'anything']) {
        const refused = await callerOf(app)('post', 'auth/login', { login: 'bob', password });
        expect(refused.status).to.equal(400);
      }
      const token = /[0-9a-f]{64}/.exec(text)?.[0];
      const chosen = { password: 'a password of bob', passwordConfirm: 'a password of bob' };
      expect((await callerOf(app)('put', `passrecover/${token}`, chosen)).status).to.equal(200);
      await signIn(app, 'bob', 'a password of bob');
    });

    it('are not made where the mail cannot be sent', async () => {
      await app.model.configuration.set('SMTPPort', 1);
      const { status, body } = await admin('post', 'user', { ...bob, invite: true });
      expect([status, body.error]).to.deep.equal([503, 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE']);
      expect((await admin('get', 'user/bob')).status).to.equal(404);
    });
  });

  it('are not made without a password where mail is not set up, or another service checks passwords', async () => {
    const order = () => admin('post', 'user', { ...bob, invite: true });
    expect((await order()).status).to.equal(501);
    await chooseCas(app.model.configuration.set);
    expect((await order()).body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
    expect((await admin('get', 'user/bob')).status).to.equal(404);
  });

  it('need a password or an invitation, and not both', async () => {
    const none = await admin('post', 'user', bob);
    expect([none.status, none.body.field]).to.deep.equal([400, 'password']);
    const both = await admin('post', 'user', { ...bob, password: 'secret of bob', invite: true });
    expect([both.status, both.body.field]).to.deep.equal([400, 'invite']);
  });

  it('are for administrators only', async () => {
    const ada = await buildUser(app);
    for (const token of [undefined, ada.token]) {
      for (const more of [{ invite: true }, { password: 'secret of bob', ifExists: 'answer' }]) {
        const { status, body } = await callerOf(app, token)('post', 'user', { ...bob, ...more });
        expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN']);
      }
    }
    const group = await callerOf(app, ada.token)('post', 'group', { name: 'Mine', ifExists: 'answer' });
    expect([group.status, group.body.error]).to.deep.equal([400, 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN']);
    const guest = await callerOf(app)('post', 'group', { name: 'Mine', ifExists: 'answer' });
    expect(guest.status).to.equal(401);
  });

  it('can be requested again, and the answer has what exists already', async () => {
    const order = (more = {}) =>
      admin('post', 'user', { ...bob, password: 'secret of bob', ifExists: 'answer', ...more });
    const answers = await Promise.all([order(), order(), order()]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(answers.filter(({ body }) => body.made)).to.have.length(1);
    const again = await order({ firstname: 'Robert', password: 'another secret' });
    expect([again.body.made, again.body.value.firstname]).to.deep.equal([false, 'Bob']);
    await signIn(app, 'bob', 'secret of bob');
    for (const more of [{ email: 'other@example.org' }, { login: 'bobby' }, { ifExists: 'refuse' }]) {
      expect((await order(more)).body.error).to.match(/ALREADY_EXISTS$/);
    }
  });

  it('need a login that is no link, but find an older account that has one', async () => {
    const linked = { ...bob, login: 'school/bob', password: 'secret of bob', ifExists: 'answer' };
    expect((await admin('post', 'user', linked)).body).to.include({
      error: 'BACKEND.ERROR.TYPE.LOGIN_STR',
      field: 'login',
    });
    await app.model.users.register({ ...bob, login: 'school/bob', password: 'secret of bob', active: true });
    const { body } = await admin('post', 'user', linked).expect(200);
    expect([body.made, body.value.login]).to.deep.equal([false, 'school/bob']);
  });

  it('take logins and addresses for a folder, and name those that have no account', async () => {
    const ada = await buildUser(app, { login: 'ada', email: 'ada@example.org' });
    const eve = await buildUser(app, { login: 'eve' });
    const order = (more: object) => admin('post', 'group', { name: 'Class', ...more });
    for (const name of ['ada', 'ada@example.org', ada.id]) {
      const { body } = await order({ admin: name, users: ['eve'] });
      expect([body.value.admins, body.value.users], name).to.deep.equal([[ada.id], [eve.id]]);
    }
    for (const more of [{ admin: 'nobody' }, { admin: 'ada', users: ['eve', 'nobody'] }]) {
      const { status, body } = await order(more);
      expect([status, body.error, body.key]).to.deep.equal([
        400,
        'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND',
        'nobody',
      ]);
    }
  });

  it('can be requested again as folders', async () => {
    await buildUser(app, { login: 'ada' });
    const order = (more = {}) =>
      admin('post', 'group', { name: 'Class', admin: 'ada', ifExists: 'answer', ...more });
    const answers = await Promise.all([order(), order(), order()]);
    expect(new Set(answers.map(({ body }) => body.key)).size).to.equal(1);
    expect(answers.filter(({ body }) => body.made)).to.have.length(1);
    expect((await order({ visibility: 'public' })).body.value.visibility).to.equal('restricted');
    expect((await order({ ifExists: 'refuse' })).body.key).not.to.equal(answers[0]?.body.key);
  });

  it('are not rate-limited, and neither are their mails', async () => {
    const narrow = await startApp({ limitFactor: 0.2 });
    const call = callerOf(narrow, await signInAsAdmin(narrow));
    for (let number = 0; number < 25; number += 1) {
      const login = `pupil${number}`;
      const made = await call('post', 'user', {
        login,
        password: `secret of ${login}`,
        email: `${login}@a.org`,
      });
      expect(made.status).to.equal(200);
      expect((await call('post', 'group', { name: 'Class', admin: login })).status).to.equal(200);
      // 501, because mail is not set up. A reached limit would answer 429 before that.
      expect((await call('post', 'passrecover', { email: `${login}@a.org` })).status).to.equal(501);
    }
    await narrow.close();
  });
});
