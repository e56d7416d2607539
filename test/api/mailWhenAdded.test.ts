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
    ];
    for (const [index, way] of ways.entries()) {
      await way((await buildOwn())._id);
      await people.app.idle();
      expect(fixture.mail.received, `way ${index}`).to.have.length(index + 1);
    }
    expect(fixture.mail.received.map(({ to }) => to.join())).to.deep.equal(ways.map(() => user.email));
  });
});
