import { expect } from 'chai';
import type { CheckupAnswer } from '../../api/admin/schema';
import type { GroupRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin, type TestUser } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import { until } from '../support/waiting';

/** Defects of ep_mypads 1.x that no other test file covers. The codes are those of test/support/defects.ts. */
describe('defects of ep_mypads 1.x', () => {
  const app = useTestAppForEach();
  let victim: TestUser;
  let attacker: TestUser;
  let call: Call;
  beforeEach(async () => {
    [victim, attacker] = [await buildUser(app), await buildUser(app)];
    call = callerOf(app, attacker.token);
  });

  it('a bookmark of a group of others shows nothing of it (C9)', async () => {
    const group = await buildGroup(app, victim, { name: 'Secret plans' });
    expect((await call('post', 'usermark', { type: 'groups', key: group._id })).status).to.equal(404);
    await app.model.users.update(attacker.id, (user) => ({
      ...user,
      bookmarks: { groups: [group._id], pads: [] },
      groups: [group._id],
    }));
    expect((await call('get', 'group')).text).not.to.match(/Secret plans|admins":\["/);
  });

  it('every administrator is in the settings file of Etherpad (C12)', async () => {
    for (const name of Object.keys(app.ports.accounts)) delete app.ports.accounts[name];
    for (const login of ['admin', 'grace', 'root']) {
      const answer = await call('post', 'auth/admin/login', {
        login,
        password: login === 'root' ? 'rootroot' : 'admin',
      });
      expect(answer.status).to.equal(400);
    }
  });

  it('a group with two thousand pads is shown, and removed with its owner (A5)', async () => {
    const group = await buildGroup(app, victim);
    const pads = Array.from({ length: 2_000 }, (_, index) => `many-${index}`);
    const pad = (_id: string) => ({ _id, name: _id, group: group._id, users: [] });
    await Promise.all(pads.map((id) => app.ports.database.set(keys.pad(id), pad(id))));
    const record = await app.model.store.get<GroupRecord>(keys.group(group._id));
    await app.model.store.set(keys.group(group._id), { ...record, pads });
    // Over the network, the running server did not notice this write, and has older records in memory.
    await app.restart();
    const own = callerOf(app, victim.token);
    const shown = await own('get', `group/${group._id}`);
    expect(shown.status).to.equal(200);
    expect(Object.keys(shown.body.pads)).to.have.length(2_000);
    const removed = await own('delete', `user/${victim.login}`, { currentPassword: victim.password });
    expect(removed.status).to.equal(200);
    await app.idle();
    expect(await app.ports.database.findKeys('mypads:pad:many-*', null)).to.deep.equal([]);
  });

  it('a database that fails once is asked again (A6)', async () => {
    const group = await buildGroup(app, attacker);
    await app.inject({ fault: 'fail', calls: ['get'], why: 'lost connection' });
    const failed = await call('put', `group/${group._id}`, { name: 'B' });
    expect([failed.status, failed.body.error]).to.deep.equal([
      503,
      'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE',
    ]);
    await app.inject({ fault: 'none' });
    expect((await call('put', `group/${group._id}`, { name: 'B' })).body.value.name).to.equal('B');
  });

  it('a removal succeeds although records are missing (A8)', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    const { database } = app.ports;
    const [own, gone] = [await buildGroup(app, victim), await buildGroup(app, victim)];
    const [pad, orphan] = [await buildPad(app, victim, own), await buildPad(app, victim, gone)];
    await database.remove(keys.group(gone._id));
    await database.remove(`pad:${pad._id}`);
    expect((await admin('delete', `pad/${orphan._id}`)).status).to.equal(404);
    expect((await callerOf(app, victim.token)('delete', `pad/${pad._id}`)).status).to.equal(200);
    await database.remove(keys.user(attacker.id));
    expect((await admin('delete', `user/${attacker.login}`)).status).to.equal(404);
    const again = await buildUser(app, { login: attacker.login, email: attacker.email });
    expect(again.id).not.to.equal(attacker.id);
    expect((await admin('delete', `user/${victim.login}`)).status).to.equal(200);
    await app.idle();
    expect((await admin('get', `group/${own._id}`)).status).to.equal(404);
  });

  it('people can sign in after the rules for passwords have changed (A9)', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    await admin('put', 'configuration/passwordMin', { value: 60 });
    const again = await signIn(app, victim.login, victim.password);
    const saved = await callerOf(app, again.token)('put', `user/${victim.login}`, {
      firstname: 'Still here',
    });
    expect(saved.status).to.equal(200);
  });

  it('a registration with a taken login sends no mail to anybody', async () => {
    const mail = await startMailFor(app, { checkMails: true });
    const body = { login: victim.login, password: 'long enough', email: 'attacker@evil.example.org' };
    expect((await callerOf(app)('post', 'user', body)).body.error).to.equal(
      'BACKEND.ERROR.USER.ALREADY_EXISTS',
    );
    expect(mail.connections()).to.equal(0);
    await mail.close();
  });

  it('an old address does not sign in after an administrator has changed it (R7)', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    await admin('put', `user/${victim.login}`, { email: 'new@example.org' });
    const old = await call('post', 'auth/login', { login: victim.email, password: victim.password });
    expect(old.status).to.equal(400);
    await signIn(app, 'new@example.org', victim.password);
    await buildUser(app, { email: victim.email });
  });

  it('an administrator’s empty password changes nothing', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    expect((await admin('put', `user/${victim.login}`, { password: '' })).status).to.equal(200);
    await signIn(app, victim.login, victim.password);
  });

  it('the author token of a person stays when the profile changes, and no call can set it', async () => {
    await app.model.users.update(victim.id, (user) => ({ ...user, eplAuthorToken: 't.own' }));
    const own = callerOf(app, victim.token);
    await own('put', `user/${victim.login}`, { firstname: 'F' });
    expect((await own('put', `user/${victim.login}`, { eplAuthorToken: 't.stolen' })).status).to.equal(400);
    const stored = await app.model.store.get<UserRecord>(keys.user(victim.id));
    expect(stored?.eplAuthorToken).to.equal('t.own');
  });

  it('a removed member cannot see the group, whichever call removed them (W16)', async () => {
    const owner = callerOf(app, victim.token);
    const group = await buildGroup(app, victim, { name: 'Closed', users: [attacker.id] });
    await owner('put', `group/${group._id}`, { users: [] });
    expect((await call('get', 'group')).text).not.to.include('Closed');
    expect((await call('get', `group/${group._id}`)).status).to.equal(401);
  });

  it('invitations find an address in any letter case where the setting says so, and only there (B10)', async () => {
    const group = await buildGroup(app, victim);
    const invite = () =>
      callerOf(app, victim.token)('post', 'group/invite', {
        gid: group._id,
        invite: true,
        loginsOrEmails: [attacker.email.toUpperCase()],
      });
    expect((await invite()).body.absent).to.have.length(1);
    await app.model.configuration.set('insensitiveMailMatch', true);
    expect((await invite()).body.present).to.have.length(1);
  });

  it('no call reads all keys of the database (P2)', async () => {
    const group = await buildGroup(app, victim);
    const pad = await buildPad(app, victim, group);
    const own = callerOf(app, victim.token);
    const admin = callerOf(app, await signInAsAdmin(app));
    // The first index, which is made after the start, reads all keys.
    await until('the index is built', async () => {
      const { checks } = (await admin('get', 'admin/checkup')).body as CheckupAnswer;
      return checks.find(({ id }) => id === 'index')?.finding !== 'building';
    });
    await app.idle();
    await app.operations();
    await own('get', 'configuration');
    await own('get', 'group');
    await own('get', `pad/${pad._id}`);
    await own('post', 'group/invite', {
      gid: group._id,
      invite: true,
      loginsOrEmails: [attacker.email, 'x'],
    });
    await own('get', 'userlist');
    await buildUser(app);
    await own('put', `user/${victim.login}`, { email: 'b@example.org', currentPassword: victim.password });
    expect((await app.operations()).filter(({ what }) => what === 'findKeys')).to.deep.equal([]);
    // Blocked, because the work after the answer may read all keys.
    await app.inject({ fault: 'block', calls: ['findKeys'] });
    expect((await own('delete', `group/${group._id}`)).status).to.equal(200);
    expect((await own('get', 'auth/logout')).status).to.equal(200);
  });

  it('mistakes of callers leave no stack trace in the log (A11)', async () => {
    for (const token of ['garbage', 'a.b.c', attacker.entryToken]) {
      for (const path of ['group', 'userlist', 'configuration', 'user/x', 'all-users']) {
        const answer = await callerOf(app, token)('get', path);
        expect(answer.status).to.be.below(402);
      }
    }
    expect((await app.lines()).filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('tokens expire, and contain only the session and the purpose (W3)', async () => {
    const claims = JSON.parse(Buffer.from(attacker.token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).to.have.keys('jti', 'aud', 'iat', 'exp');
    expect(claims.exp * 1000).to.be.above(app.ports.now());
  });
});
