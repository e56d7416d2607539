/** What server administrators do with accounts, from creating to removing them. */
import { expect } from 'chai';
import { useAdministrator } from '../support/administrators';
import { callerOf } from '../support/caller';
import { buildGroup, buildUser, signIn } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import { chooseCas, chooseEmptyDirectory } from '../support/signInServices';
import type { TestSmtpServer } from '../support/smtpServer';

describe('what an administrator does with accounts', () => {
  const { app, admin } = useAdministrator();
  let mail: TestSmtpServer | undefined;
  let count = 0;
  afterEach(async () => {
    await mail?.close();
    mail = undefined;
  });

  function fresh() {
    count += 1;
    const login = `fresh${count}`;
    return { login, password: `secret of ${login}`, email: `${login}@example.org` };
  }
  const isIn = async (token: string): Promise<boolean> =>
    (await callerOf(app, token)('get', 'configuration')).body.auth;

  it('deletes no folder with one that was not named before, as when its other manager was deleted meanwhile', async () => {
    const [ann, bob] = [await buildUser(app), await buildUser(app)];
    const { _id } = await buildGroup(app, ann, { name: 'Choir' });
    await callerOf(app, ann.token)('post', 'group/invite', {
      gid: _id,
      invite: false,
      loginsOrEmails: [ann.login, bob.login],
    }).expect(200);
    const named = async (login: string): Promise<string[]> => {
      const { removed } = (await admin('delete', `user/${login}?preview=true`).expect(200)).body;
      return removed.groups.map((group: { _id: string }) => group._id);
    };
    const [withAnn, withBob] = [await named(ann.login), await named(bob.login)];
    expect([withAnn, withBob]).to.deep.equal([[], []]);
    await admin('delete', `user/${ann.login}`, { groups: withAnn }).expect(200);
    const refused = await admin('delete', `user/${bob.login}`, { groups: withBob });
    expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.CHANGED' });
    expect((await callerOf(app, bob.token)('get', `group/${_id}`)).status).to.equal(200);
    const now = await named(bob.login);
    expect(now).to.deep.equal([_id]);
    await admin('delete', `user/${bob.login}`, { groups: now }).expect(200);
  });

  it('makes one that is usable at once and gets no mail, though everybody else must confirm theirs', async () => {
    mail = await startMailFor(app, { checkMails: true });
    const made = fresh();
    expect((await admin('post', 'user', made)).body.value.active).to.equal(true);
    await signIn(app, made.login, made.password);
    const own = fresh();
    expect((await callerOf(app)('post', 'user', own)).body.value.active).to.equal(false);
    expect((await mail.next()).to).to.deep.equal([own.email]);
    expect(mail.received).to.have.length(1);
  });

  for (const [name, choose] of [
    ['LDAP', chooseEmptyDirectory],
    ['CAS', chooseCas],
  ] as const) {
    it(`makes one also where people sign in through ${name}`, async () => {
      await app.model.configuration.set('openRegistration', false);
      const stop = await choose(app.model.configuration.set);
      const made = fresh();
      expect((await callerOf(app)('post', 'user', made)).status).to.equal(400);
      const answer = await admin('post', 'user', made);
      expect(answer.body.value).to.include({ login: made.login, active: true });
      await app.model.configuration.set('authMethod', 'internal');
      await signIn(app, made.login, made.password);
      await stop?.();
    });
  }

  it('edits one without its password, keeps what is not sent, and cannot rename it', async () => {
    const user = await buildUser(app, { organization: 'Stays' });
    const changes = { email: 'moved@example.org', firstname: 'Ada', color: '#123456', lang: 'fr' };
    const { email } = await buildUser(app);
    for (const taken of [email, email.toUpperCase()]) {
      const { status, body } = await admin('put', `user/${user.login}`, { ...changes, email: taken });
      expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS']);
    }
    const answer = await admin('put', `user/${user.login}`, { ...changes, password: '' });
    expect(answer.body.value).to.include({ ...changes, organization: 'Stays', active: true });
    expect((await admin('get', `user/${user.login}`)).body.value).to.include(changes);
    const renamed = await admin('put', `user/${user.login}`, { login: 'other' });
    expect(renamed.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.PARAM_INVALID', field: 'login' });
    await signIn(app, 'moved@example.org', user.password);
    const old = await callerOf(app)('post', 'auth/login', { login: user.email, password: user.password });
    expect(old.status).to.equal(400);
  });

  it('gives it a new password, which ends its sessions and the old password', async () => {
    const user = await buildUser(app);
    expect((await admin('put', `user/${user.login}`, { password: 'a given one' })).status).to.equal(200);
    expect(await isIn(user.token)).to.equal(false);
    const old = { login: user.login, password: user.password };
    expect((await callerOf(app)('post', 'auth/login', old)).status).to.equal(400);
    await signIn(app, user.login, 'a given one');
  });

  it('closes it, so that nobody can sign in or register its address, and opens it again', async () => {
    const user = await buildUser(app);
    const second = await signIn(app, user.login, user.password);
    await admin('put', `user/${user.login}`, { active: false });
    for (const token of [user.token, second.token]) expect(await isIn(token)).to.equal(false);
    const guest = callerOf(app);
    const credentials = { login: user.login, password: user.password };
    const refused = await guest('post', 'auth/login', credentials);
    expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED' });
    const again = { ...fresh(), email: user.email };
    expect((await guest('post', 'user', again)).body.error).to.equal(
      'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
    );
    await admin('put', `user/${user.login}`, { active: true });
    await signIn(app, user.login, user.password);
  });

  it('ends its sessions, and those of no other account', async () => {
    const user = await buildUser(app);
    const other = await buildUser(app);
    const second = await signIn(app, user.login, user.password);
    expect((await admin('delete', `user/${user.login}/sessions`)).status).to.equal(200);
    const open = [user.token, second.token, other.token].map(isIn);
    expect(await Promise.all(open)).to.deep.equal([false, false, true]);
    expect((await admin('get', 'configuration/title')).status).to.equal(200);
    expect((await admin('delete', 'user/nobody/sessions')).status).to.equal(404);
  });

  it('removes it with its sessions, and the login may be taken again', async () => {
    const user = await buildUser(app);
    expect((await admin('delete', `user/${user.login}`)).body).to.include({
      success: true,
      key: user.login,
    });
    expect(await isIn(user.token)).to.equal(false);
    expect((await admin('get', `user/${user.login}`)).status).to.equal(404);
    expect((await admin('get', 'all-users')).body.users).not.to.have.property(user.login);
    const again = await buildUser(app, { login: user.login, email: user.email });
    expect(again.id).not.to.equal(user.id);
  });
});
