import { expect } from 'chai';
import { Router } from 'express';
import * as z from 'zod';
import { successAnswer } from '../../api/answers';
import { call, type InputSchema } from '../../api/declaration';
import { checkRecords } from '../../api/handlers';
import { checkOtherRoutes } from '../../api/otherRoutes';
import { type RecordRule, visibleGroup } from '../../api/records';
import { denied } from '../support/administrators';
import { useTestApp } from '../support/app';
import { callerOf, type Method } from '../support/caller';
import { buildUser, signInAsAdmin, type TestUser } from '../support/factories';

/** Calls that guests may make. All other calls need somebody who is signed in. */
const openToGuests = [
  'POST /auth/login',
  'POST /auth/login/cas',
  'POST /auth/login/factor',
  'POST /auth/login/oidc',
  'POST /auth/login/header',
  'POST /auth/login/passkey',
  'POST /auth/passkey/options',
  'GET /auth/methods',
  'POST /auth/cas/logout',
  'GET /auth/oidc/{provider}/start',
  'GET /auth/oidc/{provider}/callback',
  'POST /auth/oidc/{provider}/callback',
  'GET /auth/oidc/{provider}/logout',
  'POST /auth/oidc/{provider}/logout',
  'POST /auth/admin/login',
  'GET /configuration',
  'GET /configuration/public/usefirstlastname',
  'GET /configuration/public/allpadspublicsauthentifiedonly',
  'POST /user',
  'GET /group/{id}',
  'GET /group/{id}/present',
  'POST /group/{id}/unlock',
  'GET /pad/{id}',
  'POST /pad/{id}/unlock',
  'POST /pad/{id}/ticket',
  'GET /pad/ispublic/{id}',
  'POST /links/open',
  'POST /invitations/show',
  'POST /invitations/refuse',
  'POST /passrecover',
  'GET /passrecover/{token}',
  'PUT /passrecover/{token}',
  'POST /accountconfirm',
  'GET /cache/check',
  'GET /l10n/{file}',
  'GET /openapi.json',
];

