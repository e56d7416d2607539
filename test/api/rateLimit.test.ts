/** Every row of the table of limits (api/middleware/rateLimit.ts): so many tries and no more, and when to come back. */
import { expect } from 'chai';
import type { Response } from 'supertest';
import { type LimitName, limitTable } from '../../api/middleware/rateLimit';
import { startApp, type TestApp } from '../support/app';
import { buildGroup, buildUser, type TestUser } from '../support/factories';

interface World {
  app: TestApp;
  user: TestUser;
  /** Private groups with a password. */
  groups: string[];
}

interface Try {
  method: 'get' | 'post' | 'put';
  path: string;
  body?: object;
  token?: string;
  /** Where it comes from; always the same place when missing. */
  from?: string;
}

/** An address for each number. */
const address = (number: number) => `10.0.${Math.floor(number / 250)}.${number % 250}`;
const login = (name: string, from?: string, path = 'auth/login'): Try => ({
  method: 'post',
  path,
  body: { login: name, password: 'a guess' },
  from,
});
const recover = (email: string, from?: string): Try => ({
  method: 'post',
  path: 'passrecover',
  body: { email },
  from,
});
const register = (name: string, email: string, from?: string): Try => ({
  method: 'post',
  path: 'user',
  body: { login: name, password: 'long enough', email },
  from,
});
const admin = 'auth/admin/login';
const guess = (group: string): Try => ({
  method: 'post',
  path: `group/${group}/unlock`,
  body: { password: 'a guess' },
});

/** The try of this number, counted from 0. */
const tries: Record<LimitName, (world: World, number: number) => Try> = {
  signIn: ({ user }) => login(user.login),
  signInAddress: (_world, number) => login(`somebody ${number}`),
  signInAccount: ({ user }, number) => login(user.login, address(number)),
  adminSignIn: () => login('root', undefined, admin),
  adminSignInAddress: (_world, number) => login(`root ${number}`, undefined, admin),
  adminSignInAccount: (_world, number) => login('root', address(number), admin),
  ownPassword: ({ user }, number) => ({
    method: 'put',
    path: `user/${user.login}`,
    body: { email: 'another@example.org', currentPassword: 'a guess' },
    token: user.token,
    from: address(number),
  }),
  registration: (_world, number) => register(`new ${number}`, `new${number}@example.org`),
  registrationMail: (_world, number) => register(`new ${number}`, 'New@example.org', address(number)),
  emailChange: ({ user }, number) => ({
    method: 'put',
    path: `user/${user.login}`,
    body: { email: `another${number}@example.org`, currentPassword: user.password },
    token: user.token,
    from: address(number),
  }),
  recovery: ({ user }) => recover(user.email),
  recoveryAccount: ({ user }, number) => recover(user.email, address(number)),
  recoveryAddress: (_world, number) => recover(`somebody${number}@example.org`),
  mailedLink: (_world, number) => ({
    method: 'post',
    path: 'accountconfirm',
    body: { token: `made up ${number}` },
  }),
  passwordProof: ({ groups: [group = ''] }) => guess(group),
  passwordProofAddress: ({ groups }, number) => guess(groups[number % groups.length] ?? ''),
};

describe('the limit', () => {
  let world: World;

  beforeEach(async () => {
    const app = await startApp({ limitFactor: 1, trustProxy: () => true });
    const user = await buildUser(app);
    const groups: string[] = [];
    for (let number = 0; number < 12; number += 1) {
      groups.push((await buildGroup(app, user, { visibility: 'private', password: 'secret' }))._id);
    }
    world = { app, user, groups };
  });
  afterEach(() => world.app.close());

  function attempt({ method, path, body, token, from = '192.0.2.1' }: Try): Promise<Response> {
    const call = world.app.agent[method](`/api/${path}`).set('X-Forwarded-For', from);
    if (token) call.set('Authorization', `Bearer ${token}`);
    return call.send(body ?? {});
  }

  for (const [name, { counts, by, points, seconds }] of Object.entries(limitTable)) {
    it(`of ${counts}, by ${by}, is ${points}: the next is told when to come back`, async () => {
      if (['registrationMail', 'emailChange'].includes(name))
        await world.app.model.configuration.set('checkMails', true);
      const make = tries[name as LimitName];
      for (let number = 0; number < points; number += 1) {
        const { status, text } = await attempt(make(world, number));
        expect(status, `try ${number + 1}: ${text}`).not.to.equal(429);
      }
      const refused = await attempt(make(world, points));
      expect(refused.status).to.equal(429);
      expect(refused.body.error).to.equal('BACKEND.ERROR.PERMISSION.TOO_MANY');
      expect(refused.body.retryAfter).to.be.within(1, seconds);
      expect(refused.headers['retry-after']).to.equal(String(refused.body.retryAfter));
    }).timeout(60_000);
  }

  it('lets nobody be locked out: not from one address, and not where the person has been before', async () => {
    const { login: name, password } = world.user;
    const signIn = async (from: string) =>
      (await attempt({ method: 'post', path: 'auth/login', body: { login: name, password }, from })).status;
    expect(await signIn('192.0.2.50')).to.equal(200);
    for (let number = 0; number < 150; number += 1) await attempt(login(name));
    expect(await signIn('192.0.2.51'), 'one address has guessed all the time').to.equal(200);
    for (let number = 0; number < 120; number += 1) await attempt(login(name, address(number)));
    expect(await signIn('192.0.2.52'), 'a hundred addresses have guessed').to.equal(429);
    expect(await signIn('192.0.2.50'), 'where the person was before').to.equal(200);
    expect(await signIn('192.0.2.51'), 'where the person was before').to.equal(200);
  }).timeout(60_000);
});
