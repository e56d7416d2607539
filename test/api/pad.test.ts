import { expect } from 'chai';
import supertest from 'supertest';
import type { Group, Pad } from '../../api/answers';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { type Call, callerOf, encodePassword } from '../support/caller';
import {
  buildGroup,
  buildPad,
  buildUser,
  entryTokenOf,
  signInAsAdmin,
  type TestUser,
} from '../support/factories';

describe('pads over HTTP', () => {
  let app: TestApp;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let asAlice: Call;
  let asBob: Call;
  let asCarol: Call;
  let asRoot: Call;
  let asGuest: Call;

  before(async () => {
    app = await startApp();
    [alice, bob, carol] = [await buildUser(app), await buildUser(app), await buildUser(app)];
    asRoot = callerOf(app, await signInAsAdmin(app));
    [asAlice, asBob, asCarol] = [alice, bob, carol].map((user) => callerOf(app, user.token)) as [
      Call,
      Call,
      Call,
    ];
    asGuest = callerOf(app);
  });
  after(() => app.close());

  async function groupRecord(id: string): Promise<GroupRecord | undefined> {
    return app.model.store.get<GroupRecord>(keys.group(id));
  }

  async function padRecord(id: string): Promise<PadRecord | undefined> {
    return app.model.store.get<PadRecord>(keys.pad(id));
  }

  /** A group of alice with bob as a user. */
  async function shared(fields: Record<string, unknown> = {}): Promise<Group> {
    return buildGroup(app, alice, { users: [bob.id], ...fields });
  }

  describe('making one', () => {
    it('makes a pad that inherits everything, in the editor and in the group', async () => {
      const group = await shared();
      const { status, body } = await asAlice('post', 'pad', { name: 'Minutes', group: group._id });
      expect(status).to.equal(200);
      expect(body.value).to.deep.include({
        _id: body.key,
        name: 'Minutes',
        group: group._id,
        visibility: null,
        readonly: null,
        hasPassword: false,
        lastUpdate: null,
        effective: { visibility: 'restricted', passwordOf: null, readonly: false },
      });
      expect(body.value.abilities).to.deep.equal({
        enter: 'write',
        edit: true,
        remove: true,
        removeChatHistory: true,
        move: true,
        bookmark: true,
      });
      expect((await groupRecord(group._id))?.pads).to.deep.equal([body.key]);
      expect(await app.ports.pads.exists(body.key)).to.equal(true);
    });

    it('takes what the form sends for "as the folder"', async () => {
      const group = await shared();
      const sent = { name: 'P', group: group._id, visibility: null, password: null, readonly: null };
      expect((await asAlice('post', 'pad', sent)).status).to.equal(200);
      expect((await asAlice('post', 'pad', { ...sent, visibility: '' })).body.value.visibility).to.equal(
        null,
      );
    });

    it('wants a password for an own private, and keeps only a hash', async () => {
      const group = await shared();
      const without = await asAlice('post', 'pad', { name: 'P', group: group._id, visibility: 'private' });
      expect([without.status, without.body.error]).to.deep.equal([
        400,
        'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
      ]);
      expect((await groupRecord(group._id))?.pads).to.deep.equal([]);
      const pad = await buildPad(app, alice, group, { visibility: 'private', password: 'x' });
      expect(pad.hasPassword).to.equal(true);
      expect((await padRecord(pad._id))?.password).to.include({ scheme: 'bcrypt' });
    });

    it('is for admins, for users where the group allows it, and for server administrators', async () => {
      const closed = await shared();
      const open = await shared({ allowUsersToCreatePads: true });
      const rows: [Call, Group, number, string?][] = [
        [asGuest, open, 401, 'NOT_AUTH'],
        [asCarol, open, 401, 'DENIED'],
        [asBob, closed, 401, 'DENIED'],
        [asBob, open, 200],
        [asAlice, closed, 200],
        [asRoot, closed, 200],
      ];
      for (const [call, group, status, error] of rows) {
        const answer = await call('post', 'pad', { name: 'P', group: group._id });
        expect(answer.status).to.equal(status);
        if (error) expect(answer.body.error).to.equal(`BACKEND.ERROR.AUTHENTICATION.${error}`);
      }
      expect((await groupRecord(closed._id))?.pads).to.have.length(2);
    });

    it('names what is missing', async () => {
      const group = await shared();
      const rows: [object, string][] = [
        [{ name: 'P' }, 'TYPE.PARAM_STR'],
        [{ group: group._id }, 'TYPE.PARAM_STR'],
        [{ name: 'P', group: 'nothing-here' }, 'PAD.ITEMS_NOT_FOUND'],
      ];
      for (const [sent, error] of rows) {
        const { status, body } = await asAlice('post', 'pad', sent);
        expect([status, body.error]).to.deep.equal([400, `BACKEND.ERROR.${error}`]);
      }
    });

    it('links every pad when twenty people create one in the same group at once', async () => {
      await app.inject({ fault: 'delay' });
      const people = await Promise.all(Array.from({ length: 20 }, () => buildUser(app)));
      const group = await shared({ users: people.map((user) => user.id), allowUsersToCreatePads: true });
      const answers = await Promise.all(
        people.map((user, index) =>
          callerOf(app, user.token)('post', 'pad', { name: `Pad ${index}`, group: group._id }),
        ),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(new Array(20).fill(200));
      const { value, pads } = (await asAlice('get', `group/${group._id}`)).body;
      expect(value.pads).to.have.members(answers.map(({ body }) => body.key));
      expect(Object.keys(pads)).to.have.length(20);
      await app.inject({ fault: 'none' });
    });

    it('leaves nothing behind when the group is removed at the same moment', async () => {
      await app.inject({ fault: 'delay' });
      const group = await shared();
      const [, ...answers] = await Promise.all([
        asAlice('delete', `group/${group._id}`),
        ...Array.from({ length: 5 }, () => asAlice('post', 'pad', { name: 'Late', group: group._id })),
      ]);
      for (const { status, body } of answers) {
        expect(status).to.be.oneOf([200, 400]);
        if (status === 200) expect(await app.ports.pads.exists(body.key)).to.equal(false);
      }
      const left = await app.ports.database.findKeys('mypads:pad:late-*', null);
      expect(left).to.deep.equal([]);
      expect(await app.ports.database.findKeys('pad:late-*', null)).to.deep.equal([]);
      await app.inject({ fault: 'none' });
    });
  });

  describe('reading one', () => {
    type Who = 'guest' | 'stranger' | 'user' | 'admin' | 'root';
    type Result = 200 | 'TYPE.PASSWORD_MISSING' | 'AUTHENTICATION.MUST_BE' | 'AUTHENTICATION.DENIED_RECORD';
    const missing = 'TYPE.PASSWORD_MISSING';
    const signIn = 'AUTHENTICATION.MUST_BE';
    const denied = 'AUTHENTICATION.DENIED_RECORD';
    const rows: {
      title: string;
      group: string;
      own?: string;
      is: Record<Who, Result>;
    }[] = [
      {
        title: 'a pad that inherits public',
        group: 'public',
        is: { guest: 200, stranger: 200, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'an own public pad in a restricted group',
        group: 'restricted',
        own: 'public',
        is: { guest: 200, stranger: 200, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'a pad that inherits private',
        group: 'private',
        is: { guest: missing, stranger: missing, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'an own private pad in a public group',
        group: 'public',
        own: 'private',
        is: { guest: missing, stranger: missing, user: missing, admin: 200, root: 200 },
      },
      {
        title: 'a pad that inherits restricted',
        group: 'restricted',
        is: { guest: signIn, stranger: denied, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'an own restricted pad in a public group',
        group: 'public',
        own: 'restricted',
        is: { guest: signIn, stranger: denied, user: 200, admin: 200, root: 200 },
      },
    ];
    const persons: Record<Who, string> = {
      guest: 'a guest',
      stranger: 'somebody who is not in the group',
      user: 'a user of the group',
      admin: 'an admin of the group',
      root: 'a server administrator',
    };

    function callOf(who: Who): Call {
      return { guest: asGuest, stranger: asCarol, user: asBob, admin: asAlice, root: asRoot }[who];
    }

    for (const { title, group: visibility, own, is } of rows) {
      for (const who of Object.keys(persons) as Who[]) {
        it(`gives ${persons[who]} ${is[who] === 200 ? 'the record of' : `${is[who]} at`} ${title}`, async () => {
          const group = await shared({ visibility, password: 'of the group' });
          const pad = await buildPad(
            app,
            alice,
            group,
            own ? { visibility: own, password: 'of the pad' } : {},
          );
          const { status, body } = await callOf(who)('get', `pad/${pad._id}`);
          if (is[who] === 200) {
            expect(status).to.equal(200);
            expect(body.value).to.include({ _id: pad._id, name: pad.name });
            return;
          }
          expect([status, body]).to.deep.equal([401, { error: `BACKEND.ERROR.${is[who]}`, key: pad._id }]);
        });
      }
    }

    it('asks a guest to sign in in the signed-in-only mode, and shows everybody else everything', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
      try {
        expect((await asGuest('get', `pad/${pad._id}`)).body.error).to.equal(
          'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
        );
        expect((await asCarol('get', `pad/${pad._id}`)).status).to.equal(200);
      } finally {
        await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', false);
      }
    });

    it('answers 404 for a pad that does not exist, whose group is gone, or that is being removed', async () => {
      const group = await shared();
      const [orphan, doomed] = [await buildPad(app, alice, group), await buildPad(app, alice, group)];
      await app.model.store.update<PadRecord>(
        keys.pad(orphan._id),
        (pad) => pad && { ...pad, group: 'gone' },
      );
      await app.model.store.set(keys.deletePad(doomed._id), doomed._id);
      for (const id of ['nothing-here', orphan._id, doomed._id]) {
        const { status, body } = await asAlice('get', `pad/${id}`);
        expect([status, body.error]).to.deep.equal([404, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND']);
      }
    });

    it('tells the last change, `null` where nobody has written', async () => {
      const pad = await buildPad(app, alice, await shared());
      const time = async () => (await asAlice('get', `pad/${pad._id}`)).body.value.lastUpdate;
      expect(await time()).to.equal(null);
      await app.model.pads.touch(pad._id);
      expect(await time()).to.be.a('number');
    });
  });

  describe('passwords', () => {
    it("opens with the group's password what inherits, and only that", async () => {
      const group = await shared({ visibility: 'private', password: 'of the group' });
      const inherits = await buildPad(app, alice, group);
      const own = await buildPad(app, alice, group, { visibility: 'private', password: 'of the pad' });
      const answer = await asGuest('get', `pad/${inherits._id}?password=${encodePassword('of the group')}`);
      expect(answer.status).to.equal(200);
      expect(answer.body.value.abilities.enter).to.equal('write');
      expect(entryTokenOf(answer)).to.not.equal('');
      const call = callerOf(app, answer.body.token);
      expect((await call('get', `group/${group._id}`)).body.value.pads).to.deep.equal([inherits._id]);
      expect((await call('get', `pad/${own._id}`)).body.error).to.equal(
        'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
      );
      const wrong = await call('post', `pad/${own._id}/unlock`, { password: 'of the group' });
      expect([wrong.status, wrong.body.error]).to.deep.equal([401, 'BACKEND.ERROR.PERMISSION.UNAUTHORIZED']);
      const right = await call('post', `pad/${own._id}/unlock`, { password: 'of the pad' });
      expect(right.status).to.equal(200);
      expect(right.body.token).to.equal(undefined);
      expect((await call('get', `pad/${own._id}`)).status).to.equal(200);
    });

    it('does not try a password that nothing asks for', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      const { body } = await asGuest('post', `pad/${pad._id}/unlock`, { password: 'x' });
      expect(body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.MUST_BE');
      expect((await asBob('post', `pad/${pad._id}/unlock`, { password: 'x' })).status).to.equal(200);
    });
  });

  describe('changing one', () => {
    it('changes what is sent and leaves the rest', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group, { visibility: 'private', password: 'p' });
      const { body } = await asAlice('put', `pad/${pad._id}`, { readonly: true });
      expect(body.value).to.deep.equal({
        ...pad,
        readonly: true,
        effective: { ...pad.effective, readonly: true },
        abilities: { ...pad.abilities, enter: 'read' },
      });
      await asBob('post', `pad/${pad._id}/unlock`, { password: 'p' }).expect(200);
    });

    it('takes a whole pad as it was read', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      const { value } = (await asAlice('get', `pad/${pad._id}`)).body;
      const { status, body } = await asAlice('put', `pad/${pad._id}`, { ...value, name: 'Whole', users: [] });
      expect([status, body.value.name]).to.deep.equal([200, 'Whole']);
    });

    it('goes back to what the group says', async () => {
      const group = await shared({ visibility: 'public' });
      const pad = await buildPad(app, alice, group, { visibility: 'private', password: 'p', readonly: true });
      const sent = { name: pad.name, visibility: null, password: null, readonly: null };
      const { body } = await asAlice('put', `pad/${pad._id}`, sent);
      expect(body.value).to.include({ visibility: null, readonly: null, hasPassword: false });
      expect((await padRecord(pad._id))?.password).to.equal(null);
    });

    it('is for admins of the group and server administrators', async () => {
      const group = await shared({ visibility: 'public', allowUsersToCreatePads: true });
      const pad = await buildPad(app, bob, group);
      const calls: ['put' | 'delete', string, object?][] = [
        ['put', `pad/${pad._id}`, { name: 'Mine' }],
        ['delete', `pad/chathistory/${pad._id}`],
        ['delete', `pad/${pad._id}`],
      ];
      for (const [method, path, body] of calls) {
        for (const [call, error] of [
          [asGuest, 'NOT_AUTH'],
          [asCarol, 'DENIED_RECORD_EDIT'],
          [asBob, 'DENIED_RECORD_EDIT'],
        ] as const) {
          const answer = await call(method, path, body);
          expect([answer.status, answer.body.error]).to.deep.equal([
            401,
            `BACKEND.ERROR.AUTHENTICATION.${error}`,
          ]);
        }
      }
      for (const [method, path, body] of calls) await asRoot(method, path, body).expect(200);
    });

    it('answers 404 for a pad that does not exist', async () => {
      for (const [method, path] of [
        ['put', 'pad/nothing-here'],
        ['delete', 'pad/nothing-here'],
        ['delete', 'pad/chathistory/nothing-here'],
      ] as const) {
        expect((await asAlice(method, path, {})).status).to.equal(404);
      }
    });
  });

  describe('moving one', () => {
    it('lists it in the other group and nowhere else', async () => {
      const [from, to] = [await shared(), await buildGroup(app, alice)];
      const pad = await buildPad(app, alice, from);
      const { body } = await asAlice('put', `pad/${pad._id}`, { group: to._id });
      expect(body.value.group).to.equal(to._id);
      expect((await groupRecord(from._id))?.pads).to.deep.equal([]);
      expect((await groupRecord(to._id))?.pads).to.deep.equal([pad._id]);
      expect((await asBob('get', `pad/${pad._id}`)).status).to.equal(401);
    });

    it('needs the administration of both groups', async () => {
      const own = await buildGroup(app, carol, { users: [alice.id] });
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      const answer = await asAlice('put', `pad/${pad._id}`, { group: own._id });
      expect([answer.status, answer.body.error]).to.deep.equal([
        401,
        'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT',
      ]);
      expect((await asCarol('put', `pad/${pad._id}`, { group: own._id })).status).to.equal(401);
      const unknown = await asAlice('put', `pad/${pad._id}`, { group: 'nothing-here' });
      expect([unknown.status, unknown.body.error]).to.deep.equal([400, 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND']);
      expect((await padRecord(pad._id))?.group).to.equal(group._id);
      await asRoot('put', `pad/${pad._id}`, { group: own._id }).expect(200);
    });

    it('ends in one place when two move it at once', async () => {
      await app.inject({ fault: 'delay' });
      const from = await shared();
      const targets = [await buildGroup(app, alice), await buildGroup(app, alice)];
      const pad = await buildPad(app, alice, from);
      const answers = await Promise.all(
        targets.map((target) => asAlice('put', `pad/${pad._id}`, { group: target._id })),
      );
      expect(answers.map(({ status }) => status)).to.include(200);
      const home = (await padRecord(pad._id))?.group;
      const lists = await Promise.all([from, ...targets].map(({ _id }) => groupRecord(_id)));
      expect(lists.filter((group) => group?.pads.includes(pad._id)).map((group) => group?._id)).to.deep.equal(
        [home],
      );
      await app.inject({ fault: 'none' });
    });

    it('reads as in one group when the server dies between the writes', async () => {
      const [from, to] = [await shared(), await buildGroup(app, alice)];
      const pad = await buildPad(app, alice, from);
      await app.model.store.update<GroupRecord>(
        keys.group(to._id),
        (group) => group && { ...group, pads: [pad._id] },
      );
      const { value } = (await asAlice('get', 'group')).body;
      expect(value.groups[from._id].pads).to.deep.equal([pad._id]);
      expect(value.groups[to._id].pads).to.deep.equal([]);
    });
  });

  describe('removing one', () => {
    it('removes it everywhere', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      await asAlice('delete', `pad/${pad._id}`).expect(200, { success: true, key: pad._id });
      expect((await groupRecord(group._id))?.pads).to.deep.equal([]);
      expect(await padRecord(pad._id)).to.equal(undefined);
      expect(await app.ports.pads.exists(pad._id)).to.equal(false);
      expect(await app.model.store.get(keys.deletePad(pad._id))).to.equal(undefined);
    });

    it('removes the chat history and nothing else', async () => {
      const group = await shared();
      const pad = await buildPad(app, alice, group);
      await app.chat(pad._id, 8);
      const read = (key: string) => app.ports.database.get(`pad:${pad._id}${key}`) as Promise<object>;
      const before = await read('');
      expect(before).to.include({ chatHead: 7 });
      expect(await read(':chat:7')).to.have.property('text', 'message 7');
      await asAlice('delete', `pad/chathistory/${pad._id}`).expect(200);
      expect(await read('')).to.deep.equal({ ...before, chatHead: -1 });
      for (const number of [0, 7])
        expect(await read(`:chat:${number}`)).to.satisfy((one: unknown) => one == null);
    });
  });

  describe('ispublic', () => {
    it('tells nothing of a pad that is not public, not even that it exists', async () => {
      const open = await buildPad(app, alice, await shared({ visibility: 'public' }));
      const closed = await buildPad(app, alice, await shared());
      for (const [id, ispublic] of [
        [open._id, true],
        [closed._id, false],
        ['nothing-here', false],
      ] as const) {
        const { status, body } = await asGuest('get', `pad/ispublic/${id}`);
        expect([status, body]).to.deep.equal([200, { success: true, key: id, ispublic }]);
      }
    });
  });

  describe('the ticket of a frame', () => {
    async function ticket(call: Call, pad: Pad) {
      return call('post', `pad/${pad._id}/ticket`, {});
    }

    it('lets whoever may enter enter once, in the mode that the rules give', async () => {
      const group = await shared();
      const [pad, readonly] = [
        await buildPad(app, alice, group),
        await buildPad(app, alice, group, { readonly: true }),
      ];
      const { body } = await ticket(asBob, pad);
      expect(body).to.include({ success: true, key: pad._id, mode: 'write' });
      expect((await ticket(asBob, readonly)).body.mode).to.equal('read');
      const { url, close } = await app.listen();
      const door = supertest(url);
      const enter = () => door.get(`/p/${pad._id}?auth_token=${body.ticket}`).redirects(0);
      const first = await enter();
      expect([first.status, first.headers.location]).to.deep.equal([302, `./${pad._id}`]);
      const cookie = `mypads_entry=${entryTokenOf(first)}`;
      expect((await door.get(`/p/${pad._id}`).set('Cookie', cookie)).status).to.equal(200);
      expect(entryTokenOf(await enter())).to.equal('');
      expect((await door.get(`/p/${pad._id}`)).status).to.equal(401);
      await close();
    });

    it('is refused like the pad itself', async () => {
      const restricted = await buildPad(app, alice, await shared());
      const locked = await buildPad(app, alice, await shared({ visibility: 'private', password: 'p' }));
      const rows: [Call, Pad, string][] = [
        [asGuest, restricted, 'AUTHENTICATION.MUST_BE'],
        [asCarol, restricted, 'AUTHENTICATION.DENIED_RECORD'],
        [asRoot, restricted, 'AUTHENTICATION.DENIED_RECORD'],
        [asCarol, locked, 'TYPE.PASSWORD_MISSING'],
      ];
      for (const [call, pad, error] of rows) {
        const { status, body } = await ticket(call, pad);
        expect([status, body]).to.deep.equal([401, { error: `BACKEND.ERROR.${error}`, key: pad._id }]);
      }
    });

    it('comes with the name and colour that the person and the server want', async () => {
      const dora = await buildUser(app, {
        firstname: 'Dora',
        lastname: 'Explorer',
        padNickname: 'dd',
        color: '#00ff00',
      });
      const plain = await buildUser(app, { color: '#0000ff' });
      const shy = await buildUser(app, { useLoginAndColorInPads: false, firstname: 'Shy', color: '#ff0000' });
      const pad = await buildPad(app, alice, await shared({ visibility: 'public' }));
      async function identity(call: Call): Promise<string[]> {
        const { userName, userColor } = (await ticket(call, pad)).body;
        return [userName, userColor];
      }
      expect(await identity(callerOf(app, dora.token))).to.deep.equal(['dd', '#00ff00']);
      expect(await identity(callerOf(app, plain.token))).to.deep.equal([plain.login, '#0000ff']);
      expect(await identity(callerOf(app, shy.token))).to.deep.equal(['', '']);
      expect(await identity(asGuest)).to.deep.equal(['', '']);
      await app.model.configuration.set('useFirstLastNameInPads', true);
      try {
        expect(await identity(callerOf(app, dora.token))).to.deep.equal(['Dora Explorer', '#00ff00']);
        expect(await identity(callerOf(app, shy.token))).to.deep.equal(['Shy', '#ff0000']);
        expect(await identity(callerOf(app, plain.token)), 'has no names').to.deep.equal([
          plain.login,
          '#0000ff',
        ]);
        expect(await identity(asGuest)).to.deep.equal(['', '']);
      } finally {
        await app.model.configuration.set('useFirstLastNameInPads', false);
      }
    });
  });

  describe('the time of the last change', () => {
    it('is written at most once a minute, however often somebody types', async () => {
      const pad = await buildPad(app, alice, await shared());
      await app.model.pads.touch(pad._id);
      const first = (await padRecord(pad._id))?.lastUpdate;
      app.ports.advance(59_000);
      await app.model.pads.touch(pad._id);
      expect((await padRecord(pad._id))?.lastUpdate).to.equal(first);
      app.ports.advance(2_000);
      await app.model.pads.touch(pad._id);
      expect((await padRecord(pad._id))?.lastUpdate).to.be.greaterThan(first ?? Number.POSITIVE_INFINITY);
    });

    it('makes no record of a pad that is not ours', async () => {
      await app.model.pads.touch('somebody-elses');
      expect(await padRecord('somebody-elses')).to.equal(undefined);
    });
  });
});
