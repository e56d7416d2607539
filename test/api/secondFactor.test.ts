/** The second step of a sign-in: authenticator app, recovery codes, passkeys, and who must have them. */
import { expect } from 'chai';
import type { OwnFactors } from '../../api/factor/schema';
import { lifetimes, limits } from '../../model/limits';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { createAuthenticator } from '../support/authenticator';
import { callerOf } from '../support/caller';
import { buildApiToken, buildGroup, buildUser, signInAsAdmin } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import { usePerson } from '../support/people';
import { addApp, addPasskey, codeOf, nextCode, site } from '../support/secondFactors';
import { until } from '../support/waiting';

describe('two-step sign-in', () => {
  const app = useTestAppForEach();
  const { user } = usePerson(app, beforeEach);
  beforeEach(() => app.model.configuration.set('rootUrl', site));

  const call = (token = user.token) => callerOf(app, token);
  const guest = callerOf(app);
  const passwordStep = async ({ login, password } = user, cookie = '') =>
    (await guest('post', 'auth/login', { login, password }).set('Cookie', cookie).expect(200)).body;
  const answer = (body: object) => guest('post', 'auth/login/factor', body);
  const factors = async (token = user.token): Promise<OwnFactors> =>
    (await call(token)('get', `user/${user.login}/factors`).expect(200)).body.value;
  const worksWith = async (token: string): Promise<boolean> =>
    (await call(token)('get', 'group')).status === 200;
  const deviceIn = (response: { headers: Record<string, unknown> }): string =>
    [response.headers['set-cookie'] ?? []]
      .flat()
      .map(String)
      .find((one) => one.startsWith('mypads_device')) ?? '';

  it('with an app asks for its code after the password, and only then gives a token', async () => {
    const { secret } = await addApp(app, user);
    nextCode(app);
    const { pending, ...question } = await passwordStep();
    expect(question).to.deep.equal({ factor: ['totp', 'recovery'] });
    const { body } = await answer({ pending, code: codeOf(app, secret) }).expect(200);
    expect(await worksWith(body.token)).to.equal(true);
    expect(body.user.login).to.equal(user.login);
  });

  it('takes codes with the digits and wide letters of other keyboards', async () => {
    const { secret, recoveryCodes } = await addApp(app, user);
    const wide = (text: string) =>
      text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
    const from = (zero: number) => (text: string) =>
      text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
    for (const type of [wide, from(0x660), from(0x6f0), from(0xe50)]) {
      nextCode(app);
      const { pending } = await passwordStep();
      await answer({ pending, code: type(codeOf(app, secret)) }).expect(200);
    }
    const { pending } = await passwordStep();
    for (const code of ['１２３４５é', 'no code'])
      expect((await answer({ pending, code })).body.error, code).to.equal('BACKEND.ERROR.FACTOR.CODE');
    await answer({ pending, recoveryCode: wide(recoveryCodes[0] ?? '') }).expect(200);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const { recoveryCodes } = await addApp(app, user);
    expect(recoveryCodes).to.have.length(10);
    const [first = '', second = ''] = recoveryCodes;
    const signIn = async (recoveryCode: string) => {
      const { pending } = await passwordStep();
      return (await answer({ pending, recoveryCode })).status;
    };
    expect(await signIn(first)).to.equal(200);
    expect(await signIn(first)).to.equal(400);
    expect(await signIn(second.toUpperCase().replaceAll('-', ' '))).to.equal(200);
    expect((await factors()).recoveryCodes).to.equal(8);
    const path = `user/${user.login}/factors/recovery`;
    const made = await call()('post', path, { currentPassword: user.password }).expect(200);
    expect(await signIn(recoveryCodes[2] ?? ''), 'an old one').to.equal(400);
    expect(await signIn(made.body.recoveryCodes[0])).to.equal(200);
  });

  it('stores neither the secret of the app nor recovery codes, and logs none', async () => {
    const { secret, recoveryCodes } = await addApp(app, user);
    const stored = await app.ports.database.findKeys('*', null);
    const values = await Promise.all(stored.map((key) => app.ports.database.get(key)));
    const everything = JSON.stringify([stored, values, await app.lines()]);
    for (const one of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(everything).not.to.include(one);
  });

  it('with a passkey takes it as the second step, and instead of username and password', async () => {
    const device = await addPasskey(app, user);
    const options = async () => (await guest('post', 'auth/passkey/options', {}).expect(200)).body.value;
    expect(await options()).to.deep.include({ rpId: 'pads.example.org', userVerification: 'required' });
    const { pending, factor } = await passwordStep();
    expect(factor).to.deep.equal(['passkey', 'recovery']);
    const second = await answer({ pending, passkey: device.signIn(await options()) }).expect(200);
    expect(await worksWith(second.body.token)).to.equal(true);
    const passkey = device.signIn(await options());
    const { body } = await guest('post', 'auth/login/passkey', { passkey }).expect(200);
    expect(await worksWith(body.token)).to.equal(true);
    expect((await factors(body.token)).factors).to.have.length(1);
  });

  it('remembers a browser for 30 days, until the password or a factor changes', async () => {
    const { secret } = await addApp(app, user);
    nextCode(app);
    const confirm = async (remember: boolean) => {
      const { pending } = await passwordStep();
      nextCode(app);
      return deviceIn(await answer({ pending, code: codeOf(app, secret), remember }).expect(200));
    };
    const asks = async (cookie: string) => 'pending' in (await passwordStep(user, cookie));
    expect(await asks(await confirm(false))).to.equal(true);
    const remembered = await confirm(true);
    expect(await asks(remembered)).to.equal(false);
    await addPasskey(app, user);
    expect(await asks(remembered), 'after another factor').to.equal(true);
    const again = await confirm(true);
    expect(await asks(again)).to.equal(false);
    app.ports.advance(lifetimes.confirmedBrowser + 24 * 3600_000);
    expect(await asks(again), 'a month later').to.equal(true);
  });

  it('is off again when the last factor is removed, with the recovery codes', async () => {
    const { id } = await addApp(app, user);
    const device = await addPasskey(app, user);
    const body = { currentPassword: user.password };
    await call()('delete', `user/${user.login}/factors/${id}`, body).expect(200);
    expect((await factors()).factors.map(({ kind, name }) => [kind, name])).to.deep.equal([
      ['passkey', 'Phone'],
    ]);
    await call()('delete', `user/${user.login}/factors/${device.id}`, body).expect(200);
    expect(await factors()).to.deep.include({ factors: [], recoveryCodes: 0 });
    expect(await passwordStep()).to.have.property('token');
  });

  for (const [title, add] of [
    ['ends other sessions when an app is added, and no API token', addApp],
    ['ends other sessions when a passkey is added, and no API token', addPasskey],
  ] as const)
    it(title, async () => {
      const other = (await passwordStep()).token;
      const program = await buildApiToken(app, user);
      await add(app, user);
      const works = [await worksWith(other), await worksWith(user.token), await worksWith(program)];
      expect(works).to.deep.equal([false, true, true]);
    });

  it('is not added while other sessions cannot be ended', async () => {
    const other = (await passwordStep()).token;
    const path = `user/${user.login}/factors`;
    const body = { currentPassword: user.password };
    const { pending, secret } = (await call()('post', `${path}/totp/options`, body).expect(200)).body;
    const add = async () =>
      (await call()('post', `${path}/totp`, { pending, code: codeOf(app, secret) })).status;
    await app.inject({ fault: 'fail', why: 'full', calls: ['remove'], keys: keys.session('') });
    expect(await add()).to.equal(503);
    await app.inject({ fault: 'none' });
    expect((await factors()).factors, 'after the failure').to.deep.equal([]);
    // Until the failed write is rolled back.
    await until('the same app is added', async () => (await add()) === 200);
    expect([await worksWith(other), await worksWith(user.token)]).to.deep.equal([false, true]);
  });

  it('that is required is set up at the sign-in, before there is a session', async () => {
    await app.model.configuration.set('secondFactor', 'everybody');
    const { pending, factor, setUp } = await passwordStep();
    expect(factor).to.deep.equal([]);
    expect(setUp.uri).to.include(`secret=${setUp.secret}`);
    expect((await answer({ pending, code: '000000' })).body.error).to.equal('BACKEND.ERROR.FACTOR.CODE');
    const { body } = await answer({ pending, code: codeOf(app, setUp.secret) }).expect(200);
    expect(body.recoveryCodes).to.have.length(10);
    expect(await factors(body.token)).to.deep.include({ required: true, recoveryCodes: 10 });
    nextCode(app);
    const next = await passwordStep();
    expect(next.factor).to.deep.equal(['totp', 'recovery']);
    const [{ _id } = { _id: '' }] = (await factors(body.token)).factors;
    const path = `user/${user.login}/factors/${_id}`;
    const removed = await call(body.token)('delete', path, { currentPassword: user.password });
    expect(removed.body.error, 'the last one').to.equal('BACKEND.ERROR.FACTOR.REQUIRED');
  });

  it('that is required can be a passkey, made at the sign-in', async () => {
    await app.model.configuration.set('secondFactor', 'everybody');
    const device = createAuthenticator(site);
    const [first, second] = [await passwordStep(), await passwordStep()];
    const newPasskey = { name: 'Firefox, Linux', passkey: device.make(first.setUp.passkey) };
    const { body } = await answer({ pending: first.pending, newPasskey }).expect(200);
    expect(body.recoveryCodes).to.have.length(10);
    const own = await factors(body.token);
    expect(own.factors.map(({ kind, name }) => [kind, name])).to.deep.equal([['passkey', 'Firefox, Linux']]);
    const late = { name: 'Late', passkey: createAuthenticator(site).make(second.setUp.passkey) };
    const refused = await answer({ pending: second.pending, newPasskey: late });
    expect(refused.body.error, 'another sign-in was first').to.equal('BACKEND.ERROR.FACTOR.EXPIRED');
    expect((await passwordStep()).factor).to.deep.equal(['passkey', 'recovery']);
    const options = (await guest('post', 'auth/passkey/options', {}).expect(200)).body.value;
    await guest('post', 'auth/login/passkey', { passkey: device.signIn(options) }).expect(200);
    await app.model.configuration.set('rootUrl', 'http://pads.example.org');
    expect((await passwordStep(await buildUser(app))).setUp).to.not.have.property('passkey');
  });

  it('that is set up at the sign-in ends other sessions, and no API token', async () => {
    const program = await buildApiToken(app, user);
    await app.model.configuration.set('secondFactor', 'everybody');
    const { pending, setUp } = await passwordStep();
    const set = async () => answer({ pending, code: codeOf(app, setUp.secret) });
    await app.inject({ fault: 'fail', why: 'full', calls: ['remove'], keys: keys.session('') });
    expect((await set()).status).to.equal(503);
    await app.inject({ fault: 'none' });
    expect(await passwordStep(), 'after the failure').to.have.property('setUp');
    let token = '';
    await until('the same app is added', async () => {
      const { status, body } = await set();
      token = body.token;
      return status === 200;
    });
    const works = [await worksWith(user.token), await worksWith(token), await worksWith(program)];
    expect(works).to.deep.equal([false, true, true]);
  });

  it('can be required of managers of folders only', async () => {
    const member = await buildUser(app);
    await buildGroup(app, user, { users: [member.id] });
    await app.model.configuration.set('secondFactor', 'managers');
    expect(await passwordStep(user)).to.have.property('setUp');
    expect(await passwordStep(member)).to.have.property('token');
  });

  it('is reset by an administrator, which is logged and mailed', async () => {
    await addApp(app, user);
    await addPasskey(app, user);
    const admin = callerOf(app, await signInAsAdmin(app));
    const none = async () => {
      const { users } = (await admin('get', 'admin/users')).body;
      return users.find(({ _id }: { _id: string }) => _id === user.id).secondFactor;
    };
    expect(await none()).to.equal(true);
    const mail = await startMailFor(app);
    await admin('delete', `admin/users/${user.login}/factors`).expect(200);
    expect((await mail.next()).to).to.deep.equal([user.email]);
    await mail.close();
    expect([await none(), await passwordStep()].map(Boolean)).to.deep.equal([false, true]);
    expect(await passwordStep()).to.have.property('token');
    const { entries } = (await admin('get', 'admin/log')).body;
    expect(entries[0]).to.deep.include({ action: 'factorsReset', by: 'root' });
    expect(await app.ports.database.findKeys(keys.passkey('*'), null)).to.deep.equal([]);
  });

  it('that is reset or removed while somebody is at it asks for the password once more', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    const { secret, id, recoveryCodes } = await addApp(app, user);
    const pendings = [];
    for (let number = 0; number < 3; number += 1) pendings.push((await passwordStep()).pending);
    const currentPassword = user.password;
    await call()('delete', `user/${user.login}/factors/${id}`, { currentPassword }).expect(200);
    await addApp(app, user);
    await admin('delete', `admin/users/${user.login}/factors`).expect(200);
    nextCode(app);
    for (const body of [{ code: codeOf(app, secret) }, { recoveryCode: recoveryCodes[0] }, {}])
      for (const time of ['once', 'again']) {
        const refused = await answer({ pending: pendings[0], ...body });
        expect(refused.body.error, time).to.equal('BACKEND.ERROR.FACTOR.EXPIRED');
      }
    expect((await answer({ pending: pendings[1], code: '000000' })).body.error).to.match(/EXPIRED$/);
    await addApp(app, user);
    expect((await answer({ pending: pendings[1], code: '000000' })).body.error, 'kept').to.match(/EXPIRED$/);
    expect((await answer({ pending: pendings[2], code: '000000' })).body.error).to.match(/CODE$/);
  });

  it('reports each factor by mail', async () => {
    const mail = await startMailFor(app);
    const { id } = await addApp(app, user);
    expect((await mail.next()).text).to.include('new authenticator app');
    await call()('delete', `user/${user.login}/factors/${id}`, { currentPassword: user.password });
    expect((await mail.next()).text).to.include('was removed');
    await mail.close();
  });

  it('has room for twenty passkeys', async () => {
    for (let number = 0; number < limits.passkeys; number += 1) await addPasskey(app, user);
    const path = `user/${user.login}/factors/passkey`;
    const { body } = await call()('post', `${path}/options`, { currentPassword: user.password });
    const passkey = createAuthenticator(site).make(body.value);
    expect((await call()('post', path, { name: 'One more', passkey })).body).to.deep.equal({
      error: 'BACKEND.ERROR.FACTOR.TOO_MANY',
      most: limits.passkeys,
    });
  });

  it('offers no passkeys without an address that browsers allow for them', async () => {
    for (const rootUrl of ['', 'http://pads.example.org', 'https://192.0.2.1', 'https://[2001:db8::1]']) {
      await app.model.configuration.set('rootUrl', rootUrl);
      expect((await factors()).passkeys, rootUrl).to.equal(false);
      const { body } = await guest('post', 'auth/passkey/options', {});
      expect(body.error).to.equal('BACKEND.ERROR.FACTOR.UNAVAILABLE');
    }
    await app.model.configuration.set('rootUrl', 'http://localhost:9001');
    expect((await factors()).passkeys, 'on one’s own computer').to.equal(true);
  });

  it('leaves nothing behind when the account is deleted', async () => {
    await addApp(app, user);
    await addPasskey(app, user);
    await call()('delete', `user/${user.login}`, { currentPassword: user.password }).expect(200);
    await app.idle();
    for (const pattern of ['mypads:factors:*', 'mypads:passkey:*'])
      expect(await app.ports.database.findKeys(pattern, null)).to.deep.equal([]);
  });
});
