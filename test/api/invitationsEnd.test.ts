/** How invitations to folders by email end, and when people are reminded of them, with a real mail server. */
import { expect } from 'chai';
import type { GroupRecord, InvitationRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { callerOf } from '../support/caller';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';
import { newAddress, tokenIn, useInvitations } from '../support/invitations';
import type { ReceivedMail } from '../support/smtpServer';

const day = 24 * 3600_000;
const incorrect = 'BACKEND.ERROR.TOKEN.INCORRECT';

describe('an invitation by email', () => {
  const fixture = useInvitations();
  const { people, asRoot, invitationsOf, invite, inviteOne, inviteNew, register } = fixture;
  const { asNewUser, accept, noteOf, sweep } = fixture;
  const { alice, asAlice, asGuest, buildShared, groupRecord } = people;

  describe('ends', () => {
    it('after 14 days, with one reminder after three', async () => {
      const { group, address, token, invitation } = await inviteNew({ sentence: 'Hello' });
      const sent = () => fixture.mail.received.filter(({ to }) => to.includes(address));
      people.app.ports.advance(2 * day);
      await sweep();
      expect(sent()).to.have.length(1);
      people.app.ports.advance(day);
      await sweep();
      await sweep();
      expect(sent()).to.have.length(2);
      expect(sent()[0]?.text).to.include('valid for 14 days.');
      expect(sent()[1]?.text).to.include('valid for 11 days.');
      expect(sent()[1]?.subject).to.match(/^Reminder: /);
      expect(tokenIn(sent()[1] as ReceivedMail, 'invitation')).to.equal(token);
      people.app.ports.advance(11 * day);
      const expired = await asGuest('post', 'invitations/show', { token });
      expect(expired.body.error).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
      expect(await invitationsOf(group._id)).to.deep.equal([]);
      await sweep();
      expect(sent()).to.have.length(2);
      expect((await groupRecord(group._id))?.invitations).to.deep.equal([]);
      expect(await noteOf(invitation._id)).to.equal(undefined);
    });

    it('without a reminder to somebody whom a rule of the server has put into the folder', async () => {
      const { group, invitation } = await inviteNew();
      const { user } = await asNewUser(invitation.address);
      const setUsers = (users: string[]) =>
        people.app.model.store.update<GroupRecord>(keys.group(group._id), (now) => now && { ...now, users });
      const sent = () => fixture.mail.received.filter(({ to }) => to.includes(invitation.address));
      await setUsers([user.id]);
      people.app.ports.advance(4 * day);
      await sweep();
      expect(sent()).to.have.length(1);
      await setUsers([]);
      await sweep();
      expect(sent()).to.have.length(2);
      await asRoot('delete', `group/${group._id}?permanent=true`);
    });

    it('with a reminder three days after its last mail, also when that was sent again', async () => {
      const { group, address, invitation } = await inviteNew();
      const subjects = () =>
        fixture.mail.received.flatMap(({ to, subject }) => (to.includes(address) ? [subject] : []));
      const pass = async (days: number) => {
        people.app.ports.advance(days * day);
        await sweep();
      };
      const sendAgain = async () => {
        await callerOf(people.app, await signInAsAdmin(people.app))(
          'post',
          `invitations/${invitation._id}/resend`,
        ).expect(200);
        await people.app.idle();
      };
      await pass(2);
      await sendAgain();
      await pass(1);
      expect(subjects()).to.have.length(2);
      await pass(2);
      const [first] = subjects();
      expect(subjects()).to.deep.equal([first, first, `Reminder: ${first}`]);
      await pass(1);
      await sendAgain();
      await pass(3);
      expect(subjects().slice(3)).to.deep.equal([first, `Reminder: ${first}`]);
      await asRoot('delete', `group/${group._id}?permanent=true`);
    });

    it('with its folder', async () => {
      const { group, token, invitation } = await inviteNew();
      await asAlice('delete', `group/${group._id}?permanent=true`).expect(200);
      await people.app.idle();
      expect(await noteOf(invitation._id)).to.equal(undefined);
      expect((await asGuest('post', 'invitations/show', { token })).body.error).to.equal(incorrect);
    });

    it('with nothing of who invited, when their account is deleted; the invitation stays', async () => {
      const group = await buildShared();
      const manager = await buildUser(people.app);
      await asAlice('put', `group/${group._id}/members`, { admins: [manager.login] }).expect(200);
      const asManager = callerOf(people.app, manager.token);
      const address = newAddress();
      const { token } = await inviteOne(group, address, {}, asManager);
      await asRoot('delete', `user/${manager.login}`).expect(200);
      await people.app.idle();
      expect(JSON.stringify(await groupRecord(group._id))).to.not.contain(manager.login);
      expect((await asGuest('post', 'invitations/show', { token })).body.value.by).to.equal(null);
      const { as } = await asNewUser(address);
      await accept(as, token).expect(200);
    });

    it('as a way to register where registration is closed, when somebody has registered with it', async () => {
      const { configuration } = people.app.model;
      await configuration.set('openRegistration', false);
      await configuration.set('invitationsCreateAccounts', true);
      const { token, invitation } = await inviteOne(await buildShared(), newAddress());
      const { address } = invitation;
      const made = (await register(address, { invitation: token }).expect(200)).body.value;
      const currentPassword = `secret of ${made.login}`;
      const session = await signIn(people.app, made.login, currentPassword);
      const change = { email: newAddress(), currentPassword };
      await callerOf(people.app, session.token)('put', `user/${made.login}`, change).expect(200);
      const again = await register(address, { invitation: token, login: `again-${made.login}` });
      expect(again.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION');
      expect((await asGuest('post', 'invitations/show', { token })).body.value.mayRegister).to.equal(false);
      await configuration.set('openRegistration', true);
      await register(address, { invitation: token, login: `again-${made.login}` }).expect(200);
    });

    it('when the account of its address is deleted', async () => {
      const { group, invitation } = await inviteNew();
      const { user } = await asNewUser(invitation.address);
      await asRoot('delete', `user/${user.login}`).expect(200);
      await people.app.idle();
      expect(JSON.stringify(await groupRecord(group._id))).to.not.contain(invitation.address);
      expect(await noteOf(invitation._id)).to.equal(undefined);
    });

    for (const [owner, hasAccount] of [
      ['a person without an account', false],
      ['another account', true],
    ] as const) {
      it(`not when an account is deleted that has not proved its address, which is that of ${owner}`, async () => {
        const address = newAddress();
        const [group, trashed, joined] = [await buildShared(), await buildShared(), await buildShared()];
        const { invitation } = await inviteOne(group, address);
        const { invitation: inTrash } = await inviteOne(trashed, address);
        await asAlice('delete', `group/${trashed._id}`).expect(200);
        if (hasAccount) await asNewUser(address);
        await people.app.model.configuration.set('checkMails', true);
        const login = `not-${address.replace('@example.org', '')}`;
        const claiming = (await register(address, { login }).expect(200)).body.value;
        await asAlice('put', `group/${joined._id}/members`, { users: [login] }).expect(200);
        expect((await groupRecord(joined._id))?.users).to.deep.equal([people.bob.id, claiming._id]);
        await asRoot('delete', `user/${login}`).expect(200);
        await people.app.idle();
        expect((await groupRecord(joined._id))?.users).to.deep.equal([people.bob.id]);
        expect((await groupRecord(group._id))?.invitations.map(({ _id }) => _id)).to.deep.equal([
          invitation._id,
        ]);
        expect(await noteOf(invitation._id)).to.not.equal(undefined);
        const note = await people.app.model.store.get(keys.deleteGroup(trashed._id));
        expect(JSON.stringify(note)).to.contain(inTrash._id);
        // Otherwise it would be reminded of in the tests that move the clock.
        await asAlice('delete', `group/${group._id}?permanent=true`).expect(200);
      });
    }

    it('also by the stored removal of an earlier version, which does not say whether the address was proved', async () => {
      const { group, invitation } = await inviteNew();
      const { address: email } = invitation;
      const facts = { _id: 'gone', authors: [], token: '', login: 'gone', email, unconfirmedUntil: 1 };
      const job = { type: 'removeAccount', facts, begun: 1, next: 1, attempts: 1 };
      await people.app.ports.database.set(keys.jobs, { 'removeAccount:gone': job });
      await people.app.model.jobs.runDue();
      await people.app.idle();
      expect((await groupRecord(group._id))?.invitations).to.deep.equal([]);
      expect(await noteOf(invitation._id)).to.equal(undefined);
    });
  });

  describe('is never sent again', () => {
    it('to an address whose owner wants none, from anybody', async () => {
      const { address, received } = await inviteNew();
      const token = tokenIn(received, 'noinvitations');
      const otherEnd = token.endsWith('-') ? '_' : '-';
      for (const wrong of ['x', token.slice(0, 63) + otherEnd, token.slice(0, 32).repeat(2)])
        expect((await asGuest('post', 'invitations/refuse', { token: wrong })).body.error).to.equal(
          incorrect,
        );
      await asGuest('post', 'invitations/refuse', { token }).expect(200);
      people.app.ports.advance(4 * day);
      await sweep();
      const asRootLater = callerOf(people.app, await signInAsAdmin(people.app));
      const other = await buildShared();
      const tagged = address.replace('@', '+tag@').toUpperCase();
      await invite(other, [address, tagged], {}, asRootLater);
      expect((await invitationsOf(other._id)).map(({ mail: state }) => state)).to.deep.equal([
        'refused',
        'refused',
      ]);
      const [name = ''] = address.split('@');
      expect(fixture.mail.received.filter(({ to }) => to.join().toLowerCase().includes(name))).to.have.length(
        1,
      );
      const kept = await people.app.ports.database.findKeys('mypads:noinvitations:*', null);
      expect(kept.join()).to.not.include(name);
    });
  });

  it('is ended in batches where there are 10,000', async () => {
    const { store } = people.app.model;
    const group = await buildShared();
    const record = await groupRecord(group._id);
    const id = (number: number): string => String(number).padStart(32, '0');
    const old = (number: number): InvitationRecord => ({
      _id: id(number),
      address: `old${number}@example.org`,
      role: 'users',
      by: alice.id,
      sentence: '',
      lang: '',
      created: 1,
      expires: 2,
      mail: 'sent',
      mailed: 1,
      reminded: true,
      seed: id(number),
    });
    await store.set(keys.group(group._id), {
      ...record,
      invitations: Array.from({ length: 200 }, (_, number) => old(number)),
    });
    for (let number = 0; number < 10_000; number += 1)
      await store.set(keys.invitation(id(number)), { group: group._id, created: 1 });
    await sweep();
    expect((await groupRecord(group._id))?.invitations).to.deep.equal([]);
    const left = await people.app.ports.database.findKeys(`${keys.invitation('0000')}*`, null);
    expect(left).to.deep.equal([]);
  });
});
