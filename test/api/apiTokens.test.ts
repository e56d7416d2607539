/** API tokens: making, using and ending them. apiTokenAttacks.test.ts has what somebody may try with them. */
import { expect } from 'chai';
import type { ApiToken, OwnedApiToken } from '../../api/token/schema';
import { limits } from '../../model/limits';
import { keys } from '../../model/store/store';
import { createMetrics } from '../../web/metrics';
import { type StartOptions, useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildUser, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePerson } from '../support/people';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A plugin that confirms `extra`, whom the settings file does not list. */
const hostAccounts: StartOptions['hostAccounts'] = {
  present: () => true,
  authenticate: async (login, password) =>
    login === 'extra' && password === 'extraextra'
      ? { user: { username: login, is_admin: true } }
      : undefined,
};

describe('API tokens', () => {
  const app = useTestAppForEach({ hostAccounts });
  const { user } = usePerson(app, beforeEach);

  const call = (token = user.token) => callerOf(app, token);
  const list = async (): Promise<ApiToken[]> =>
    (await call()('get', `user/${user.login}/tokens`).expect(200)).body.value;
  const works = async (token: string): Promise<boolean> => (await call(token)('get', 'group')).status === 200;

  it('are shown once, and listed with what they are, the newest first', async () => {
    const now = app.ports.now();
    const fields = {
      name: ' Backup at night ',
      scopes: ['write', 'read'],
      addresses: ['127.0.0.0/8'],
      days: 7,
    };
    const made = await call()('post', `user/${user.login}/tokens`, fields).expect(200);
    expect(made.body.token).to.match(/^mp_\w{40}$/);
    const [only] = await list();
    expect(made.body).to.deep.include({ success: true, key: only?._id, value: only });
    expect(only).to.deep.include({
      name: 'Backup at night',
      scopes: ['read', 'write'],
      lastFour: made.body.token.slice(-4),
      addresses: ['127.0.0.0/8'],
      lastUsed: null,
    });
    expect(only?.created).to.be.closeTo(now, minute);
    expect((only?.ends ?? 0) - (only?.created ?? 0)).to.equal(7 * day);
    app.ports.advance(minute);
    await buildApiToken(app, user, { name: 'Second' });
    expect((await list()).map(({ name }) => name)).to.deep.equal(['Second', 'Backup at night']);
  });

  it('are not stored', async () => {
    const token = await buildApiToken(app, user);
    const stored = await app.ports.database.findKeys('*', null);
    const values = await Promise.all(stored.map((key) => app.ports.database.get(key)));
    expect(JSON.stringify([stored, values])).not.to.include(token.slice(3));
  });

  it('act as the person, with their folders and kept links', async () => {
    const token = await buildApiToken(app, user);
    const made = await call(token)('post', 'group', { name: 'Made by a program' }).expect(200);
    const { body } = await call(token)('get', 'group');
    expect(Object.keys(body.value.groups)).to.deep.equal([made.body.key]);
    const others = await buildGroup(app, await buildUser(app));
    expect((await call(token)('get', `group/${others._id}`)).status).to.equal(401);
    expect((await call(token)('get', 'configuration')).body.user.login).to.equal(user.login);
  });

  it('tell when they were last used, accurate to five minutes', async () => {
    const token = await buildApiToken(app, user);
    const before = app.ports.now();
    await call(token)('get', 'group').expect(200);
    const first = (await list())[0]?.lastUsed ?? 0;
    expect(first).to.be.closeTo(before, minute);
    app.ports.advance(4 * minute);
    await call(token)('get', 'group').expect(200);
    expect((await list())[0]?.lastUsed).to.equal(first);
    app.ports.advance(2 * minute);
    await call(token)('get', 'group').expect(200);
    expect((await list())[0]?.lastUsed).to.be.closeTo(first + 6 * minute, minute);
  });

  it('are read with fewer reads than a session', async () => {
    const token = await buildApiToken(app, user);
    const readsWith = async (bearer: string): Promise<string[]> => {
      // The first call writes the time of the use.
      await call(bearer)('get', 'cache/check').expect(200);
      await app.inject({ fault: 'delay' });
      await app.operations();
      await call(bearer)('get', 'cache/check').expect(200);
      const reads = (await app.operations()).flatMap((one) => (one.what === 'get' ? [one.key] : []));
      await app.inject({ fault: 'none' });
      return reads;
    };
    const [ofSession, ofToken] = [await readsWith(user.token), await readsWith(token)];
    expect(ofToken.map((key) => key.split(':')[1])).to.deep.equal(['apitoken', 'user']);
    expect(ofSession.map((key) => key.split(':')[1])).to.deep.equal(['session', 'user', 'user']);
  });

  it('end by themselves after ninety days, or when they say, and are then removed', async () => {
    const usual = await buildApiToken(app, user);
    const short = await buildApiToken(app, user, { days: 1 });
    app.ports.advance(day + minute);
    expect([await works(usual), await works(short)]).to.deep.equal([true, false]);
    expect(await list()).to.have.length(1);
    await app.model.apiTokens.sweep();
    expect(await app.ports.database.findKeys(keys.apiToken('*'), null)).to.have.length(1);
    app.ports.advance(89 * day);
    expect(await works(usual)).to.equal(false);
  });

  it('can be ended one by one', async () => {
    const [one, other] = [await buildApiToken(app, user, { name: 'One' }), await buildApiToken(app, user)];
    const { _id } = (await list()).find(({ name }) => name === 'One') ?? {};
    const path = `user/${user.login}/tokens/${_id}`;
    expect((await call()('delete', path).expect(200)).body).to.deep.equal({ success: true, key: _id });
    expect([await works(one), await works(other)]).to.deep.equal([false, true]);
    expect((await call()('delete', path)).status).to.equal(404);
  });

  it('of one person are limited in number; ended ones do not count', async () => {
    for (let number = 0; number < limits.apiTokens; number += 1) await buildApiToken(app, user, { days: 1 });
    const make = () => call()('post', `user/${user.login}/tokens`, { name: 'One more', scopes: ['read'] });
    const refused = await make();
    expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.API_TOKEN.TOO_MANY', most: limits.apiTokens });
    app.ports.advance(day + minute);
    expect((await call(user.token)('get', 'group')).status).to.equal(200);
    expect((await make()).status).to.equal(200);
  });

  it('are refused with invalid fields', () =>
    checkEach(
      [
        ['no name', { scopes: ['read'] }],
        ['an empty name', { name: ' ', scopes: ['read'] }],
        ['a long name', { name: 'x'.repeat(101), scopes: ['read'] }],
        ['no scopes', { name: 'T' }],
        ['an empty list of scopes', { name: 'T', scopes: [] }],
        ['an unknown scope', { name: 'T', scopes: ['everything'] }],
        ['no day', { name: 'T', scopes: ['read'], days: 0 }],
        ['too many days', { name: 'T', scopes: ['read'], days: limits.mostTokenDays + 1 }],
        ['a name as address', { name: 'T', scopes: ['read'], addresses: ['example.org'] }],
        ['a network that is too small', { name: 'T', scopes: ['read'], addresses: ['192.0.2.0/33'] }],
        ['a network without a size', { name: 'T', scopes: ['read'], addresses: ['192.0.2.0/'] }],
        ['an address with a zone', { name: 'T', scopes: ['read'], addresses: ['fe80::1%eth0'] }],
        ['too many addresses', { name: 'T', scopes: ['read'], addresses: new Array(21).fill('192.0.2.1') }],
      ],
      async (fields) => {
        const { status } = await call()('post', `user/${user.login}/tokens`, fields);
        expect(status).to.equal(400);
        expect(await list()).to.deep.equal([]);
      },
    ));

  it('of server administrators act as them, within their scopes', async () => {
    const token = await buildApiToken(app, 'root', { scopes: ['read', 'administration'] });
    const settings = await call(token)('get', 'configuration').expect(200);
    expect(settings.body.value).to.have.property('rootUrl');
    await call(token)('put', 'configuration/title', { value: 'By a program' }).expect(200);
    await call(token)('put', `user/${user.login}`, { organization: 'School' }).expect(200);
    const denied = await call(token)('post', 'group', { name: 'G', admin: user.login });
    expect(denied.body).to.deep.equal({ error: 'BACKEND.ERROR.API_TOKEN.SCOPE', scope: 'write' });
    const reading = await buildApiToken(app, 'root', { scopes: ['read'] });
    const seen = await call(reading)('get', 'configuration').expect(200);
    expect(seen.body.value, 'settings for administrators').not.to.have.property('rootUrl');
  });

  it('are listed for server administrators, who can end all of them', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    const own = await buildApiToken(app, 'root');
    app.ports.advance(minute);
    const token = await buildApiToken(app, user);
    const { body } = await admin('get', 'admin/tokens').expect(200);
    const tokens: OwnedApiToken[] = body.tokens;
    expect(body.count).to.equal(2);
    expect(tokens.map(({ owner }) => owner)).to.deep.equal([
      { kind: 'person', login: user.login, id: user.id },
      { kind: 'administrator', login: 'root', id: null },
    ]);
    expect((await admin('get', 'admin/tokens?limit=1&offset=1')).body.tokens).to.deep.equal([tokens[1]]);
    for (const { _id } of tokens) await admin('delete', `admin/tokens/${_id}`).expect(200);
    expect([await works(token), await works(own)]).to.deep.equal([false, false]);
    expect((await admin('get', 'admin/tokens')).body).to.deep.equal({ tokens: [], count: 0 });
    expect((await admin('delete', `admin/tokens/${tokens[0]?._id}`)).status).to.equal(404);
  });

  it('are not counted for server administrators when they have ended', async () => {
    await buildApiToken(app, user, { days: 1 });
    await buildApiToken(app, user, { days: 2 });
    app.ports.advance(1.5 * day);
    const admin = callerOf(app, await signInAsAdmin(app));
    const { body } = await admin('get', 'admin/tokens?limit=1').expect(200);
    expect([body.count, body.tokens.length]).to.deep.equal([1, 1]);
  });

  // Over the network there is no plugin that knows administrators: test/host/administrators.test.ts.
  inProcessOnly.it('cannot be made by an administrator whom only a plugin knows', async () => {
    const body = { login: 'extra', password: 'extraextra' };
    const { token } = (await app.agent.post('/api/auth/admin/login').send(body).expect(200)).body;
    const made = await call(token)('post', 'admin/tokens', { name: 'T', scopes: ['read'] });
    expect([made.status, made.body.error]).to.deep.equal([403, 'BACKEND.ERROR.API_TOKEN.ADMINISTRATOR']);
  });

  it('are named in the activity of administrators, and in the log by their id', async () => {
    const token = await buildApiToken(app, 'root', { name: 'Import', scopes: ['administration'] });
    await call(token)('put', 'configuration/title', { value: 'By a program' }).expect(200);
    const admin = callerOf(app, await signInAsAdmin(app));
    const { key } = (await call()('post', `user/${user.login}/tokens`, { name: 'T', scopes: ['read'] })).body;
    await admin('delete', `user/${user.login}/tokens/${key}`).expect(200);
    const { entries } = (await admin('get', 'admin/log')).body;
    const told = entries.map((one: Record<string, unknown> & { object: { name: string } | null }) =>
      [one.action, one.by, one.token, one.object?.name].join(' '),
    );
    expect(told).to.include.members([
      'tokenCreated root  ',
      'settingChanged root Import title',
      `tokenEnded root  ${user.login}`,
    ]);
    const line = (await app.lines()).find(({ message }) => message === 'setting changed');
    expect(line?.facts).to.include({ byAdministrator: 'root' });
    expect(line?.facts.token).to.match(/^[0-9a-f]{32}$/);
  });
});

