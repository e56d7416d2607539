import { expect } from 'chai';
import type { UserRecord } from '../../model/entities';
import { createModel } from '../../model/model';
import type { EditorAuthors } from '../../model/ports';
import { keys } from '../../model/store';
import { startApp, type TestApp } from '../support/app';
import { callerOf, snapshot } from '../support/caller';
import { buildGroup, buildPad, buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { insideOnly } from '../support/network';

describe('the removal of an account', () => {
  let app: TestApp;
  let forgotten: object[];
  let authors: EditorAuthors;
  beforeEach(async () => {
    forgotten = [];
    authors = { anonymise: async (author) => void forgotten.push(author) };
    app = await startApp({ authors });
  });
  afterEach(() => app.close());

  const remove = (user: TestUser) =>
    callerOf(app, user.token)('delete', `user/${user.login}`, { currentPassword: user.password });

  it('leaves its name nowhere in the database', async () => {
    const user = await buildUser(app, { login: 'leaving' });
    const friend = await buildUser(app);
    const call = callerOf(app, friend.token);
    await buildGroup(app, friend, { users: [user.id] });
    await buildGroup(app, friend, { admins: [user.id] });
    await buildPad(app, user, await buildGroup(app, user));
    await call('post', 'userlist', { name: 'L', loginsOrEmails: [user.email, friend.login] });
    await callerOf(app, user.token)('post', 'userlist', { name: 'Own', loginsOrEmails: [friend.login] });
    expect((await remove(user)).status).to.equal(200);
    await app.model.accountRemoval.idle();
    const left = await app.ports.database.findKeys('mypads:*', null);
    expect(left.filter((key) => key.includes('leaving') || key.includes('removedAccounts'))).to.deep.equal(
      [],
    );
    expect(JSON.stringify(await snapshot(app))).not.to.include('leaving');
    const lists = Object.values((await app.model.users.get(friend.id))?.userlists ?? {});
    expect(lists).to.deep.equal([{ name: 'L', uids: [friend.id], emails: {} }]);
  });

  insideOnly.it('lets the editor forget every author that the person was', async () => {
    const user = await buildUser(app);
    const record = await app.model.users.get(user.id);
    if (record) await app.model.users.noteAuthor(record, 'a.first');
    const noted = await app.model.users.get(user.id);
    if (noted) await app.model.users.noteAuthor(noted, 'a.second');
    await app.model.users.update(user.id, (one) => ({ ...one, eplAuthorToken: 't.old' }));
    await remove(user);
    await app.model.accountRemoval.idle();
    expect(forgotten).to.deep.equal([{ id: 'a.first' }, { id: 'a.second' }, { token: 't.old' }]);
  });

  insideOnly.it('answers before the slow part, and finishes it after a restart', async () => {
    const user = await buildUser(app);
    const friend = await buildUser(app);
    await callerOf(app, friend.token)('post', 'userlist', { name: 'L', loginsOrEmails: [user.login] });
    await app.model.users.update(user.id, (one) => ({ ...one, eplAuthorToken: 't.old' }));
    authors.anonymise = () => Promise.reject(new Error('the editor is tired'));
    expect((await remove(user)).status).to.equal(200);
    await app.model.accountRemoval.idle();
    expect(await app.model.users.get(user.id)).to.equal(undefined);
    authors.anonymise = async (author) => void forgotten.push(author);
    const restarted = await createModel(app.ports);
    await restarted.accountRemoval.idle();
    expect(forgotten).to.deep.equal([{ token: 't.old' }]);
    const stored = await app.model.store.get<UserRecord>(keys.user(friend.id));
    expect(Object.values(stored?.userlists ?? {})[0]?.uids).to.deep.equal([]);
    expect(await app.model.store.get(keys.removedAccounts)).to.equal(undefined);
    restarted.sessions.close();
  });

  it('by an administrator ends the sessions at once', async () => {
    const user = await buildUser(app);
    const admin = callerOf(app, await signInAsAdmin(app));
    expect((await admin('delete', `user/${user.login}`)).body).to.deep.equal({
      success: true,
      key: user.login,
    });
    expect((await callerOf(app, user.token)('get', 'configuration')).body.auth).to.equal(false);
    const entry = await app.model.door.visitor(user.entryToken);
    expect(entry.actor.kind).to.equal('guest');
  });

  it('of twenty people at once takes all of them from the list that names them', async () => {
    const friend = await buildUser(app);
    const leaving = await Promise.all(Array.from({ length: 20 }, () => buildUser(app)));
    const entries = leaving.map(({ login }) => login);
    await callerOf(app, friend.token)('post', 'userlist', { name: 'L', loginsOrEmails: entries });
    const answers = await Promise.all(leaving.map(remove));
    expect(answers.every(({ status }) => status === 200)).to.equal(true);
    await app.model.accountRemoval.idle();
    const lists = Object.values((await app.model.users.get(friend.id))?.userlists ?? {});
    expect(lists[0]?.uids).to.deep.equal([]);
  });
});
