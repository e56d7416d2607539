/** A whole session of the page of ep_mypads 1.x: its calls with all fields that it sends, also unnecessary ones. */
import { expect } from 'chai';
import { useTestAppForEach } from '../support/app';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';

describe('the page of ep_mypads 1.x', () => {
  const app = useTestAppForEach();
  let token: string | undefined;
  beforeEach(async () => {
    token = undefined;
  });

  /** Makes a call as that page does: with the token in the query of GET, and otherwise in the body. */
  async function send(method: 'get' | 'post' | 'put' | 'delete', path: string, body: object = {}) {
    const request = app.agent[method](`/api/${path}`);
    if (method === 'get') return request.query({ auth_token: token });
    return request.send({ ...body, auth_token: token });
  }

  async function ok(method: 'get' | 'post' | 'put' | 'delete', path: string, body: object = {}) {
    const answer = await send(method, path, body);
    expect(answer.status, `${method} ${path} ${answer.text}`).to.equal(200);
    return answer.body;
  }

  const form = {
    login: 'ada',
    email: 'ada@example.org',
    password: 'the first password',
    passwordConfirm: 'the first password',
    lang: 'fr',
    firstname: 'Ada',
    lastname: '',
    padNickname: '',
    organization: '',
    color: '',
    hideHelp: false,
    useLoginAndColorInPads: true,
  };

  it('registers somebody and signs them in with the same form', async () => {
    expect((await ok('post', 'user', form)).value.active).to.equal(true);
    const { token: mine, user } = await ok('post', 'auth/login', form);
    expect(user).to.include({ login: 'ada', lang: 'fr' });
    token = mine;
    expect((await ok('get', 'configuration')).auth).to.equal(true);
    await ok('post', 'auth/login', { ...form, key: 'a key of an old session' });
  });

  describe('with somebody signed in', () => {
    beforeEach(async () => {
      await ok('post', 'user', form);
      token = (await ok('post', 'auth/login', form)).token;
    });

    it('saves a profile: it sends the current password as the new one when there is no new one', async () => {
      const { user } = await ok('get', 'configuration');
      const elsewhere = await signIn(app, 'ada', form.password);
      await ok('post', 'auth/check', { login: 'ada', password: form.password });
      const profile = { ...user, key: 'x', firstname: 'Augusta', userlists: {} };
      for (const passwordConfirm of ['', form.password]) {
        const proof = { password: form.password, passwordConfirm, passwordCurrent: form.password };
        const { value } = await ok('put', 'user/ada', { ...profile, ...proof });
        expect(value.firstname).to.equal('Augusta');
      }
      // The password was not changed, so no session has ended.
      const other = await app.agent.get('/api/configuration').query({ auth_token: elsewhere.token });
      expect(other.body.auth).to.equal(true);
    });

    it('changes a password, with the current one under its old name', async () => {
      const next = { password: 'the second password', passwordConfirm: 'the second password' };
      const { user } = await ok('get', 'configuration');
      const wrong = await send('put', 'user/ada', { ...user, ...next, passwordCurrent: 'not it' });
      expect(wrong.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      await ok('put', 'user/ada', { ...user, ...next, passwordCurrent: form.password });
      await signIn(app, 'ada', 'the second password');
      const mistyped = { password: 'the third password', passwordConfirm: 'the third passwor' };
      const differs = await send('put', 'user/ada', { ...mistyped, passwordCurrent: 'the second password' });
      expect(differs.body.error).to.equal('USER.ERR.PASSWORD_MISMATCH');
    });

    it('makes, edits and shares folders, and sends whole records back', async () => {
      const friend = await buildUser(app);
      const me = (await ok('get', 'configuration')).user._id;
      const fields = { description: '', visibility: 'restricted', tags: ['one'], password: '' };
      const { key, value } = await ok('post', 'group', { name: 'Minutes', ...fields, admin: me });
      const edit = { ...value, readonly: false, archived: true, allowUsersToCreatePads: true, admin: me };
      expect((await ok('put', `group/${key}`, edit)).value.archived).to.equal(true);
      const { _id, ...copy } = value;
      await ok('post', 'group', { ...copy, name: 'A copy' });
      const invitation = { gid: key, invite: true, loginsOrEmails: [friend.login, 'nobody@example.org'] };
      expect((await ok('post', 'group/invite', invitation)).absent).to.deep.equal(['nobody@example.org']);
      await ok('post', 'usermark', { type: 'groups', key });
      expect(Object.keys((await ok('get', 'group')).value.groups)).to.include(key);
      await ok('delete', `group/${key}`);
    });

    it('makes, edits, moves and removes pads', async () => {
      const [from, to] = [
        (await ok('post', 'group', { name: 'From' })).key,
        (await ok('post', 'group', { name: 'To' })).key,
      ];
      const asFolder = { visibility: null, password: null, readonly: null, groupParams: true };
      const { key, value } = await ok('post', 'pad', { name: 'Notes', group: from, ...asFolder });
      const own = { visibility: 'private', password: 'of the pad', readonly: false, groupParams: false };
      await ok('put', `pad/${key}`, { ...value, ...own, users: [], moveGroup: to });
      await ok('put', `pad/${key}`, { ...(await ok('get', `pad/${key}`)).value, group: to });
      expect((await ok('get', `group/${to}`)).value.pads).to.deep.equal([key]);
      await ok('delete', `pad/chathistory/${key}`);
      await ok('delete', `pad/${key}`);
      await ok('post', 'group/resign', { gid: from }).catch(() => {});
    });

    it('keeps lists of people', async () => {
      const { value } = await ok('post', 'userlist', { name: 'Board', loginsOrEmails: [] });
      const [ulistid = ''] = Object.keys(value);
      await ok('put', `userlist/${ulistid}`, { ulistid, name: 'All', loginsOrEmails: ['ada'] });
      await ok('delete', `userlist/${ulistid}`);
    });

    it('cannot remove an account, because it does not send the password that it asks for', async () => {
      await ok('post', 'auth/check', { login: 'ada', password: form.password });
      const answer = await send('delete', 'user/ada');
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      await ok('get', 'auth/logout');
    });
  });

  it('administers settings and accounts', async () => {
    token = await signInAsAdmin(app);
    const { value } = await ok('get', 'configuration');
    const attrs = { className: 'form' };
    const loginMsg = { ...value.loginMsg, en: '<b>Welcome</b>', attrs };
    expect((await ok('put', 'configuration/loginMsg', { value: loginMsg })).value).to.deep.equal({
      ...value.loginMsg,
      en: '<b>Welcome</b>',
    });
    await ok('put', 'configuration/authCasSettings', { value: { ...value.authCasSettings, attrs } });
    await ok('put', 'configuration/SMTPPort', { value: '2525', key: 'SMTPPort' });
    await ok('put', 'configuration/tokenDuration', { value: '30' });
    await ok('put', 'configuration/rootUrl', { value: 'http://127.0.0.1:9001' });
    const made = await ok('post', 'user', { ...form, login: 'grace', email: 'grace@example.org' });
    expect(made.value.active).to.equal(true);
    const account = (await ok('get', 'user/grace')).value;
    const edit = { ...account, password: '', passwordConfirm: '', firstname: 'Grace' };
    expect((await ok('put', 'user/grace', edit)).value.firstname).to.equal('Grace');
    expect((await ok('get', 'search-users/grace')).usersCount).to.equal(1);
    expect((await ok('get', 'all-users')).users).to.have.property('grace');
    await ok('delete', 'user/grace');
    await ok('get', 'auth/admin/logout');
  });
});
