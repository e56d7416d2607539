import { once } from 'node:events';
import { createServer, Agent as HttpAgent, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { startApp, type TestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { insideOnly } from '../support/network';
import { type Known, type Operation, type RandomRequest, randomRequests } from '../support/randomRequest';

/** Of each call; `SEED=… RUNS=… npx mocha test/api/random.test.ts` looks elsewhere and longer. */
const runs = Number(process.env.RUNS ?? 300);
const seed = Number(process.env.SEED ?? 20260);

const fine = (status: number): boolean => (status >= 200 && status < 500) || status === 501 || status === 503;

/** What a random world holds, and what a request can mean in it. */
async function buildKnown(app: TestApp): Promise<Known> {
  const [ada, bob] = [await buildUser(app), await buildUser(app)];
  const group = await buildGroup(app, ada, { visibility: 'private', password: 'secret', users: [bob.id] });
  const open = await buildGroup(app, bob, { visibility: 'public', admins: [ada.id] });
  const pads = [await buildPad(app, ada, group), await buildPad(app, bob, open)];
  const list = await callerOf(app, ada.token)('post', 'userlist', { name: 'L', loginsOrEmails: [bob.login] });
  const again = await signIn(app, ada.login, ada.password);
  return {
    words: [
      ...[group._id, open._id, ...pads.map((pad) => pad._id), list.body.key],
      ...[ada, bob].flatMap(({ id, login, email, password }) => [id, login, email, password]),
      ...[
        'secret',
        'c2VjcmV0',
        'root',
        'rootroot',
        'fr.json',
        'title',
        'SMTPPass',
        'passwordMin',
        'languages',
      ],
    ],
    tokens: [ada.token, bob.token, again.token, await signInAsAdmin(app)],
  };
}

interface World {
  app: TestApp;
  server: Server;
  known: Known;
  /** The keys of the database that were written or removed so far. */
  written: string[];
  close(): Promise<void>;
}

async function buildWorld(): Promise<World> {
  const app = await startApp();
  const server = createServer(app.handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const known = await buildKnown(app);
  const written: string[] = [];
  const { database } = app.ports;
  const { set, remove } = database;
  database.set = (key, value) => {
    written.push(key);
    return set(key, value);
  };
  database.remove = (key) => {
    written.push(key);
    return remove(key);
  };
  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await app.close();
  }
  return { app, server, known, written, close };
}

async function send(server: Server, { method, path, token, body, contentType }: RandomRequest) {
  const { port } = server.address() as AddressInfo;
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) {
    headers['content-length'] = String(Buffer.byteLength(body));
    if (contentType !== '') headers['content-type'] = contentType;
  }
  const call = request({ host: '127.0.0.1', port, agent, method, path: `/api${path}`, headers });
  call.end(body);
  const [response] = await once(call, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: Number(response.statusCode), text };
}

const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });

/** Throws when the answer should not be. That it has no secret in it and is as described is seen to by `startApp`. */
async function tryOne({ app, server, written }: World, one: RandomRequest): Promise<number> {
  await app.model.jobs.idle();
  await app.model.accountRemoval.idle();
  await app.model.accountMail.idle();
  written.length = 0;
  const { status, text } = await send(server, one);
  expect(status, text).to.satisfy(fine);
  if (status >= 400) expect(written, `${status} ${text}`).to.deep.equal([]);
  return status;
}

insideOnly.describe('requests at random', () => {
  let calls: { method: string; path: string; operation: Operation }[];
  after(() => agent.destroy());

  before(async () => {
    const app = await startApp();
    const description = (await app.agent.get('/api/openapi.json')).body;
    calls = Object.entries<Record<string, Operation>>(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    );
    await app.close();
  });

  async function tryMany(method: string, path: string, operation: Operation): Promise<Set<number>> {
    const world = await buildWorld();
    const statuses = new Set<number>();
    const requests = randomRequests(method.toUpperCase(), path, operation, world.known);
    const property = fc.asyncProperty(requests, async (one) => {
      statuses.add(await tryOne(world, one));
    });
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
    await world.close();
    return statuses;
  }

  it('break nothing, change nothing where they are refused, and learn no secret, whatever the call', async function () {
    this.timeout(60_000 + runs * 1_000);
    expect(calls).to.have.length.above(40);
    let done = 0;
    for (const { method, path, operation } of calls) {
      if ((await tryMany(method, path, operation)).has(200)) done += 1;
    }
    // Requests that are all refused at the first look would show little.
    expect(done).to.be.above(calls.length / 2);
  });
});
