import { expect } from 'chai';
import { limits } from '../../model/limits';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildUser, signInAsAdmin } from '../support/factories';
import { usePerson } from '../support/people';

describe('user lists', () => {
  const app = useTestAppForEach();
  const { user: owner, call } = usePerson(app, beforeEach);
  const { user: friend } = usePerson(app, beforeEach, { firstname: 'Fred', lastname: 'Friend' });
  const { user: other } = usePerson(app, beforeEach, { firstname: 'Otto', lastname: 'Other' });

  const create = async (body: object): Promise<string> => {
    const answer = await call('post', 'userlist', body);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.key;
  };
  const listed = async (key: string) => (await call('get', 'userlist')).body.value[key];

  it('are made of logins and e-mail addresses, and tell which of them are known', async () => {
    const answer = await call('post', 'userlist', {
      name: '  Collègues ',
      loginsOrEmails: [
        friend.login,
        ` ${other.email} `,
        'nobody',
        friend.login,
        friend.email,
        '',
        'no@x.org',
      ],
    });
    expect(answer.status).to.equal(200);
    const { success, key, value, present, absent } = answer.body;
    expect(success).to.equal(true);
    expect(key).to.match(/^collegues-[a-z0-9]{12}$/);
    expect(present).to.deep.equal([friend.login, other.email, friend.email]);
    expect(absent).to.deep.equal(['nobody', 'no@x.org']);
    expect(Object.keys(value)).to.deep.equal([key]);
    expect(value[key]).to.deep.include({ name: 'Collègues', uids: [friend.id, other.id] });
    expect((await call('get', 'userlist')).body).to.deep.equal({ value, present: [], absent: [] });
  });

  it('can be empty, and there can be several', async () => {
    const first = await create({ name: 'Same' });
    const second = await create({ name: 'Same', loginsOrEmails: [] });
    const { value } = (await call('get', 'userlist')).body;
    expect(value).to.deep.equal({
      [first]: { name: 'Same', uids: [], users: [] },
      [second]: { name: 'Same', uids: [], users: [] },
    });
  });

  it('show the e-mail that was typed, and nothing more about the person', async () => {
    const key = await create({ name: 'L', loginsOrEmails: [friend.login, other.email] });
    expect((await listed(key)).users).to.deep.equal([
      { _id: friend.id, login: friend.login },
      { _id: other.id, login: other.login, email: other.email },
    ]);
    const saved = await callerOf(app, other.token)('put', `user/${other.login}`, {
      email: 'moved@example.org',
      currentPassword: other.password,
    });
    expect(saved.status).to.equal(200);
    expect((await listed(key)).users[1]).to.deep.equal({ _id: other.id, login: other.login });
  });

  it('show names and e-mails of people in a group that the owner administers', async () => {
    const key = await create({ name: 'L', loginsOrEmails: [friend.login, other.login] });
    await buildGroup(app, owner, { users: [friend.id] });
    await buildGroup(app, other, { users: [owner.id], visibility: 'public' });
    expect((await listed(key)).users).to.deep.equal([
      { _id: friend.id, login: friend.login, firstname: 'Fred', lastname: 'Friend', email: friend.email },
      { _id: other.id, login: other.login },
    ]);
  });

  it('contain no author token (C10)', async () => {
    await app.model.users.update(friend.id, (user) => ({ ...user, eplAuthorToken: 't.secret' }));
    await create({ name: 'L', loginsOrEmails: [friend.login] });
    await buildGroup(app, owner, { users: [friend.id] });
    expect((await call('get', 'userlist')).text).not.to.match(/t\.secret|eplAuthorToken/);
  });

  it('change their name or their people, whatever is sent', async () => {
    const key = await create({ name: 'Before', loginsOrEmails: [friend.login] });
    const renamed = await call('put', `userlist/${key}`, { name: 'After' });
    expect(renamed.body).to.deep.include({ success: true, key, present: [], absent: [] });
    expect(renamed.body.value[key]).to.deep.include({ name: 'After', uids: [friend.id] });
    const replaced = await call('put', `userlist/${key}`, {
      loginsOrEmails: [other.login, 'x'],
      ulistid: key,
    });
    expect(replaced.body).to.deep.include({ present: [other.login], absent: ['x'] });
    expect(replaced.body.value[key]).to.deep.include({ name: 'After', uids: [other.id] });
    await call('put', `userlist/${key}`, { loginsOrEmails: [] });
    expect(await listed(key)).to.deep.equal({ name: 'After', uids: [], users: [] });
  });

  it('keep what another window of the person has changed since they were read', async () => {
    const third = await buildUser(app);
    const key = await create({ name: 'L', loginsOrEmails: [friend.email, other.login] });
    const was: string[] = (await listed(key)).uids;
    // One window adds somebody and removes the friend; the other one, opened before, adds the owner and removes nobody.
    await call('put', `userlist/${key}`, { loginsOrEmails: [other.login, third.email], was }).expect(200);
    const late = { loginsOrEmails: [friend.email, other.login, owner.login], was };
    const { value } = (await call('put', `userlist/${key}`, late).expect(200)).body;
    expect(value[key].uids).to.deep.equal([other.id, third.id, owner.id]);
    expect(value[key].users[1]).to.deep.equal({ _id: third.id, login: third.login, email: third.email });
    await call('put', `userlist/${key}`, { loginsOrEmails: [], was: value[key].uids }).expect(200);
    expect((await listed(key)).uids).to.deep.equal([]);
  });

  it('are removed', async () => {
    const key = await create({ name: 'Gone' });
    const kept = await create({ name: 'Kept' });
    const answer = await call('delete', `userlist/${key}`, { ulistid: key });
    expect(answer.body).to.deep.equal({
      success: true,
      key,
      value: { [kept]: { name: 'Kept', uids: [], users: [] } },
    });
    expect((await call('delete', `userlist/${key}`)).body.error).to.equal(
      'BACKEND.ERROR.USER.USERLIST_NOT_FOUND',
    );
  });

  it('do not show accounts that are gone', async () => {
    const key = await create({ name: 'L', loginsOrEmails: [friend.login, other.login] });
    await callerOf(app, await signInAsAdmin(app))('delete', `user/${friend.login}`);
    expect(await listed(key)).to.deep.include({ uids: [other.id] });
  });

  it('say what is wrong', async () => {
    const key = await create({ name: 'L', loginsOrEmails: [friend.login] });
    const cases: ['post' | 'put' | 'delete', string, object, string, string | undefined][] = [
      ['post', '', {}, 'TYPE.USERLIST_NAME', 'name'],
      ['post', '', { name: '   ' }, 'TYPE.USERLIST_NAME', 'name'],
      ['post', '', { name: 5 }, 'TYPE.USERLIST_NAME', 'name'],
      ['post', '', { name: 'x'.repeat(limits.name + 1) }, 'TYPE.USERLIST_NAME', 'name'],
      ['post', '', { name: 'L', loginsOrEmails: 'frank' }, 'TYPE.LOGINS_ARR', 'loginsOrEmails'],
      ['post', '', { name: 'L', loginsOrEmails: [5] }, 'TYPE.LOGINS_ARR', 'loginsOrEmails'],
      [
        'post',
        '',
        { name: 'L', loginsOrEmails: new Array(1_001).fill('x') },
        'TYPE.LOGINS_ARR',
        'loginsOrEmails',
      ],
      ['post', '', { name: 'L', uids: [friend.id] }, 'TYPE.PARAM_UNKNOWN', 'uids'],
      ['post', '', { name: 'L', ulistid: key }, 'TYPE.PARAM_UNKNOWN', 'ulistid'],
      ['put', `/${key}`, {}, 'TYPE.USERLIST_SET_PARAMS', undefined],
      ['put', `/${key}`, { ulistid: key }, 'TYPE.USERLIST_SET_PARAMS', undefined],
      ['put', `/${key}`, { name: '' }, 'TYPE.USERLIST_NAME', 'name'],
      ['put', `/${key}`, { name: 'L', ulistid: 'other' }, 'TYPE.USERLIST_ID', 'ulistid'],
      ['put', `/${key}`, { loginsOrEmails: {} }, 'TYPE.LOGINS_ARR', 'loginsOrEmails'],
      ['put', '/unknown', { name: 'L' }, 'USER.USERLIST_NOT_FOUND', undefined],
      ['put', '/constructor', { name: 'L' }, 'USER.USERLIST_NOT_FOUND', undefined],
      ['delete', '/unknown', {}, 'USER.USERLIST_NOT_FOUND', undefined],
      ['delete', '/__proto__', {}, 'USER.USERLIST_NOT_FOUND', undefined],
      ['delete', `/${key}`, { ulistid: 'other' }, 'TYPE.USERLIST_ID', 'ulistid'],
    ];
    for (const [method, path, body, error, field] of cases) {
      const answer = await call(method, `userlist${path}`, body);
      const told = `${method} ${path} ${JSON.stringify(body).slice(0, 60)}`;
      expect(answer.body.error, told).to.equal(`BACKEND.ERROR.${error}`);
      expect(answer.body.field, told).to.equal(field);
    }
    expect(await listed(key)).to.deep.include({ name: 'L', uids: [friend.id] });
  });

  it('can be seen and changed by nobody but their owner', async () => {
    const key = await create({ name: 'Mine', loginsOrEmails: [friend.login] });
    const outsider = callerOf(app, other.token);
    expect((await outsider('get', 'userlist')).body.value).to.deep.equal({});
    expect((await outsider('put', `userlist/${key}`, { name: 'Theirs' })).status).to.equal(400);
    expect((await outsider('delete', `userlist/${key}`)).status).to.equal(400);
    expect((await listed(key)).name).to.equal('Mine');
  });

  it('are not lost when twenty are made at once, and have a maximum number', async () => {
    await app.inject({ fault: 'delay' });
    await Promise.all(Array.from({ length: 20 }, (_, index) => create({ name: `L${index}` })));
    expect(Object.keys((await call('get', 'userlist')).body.value)).to.have.length(20);
    await app.model.users.update(owner.id, (user) => ({
      ...user,
      userlists: Object.fromEntries(
        Array.from({ length: limits.userlists }, (_, index) => [`l-${index}`, { name: 'L', uids: [] }]),
      ),
    }));
    const answer = await call('post', 'userlist', { name: 'One more' });
    expect(answer.body.error).to.equal('BACKEND.ERROR.TYPE.USERLIST_CRUD');
  });

  it('have five thousand people in all; longer ones of 1.x can be renamed and made shorter', async () => {
    const crowd = (length: number) => Array.from({ length }, (_, number) => `gone-${number}`);
    const store = (lists: Record<string, string[]>) =>
      app.model.users.update(owner.id, (user) => ({
        ...user,
        userlists: Object.fromEntries(Object.entries(lists).map(([id, uids]) => [id, { name: id, uids }])),
      }));
    const put = async (key: string, body: object) => (await call('put', `userlist/${key}`, body)).status;
    await store({ 'big-1': crowd(limits.listedPeople - 1), 'small-1': [] });
    const loginsOrEmails = [friend.login];
    expect(await put('small-1', { loginsOrEmails })).to.equal(200);
    const refused = await call('post', 'userlist', { name: 'One more', loginsOrEmails });
    expect(refused.body).to.deep.equal({
      error: 'BACKEND.ERROR.TYPE.USERLIST_CRUD',
      most: limits.listedPeople,
    });
    expect((await call('post', 'userlist', { name: 'Empty' })).status).to.equal(200);
    await store({ 'big-1': crowd(limits.listedPeople + 10), 'small-1': [friend.id] });
    expect(await put('big-1', { name: 'Renamed' })).to.equal(200);
    expect(await put('small-1', { loginsOrEmails: [friend.login, owner.login] })).to.equal(400);
    expect(await put('small-1', { loginsOrEmails: [] })).to.equal(200);
    expect(await put('big-1', { loginsOrEmails })).to.equal(200);
    expect(await put('small-1', { loginsOrEmails })).to.equal(200);
  });

  it('of an old or damaged record are shown as far as they are valid', async () => {
    const record = await app.model.store.get<object>(keys.user(owner.id));
    await app.ports.database.set(keys.user(owner.id), {
      ...record,
      userlists: {
        'old-1': { name: 'Old', uids: [friend.id, 'gone-1', null, friend.id] },
        'odd-1': { uids: 'x' },
        'odd-2': null,
        'odd-3': 'text',
        'odd-4': { name: 5, uids: [], emails: 'x' },
      },
    });
    const { value } = (await call('get', 'userlist')).body;
    expect(value['old-1']).to.deep.equal({
      name: 'Old',
      uids: [friend.id],
      users: [{ _id: friend.id, login: friend.login }],
    });
    expect(value['odd-1']).to.deep.equal({ name: '', uids: [], users: [] });
    expect(value).to.have.keys('old-1', 'odd-1', 'odd-4');
    expect((await call('put', 'userlist/old-1', { name: 'New' })).status).to.equal(200);
  });
});
