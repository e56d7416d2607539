/** Invitations by email while the mail server takes its time, or many mails wait for it. */
import { expect } from 'chai';
import { newAddress, useInvitations } from '../support/invitations';
import { startMailFor } from '../support/mailFixture';
import { until } from '../support/waiting';

describe('an invitation by email', () => {
  const fixture = useInvitations();
  const { people, invitationsOf } = fixture;
  const { asAlice, buildShared } = people;
  let release = (): void => {};

  /** A mail server that takes each mail, and confirms it only after `release`. */
  async function holdMails(): Promise<void> {
    await fixture.mail.close();
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    fixture.mail = await startMailFor(people.app, {}, { hold: () => released });
  }
  afterEach(() => release());

  it('is sent again without waiting for the mail that the mail server has not confirmed', async () => {
    await holdMails();
    const group = await buildShared();
    const loginsOrEmails = Array.from({ length: 6 }, newAddress);
    await asAlice('post', `group/${group._id}/invitations`, { loginsOrEmails }).expect(200);
    for (const { _id } of await invitationsOf(group._id))
      await asAlice('post', `invitations/${_id}/resend`).expect(200);
    await asAlice('get', 'group').expect(200);
    expect(fixture.mail.received).to.deep.equal([]);
    release();
    await until('each is sent', async () =>
      (await invitationsOf(group._id)).every(({ mail }) => mail === 'sent'),
    );
    await people.app.idle();
    expect(fixture.mail.received.map(({ to }) => to.join()).sort()).to.deep.equal([...loginsOrEmails].sort());
  });
});
