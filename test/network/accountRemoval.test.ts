import { expect } from 'chai';
import type { AdminLogAnswer } from '../../api/admin/schema';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signInAsAdmin, type TestUser } from '../support/factories';

describe('the removal of an account', () => {
  const app = useTestAppForEach();

  const remove = (user: TestUser) =>
    callerOf(app, user.token)('delete', `user/${user.login}`, { currentPassword: user.password });

  /** The keys of all records that contain this text, in the key or in the value. */
  async function namedIn(text: string): Promise<string[]> {
    const found = await app.ports.database.findKeys('mypads:*', null);
    const values = await Promise.all(found.map((key) => app.ports.database.get(key)));
    return found.filter((key, index) => `${key} ${JSON.stringify(values[index])}`.includes(text));
  }

  async function expectNowhere(text: string): Promise<void> {
    await app.idle();
    expect(await namedIn(text)).to.deep.equal([]);
  }

  it('leaves its name nowhere in the database', async () => {
    const { database } = app.ports;
    const user = await buildUser(app, { login: 'leaving' });
    const friend = await buildUser(app);
    const call = callerOf(app, friend.token);
    await buildGroup(app, friend, { users: [user.id] });
    await buildGroup(app, friend, { admins: [user.id] });
    const group = await buildGroup(app, user, { users: [friend.id], visibility: 'public' });
    const pad = await buildPad(app, user, group);
    for (const [type, key] of [
      ['groups', group._id],
      ['pads', pad._id],
    ]) {
      await call('post', 'usermark', { type, key });
    }
    await call('post', 'userlist', { name: 'L', loginsOrEmails: [user.email, friend.login] });
    await callerOf(app, user.token)('post', 'userlist', { name: 'Own', loginsOrEmails: [friend.login] });
    // Old or damaged databases also have these: a group that is missing in the list of the account, and a pad that
    // names people.
    const lost = await buildGroup(app, friend);
    const record = (await database.get(keys.group(lost._id))) as object;
    await database.set(keys.group(lost._id), { ...record, users: [user.id] });
    const named = await buildPad(app, friend, lost);
    const stored = (await database.get(keys.pad(named._id))) as object;
    await database.set(keys.pad(named._id), { ...stored, users: [user.id, friend.id] });
    const mailed = {
      user: user.id,
      action: 'passrecover',
      created: Date.now(),
      expires: Date.now() + 60_000,
    };
    await database.set(keys.mailToken('a'.repeat(64)), mailed);
    const until = Date.now() + 3600_000;
    const account = (await database.get(keys.user(user.id))) as object;
    await database.set(keys.user(user.id), { ...account, unconfirmedUntil: until });
    await database.set(keys.unconfirmed(until), { uids: [user.id, friend.id] });
    const places = (await namedIn('leaving')).map((key) => key.split(':')[1]);
    expect(places).to.include.members(['user', 'group', 'pad', 'session', 'sessions', 'index', 'mailtoken']);
    expect((await remove(user)).status).to.equal(200);
    await expectNowhere('leaving');
    await expectNowhere(group._id);
    await expectNowhere(pad._id);
    expect(await namedIn('removeAccount')).to.deep.equal([]);
    const lists = Object.values((await app.model.users.get(friend.id))?.userlists ?? {});
    expect(lists).to.deep.equal([{ name: 'L', uids: [friend.id], emails: {} }]);
    expect(await database.get(keys.group(lost._id))).to.deep.include({ admins: [friend.id], users: [] });
    expect(await database.get(keys.unconfirmed(until))).to.deep.equal({ uids: [friend.id] });
    expect(await database.get(keys.pad(named._id))).to.deep.include({ users: [friend.id] });
  });

  it('also removes a group that only this account administers, even if the account’s own list lacks it', async () => {
    const user = await buildUser(app);
    const friend = await buildUser(app);
    const group = await buildGroup(app, user, { users: [friend.id] });
    const pad = await buildPad(app, user, group);
    const { database } = app.ports;
    const record = (await database.get(keys.user(user.id))) as UserRecord;
    await database.set(keys.user(user.id), { ...record, groups: [] });
    expect((await remove(user)).status).to.equal(200);
    await expectNowhere(group._id);
    await expectNowhere(pad._id);
  });

  /** Writes Etherpad's records of an author and of the token of their browser. */
  async function writeAuthor(id: string, token: string): Promise<void> {
    const { database } = app.ports;
    await database.set(`globalAuthor:${id}`, { name: 'Ada', colorId: 1, timestamp: 1, padIDs: {} });
    await database.set(`token2author:${token}`, id);
  }
  /** Whether Etherpad still has the name of the author, and the token of their browser. */
  async function known(name: string): Promise<[boolean, boolean]> {
    const { database } = app.ports;
    const author = (await database.get(`globalAuthor:a.${name}`)) as { name: string | null };
    return [author.name === 'Ada', (await database.get(`token2author:t.${name}`)) === `a.${name}`];
  }

  it('removes the name from every author of the person in the editor', async () => {
    const user = await buildUser(app);
    for (const name of ['first', 'second', 'old', 'other']) await writeAuthor(`a.${name}`, `t.${name}`);
    const record = await app.model.users.get(user.id);
    if (record) await app.model.users.noteAuthor(record, 'a.first');
    const noted = await app.model.users.get(user.id);
    if (noted) await app.model.users.noteAuthor(noted, 'a.second');
    await app.model.users.update(user.id, (one) => ({ ...one, eplAuthorToken: 't.old' }));
    await remove(user);
    await app.idle();
    for (const name of ['first', 'second', 'old'])
      expect(await known(name), name).to.deep.equal([false, false]);
    expect(await known('other')).to.deep.equal([true, true]);
  });

  it('answers before the slow part, and finishes it after a restart', async () => {
    const user = await buildUser(app);
    const friend = await buildUser(app);
    await callerOf(app, friend.token)('post', 'userlist', { name: 'L', loginsOrEmails: [user.login] });
    await app.model.users.update(user.id, (one) => ({ ...one, eplAuthorToken: 't.old' }));
    await writeAuthor('a.old', 't.old');
    await app.inject({ fault: 'fail', calls: ['get'], keys: 'token2author:', why: 'the editor is tired' });
    expect((await remove(user)).status).to.equal(200);
    await app.said('job failed, retrying later');
    expect(await app.model.users.get(user.id)).to.equal(undefined);
    await app.inject({ fault: 'none' });
    expect(await known('old')).to.deep.equal([true, true]);
    await app.restart();
    await app.idle();
    expect(await known('old')).to.deep.equal([false, false]);
    const stored = await app.model.store.get<UserRecord>(keys.user(friend.id));
    expect(Object.values(stored?.userlists ?? {})[0]?.uids).to.deep.equal([]);
    expect(await app.model.store.get(keys.jobs)).to.equal(undefined);
  });

  it('by an administrator ends the sessions at once', async () => {
    const user = await buildUser(app);
    const admin = callerOf(app, await signInAsAdmin(app));
    expect((await admin('delete', `user/${user.login}`)).body).to.include({
      success: true,
      key: user.login,
    });
    expect((await callerOf(app, user.token)('get', 'configuration')).body.auth).to.equal(false);
    const entry = await app.model.padAccess.visitor(user.entryToken);
    expect(entry.actor.kind).to.equal('guest');
  });

  it('by an administrator can be previewed, and answer and log say which folders went with it', async () => {
    const [teacher, colleague, ...pupils] = await Promise.all(
      Array.from({ length: 5 }, () => buildUser(app)),
    );
    if (!teacher || !colleague) throw new Error('two people are missing');
    const ids = pupils.map(({ id }) => id);
    const own = callerOf(app, teacher.token);
    const made = async (name: string, fields: object): Promise<string> =>
      (await own('post', 'group', { name, ...fields }).expect(200)).body.key;
    const first = await made('Class 5a', { users: ids });
    await buildPad(app, teacher, { _id: first });
    await buildPad(app, teacher, { _id: first });
    const second = await made('Class 5b', { users: ids.slice(1) });
    const shared = await made('Staff', { admins: [colleague.id] });
    const admin = callerOf(app, await signInAsAdmin(app));
    const expected = {
      groups: [
        { _id: first, name: 'Class 5a', pads: 2, people: 3 },
        { _id: second, name: 'Class 5b', pads: 0, people: 2 },
      ],
      people: 3,
      left: 1,
    };
    for (const wrong of ['yes', '1', '']) {
      await admin('delete', `user/${teacher.login}?preview=${wrong}`).expect(400);
    }
    const before = await namedIn(teacher.id);
    const answer = { success: true, key: teacher.login, removed: expected };
    for (const call of [admin, own]) {
      const preview = await call('delete', `user/${teacher.login}?preview=true`).expect(200);
      const removed = { ...expected, trashed: [] };
      expect(preview.body).to.deep.equal({ ...answer, preview: true, removed });
    }
    expect(await namedIn(teacher.id)).to.deep.equal(before);
    expect((await own('get', 'group')).body.value.groups).to.have.all.keys(first, second, shared);
    const { body } = await admin('delete', `user/${teacher.login}`).expect(200);
    expect(body).to.deep.equal(answer);
    const { entries } = (await admin('get', 'admin/log')).body as AdminLogAnswer;
    const lines = entries.map(({ action, object }) => `${action} ${object?.kind} ${object?.name}`);
    expect(lines.slice(0, 3)).to.have.members([
      'accountRemoved user null',
      'groupRemoved group Class 5a',
      'groupRemoved group Class 5b',
    ]);
    expect((await callerOf(app, colleague.token)('get', 'group')).body.value.groups).to.have.all.keys(shared);
  });

  it('of twenty people at once removes all of them from the user list that has them', async () => {
    await app.inject({ fault: 'delay' });
    const friend = await buildUser(app);
    const leaving = await Promise.all(Array.from({ length: 20 }, () => buildUser(app)));
    const entries = leaving.map(({ login }) => login);
    await callerOf(app, friend.token)('post', 'userlist', { name: 'L', loginsOrEmails: entries });
    const answers = await Promise.all(leaving.map(remove));
    expect(answers.every(({ status }) => status === 200)).to.equal(true);
    for (const { id } of leaving) await expectNowhere(id);
    const lists = Object.values((await app.model.users.get(friend.id))?.userlists ?? {});
    expect(lists[0]?.uids).to.deep.equal([]);
  });
});
