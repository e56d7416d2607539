/** Section 3 of the specification, field by field: a value that is set appears in every answer that shows it. */
import { expect } from 'chai';
import { useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { useAdmin, usePerson } from '../support/people';

describe('stored fields', () => {
  const app = useTestApp();
  const { user, call } = usePerson(app, before);
  const { user: friend } = usePerson(app, before);
  const admin = useAdmin(app, before);

  describe('of a person:', () => {
    const fields: [string, unknown, unknown][] = [
      ['firstname', 'Inès', ''],
      ['lastname', 'O’Neil', ''],
      ['organization', 'École', ''],
      ['padNickname', 'Nini', ''],
      ['lang', 'it', 'en'],
      ['color', '#a0B1c2', ''],
      ['hideHelp', true, false],
      ['singleKeys', false, true],
      ['useLoginAndColorInPads', false, true],
    ];
    for (const [field, value, initial] of fields) {
      it(`${field}, which is ${JSON.stringify(initial)} at first`, async () => {
        expect(user.value).to.have.property(field, initial);
        const others = { ...(await call('get', `user/${user.login}`)).body.value };
        for (const next of [value, initial]) {
          const saved = await call('put', `user/${user.login}`, { [field]: next });
          expect(saved.body.value).to.deep.equal({ ...others, [field]: next });
          const shown = [
            (await call('get', `user/${user.login}`)).body.value,
            (await call('get', 'configuration')).body.user,
            (await callerOf(app)('post', 'auth/login', { login: user.login, password: user.password })).body
              .user,
          ];
          for (const one of shown) expect(one).to.deep.equal(saved.body.value);
          // Administrators also see the state of the account.
          const forAdministrators = (await admin('get', `user/${user.login}`)).body.value;
          expect(forAdministrators).to.deep.include(saved.body.value);
        }
      });
    }

    it('login, address, id, state, bookmarks, groups and the day of the registration', async () => {
      const open = await buildGroup(app, friend, { visibility: 'public' });
      const own = await buildGroup(app, user);
      const pad = await buildPad(app, user, own);
      await call('post', 'usermark', { type: 'groups', key: open._id });
      await call('post', 'usermark', { type: 'pads', key: pad._id });
      const { value } = (await call('get', `user/${user.login}`)).body;
      expect(value).to.deep.include({
        _id: user.id,
        login: user.login,
        email: user.email,
        active: true,
        bookmarks: { groups: [open._id], pads: [pad._id] },
        groups: [own._id],
      });
      expect(value.ctime).to.be.within(app.ports.now() - 600_000, app.ports.now());
    });
  });

  describe('of a group:', () => {
    const fields: [string, unknown, unknown][] = [
      ['name', 'Über uns', 'Plain'],
      ['description', 'Two\nlines', ''],
      ['visibility', 'public', 'restricted'],
      ['readonly', true, false],
      ['archived', true, false],
      ['allowUsersToCreatePads', true, false],
      ['tags', ['one', 'zwei'], []],
    ];
    for (const [field, value, initial] of fields) {
      it(`${field}, which is ${JSON.stringify(initial)} at first`, async () => {
        const group = await buildGroup(app, user, { name: 'Plain' });
        expect(group).to.deep.include({ [field]: initial });
        const made = await buildGroup(app, user, { name: 'Plain', [field]: value });
        expect(made).to.deep.include({ [field]: value });
        for (const next of [value, initial]) {
          const saved = await call('put', `group/${group._id}`, { [field]: next });
          expect(saved.body.value).to.deep.equal({ ...group, [field]: next });
          expect((await call('get', `group/${group._id}`)).body.value).to.deep.equal(saved.body.value);
          expect((await call('get', 'group')).body.value.groups[group._id]).to.deep.equal(saved.body.value);
        }
      });
    }

    it('admins, users, pads and the day it was made', async () => {
      const group = await buildGroup(app, user, { users: [friend.id] });
      const pad = await buildPad(app, user, group);
      const { value } = (await call('get', `group/${group._id}`)).body;
      expect(value).to.deep.include({ admins: [user.id], users: [friend.id], pads: [pad._id] });
      expect(value.ctime).to.be.within(app.ports.now() - 600_000, app.ports.now());
    });
  });

  describe('of a pad:', () => {
    const fields: [string, unknown, unknown][] = [
      ['name', 'Über uns', 'Plain'],
      ['visibility', 'public', null],
      ['readonly', true, null],
      ['readonly', false, null],
    ];
    for (const [field, value, initial] of fields) {
      it(`${field} ${JSON.stringify(value)}; it is ${JSON.stringify(initial)} at first`, async () => {
        const group = await buildGroup(app, user, { readonly: value === false });
        const pad = await buildPad(app, user, group, { name: 'Plain' });
        expect(pad).to.deep.include({ [field]: initial });
        for (const next of [value, initial]) {
          const saved = await call('put', `pad/${pad._id}`, { [field]: next });
          expect(saved.body.value).to.deep.include({ _id: pad._id, group: group._id, [field]: next });
          const { lastUpdate: _, ...shown } = (await call('get', `pad/${pad._id}`)).body.value;
          expect(saved.body.value).to.deep.include(shown);
          const listed = (await call('get', `group/${group._id}`)).body.pads[pad._id];
          expect(listed).to.deep.include(shown);
        }
      });
    }

    it('its group, when it was made, when it was last written, and the people of its group', async () => {
      const group = await buildGroup(app, user, { users: [friend.id] });
      const pad = await buildPad(app, user, group);
      await app.model.pads.touch(pad._id);
      const { value } = (await call('get', `pad/${pad._id}`)).body;
      expect(value.group).to.equal(group._id);
      expect(value.ctime).to.be.within(app.ports.now() - 600_000, app.ports.now());
      expect(value.lastUpdate).to.be.at.least(value.ctime);
      const around = (await call('get', `group/${group._id}`)).body;
      expect([...around.value.admins, ...around.value.users]).to.deep.equal([user.id, friend.id]);
      expect(around.users[friend.id]).to.include({ login: friend.login, email: friend.email });
    });
  });
});