// Over the network, a settings file says once who reads them: test/host/metrics.test.ts.
inProcessOnly.describe('the numbers for Prometheus', () => {
  const token = 'a token of the settings file';
  let access: unknown;
  const app = useTestAppForEach({
    metrics: createMetrics(async () => undefined),
    metricsAccess: () => access,
  });
  const statusWith = async (bearer: string) =>
    (await app.agent.get('/metrics').set('Authorization', `Bearer ${bearer}`)).status;

  it('are read with an API token of an administrator that has the scope read, and with no other', async () => {
    const user = await buildUser(app);
    const right = await buildApiToken(app, 'root', { scopes: ['read'] });
    const beyond = await buildApiToken(app, 'root', { scopes: ['write'] });
    const elsewhere = await buildApiToken(app, 'root', { scopes: ['read'], addresses: ['192.0.2.1'] });
    for (const setting of [undefined, 'loopback', { token }]) {
      access = setting;
      expect(await statusWith(right)).to.equal(200);
      expect(await statusWith(beyond)).to.equal(403);
      expect(await statusWith(elsewhere)).to.equal(403);
      expect(await statusWith(await buildApiToken(app, user))).to.equal(401);
      expect(await statusWith(right.slice(0, -1))).to.equal(401);
    }
    expect(await statusWith(token)).to.equal(200);
    access = undefined;
    expect(await statusWith(token)).to.equal(404);
    const { url, close } = await app.listen();
    expect((await fetch(`${url}/mypads/metrics?auth_token=${right}`)).status).to.equal(404);
    await close();
  });
});
