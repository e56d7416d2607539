/** What was stored while the clock was ahead of the time holds nothing up when the clock is right again. */
import { expect } from 'chai';
import type { CheckupAnswer } from '../../api/admin/schema';
import { dateFormat } from '../../model/dateFormat';
import type { GroupRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { useMailFixture } from '../support/mailFixture';
import { inProcessOnly } from '../support/network';
import { closedPort } from '../support/smtpServer';

const day = 24 * 3600_000;

describe('after the clock was 300 days ahead', () => {
  const { fixture } = useMailFixture();
  let user: TestUser;
  let admin: Call;
  let ahead: number;
  beforeEach(async () => {
    user = await buildUser(fixture.app);
    admin = callerOf(fixture.app, await signInAsAdmin(fixture.app));
    ahead = fixture.app.ports.now() + 300 * day;
  });

  it('a job that was stored then runs', async () => {
    const mail = await fixture.startMail();
    const facts = { email: user.email };
    const job = { type: 'mailRecovery', facts, begun: ahead, next: ahead, attempts: 1 };
    await fixture.app.ports.database.set(keys.jobs, { 'mailRecovery:one': job });
    expect((await admin('get', 'admin/jobs').expect(200)).body.jobs[0].running).to.equal(true);
    await fixture.app.model.jobs.runDue();
    const { to, text } = await mail.next();
    expect(to).to.deep.equal([user.email]);
    expect(text).to.include(`This happened on ${dateFormat('en')(fixture.app.model.now())}`);
  });

  it('managers get mails about requests for access', async () => {
    const mail = await fixture.startMail();
    const group = await buildGroup(fixture.app, user);
    await fixture.app.model.store.update<GroupRecord>(
      keys.group(group._id),
      (record) => record && { ...record, requestsMailed: ahead },
    );
    const other = callerOf(fixture.app, (await buildUser(fixture.app)).token);
    await other('post', `group/${group._id}/requests`, {}).expect(200);
    expect((await mail.next()).to).to.deep.equal([user.email]);
  });

  // The clock of a real server cannot be moved.
  inProcessOnly.it(
    'the directory is read in the next night, and the checks of the server say that it was not',
    async () => {
      const { app } = fixture;
      const sync = async () => {
        const { checks } = (await admin('get', 'admin/checkup').expect(200)).body as CheckupAnswer;
        return checks.find(({ id }) => id === 'sync');
      };
      const url = `ldap://127.0.0.1:${await closedPort()}`;
      const settings = { url, searchBase: 'dc=example', searchFilter: '(uid={{username}})' };
      const properties = { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' };
      // A directory that cannot be reached is not stored.
      await app.ports.database.set(keys.conf('authLdapSettings'), { ...settings, properties });
      await app.ports.database.set(keys.conf('authMethod'), 'ldap');
      await app.ports.database.set(keys.conf('directorySync'), true);
      await app.restart();
      const last = (began: number) => ({ last: { began, ended: began, read: 1 } });
      await app.ports.database.set(keys.directorySync, last(app.ports.now() - day));
      expect((await sync())?.finding).to.equal('good');
      for (const began of [ahead, app.ports.now() - 3 * day]) {
        await app.ports.database.set(keys.directorySync, last(began));
        const found = await sync();
        expect(found?.finding).to.equal('failed');
        expect(found?.facts.reason).to.equal(`no run since ${new Date(began).toISOString()}`);
      }
      await app.ports.database.set(keys.directorySync, last(ahead));
      await app.model.jobs.runNow('beginDirectorySync');
      await app.idle();
      const stored = (await app.ports.database.get(keys.directorySync)) as ReturnType<typeof last>;
      expect(stored.last.began).to.be.at.most(app.ports.now());
    },
  );
});
