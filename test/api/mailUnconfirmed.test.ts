import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { temporaryFolder } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { incorrect, openMailFixture, person, tokenIn, useMailFixture } from '../support/mailFixture';
import { closedPort, type TestSmtpServer } from '../support/smtpServer';

const minute = 60_000;
const day = 24 * 60 * minute;
/** When accounts are removed at the latest: an hour for the link, a week, and up to an hour until the next check. */
const over = 7 * day + 120 * minute;

describe('accounts that are not confirmed', () => {
  const { fixture } = useMailFixture({ tokenDuration: 60 });
  let mail: TestSmtpServer;
  beforeEach(async () => {
    mail = await fixture.startMail();
    await sweep();
    await fixture.set({ checkMails: true });
  });

  async function sweep(later = 0): Promise<void> {
    fixture.app.ports.advance(later);
    await fixture.app.sweep();
  }
  const there = async (login: string): Promise<boolean> =>
    (await fixture.app.model.users.findByLogin(login)) !== undefined;
  const everything = () => fixture.app.ports.database.findKeys('mypads:*', null);

  it('are removed completely a week after their link has expired', async () => {
    const before = await everything();
    await fixture.register(person('ada'));
    const token = tokenIn(await mail.next(), 'accountconfirm');
    await sweep(7 * day + 59 * minute);
    expect(await there('ada')).to.equal(true);
    expect((await fixture.confirm(token)).body.error).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
    await sweep(61 * minute);
    expect(await there('ada')).to.equal(false);
    expect((await fixture.confirm(token)).body).to.deep.equal(incorrect);
    const left = (await everything()).filter((key) => !before.includes(key));
    expect(left.filter((key) => !key.startsWith('mypads:mailtoken:'))).to.deep.equal([]);
    const next = await fixture.register(person('ada', { password: 'of somebody else' }));
    expect(next.status).to.equal(200);
    await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'));
    await signIn(fixture.app, 'ada@example.org', 'of somebody else');
  });

  it('with the address of another account are removed in the same way, and the other account stays', async () => {
    await fixture.register(person('victim'));
    await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'));
    await fixture.register(person('curious', { email: 'victim@example.org' }));
    await sweep(7 * day);
    expect(await there('curious')).to.equal(true);
    await sweep(over - 7 * day);
    expect(await there('curious')).to.equal(false);
    await signIn(fixture.app, 'victim@example.org', 'secret of victim');
  });

  it('stay when they are confirmed, recovered, opened or closed by an administrator', async () => {
    const logins = ['confirmed', 'recovered', 'opened', 'closed'];
    const received = [];
    for (const login of logins) {
      await fixture.register(person(login));
      received.push(await mail.next());
    }
    await fixture.confirm(received[0] && tokenIn(received[0], 'accountconfirm'));
    await fixture.recover('recovered@example.org');
    await fixture.complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
    const admin = await signInAsAdmin(fixture.app);
    for (const [login, active] of [
      ['opened', true],
      ['closed', false],
    ] as const) {
      await fixture.app.agent.put(`/api/user/${login}`).query({ auth_token: admin }).send({ active });
    }
    await sweep(over);
    await sweep(365 * day);
    for (const login of logins) expect(await there(login), login).to.equal(true);
  });

  it('have more time when the mail is requested again, and are removed after it', async () => {
    await fixture.register(person('ada'));
    await mail.next();
    await sweep(5 * day);
    await fixture.register(person('ada'));
    const token = tokenIn(await mail.next(), 'accountconfirm');
    await sweep(4 * day);
    expect((await fixture.confirm(token)).body.error).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
    expect(await there('ada')).to.equal(true);
    await sweep(over - 4 * day);
    expect(await there('ada')).to.equal(false);
  });

  it('are not removed while a recovery link is valid, which confirms them too', async () => {
    await fixture.set({ tokenDuration: 10_080 });
    await fixture.register(person('ada'));
    await mail.next();
    await sweep(14 * day - 60 * minute);
    await fixture.recover('ada@example.org');
    const token = tokenIn(await mail.next(), 'passrecover');
    await fixture.app.model.jobs.idle();
    await sweep(6 * day);
    await fixture.complete(token, 'a new secret');
    await signIn(fixture.app, 'ada', 'a new secret');
  });

  it('are removed also when the server was down at that time, or died during the removal', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/dirty.db`;
    try {
      let running = await openMailFixture({ file });
      await running.app.sweep();
      await running.set({ checkMails: true });
      await running.pointMailAt(mail.port);
      await running.register(person('ada'));
      const bob = keys.user((await running.register(person('bob'))).body.value._id);
      await running.close();
      running = await openMailFixture({ file });
      running.app.ports.advance(40 * day);
      await running.app.inject({ fault: 'fail', calls: ['remove'], keys: bob, why: 'the database is away' });
      await running.app.sweep();
      expect(await running.app.model.users.findByLogin('ada')).to.equal(undefined);
      expect(await running.app.ports.database.get(bob)).to.include({ login: 'bob', active: false });
      expect(await running.logged()).to.include('job failed, retrying later');
      await running.close();
      running = await openMailFixture({ file });
      running.app.ports.advance(40 * day);
      await running.app.sweep();
      expect(await running.app.model.users.findByLogin('bob')).to.equal(undefined);
      await running.close();
    } finally {
      folder.remove();
    }
  });

  it('are removed also if the clock was ahead before', async () => {
    await sweep(30 * day);
    fixture.app.ports.advance(-30 * day);
    await fixture.register(person('ada'));
    await sweep(over);
    expect(await there('ada')).to.equal(false);
  });

  it('are removed from the folders that they were invited to', async () => {
    await fixture.set({ checkMails: false });
    const friend = await buildUser(fixture.app);
    const group = await buildGroup(fixture.app, friend);
    await fixture.set({ checkMails: true });
    await fixture.register(person('ada'));
    const invited = await callerOf(fixture.app, friend.token)('post', 'group/invite', {
      gid: group._id,
      invite: true,
      loginsOrEmails: ['ada'],
    });
    expect(invited.body.value.users).to.have.length(1);
    await sweep(over);
    expect((await fixture.app.model.groups.find(group._id))?.users).to.deep.equal([]);
  });

  it('end no invitation to their address, whose owner they never were', async () => {
    await fixture.set({ checkMails: false });
    const friend = await buildUser(fixture.app);
    const group = await buildGroup(fixture.app, friend);
    await callerOf(fixture.app, friend.token)('post', `group/${group._id}/invitations`, {
      loginsOrEmails: ['bob@example.org'],
    }).expect(200);
    await fixture.set({ checkMails: true });
    await fixture.register(person('somebody', { email: 'bob@example.org' }));
    await sweep(over);
    expect(await there('somebody')).to.equal(false);
    const { invitations } = (await fixture.app.model.groups.find(group._id)) ?? {};
    expect(invitations?.map(({ address }) => address)).to.deep.equal(['bob@example.org']);
  });

  it('are found without reading all keys of the database', async () => {
    await fixture.register(person('ada'));
    await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'));
    fixture.app.ports.advance(over);
    const done = await fixture.app.sweep();
    // A real server also checks mailed links every hour.
    const keysOf = (call: string) =>
      done.flatMap((one) =>
        one.what === call && 'key' in one && !/:mailtoken:/.test(one.key) ? [one.key] : [],
      );
    expect(keysOf('findKeys')).to.deep.equal([]);
    expect(keysOf('get').length, 'one list an hour, and the account').to.be.within(169, 175);
  });

  it('of earlier versions are kept', async () => {
    const { users } = fixture.app.model;
    const email = 'old@example.org';
    const old = await users.register({ login: 'old', email, password: 'long enough', active: false });
    await sweep(over);
    await sweep(365 * day);
    expect(await fixture.stored(old._id)).to.deep.equal(old);
  });

  it('are not noted for removal when their mail could not be sent', async () => {
    await fixture.pointMailAt(await closedPort());
    const before = await everything();
    await fixture.register(person('half'));
    expect(await everything()).to.deep.equal(before);
  });
});
