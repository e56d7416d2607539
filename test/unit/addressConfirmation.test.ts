import { expect } from 'chai';
import { keys } from '../../model/store/store';
import {
  type AccountMailFixture,
  incorrect,
  root,
  startAccountMail,
  tokenIn,
  unavailable,
} from '../support/accountMail';
import { errorOf } from '../support/errorKeys';
import { closedPort } from '../support/smtpServer';

describe('mail that confirms an address', () => {
  let fixture: AccountMailFixture;
  beforeEach(async () => {
    fixture = await startAccountMail();
  });
  afterEach(() => fixture.close());

  describe('the mail', () => {
    it('has a link that activates the account once', async () => {
      const mail = await fixture.startMail();
      const ada = await fixture.register('ada', { active: false, lang: 'de' });
      await fixture.accountMail.requestConfirmation(ada);
      const received = await mail.next();
      expect(received.to).to.deep.equal(['ada@example.org']);
      expect(received.subject).to.include('bestätigen');
      const token = tokenIn(received, 'accountconfirm');
      expect(await fixture.signIn('ada', 'password-1')).to.equal(
        'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED',
      );
      expect(await fixture.accountMail.confirm(token)).to.deep.equal({ login: 'ada' });
      expect(await fixture.signIn('ada', 'password-1')).to.equal('no error');
      expect(await errorOf(fixture.accountMail.confirm(token))).to.equal(incorrect);
    });

    it('is in the default language for a person whose language is not there', async () => {
      const mail = await fixture.startMail();
      await fixture.set({ defaultLanguage: 'es' });
      const ada = await fixture.register('ada', { active: false });
      await fixture.accountMail.requestConfirmation({ ...ada, lang: 'eo' });
      expect((await mail.next()).headers['content-language']).to.equal('es');
    });

    it('does not activate an account that an administrator closed', async () => {
      const mail = await fixture.startMail();
      const ada = await fixture.register('ada', { active: false });
      await fixture.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      await fixture.model.users.updateProfile(ada._id, { active: false });
      expect(await errorOf(fixture.accountMail.confirm(token))).to.equal(incorrect);
      expect(await fixture.signIn('ada', 'password-1')).to.equal(
        'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED',
      );
    });

    it('has a link that is invalid after a recovery has activated the account', async () => {
      const mail = await fixture.startMail();
      const ada = await fixture.register('ada', { active: false });
      await fixture.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      const recovery = await fixture.recoveryToken(mail, 'ada');
      await fixture.accountMail.completeRecovery(recovery, 'new-password', 'new-password');
      expect(await errorOf(fixture.accountMail.confirm(token))).to.equal(incorrect);
      expect(await fixture.signIn('ada', 'new-password')).to.equal('no error');
    });

    it('cannot be replaced by a recovery mail, nor the other way round', async () => {
      const mail = await fixture.startMail();
      const ada = await fixture.register('ada', { active: false });
      const recovery = await fixture.recoveryToken(mail, 'ada');
      expect(await errorOf(fixture.accountMail.confirm(recovery))).to.equal(incorrect);
      await fixture.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      const use = fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect(await errorOf(use)).to.equal(incorrect);
    });

    it('fails when mail is down, leaves no link, and works when requested again', async () => {
      await fixture.pointMailAt(await closedPort());
      const ada = await fixture.register('ada', { active: false });
      expect(await errorOf(fixture.accountMail.requestConfirmation(ada))).to.equal(unavailable);
      expect(await fixture.tokensInDatabase()).to.deep.equal([]);
      const mail = await fixture.startMail();
      await fixture.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      expect(await fixture.accountMail.confirm(token)).to.deep.equal({ login: 'ada' });
    });

    it('fails when the mail server does not know the address', async () => {
      await fixture.startMail({ refuse: { at: 'recipient', code: 550, reply: '5.1.1 unknown' } });
      const ada = await fixture.register('ada', { active: false });
      expect(await errorOf(fixture.accountMail.requestConfirmation(ada))).to.equal(
        'BACKEND.ERROR.TYPE.TO_MAIL',
      );
      expect(await fixture.tokensInDatabase()).to.deep.equal([]);
    });

    it('is known to be impossible before an account is made, if mail is not set up', async () => {
      const { accountMail } = fixture;
      await fixture.set({ rootUrl: '' });
      expect(() => accountMail.mustBeConfigured()).to.throw('ROOTURL_NOT_CONFIGURED');
      await fixture.set({ rootUrl: root });
      expect(() => accountMail.mustBeConfigured()).to.throw('MAIL_NOT_CONFIGURED');
      await fixture.startMail();
      expect(() => accountMail.mustBeConfigured()).not.to.throw();
    });
  });

  describe('the link', () => {
    /** As an earlier version may have stored it. */
    async function store(rootUrl: string): Promise<void> {
      await fixture.ports.database.set(keys.conf('rootUrl'), rootUrl);
      await fixture.model.configuration.refresh();
    }
    const addresses: [string, string][] = [
      ['https://pads.example.org', 'https://pads.example.org/mypads/index.html?/accountconfirm/'],
      ['https://pads.example.org/', 'https://pads.example.org/mypads/index.html?/accountconfirm/'],
      [
        'http://pads.example.org:9001/a/b//',
        'http://pads.example.org:9001/a/b/mypads/index.html?/accountconfirm/',
      ],
    ];
    for (const [given, expected] of addresses) {
      it(`begins with ${expected} where people reach us at ${given}`, async () => {
        const mail = await fixture.startMail();
        await store(given);
        await fixture.accountMail.requestConfirmation(await fixture.register('ada', { active: false }));
        const received = await mail.next();
        expect(received.text).to.include(`\n${expected}`);
        expect(received.html).to.include(`href="${expected}`);
      });
    }

    for (const given of [
      '',
      'pads.example.org',
      'javascript:alert(1)',
      'ftp://pads.example.org',
      '//pads.example.org',
      'https://user:secret@pads.example.org/?x#y',
    ]) {
      it(`is not made from ${JSON.stringify(given)}`, async () => {
        await fixture.startMail();
        await store(given);
        const ada = await fixture.register('ada', { active: false });
        const ask = fixture.accountMail.requestConfirmation(ada);
        expect(await errorOf(ask)).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
      });
    }
  });

  it('never puts a link, a token, an address or a password into the log', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada', { active: false });
    await fixture.accountMail.requestConfirmation(ada);
    const confirmation = tokenIn(await mail.next(), 'accountconfirm');
    await fixture.accountMail.confirm(confirmation);
    const recovery = await fixture.recoveryToken(mail, 'ada');
    await fixture.accountMail.completeRecovery(recovery, 'new-password', 'new-password');
    await errorOf(fixture.accountMail.completeRecovery(recovery, 'new-password', 'new-password'));
    expect(fixture.logged()).to.include(ada._id);
    for (const secret of [confirmation, recovery, 'ada@example.org', 'new-password', 'index.html']) {
      expect(fixture.logged()).not.to.include(secret);
    }
  });
});
