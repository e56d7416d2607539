import { expect } from 'chai';
import { type AccountMailFixture, incorrect, noRecover, startAccountMail } from '../support/accountMail';
import { errorOf } from '../support/errorKeys';
import { casSettings } from '../support/signInServices';

describe('the mailed link to recover an account', () => {
  let fixture: AccountMailFixture;
  beforeEach(async () => {
    fixture = await startAccountMail();
  });
  afterEach(() => fixture.close());

  it('sets the password once', async () => {
    const mail = await fixture.startMail();
    await fixture.register('ada');
    const token = await fixture.recoveryToken(mail, 'ada');
    const done = await fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
    expect(done).to.deep.equal({ login: 'ada' });
    expect(await fixture.signIn('ada', 'new-password')).to.equal('no error');
    expect(await fixture.signIn('ada', 'password-1')).to.equal(
      'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
    );
    const again = fixture.accountMail.completeRecovery(token, 'third-password', 'third-password');
    expect(await errorOf(again)).to.equal(incorrect);
    expect(await fixture.signIn('ada', 'new-password')).to.equal('no error');
  });

  it('ends every session of the person and starts none', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada');
    const { sessions } = fixture.model;
    const open = [];
    for (const browser of ['one', 'two'])
      open.push(await sessions.create({ kind: 'user', owner: ada._id, browser }));
    const token = await fixture.recoveryToken(mail, 'ada');
    await fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
    for (const { session } of open) expect(await sessions.find(session._id)).to.equal(undefined);
    expect(await fixture.model.store.scan('mypads:session:')).to.deep.equal([]);
  });

  it('also activates an account whose address was not confirmed yet', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada', { active: false });
    const token = await fixture.recoveryToken(mail, 'ada');
    await fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
    expect((await fixture.model.users.get(ada._id))?.active).to.equal(true);
    expect(await fixture.signIn('ada', 'new-password')).to.equal('no error');
  });

  it('does not activate an account that was closed meanwhile', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada');
    const token = await fixture.recoveryToken(mail, 'ada');
    await fixture.model.users.updateProfile(ada._id, { active: false });
    const late = fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
    expect(await errorOf(late)).to.equal(incorrect);
    expect((await fixture.model.users.get(ada._id))?.active).to.equal(false);
  });

  it('does not activate an account that an administrator closes while the new password is hashed', async () => {
    const mail = await fixture.startMail();
    const ada = await fixture.register('ada');
    const token = await fixture.recoveryToken(mail, 'ada');
    const { hasher } = fixture.ports;
    const { hash } = hasher;
    hasher.hash = async (text) => {
      await fixture.model.users.updateProfile(ada._id, { active: false });
      return hash(text);
    };
    const late = fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
    expect(await errorOf(late)).to.equal(incorrect);
    const now = await fixture.model.users.get(ada._id);
    expect(now).to.include({ active: false, closed: true });
    expect(now?.password).to.deep.equal(ada.password);
  });

  it('ends the other recovery links, as every change of the password does', async () => {
    const mail = await fixture.startMail();
    await fixture.register('ada');
    const first = await fixture.recoveryToken(mail, 'ada');
    const second = await fixture.recoveryToken(mail, 'ada');
    await fixture.accountMail.completeRecovery(second, 'new-password', 'new-password');
    const late = fixture.accountMail.completeRecovery(first, 'third-password', 'third-password');
    expect(await errorOf(late)).to.equal(incorrect);
  });

  it('can be tried again after two passwords that differ, or one that is too short', async () => {
    const mail = await fixture.startMail();
    await fixture.register('ada');
    const token = await fixture.recoveryToken(mail, 'ada');
    const use = (password: string, confirm: string): Promise<string> =>
      errorOf(fixture.accountMail.completeRecovery(token, password, confirm));
    expect(await use('new-password', 'new-passwort')).to.equal('USER.ERR.PASSWORD_MISMATCH');
    expect(await use('short', 'short')).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect(await use('', '')).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect(await fixture.signIn('ada', 'password-1')).to.equal('no error');
    expect(await use('new-password', 'new-password')).to.equal('no error');
  });

  it('reports an invalid link before invalid passwords', async () => {
    await fixture.startMail();
    const use = fixture.accountMail.completeRecovery('0'.repeat(64), 'a', 'b');
    expect(await errorOf(use)).to.equal(incorrect);
  });

  it('is refused after it has expired', async () => {
    const mail = await fixture.startMail();
    await fixture.register('ada');
    const token = await fixture.recoveryToken(mail, 'ada');
    fixture.ports.advance(60 * 60_000);
    const late = fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
    expect(await errorOf(late)).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
  });

  it('is refused while passwords are checked by a directory', async () => {
    const mail = await fixture.startMail();
    await fixture.register('ada');
    const token = await fixture.recoveryToken(mail, 'ada');
    await fixture.set({ authCasSettings: casSettings, authMethod: 'cas' });
    const use = fixture.accountMail.completeRecovery(token, 'new-password', 'new-password');
    expect(await errorOf(use)).to.equal(noRecover);
    expect(await errorOf(fixture.accountMail.confirm(token))).to.equal(noRecover);
  });
});
