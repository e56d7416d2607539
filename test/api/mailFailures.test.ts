/** When mail fails, people are told, nothing is left half done, and the same action works as soon as mail does. */
import { expect } from 'chai';
import type { Response } from 'supertest';
import { dateFormat } from '../../model/dateFormat';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildUser, signIn, type TestUser } from '../support/factories';
import { type MailFixture, openMailFixture, person, tokenIn, useMailFixture } from '../support/mailFixture';
import { overNetwork } from '../support/network';
import { addApp, site } from '../support/secondFactors';
import {
  closedPort,
  startBadSmtpServer,
  startFailingSmtpServer,
  startSmtpServer,
} from '../support/smtpServer';
import { until } from '../support/waiting';

const unavailable = 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE';
const auth = { user: 'pads-user', pass: 'right' };

interface Trouble {
  /** Starts the mail server and returns the settings for it. */
  begin(fixture: MailFixture): Promise<object>;
  /** The expected error. Default: `unavailable`. */
  error?: string;
  /** The failure shows only when a mail is sent; for a recovery that is after the answer. */
  late?: boolean;
}

const unknownRecipient = { at: 'recipient', code: 550, reply: '5.1.1 {address} unknown' } as const;
/** One of each kind that people are told about in another way. unit/mailServerFailures.test.ts has every failure. */
const troubles: Record<string, Trouble> = {
  'is not there': { begin: async () => ({ SMTPPort: await closedPort() }) },
  'refuses our password': {
    async begin(fixture) {
      const server = await startSmtpServer({ auth });
      fixture.keep(server);
      return { SMTPPort: server.port, SMTPUser: auth.user, SMTPPass: 'wrong' };
    },
  },
  'refuses the message': {
    async begin(fixture) {
      const server = await startFailingSmtpServer('message', 'refuses for now');
      fixture.keep(server);
      return { SMTPPort: server.port, SMTPUser: auth.user, SMTPPass: auth.pass };
    },
    late: true,
  },
  'does not know the recipient': {
    async begin(fixture) {
      const server = await startSmtpServer({ refuse: unknownRecipient });
      fixture.keep(server);
      return { SMTPPort: server.port };
    },
    error: 'BACKEND.ERROR.TYPE.TO_MAIL',
    late: true,
  },
};

