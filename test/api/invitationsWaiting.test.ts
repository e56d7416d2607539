/** Invitations by email while the mail server takes its time, or many mails wait for it. */
import { expect } from 'chai';
import type { Group } from '../../api/answers';
import { keys } from '../../model/store/store';
import { newAddress, useInvitations } from '../support/invitations';
import { startMailFor } from '../support/mailFixture';
import { heldWork, until } from '../support/waiting';

const day = 24 * 3600_000;

describe('an invitation by email', () => {
  let release = (): void => {};
  // Before the hook that waits for all mails.
  afterEach(() => release());
  const fixture = useInvitations();
  const { people, asRoot, invitationsOf, invite, sweep } = fixture;
  const { asAlice, buildShared } = people;

  /** A mail server that takes each mail, and confirms it only after `release`. */
  async function holdMails(): Promise<void> {
    await fixture.mail.close();
    const work = heldWork();
    ({ release } = work);
    fixture.mail = await startMailFor(people.app, {}, { hold: () => work.held });
  }
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
    await asAlice('delete', `group/${group._id}?permanent=true`).expect(200);
  });

  it('is not refused because many reminders of others wait, which all come in the end', async () => {
    const groups = await Promise.all([buildShared(), buildShared()]);
    const addresses: string[] = [];
    for (let call = 0; call < 6; call += 1) {
      const loginsOrEmails = Array.from({ length: 20 }, newAddress);
      addresses.push(...loginsOrEmails);
      await invite(groups[call % 2] as Group, loginsOrEmails, {}, asRoot);
    }
    await holdMails();
    people.app.ports.advance(4 * day);
    await people.app.model.jobs.runNow('endInvitations');
    expect(await people.app.model.jobs.list()).to.have.length(100);
    const group = await buildShared();
    const loginsOrEmails = [newAddress()];
    await asAlice('post', `group/${group._id}/invitations`, { loginsOrEmails }).expect(200);
    release();
    await people.app.idle();
    await sweep();
    const reminded = fixture.mail.received.filter(({ subject }) => subject.startsWith('Reminder'));
    expect(reminded.map(({ to }) => to.join())).to.have.members(addresses);
    for (const { _id } of groups) await asAlice('delete', `group/${_id}?permanent=true`).expect(200);
  });

  it('is not refused because many of others wait for a mail server that refuses them', async () => {
    const waiting: Record<string, object> = {};
    for (let number = 0; number < 250; number += 1) {
      const facts = { group: 'another', invitation: `waiting${number}`, about: 'invitation' };
      const next = people.app.ports.now() + day / 48;
      waiting[`mailInvitation:${number}`] = { type: 'mailInvitation', facts, begun: 1, next, attempts: 7 };
    }
    await people.app.ports.database.set(keys.jobs, waiting);
    const group = await buildShared();
    const loginsOrEmails = [newAddress()];
    await asAlice('post', `group/${group._id}/invitations`, { loginsOrEmails }).expect(200);
    await people.app.idle();
    await people.app.ports.database.remove(keys.jobs);
  });
});
