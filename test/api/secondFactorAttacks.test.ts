/** What somebody may try who has the password of an account, or a passkey, but not all that it needs. */
import { expect } from 'chai';
import { lifetimes } from '../../model/limits';
import { limitTable } from '../../web/rateLimit';
import { useTestAppForEach } from '../support/app';
import { createAuthenticator, type Falsified } from '../support/authenticator';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import { usePerson } from '../support/people';
import { addApp, addPasskey, codeOf, nextCode, site } from '../support/secondFactors';

describe('the second step of a sign-in', () => {
  const app = useTestAppForEach({ limitFactor: 1, trustProxy: () => true });
  const { user } = usePerson(app, beforeEach);
  let secret: string;
  let recoveryCodes: string[];
  beforeEach(async () => {
    await app.model.configuration.set('rootUrl', site);
    ({ secret, recoveryCodes } = await addApp(app, user));
    nextCode(app);
  });

  const guest = callerOf(app);
  const begin = async ({ login, password }: Pick<TestUser, 'login' | 'password'> = user): Promise<string> =>
    (await guest('post', 'auth/login', { login, password }).expect(200)).body.pending;
  const answer = (body: object) => guest('post', 'auth/login/factor', body);
  const errorOf = async (body: object): Promise<string | undefined> => (await answer(body)).body.error;
  const code = () => codeOf(app, secret);
  const wrong = 'BACKEND.ERROR.FACTOR.CODE';
  const expired = 'BACKEND.ERROR.FACTOR.EXPIRED';
  const refused = 'BACKEND.ERROR.FACTOR.PASSKEY';

  it('takes a code once, also if it is sent twice at the same time', async () => {
    const both = await Promise.all([await begin(), await begin()]);
    const same = code();
    const answers = await Promise.all(both.map((pending) => answer({ pending, code: same })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    expect(await errorOf({ pending: await begin(), code: same }), 'later').to.equal(wrong);
    // The one before still counts for slow clocks, but not after a newer one was used.
    nextCode(app);
    const older = same;
    const pending = await begin();
    expect(await errorOf({ pending, code: older })).to.equal(wrong);
    expect((await answer({ pending, code: code() })).status, 'the same sign-in goes on').to.equal(200);
  });

  it('takes a recovery code once, also if it is sent twice at the same time', async () => {
    const both = await Promise.all([await begin(), await begin()]);
    const answers = await Promise.all(
      both.map((pending) => answer({ pending, recoveryCode: recoveryCodes[0] })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
  });

  it('takes what the first step gave once, for ten minutes, and for its account only', async () => {
    const pending = await begin();
    expect((await answer({ pending, code: code() })).status).to.equal(200);
    nextCode(app);
    expect(await errorOf({ pending, code: code() }), 'again').to.equal(expired);
    const late = await begin();
    expect(await errorOf({ pending: late, code: '000000' })).to.equal(wrong);
    app.ports.advance(lifetimes.secondStep + 1);
    expect(await errorOf({ pending: late, code: code() }), 'late').to.equal(expired);
    const other = await buildUser(app);
    await addApp(app, other);
    expect(await errorOf({ pending: await begin(other), code: code() }), 'another account').to.equal(wrong);
    expect(await errorOf({ pending: 'made up', code: code() })).to.equal(expired);
    expect(await errorOf({ pending: await begin() }), 'nothing').to.equal(wrong);
  });

  it('is not skipped by the link for a forgotten password', async () => {
    const mail = await startMailFor(app);
    await guest('post', 'passrecover', { email: user.email }).expect(200);
    const [, token] = /passrecover\/([0-9a-f]{64})/.exec((await mail.next()).text) ?? [];
    const pending = await begin();
    const password = 'a new password';
    const chosen = await guest('put', `passrecover/${token}`, { password, passwordConfirm: password });
    expect([chosen.status, chosen.body.token]).to.deep.equal([200, undefined]);
    expect(await errorOf({ pending, code: code() }), 'begun with the old password').to.equal(expired);
    const { body } = await guest('post', 'auth/login', { login: user.login, password });
    expect(body).to.have.keys(['factor', 'pending']);
    await mail.close();
  });

  it('is not skipped by a sign-in that began before the factor was added', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await buildUser(app);
      const { login, password } = other;
      const [, signedIn] = await Promise.all([
        addApp(app, other),
        guest('post', 'auth/login', { login, password }),
      ]);
      if (signedIn.body.token)
        expect((await callerOf(app, signedIn.body.token)('get', 'group')).status).to.equal(401);
    }
  });

  it('is set up by the first of two sign-ins at the same moment, and not replaced by the other', async () => {
    const other = await buildUser(app);
    await app.model.configuration.set('secondFactor', 'everybody');
    const asked = async () =>
      (await guest('post', 'auth/login', { login: other.login, password: other.password }).expect(200)).body;
    const questions = [await asked(), await asked()];
    await app.inject({ fault: 'delay' });
    const answers = await Promise.all(
      questions.map(({ pending, setUp }) => answer({ pending, code: codeOf(app, setUp.secret) })),
    );
    const done = answers.map(({ status, body }) => [status, body.error]);
    expect(done).to.have.deep.members([
      [200, undefined],
      [400, expired],
    ]);
    nextCode(app);
    const first = questions[answers.findIndex(({ status }) => status === 200)];
    const next = await answer({ pending: await begin(other), code: codeOf(app, first.setUp.secret) });
    expect(next.status, 'the app of the first').to.equal(200);
  });

  it('cannot be set up or removed without the password, nor in the place of a person', async () => {
    const own = callerOf(app, user.token);
    const admin = callerOf(app, await signInAsAdmin(app));
    const other = callerOf(app, (await buildUser(app)).token);
    const path = `user/${user.login}/factors`;
    const { factors } = (await own('get', path)).body.value;
    const guess = { currentPassword: 'a guess' };
    for (const [what, send] of [
      ['an app', () => own('post', `${path}/totp/options`, guess)],
      ['a passkey', () => own('post', `${path}/passkey/options`, guess)],
      ['recovery codes', () => own('post', `${path}/recovery`, guess)],
      ['removal', () => own('delete', `${path}/${factors[0]._id}`, guess)],
    ] as const)
      expect((await send()).body.error, what).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    const right = { currentPassword: user.password };
    for (const [call, error] of [
      [admin, 'DENIED'],
      [other, 'DENIED'],
      [guest, 'NOT_AUTH'],
    ] as const)
      expect((await call('post', `${path}/totp/options`, right)).body.error).to.equal(
        `BACKEND.ERROR.AUTHENTICATION.${error}`,
      );
    expect((await other('get', path)).status).to.equal(401);
    expect((await own('delete', `admin/users/${user.login}/factors`)).status).to.equal(401);
    expect((await own('get', path)).body.value.factors).to.deep.equal(factors);
  });

  it('limits guesses, and known browsers and passkeys are not locked out by them', async () => {
    const device = await addPasskey(app, user);
    nextCode(app);
    const known = (await answer({ pending: await begin(), code: code() })).headers['set-cookie'];
    const cookie = [known].flat().find((one) => String(one).startsWith('mypads_device')) ?? '';
    const from = (number: number) => ({ 'X-Forwarded-For': `192.0.2.${number}` });
    const pending = await begin();
    for (let number = 0; number < limitTable.factor.points; number += 1)
      expect((await answer({ pending, code: '000000' }).set(from(number))).body.error).to.equal(wrong);
    nextCode(app);
    const locked = await answer({ pending, code: code() }).set(from(200));
    expect([locked.status, locked.body.error]).to.deep.equal([429, 'BACKEND.ERROR.PERMISSION.TOO_MANY']);
    const options = (await guest('post', 'auth/passkey/options', {})).body.value;
    expect((await answer({ pending, passkey: device.signIn(options) })).status, 'a passkey').to.equal(200);
    const here = await answer({ pending: await begin(), code: code() }).set('Cookie', cookie);
    expect(here.status, 'a known browser').to.equal(200);
    const another = await begin();
    for (let number = 0; number < limitTable.factorBrowser.points; number += 1)
      await answer({ pending: another, code: '000000' }).set('Cookie', cookie);
    const last = await answer({ pending: another, code: '000000' }).set('Cookie', cookie);
    expect(last.status, 'guesses there').to.equal(429);
  });

  describe('with a passkey', () => {
    const options = async () => (await guest('post', 'auth/passkey/options', {})).body.value;
    const signIn = (passkey: object) => guest('post', 'auth/login/passkey', { passkey });
    const falsified: [string, Falsified][] = [
      ['another origin', { origin: 'https://evil.example.org' }],
      ['another site', { rpID: 'evil.example.org' }],
      ['a person who was not verified', { verified: false }],
      ['a counter that goes back', { counter: 0 }],
      ['a made-up challenge', { challenge: 'bWFkZSB1cA' }],
    ];

    it('refuses answers that are false or used, as those of unknown ones', async () => {
      const device = await addPasskey(app, user);
      expect((await signIn(device.signIn(await options()))).status).to.equal(200);
      await checkEach(falsified, async (change) => {
        const { status, body } = await signIn(device.signIn(await options(), change));
        expect([status, body]).to.deep.equal([400, { error: refused }]);
      });
      const used = device.signIn(await options());
      expect((await signIn(used)).status).to.equal(200);
      expect((await signIn(used)).body.error, 'again').to.equal(refused);
      const stranger = createAuthenticator(site);
      expect((await signIn(stranger.signIn(await options()))).body).to.deep.equal({ error: refused });
      const host = await guest('post', 'auth/passkey/options', {}).set(
        'X-Forwarded-Host',
        'evil.example.org',
      );
      expect(host.body.value.rpId).to.equal('pads.example.org');
    });

    it('refuses those of closed and of deleted accounts, and of other people', async () => {
      const device = await addPasskey(app, user);
      const other = await buildUser(app);
      const foreign = await addPasskey(app, other);
      const pending = await begin();
      const passkey = foreign.signIn(await options());
      expect(await errorOf({ pending, passkey }), 'of somebody else').to.equal(refused);
      const admin = callerOf(app, await signInAsAdmin(app));
      await admin('put', `user/${user.login}`, { active: false }).expect(200);
      expect((await signIn(device.signIn(await options()))).body, 'closed').to.deep.equal({ error: refused });
      await admin('delete', `user/${other.login}`).expect(200);
      expect((await signIn(foreign.signIn(await options()))).body, 'deleted').to.deep.equal({
        error: refused,
      });
    });

    it('is not added in the place of the second step, nor with options of another sign-in', async () => {
      const device = createAuthenticator(site);
      const made = (options: { challenge: string }, falsified: Falsified = {}) => ({
        newPasskey: { name: 'Mine', passkey: device.make(options, falsified) },
      });
      await app.model.configuration.set('secondFactor', 'everybody');
      const [one, other] = [await buildUser(app), await buildUser(app)];
      const asked = async ({ login, password }: TestUser) =>
        (await guest('post', 'auth/login', { login, password }).expect(200)).body;
      const { setUp } = await asked(other);
      expect(await errorOf({ pending: await begin(), ...made(setUp.passkey) }), 'has an app').to.equal(wrong);
      const { pending } = await asked(one);
      expect(await errorOf({ pending, ...made(setUp.passkey) }), 'of another account').to.equal(refused);
      const cases: Record<string, Falsified> = {
        'another site': { origin: 'https://evil.example.org' },
        'another name': { rpID: 'example.org' },
        'nobody was there': { verified: false },
      };
      await checkEach(cases, async (falsified) => {
        const question = await asked(one);
        const sent = { pending: question.pending, ...made(question.setUp.passkey, falsified) };
        expect(await errorOf(sent)).to.equal(refused);
        const { body } = await answer({ pending: question.pending });
        expect(body.error, 'the sign-in goes on').to.equal(wrong);
      });
      expect(await asked(one)).to.have.property('setUp');
    });

    it('is added only with an answer to options of this account, from this site', async () => {
      const { login, token } = user;
      const own = callerOf(app, token);
      const path = `user/${login}/factors/passkey`;
      const begun = async (call = own, whose = user) =>
        (
          await call('post', `user/${whose.login}/factors/passkey/options`, {
            currentPassword: whose.password,
          }).expect(200)
        ).body.value;
      const add = async (passkey: object) => (await own('post', path, { name: 'Key', passkey })).body.error;
      await checkEach(
        falsified.filter(([, { counter }]) => counter === undefined),
        async (change) =>
          expect(await add(createAuthenticator(site).make(await begun(), change))).to.equal(refused),
      );
      const other = await buildUser(app);
      const theirs = await begun(callerOf(app, other.token), other);
      expect(await add(createAuthenticator(site).make(theirs)), 'of another account').to.equal(refused);
      expect(await add(createAuthenticator(site).make(await options())), 'of a sign-in').to.equal(refused);
      const device = await addPasskey(app, other);
      expect(await add(device.make(await begun())), 'one that another account has').to.equal(refused);
    });
  });
});
