import { expect } from 'chai';
import type { CheckupAnswer } from '../../api/admin/schema';
import { createHasher } from '../../model/passwords/hasher';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePerson } from '../support/people';
import { until } from '../support/waiting';

/** Defects of ep_mypads 1.x that no other test file covers. The codes are those of test/support/defects.ts. */
describe('defects of ep_mypads 1.x', () => {
  const app = useTestAppForEach();
  const { user: victim } = usePerson(app, beforeEach);
  const { user: attacker, call } = usePerson(app, beforeEach);

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
    expect(failed.body.error).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
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

  // This test makes no request.
  inProcessOnly.it('passwords are stored so that guessing is slow (W2)', async () => {
    const hasher = createHasher();
    expect(await hasher.hash('any')).to.match(/^\$2b\$1\d\$/);
    await hasher.close();
  });

  // Over the network, another process makes the random numbers.
  inProcessOnly.it('no secret is made with Math.random (W3)', async () => {
    const { random } = Math;
    const ids: unknown[] = [];
    const secrets: unknown[] = [];
    try {
      // Values made with Math.random would now be the same for both.
      Math.random = () => 0.5;
      for (const login of ['first', 'second']) {
        const own = await startApp();
        secrets.push(JSON.stringify(await own.ports.database.get(keys.tokenSecret)));
        await own.close();
        const user = await buildUser(app, { login });
        const group = await buildGroup(app, user, { name: 'Same' });
        const pad = await buildPad(app, user, group, { name: 'Same' });
        const { body } = await callerOf(app, user.token)('post', `pad/${pad._id}/ticket`, {});
        ids.push(user.id, group._id, pad._id, body.ticket);
      }
    } finally {
      Math.random = random;
    }
    ids.push(...(await app.ports.database.findKeys('mypads:session:*', null)));
    expect(ids)
      .to.have.length(8 + 4)
      .and.not.to.include(undefined);
    expect(new Set(ids)).to.have.length(12);
    expect(secrets[0]).to.be.a('string').with.length.above(40).and.not.to.equal(secrets[1]);
  });

  it('a token or a password in an address reaches no log (W12)', async () => {
    const group = await buildGroup(app, victim, { visibility: 'private', password: 'of the group' });
    const secret = Buffer.from('not the right one').toString('base64');
    await callerOf(app)('get', `group/${group._id}?password=${secret}`);
    await callerOf(app)('get', `group?auth_token=${attacker.token}x`);
    await callerOf(app)('put', `group/${group._id}?auth_token=${attacker.token}`, { name: 'Mine' });
    await app.inject({ fault: 'fail', calls: ['get'], keys: 'mypads:', why: 'out of order' });
    await callerOf(app)('get', `user/x?auth_token=${attacker.token}`);
    const logged = JSON.stringify(await app.lines());
    expect(logged).to.include('refused');
    for (const part of [secret, 'not the right one', ...attacker.token.split('.').slice(1)]) {
      expect(logged).not.to.include(part);
    }
  });

  it('the id of one pad does not help to guess that of another with the same name (W15)', async () => {
    const group = await buildGroup(app, attacker);
    const ids = [
      await buildPad(app, attacker, group, { name: 'Same' }),
      await buildPad(app, attacker, group, { name: 'Same' }),
    ];
    const ends = ids.map(({ _id }) => /^same-([a-z0-9]{12})$/.exec(_id)?.[1] ?? '');
    expect(ends[0]).to.have.length(12);
    const alike = [...(ends[0] ?? '')].filter((letter, place) => letter === ends[1]?.[place]);
    expect(alike).to.have.length.below(6);
  });

  it('a password that is not used is not stored, for groups and pads (W17)', async () => {
    const group = await buildGroup(app, attacker);
    for (const visibility of ['public', 'restricted', null]) {
      const pad = await buildPad(app, attacker, group, { visibility, password: 'plain text' });
      const stored = async () => (await app.model.store.get<PadRecord>(keys.pad(pad._id)))?.password;
      expect(await stored()).to.equal(null);
      await call('put', `pad/${pad._id}`, { password: 'plain text' });
      expect(await stored()).to.equal(null);
    }
    await call('put', `group/${group._id}`, { password: 'plain text' });
    expect(JSON.stringify(await app.ports.database.get(keys.group(group._id)))).not.to.include('plain');
  });
});
