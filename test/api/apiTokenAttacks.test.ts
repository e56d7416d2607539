/** What somebody may try with an API token that is stolen, old, forged, or beyond its rights. */
import { expect } from 'chai';
import { calls } from '../../api/calls';
import type { Call as DeclaredCall } from '../../api/declaration';
import { scopes } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { limitTable } from '../../web/rateLimit';
import { startApp, useTestAppForEach } from '../support/app';
import { callerOf, type Method } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { until } from '../support/waiting';

const refusal = 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH';
const beyond = 'BACKEND.ERROR.API_TOKEN.SCOPE';

describe('an API token', () => {
  const app = useTestAppForEach({ trustProxy: () => true });
  let user: TestUser;
  beforeEach(async () => {
    user = await buildUser(app);
  });

  const call = (token: string) => callerOf(app, token);
  const errorWith = async (token: string): Promise<string | undefined> =>
    (await call(token)('get', 'group')).body.error;

  it('in a URL or a body is refused by every call, also beside a valid one in the header', async () => {
    const token = await buildApiToken(app, user);
    const place = 'BACKEND.ERROR.API_TOKEN.PLACE';
    await checkEach(
      [
        ['a query', () => app.agent.get('/api/group').query({ auth_token: token })],
        ['a query of a public call', () => app.agent.get('/api/configuration').query({ auth_token: token })],
        ['a query, twice', () => app.agent.get(`/api/group?auth_token=x&auth_token=${token}`)],
        ['a truncated one', () => app.agent.get('/api/group').query({ auth_token: token.slice(0, 20) })],
        ['a body', () => app.agent.post('/api/group').send({ name: 'G', auth_token: token })],
        [
          'beside the header',
          () =>
            app.agent
              .get('/api/group')
              .query({ auth_token: token })
              .set('Authorization', `Bearer ${user.token}`),
        ],
      ],
      async (send) => {
        const answer = await send();
        expect([answer.status, answer.body]).to.deep.equal([400, { error: place }]);
      },
    );
    expect(await errorWith(token), 'the token itself still works').to.equal(undefined);
  });

  it('ends with the account, with its password, and when it is closed', () =>
    checkEach(
      [
        ['deactivation', ({ admin, one }) => admin('put', `user/${one.login}`, { active: false })],
        ['removal by an administrator', ({ admin, one }) => admin('delete', `user/${one.login}`)],
        ['removal', ({ own, one }) => own('delete', `user/${one.login}`, { currentPassword: one.password })],
        [
          'a new password',
          ({ own, one }) =>
            own('put', `user/${one.login}`, { password: 'another one', currentPassword: one.password }),
        ],
        [
          'a password of an administrator',
          ({ admin, one }) => admin('put', `user/${one.login}`, { password: 'another one' }),
        ],
      ] as [
        string,
        (
          who: Record<'admin' | 'own', ReturnType<typeof call>> & { one: TestUser },
        ) => Promise<{ status: number }>,
      ][],
      async (change) => {
        const one = await buildUser(app);
        const token = await buildApiToken(app, one);
        const admin = call(await signInAsAdmin(app));
        const own = call(one.token);
        expect(await errorWith(token)).to.equal(undefined);
        expect((await change({ admin, own, one })).status).to.equal(200);
        expect(await errorWith(token)).to.equal(refusal);
        await app.idle();
        await admin('put', `user/${one.login}`, { active: true });
        expect(await errorWith(token), 'when the account is open again').to.equal(refusal);
        const tokens = (await admin('get', 'admin/tokens')).body.tokens;
        expect(tokens.filter(({ owner }: { owner: { id: string } }) => owner.id === one.id)).to.deep.equal(
          [],
        );
      },
    ));

  it('that is made while the password changes does not survive it', async () => {
    const admin = call(await signInAsAdmin(app));
    for (let round = 0; round < 10; round += 1) {
      const one = await buildUser(app);
      const [made] = await Promise.all([
        call(one.token)('post', `user/${one.login}/tokens`, { name: 'T', scopes: ['read'] }),
        admin('put', `user/${one.login}`, { password: `another one ${round}` }),
      ]);
      if (made.status === 200) expect(await errorWith(made.body.token)).to.equal(refusal);
    }
  });

  it('of an administrator ends when the settings file no longer lists them, or has another password', () =>
    checkEach(
      [
        ['no administrator', () => ({ root: { password: 'rootroot', is_admin: false } })],
        ['no account', () => ({})],
        ['another password', () => ({ root: { password: 'another one', is_admin: true } })],
      ] as [string, () => typeof app.ports.accounts][],
      async (accounts) => {
        const before = { ...app.ports.accounts };
        const token = await buildApiToken(app, 'root', { scopes: ['administration'] });
        const status = async () => (await call(token)('get', 'admin/settings')).status;
        expect(await status()).to.equal(200);
        delete app.ports.accounts.root;
        Object.assign(app.ports.accounts, accounts());
        await app.readSettings();
        expect(await status()).to.equal(401);
        Object.assign(app.ports.accounts, before);
        await app.readSettings();
        expect(await status(), 'when everything is as before').to.equal(401);
      },
    ));

  it('of an administrator who is no longer listed is removed, also if nobody has used it since', async () => {
    const token = await buildApiToken(app, 'root', { scopes: ['administration'] });
    const before = { ...app.ports.accounts };
    delete app.ports.accounts.root;
    await app.readSettings();
    await app.model.apiTokens.sweep();
    Object.assign(app.ports.accounts, before);
    await app.readSettings();
    expect((await call(token)('get', 'admin/settings')).status).to.equal(401);
  });

  it('reaches no call without a scope, and none of another scope', async () => {
    const tokens = {
      person: await buildApiToken(app, user),
      administrator: await buildApiToken(app, 'root', { scopes: [...scopes] }),
    };
    const none = await Promise.all(
      Object.entries<DeclaredCall>(calls).map(async ([name, { scope }]) => {
        if (scope !== null) return [];
        const [method = '', path = ''] = name.split(' ');
        const asked = path
          .slice(1)
          .replace('{login}', user.login)
          .replace(/\{\w+\}/g, 'x');
        const errors = await Promise.all(
          Object.values(tokens).map(
            async (token) => (await call(token)(method.toLowerCase() as Method, asked)).body.error,
          ),
        );
        return errors.every((error) => error === beyond) ? [] : [`${name}: ${errors.join(', ')}`];
      }),
    );
    expect(none.flat()).to.deep.equal([]);
    const group = await buildGroup(app, user);
    const needed: [(typeof scopes)[number], Method, string, object?][] = [
      ['read', 'get', 'group'],
      ['write', 'put', `group/${group._id}`, { name: 'Another' }],
      ['people', 'get', `group/${group._id}/links`],
    ];
    for (const [scope, method, path, body] of needed) {
      const others = scopes.filter((one) => one !== scope && one !== 'administration');
      const without = await buildApiToken(app, user, { scopes: others });
      const answer = await call(without)(method, path, body);
      expect([answer.status, answer.body], scope).to.deep.equal([403, { error: beyond, scope }]);
      const alone = await buildApiToken(app, user, { scopes: [scope] });
      expect((await call(alone)(method, path, body)).status, scope).to.equal(200);
    }
  });

  it('changes nobody’s membership without the scope for it, whichever call it makes', async () => {
    const other = await buildUser(app);
    const group = await buildGroup(app, user, { users: [other.id] });
    const token = await buildApiToken(app, user, { scopes: ['read', 'write'] });
    const root = await buildApiToken(app, 'root', { scopes: ['read', 'write', 'administration'] });
    const refused = { error: beyond, scope: 'people' };
    const lists: object[] = [{ admins: [user.id, other.id] }, { users: [] }, { readers: [other.id] }];
    for (const [what, send] of Object.entries({
      change: (body: object) => call(token)('put', `group/${group._id}`, body),
      'change by an administrator': (body: object) => call(root)('put', `group/${group._id}`, body),
    }))
      for (const body of lists) {
        const answer = await send(body);
        expect([answer.status, answer.body], `${what} ${JSON.stringify(body)}`).to.deep.equal([403, refused]);
      }
    const made = await call(token)('post', 'group', { name: 'New', users: [other.id] });
    expect([made.status, made.body]).to.deep.equal([403, refused]);
    const madeFor = { name: 'New', admin: user.login, readers: [other.login] };
    expect((await call(root)('post', 'group', madeFor)).body).to.deep.equal(refused);
    // Programs send back what they have got, and their own lists.
    const { admins, users, readers } = group;
    const same = { name: 'Renamed', admins, users: [...users].reverse(), readers };
    expect((await call(token)('put', `group/${group._id}`, same)).status).to.equal(200);
    const alone = { name: 'New', admins: [user.id], users: [] };
    expect((await call(token)('post', 'group', alone)).status).to.equal(200);
    expect((await call(root)('post', 'group', { name: 'New', admin: user.login })).status).to.equal(200);
    const { value } = (await call(token)('get', `group/${group._id}`)).body;
    expect([value.admins, value.users, value.readers]).to.deep.equal([[user.id], [other.id], []]);
  });

  it('does not put back somebody who is removed while it changes the folder', async () => {
    const other = await buildUser(app);
    const group = await buildGroup(app, user, { users: [other.id] });
    const token = await buildApiToken(app, user, { scopes: ['read', 'write'] });
    await app.inject({ fault: 'block', calls: ['set'], keys: keys.group(group._id) });
    await app.operations();
    const seen = (wanted: string): Promise<void> =>
      until(wanted, async () =>
        (await app.operations()).some((one) => 'key' in one && `${one.what} ${one.key}` === wanted),
      );
    const removal = call(user.token)('delete', `group/${group._id}/members/${other.login}`).then(
      (answer) => answer,
    );
    await seen(`set ${keys.group(group._id)}`);
    const late = call(token)('put', `group/${group._id}`, { users: [other.id] }).then((answer) => answer);
    // The lists are still those that were sent: the server has compared them before it reads the accounts.
    await seen(`get ${keys.user(other.id)}`);
    await app.inject({ fault: 'none' });
    expect((await removal).status).to.equal(200);
    const { status, body } = await late;
    expect([status, body]).to.deep.equal([403, { error: beyond, scope: 'people' }]);
    expect((await call(user.token)('get', `group/${group._id}`)).body.value.users).to.deep.equal([]);
  });

  it('gets no rights that its owner lacks', async () => {
    const make = (fields: object) =>
      call(user.token)('post', `user/${user.login}/tokens`, { name: 'T', scopes: ['read'], ...fields });
    const made = await make({ scopes: ['read', 'administration'] });
    expect([made.status, made.body]).to.deep.equal([403, { error: beyond, scope: 'administration' }]);
    const token = await buildApiToken(app, user);
    expect((await call(token)('get', 'admin/users')).body.error).to.equal(beyond);
    expect((await call(token)('put', `user/${user.login}`, { firstname: 'X' })).body.error).to.equal(beyond);
    expect((await call(token)('post', 'user', { login: 'x' })).body.error).to.equal(beyond);
  });

  it('makes, lists and ends no tokens, and opens neither pads nor sessions', async () => {
    const owner = await buildUser(app);
    const group = await buildGroup(app, owner, { visibility: 'private', password: 'secret of it' });
    const token = await buildApiToken(app, user);
    const root = await buildApiToken(app, 'root', { scopes: [...scopes] });
    const body = { name: 'Another', scopes: ['read'] };
    const password = Buffer.from('secret of it').toString('base64');
    for (const [bearer, method, path, sent] of [
      [token, 'post', `user/${user.login}/tokens`, body],
      [token, 'get', `user/${user.login}/tokens`],
      [root, 'get', `user/${user.login}/tokens`],
      [root, 'get', 'admin/tokens'],
      [root, 'post', 'admin/tokens', body],
      [token, 'post', 'pad/x/ticket'],
      [token, 'get', `user/${user.login}/sessions`],
      [token, 'post', 'auth/login', { login: user.login, password: user.password }],
      [token, 'get', `group/${group._id}?password=${password}`],
    ] as [string, Method, string, object?][]) {
      const answer = await call(bearer)(method, path, sent);
      expect([answer.status, answer.body.error], `${method} ${path}`).to.deep.equal([403, beyond]);
      expect(answer.headers['set-cookie'], path).to.equal(undefined);
    }
  });

  it('opens no pad, in a header, a query or a cookie', async () => {
    const group = await buildGroup(app, user);
    const pad = (await call(user.token)('post', 'pad', { name: 'P', group: group._id })).body.key;
    const token = await buildApiToken(app, user);
    const { url, close } = await app.listen();
    const statusOf = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}/p/${pad}${path}`, { headers: { Accept: 'application/json', ...headers } })).status;
    expect(await statusOf('', { Cookie: `mypads_entry=${user.entryToken}` })).to.equal(200);
    expect(await statusOf('', { Authorization: `Bearer ${token}` })).to.equal(401);
    expect(await statusOf('', { Cookie: `mypads_entry=${token}` })).to.equal(401);
    expect(await statusOf(`?auth_token=${token}`)).to.equal(401);
    await close();
  });

  it('is used from its addresses only', async () => {
    const addresses = ['192.0.2.7', '198.51.100.0/24', '2001:db8::/32'];
    const token = await buildApiToken(app, user, { addresses });
    const from = async (address: string) => {
      const answer = await call(token)('get', 'group').set('X-Forwarded-For', address);
      return answer.body.error ?? answer.status;
    };
    const elsewhere = 'BACKEND.ERROR.API_TOKEN.ADDRESS';
    expect(await from('192.0.2.8')).to.equal(elsewhere);
    const [{ lastUsed }] = (await call(user.token)('get', `user/${user.login}/tokens`)).body.value;
    expect(lastUsed, 'a refused call is no use').to.equal(null);
    for (const [address, expected] of [
      ['192.0.2.7', 200],
      ['::ffff:192.0.2.7', 200],
      ['198.51.100.200', 200],
      ['198.51.101.1', elsewhere],
      ['2001:db8:1::5', 200],
      ['2001:db9::1', elsewhere],
    ] as const)
      expect(await from(address), address).to.equal(expected);
  });

  it('that is forged, truncated or altered is refused, as is its hash', async () => {
    const token = await buildApiToken(app, user);
    const [hash] = (await app.ports.database.findKeys('mypads:apitoken:*', null)).map(
      (key) => key.split(':')[2] ?? '',
    );
    const other = token.endsWith('0') ? '1' : '0';
    await checkEach(
      [
        ['truncated', token.slice(0, -1)],
        ['longer', `${token}0`],
        ['another end', token.slice(0, -1) + other],
        ['in capitals', token.toUpperCase().replace('MP_', 'mp_')],
        ['empty', 'mp_'],
        ['its hash', `mp_${hash?.slice(0, 40)}`],
        ['a name of an object', 'mp___proto__'],
        ['very long', `mp_${'a'.repeat(5_000)}`],
        ['a pattern', 'mp_*'],
      ],
      async (text) => {
        const answer = await call(text)('get', 'group');
        expect([answer.status, answer.body]).to.deep.equal([401, { error: refusal }]);
        expect((await call(text)('get', 'configuration')).body.auth, 'a public call').to.equal(false);
      },
    );
    expect(await errorWith(token)).to.equal(undefined);
  });

  it('of somebody else cannot be listed or ended', async () => {
    const [other, admin] = [await buildUser(app), await signInAsAdmin(app)];
    const make = { name: 'T', scopes: ['read'] };
    const { key } = (await call(user.token)('post', `user/${user.login}/tokens`, make)).body;
    for (const [bearer, method, path, body] of [
      [other.token, 'get', `user/${user.login}/tokens`],
      [other.token, 'post', `user/${user.login}/tokens`, make],
      [other.token, 'delete', `user/${user.login}/tokens/${key}`],
      // An administrator cannot act as a person.
      [admin, 'post', `user/${user.login}/tokens`, make],
      [other.token, 'get', 'admin/tokens'],
      [other.token, 'delete', `admin/tokens/${key}`],
    ] as [string, Method, string, object?][])
      expect((await call(bearer)(method, path, body)).status, `${method} ${path}`).to.equal(401);
    expect((await call(other.token)('delete', `user/${other.login}/tokens/${key}`)).status).to.equal(404);
  });
});

describe('the limit of API tokens', () => {
  it('is one for each token, and wrong tokens lock out no valid one at the same address', async () => {
    const app = await startApp({ limitFactor: 0.1 });
    const user = await buildUser(app);
    const [one, other] = [await buildApiToken(app, user), await buildApiToken(app, user)];
    const statusOf = async (token: string) => (await callerOf(app, token)('get', 'cache/check')).status;
    for (let number = 0; number < limitTable.wrongApiToken.points * 0.1; number += 1)
      expect(await statusOf(`mp_${String(number).padStart(40, '0')}`)).to.equal(200);
    expect(await statusOf(`mp_${'f'.repeat(40)}`)).to.equal(429);
    expect(await statusOf(one)).to.equal(200);
    for (let number = 1; number < limitTable.apiToken.points * 0.1; number += 1) await statusOf(one);
    expect(await statusOf(one)).to.equal(429);
    expect(await statusOf(other)).to.equal(200);
    await app.close();
  });
});
