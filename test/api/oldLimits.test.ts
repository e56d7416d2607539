/** An old database may exceed today's limits, because there were none. It keeps working; only new values must fit. */
import { expect } from 'chai';
import { loginName, namesRecord } from '../../model/accounts/nameRecords';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser } from '../support/factories';

describe('an old database', () => {
  let app: TestApp;
  afterEach(() => app.close());

  it('may have a group whose id is longer than any of ours', async () => {
    app = await startApp();
    const owner = await buildUser(app);
    const call = callerOf(app, owner.token);
    const id = `${'zh'.repeat(90)}-abcdefgh12`;
    const { _id, ...made } = await buildGroup(app, owner);
    const stored = await app.model.store.get<object>(keys.group(_id));
    await app.model.store.set(keys.group(id), { ...stored, _id: id });
    await app.model.users.addGroups(owner.id, { groups: [id] });
    expect((await call('get', 'group')).body.value.groups).to.include.keys(_id, id);
    expect((await call('get', `group/${id}`)).body.value.name).to.equal(made.name);
    await call('put', `group/${id}`, { name: 'Other' }).expect(200);
    await call('post', 'group/invite', { gid: id, invite: true, loginsOrEmails: [] }).expect(200);
    await call('post', 'usermark', { type: 'groups', key: id }).expect(200);
    const pad = await buildPad(app, owner, { _id: id });
    expect(pad.group).to.equal(id);
    await call('delete', `group/${id}?permanent=true`).expect(200);
    await app.idle();
    expect((await call('get', 'group')).body.value.groups).to.have.keys(_id);
    expect((await call('get', `pad/${pad._id}`)).status).to.equal(404);
    const left = await app.ports.database.findKeys('mypads:jobqueue:delete*', null);
    expect(left).to.deep.equal([]);
  });

  it('may have settings that exceed their limits: the limits are used instead', async () => {
    app = await startApp({
      prepare: async (database) => {
        const stored = {
          languages: { en: 'English' },
          passwordMin: 0,
          passwordMax: 5000,
          tokenDuration: '20160',
          title: 'T'.repeat(120),
          loginMsg: { en: 'Welcome', fr: null },
          SMTPEmailFrom: 'Our pads <noreply@example.org>',
        };
        for (const [key, value] of Object.entries(stored)) await database.set(keys.conf(key), value);
      },
    });
    const { configuration } = app.model;
    expect([configuration.get('passwordMin'), configuration.get('passwordMax')]).to.deep.equal([1, 1000]);
    expect(configuration.get('tokenDuration')).to.equal(10_080);
    expect(configuration.get('title')).to.equal('T'.repeat(100));
    expect(configuration.get('loginMsg')).to.deep.equal({ en: 'Welcome' });
    expect(configuration.get('SMTPEmailFrom')).to.equal('noreply@example.org');
    expect((await app.lines()).filter(({ message }) => /setting.* invalid/.test(message))).to.deep.equal([]);
  });

  /** Index entries from a login to accounts. */
  function lead(login: string, ids: string[]): Promise<void> {
    const { key, tag } = loginName(login);
    return app.model.store.set(key, namesRecord(ids.map((id) => `${tag} ${id}`)));
  }

  it('may have two logins that differ only in the Unicode form of their letters: each is found by its own', async () => {
    app = await startApp();
    const logins = ['ren\u00e9', 'rene\u0301'];
    const people = [await buildUser(app, { login: 'one' }), await buildUser(app, { login: 'two' })];
    for (const [index, { id }] of people.entries()) {
      await app.model.users.update(id, (record) => ({ ...record, login: logins[index] ?? '' }));
    }
    await lead(
      'ren\u00e9',
      people.map(({ id }) => id),
    );
    for (const [index, { id, password }] of people.entries()) {
      const login = logins[index] ?? '';
      expect((await app.model.users.findByLogin(login))?._id).to.equal(id);
      const { body } = await callerOf(app)('post', 'auth/login', { login, password });
      expect(body.user._id).to.equal(id);
    }
  });

  it('may have logins in decomposed Unicode: they sign in in either form', async () => {
    app = await startApp();
    const user = await buildUser(app, { login: 'renee' });
    await app.model.users.update(user.id, (record) => ({ ...record, login: 'rene\u0301e' }));
    await lead('rene\u0301e', [user.id]);
    for (const login of ['rene\u0301e', 'ren\u00e9e']) {
      expect((await app.model.users.findByLogin(login))?._id).to.equal(user.id);
      const { status } = await callerOf(app)('post', 'auth/login', { login, password: user.password });
      expect(status).to.equal(200);
    }
  });
});
