import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp } from '../support/app';
import { checkEach } from '../support/cases';
import { buildUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { until } from '../support/waiting';

// In the process only, because hashing has to take longer there than a write.
inProcessOnly.describe('an account with a hash of ep_mypads 1.x', () => {
  const incorrect = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
  const salt = createHash('sha512').update('salt').digest('hex').slice(0, 80);
  const hashOf = (password: string): string =>
    createHash('sha512').update(salt).update(password).digest('hex');

  it('gets no session by a password that is replaced while it is hashed anew', async () => {
    const slow = await startApp({ hashingRounds: 9 });
    const { id, password } = await buildUser(slow, { login: 'hugo' });
    const other = await buildUser(slow);
    const [own, foreign] = [await slow.model.users.get(id), await slow.model.users.get(other.id)];
    const hashes = async () => (await slow.operations()).some(({ what }) => what === 'hash');
    const cases: Record<string, [UserRecord['password'] | undefined, number]> = {
      'another one': [foreign?.password, 400],
      'none any more': [null, 400],
      'the same one, hashed by another sign-in': [own?.password, 200],
    };
    await checkEach(cases, async ([next = null, status]) => {
      await slow.model.users.update(id, (user) => ({ ...user, password: { salt, hash: hashOf(password) } }));
      await slow.operations();
      // The sign-in cannot store its hash meanwhile.
      const { answer } = await slow.model.store.locked([keys.user(id)], async () => {
        const sent = slow.agent.post('/api/auth/login').send({ login: 'hugo', password });
        const begun = { answer: sent.then((one) => one) };
        await until('it is hashed', hashes);
        const user = await slow.model.store.get<UserRecord>(keys.user(id));
        await slow.model.store.set(keys.user(id), { ...user, password: next });
        return begun;
      });
      const { status: answered, body } = await answer;
      expect([answered, body.error]).to.deep.equal([status, status === 200 ? undefined : incorrect]);
    });
    await slow.close();
  });
});
