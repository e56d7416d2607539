/** Emails to people with an account who are added to folders, with a real mail server. */
import { expect } from 'chai';
import { newAddress, useInvitations } from '../support/invitations';
import { startMailFor } from '../support/mailFixture';

describe('somebody with an account who is added', () => {
  const fixture = useInvitations();
  const { people, asRoot, asNewUser } = fixture;
  const { alice, asAlice, buildShared } = people;
  const buildOwn = () => buildShared({ users: [] });
  beforeEach(() => people.app.model.configuration.set('mailWhenAdded', true));

  it('gets an email, unless they or the setting say otherwise', async () => {
    const { user, as } = await asNewUser(newAddress());
    const group = await buildOwn();
    const add = async (id: string) => {
      await asAlice('post', `group/${id}/members`, { loginsOrEmails: [user.login], role: 'reader' }).expect(
        200,
      );
      await people.app.idle();
    };
    await add(group._id);
    const received = await fixture.mail.next();
    expect(received.to).to.deep.equal([user.email]);
    for (const part of [alice.login, group.name, `?/mypads/group/${group._id}/view`])
      expect(received.text).to.include(part);
    await add(group._id);
    await as('put', `user/${user.login}`, { mailWhenAdded: false }).expect(200);
    await add((await buildOwn())._id);
    await as('put', `user/${user.login}`, { mailWhenAdded: true }).expect(200);
    await people.app.model.configuration.set('mailWhenAdded', false);
    await add((await buildOwn())._id);
    expect(fixture.mail.received).to.have.length(1);
  });

  it('gets none that waits while the setting is switched off', async () => {
    const { user } = await asNewUser(newAddress());
    await fixture.mail.close();
    const group = await buildOwn();
    await asAlice('post', `group/${group._id}/members`, { loginsOrEmails: [user.login] }).expect(200);
    await people.app.idle();
    await people.app.model.configuration.set('mailWhenAdded', false);
    fixture.mail = await startMailFor(people.app);
    people.app.ports.advance(3600_000);
    await people.app.model.jobs.runDue();
    expect(await people.app.model.jobs.list()).to.deep.equal([]);
    expect(fixture.mail.received).to.deep.equal([]);
  });

  it('gets it also when somebody else who was added is deleted before', async () => {
    const [one, other] = [await asNewUser(newAddress()), await asNewUser(newAddress())];
    const group = await buildOwn();
    await fixture.mail.close();
    const loginsOrEmails = [one.user.login, other.user.login];
    await asAlice('post', `group/${group._id}/members`, { loginsOrEmails }).expect(200);
    await people.app.idle();
    await asRoot('delete', `user/${one.user.login}`).expect(200);
    await people.app.idle();
    fixture.mail = await startMailFor(people.app);
    people.app.ports.advance(3600_000);
    await people.app.model.jobs.runDue();
    await people.app.idle();
    expect(fixture.mail.received.map(({ to }) => to)).to.deep.equal([[other.user.email]]);
    await asRoot('delete', `user/${other.user.login}`).expect(200);
  });

  it('gets it also when the mail server refuses others for now, who get it as soon as it does not', async () => {
    const added = await Promise.all(Array.from({ length: 5 }, () => asNewUser(newAddress())));
    const addresses = added.map(({ user }) => user.email);
    const only = addresses[1] ?? '';
    await fixture.mail.close();
    const refuse = { at: 'recipient', code: 452, reply: '4.2.2 mailbox full', only } as const;
    fixture.mail = await startMailFor(people.app, {}, { refuse });
    const group = await buildOwn();
    const loginsOrEmails = added.map(({ user }) => user.login);
    await asAlice('post', `group/${group._id}/members`, { loginsOrEmails }).expect(200);
    await people.app.idle();
    const told = () => fixture.mail.received.map(({ to }) => to.join());
    expect(told()).to.have.members(addresses.filter((address) => address !== only));
    const [job] = await people.app.model.jobs.list();
    expect(job).to.deep.include({ type: 'mailAdded', attempts: 1 });
    await fixture.mail.close();
    fixture.mail = await startMailFor(people.app);
    await people.app.model.jobs.runNow(job?.id ?? '');
    expect(told()).to.deep.equal([only]);
  });

  it('gets it also from a mail server that takes only some mails an hour', async () => {
    const added = await Promise.all(Array.from({ length: 10 }, () => asNewUser(newAddress())));
    const refuse = { at: 'message', code: 451, reply: '4.7.1 not more for now', after: 1 } as const;
    await fixture.mail.close();
    fixture.mail = await startMailFor(people.app, {}, { refuse });
    const group = await buildOwn();
    const loginsOrEmails = added.map(({ user }) => user.login);
    await asAlice('post', `group/${group._id}/members`, { loginsOrEmails }).expect(200);
    await people.app.idle();
    for (const [index] of added.slice(1).entries()) {
      const [job] = await people.app.model.jobs.list();
      expect(job).to.deep.include({ type: 'mailAdded', attempts: 1 });
      Object.assign(refuse, { after: index + 2 });
      await people.app.model.jobs.runNow(job?.id ?? '');
    }
    expect(await people.app.model.jobs.list()).to.deep.equal([]);
    const told = fixture.mail.received.map(({ to }) => to.join());
    expect(told).to.have.members(added.map(({ user }) => user.email));
  });

  it('gets none for what they do themselves, and one for each way to add them', async () => {
    const { user, as } = await asNewUser(newAddress());
    await as('post', 'group', { name: 'Own' }).expect(200);
    await people.app.idle();
    expect(fixture.mail.received).to.have.length(0);
    const loginsOrEmails = [user.login];
    const ways: ((id: string) => Promise<unknown>)[] = [
      (id) => asAlice('put', `group/${id}/members`, { users: loginsOrEmails }),
      (id) => asAlice('post', 'group/invite', { gid: id, invite: true, loginsOrEmails }),
      (id) => asAlice('put', `group/${id}`, { users: [user.id] }),
      (id) => asRoot('post', `group/${id}/members`, { loginsOrEmails }),
      () => asAlice('post', 'group', { name: 'New', users: [user.id] }),
      (id) => asAlice('post', `group/${id}/handover`, { to: user.login }),
      async () => {
        const manager = await asNewUser(newAddress());
        await manager.as('post', 'group', { name: 'Alone' }).expect(200);
        await asRoot('post', `admin/users/${manager.user.login}/handover`, { to: user.login }).expect(200);
      },
    ];
    for (const [index, way] of ways.entries()) {
      await way((await buildOwn())._id);
      await people.app.idle();
      expect(fixture.mail.received, `way ${index}`).to.have.length(index + 1);
    }
    expect(fixture.mail.received.map(({ to }) => to.join())).to.deep.equal(ways.map(() => user.email));
  });
});
