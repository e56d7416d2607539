import { expect } from 'chai';
import { mailName } from '../../model/accounts/nameRecords';
import { startApp, temporaryFolder } from '../support/app';
import { callerOf } from '../support/caller';
import { type EmailChange, startEmailChange } from '../support/emailChange';
import { buildGroup, buildUser, signIn, signInAsAdmin, type TestUser } from '../support/factories';
import { type MailFixture, openMailFixture, root, tokenIn } from '../support/mailFixture';
import { inProcessOnly } from '../support/network';
import { casSettings } from '../support/signInServices';
import type { TestSmtpServer } from '../support/smtpServer';

const wrongPassword = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';

describe('another address for one’s own account, where addresses are confirmed', () => {
  let fixture: MailFixture;
  let mail: TestSmtpServer;
  let user: TestUser;
  let fresh: string;
  let requestChange: EmailChange['requestChange'];
  let requestedToken: EmailChange['requestedToken'];
  let buildFriend: EmailChange['buildFriend'];
  beforeEach(async () => {
    ({ fixture, mail, user, fresh, requestChange, requestedToken, buildFriend } = await startEmailChange());
  });
  afterEach(() => fixture.close());

  it('is used after its mailed link was opened; until then the old address is used', async () => {
    const { answer, received } = await requestChange();
    expect(answer.body.value).to.deep.equal({ ...user.value, pendingEmail: fresh });
    expect(received.to).to.deep.equal([fresh]);
    expect(received.headers['content-language']).to.equal('de');
    expect(received.subject).to.include('neue E-Mail-Adresse bestätigen');
    expect((await fixture.login(fresh, user.password)).status).to.equal(400);
    await signIn(fixture.app, user.email, user.password);
    const confirmed = await fixture.confirm(tokenIn(received, 'accountconfirm'));
    expect(confirmed.body).to.deep.equal({ success: true, login: user.login });
    expect(await fixture.own(user)).to.deep.equal({ ...user.value, email: fresh });
    await signIn(fixture.app, fresh, user.password);
    expect((await fixture.login(user.email, user.password)).status).to.equal(400);
    await fixture.set({ checkMails: false });
    await buildUser(fixture.app, { email: user.email });
  });

  it('is used also when somebody has registered with it and not confirmed it', async () => {
    const stranger = { login: 'stranger', password: 'secret of stranger', email: fresh };
    await fixture.register(stranger).expect(200);
    const theirs = tokenIn(await mail.next(), 'accountconfirm');
    const { received } = await requestChange();
    expect((await fixture.confirm(tokenIn(received, 'accountconfirm'))).body).to.include({ success: true });
    await signIn(fixture.app, fresh, user.password);
    expect((await fixture.confirm(theirs)).body.error).to.equal('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS');
  });

  it('is announced to the old address, with what to do against it', async () => {
    const { notice } = await requestChange();
    expect(notice.to).to.deep.equal([user.email]);
    expect(notice.subject).to.include('Ihre E-Mail-Adresse soll sich ändern');
    expect(notice.text).to.include(fresh).and.to.include(`\n${root}/mypads/index.html?/passrecover\n`);
    expect(notice.text).not.to.match(/[0-9a-f]{64}/);
  });

  it('does not lead to the account before it is confirmed', async () => {
    await fixture.set({ mailWhenAdded: false });
    await requestChange();
    const friend = await buildFriend();
    const group = await buildGroup(fixture.app, friend);
    const invited = await callerOf(fixture.app, friend.token)('post', 'group/invite', {
      gid: group._id,
      invite: true,
      loginsOrEmails: [fresh, user.email],
    });
    expect(invited.body).to.deep.include({ present: [user.email], absent: [fresh] });
    const people: Record<string, { email?: string }> = invited.body.users;
    expect(people[user.id]?.email).to.equal(user.email);
    await fixture.recover(fresh);
    await fixture.app.model.jobs.idle();
    expect(mail.received).to.have.length(2);
  });

  it('needs the current password', async () => {
    const before = await fixture.stored(user.id);
    for (const currentPassword of ['wrong', '', undefined]) {
      const answer = await fixture.change(user, { email: fresh, currentPassword });
      expect(answer.body).to.deep.equal({ error: wrongPassword, field: 'currentPassword' });
    }
    expect(await fixture.stored(user.id)).to.deep.equal(before);
    expect(mail.connections()).to.equal(0);
  });

  it('can be sent with the rest of a profile, which changes at once', async () => {
    const { answer } = await requestChange(fresh, { firstname: 'Ada', color: '#123456' });
    expect(answer.body.value).to.deep.include({ firstname: 'Ada', color: '#123456', email: user.email });
  });

  it('is refused with the rest when something is wrong, and no mail is sent', async () => {
    const before = await fixture.stored(user.id);
    for (const [body, error] of [
      [{ email: 'nowhere', firstname: 'X' }, 'BACKEND.ERROR.TYPE.MAIL'],
      [{ email: fresh, password: 'short' }, 'BACKEND.ERROR.TYPE.PASSWORD_SIZE'],
      [{ email: fresh, password: 'long enough', passwordConfirm: 'other' }, 'USER.ERR.PASSWORD_MISMATCH'],
    ] as const) {
      expect((await fixture.change(user, body)).body.error).to.equal(error);
    }
    expect(await fixture.stored(user.id)).to.deep.equal(before);
    expect(mail.connections()).to.equal(0);
  });

  describe('of somebody else', () => {
    it('gets the same answer; the owner keeps it and gets a mail', async () => {
      const owner = await buildFriend({ lang: 'fr' });
      const typed = owner.email.toUpperCase();
      const taken = await requestChange(typed);
      const free = await requestChange();
      expect(taken.answer.body).to.deep.equal({
        ...free.answer.body,
        value: { ...free.answer.body.value, pendingEmail: typed },
      });
      expect(taken.received.to).to.deep.equal([owner.email]);
      expect(taken.received.headers['content-language']).to.equal('fr');
      expect(taken.received.subject).to.include('est déjà liée à un compte');
      expect(taken.received.text).not.to.include(user.login);
      expect(taken.received.text).not.to.match(/[0-9a-f]{64}/);
      expect(taken.notice.to).to.deep.equal([user.email]);
      await signIn(fixture.app, owner.email, owner.password);
      expect((await fixture.own(owner)).email).to.equal(owner.email);
    });

    it('that is the login of somebody else gets the same answer too', async () => {
      const other = `login.${user.email}`;
      // As a directory or an earlier version may have created it.
      const password = 'secret of the owner';
      await fixture.app.model.users.register({ login: other, email: fresh, password, active: true });
      const { answer, received } = await requestChange(other);
      expect(answer.body.value.pendingEmail).to.equal(other);
      expect(received.to).to.deep.equal([other]);
      expect(received.subject).to.include('already has an account');
      await signIn(fixture.app, other, password);
    });

    // In the process only: from outside, the work before the answer cannot be told from the mail that follows it.
    inProcessOnly.it('takes the same work before the answer, so that the time reveals nothing', async () => {
      const owner = await buildFriend();
      const work = async (email: string): Promise<string[]> => {
        const done = await fixture.workOf(() => fixture.change(user, { email }).expect(200), mail);
        await fixture.app.model.jobs.idle();
        return done;
      };
      const free = await work(fresh);
      expect(free.filter((name) => name === 'compare')).to.have.length(1);
      expect(free.filter((name) => name === 'set')).to.have.length(3);
      expect(await work(owner.email)).to.deep.equal(free);
    });

    it('is refused when the link is opened, and works once the address is free', async () => {
      const token = await requestedToken();
      const rival = await buildFriend({ email: fresh });
      const late = await fixture.confirm(token);
      expect(late.body).to.deep.equal({
        error: 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
        field: 'email',
      });
      await signIn(fixture.app, user.email, user.password);
      await signIn(fixture.app, fresh, rival.password);
      const admin = await signInAsAdmin(fixture.app);
      await fixture.app.agent.delete(`/api/user/${rival.login}`).query({ auth_token: admin });
      expect((await fixture.confirm(token)).status).to.equal(200);
      await signIn(fixture.app, fresh, user.password);
    });
  });

  it('that two people request goes to the one who confirms first', async () => {
    const token = await requestedToken();
    const rival = await buildFriend();
    await fixture.change(rival, { email: fresh });
    const other = tokenIn(await mail.next(), 'accountconfirm');
    const answers = await Promise.all([fixture.confirm(token), fixture.confirm(other)]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    const winner = answers[0]?.status === 200 ? user : rival;
    await signIn(fixture.app, fresh, winner.password);
  });

  it('is confirmed only once when twenty open the link at the same moment', async () => {
    const token = await requestedToken();
    const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.confirm(token)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect((await fixture.app.model.users.findByEmail(fresh))?._id).to.equal(user.id);
    expect(await fixture.app.model.store.get(mailName(user.email).key)).to.equal(undefined);
  });

  it('must be confirmed also where people sign in through CAS, without a password', async () => {
    await fixture.set({ authCasSettings: casSettings, authMethod: 'cas' });
    const answer = await fixture.change(user, { email: fresh, currentPassword: undefined });
    expect(answer.body.value).to.include({ email: user.email, pendingEmail: fresh });
    expect((await fixture.confirm('0'.repeat(64))).body.error).to.equal(
      'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
    );
    expect((await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'))).status).to.equal(200);
    expect((await fixture.own(user)).email).to.equal(fresh);
  });

  it('cannot be requested so often that somebody’s mailbox is flooded', async () => {
    const strict = await startApp({ limitFactor: 1 });
    const flooder = await buildUser(strict);
    await strict.model.configuration.set('checkMails', true);
    const ask = (email: string) =>
      callerOf(strict, flooder.token)('put', `user/${flooder.login}`, {
        email,
        currentPassword: flooder.password,
      });
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await ask('victim@example.org')).status);
    expect(statuses).to.deep.equal([...new Array(10).fill(501), 429]);
    const others = [];
    for (let count = 0; count < 10; count += 1) others.push((await ask(`v${count}@example.org`)).status);
    expect(others).to.deep.equal([...new Array(9).fill(501), 429]);
    await strict.close();
  });

  it('is not in the log', async () => {
    const token = await requestedToken();
    await fixture.confirm(token);
    expect(await fixture.logged()).to.include('"pendingEmail"');
    for (const secret of [token, fresh, user.email, user.password, 'index.html']) {
      expect(await fixture.logged()).not.to.include(secret);
    }
  });
});

describe('a requested address, after a restart', () => {
  it('is still pending, and its link still works', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/dirty.db`;
    try {
      let fixture = await openMailFixture({ file });
      const user = await buildUser(fixture.app);
      const mail = await fixture.startMail();
      await fixture.set({ checkMails: true });
      await fixture.change(user, { email: `new.${user.email}` });
      const token = tokenIn(await mail.next(), 'accountconfirm');
      await fixture.close();
      fixture = await openMailFixture({ file });
      expect((await fixture.own(user)).pendingEmail).to.equal(`new.${user.email}`);
      expect((await fixture.confirm(token)).status).to.equal(200);
      await signIn(fixture.app, `new.${user.email}`, user.password);
      await fixture.close();
    } finally {
      folder.remove();
    }
  });
});
