import { expect } from 'chai';
import { startApp, useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildUser, signInAsAdmin } from '../support/factories';
import { startMailFor } from '../support/mailFixture';

describe('the log', () => {
  // With the real limits, each caller comes from another address.
  const app = useTestAppForEach({ limitFactor: 1 });

  const linesOf = async (message: string) =>
    (await app.lines()).filter((line) => line.message === message).map(({ facts }) => facts);
  const login = (name: string, password: string) =>
    callerOf(app)('post', 'auth/login', { login: name, password });

  it('names who signed in and out, and from where', async () => {
    const user = await buildUser(app);
    await callerOf(app, user.token)('get', 'auth/logout');
    expect(await linesOf('signed in')).to.deep.equal([{ user: user.id, address: '127.0.0.1' }]);
    expect(await linesOf('signed out')).to.deep.equal([{ by: user.id, address: '127.0.0.1' }]);
    const admin = await signInAsAdmin(app);
    await callerOf(app, admin)('get', 'auth/admin/logout');
    expect((await linesOf('administrator signed in'))[0]).to.include({ login: 'root' });
    expect((await linesOf('administrator signed out'))[0]).to.include({ byAdministrator: 'root' });
  });

  it('names refused sign-ins with their reason, once, and never what was typed', async () => {
    const user = await buildUser(app);
    await app.model.users.updateProfile(user.id, { active: false });
    await login(user.login, 'typed secret');
    await login(user.login, user.password);
    await login('my password in the wrong field', 'typed secret');
    await callerOf(app)('post', 'auth/admin/login', { login: 'root', password: 'typed secret' });
    await callerOf(app)('post', 'auth/admin/login', { login: 'plain', password: 'plainplain' });
    await callerOf(app)('post', 'auth/login/cas', { ticket: 'ST-secret' });
    const address = '127.0.0.1';
    const incorrect = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
    expect(await linesOf('sign-in refused')).to.deep.equal([
      { user: user.id, address, reason: incorrect },
      { user: user.id, address, reason: 'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED' },
      { user: 'unknown', address, reason: incorrect },
      { administrator: 'root', address, reason: incorrect },
      { administrator: 'unknown', address, reason: 'BACKEND.ERROR.AUTHENTICATION.ADMIN' },
      { by: 'cas', address, reason: 'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED' },
    ]);
    expect(await linesOf('call refused')).to.deep.equal([]);
    const logged = JSON.stringify(await app.lines());
    for (const secret of ['typed secret', 'wrong field', user.password, 'ST-secret', user.token]) {
      expect(logged).not.to.include(secret);
    }
  });

  it('names who was refused, and what they wanted', async () => {
    const owner = await buildUser(app);
    const other = await buildUser(app);
    const group = await buildGroup(app, owner);
    const call = callerOf(app, other.token);
    await call('put', `group/${group._id}`, { name: 'Taken' });
    await call('get', `user/${owner.login}`);
    await callerOf(app)('get', 'configuration/rootUrl');
    expect(await linesOf('call refused')).to.deep.equal([
      {
        call: 'PUT group/:id',
        reason: 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT',
        by: other.id,
        address: '127.0.0.1',
      },
      {
        call: 'GET user/:login',
        reason: 'BACKEND.ERROR.AUTHENTICATION.DENIED',
        by: other.id,
        address: '127.0.0.1',
      },
      { call: 'GET configuration/:key', reason: 'BACKEND.ERROR.AUTHENTICATION.ADMIN', address: '127.0.0.1' },
    ]);
  });

  it('names those who try too often', async () => {
    for (let count = 0; count < 7; count += 1) {
      await callerOf(app)('post', 'auth/admin/login', { login: 'root', password: 'x' });
    }
    const reasons = (await linesOf('sign-in refused')).map(({ reason }) => reason);
    expect(reasons.slice(-2)).to.deep.equal(new Array(2).fill('BACKEND.ERROR.PERMISSION.TOO_MANY'));
  });

  it('names what administrators change, and people in their own account', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    const user = await buildUser(app);
    await admin('put', 'configuration/title', { value: 'Not told' });
    await admin('delete', 'configuration/title');
    await admin('put', `user/${user.login}`, { firstname: 'Not told', active: true });
    await callerOf(app, user.token)('put', `user/${user.login}`, {
      password: 'not told either',
      currentPassword: user.password,
    });
    await admin('delete', `user/${user.login}/sessions`);
    await admin('delete', `user/${user.login}`);
    const by = { byAdministrator: 'root', address: '127.0.0.1' };
    expect(await linesOf('setting changed')).to.deep.equal([{ key: 'title', ...by }]);
    expect(await linesOf('setting reset to its default')).to.deep.equal([{ key: 'title', ...by }]);
    expect(await linesOf('account changed')).to.deep.equal([
      { user: user.id, changed: ['firstname', 'active'], ...by },
      { user: user.id, changed: ['password'], by: user.id, address: '127.0.0.1' },
    ]);
    expect(await linesOf('sessions ended')).to.deep.equal([{ user: user.id, ...by }]);
    expect(await linesOf('account removed')).to.deep.equal([{ user: user.id, groups: [], ...by }]);
    expect(JSON.stringify(await app.lines())).not.to.match(/not told/i);
  });

  it('names who creates, changes and removes folders, pads and chat histories, also as an administrator', async () => {
    const [owner, guest] = [await buildUser(app), await buildUser(app)];
    const own = callerOf(app, owner.token);
    const admin = callerOf(app, await signInAsAdmin(app));
    const address = '127.0.0.1';
    const [by, root] = [
      { by: owner.id, address },
      { byAdministrator: 'root', address },
    ];
    const group = (await own('post', 'group', { name: 'Not told' })).body.key;
    const people = [guest.login, 'not told'];
    await own('post', 'group/invite', { gid: group, invite: true, loginsOrEmails: people });
    await callerOf(app, guest.token)('post', 'group/resign', { gid: group });
    const pad = (await own('post', 'pad', { name: 'Not told', group })).body.key;
    await admin('put', `pad/${pad}`, { visibility: 'private', password: 'not told' });
    await admin('delete', `pad/chathistory/${pad}`);
    await admin('delete', `pad/${pad}`);
    await admin('post', `trash/${pad}/restore`, {});
    await admin('delete', `pad/${pad}?permanent=true`);
    await admin('put', `group/${group}`, { description: 'Not told', tags: ['not told'] });
    await admin('delete', `group/${group}`);
    await admin('delete', `trash/${group}`);
    await admin('delete', 'trash');
    const told = (await app.lines()).filter(({ message }) => /^(group|pad|chat) |\btrash\b/.test(message));
    expect(told.map(({ message, facts }) => [message, facts])).to.deep.equal([
      ['group created', { group, ...by }],
      ['group changed', { group, changed: ['users'], ...by }],
      ['group left', { group, by: guest.id, address }],
      ['pad created', { pad, group, ...by }],
      ['pad changed', { pad, group, changed: ['visibility', 'password'], ...root }],
      ['chat history removed', { pad, group, ...root }],
      ['pad put into the trash', { pad, group, ...root }],
      ['restored from the trash', { pad, group, ...root }],
      ['pad removed', { pad, group, ...root }],
      ['group changed', { group, changed: ['description', 'tags'], ...root }],
      ['group put into the trash', { group, ...root }],
      ['deleted from the trash', { group, ...root }],
      ['trash emptied', { removed: 0, ...root }],
    ]);
    expect(JSON.stringify(await app.lines())).not.to.match(/not told/i);
  });

  it('names the address from which an invalid mailed link was tried', async () => {
    const password = 'not told';
    await callerOf(app)('put', `passrecover/${'0'.repeat(64)}`, { password, passwordConfirm: password });
    await callerOf(app)('post', 'accountconfirm', { token: 'made up' });
    const reason = 'BACKEND.ERROR.TOKEN.INCORRECT';
    const facts = { address: '127.0.0.1', reason };
    expect(await linesOf('mailed link refused')).to.deep.equal([facts, facts]);
  });

  it('names the person whose account was made, and who made it', async () => {
    const user = await buildUser(app);
    const admin = callerOf(app, await signInAsAdmin(app));
    const made = await admin('post', 'user', {
      login: 'given',
      password: 'not told here',
      email: 'given@example.org',
    });
    expect(await linesOf('account created')).to.deep.equal([
      { user: user.id, address: '127.0.0.1' },
      { user: made.body.key, byAdministrator: 'root', address: '127.0.0.1' },
    ]);
    expect(JSON.stringify(await app.lines())).not.to.match(/not told here|given@example/);
  });

  it('names who enters a wrong password of an account, folder or pad, but not the password', async () => {
    const owner = await buildUser(app);
    const other = await buildUser(app);
    const group = await buildGroup(app, owner, { visibility: 'private', password: 'the right one' });
    const by = { by: other.id, address: '127.0.0.1' };
    const call = callerOf(app, other.token);
    await call('post', 'auth/check', { login: other.login, password: 'typed secret' });
    await call('put', `user/${other.login}`, { email: 'new@example.org', currentPassword: 'typed secret' });
    await call('delete', `user/${other.login}`, { currentPassword: 'typed secret' });
    const refused = await linesOf('current password refused');
    expect(refused).to.have.length(3);
    for (const facts of refused) expect(facts).to.deep.equal(by);
    const base64 = Buffer.from('typed secret').toString('base64');
    await call('get', `group/${group._id}`);
    await call('get', `group/${group._id}?password=${encodeURIComponent(base64)}`);
    await callerOf(app)('post', `group/${group._id}/unlock`, { password: 'typed secret' });
    const reason = 'BACKEND.ERROR.PERMISSION.UNAUTHORIZED';
    expect(await linesOf('call refused')).to.deep.equal([
      { call: 'GET group/:id', reason, ...by },
      { call: 'POST group/:id/unlock', reason, address: '127.0.0.1' },
    ]);
    const logged = JSON.stringify(await app.lines());
    for (const secret of ['typed secret', base64, 'the right one']) expect(logged).not.to.include(secret);
  });

  it('names a setting of a changed settings file, but not its value', async () => {
    const block: Record<string, unknown> = {};
    const preset = await startApp({ plugin: block });
    Object.assign(block, { SMTPPass: 'preset secret' });
    await preset.readSettings();
    expect((await preset.lines()).map(({ message, facts }) => [message, facts])).to.deep.include([
      'setting changed in the settings file',
      { key: 'SMTPPass' },
    ]);
    expect(JSON.stringify(await preset.lines())).not.to.include('preset secret');
    await preset.close();
  });

  it('names a call that failed, without the secret in its address', async () => {
    const user = await buildUser(app);
    const mail = await startMailFor(app);
    await callerOf(app)('post', 'passrecover', { email: user.email }).expect(200);
    const token = /passrecover\/([0-9a-f]{64})/.exec((await mail.next()).text)?.[1] ?? '';
    await mail.close();
    await app.inject({ fault: 'failHashing' });
    const answer = await callerOf(app)('put', `passrecover/${token}`, {
      password: 'not told',
      passwordConfirm: 'not told',
    });
    expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.SERVER.UNEXPECTED' });
    expect((await linesOf('call failed'))[0]).to.include({ call: 'PUT passrecover/:token' });
    expect(JSON.stringify(await app.lines())).not.to.include(token);
  });
});
