import { expect } from 'chai';
import { useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildUser } from '../support/factories';
import { useAdmin, usePerson } from '../support/people';

describe('the limits of the forms', () => {
  const app = useTestApp();
  const { user, call } = usePerson(app, before);
  const admin = useAdmin(app, before);

  it('names have forty characters at most, wherever they are given', async () => {
    const [longest, tooLong] = ['x'.repeat(40), 'x'.repeat(41)];
    const group = await buildGroup(app, user);
    const person = { password: 'long enough', email: 'forty@example.org' };
    for (const [path, body] of [
      ['group', { name: longest }],
      ['pad', { name: longest, group: group._id }],
      ['userlist', { name: longest }],
      ['user', { ...person, login: longest }],
    ] as const) {
      expect((await call('post', path, body)).status, path).to.equal(200);
      const name = path === 'user' ? 'login' : 'name';
      const refused = await call('post', path, { ...body, [name]: tooLong });
      expect(refused.status, path).to.equal(400);
      expect(refused.body.field, path).to.equal(name);
    }
  });

  it('other texts have a hundred characters at most', async () => {
    for (const field of ['firstname', 'lastname', 'organization', 'padNickname']) {
      expect((await call('put', `user/${user.login}`, { [field]: 'x'.repeat(100) })).status).to.equal(200);
      const refused = await call('put', `user/${user.login}`, { [field]: 'x'.repeat(101) });
      expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.STR_100', field });
      const person = { login: `of-${field}`, password: 'long enough', email: `${field}@example.org` };
      for (const by of [callerOf(app), admin]) {
        const unmade = await by('post', 'user', { ...person, [field]: 'x'.repeat(101) });
        expect(unmade.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.STR_100', field });
      }
      expect((await admin('post', 'user', { ...person, [field]: 'x'.repeat(100) })).status).to.equal(200);
    }
  });

  it('a colour is # and six hexadecimal digits, or none', async () => {
    for (const color of ['#0aF9c3', '']) {
      expect((await call('put', `user/${user.login}`, { color })).body.value.color).to.equal(color);
    }
    for (const color of ['#0aF9c', '#0aF9c3f', '0aF9c3', '#0aF9cg', 'red', '#12345\n', 5, null]) {
      const refused = await call('put', `user/${user.login}`, { color });
      expect(refused.status, String(color)).to.equal(400);
      expect(refused.body.field).to.equal('color');
    }
  });

  it('a password is compared exactly as it was typed', async () => {
    const password = '  Blank & ünïcode 🔑  ';
    await buildUser(app, { login: 'exact', email: 'exact@example.org', password });
    for (const other of [password.trim(), password.toLowerCase(), password.normalize('NFD')]) {
      const refused = await callerOf(app)('post', 'auth/login', { login: 'exact', password: other });
      expect(refused.status).to.equal(400);
    }
  });
});
