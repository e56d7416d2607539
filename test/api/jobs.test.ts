/** `admin/jobs`: server administrators see work in the background, run it again, and give up mails. */
import { expect } from 'chai';
import type { AdminJob, AdminJobsAnswer } from '../../api/admin/schema';
import type { JobList, StoredJob } from '../../model/jobs/jobList';
import { keys } from '../../model/store/store';
import type { TestApp } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { useMailFixture } from '../support/mailFixture';
import { inProcessOnly } from '../support/network';
import { closedPort } from '../support/smtpServer';
import { heldWork } from '../support/waiting';

const hour = 3_600_000;

describe('the work in the background', () => {
  const { fixture } = useMailFixture();
  let app: TestApp;
  let user: TestUser;
  let admin: Call;
  let now: number;
  beforeEach(async () => {
    app = fixture.app;
    user = await buildUser(app);
    admin = callerOf(app, await signInAsAdmin(app));
    now = app.ports.now();
  });

  const store = (jobs: JobList): Promise<void> => app.ports.database.set(keys.jobs, structuredClone(jobs));
  const stored = async (): Promise<JobList> => ((await app.ports.database.get(keys.jobs)) ?? {}) as JobList;
  const read = async (): Promise<AdminJobsAnswer> => (await admin('get', 'admin/jobs').expect(200)).body;
  const only = async (): Promise<AdminJob> => {
    const { jobs } = await read();
    expect(jobs).to.have.length(1);
    return jobs[0] as AdminJob;
  };
  /** A mail to choose a new password, which has failed as often as it may. */
  const failedMail = (): StoredJob => ({
    type: 'mailRecovery',
    facts: { email: user.email, place: '192.0.2.77' },
    begun: now - 4 * hour,
    next: now - hour,
    attempts: 8,
    error: 'MyPadsError: BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
    failed: true,
  });
  /** A removal that waits for its next attempt. */
  const waitingRemoval = (): StoredJob => ({
    type: 'removeAccount',
    facts: { _id: user.id, login: user.login },
    begun: now - hour,
    next: now + hour,
    attempts: 3,
    error: 'Error: database down',
    progress: { done: 12, total: 40 },
  });

  it('is listed from the oldest job on, with errors and progress, and never says whom it is about', async () => {
    expect(await read()).to.deep.equal({ jobs: [], count: 0 });
    await store({
      [`removeAccount:${user.id}`]: waitingRemoval(),
      'mailRecovery:one': failedMail(),
      'ofAnotherVersion:one': { type: 'ofAnotherVersion', facts: null, begun: now, next: now, attempts: 0 },
    });
    const answer = await read();
    expect(answer.count).to.equal(3);
    expect(answer.jobs.map(({ id: _, ...job }) => job)).to.deep.equal([
      {
        type: 'mailRecovery',
        begun: now - 4 * hour,
        next: now - hour,
        running: false,
        attempts: 8,
        error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
        failed: true,
        progress: null,
        canCancel: true,
      },
      {
        type: 'removeAccount',
        begun: now - hour,
        next: now + hour,
        running: false,
        attempts: 3,
        error: 'database down',
        failed: false,
        progress: { done: 12, total: 40 },
        canCancel: false,
      },
      {
        type: 'ofAnotherVersion',
        begun: now,
        next: now,
        running: false,
        attempts: 0,
        error: null,
        failed: false,
        progress: null,
        canCancel: false,
      },
    ]);
    const text = JSON.stringify(answer);
    for (const secret of [user.email, user.id, user.login, '192.0.2.77']) expect(text).not.to.include(secret);
  });

  it('can be run again: it fails again with a new error, or succeeds and is gone', async () => {
    await fixture.pointMailAt(await closedPort());
    await store({ 'mailRecovery:one': { ...failedMail(), error: 'Error: earlier' } });
    const { id } = await only();
    const run = async () => (await admin('post', `admin/jobs/${id}/run`).expect(200)).body;
    const again = await run();
    expect(again).to.deep.include({ success: true, key: id });
    expect(again.job).to.include({
      attempts: 9,
      failed: true,
      error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
    });
    const mail = await fixture.startMail();
    expect(await run()).to.deep.equal({ success: true, key: id, job: null });
    expect((await mail.next()).to).to.deep.equal([user.email]);
    expect(await read()).to.deep.equal({ jobs: [], count: 0 });
    await admin('post', `admin/jobs/${id}/run`).expect(404);
    await app.said('job run on request');
    const { entries } = (await admin('get', 'admin/log').expect(200)).body;
    const runs = entries.filter(({ action }: { action: string }) => action === 'jobRun');
    expect(runs.map(({ by }: { by: string }) => by)).to.deep.equal(['root', 'root']);
  });

  // The type is defined in the process of the tests.
  inProcessOnly.it('answers while a long job still runs', async () => {
    const { held: released, release: finish } = heldWork();
    const queue = app.model.jobs.define<null>({ type: 'long', run: () => released });
    await store({ 'long:one': { type: 'long', facts: null, begun: now, next: now + hour, attempts: 1 } });
    const { id, running } = await only();
    expect(running).to.equal(false);
    const { body } = await admin('post', `admin/jobs/${id}/run`).expect(200);
    expect(body.job).to.include({ id, running: true });
    finish();
    await app.idle();
    expect(await queue.open()).to.deep.equal([]);
  });

  it('can be cancelled if it is a mail, which is then never sent', async () => {
    const mail = await fixture.startMail();
    const { failed: _, ...due } = failedMail();
    await store({ 'mailRecovery:one': due, 'mailNotice:one': { ...failedMail(), begun: now } });
    const { jobs } = await read();
    const [first, second] = jobs as [AdminJob, AdminJob];
    expect((await admin('delete', `admin/jobs/${first.id}`)).body).to.deep.equal({
      success: true,
      key: first.id,
    });
    expect((await only()).id).to.equal(second.id);
    await app.model.jobs.runDue();
    expect(mail.received).to.deep.equal([]);
    await admin('delete', `admin/jobs/${first.id}`).expect(404);
    await app.said('job cancelled');
    const { entries } = (await admin('get', 'admin/log').expect(200)).body;
    expect(entries[0]).to.include({ action: 'jobCancelled', by: 'root' });
  });

  it('cannot be cancelled if something would stay half done', async () => {
    await store({ [`removeAccount:${user.id}`]: waitingRemoval() });
    const before = await stored();
    const { id } = await only();
    const { status, body } = await admin('delete', `admin/jobs/${id}`);
    expect([status, body]).to.deep.equal([401, { error: 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT' }]);
    await admin('delete', 'admin/jobs/made-up').expect(404);
    expect(await stored()).to.deep.equal(before);
  });

  // The type is defined in the process of the tests.
  inProcessOnly.it('stays cancelled when another process runs it just then, and fails', async () => {
    let fail = (_error: Error): void => {};
    const queue = app.model.jobs.define<null>({
      type: 'elsewhere',
      run: () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    });
    await queue.begin(null, { name: 'one' });
    // What `cancel` of the other process does to the list.
    await app.ports.database.remove(keys.jobs);
    fail(new Error('no answer'));
    await app.idle();
    expect(await stored()).to.deep.equal({});
  });
});
