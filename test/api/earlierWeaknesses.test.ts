/** Weaknesses W1 to W18 of ep_mypads 1.x that no other test file covers (test/support/defects.ts). */
import { expect } from 'chai';
import { createHasher } from '../../model/passwords/hasher';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, useTestAppForEach } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { inProcessOnly } from '../support/network';

describe('weaknesses of ep_mypads 1.x', () => {
  const app = useTestAppForEach();
  let owner: TestUser;
  let member: TestUser;
  let call: Call;
  let guest: Call;
  beforeEach(async () => {
    [owner, member] = [
      await buildUser(app, { firstname: 'Olga', lastname: 'Owner' }),
      await buildUser(app, { firstname: 'Max', lastname: 'Member' }),
    ];
    call = callerOf(app, owner.token);
    guest = callerOf(app);
  });

  it('nobody is shown a hash or a salt, old or new, of an account, a group or a pad (W1)', async () => {
    const old = { salt: 'a1'.repeat(40), hash: 'b2'.repeat(64) };
    const group = await buildGroup(app, owner, { visibility: 'public' });
    const pad = await buildPad(app, owner, group, { visibility: 'private', password: 'secret' });
    for (const key of [keys.user(owner.id), keys.group(group._id)]) {
      await app.model.store.update<object>(key, (record) => ({ ...record, password: old }));
    }
    const body = { login: 'newcomer', password: 'long enough', email: 'newcomer@example.org' };
    const answers = [
      await guest('post', 'user', body),
      await call('put', `user/${owner.login}`, { firstname: 'O' }),
      await call('get', `user/${owner.login}`),
      await call('get', 'configuration'),
      await call('get', 'group'),
      ...(await Promise.all(
        [guest, call, callerOf(app, await signInAsAdmin(app))].flatMap((by) => [
          by('get', `group/${group._id}`),
          by('get', `pad/${pad._id}`),
        ]),
      )),
    ];
    for (const { text } of answers) {
      expect(text).not.to.match(/"(password|hash|salt)"|(a1){5}|(b2){5}|\$2[aby]\$/);
    }
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

  it('an address belongs to one account, also when an administrator gives it (W6)', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    for (const [by, more] of [
      [admin, {}],
      [call, { currentPassword: owner.password }],
    ] as const) {
      for (const email of [member.email, member.email.toUpperCase()]) {
        const { status, body } = await by('put', `user/${owner.login}`, { email, ...more });
        expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS']);
      }
    }
    const group = await buildGroup(app, owner);
    const invited = await call('post', 'group/invite', {
      gid: group._id,
      invite: true,
      loginsOrEmails: [member.email],
    });
    expect(invited.body.value.users).to.deep.equal([member.id]);
  });

  it('a pad’s own setting counts in every group, and its admins need no password for it (W8)', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const group = await buildGroup(app, owner, {
        visibility,
        password: 'of the group',
        users: [member.id],
      });
      const closed = await buildPad(app, owner, group, { visibility: 'restricted' });
      const locked = await buildPad(app, owner, group, { visibility: 'private', password: 'of the pad' });
      const query = `?password=${Buffer.from('of the group').toString('base64')}`;
      expect((await guest('get', `pad/${closed._id}${query}`)).status).to.equal(401);
      expect((await guest('get', `pad/${locked._id}${query}`)).status).to.equal(401);
      for (const pad of [closed, locked]) expect((await call('get', `pad/${pad._id}`)).status).to.equal(200);
    }
  });

  it('in the signed-in-only mode guests see nothing, public or not (W9)', async () => {
    const pads = [
      await buildPad(app, owner, await buildGroup(app, owner, { visibility: 'public' })),
      await buildPad(app, owner, await buildGroup(app, owner), { visibility: 'public' }),
      await buildPad(app, owner, await buildGroup(app, owner)),
    ];
    await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
    for (const { _id, group } of pads) {
      for (const what of [`pad/${_id}`, `group/${group}`]) {
        const refused = await guest('get', what);
        expect([refused.status, refused.body.error]).to.deep.equal([
          401,
          'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
        ]);
        expect((await callerOf(app, member.token)('get', what)).status).to.equal(200);
      }
    }
  });

  it('users of a group see logins, its admins also names and addresses, guests nobody (W10)', async () => {
    const group = await buildGroup(app, owner, { visibility: 'public', users: [member.id] });
    const seenBy = async (by: Call) => (await by('get', `group/${group._id}`)).text;
    expect(await seenBy(call))
      .to.include(member.email)
      .and.to.include('Max');
    const forMember = await seenBy(callerOf(app, member.token));
    expect(forMember)
      .to.include(owner.login)
      .and.not.to.match(/@example\.org|Olga|Max/);
    const forGuest = await seenBy(guest);
    for (const { id, email } of [owner, member]) {
      expect(forGuest).not.to.include(id).and.not.to.include(email);
    }
    const list = (await callerOf(app, member.token)('get', 'group')).text;
    expect(list).not.to.match(/@example\.org|Olga/);
  });

  it('without a token nobody learns what exists and how much of it (W11)', async () => {
    const pad = await buildPad(app, owner, await buildGroup(app, owner));
    const ask = (id: string) =>
      Promise.all([
        guest('get', `pad/ispublic/${id}`),
        guest('get', `configuration/public/allpadspublicsauthentifiedonly?pid=${id}`),
      ]);
    for (const mode of [false, true]) {
      await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', mode);
      const [real, none] = [await ask(pad._id), await ask('nothing-here')];
      for (const [index, { status, text }] of real.entries()) {
        expect(status).to.equal(200);
        expect(text.replaceAll(pad._id, 'nothing-here')).to.equal(none[index]?.text);
      }
    }
    for (const by of [guest, call]) expect((await by('get', 'stats/stats.json')).status).to.equal(401);
  });

  it('a token or a password in an address reaches no log (W12)', async () => {
    const group = await buildGroup(app, owner, { visibility: 'private', password: 'of the group' });
    const secret = Buffer.from('not the right one').toString('base64');
    await guest('get', `group/${group._id}?password=${secret}`);
    await guest('get', `group?auth_token=${member.token}x`);
    await guest('put', `group/${group._id}?auth_token=${member.token}`, { name: 'Mine' });
    await app.inject({ fault: 'fail', calls: ['get'], keys: 'mypads:', why: 'out of order' });
    await guest('get', `user/x?auth_token=${member.token}`);
    const logged = JSON.stringify(await app.lines());
    expect(logged).to.include('refused');
    for (const part of [secret, 'not the right one', ...member.token.split('.').slice(1)]) {
      expect(logged).not.to.include(part);
    }
  });

  it('the id of one pad does not help to guess that of another with the same name (W15)', async () => {
    const group = await buildGroup(app, owner);
    const ids = [
      await buildPad(app, owner, group, { name: 'Same' }),
      await buildPad(app, owner, group, { name: 'Same' }),
    ];
    const ends = ids.map(({ _id }) => /^same-([a-z0-9]{12})$/.exec(_id)?.[1] ?? '');
    expect(ends[0]).to.have.length(12);
    const alike = [...(ends[0] ?? '')].filter((letter, place) => letter === ends[1]?.[place]);
    expect(alike).to.have.length.below(6);
  });

  it('a password that is not used is not stored, for groups and pads (W17)', async () => {
    const group = await buildGroup(app, owner);
    for (const visibility of ['public', 'restricted', null]) {
      const pad = await buildPad(app, owner, group, { visibility, password: 'plain text' });
      const stored = async () => (await app.model.store.get<PadRecord>(keys.pad(pad._id)))?.password;
      expect(await stored()).to.equal(null);
      await call('put', `pad/${pad._id}`, { password: 'plain text' });
      expect(await stored()).to.equal(null);
    }
    await call('put', `group/${group._id}`, { password: 'plain text' });
    expect(JSON.stringify(await app.ports.database.get(keys.group(group._id)))).not.to.include('plain');
  });
});
