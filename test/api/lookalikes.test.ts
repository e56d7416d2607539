/** Similar logins and addresses of one mailbox: no second account can have them, and existing accounts keep working. */
import { expect } from 'chai';
import { loginName, mailName } from '../../model/accounts/nameRecords';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildUser, signInAsAdmin } from '../support/factories';
import { until } from '../support/waiting';

describe('an account that looks like another', () => {
  const app = useTestAppForEach();
  let guest: Call;
  beforeEach(async () => {
    guest = callerOf(app);
  });

  const register = (login: string, email: string) =>
    guest('post', 'user', { login, email, password: 'long enough' });
  const login = (name: string, password: string) => guest('post', 'auth/login', { login: name, password });

  it('cannot be created with another account’s e-mail address in a different spelling', async () => {
    await register('twin', 'twin@example.org').expect(200);
    await register('ada', 'ada@müller.example').expect(200);
    for (const email of [
      'twin@ｅxample.org',
      'Twin@EXAMPLE.org',
      'twin@example。org',
      'ada@xn--mller-kva.example',
    ]) {
      const { body } = await register('another', email);
      expect(body.error, email).to.be.oneOf([
        'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
        'BACKEND.ERROR.TYPE.MAIL',
      ]);
    }
    expect((await register('another', 'twin@ｅxample.org')).body.error).to.equal(
      'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
    );
    await login('twin@ｅxample.org', 'long enough').expect(200);
  });

  it('cannot be created with a login that looks like another, has invisible characters or mixes alphabets', async () => {
    await register('alice', 'alice@example.org').expect(200);
    await register('kelvin', 'kelvin@example.org').expect(200);
    await register('straße', 'strasse@example.org').expect(200);
    // The dotted capital I of Turkish, dots on letters that have one, ligatures, the long s, the sign for Kelvin.
    const similar = ['kelvİn', 'kelvi\u0307n', 'kelvın', 'Kelvin', 'ｋelvin', 'kelv\u0131\u0307n', 'STRASSE'];
    for (const taken of ['Alice', 'ａlice', 'ALICE', ...similar, 'STRAẞE', 'ſtraße', 'ﬆraße']) {
      expect((await register(taken, 'b@example.org')).body.error, taken).to.equal(
        'BACKEND.ERROR.USER.ALREADY_EXISTS',
      );
    }
    for (const invalid of ['alice\u2800', 'al\u00a0ice', 'аlice', 'bοb', '\u3164']) {
      expect((await register(invalid, 'b@example.org')).body.error, invalid).to.equal(
        'BACKEND.ERROR.TYPE.PARAM_STR',
      );
    }
    await register('Аня', 'anja@example.org').expect(200);
    await register('田中taro', 'taro@example.org').expect(200);
  });

  it('cannot be created with a login that is somebody’s address, known here or not, but with its own', async () => {
    await register('ada', 'ada@example.org').expect(200);
    for (const address of [
      'ada@example.org',
      'nobody@example.org',
      'nobody＠example.org',
      'Ada@EXAMPLE.org',
    ]) {
      const { body } = await register(address, 'b@example.org');
      expect(body.error, address).to.be.oneOf([
        'BACKEND.ERROR.TYPE.LOGIN_STR',
        'BACKEND.ERROR.USER.ALREADY_EXISTS',
      ]);
    }
    const { body } = await register('Own@example.org', 'own@example.org').expect(200);
    expect(body.value.login).to.equal('Own@example.org');
  });

  it('cannot be created with the id of another account as its login', async () => {
    const ada = await register('ada', 'ada@example.org').expect(200);
    const id = ada.body.value._id;
    expect((await register(id, 'eve@example.org')).body.error).to.equal('BACKEND.ERROR.USER.ALREADY_EXISTS');
  });

  /** Creates accounts and changes their records to what an old database may contain. */
  async function createOldAccounts(
    changes: Partial<UserRecord>[],
  ): Promise<{ id: string; password: string }[]> {
    const people = [];
    const entries: { key: string; id: string }[] = [];
    for (const change of changes) {
      const user = await buildUser(app);
      const stored = (await app.ports.database.get(keys.user(user.id))) as UserRecord;
      const old = { ...stored, ...change };
      await app.ports.database.set(keys.user(user.id), old);
      people.push(user);
      entries.push(...[loginName(old.login), mailName(old.email)].map(({ key }) => ({ key, id: user.id })));
    }
    await app.restart();
    // After a start, the server answers while it still looks for changes by other programs.
    await until('the index has the new names', async () => {
      const records = await Promise.all(entries.map(({ key }) => app.ports.database.get(key)));
      return entries.every(({ id }, index) => JSON.stringify(records[index] ?? '').includes(id));
    });
    return people;
  }

  const signedInAccount = async (name: string, password: string): Promise<string> =>
    (await login(name, password)).body.user?._id ?? 'nobody';

  it('keeps working if it exists already', async () => {
    const names = [
      'alice',
      'alice\u2800',
      'Alice',
      'аlice',
      'kelvin',
      'kelvİn',
      'STRAẞE',
      'straße',
      'old/login:here',
    ];
    const people = await createOldAccounts(names.map((name, ctime) => ({ login: name, ctime })));
    for (const [index, { id, password }] of people.entries()) {
      expect(await signedInAccount(names[index] ?? '', password)).to.equal(id);
    }
  });

  it('does not lead administrators to the account whose id it has as its login', async () => {
    const ada = await buildUser(app, { login: 'ada' });
    const [eve] = await createOldAccounts([{ login: ada.id }]);
    const admin = callerOf(app, await signInAsAdmin(app));
    const path = `user/${encodeURIComponent(ada.id)}`;
    expect((await admin('get', path)).body.value._id).to.equal(eve?.id);
    await admin('delete', path).expect(200);
    expect(await signedInAccount('ada', ada.password)).to.equal(ada.id);
    expect((await admin('get', path)).body.value._id).to.equal(ada.id);
  });

  it('keeps working with an old address of the same mailbox, but not under the other spelling', async () => {
    const [first, second] = await createOldAccounts([
      { email: 'twin@example.org', ctime: 1 },
      { email: 'twin@ｅxample.org', ctime: 2 },
    ]);
    expect(await signedInAccount('twin@example.org', first?.password ?? '')).to.equal(first?.id);
    expect(await signedInAccount('twin@ｅxample.org', second?.password ?? '')).to.equal(second?.id);
    expect(await signedInAccount('twin@example.org', second?.password ?? '')).to.equal('nobody');
    expect(await signedInAccount('twin@ｅxample.org', first?.password ?? '')).to.equal('nobody');
  });

  it('signs in with its own password if two old accounts share a login, but not with the other’s e-mail address', async () => {
    const [first, second] = await createOldAccounts([
      { login: 'pair@example.org', email: 'pair@example.org', ctime: 1 },
      { login: 'pair@example.org', email: 'second@example.org', ctime: 2 },
    ]);
    expect(await signedInAccount('pair@example.org', first?.password ?? '')).to.equal(first?.id);
    expect(await signedInAccount('second@example.org', second?.password ?? '')).to.equal(second?.id);
    expect(await signedInAccount('pair@example.org', second?.password ?? '')).to.equal('nobody');
    const admin = callerOf(app, await signInAsAdmin(app));
    expect((await admin('get', 'all-users')).body.usersCount).to.equal(2);
  });

  it('signs in with its own password under a login that two old accounts share', async () => {
    const people = await createOldAccounts([
      { login: 'pair', ctime: 1 },
      { login: 'pair', ctime: 2 },
    ]);
    for (const { id, password } of people) expect(await signedInAccount('pair', password)).to.equal(id);
  });
});
