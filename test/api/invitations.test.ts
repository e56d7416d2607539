/** Invitations to folders by email, with a real mail server. */
import { expect } from 'chai';
import type { GroupRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Call, callerOf } from '../support/caller';
import { buildUser, signIn, type TestUser } from '../support/factories';
import { newAddress, tokenIn, useInvitations } from '../support/invitations';
import { startMailFor } from '../support/mailFixture';

const day = 24 * 3600_000;
const incorrect = 'BACKEND.ERROR.TOKEN.INCORRECT';
const otherAddress = 'BACKEND.ERROR.INVITATION.OTHER_ADDRESS';

describe('an invitation by email', () => {
  const fixture = useInvitations();
  const { people, asRoot, invitationsOf, invite, inviteOne, inviteNew, register } = fixture;
  const { asNewUser, signInNew, accept, noteOf, sweep } = fixture;
  const { alice, asAlice, asBob, asCarol, asGuest, buildShared, buildSharedPad, groupRecord } = people;

  describe('is sent', () => {
    it('to addresses without an account; people with one are added at once', async () => {
      const group = await buildShared();
      await people.app.model.configuration.set('mailWhenAdded', true);
      const [first, second] = [newAddress(), newAddress()];
      const entries = [first, people.carol.login, ` ${second} `, 'nobody-here', 'not@an@address'];
      const sentence = 'The minutes are here.';
      const answer = await invite(group, entries, { role: 'reader', sentence, lang: 'de' });
      expect(answer.present).to.deep.equal([people.carol.login]);
      expect(answer.invited).to.deep.equal([first, second]);
      expect(answer.absent).to.deep.equal(['nobody-here', 'not@an@address']);
      expect(answer.value.readers).to.deep.equal([people.carol.id]);
      const [one, two, added] = fixture.mail.received.sort((a, b) =>
        a.to.join().localeCompare(b.to.join(), 'en', { numeric: true }),
      );
      expect([one?.to, two?.to, added?.to]).to.deep.equal([[first], [second], [people.carol.email]]);
      expect(one?.subject).to.include(alice.login).and.include(group.name);
      for (const part of [alice.login, group.name, 'pads.example.org', sentence, 'Einladung'])
        expect(one?.text).to.include(part);
      const [listed] = await invitationsOf(group._id);
      expect(listed).to.deep.include({
        address: first,
        role: 'reader',
        by: alice.id,
        mail: 'sent',
        sentence,
      });
      expect(listed?.expires).to.equal((listed?.created ?? 0) + 14 * day);
      expect(JSON.stringify(await invitationsOf(group._id))).to.not.match(/seed|token/);
    });

    it('to nobody when mail is not set up, and then adds nobody', async () => {
      const group = await buildShared();
      await people.app.model.configuration.set('SMTPHost', '');
      const entries = [newAddress(), people.carol.login];
      const answer = await asAlice('post', `group/${group._id}/invitations`, { loginsOrEmails: entries });
      expect(answer.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
      expect((await groupRecord(group._id))?.users).to.deep.equal([people.bob.id]);
      expect((await asAlice('get', `group/${group._id}/invitations`)).body.canSend).to.equal(false);
    });

    it('later, or on request, when the mail server does not answer', async () => {
      const group = await buildShared();
      await fixture.mail.close();
      await invite(group, [newAddress()]);
      const [failed] = await invitationsOf(group._id);
      expect([failed?.mail, failed?.mailed]).to.deep.equal(['failed', null]);
      fixture.mail = await startMailFor(people.app);
      await asAlice('post', `invitations/${failed?._id}/resend`).expect(200);
      await people.app.idle();
      await fixture.mail.next();
      expect((await invitationsOf(group._id))[0]).to.deep.include({ mail: 'sent' });
      expect(fixture.mail.received).to.have.length(1);
    });

    /** As a process leaves it that stops before it has stored the job of the mail. */
    async function leaveWaiting(group: { _id: string }) {
      const record = (await groupRecord(group._id)) as GroupRecord;
      const invitations = record.invitations.map((one) => ({ ...one, mail: 'waiting', mailed: null }));
      await people.app.model.store.set(keys.group(group._id), { ...record, invitations });
    }
    const jobsOf = async ({ _id }: { _id: string }) =>
      (await people.app.model.jobs.list()).filter(({ id }) => id === `mailInvitation:${_id}`);

    it('within an hour when the process stopped before its mail was begun, and once', async () => {
      const { group, token } = await inviteNew();
      await leaveWaiting(group);
      await sweep();
      expect((await invitationsOf(group._id))[0]).to.deep.include({ mail: 'sent' });
      await sweep();
      expect(fixture.mail.received.map((mail) => tokenIn(mail, 'invitation'))).to.deep.equal([token, token]);
    });

    it('not more often than its attempts, also when nobody could note that they have failed', async () => {
      const { group, invitation } = await inviteNew();
      await fixture.mail.close();
      await leaveWaiting(group);
      for (const attempts of [1, 2, 3, 4, 5, 6, 7, 8]) {
        await sweep();
        const [job] = await jobsOf(invitation);
        expect(job?.attempts).to.equal(attempts);
        expect((await invitationsOf(group._id))[0]).to.deep.include({ mail: 'failed' });
        await leaveWaiting(group);
        await sweep();
        expect(await jobsOf(invitation)).to.deep.equal([job]);
        people.app.ports.advance(3600_000);
        await people.app.model.jobs.runDue();
      }
      const [job] = await jobsOf(invitation);
      expect(job).to.deep.include({ attempts: 8, failed: true });
      await sweep();
      expect(await jobsOf(invitation)).to.deep.equal([job]);
    });

    it('not when a server administrator has cancelled its mail, which then counts as failed', async () => {
      const { group, invitation } = await inviteNew();
      await fixture.mail.close();
      await leaveWaiting(group);
      await sweep();
      await leaveWaiting(group);
      const cancel = () => people.app.model.jobs.cancel(`mailInvitation:${invitation._id}`);
      expect(await cancel()).to.equal(true);
      expect((await invitationsOf(group._id))[0]).to.deep.include({ mail: 'failed' });
      await sweep();
      expect(await jobsOf(invitation)).to.deep.equal([]);
      await leaveWaiting(group);
      await sweep();
      await asAlice('delete', `group/${group._id}?permanent=true`).expect(200);
      expect(await cancel(), 'without its folder').to.equal(true);
    });

    it('again at most once an hour', async () => {
      const { group, invitation, token } = await inviteNew();
      const early = await asAlice('post', `invitations/${invitation._id}/resend`);
      expect([early.status, early.body.error]).to.deep.equal([429, 'BACKEND.ERROR.PERMISSION.TOO_MANY']);
      expect(early.body.retryAfter).to.be.within(3_500, 3_600);
      await invite(group, [invitation.address], { role: 'manager' });
      expect(fixture.mail.received).to.have.length(1);
      expect(await invitationsOf(group._id)).to.have.length(1);
      people.app.ports.advance(3600_000);
      await asAlice('post', `invitations/${invitation._id}/resend`).expect(200);
      expect(tokenIn(await fixture.mail.next(), 'invitation')).to.equal(token);
    });

    it('again in the name of who sends it again: who has invited may not manage the folder any more', async () => {
      const group = await buildShared();
      const manager = await buildUser(people.app);
      await asAlice('put', `group/${group._id}/members`, { admins: [manager.login] }).expect(200);
      const address = newAddress();
      const asManager = callerOf(people.app, manager.token);
      const { invitation, token } = await inviteOne(group, address, {}, asManager);
      await asAlice('put', `group/${group._id}/members`, { removed: [manager.login] }).expect(200);
      people.app.ports.advance(3600_000);
      await asAlice('post', `invitations/${invitation._id}/resend`).expect(200);
      await people.app.idle();
      const sent = fixture.mail.received.filter(({ to }) => to.includes(address));
      expect(sent.map(({ subject }) => subject.split(' ')[0])).to.deep.equal([manager.login, alice.login]);
      expect((await asGuest('post', 'invitations/show', { token })).body.value.by).to.equal(alice.login);
    });

    it('with names and sentences that cannot add lines to its headers', async () => {
      const evil = 'a\r\nBcc: eve@example.org\u2028b';
      const group = await buildShared({ name: 'F\r\nBcc: eve@example.org' });
      const { received } = await inviteOne(group, newAddress(), { sentence: evil });
      expect(received.headers.bcc).to.equal(undefined);
      expect(received.subject).to.not.match(/[\r\n\u2028]/);
      expect(received.text).to.include('a Bcc: eve@example.org b');
      const named = { firstname: 'Al\r\nBcc: eve@example.org', lastname: '\u202e<b>x</b>' };
      await asAlice('put', `user/${alice.login}`, named).expect(200);
      const { received: byName } = await inviteOne(group, newAddress());
      await asAlice('put', `user/${alice.login}`, { firstname: '', lastname: '' }).expect(200);
      expect(byName.headers.bcc).to.equal(undefined);
      expect(byName.to).to.have.length(1);
      expect(byName.subject)
        .to.include('Al Bcc: eve@example.org')
        .and.not.match(/[\r\n\u202e]/);
      expect(byName.text).to.not.match(/^Bcc:/m);
      expect(byName.html).to.not.include('<b>x');
      const html = '<img src=x onerror=alert(1)>';
      const { received: another } = await inviteOne(group, newAddress(), { sentence: html });
      expect(another.html).to.not.include('<img');
      for (const address of ['a@example.org\r\nBcc: eve@example.org', 'a@example.org, eve@example.org']) {
        const answer = await invite(group, [address]);
        expect([answer.absent, answer.invited]).to.deep.equal([[address], []]);
      }
    });

    it('to 20 addresses a call, and until a folder has 200', async () => {
      const group = await buildShared();
      const many = (count: number) => Array.from({ length: count }, newAddress);
      const tooMany = await asAlice('post', `group/${group._id}/invitations`, { loginsOrEmails: many(21) });
      expect(tooMany.body.error).to.equal('BACKEND.ERROR.TYPE.LOGINS_ARR');
      for (let calls = 0; calls < 10; calls += 1) await invite(group, many(20));
      const full = await asAlice('post', `group/${group._id}/invitations`, { loginsOrEmails: many(1) });
      expect([full.status, full.body.error]).to.deep.equal([400, 'BACKEND.ERROR.MEMBER.TOO_MANY']);
      const { user } = await asNewUser(newAddress());
      const loginsOrEmails = [user.login, ...many(1)];
      await asAlice('post', `group/${group._id}/invitations`, { loginsOrEmails }).expect(400);
      const { value } = (await asAlice('get', `group/${group._id}`)).body;
      expect(value.users, 'nobody is added by a call that is refused').to.not.include(user.id);
      expect(await invitationsOf(group._id)).to.have.length(200);
      expect(
        await people.app.ports.database.findKeys('mypads:invitation:*', null),
      ).to.have.length.of.at.least(200);
      await asAlice('delete', `group/${group._id}`).expect(200);
    });

    it('in no answer, log line or job with its token', async () => {
      const { group, token, received } = await inviteNew();
      const refusal = tokenIn(received, 'noinvitations');
      const stored = [
        await groupRecord(group._id),
        await people.app.model.jobs.list(),
        await people.app.lines(),
      ];
      for (const secret of [token, refusal]) expect(JSON.stringify(stored)).to.not.include(secret);
    });
  });

  describe('is accepted', () => {
    it('by the account of the address, which gets the role; the token works once', async () => {
      const { group, address, token, invitation } = await inviteNew({ role: 'reader' });
      const { user, as } = await asNewUser(address);
      expect((await as('get', `group/${group._id}`)).status).to.equal(401);
      expect((await accept(as, token)).body).to.deep.equal({ success: true, key: group._id, isPad: false });
      expect((await as('get', `group/${group._id}`)).status).to.equal(200);
      const record = await groupRecord(group._id);
      expect([record?.readers, record?.invitations]).to.deep.equal([[user.id], []]);
      expect(await noteOf(invitation._id)).to.equal(undefined);
      await asAlice('delete', `group/${group._id}/members/${user.login}`).expect(200);
      expect((await accept(as, token)).body.error).to.equal(incorrect);
    });

    it('by nobody else, so a forwarded mail opens nothing', async () => {
      const { group, token } = await inviteNew();
      const { status, body } = await accept(asCarol, token);
      expect([status, body]).to.deep.equal([403, { error: otherAddress }]);
      for (const who of [asGuest, asRoot]) expect((await accept(who, token)).status).to.equal(401);
      expect((await asCarol('get', `group/${group._id}`)).status).to.equal(401);
      expect(await invitationsOf(group._id)).to.have.length(1);
    });

    it('not after the address of the account was changed', async () => {
      const { address, token } = await inviteNew();
      const { user, as } = await asNewUser(address);
      const change = { email: newAddress(), currentPassword: user.password };
      await as('put', `user/${user.login}`, change).expect(200);
      expect((await accept(as, token)).body.error).to.equal(otherAddress);
    });

    it('and confirms an address that the account has asked for', async () => {
      const { address, token } = await inviteNew();
      const { user, as } = await asNewUser(newAddress());
      await people.app.model.configuration.set('checkMails', true);
      const change = { email: address, currentPassword: user.password };
      await as('put', `user/${user.login}`, change).expect(200);
      await accept(as, token).expect(200);
      expect((await as('get', `user/${user.login}`)).body.value).to.deep.include({ email: address });
    });

    it('by somebody who is in the folder already, without losing rights', async () => {
      const { group, address, token } = await inviteNew({ role: 'reader' });
      const { user, as } = await asNewUser(address);
      await people.app.model.groups.assign(group._id, {
        admins: [user.login],
        users: [],
        readers: [],
        removed: [],
      });
      await accept(as, token).expect(200);
      const record = await groupRecord(group._id);
      expect([record?.admins.includes(user.id), record?.readers]).to.deep.equal([true, []]);
    });

    it('by somebody whom a rule has put into the folder, who stays with this role when the rule ends', async () => {
      const group = await buildShared({ users: [] });
      const { invitation, token } = await inviteOne(group, newAddress());
      const { user, as } = await asNewUser(invitation.address);
      await people.app.model.store.update<GroupRecord>(keys.group(group._id), (now) => {
        const byRule = [{ rules: { gone: 'admins' }, people: [user.id] }];
        return now && ({ ...now, admins: [alice.id, user.id], byRule } as unknown as GroupRecord);
      });
      await accept(as, token).expect(200);
      await asRoot('put', 'admin/group-rules', { rules: [] }).expect(200);
      await people.app.idle();
      expect(await groupRecord(group._id)).to.deep.include({ admins: [alice.id], users: [user.id] });
    });

    it('with the token of this invitation and no other', async () => {
      const [group, other] = [await buildShared(), await buildShared()];
      const address = newAddress();
      const { token, invitation } = await inviteOne(group, address);
      const { as } = await asNewUser(address);
      await accept(as, token).expect(200);
      expect((await as('get', `group/${other._id}`)).status).to.equal(401);
      for (const wrong of ['x', invitation._id, `${token}x`, '../invitations', 'x'.repeat(200)])
        expect((await accept(as, wrong)).body.error, wrong).to.equal(incorrect);
    });

    it('once, by however many calls at the same time, and not while it is withdrawn', async () => {
      const { group, address, token, invitation } = await inviteNew({ role: 'reader' });
      const { user, as } = await asNewUser(address);
      const answers = await Promise.all(Array.from({ length: 5 }, () => accept(as, token)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400, 400]);
      expect((await groupRecord(group._id))?.readers).to.deep.equal([user.id]);
      const other = await buildShared();
      const second = await inviteOne(other, address.replace('@', '2@'));
      const [accepted, withdrawn] = await Promise.all([
        accept((await asNewUser(second.invitation.address)).as, second.token),
        asAlice('delete', `invitations/${second.invitation._id}`),
      ]);
      const isIn = (await groupRecord(other._id))?.users.length === 2;
      expect(isIn).to.equal(accepted.status === 200);
      expect([accepted.status, withdrawn.status].filter((status) => status === 200)).to.have.length(1);
      for (const { _id } of [invitation, second.invitation]) expect(await noteOf(_id)).to.equal(undefined);
    });

    it('only with its own token, and that opens nothing else', async () => {
      const { group, address, token, received } = await inviteNew();
      const { user, as } = await asNewUser(address);
      const { secret } = (await asAlice('post', `group/${group._id}/links`, {})).body.value;
      for (const wrong of [secret, tokenIn(received, 'noinvitations'), user.token, user.entryToken])
        expect((await accept(as, wrong)).status, wrong).to.be.oneOf([400, 401]);
      for (const [method, path, body] of [
        ['post', 'links/open', { secret: token }],
        ['post', 'accountconfirm', { token }],
        ['post', 'invitations/refuse', { token }],
        ['get', `passrecover/${token}`],
        ['put', `passrecover/${token}`, { password: 'another one', passwordConfirm: 'another one' }],
      ] as const)
        expect((await asGuest(method, path, body)).status, path).to.be.oneOf([400, 404]);
      expect((await callerOf(people.app, token)('get', `group/${group._id}`)).status).to.equal(401);
      expect((await groupRecord(group._id))?.users).to.deep.equal([people.bob.id]);
    });

    it('not for an address that waits for its confirmation', async () => {
      const group = await buildShared();
      await people.app.model.configuration.set('checkMails', true);
      const address = newAddress();
      // Registered by somebody who cannot read the mail to this address.
      const squatter = (await register(address)).body.value;
      const password = `secret of ${squatter.login}`;
      const signedIn = () => asGuest('post', 'auth/login', { login: squatter.login, password });
      expect((await signedIn()).status).to.equal(401);
      const other = newAddress();
      const pending = callerOf(people.app, (await signInNew(other)).token);
      const login = other.replace('@example.org', '');
      const change = { email: newAddress(), currentPassword: `secret of ${login}` };
      await pending('put', `user/${login}`, change).expect(200);
      fixture.mail.received.length = 0;
      for (const one of [address, change.email]) {
        const { present, invited } = await invite(group, [one]);
        expect([present, invited]).to.deep.equal([[], [one]]);
      }
      const members = { loginsOrEmails: [address], role: 'reader' };
      await asAlice('post', `group/${group._id}/members`, members).expect(200);
      const { admins, users, readers } = (await groupRecord(group._id)) as GroupRecord;
      expect([admins, users, readers]).to.deep.equal([[alice.id], [people.bob.id], []]);
      expect((await signedIn()).status).to.equal(401);
      expect((await pending('get', `group/${group._id}`)).status).to.equal(401);
      expect((await pending('get', 'overview')).body.value.groups).to.deep.equal({});
    });

    it('after the page has said what it is for, as often as it asks', async () => {
      const { group, address, token } = await inviteNew({ role: 'manager', sentence: 'Hello' });
      for (let time = 0; time < 2; time += 1) {
        const { value } = (await asGuest('post', 'invitations/show', { token })).body;
        expect(value).to.deep.include({
          address,
          group: { name: group.name },
          pad: null,
          by: alice.login,
          role: 'manager',
        });
        expect(value).to.deep.include({ sentence: 'Hello', mayRegister: true });
      }
      expect((await asGuest('post', 'invitations/show', { token: 'x' })).body.error).to.equal(incorrect);
    });
  });

  describe('lets people register', () => {
    it('with exactly its address, confirmed at once', async () => {
      const { address, token } = await inviteNew();
      await people.app.model.configuration.set('checkMails', true);
      const other = await register(newAddress(), { invitation: token });
      expect([other.status, other.body]).to.deep.equal([403, { error: otherAddress, field: 'email' }]);
      const made = await register(address, { invitation: token });
      expect([made.status, made.body.value?.active]).to.deep.equal([200, true]);
      expect(fixture.mail.received).to.have.length(1);
      const { login } = made.body.value;
      const session = await signIn(people.app, login, `secret of ${login}`);
      await accept(callerOf(people.app, session.token), token).expect(200);
    });

    it('who have registered before and not confirmed their address', async () => {
      const group = await buildShared();
      await people.app.model.configuration.set('checkMails', true);
      const address = newAddress();
      const { token } = await inviteOne(group, address);
      expect((await register(address)).body.value.active).to.equal(false);
      expect((await register(address, { invitation: token })).body.value.active).to.equal(true);
    });

    it('whose address somebody else has registered and not confirmed', async () => {
      const group = await buildShared();
      await people.app.model.configuration.set('checkMails', true);
      const address = newAddress();
      const { token } = await inviteOne(group, address);
      const stranger = (await register(address, { login: `not-${address}`.replace(/@.*/, '') })).body.value;
      const made = (await register(address, { invitation: token })).body.value;
      expect([stranger.active, made.active]).to.deep.equal([false, true]);
      expect((await people.app.model.users.findByEmail(address))?._id).to.equal(made._id);
    });

    it('who have registered before, after somebody else with their address, and not confirmed it', async () => {
      const group = await buildShared();
      await people.app.model.configuration.set('checkMails', true);
      const address = newAddress();
      const { token } = await inviteOne(group, address);
      await register(address, { login: `not-${address}`.replace(/@.*/, '') });
      const before = (await register(address)).body.value;
      const made = (await register(address, { invitation: token })).body.value;
      expect([before.active, made?.active, made?._id]).to.deep.equal([false, true, before._id]);
      expect((await people.app.model.users.findByEmail(address))?._id).to.equal(made._id);
    });

    it('whose address somebody else has registered, whose account an administrator has closed', async () => {
      const group = await buildShared();
      await people.app.model.configuration.set('checkMails', true);
      const address = newAddress();
      const stranger = (await register(address, { login: `not-${address}`.replace(/@.*/, '') })).body.value;
      await fixture.mail.next();
      await asRoot('put', `user/${stranger._id}`, { active: false }).expect(200);
      const { token } = await inviteOne(group, address);
      const made = (await register(address, { invitation: token })).body.value;
      expect(made.active).to.equal(true);
      const opened = await asRoot('put', `user/${stranger._id}`, { active: true });
      expect(opened.body.error).to.equal('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS');
    });

    it('where registration is closed only with `invitationsCreateAccounts`', async () => {
      const { address, token } = await inviteNew();
      const { configuration } = people.app.model;
      await configuration.set('openRegistration', false);
      const closed = 'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION';
      expect((await register(address, { invitation: token })).body.error).to.equal(closed);
      expect((await asGuest('post', 'invitations/show', { token })).body.value.mayRegister).to.equal(false);
      await configuration.set('invitationsCreateAccounts', true);
      expect((await register(address)).body.error).to.equal(closed);
      expect((await register(address, { invitation: 'x' })).body.error).to.equal(incorrect);
      expect((await register(address, { invitation: token })).status).to.equal(200);
    });
  });

  describe('is changed and withdrawn', () => {
    it('by managers of the folder and administrators of the server, and by nobody else', async () => {
      const { group, invitation, token } = await inviteNew();
      const attempts = [
        ['get', `group/${group._id}/invitations`],
        ['post', `group/${group._id}/invitations`, { loginsOrEmails: [newAddress()] }],
        ['put', `invitations/${invitation._id}`, { role: 'manager' }],
        ['delete', `invitations/${invitation._id}`],
        ['post', `invitations/${invitation._id}/resend`],
      ] as const;
      for (const [method, path, body] of attempts) {
        for (const who of [asBob, asCarol, asGuest])
          expect((await who(method, path, body)).status, `${method} ${path}`).to.equal(401);
      }
      const changed = await asRoot('put', `invitations/${invitation._id}`, {
        role: 'reader',
        sentence: 'a\nb',
      });
      expect(changed.body.value).to.deep.include({ role: 'reader', sentence: 'a b', by: alice.id });
      expect(fixture.mail.received).to.have.length(1);
      await asAlice('delete', `invitations/${invitation._id}`).expect(200);
      expect((await asAlice('put', `invitations/${invitation._id}`, {})).status).to.equal(404);
      const { as } = await asNewUser(invitation.address);
      expect((await accept(as, token)).body.error).to.equal(incorrect);
    });

    it('not by somebody who has just lost the right', async () => {
      const group = await buildShared();
      const manager = await buildUser(people.app);
      await asAlice('put', `group/${group._id}/members`, { admins: [manager.login] }).expect(200);
      const asManager = callerOf(people.app, manager.token);
      const { invitation } = await inviteOne(group, newAddress(), {}, asManager);
      await asAlice('put', `group/${group._id}/members`, { users: [manager.login] }).expect(200);
      for (const [method, path] of [
        ['put', ''],
        ['post', '/resend'],
        ['delete', ''],
      ] as const)
        expect((await asManager(method, `invitations/${invitation._id}${path}`, {})).status).to.equal(401);
      // The invitation is the folder's. No reminder is sent in the name of the former manager.
      people.app.ports.advance(4 * day);
      await sweep();
      expect(fixture.mail.received.filter(({ to }) => to.includes(invitation.address))).to.have.length(1);
      expect(await invitationsOf(group._id)).to.have.length(1);
    });

    it('ends when its address gets an account that is added to the folder', async () => {
      const { group, invitation } = await inviteNew();
      const { user } = await asNewUser(invitation.address);
      await asAlice('post', `group/${group._id}/members`, { loginsOrEmails: [user.login] }).expect(200);
      expect(await invitationsOf(group._id)).to.deep.equal([]);
      expect(await noteOf(invitation._id)).to.equal(undefined);
    });

    it('ends when its address gets in by a request, or as who manages the folder from then on', async () => {
      const { group, pad } = await buildSharedPad();
      const byRequest =
        (path: string) =>
        async ({ as }: { as: Call }) => {
          await as('post', `${path}/requests`, {}).expect(200);
          await people.app.idle();
          const [request] = (await asAlice('get', 'requests')).body.value;
          await asAlice('put', `requests/${request._id}`, { role: 'reader' }).expect(200);
        };
      for (const [getIn, of] of [
        [byRequest(`group/${group._id}`), {}],
        [byRequest(`pad/${pad._id}`), { pad: pad._id }],
        [
          ({ user }: { user: TestUser }) =>
            asRoot('post', `admin/users/${alice.login}/handover`, { to: user.login }).expect(200),
          {},
        ],
        [
          ({ user }: { user: TestUser }) =>
            asAlice('post', `group/${group._id}/handover`, { to: user.login }).expect(200),
          {},
        ],
      ] as const) {
        const address = newAddress();
        await invite(group, [address], of);
        const [invitation] = await invitationsOf(group._id);
        await getIn(await asNewUser(address));
        expect(await invitationsOf(group._id, asRoot)).to.deep.equal([]);
        expect(await noteOf(invitation?._id ?? '')).to.equal(undefined);
      }
    });

    it('stays when somebody is added who has not shown that the address is theirs', async () => {
      const { group, invitation } = await inviteNew();
      await people.app.model.configuration.set('checkMails', true);
      await register(invitation.address).expect(200);
      const [login] = invitation.address.split('@');
      await asAlice('post', `group/${group._id}/members`, { loginsOrEmails: [login] }).expect(200);
      expect((await groupRecord(group._id))?.users).to.have.length(2);
      expect((await invitationsOf(group._id)).map(({ address }) => address)).to.deep.equal([
        invitation.address,
      ]);
    });
  });

  it('that is damaged in the database opens nothing, and the folder stays usable', async () => {
    const { store } = people.app.model;
    const { group, address, token, invitation } = await inviteNew();
    const { as } = await asNewUser(address);
    const record = await groupRecord(group._id);
    const damaged = [
      null,
      'text',
      { ...invitation, role: 'owner' },
      { ...invitation, address: 5 },
      { ...invitation, expires: 'never' },
      { ...invitation, seed: undefined },
    ];
    for (const one of damaged) {
      await store.set(keys.group(group._id), { ...record, invitations: [one] });
      expect((await accept(as, token)).body.error, JSON.stringify(one)).to.equal(incorrect);
      expect(await invitationsOf(group._id)).to.deep.equal([]);
    }
    await store.set(keys.group(group._id), { ...record, invitations: 'none' });
    await asAlice('put', `group/${group._id}`, { description: 'Still usable' }).expect(200);
  });

  it('is kept in a record that ep_mypads 1.x understands: nobody is in the folder by it', async () => {
    const group = await buildShared();
    await inviteOne(group, newAddress(), { role: 'manager' });
    const record = await groupRecord(group._id);
    expect([record?.admins, record?.users]).to.deep.equal([[alice.id], [people.bob.id]]);
    const { invitations: _, ...of1x } = record ?? ({} as Partial<NonNullable<typeof record>>);
    await people.app.model.store.set(keys.group(group._id), of1x);
    expect(await invitationsOf(group._id)).to.deep.equal([]);
  });

  it('tells who invites no more about accounts than adding people does', async () => {
    const group = await buildShared();
    const entries = [people.carol.email, newAddress()];
    const added = (await asAlice('post', `group/${group._id}/members`, { loginsOrEmails: entries })).body;
    const another = await buildShared();
    const answer = await invite(another, entries);
    expect(answer.present).to.deep.equal(added.present);
    expect(answer.invited).to.deep.equal(added.absent);
  });

  it('is not in a group as lists and other calls answer it', async () => {
    const { group, invitation } = await inviteNew();
    for (const path of [`group/${group._id}`, 'group', 'overview'])
      expect(JSON.stringify((await asAlice('get', path)).body), path).to.not.contain(invitation.address);
  });
});
