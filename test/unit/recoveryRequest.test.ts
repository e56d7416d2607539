import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import {
  type AccountMailFixture,
  noRecover,
  root,
  startAccountMail,
  tokenIn,
  unavailable,
} from '../support/accountMail';
import { errorOf } from '../support/errorKeys';
import { casSettings } from '../support/signInServices';
import { closedPort, startBadSmtpServer } from '../support/smtpServer';

describe('asking for a mail to recover an account', () => {
  let fixture: AccountMailFixture;
  beforeEach(async () => {
    fixture = await startAccountMail();
  });
  afterEach(() => fixture.close());

  it('sends a mail with a link, in the language of the person', async () => {
    const mail = await fixture.startMail();
    await fixture.set({ tokenDuration: 120 });
    await fixture.register('ada', { lang: 'fr' });
    await fixture.accountMail.requestRecovery('ada@example.org');
    const received = await mail.next();
    expect(received.to).to.deep.equal(['ada@example.org']);
    expect(received.subject).to.include('mot de passe').and.to.include('Pads of the school');
    expect(received.headers['content-language']).to.equal('fr');
    for (const part of ['Pads of the school', '2 heures']) {
      expect(received.text.replace(/\u00a0/g, ' ')).to.include(part);
      expect(received.html.replace(/\u00a0/g, ' ')).to.include(part);
    }
    tokenIn(received, 'passrecover');
  });

  it('answers the same for an address that nobody has, and sends nothing', async () => {
    const mail = await fixture.startMail();
    expect(await fixture.accountMail.requestRecovery('nobody@example.org')).to.equal(undefined);
    await fixture.model.jobs.idle();
    expect(mail.received).to.deep.equal([]);
    expect(await fixture.tokensInDatabase()).to.deep.equal([]);
  });

  it('answers before it looks for the account, so that the time reveals nothing', async () => {
    await fixture.startMail();
    let asked = 0;
    let found = (_user: UserRecord | undefined): void => {};
    const slow = fixture.build({
      ...fixture.model.users,
      findByEmail() {
        asked++;
        return new Promise((resolve) => {
          found = resolve;
        });
      },
    });
    await slow.requestRecovery('ada@example.org');
    expect(asked).to.equal(0);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).to.equal(1);
    found(undefined);
    await fixture.model.jobs.idle();
  });

  it('does the same at the mail server before the answer, for a known and an unknown address', async () => {
    const mail = await fixture.startMail();
    await fixture.register('ada');
    await fixture.accountMail.requestRecovery('nobody@example.org');
    expect(mail.connections()).to.equal(1);
    await fixture.model.jobs.idle();
    const before = mail.connections();
    await fixture.accountMail.requestRecovery('ada@example.org');
    expect(mail.connections()).to.equal(before);
    await mail.next();
  });

  it('does the same work after the answer, for a known and an unknown address, so that the next call reveals nothing', async () => {
    const mail = await fixture.startMail();
    await fixture.register('ada');
    const work = async (email: string): Promise<number> => {
      const before = mail.connections();
      await fixture.accountMail.requestRecovery(email);
      await fixture.model.jobs.idle();
      return mail.connections() - before;
    };
    // The first request also makes a connection that checks the mail server.
    expect(await work('first@example.org')).to.equal(2);
    expect(await work('nobody@example.org')).to.equal(1);
    expect(await work('ada@example.org')).to.equal(1);
    expect(mail.received.map(({ to }) => to)).to.deep.equal([['ada@example.org']]);
  });

  it('goes to the address of the account, not to the one that was typed', async () => {
    const mail = await fixture.startMail();
    await fixture.set({ insensitiveMailMatch: true });
    await fixture.register('ada');
    await fixture.accountMail.requestRecovery('ADA@Example.org');
    expect((await mail.next()).to).to.deep.equal(['ada@example.org']);
  });

  it('does nothing for an account that an administrator closed', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada');
    await fixture.model.users.updateProfile(ada._id, { active: false });
    await fixture.accountMail.requestRecovery('ada@example.org');
    await fixture.model.jobs.idle();
    expect(mail.received).to.deep.equal([]);
  });

  it('does nothing for an account that was closed in 1.x, whose owner has a folder', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada');
    // An administrator of 1.x could write any value.
    for (const active of [false, 0, null, '']) {
      await fixture.ports.database.set(keys.user(ada._id), { ...ada, active, groups: ['folder'] });
      expect(await fixture.signIn('ada', 'password-1'), JSON.stringify(active)).to.match(/ACTIVATION_NEEDED/);
      await fixture.accountMail.requestRecovery('ada@example.org');
      await fixture.model.jobs.idle();
    }
    expect(mail.received).to.deep.equal([]);
  });

  it('opens an account that has waited since 1.x for its confirmation, also if it was added to a folder', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada');
    await fixture.ports.database.set(keys.user(ada._id), { ...ada, active: false });
    await fixture.model.users.addGroups(ada._id, { groups: ['folder'] });
    const token = await fixture.recoveryToken(mail, 'ada');
    await fixture.accountMail.completeRecovery(token, 'password-2', 'password-2');
    expect(await fixture.signIn('ada', 'password-2')).to.equal('no error');
  });

  it('ignores an old account with an invalid address', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada');
    await fixture.model.users.update(ada._id, (user) => ({ ...user, email: '<b>x@y.org</b>' }));
    const strange = fixture.build({
      ...fixture.model.users,
      findByEmail: () => fixture.model.users.get(ada._id),
    });
    await strange.requestRecovery('ada@example.org');
    await fixture.model.jobs.idle();
    expect(mail.received).to.deep.equal([]);
    expect(await fixture.tokensInDatabase()).to.deep.equal([]);
  });

  for (const typed of [
    '',
    'ada',
    'ada@example.org, eve@example.org',
    'ada@example.org\r\nBcc: eve@example.org',
  ]) {
    it(`is refused for ${JSON.stringify(typed)}, which is not an address`, async () => {
      await fixture.startMail();
      expect(await errorOf(fixture.accountMail.requestRecovery(typed))).to.equal('BACKEND.ERROR.TYPE.MAIL');
    });
  }

  it('reports one error after the other, in a fixed order', async () => {
    await fixture.set({ authCasSettings: casSettings, authMethod: 'cas', rootUrl: '' });
    const ask = (email: string): Promise<string> => errorOf(fixture.accountMail.requestRecovery(email));
    expect(await ask('x')).to.equal(noRecover);
    await fixture.set({ authMethod: 'internal' });
    expect(await ask('x')).to.equal('BACKEND.ERROR.TYPE.MAIL');
    expect(await ask('x@example.org')).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    await fixture.set({ rootUrl: root });
    expect(await ask('x@example.org')).to.equal('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
    await fixture.startMail();
    expect(await ask('x@example.org')).to.equal('no error');
  });

  it('says that mail is down, for a known and an unknown address', async () => {
    await fixture.pointMailAt(await closedPort());
    await fixture.register('ada');
    for (const email of ['ada@example.org', 'nobody@example.org']) {
      expect(await errorOf(fixture.accountMail.requestRecovery(email))).to.equal(unavailable);
    }
    expect(await fixture.tokensInDatabase()).to.deep.equal([]);
  });

  it('fails in time when the mail server does not answer', async () => {
    const bad = await startBadSmtpServer('silent');
    fixture.closeLater(bad);
    await fixture.pointMailAt(bad.port);
    expect(await errorOf(fixture.accountMail.requestRecovery('x@example.org'))).to.equal(unavailable);
  });

  it('asks to try again later while accounts are being indexed', async () => {
    await fixture.startMail();
    const starting = fixture.build({ ...fixture.model.users, isReady: () => false });
    expect(await errorOf(starting.requestRecovery('x@example.org'))).to.equal('BACKEND.ERROR.SERVER.BUSY');
  });

  it('logs a failure after the answer, without address or link, and leaves no token', async () => {
    const mail = await fixture.startMail({
      refuse: { at: 'recipient', code: 550, reply: '5.1.1 {address} unknown' },
    });
    await fixture.register('ada');
    await fixture.accountMail.requestRecovery('ada@example.org');
    await fixture.model.jobs.idle();
    expect(mail.received).to.deep.equal([]);
    expect(fixture.logged()).to.include('job refused');
    expect(fixture.logged()).not.to.match(/ada@|passrecover\/|[0-9a-f]{64}/);
    expect(await fixture.tokensInDatabase()).to.deep.equal([]);
  });

  it('survives a database that fails', async () => {
    await fixture.startMail();
    const broken = fixture.build({
      ...fixture.model.users,
      findByEmail: () => Promise.reject(new Error('the database is away')),
    });
    await broken.requestRecovery('ada@example.org');
    await fixture.model.jobs.idle();
    expect(fixture.logged()).to.include('the database is away');
  });
});
