import { expect } from 'chai';
import { type AccountMailFixture, incorrect, startAccountMail } from '../support/accountMail';
import { errorOf } from '../support/errorKeys';

describe('the mailed link to recover an account', () => {
  let fixture: AccountMailFixture;
  beforeEach(async () => {
    fixture = await startAccountMail();
  });
  afterEach(() => fixture.close());

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

  it('reports an invalid link before invalid passwords', async () => {
    await fixture.startMail();
    const use = fixture.accountMail.completeRecovery('0'.repeat(64), 'a', 'b');
    expect(await errorOf(use)).to.equal(incorrect);
  });
});
