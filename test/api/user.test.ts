import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser, signIn, signInAsAdmin, type TestUser } from '../support/factories';
import { chooseCas } from '../support/signInServices';

describe('accounts', () => {
  const app = useTestApp();

  const register = (body: object) => app.agent.post('/api/user').send(body);
  const change = (user: TestUser, body: object, token = user.token) =>
    app.agent.put(`/api/user/${user.login}`).set('Authorization', `Bearer ${token}`).send(body);
  const stored = (id: string) => app.model.store.get<UserRecord>(keys.user(id));

  describe('registration', () => {
    it('makes an account that can be used at once', async () => {
      const answer = await register({
        login: '  ines  ',
        password: 'secret of ines',
        passwordConfirm: 'secret of ines',
        email: 'ines@example.org',
        firstname: 'Inès',
        lang: 'fr',
        color: '#12AbCd',
        hideHelp: true,
      });
      expect(answer.body).to.deep.include({ success: true, key: 'ines' });
      expect(answer.body.value).to.deep.include({
        login: 'ines',
        email: 'ines@example.org',
        firstname: 'Inès',
        lastname: '',
        lang: 'fr',
        color: '#12AbCd',
        hideHelp: true,
        useLoginAndColorInPads: true,
        active: true,
        groups: [],
      });
      expect(answer.body.value._id).to.match(/^ines-[a-z0-9]{12}$/);
      await signIn(app, 'ines', 'secret of ines');
    });

    it('refuses logins that are invisible, change the direction of text, or cannot be part of a path', async () => {
      const admin = await signInAsAdmin(app);
      for (const login of [
        'a\u0000b',
        'x\ny',
        '\u202eevil',
        '\u200b',
        'a\u200db',
        '\u3164',
        '\u2028',
        '.',
        '..',
        'alice\u2800',
        'Анна-Мария O’Neil',
      ]) {
        const person = { login, password: 'long enough', email: 'unseen@example.org' };
        for (const token of [undefined, admin]) {
          const call = app.agent.post('/api/user').send(person);
          const answer = token ? await call.set('Authorization', `Bearer ${token}`) : await call;
          expect(answer.status, JSON.stringify(login)).to.equal(400);
          expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.PARAM_STR', field: 'login' });
        }
      }
      for (const login of ['…', 'Zoé', '山田', 'o.k', 'Анна-Мария О’Нил', 'می\u200cخواهم'])
        await buildUser(app, { login });
    });

    it('treats a login as taken in either Unicode form', async () => {
      const { login, value } = await buildUser(app, { login: 'ame\u0301lie' });
      expect(value.login).to.equal('am\u00e9lie');
      for (const typed of [login, value.login]) {
        const answer = await register({ login: typed, password: 'long enough', email: 'second@example.org' });
        expect(answer.body.error).to.equal('BACKEND.ERROR.USER.ALREADY_EXISTS');
      }
    });

    it('uses the default language in place of an unknown one', async () => {
      const user = await buildUser(app, { lang: 'constructor' });
      expect(user.value.lang).to.equal('en');
    });

    it('gives each login and address to one account only, in any letter case of the address (W6)', async () => {
      const user = await buildUser(app);
      const refused = [
        [{ login: user.login, email: 'new@example.org' }, 'BACKEND.ERROR.USER.ALREADY_EXISTS', 'login'],
        [
          { login: ` ${user.login} `, email: 'new@example.org' },
          'BACKEND.ERROR.USER.ALREADY_EXISTS',
          'login',
        ],
        [{ login: 'newcomer', email: user.email }, 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS', 'email'],
        [
          { login: 'newcomer', email: user.email.toUpperCase() },
          'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
          'email',
        ],
        [{ login: user.email, email: 'new@example.org' }, 'BACKEND.ERROR.TYPE.LOGIN_STR', 'login'],
      ] as const;
      for (const [fields, error, field] of refused) {
        const answer = await register({ password: 'long enough', ...fields });
        expect(answer.body).to.deep.equal({ error, field });
      }
      expect(await app.model.users.findByLogin('newcomer')).to.equal(undefined);
    });

    it('makes one account of twenty at the same moment', async () => {
      await app.inject({ fault: 'delay' });
      const body = { login: 'twin', password: 'secret of twin', email: 'twin@example.org' };
      const answers = await Promise.all(Array.from({ length: 20 }, () => register(body)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 400)).to.have.length(19);
      await app.inject({ fault: 'none' });
    });

    it('never changes an existing account (C1)', async () => {
      const victim = await buildUser(app);
      const before = await stored(victim.id);
      for (const _id of [victim.id, 'made-up', '', 5]) {
        const answer = await register({
          _id,
          login: victim.login,
          password: 'of an attacker',
          email: 'attacker@example.org',
        });
        expect(answer.body.error).to.equal('BACKEND.ERROR.TYPE.ID_STR');
      }
      expect(await stored(victim.id)).to.deep.equal(before);
    });

    it('asks for a password within the limits of the settings, and for the same one twice', async () => {
      const body = { login: 'sizes', email: 'sizes@example.org' };
      for (const auth_token of [undefined, await signInAsAdmin(app)]) {
        for (const password of ['short', 'x'.repeat(129)]) {
          const answer = await register({ ...body, password, auth_token });
          expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.PASSWORD_SIZE', field: 'password' });
        }
      }
      const mismatch = await register({ ...body, password: 'long enough', passwordConfirm: 'long enouhg' });
      expect(mismatch.body.error).to.equal('USER.ERR.PASSWORD_MISMATCH');
    });

    it('is refused where it is switched off, or where people sign in otherwise', async () => {
      await app.model.configuration.set('openRegistration', false);
      const body = { login: 'closed', password: 'secret of closed', email: 'closed@example.org' };
      const refused = await register(body);
      expect(refused.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION');
      await app.model.configuration.set('openRegistration', true);
      await chooseCas(app.model.configuration.set);
      expect((await register({ ...body, login: 'other' })).body.error).to.equal(
        'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION',
      );
      await app.model.configuration.set('authMethod', 'internal');
    });
  });

  describe('one’s own profile', () => {
    it('is shown to its owner and to administrators, and to nobody else', async () => {
      const user = await buildUser(app);
      const other = await buildUser(app);
      const admin = await signInAsAdmin(app);
      const get = (name: string, token: string) =>
        app.agent.get(`/api/user/${name}`).query({ auth_token: token });
      expect((await get(user.login, user.token)).body).to.deep.equal({ key: user.login, value: user.value });
      expect((await get(user.email, admin)).body.value.login).to.equal(user.login);
      for (const [name, token, error] of [
        [user.login, other.token, 'DENIED'],
        [user.login, '', 'NOT_AUTH'],
        [user.login, 'of a session that has ended', 'NOT_AUTH'],
        ['nobody', other.token, 'DENIED'],
        ['constructor', other.token, 'DENIED'],
      ] as const) {
        const answer = await get(name, token);
        expect(answer.body).to.deep.equal({ error: `BACKEND.ERROR.AUTHENTICATION.${error}` });
      }
      const unknown = await get('nobody', admin);
      expect(unknown.body).to.deep.equal({ error: 'BACKEND.ERROR.USER.NOT_FOUND', key: 'nobody' });
    });

    it('keeps what is not sent', async () => {
      const user = await buildUser(app, { firstname: 'Ada', organization: 'Analytical', color: '#ffffff' });
      await app.model.users.update(user.id, (record) => ({ ...record, eplAuthorToken: 't.author' }));
      const answer = await change(user, { lastname: 'L', color: '' });
      expect(answer.body.value).to.deep.equal({ ...user.value, lastname: 'L', color: '' });
      expect((await stored(user.id))?.eplAuthorToken).to.equal('t.author');
    });

    it('accepts a whole account from a client, and changes only what the person may change', async () => {
      const user = await buildUser(app);
      const before = await stored(user.id);
      const answer = await change(user, {
        ...user.value,
        active: false,
        groups: ['stolen'],
        bookmarks: { groups: ['stolen'], pads: [] },
        ctime: 1,
        password: '',
        passwordConfirm: '',
      });
      expect(answer.status).to.equal(200);
      expect(await stored(user.id)).to.deep.equal(before);
    });

    it('keeps its login and its id (C6)', async () => {
      const user = await buildUser(app);
      const victim = await buildUser(app);
      const login = await change(user, { login: victim.login });
      expect(login.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.PARAM_INVALID', field: 'login' });
      const id = await change(user, { _id: victim.id, firstname: 'X' });
      expect(id.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.ID_STR', field: '_id' });
      expect((await app.model.users.findByLogin(victim.login))?._id).to.equal(victim.id);
      expect((await stored(victim.id))?.firstname).to.equal('');
    });

    it('changes password and address only with the current password (W7)', async () => {
      const user = await buildUser(app);
      const before = await stored(user.id);
      for (const body of [
        { password: 'another secret' },
        { password: 'another secret', currentPassword: '' },
        { password: 'another secret', currentPassword: 'wrong' },
        { email: 'moved@example.org' },
        { email: 'moved@example.org', currentPassword: 'wrong' },
      ]) {
        const answer = await change(user, body);
        expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      }
      expect(await stored(user.id)).to.deep.equal(before);
    });

    it('gets another address, and the old one is free again (R7)', async () => {
      const user = await buildUser(app);
      const taken = await buildUser(app);
      const refused = await change(user, {
        email: taken.email,
        currentPassword: user.password,
        firstname: 'Half',
      });
      expect(refused.body.error).to.equal('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS');
      expect((await stored(user.id))?.firstname).to.equal('');
      const email = `moved.${user.email}`;
      expect((await change(user, { email, currentPassword: user.password })).body.value.email).to.equal(
        email,
      );
      await signIn(app, email, user.password);
      const old = await app.agent
        .post('/api/auth/login')
        .send({ login: user.email, password: user.password });
      expect(old.status).to.equal(400);
      await buildUser(app, { email: user.email });
    });

    it('stays as it is when one part of the change is refused', async () => {
      const user = await buildUser(app);
      const before = await stored(user.id);
      const current = { currentPassword: user.password };
      for (const body of [
        { ...current, email: 'fine@example.org', password: 'short' },
        { ...current, email: 'not an address', password: 'long enough' },
        { ...current, password: 'long enough', passwordConfirm: 'different' },
      ]) {
        expect((await change(user, body)).status).to.equal(400);
      }
      expect(await stored(user.id)).to.deep.equal(before);
      expect(await app.model.users.find('fine@example.org')).to.equal(undefined);
    });
  });

  describe('that an administrator changes', () => {
    it('are found by address, and no record is made by mistake (A7)', async () => {
      const admin = await signInAsAdmin(app);
      const user = await buildUser(app);
      const answer = await callerOf(app, admin)('put', `user/${user.email}`, { lastname: 'ByMail' });
      expect(answer.body.value).to.deep.include({ login: user.login, lastname: 'ByMail' });
      expect(await app.model.store.get(keys.user('undefined'))).to.equal(undefined);
    });

    it('cannot be given a password that is too short, or an unknown field (W14)', async () => {
      const admin = await signInAsAdmin(app);
      const user = await buildUser(app);
      expect((await change(user, { password: 'x' }, admin)).body.error).to.equal(
        'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
      );
      expect((await change(user, { eplAuthorToken: 'stolen' }, admin)).body).to.deep.equal({
        error: 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN',
        field: 'eplAuthorToken',
      });
    });
  });

  describe('removal', () => {
    const remove = (user: TestUser, token: string, body: object = {}) =>
      app.agent.delete(`/api/user/${user.login}`).set('Authorization', `Bearer ${token}`).send(body);

    it('removes the account with its sessions, and frees its login and address', async () => {
      const user = await buildUser(app);
      for (const body of [{}, { currentPassword: '' }, { currentPassword: 'wrong' }]) {
        const refused = await remove(user, user.token, body);
        expect(refused.body).to.deep.equal({
          error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
          field: 'currentPassword',
        });
      }
      const misspelt = await callerOf(app, await signInAsAdmin(app))(
        'delete',
        `user/${user.login}?previw=true`,
      );
      expect(misspelt.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN', field: 'previw' });
      const answer = await remove(user, user.token, { currentPassword: user.password });
      expect(answer.body).to.include({ success: true, key: user.login });
      expect(await stored(user.id)).to.equal(undefined);
      expect(await app.model.sessions.read(user.token, ['user'])).to.equal(undefined);
      const again = await buildUser(app, { login: user.login, email: user.email });
      expect(again.id).not.to.equal(user.id);
    });
  });
});
