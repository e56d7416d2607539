import { expect } from 'chai';
import type { Group } from '../../api/answers';
import type { GroupRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { type Call, callerOf, encodePassword, settled, snapshot } from '../support/caller';
import {
  buildGroup,
  buildPad,
  buildUser,
  entryTokenOf,
  signInAsAdmin,
  type TestUser,
} from '../support/factories';

describe('groups over HTTP', () => {
  let app: TestApp;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let root: string;
  let asAlice: Call;
  let asBob: Call;
  let asCarol: Call;
  let asRoot: Call;
  let asGuest: Call;

  before(async () => {
    app = await startApp();
    [alice, bob, carol] = [await buildUser(app), await buildUser(app), await buildUser(app)];
    root = await signInAsAdmin(app);
    [asAlice, asBob, asCarol] = [alice, bob, carol].map((user) => callerOf(app, user.token)) as [
      Call,
      Call,
      Call,
    ];
    asRoot = callerOf(app, root);
    asGuest = callerOf(app);
  });
  after(() => app.close());

  async function record(id: string): Promise<GroupRecord | undefined> {
    return app.model.store.get<GroupRecord>(keys.group(id));
  }

  async function groupsOf(user: TestUser): Promise<string[]> {
    return (await app.model.store.get<UserRecord>(keys.user(user.id)))?.groups ?? [];
  }

  /** A group of alice with bob as a user. */
  async function shared(fields: Record<string, unknown> = {}): Promise<Group> {
    return buildGroup(app, alice, { users: [bob.id], ...fields });
  }

  describe('making one', () => {
    it('makes a restricted group of the caller with the defaults', async () => {
      const answer = await asAlice('post', 'group', { name: '  Board  ' });
      expect(answer.status).to.equal(200);
      expect(answer.body.success).to.equal(true);
      expect(answer.body.value).to.deep.include({
        _id: answer.body.key,
        name: 'Board',
        description: '',
        visibility: 'restricted',
        hasPassword: false,
        readonly: false,
        archived: false,
        allowUsersToCreatePads: false,
        tags: [],
        admins: [alice.id],
        users: [],
        pads: [],
      });
      expect(answer.body.key).to.match(/^board-[a-z0-9]+$/);
      expect(answer.body.value.abilities).to.include({ edit: true, leave: false });
      expect(await groupsOf(alice)).to.include(answer.body.key);
    });

    it('keeps everything that was said', async () => {
      const fields = {
        description: 'All of it',
        visibility: 'public',
        readonly: true,
        archived: true,
        allowUsersToCreatePads: true,
        tags: ['one', 'two'],
      };
      const { body } = await asAlice('post', 'group', {
        name: 'Full',
        ...fields,
        users: [bob.id],
        admins: [carol.id],
      });
      expect(body.value).to.deep.include({ ...fields, admins: [alice.id, carol.id], users: [bob.id] });
      expect(await groupsOf(bob)).to.include(body.key);
      expect(await groupsOf(carol)).to.include(body.key);
    });

    it('wants a password for a private group, and keeps only a hash', async () => {
      const without = await asAlice('post', 'group', { name: 'P', visibility: 'private' });
      expect([without.status, without.body.error]).to.deep.equal([
        400,
        'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
      ]);
      const { body } = await asAlice('post', 'group', { name: 'P', visibility: 'private', password: 'x' });
      expect(body.value.hasPassword).to.equal(true);
      expect((await record(body.key))?.password).to.include({ scheme: 'bcrypt' });
    });

    it('forgets a password that comes with another visibility', async () => {
      const { body } = await asAlice('post', 'group', {
        name: 'P',
        visibility: 'public',
        password: 'plain text',
      });
      expect((await record(body.key))?.password).to.equal(null);
    });

    it('refuses people that do not exist', async () => {
      const { status, body } = await asAlice('post', 'group', { name: 'P', users: ['nobody-1'] });
      expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND']);
    });

    it('is not for guests', async () => {
      const { status, body } = await asGuest('post', 'group', { name: 'P' });
      expect([status, body.error]).to.deep.equal([401, 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH']);
    });

    it('is done by a server administrator for a named person only', async () => {
      const without = await asRoot('post', 'group', { name: 'P' });
      expect([without.status, without.body.error]).to.deep.equal([400, 'BACKEND.ERROR.TYPE.PARAM_STR']);
      const unknown = await asRoot('post', 'group', { name: 'P', admin: 'nobody-1' });
      expect([unknown.status, unknown.body.error]).to.deep.equal([
        400,
        'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND',
      ]);
      const { body } = await asRoot('post', 'group', { name: 'P', admin: bob.id });
      expect(body.value.admins).to.deep.equal([bob.id]);
    });

    it("does not let a person make one in somebody else's name", async () => {
      const { body } = await asAlice('post', 'group', { name: 'P', admin: bob.id });
      expect(body.value.admins).to.deep.equal([alice.id]);
    });
  });

  describe('the own list', () => {
    it('has the groups, their pads and their people (B6)', async () => {
      const dora = await buildUser(app, { firstname: 'Dora', lastname: 'Explorer' });
      const group = await buildGroup(app, dora, { users: [bob.id] });
      const pad = await buildPad(app, dora, group);
      const { value } = (await callerOf(app, dora.token)('get', 'group')).body;
      expect(Object.keys(value.groups)).to.deep.equal([group._id]);
      expect(value.groups[group._id].pads).to.deep.equal([pad._id]);
      expect(value.pads[pad._id]).to.include({ name: pad.name, group: group._id, lastUpdate: null });
      expect(value.users[bob.id]).to.deep.include({ login: bob.login, email: bob.email });
      expect(Object.keys(value.admins)).to.deep.equal([dora.id]);
      expect(value.bookmarks).to.deep.equal({ groups: {}, pads: {} });
    });

    it('tells a mere user logins, not names or e-mails', async () => {
      const dora = await buildUser(app);
      const group = await buildGroup(app, alice, { users: [dora.id] });
      const { value } = (await callerOf(app, dora.token)('get', 'group')).body;
      expect(value.users[alice.id]).to.deep.equal({ _id: alice.id, login: alice.login, color: '' });
      expect(value.groups[group._id].abilities).to.include({ edit: false, leave: true, seePeople: true });
    });

    it('is nobody else’s: not for guests, not for server administrators', async () => {
      expect((await asGuest('get', 'group')).status).to.equal(401);
      expect((await asRoot('get', 'group')).status).to.equal(401);
    });

    it('shows bookmarks elsewhere while they may be seen, and nothing when they are gone', async () => {
      const dora = await buildUser(app);
      const call = callerOf(app, dora.token);
      const group = await buildGroup(app, alice, { visibility: 'public' });
      const pad = await buildPad(app, alice, group);
      await call('post', 'usermark', { type: 'groups', key: group._id }).expect(200);
      await call('post', 'usermark', { type: 'pads', key: pad._id }).expect(200);
      const seen = (await call('get', 'group')).body.value;
      expect(Object.keys(seen.bookmarks.groups)).to.deep.equal([group._id]);
      expect(Object.keys(seen.bookmarks.pads)).to.deep.equal([pad._id]);
      expect(seen.groups).to.deep.equal({});
      expect(seen.pads).to.deep.equal({});
      await asAlice('put', `group/${group._id}`, { visibility: 'restricted' }).expect(200);
      expect((await call('get', 'group')).body.value.bookmarks).to.deep.equal({ groups: {}, pads: {} });
      await asAlice('delete', `group/${group._id}`).expect(200);
      expect((await call('get', 'group')).body.value.bookmarks).to.deep.equal({ groups: {}, pads: {} });
    });
  });

  describe('reading one', () => {
    type Who = 'guest' | 'stranger' | 'user' | 'admin' | 'root';
    type Seen = 'all' | 'open' | 'name' | 'DENIED_RECORD' | 'MUST_BE';
    const table: Record<string, Record<Who, Seen>> = {
      public: { guest: 'open', stranger: 'open', user: 'all', admin: 'all', root: 'all' },
      private: { guest: 'name', stranger: 'name', user: 'all', admin: 'all', root: 'all' },
      restricted: {
        guest: 'DENIED_RECORD',
        stranger: 'DENIED_RECORD',
        user: 'all',
        admin: 'all',
        root: 'all',
      },
    };
    const modeOn: Record<Who, Seen> = {
      guest: 'MUST_BE',
      stranger: 'all',
      user: 'all',
      admin: 'all',
      root: 'all',
    };
    const ownSettings = [
      {},
      { visibility: 'public' },
      { visibility: 'private', password: 'p' },
      { visibility: 'restricted' },
    ];

    const persons: Record<Who, string> = {
      guest: 'a guest',
      stranger: 'somebody who is not in it',
      user: 'one of its users',
      admin: 'one of its admins',
      root: 'a server administrator',
    };
    const sights: Record<Seen, string> = {
      all: 'everything',
      open: 'the record and the open pads',
      name: 'its name only',
      DENIED_RECORD: 'nothing',
      MUST_BE: 'that one must sign in',
    };

    function callOf(who: Who): Call {
      return { guest: asGuest, stranger: asCarol, user: asBob, admin: asAlice, root: asRoot }[who];
    }

    for (const [visibility, row] of Object.entries(table)) {
      describe(`a ${visibility} group`, () => {
        let group: Group;
        let padIds: string[];

        before(async () => {
          group = await shared({ visibility, password: 'open sesame' });
          padIds = [];
          for (const fields of ownSettings) padIds.push((await buildPad(app, alice, group, fields))._id);
        });
        afterEach(() => app.model.configuration.set('allPadsPublicsAuthentifiedOnly', false));

        function expectSeen(
          who: Who,
          seen: Seen,
          { status, body }: { status: number; body: Record<string, unknown> },
        ) {
          if (seen === 'DENIED_RECORD' || seen === 'MUST_BE') {
            expect([status, body]).to.deep.equal([
              401,
              { error: `BACKEND.ERROR.AUTHENTICATION.${seen}`, key: group._id },
            ]);
            return;
          }
          expect(status).to.equal(200);
          if (seen === 'name') {
            expect(body).to.deep.equal({ key: group._id, value: { name: group.name, visibility } });
            return;
          }
          const open = visibility === 'public' ? padIds.slice(0, 2) : padIds.slice(0, 1);
          expect(Object.keys(body.pads as object)).to.have.members(seen === 'all' ? padIds : open);
          const people = body.users as Record<string, { email?: string }>;
          expect(Object.keys(people)).to.have.members(who === 'guest' ? [] : [alice.id, bob.id]);
          const emails = Object.values(people).some((person) => person.email !== undefined);
          expect(emails).to.equal(who === 'admin' || who === 'root');
          expect((body.value as Group).admins).to.deep.equal(who === 'guest' ? [] : [alice.id]);
        }

        for (const who of Object.keys(row) as Who[]) {
          it(`shows ${persons[who]} ${sights[row[who]]}`, async () => {
            expectSeen(who, row[who], await callOf(who)('get', `group/${group._id}`));
          });
          it(`shows ${persons[who]} ${sights[modeOn[who]]} in the signed-in-only mode`, async () => {
            await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
            expectSeen(who, modeOn[who], await callOf(who)('get', `group/${group._id}`));
          });
        }
      });
    }

    it('answers 404 for a group that does not exist', async () => {
      const { status, body } = await asAlice('get', 'group/nothing-here');
      expect([status, body.error]).to.deep.equal([404, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND']);
    });

    it('tells when a pad was last written', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      const time = async () => (await asAlice('get', `group/${group._id}`)).body.pads[pad._id].lastUpdate;
      expect(await time()).to.equal(null);
      await app.model.pads.touch(pad._id);
      const first = await time();
      expect(first).to.be.a('number');
      app.ports.advance(120_000);
      await app.model.pads.touch(pad._id);
      expect(await time()).to.be.greaterThan(first);
    });
  });

  describe('the password of a private group', () => {
    let group: Group;
    beforeEach(async () => {
      group = await shared({ visibility: 'private', password: 'clé 🗝 +/?' });
      await buildPad(app, alice, group);
    });

    it('opens it to a guest, who gets a token and a cookie for the rest of the day', async () => {
      const answer = await asGuest('get', `group/${group._id}?password=${encodePassword('clé 🗝 +/?')}`);
      expect(answer.status).to.equal(200);
      expect(answer.body.value.pads).to.have.length(1);
      expect(answer.body.users).to.deep.equal({});
      expect(entryTokenOf(answer)).to.not.equal('');
      const again = await callerOf(app, answer.body.token)('get', `group/${group._id}`);
      expect(again.body.value.pads).to.have.length(1);
      expect(again.body.token).to.equal(undefined);
    });

    it('is asked of a signed-in person once a session', async () => {
      const answer = await asCarol('post', `group/${group._id}/unlock`, { password: 'clé 🗝 +/?' });
      expect(answer.body.value.pads).to.have.length(1);
      expect(answer.body.token).to.equal(undefined);
      expect((await asCarol('get', `group/${group._id}`)).body.value.pads).to.have.length(1);
      const elsewhere = await app.agent
        .post('/api/auth/login')
        .send({ login: carol.login, password: carol.password });
      const other = await callerOf(app, elsewhere.body.token)('get', `group/${group._id}`);
      expect(other.body.value).to.deep.equal({ name: group.name, visibility: 'private' });
    });

    it('travels in both Base64 alphabets', async () => {
      const urlSafe = Buffer.from('clé 🗝 +/?').toString('base64url');
      expect((await asGuest('get', `group/${group._id}?password=${urlSafe}`)).body.token).to.be.a('string');
    });

    it('is refused when it is wrong', async () => {
      for (const wrong of [encodePassword('nope'), '!!!', encodePassword('constructor')]) {
        const { status, body } = await asGuest('get', `group/${group._id}?password=${wrong}`);
        expect([status, body.error, body.key]).to.deep.equal([
          401,
          'BACKEND.ERROR.PERMISSION.UNAUTHORIZED',
          group._id,
        ]);
      }
    });

    it('locks again when it is changed', async () => {
      await asCarol('post', `group/${group._id}/unlock`, { password: 'clé 🗝 +/?' }).expect(200);
      await asAlice('put', `group/${group._id}`, { password: 'another' }).expect(200);
      expect((await asCarol('get', `group/${group._id}`)).body.value.pads).to.equal(undefined);
    });

    it('stays when the group is saved without one', async () => {
      await asAlice('put', `group/${group._id}`, { name: 'Renamed', password: '' }).expect(200);
      await asCarol('post', `group/${group._id}/unlock`, { password: 'clé 🗝 +/?' }).expect(200);
    });

    it('does not come back to life when the group was public in between', async () => {
      await asAlice('put', `group/${group._id}`, { visibility: 'public' }).expect(200);
      const { status, body } = await asAlice('put', `group/${group._id}`, { visibility: 'private' });
      expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT']);
    });

    it('cannot be guessed for long', async () => {
      const strict = await startApp({ limitFactor: 1 });
      try {
        const owner = await buildUser(strict);
        const locked = await buildGroup(strict, owner, { visibility: 'private', password: 'secret' });
        const statuses: number[] = [];
        for (let guess = 0; guess < 22; guess++) {
          statuses.push(
            (await callerOf(strict)('post', `group/${locked._id}/unlock`, { password: `${guess}` })).status,
          );
        }
        expect(statuses.slice(0, 20)).to.deep.equal(new Array(20).fill(401));
        expect(statuses.slice(20)).to.deep.equal([429, 429]);
      } finally {
        await strict.close();
      }
    });
  });

  describe('changing one', () => {
    it('changes what is sent and leaves the rest', async () => {
      const group = await shared({ description: 'Stays', tags: ['stays'], visibility: 'public' });
      const { body } = await asAlice('put', `group/${group._id}`, { name: 'New', readonly: true });
      const { name: _name, readonly: _readonly, ...rest } = group;
      expect(body.value).to.deep.equal({ ...rest, name: 'New', readonly: true });
    });

    it('takes a whole group as it was read, and passes over what cannot be set', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      const { value } = (await asAlice('get', `group/${group._id}`)).body;
      const { body } = await asAlice('put', `group/${group._id}`, {
        ...value,
        name: 'Whole',
        admin: alice.id,
        pads: [],
        ctime: 1,
      });
      expect(body.value).to.deep.equal({ ...value, name: 'Whole', pads: [pad._id] });
    });

    it('keeps fields of the record that it does not know', async () => {
      const group = await shared();
      await app.model.store.set(keys.group(group._id), {
        ...(await record(group._id)),
        extra: { kept: true },
      });
      await asAlice('put', `group/${group._id}`, { name: 'New' }).expect(200);
      expect(await record(group._id)).to.deep.include({ extra: { kept: true } });
    });

    it('is for its admins and server administrators', async () => {
      const group = await shared({ visibility: 'public' });
      for (const [call, status, error] of [
        [asGuest, 401, 'NOT_AUTH'],
        [asCarol, 401, 'DENIED_RECORD_EDIT'],
        [asBob, 401, 'DENIED_RECORD_EDIT'],
      ] as const) {
        for (const [method, body] of [
          ['put', { name: 'Mine' }],
          ['delete', undefined],
        ] as const) {
          const answer = await call(method, `group/${group._id}`, body);
          expect([answer.status, answer.body.error]).to.deep.equal([
            status,
            `BACKEND.ERROR.AUTHENTICATION.${error}`,
          ]);
        }
      }
      expect((await record(group._id))?.name).to.equal(group.name);
      await asRoot('put', `group/${group._id}`, { name: 'By root' }).expect(200);
      expect((await record(group._id))?.name).to.equal('By root');
    });

    it('cannot leave a group without admins', async () => {
      const group = await shared();
      for (const admins of [[], undefined]) {
        const body = admins === undefined ? { users: [alice.id], admins: [] } : { admins };
        const { status, body: answer } = await asAlice('put', `group/${group._id}`, body);
        expect([status, answer.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
      }
    });

    it('updates the index of the people who come and go', async () => {
      const group = await shared();
      await asAlice('put', `group/${group._id}`, { users: [carol.id] }).expect(200);
      expect(await groupsOf(bob)).to.not.include(group._id);
      expect(await groupsOf(carol)).to.include(group._id);
    });
  });

  describe('inviting', () => {
    const invite = (call: Call, gid: unknown, flag: unknown, loginsOrEmails: unknown) =>
      call('post', 'group/invite', { gid, invite: flag, loginsOrEmails });

    it('replaces the users by the list, by login or e-mail, and tells who is known', async () => {
      const group = await shared();
      const list = [carol.login, ' nobody ', bob.email, carol.login];
      const { body } = await invite(asAlice, group._id, true, list);
      expect(body.value.users).to.deep.equal([carol.id, bob.id]);
      expect(body.present).to.deep.equal([carol.login, bob.email]);
      expect(body.absent).to.deep.equal(['nobody']);
      expect(body.users[carol.id].email).to.equal(carol.email);
    });

    it('takes out whoever is not on the list any more', async () => {
      const group = await shared();
      await invite(asAlice, group._id, true, []).expect(200);
      expect((await record(group._id))?.users).to.deep.equal([]);
      expect(await groupsOf(bob)).to.not.include(group._id);
      expect((await asBob('get', `group/${group._id}`)).status).to.equal(401);
    });

    it('counts somebody who is named twice once', async () => {
      const group = await shared();
      const { body } = await invite(asAlice, group._id, true, [carol.login, carol.email]);
      expect(body.value.users).to.deep.equal([carol.id]);
      expect(body.present).to.deep.equal([carol.login, carol.email]);
    });

    it('makes a listed admin a user, but never the last one', async () => {
      const group = await shared({ admins: [carol.id] });
      const { body } = await invite(asAlice, group._id, true, [carol.login]);
      expect(body.value).to.deep.include({ admins: [alice.id], users: [carol.id] });
      const last = await invite(asAlice, group._id, true, [alice.login]);
      expect([last.status, last.body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
      expect((await record(group._id))?.admins).to.deep.equal([alice.id]);
    });

    it('shares the administration by the complete list', async () => {
      const group = await shared();
      const { body } = await invite(asAlice, group._id, false, [alice.login, bob.login]);
      expect(body.value).to.deep.include({ admins: [alice.id, bob.id], users: [] });
      const handedOver = await invite(asAlice, group._id, false, [bob.login]);
      expect(handedOver.status).to.equal(200);
      expect((await record(group._id))?.admins).to.deep.equal([bob.id]);
      expect(await groupsOf(alice)).to.not.include(group._id);
    });

    it('does not leave a group without admins', async () => {
      const group = await shared();
      for (const list of [[], ['nobody']]) {
        const { status, body } = await invite(asAlice, group._id, false, list);
        expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
      }
      expect((await record(group._id))?.admins).to.deep.equal([alice.id]);
    });

    it('is for admins of the group and server administrators', async () => {
      const group = await shared();
      for (const flag of [true, false]) {
        for (const call of [asBob, asCarol]) {
          const { status, body } = await invite(call, group._id, flag, [carol.login]);
          expect([status, body.error]).to.deep.equal([
            401,
            'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT',
          ]);
        }
        expect((await invite(asGuest, group._id, flag, [carol.login])).body.error).to.equal(
          'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
        );
      }
      expect((await invite(asRoot, group._id, true, [carol.login])).body.value.users).to.deep.equal([
        carol.id,
      ]);
    });

    it('says which part of the question is wrong', async () => {
      const group = await shared();
      const rows: [unknown, string][] = [
        [{ invite: true, loginsOrEmails: [] }, 'TYPE.PARAMS_REQUIRED'],
        [{ gid: 5, invite: true, loginsOrEmails: [] }, 'TYPE.GID_STR'],
        [{ gid: group._id, invite: 'yes', loginsOrEmails: [] }, 'TYPE.INVITE_BOOL'],
        [{ gid: group._id, invite: true, loginsOrEmails: 'bob' }, 'TYPE.LOGINS_ARR'],
        [{ gid: group._id, invite: true, loginsOrEmails: [7] }, 'TYPE.LOGINS_ARR'],
        [{ gid: 'nothing-here', invite: true, loginsOrEmails: [] }, 'CONFIGURATION.KEY_NOT_FOUND'],
      ];
      for (const [sent, error] of rows) {
        const { body } = await asAlice('post', 'group/invite', sent);
        expect(body.error).to.equal(`BACKEND.ERROR.${error}`);
      }
    });

    it('lets two admins invite at the same moment without losing the index', async () => {
      await app.inject({ fault: 'delay' });
      const group = await shared({ admins: [carol.id] });
      await Promise.all(
        Array.from({ length: 10 }, (_, turn) =>
          invite(turn % 2 ? asAlice : asCarol, group._id, true, turn % 3 ? [bob.login] : []),
        ),
      );
      const inside = (await record(group._id))?.users.includes(bob.id);
      expect((await groupsOf(bob)).includes(group._id)).to.equal(inside);
      await app.inject({ fault: 'none' });
    });
  });

  describe('leaving', () => {
    it('takes a user out', async () => {
      const group = await shared();
      const { status } = await asBob('post', 'group/resign', { gid: group._id });
      expect(status).to.equal(200);
      expect((await record(group._id))?.users).to.deep.equal([]);
      expect(await groupsOf(bob)).to.not.include(group._id);
    });

    it('takes an admin out while another remains, also when both leave at once', async () => {
      await app.inject({ fault: 'delay' });
      const group = await shared({ admins: [carol.id] });
      const answers = await Promise.all(
        [asAlice, asCarol].map((call) => call('post', 'group/resign', { gid: group._id })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
      expect((await record(group._id))?.admins).to.have.length(1);
      await app.inject({ fault: 'none' });
    });

    it('is refused to the last admin and to whoever is not in it', async () => {
      const group = await shared();
      expect((await asAlice('post', 'group/resign', { gid: group._id })).body.error).to.equal(
        'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
      );
      expect((await asCarol('post', 'group/resign', { gid: group._id })).body.error).to.equal(
        'BACKEND.ERROR.GROUP.NOT_USER',
      );
      expect((await asRoot('post', 'group/resign', { gid: group._id })).status).to.equal(401);
      expect((await asBob('post', 'group/resign', { gid: 7 })).body.error).to.equal(
        'BACKEND.ERROR.TYPE.ID_STR',
      );
      expect((await asBob('post', 'group/resign', { gid: 'nothing-here' })).status).to.equal(404);
    });
  });

  describe('removing one', () => {
    it('removes its pads with it, from the editor too, and leaves nothing', async () => {
      const group = await shared();
      const pads = [await buildPad(app, alice, group), await buildPad(app, alice, group)];
      await asAlice('delete', `group/${group._id}`).expect(200);
      expect((await asAlice('get', `group/${group._id}`)).status).to.equal(404);
      for (const { _id } of pads) {
        expect((await asAlice('get', `pad/${_id}`)).status).to.equal(404);
        expect(await app.ports.pads.exists(_id)).to.equal(false);
      }
      await settled(app);
      const left = JSON.stringify(await snapshot(app));
      for (const id of [group._id, ...pads.map((pad) => pad._id)]) expect(left).to.not.include(id);
    });

    it('leaves a pad alone that the list names but that belongs to another group', async () => {
      const [one, other] = [await shared(), await shared()];
      const pad = await buildPad(app, alice, one);
      await app.model.store.update<GroupRecord>(keys.group(other._id), (group) =>
        group ? { ...group, pads: [pad._id] } : undefined,
      );
      await asAlice('delete', `group/${other._id}`).expect(200);
      expect((await asAlice('get', `pad/${pad._id}`)).status).to.equal(200);
    });
  });

  describe('removing an account', () => {
    it('removes groups that nobody else administers, and takes the person out of the others', async () => {
      const dora = await buildUser(app);
      const own = await buildGroup(app, dora, { users: [bob.id] });
      const pad = await buildPad(app, dora, own);
      const common = await buildGroup(app, alice, { admins: [dora.id] });
      const proof = { currentPassword: dora.password };
      await callerOf(app, dora.token)('delete', `user/${dora.login}`, proof).expect(200);
      await app.idle();
      expect((await asBob('get', `group/${own._id}`)).status).to.equal(404);
      expect(await app.ports.pads.exists(pad._id)).to.equal(false);
      expect((await record(common._id))?.admins).to.deep.equal([alice.id]);
    });
  });
});
