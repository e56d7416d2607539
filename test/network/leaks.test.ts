/** The check for secrets that runs in every test (test/api/leaks.test.ts), in a real Etherpad. */
import { expect } from 'chai';
import { startApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser } from '../support/factories';
import { networkOnly } from '../support/network';

describe('the answers of a real host', () => {
  networkOnly.it('are searched for the secrets of its database when the test is over', async () => {
    const app = await startApp();
    const user = await buildUser(app);
    const token = 't.of-a-person';
    await app.model.users.update(user.id, (one) => ({ ...one, eplAuthorToken: token, firstname: token }));
    await callerOf(app, user.token)('get', `user/${user.login}`).expect(200);
    const end = await app.close().then(String, String);
    expect(end).to.include(`/api/user/${user.login} reveals the author token of a person`);
  });
});
