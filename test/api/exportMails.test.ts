/** Emails about exports, with a real mail server. */
import { expect } from 'chai';
import { callerOf } from '../support/caller';
import { endOfExport, readExport } from '../support/exports';
import { signIn } from '../support/factories';
import { newAddress, useInvitations } from '../support/invitations';
import { inProcessOnly } from '../support/network';
import { until } from '../support/waiting';

// It waits half a minute by the clock of the test.
inProcessOnly.describe('emails about exports', () => {
  const fixture = useInvitations();
  const { people, asRoot, asNewUser } = fixture;

  /** The time in which the page of who has asked could have shown it is over. */
  async function laterOn(): Promise<void> {
    await people.app.idle();
    people.app.ports.advance(31_000);
    people.app.ports.schedule.run('mailExports');
    await people.app.idle();
  }

  it('tell who has asked that the file is ready, unless they have seen it', async () => {
    const { user, as } = await asNewUser(newAddress());
    const { key: seen } = (await as('post', 'exports', { me: true }).expect(200)).body;
    expect((await endOfExport(as, seen)).state).to.equal('ready');
    await readExport(as, seen);
    await laterOn();
    expect(fixture.mail.received).to.have.length(0);
    await as('post', 'exports', { me: true }).expect(200);
    await laterOn();
    const received = await fixture.mail.next();
    expect(received.to).to.deep.equal([user.email]);
    expect(received.text).to.include('?/myexports');
    await laterOn();
    expect(fixture.mail.received).to.have.length(1);
  });

  it('tell a person that an administrator has exported their data, also in another browser', async () => {
    const { user } = await asNewUser(newAddress());
    const { key } = (await asRoot('post', 'exports', { user: user.login }).expect(200)).body;
    await until('it is ready', async () => (await readExport(asRoot, key)).state === 'ready');
    await laterOn();
    const received = await fixture.mail.next();
    expect(received.to).to.deep.equal([user.email]);
    expect(received.subject).to.include('Your data was exported');
    const again = callerOf(people.app, (await signIn(people.app, user.login, user.password)).token);
    expect((await again('get', 'exports').expect(200)).body.value).to.deep.equal([]);
  });
});