/** Calls that also accept an invalid token: the sign-ins, and those with the same answer for everybody. */
const openToAnyToken = openToGuests.filter((name) => !/ \/(user|group|links|pad\/\{)/.test(name));

/** Where only server administrators may call. */
const forAdministrators = / \/(admin|auth\/admin|all-users|search-users|stats|configuration)\b/;

/** Where server administrators, who have no folders, bookmarks and lists of their own, may not call. */
const forPeople =
  / \/(overview|usermark|userlist|search|imports|shared)(?![\w-])|^GET \/(group|requests)$|\/(auth\/check|auth\/logout|resign|accept|duplicate)$|\{id\}\/requests$/;

/** Invalid bodies: what is wrong, the content type, and the text. */
const badBodies: [string, string, string][] = [
  ['an unknown field', 'application/json', '{"surprise":1}'],
  ['broken JSON', 'application/json', '{"name": '],
  ['a name that reaches into JavaScript', 'application/json', '{"__proto__":{"x":1}}'],
  ['a JSON list', 'application/json', '[]'],
  ['a form', 'application/x-www-form-urlencoded', 'name=x'],
  ['too much', 'application/json', JSON.stringify({ name: 'x'.repeat(1024 * 1024) })],
];

describe('the check of the caller', () => {
  const app = useTestApp();
  let user: TestUser;
  let calls: [string, Method, string][];
  before(async () => {
    user = await buildUser(app);
    const other = await buildUser(app);
    const { paths } = (await app.agent.get('/api/openapi.json')).body;
    calls = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method): [string, Method, string] => [
        `${method.toUpperCase()} ${path}`,
        method as Method,
        `/api${path.replace('{login}', other.login).replace(/\{\w+\}/g, 'x'.repeat(500))}`,
      ]),
    );
  });

  it('comes before the check of the input, in every call', async () => {
    const closed = calls.filter(([name]) => !openToGuests.includes(name));
    expect(closed).to.have.length.above(25);
    for (const [index, [name, method, path]] of closed.entries()) {
      // Bodies are read before any call is looked for, so the other ones are sent to a few calls only.
      for (const [, type, text] of index % 20 === 0 ? badBodies : badBodies.slice(0, 2)) {
        const answer = await app.agent[method](path).set('Content-Type', type).send(text);
        expect(answer.body.error).to.match(/^BACKEND\.ERROR\.AUTHENTICATION\.(NOT_AUTH|ADMIN)$/);
        expect(Object.keys(answer.body), name).to.deep.equal(['error']);
      }
    }
  });

  it('refuses people before the check of the input where only others may call', async () => {
    const closed = calls.filter(([name]) => !openToGuests.includes(name));
    const send = ([, method, path]: (typeof calls)[number], token: string) =>
      app.agent[method](path).set('Authorization', `Bearer ${token}`).send({ surprise: 1 });
    for (const call of closed.filter(([name]) => forAdministrators.test(name))) {
      for (const token of ['', user.token, user.entryToken]) {
        expect((await send(call, token)).body, call[0]).to.deep.equal(denied);
      }
    }
    for (const call of closed.filter(([name]) => name.includes(' /user/'))) {
      const { body } = await send(call, user.token);
      expect(body, call[0]).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.DENIED' });
    }
  });

  it('refuses server administrators at the calls of people, and signs them out at none', async () => {
    const admin = await signInAsAdmin(app);
    for (const [name, method, path] of calls.filter(([name]) => forPeople.test(name))) {
      const call = app.agent[method](path).set('Authorization', `Bearer ${admin}`);
      const { body } = await call.send({ surprise: 1 });
      expect(body, name).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH' });
    }
    expect((await callerOf(app, admin)('get', 'stats/stats.json')).status).to.be.oneOf([200, 503]);
  });

  it('refuses the token of a session that has ended, except at calls that sign in', async () => {
    const gone = await signInAsAdmin(app);
    await callerOf(app, gone)('post', 'auth/admin/logout');
    expect(openToAnyToken).to.have.length(28);
    for (const token of [gone, 'worth nothing']) {
      for (const [name, method, path] of calls) {
        const answer = await app.agent[method](path).set('Authorization', `Bearer ${token}`).send({});
        const refused = /\.AUTHENTICATION\.(NOT_AUTH|ADMIN)$/.test(answer.body.error);
        expect(refused, `${name}: ${answer.text}`).to.equal(!openToAnyToken.includes(name));
      }
    }
  });

  it('does not register an account for an administrator whose session has ended', async () => {
    const gone = await signInAsAdmin(app);
    await callerOf(app, gone)('post', 'auth/admin/logout');
    const account = { login: 'made-late', password: 'secret of made-late', email: 'late@example.org' };
    const { status, body } = await callerOf(app, gone)('post', 'user', account);
    expect([status, body.error]).to.deep.equal([401, 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH']);
    const { body: found } = await callerOf(app, await signInAsAdmin(app))('get', 'search-users/made-late');
    expect(found.usersCount).to.equal(0);
  });

  it('knows no call that does not exist', () => {
    expect(calls.map(([name]) => name)).to.include.members(openToGuests);
  });

  it('must be listed for every route outside of the API before the server starts', () => {
    const silent = Router();
    silent.get('/secret', (_request, response) => void response.end());
    expect(() => checkOtherRoutes(silent)).to.throw('/secret is not listed');
    const open = Router();
    open.use((_request, _response, next) => next());
    expect(() => checkOtherRoutes(open)).to.throw('has no path');
  });

  it('must have a rule for each record that a call names before the server starts', () => {
    const known = { answer: successAnswer };
    const body = { body: z.strictObject({ gid: z.string() }) };
    const start =
      (name: string, on: RecordRule | null, input?: InputSchema, summary = 'Does it.') =>
      () =>
        checkRecords({ [name]: call('person', on, null, summary, { ...known, input }) });
    expect(start('GET /new/{id}', null)).to.throw('GET /new/{id} names id and has no rule for it');
    expect(start('POST /new', null, body)).to.throw('POST /new names gid and has no rule for it');
    expect(start('DELETE /new/{id}/of/{session}', visibleGroup)).to.throw('names session and has no rule');
    expect(start('GET /new', visibleGroup)).to.throw('GET /new has a rule for id, which it lacks');
    expect(start('GET /new', null, undefined, '')).to.throw('GET /new does not say what it does');
    expect(start('GET /new/{id}', visibleGroup)).not.to.throw();
  });
});