describe('a mail server that', () => {
  const { fixture } = useMailFixture();
  let user: TestUser;
  beforeEach(async () => {
    user = await buildUser(fixture.app);
    await fixture.set({ checkMails: true });
  });

  const quiet = { SMTPTLS: false, SMTPSSL: false, SMTPUser: '', SMTPPass: '' };

  async function nothingIsLeft(fixture: MailFixture, user: TestUser): Promise<void> {
    await fixture.app.model.jobs.idle();
    // Over the network, `idle` of the model says nothing about Etherpad.
    if (overNetwork) await until('no link is left', async () => (await fixture.links()).length === 0);
    expect(await fixture.links()).to.deep.equal([]);
    expect(await fixture.app.model.users.find('half')).to.equal(undefined);
    expect(await fixture.own(user)).to.deep.equal(user.value);
  }

  async function mailArrives(fixture: MailFixture, user: TestUser): Promise<void> {
    await fixture.set(quiet);
    const mail = await fixture.startMail();
    expect((await fixture.recover(user.email)).body).to.deep.equal({ success: true });
    expect((await mail.next()).to).to.deep.equal([user.email]);
    await fixture.app.model.jobs.idle();
    for (const link of await fixture.links()) await fixture.app.ports.database.remove(link);
  }

  async function everythingWorks(fixture: MailFixture, user: TestUser): Promise<void> {
    await fixture.set(quiet);
    const mail = await fixture.startMail();
    expect((await fixture.register(person('half'))).status).to.equal(200);
    await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'));
    await signIn(fixture.app, 'half', 'secret of half');
    expect((await fixture.recover('half@example.org')).status).to.equal(200);
    await fixture.complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
    await signIn(fixture.app, 'half', 'a new secret');
    expect((await mail.next()).subject).to.include('has been changed');
    expect((await fixture.change(user, { email: `new.${user.email}` })).status).to.equal(200);
    await fixture.confirm(tokenIn(await mail.next(), 'accountconfirm'));
    await signIn(fixture.app, `new.${user.email}`, user.password);
  }

  /** Checks what people are told while the mail server has this trouble, and that mail works again afterwards. */
  async function check({ begin, error = unavailable, late = false }: Trouble): Promise<void> {
    const isTold = ({ body }: Response) => expect(body).to.deep.equal({ error });
    await fixture.pointMailAt(25, { ...quiet, ...(await begin(fixture)) });
    isTold(await fixture.register(person('half')));
    isTold(await fixture.change(user, { email: `new.${user.email}`, firstname: 'Half' }));
    const recoveries = [await fixture.recover(user.email), await fixture.recover('nobody@example.org')];
    for (const recovery of recoveries) {
      if (late) expect(recovery.body).to.deep.equal({ success: true });
      else isTold(recovery);
    }
    await nothingIsLeft(fixture, user);
    const logged = await fixture.logged();
    for (const secret of ['@example.org', 'secret of', 'index.html', auth.user, auth.pass, 'wrong']) {
      expect(logged).not.to.include(secret);
    }
    await mailArrives(fixture, user);
  }

  it('fails: people are told, nothing is stored, and it works as soon as the server does (A4)', async () => {
    await checkEach(troubles, check);
    await everythingWorks(fixture, user);
  });

  const silent = {
    'says nothing when called': () => startBadSmtpServer('silent'),
    'takes a mail and never confirms it': () => startBadSmtpServer('stalls'),
  };
  async function servesOthers(begin: () => ReturnType<typeof startBadSmtpServer>): Promise<void> {
    const own = await openMailFixture();
    const somebody = await buildUser(own.app);
    await own.set({ checkMails: true });
    const server = await begin();
    own.keep(server);
    await own.pointMailAt(server.port, { SMTPUser: auth.user, SMTPPass: auth.pass });
    let waiting = true;
    const answers = Promise.all([
      own.register(person('half')),
      own.change(somebody, { email: `new.${somebody.email}` }),
    ]).finally(() => {
      waiting = false;
    });
    await server.entered();
    await signIn(own.app, somebody.login, somebody.password);
    expect((await own.app.agent.get('/api/configuration')).status).to.equal(200);
    expect(waiting).to.equal(true);
    for (const answer of await answers) {
      expect(answer.body).to.deep.equal({ error: unavailable });
    }
    await nothingIsLeft(own, somebody);
    await everythingWorks(own, somebody);
    await own.close();
  }

  /** Runs all cases at once, because each waits for time limits. Over the network there is one server: one by one. */
  const begun = new Map<string, Promise<unknown>>();
  for (const [title, begin] of Object.entries(silent)) {
    it(`${title}: people are told within seconds, and everybody else is served`, async () => {
      for (const [one, its] of overNetwork ? [[title, begin] as const] : Object.entries(silent)) {
        // Keeps an error as a value: the test of that case throws it.
        if (!begun.has(one))
          begun.set(
            one,
            servesOthers(its).then(
              () => undefined,
              (error: unknown) => error,
            ),
          );
      }
      const error = await begun.get(title);
      if (error) throw error;
    });
  }

  it('refuses one person for now: the others get their notices, however many to that person wait', async () => {
    await fixture.set({ rootUrl: site, checkMails: false });
    const other = await buildUser(fixture.app);
    await addApp(fixture.app, user);
    const refuse = { at: 'recipient', code: 451, reply: '4.3.0 not now', only: user.email } as const;
    const mail = await fixture.startMail({ refuse });
    const codes = callerOf(fixture.app, user.token);
    for (let number = 0; number < 205; number += 1)
      await codes('post', `user/${user.login}/factors/recovery`, { currentPassword: user.password }).expect(
        200,
      );
    await until('the loss of a notice is logged', async () =>
      (await fixture.app.lines()).some(({ message }) => message === 'security notice not stored'),
    );
    expect((await fixture.change(other, { password: 'a new secret' })).status).to.equal(200);
    expect((await mail.next()).to).to.deep.equal([other.email]);
  });

  it('takes no mail for days: the mails say when it happened, not when they are sent', async () => {
    const refuse = { at: 'message', code: 451, reply: '4.3.0 later' } as const;
    await fixture.startMail({ refuse });
    const day = dateFormat('en')(fixture.app.model.now());
    expect((await fixture.recover(user.email)).status).to.equal(200);
    expect((await fixture.change(user, { password: 'a new secret' })).status).to.equal(200);
    await fixture.app.idle();
    const mail = await fixture.startMail();
    fixture.app.ports.advance(3 * 24 * 3600_000);
    await fixture.app.model.jobs.runDue();
    for (const { text } of [await mail.next(), await mail.next()])
      expect(text).to.include(`This happened on ${day}`);
  });

  it('takes no mail until people sign in elsewhere: no mail has a link that cannot be used', async () => {
    await fixture.startMail({ refuse: { at: 'message', code: 451, reply: '4.3.0 later' } });
    expect((await fixture.recover(user.email)).status).to.equal(200);
    await fixture.app.idle();
    await fixture.set({ authCasSettings: { serverUrl: 'https://cas.example.com' }, authMethod: 'cas' });
    const mail = await fixture.startMail();
    fixture.app.ports.advance(3600_000);
    await fixture.app.model.jobs.runDue();
    expect(await fixture.app.model.jobs.list()).to.deep.equal([]);
    expect(mail.received).to.deep.equal([]);
  });

  it('is configured anew gets the next mail', async () => {
    const first = await fixture.startMail();
    await fixture.register(person('ada'));
    await first.next();
    const second = await startSmtpServer({ auth });
    fixture.keep(second);
    const more = { SMTPUser: auth.user, SMTPPass: auth.pass, SMTPEmailFrom: 'other@example.org' };
    await fixture.pointMailAt(second.port, more);
    await fixture.register(person('bob'));
    const received = await second.next();
    expect(received.from).to.equal('other@example.org');
    expect(received.user).to.equal(auth.user);
    expect(first.received).to.have.length(1);
    await fixture.set({ SMTPPass: 'wrong' });
    expect((await fixture.recover(user.email)).body).to.deep.equal({ error: unavailable });
    await fixture.set({ SMTPPass: auth.pass });
    expect((await fixture.recover(user.email)).body).to.deep.equal({ success: true });
    expect((await second.next()).to).to.deep.equal([user.email]);
    await fixture.set({ SMTPHost: '' });
    expect((await fixture.recover(user.email)).body.error).to.equal(
      'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED',
    );
  });
});
