import { expect } from 'chai';
import type { Group } from '../../api/answers';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { usePeople } from '../support/people';

describe('reading groups', () => {
  const people = usePeople();
  const { alice, bob, asAlice, asBob, asCarol, asRoot, asGuest, buildShared } = people;

  describe('the list of one’s own groups', () => {
    it('has the groups, their pads and their people (B6)', async () => {
      const dora = await buildUser(people.app, { firstname: 'Dora', lastname: 'Explorer' });
      const group = await buildGroup(people.app, dora, { users: [bob.id] });
      const pad = await buildPad(people.app, dora, group);
      const { value } = (await callerOf(people.app, dora.token)('get', 'group')).body;
      expect(Object.keys(value.groups)).to.deep.equal([group._id]);
      expect(value.groups[group._id].pads).to.deep.equal([pad._id]);
      expect(value.pads[pad._id]).to.include({ name: pad.name, group: group._id, lastUpdate: null });
      expect(value.users[bob.id]).to.deep.include({ login: bob.login, email: bob.email });
      expect(Object.keys(value.admins)).to.deep.equal([dora.id]);
      expect(value.bookmarks).to.deep.equal({ groups: {}, pads: {} });
    });

    it('shows logins to a user of the group, but neither names nor e-mails (W10)', async () => {
      const dora = await buildUser(people.app);
      const group = await buildGroup(people.app, alice, { users: [dora.id] });
      const { value } = (await callerOf(people.app, dora.token)('get', 'group')).body;
      expect(value.users[alice.id]).to.deep.equal({ _id: alice.id, login: alice.login, color: '' });
      expect(value.groups[group._id].abilities).to.include({ edit: false, leave: true, seePeople: true });
    });

    it('shows bookmarked groups and pads of others only while the person may see them (C9)', async () => {
      const dora = await buildUser(people.app);
      const call = callerOf(people.app, dora.token);
      const group = await buildGroup(people.app, alice, { visibility: 'public' });
      const pad = await buildPad(people.app, alice, group);
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
    type Who = 'guest' | 'outsider' | 'user' | 'admin' | 'root';
    type Seen = 'all' | 'open' | 'name' | 'DENIED_RECORD' | 'MUST_BE';
    const table: Record<string, Record<Who, Seen>> = {
      public: { guest: 'open', outsider: 'open', user: 'all', admin: 'all', root: 'all' },
      private: { guest: 'name', outsider: 'name', user: 'all', admin: 'all', root: 'all' },
      restricted: {
        guest: 'DENIED_RECORD',
        outsider: 'DENIED_RECORD',
        user: 'all',
        admin: 'all',
        root: 'all',
      },
    };
    const modeOn: Record<Who, Seen> = {
      guest: 'MUST_BE',
      outsider: 'all',
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
      outsider: 'somebody who is not in it',
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
      return { guest: asGuest, outsider: asCarol, user: asBob, admin: asAlice, root: asRoot }[who];
    }

    for (const [visibility, row] of Object.entries(table)) {
      describe(`a ${visibility} group`, () => {
        let group: Group;
        let padIds: string[];

        before(async () => {
          group = await buildShared({ visibility, password: 'open sesame' });
          padIds = [];
          for (const fields of ownSettings)
            padIds.push((await buildPad(people.app, alice, group, fields))._id);
        });
        afterEach(() => people.app.model.configuration.set('allPadsPublicsAuthentifiedOnly', false));

        function expectSeen(
          who: Who,
          seen: Seen,
          { status, body }: { status: number; body: Record<string, unknown> },
        ) {
          if (seen === 'DENIED_RECORD' || seen === 'MUST_BE') {
            expect(body).to.deep.equal({ error: `BACKEND.ERROR.AUTHENTICATION.${seen}`, key: group._id });
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
            await people.app.model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
            expectSeen(who, modeOn[who], await callOf(who)('get', `group/${group._id}`));
          });
        }
      });
    }

    it('shows who has its pads open: nobody, unless Etherpad says it', async () => {
      const group = await buildShared();
      for (const path of [`group/${group._id}/present`, 'overview/present'])
        await asAlice('get', path).expect(200, { value: {} });
    });

    it('answers 404 for a group that does not exist', async () => {
      const { status, body } = await asAlice('get', 'group/nothing-here');
      expect([status, body.error]).to.deep.equal([404, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND']);
    });
  });
});
