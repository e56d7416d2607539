import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, Agent as HttpAgent, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, type TestApp, temporaryFolder } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signInAsAdmin } from '../support/factories';
import {
  type Known,
  type Operation,
  type RandomRequest,
  randomRequests,
  withBodies,
} from '../support/randomRequest';

/**
 * Number of requests for each call. They are others each day, such as those of the seed 20261224; a failure names its
 * seed. `SEED`, `RUNS` and `CALL='GET /group'` choose the requests, their number, and one call.
 */
const runs = Number(process.env.RUNS ?? 30);
const seed = Number(process.env.SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const wanted = process.env.CALL;

const fine = (status: number): boolean => (status >= 200 && status < 500) || status === 501 || status === 503;

/** The password of all people, groups and pads, so that random requests are often right. */
const password = 'one for all of them';
const base64 = Buffer.from(password).toString('base64');

interface Call {
  name: string;
  method: string;
  path: string;
  operation: Operation;
}

interface Fixture {
  app: TestApp;
  server: Server;
  known: Known;
  /** Restores the fixture after a request that has removed something, and after every third change. */
  mend(changed: string[]): Promise<void>;
  /** The keys that were written or removed since the last call of this function. */
  written(): Promise<string[]>;
  close(): Promise<void>;
}

/** Creates people, groups and pads of every kind. */
async function populate(app: TestApp) {
  const people = await Promise.all(Array.from({ length: 4 }, () => buildUser(app, { password })));
  const [owner, member, outsider, second] = people as [(typeof people)[0], ...typeof people];
  if (!member || !outsider || !second) throw new Error('four people were wanted');
  await app.model.users.update(outsider.id, (user) => ({ ...user, eplAuthorToken: 't.of-the-outsider' }));
  const locked = await buildGroup(app, owner, {
    visibility: 'private',
    password,
    users: [member.id],
    admins: [second.id],
    allowUsersToCreatePads: true,
  });
  const open = await buildGroup(app, owner, { visibility: 'public', users: [member.id] });
  const closed = await buildGroup(app, outsider);
  const pads = [
    await buildPad(app, owner, locked),
    await buildPad(app, owner, open),
    await buildPad(app, owner, open, { visibility: 'private', password }),
    await buildPad(app, outsider, closed),
  ];
  // As in an old database: a pad whose group was removed, and a group whose people were removed.
  await app.model.store.set(keys.pad('orphan'), { _id: 'orphan', name: 'Orphan', group: 'gone' });
  await app.model.store.set(keys.group('empty'), {
    _id: 'empty',
    name: 'Empty',
    admins: ['gone'],
    users: null,
  });
  const lists = [owner, member].map(({ token }) =>
    callerOf(app, token)('post', 'userlist', { name: 'L', loginsOrEmails: [outsider.login] }),
  );
  const unlocked = await callerOf(app)('post', `group/${locked._id}/unlock`, { password });
  const signedIn = [owner, member, outsider].map(({ login, token }) =>
    callerOf(app, token)('get', `user/${login}/sessions`),
  );
  return {
    people,
    groups: [...[locked, open, closed].map(({ _id }) => _id), 'empty'],
    pads: [...pads.map(({ _id }) => _id), 'orphan'],
    lists: (await Promise.all(lists)).map(({ body }) => String(body.key)),
    sessions: (await Promise.all(signedIn)).flatMap(({ body }) =>
      body.value.map(({ _id }: { _id: string }) => _id),
    ),
    tokens: {
      'group admin': owner.token,
      member: member.token,
      outsider: outsider.token,
      'unlocked guest': String(unlocked.body.token),
      'server admin': await signInAsAdmin(app),
      'entry cookie': owner.entryToken,
    },
  };
}

function knownOf({
  people,
  groups,
  pads,
  lists,
  sessions,
  tokens,
}: Awaited<ReturnType<typeof populate>>): Known {
  const logins = people.map(({ login }) => login);
  const emails = people.map(({ email }) => email);
  const ids = people.map(({ id }) => id);
  const settings = ['title', 'title', 'title', 'passwordMin', 'allowEtherPads', 'SMTPPass', 'languages'];
  return {
    fitting: {
      'group/id': groups,
      gid: groups,
      group: groups,
      'pad/id': pads,
      pid: pads,
      'userlist/key': lists,
      ulistid: lists,
      'configuration/key': settings,
      'configuration.key': settings,
      'usermark.key': [...groups, ...pads],
      value: ['Pads', 'Pads', 12, true],
      _id: [...groups, ...pads, ...ids],
      'user/login': [...logins, ...emails],
      'user/session': sessions,
      'user.login': ['newcomer', 'another', '新人', logins[0]],
      'user.email': ['new@example.org', 'other@example.org', 'third@example.org', emails[0]],
      login: [...logins, ...emails, 'root', 'root', 'root'],
      admin: ids,
      admins: ids,
      users: ids,
      loginsOrEmails: [...logins, ...emails, 'nobody'],
      email: emails,
      password: [password, 'rootroot', base64],
      passwordConfirm: [password],
      currentPassword: [password],
      'search-users/text': ['person', 'EXAMPLE', 'x'],
      limit: ['1', '50'],
      offset: ['0', '2'],
      'l10n/file': ['fr.json', 'de.json'],
      color: ['#12ab9f', ''],
      lang: ['fr', 'xx'],
      name: ['A name', 'Über', '名前'],
      description: ['Some words'],
      tags: ['one', 'two'],
      'passrecover/token': ['0'.repeat(64)],
      token: ['f'.repeat(64)],
    },
    tokens,
  };
}

async function buildFixture(staticRoot: string): Promise<Fixture> {
  const app = await startApp({ staticRoot });
  const { database } = app.ports;
  const foreign = new Set(await database.findKeys('*', null));
  /** The keys of this fixture. Over the network, the database has other ones too. */
  const own = async (): Promise<string[]> =>
    (await database.findKeys('*', null)).filter(
      (key) => !foreign.has(key) && !key.startsWith('sessionstorage:'),
    );
  const server = createServer(app.handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const made = await populate(app);
  await app.idle();
  async function written(): Promise<string[]> {
    const changes = (await app.operations()).filter(({ what }) => what === 'set' || what === 'remove');
    // The server writes the directory, the numbers and the administration log in the background, independently of this
    // request.
    const isKeptBehind = (key: string): boolean =>
      /^mypads:(index:(counts|directory|times)|adminlog)/.test(key);
    return changes.flatMap((one) => ('key' in one && !isKeptBehind(one.key) ? [one.key] : []));
  }
  const keysBefore = await own();
  const values = await Promise.all(keysBefore.map((key) => database.get(key)));
  const before = new Map(keysBefore.map((key, index) => [key, structuredClone(values[index])]));
  const mustStay = [...before.keys()].filter((key) => /^mypads:(user|group|pad|session):/.test(key));
  let changes = 0;
  async function isWhole(): Promise<boolean> {
    const now = await Promise.all(mustStay.map((key) => database.get(key)));
    for (const [index, key] of mustStay.entries()) {
      const value = now[index] as Partial<UserRecord> | null | undefined;
      const lists = Object.keys((before.get(key) as Partial<UserRecord>).userlists ?? {});
      if (!value || value.active === false) return false;
      if (lists.some((id) => !Object.hasOwn(value.userlists ?? {}, id))) return false;
    }
    return true;
  }
  return {
    app,
    server,
    known: knownOf(made),
    written,
    async mend(changed) {
      if (changed.length === 0) return;
      if (changed.some((key) => key === 'mypads:jobs' || key.includes(':jobqueue:'))) await app.idle();
      changes += 1;
      if (changes % 3 !== 0 && (await isWhole())) return;
      const added = (await own()).filter((key) => !before.has(key));
      await Promise.all(added.map((key) => database.remove(key)));
      await Promise.all([...before].map(([key, value]) => database.set(key, structuredClone(value))));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}

async function send(server: Server, { method, path: place, headers, body }: RandomRequest) {
  const { port } = server.address() as AddressInfo;
  const told: Record<string, string> = { ...headers };
  if (body !== undefined) {
    told['content-length'] = String(Buffer.byteLength(body));
    told['content-type'] ??= 'application/json';
  }
  const sent = Object.entries(told).filter(([, value]) => value !== '');
  const options = { host: '127.0.0.1', port, agent, method, path: `/api${place}` };
  const call = request({ ...options, headers: Object.fromEntries(sent) });
  call.end(body);
  const [response] = await once(call, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: Number(response.statusCode), text };
}

const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });

/** Sends a request. Throws if the answer is wrong. `startApp` checks it for secrets and against the description. */
async function tryOne({ server, written, mend }: Fixture, one: RandomRequest): Promise<number> {
  await written();
  const { status, text } = await send(server, one);
  expect(status, text).to.satisfy(fine);
  const changed = await written();
  if (status >= 400) expect(changed, `${status} ${text}`).to.deep.equal([]);
  await mend(changed);
  return status;
}

const callers = [
  'nobody',
  'unlocked guest',
  'outsider',
  'member',
  'group admin',
  'server admin',
  'entry cookie',
] as const;

/** Calls that cannot succeed here, and why. */
const unreachable: Record<string, string> = {
  'POST /auth/login/cas': 'there is no CAS server that knows a ticket',
  'POST /auth/cas/logout': 'only a CAS server sends this message',
  'POST /auth/login/oidc': 'there is no provider',
  'GET /auth/oidc/{provider}/start': 'there is no provider',
  'GET /auth/oidc/{provider}/callback': 'there is no provider',
  'POST /auth/oidc/{provider}/callback': 'there is no provider',
  'POST /auth/oidc/{provider}/logout': 'there is no provider',
  'POST /auth/admin/login/host': 'nobody is signed in at the host',
  'POST /admin/testMail': 'mail is not set up',
  'POST /admin/testSetting': 'there is no directory and no sign-on server',
  'POST /admin/jobs/{id}/run': 'no job waits',
  'DELETE /admin/jobs/{id}': 'no job waits',
  'POST /passrecover': 'mail is not set up',
  'PUT /passrecover/{token}': 'no mail has brought a link',
  'POST /accountconfirm': 'no mail has brought a link',
};

/** The calls of each resource, such as `group`. They share a fixture, because creating one takes long. */
function byResource(calls: readonly Call[]): Call[][] {
  const resources = new Map<string, Call[]>();
  for (const call of calls) {
    const [, name = ''] = call.path.split('/');
    resources.set(name, [...(resources.get(name) ?? []), call]);
  }
  return [...resources.values()];
}

describe('requests at random', () => {
  const folder = temporaryFolder();
  let calls: Call[];
  const { ANSWERS } = process.env;

  before(async () => {
    // What is answered by chance does not count as tested.
    delete process.env.ANSWERS;
    mkdirSync(path.join(folder.path, 'l10n'));
    writeFileSync(path.join(folder.path, 'l10n', 'fr-first.json'), '{"GREETING":"Bonjour"}');
    const manifest = {
      scripts: [],
      styles: [],
      laterStyles: {},
      languages: ['fr'],
      texts: 'l10n/*.json',
      parts: ['first'],
    };
    writeFileSync(path.join(folder.path, 'manifest.json'), JSON.stringify(manifest));
    const app = await startApp();
    const description = withBodies((await app.agent.get('/api/openapi.json')).body);
    calls = Object.entries<Record<string, Operation>>(description.paths).flatMap(([place, methods]) =>
      Object.entries(methods).map(([lower, operation]) => {
        const method = lower.toUpperCase();
        return { name: `${method} ${place}`, method, path: place, operation };
      }),
    );
    expect(calls).to.have.length.above(40);
    expect(calls.map(({ name }) => name)).to.include.members(Object.keys(unreachable));
    if (wanted !== undefined) calls = calls.filter(({ name }) => name === wanted);
    await app.close();
  });
  after(() => {
    agent.destroy();
    folder.remove();
    if (ANSWERS !== undefined) process.env.ANSWERS = ANSWERS;
  });

  /** How often each kind of caller got which answer: `member 200`. */
  async function tryMany(
    fixture: Fixture,
    { method, path: place, operation }: Call,
  ): Promise<Map<string, number>> {
    const seen = new Map<string, number>();
    const requests = randomRequests(method, place, operation, fixture.known);
    const property = fc.asyncProperty(requests, async (one) => {
      const name = `${one.who} ${await tryOne(fixture, one)}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
    return seen;
  }

  it('break nothing, change nothing when they are refused, and get no secret, in every call', async function () {
    this.timeout(120_000 + runs * 2_000);
    const answers = new Map<string, Map<string, number>>();
    for (const ofResource of byResource(calls)) {
      const fixture = await buildFixture(folder.path);
      try {
        for (const call of ofResource) answers.set(call.name, await tryMany(fixture, call));
      } finally {
        await fixture.close();
      }
    }
    const told = (seen: Map<string, number>) => [...seen].map(([what, count]) => `${what}: ${count}`).sort();
    if (process.env.TELL)
      for (const [name, seen] of answers) console.log(`${name}\n  ${told(seen).join(', ')}`);
    if (runs < 300) return;
    for (const [name, seen] of answers) {
      // Otherwise the requests prove little: some must succeed, and all kinds of callers must have made some.
      const succeeded = [...seen.keys()].some((what) => what.endsWith(' 200'));
      expect(succeeded, `${name} succeeded; it was answered ${told(seen)}`).to.equal(!(name in unreachable));
      for (const who of callers) expect(told(seen).join(), name).to.include(who);
    }
  });
});
