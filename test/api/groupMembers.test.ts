import { expect } from 'chai';
import type { Call } from '../support/caller';
import { usePeople } from '../support/people';

describe('inviting people to a group, and leaving it', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest } = people;
  const { buildShared, groupRecord, groupsOf } = people;

  describe('inviting', () => {
    const invite = (call: Call, gid: unknown, flag: unknown, loginsOrEmails: unknown) =>
      call('post', 'group/invite', { gid, invite: flag, loginsOrEmails });

    it('replaces the users by the list of logins and e-mails, and tells which have an account', async () => {
      const group = await buildShared();
      const list = [carol.login, ' nobody ', bob.email, carol.login];
      const { body } = await invite(asAlice, group._id, true, list);
      expect(body.value.users).to.deep.equal([carol.id, bob.id]);
      expect(body.present).to.deep.equal([carol.login, bob.email]);
      expect(body.absent).to.deep.equal(['nobody']);
      expect(body.users[carol.id].email).to.equal(carol.email);
    });

    it('removes those who are not on the list any more (W16)', async () => {
      const group = await buildShared();
      await invite(asAlice, group._id, true, []).expect(200);
      expect((await groupRecord(group._id))?.users).to.deep.equal([]);
      expect(await groupsOf(bob)).to.not.include(group._id);
      expect((await asBob('get', `group/${group._id}`)).status).to.equal(401);
    });

    it('adds somebody who is named twice only once', async () => {
      const group = await buildShared();
      const { body } = await invite(asAlice, group._id, true, [carol.login, carol.email]);
      expect(body.value.users).to.deep.equal([carol.id]);
      expect(body.present).to.deep.equal([carol.login, carol.email]);
    });

    it('turns a listed admin into a user, but never the last admin', async () => {
      const group = await buildShared({ admins: [carol.id] });
      const { body } = await invite(asAlice, group._id, true, [carol.login]);
      expect(body.value).to.deep.include({ admins: [alice.id], users: [carol.id] });
      const last = await invite(asAlice, group._id, true, [alice.login]);
      expect([last.status, last.body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
      expect((await groupRecord(group._id))?.admins).to.deep.equal([alice.id]);
    });

    it('replaces the admins by the list', async () => {
      const group = await buildShared();
      const { body } = await invite(asAlice, group._id, false, [alice.login, bob.login]);
      expect(body.value).to.deep.include({ admins: [alice.id, bob.id], users: [] });
      const handedOver = await invite(asAlice, group._id, false, [bob.login]);
      expect(handedOver.status).to.equal(200);
      expect((await groupRecord(group._id))?.admins).to.deep.equal([bob.id]);
      expect(await groupsOf(alice)).to.not.include(group._id);
    });

    it('does not leave a group without admins', async () => {
      const group = await buildShared();
      for (const list of [[], ['nobody']]) {
        const { status, body } = await invite(asAlice, group._id, false, list);
        expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
      }
      expect((await groupRecord(group._id))?.admins).to.deep.equal([alice.id]);
    });

    it('is allowed to admins of the group and server administrators', async () => {
      const group = await buildShared();
      for (const flag of [true, false]) {
        for (const call of [asBob, asCarol]) {
          const { body } = await invite(call, group._id, flag, [carol.login]);
          expect(body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT');
        }
        expect((await invite(asGuest, group._id, flag, [carol.login])).body.error).to.equal(
          'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
        );
      }
      expect((await invite(asRoot, group._id, true, [carol.login])).body.value.users).to.deep.equal([
        carol.id,
      ]);
    });

    it('says which part of the request is wrong', async () => {
      const group = await buildShared();
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

    it('keeps group and accounts consistent when two admins invite at the same moment', async () => {
      await people.app.inject({ fault: 'delay' });
      const group = await buildShared({ admins: [carol.id] });
      await Promise.all(
        Array.from({ length: 10 }, (_, turn) =>
          invite(turn % 2 ? asAlice : asCarol, group._id, true, turn % 3 ? [bob.login] : []),
        ),
      );
      const inside = (await groupRecord(group._id))?.users.includes(bob.id);
      expect((await groupsOf(bob)).includes(group._id)).to.equal(inside);
      await people.app.inject({ fault: 'none' });
    });
  });

  describe('leaving', () => {
    it('removes a user', async () => {
      const group = await buildShared();
      const { status } = await asBob('post', 'group/resign', { gid: group._id });
      expect(status).to.equal(200);
      expect((await groupRecord(group._id))?.users).to.deep.equal([]);
      expect(await groupsOf(bob)).to.not.include(group._id);
    });

    it('removes an admin while another remains, also when both leave at once', async () => {
      await people.app.inject({ fault: 'delay' });
      const group = await buildShared({ admins: [carol.id] });
      const answers = await Promise.all(
        [asAlice, asCarol].map((call) => call('post', 'group/resign', { gid: group._id })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
      expect((await groupRecord(group._id))?.admins).to.have.length(1);
      await people.app.inject({ fault: 'none' });
    });

    it('is refused to the last admin and to people who are not in the group', async () => {
      const group = await buildShared();
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
});
