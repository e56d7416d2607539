/** The product in the process of the tests, on an embedded ueberDB and without Etherpad. */
import { once } from 'node:events';
import { createServer, Agent as HttpAgent, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import supertest, { type Agent } from 'supertest';
import { type App, createApp } from '../../api/app';
import { expressConfigure } from '../../hooks/http';
import { type Runtime, setRuntime } from '../../hooks/runtime';
import { createInProcessCoordination } from '../../model/inProcessCoordination';
import { createModel } from '../../model/model';
import { createHasher } from '../../model/passwords/hasher';
import { createLimits } from '../../web/rateLimit';
import type { StartOptions, TestApp } from './app';
import { type Secrets, watchDatabase } from './leaks';
import { listen } from './listening';
import { createTestPorts } from './ports';
import { createFaults } from './serverFaults';
import { until } from './waiting';

/** A web server as Etherpad's, with a page of its own in place of the editor. */
async function listenWith(runtime: () => Runtime): Promise<{ url: string; close(): Promise<void> }> {
  const host = express();
  host.use((_request, _response, next) => {
    setRuntime(runtime());
    next();
  });
  expressConfigure('', { app: host });
  host.get('/p/:pad', (_request, response) => void response.send('the editor'));
  const { url, stop } = await listen(createServer(host));
  return {
    url,
    async close() {
      setRuntime(undefined);
      await stop();
    },
  };
}

/** Requests on connections that stay open. Opening one for each request would take a tenth of the time of the tests. */
function keepConnections(server: Server, connections: HttpAgent): Agent {
  const agent = supertest(server);
  for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const) {
    const begin = agent[method];
    agent[method] = (path) => begin(path).agent(connections);
  }
  return agent;
}

export async function startInProcess(
  options: StartOptions,
  watched: (app: App, secrets: Secrets) => Promise<App>,
): Promise<TestApp> {
  const { closeDatabase, ...own } = await createTestPorts(options);
  const { database } = own;
  const faults = createFaults(database);
  const slowHasher = options.hashingRounds
    ? createHasher({ workers: 1, rounds: options.hashingRounds })
    : undefined;
  const ports = { ...own, hasher: faults.hasher(slowHasher ?? own.hasher) };
  const secrets = watchDatabase(database);
  await options.prepare?.(database);
  if (options.held) faults.inject({ fault: 'block', calls: ['findKeys'] });

  const limits = createLimits(ports.coordination, options.limitFactor ?? 1_000);
  async function open() {
    // A new coordination, because a process that dies loses its locks and tickets.
    const coordination = createInProcessCoordination({ now: ports.now });
    const model = await createModel({ ...ports, coordination });
    if (!options.held) await model.users.ready;
    const app = createApp({
      staticRoot: join(tmpdir(), 'no-such-page'),
      templateRoot: join(tmpdir(), 'no-such-templates'),
      limits,
      hostSession: ({ headers }) =>
        ports.hostSessions.get(/\bexpress_sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''),
      ...options,
      model,
    });
    return { model, app };
  }
  let opened = await open();
  // Tests look at what the database is asked for.
  if (!options.held) await opened.model.recordIndex.whenVerified(new AbortController().signal);

  async function idle(): Promise<void> {
    await opened.model.jobs.idle();
  }
  const handler = await watched((request, response) => opened.app(request, response), secrets);
  // One server for all requests: supertest would start one for each.
  const server = createServer(handler).listen(0);
  // A busy machine would use a connection at the moment at which the server closes it, five seconds after its answer.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  const connections = new HttpAgent({ keepAlive: true });

  const runtime = (): Runtime => ({
    model: opened.model,
    pads: ports.pads,
    padIds: {
      ofUrl: async (id) => id,
      ofSocket: async (id) => id,
      ofReadOnlyId: async () => undefined,
      isReadOnlyId: () => false,
    },
    authors: {
      known: async () => [],
      ofToken: async () => undefined,
      setNameAndColor: async () => {},
      colorOfToken: async () => '',
      anonymise: async () => {},
    },
    log: ports.log,
    schedule: ports.schedule,
    limits,
    app: handler,
    trustsProxy: options.trustProxy ?? (() => false),
    padSharing: undefined,
    close: () => opened.model.close(),
  });

  return {
    agent: keepConnections(server, connections),
    handler,
    ports,
    get model() {
      return opened.model;
    },
    async signInAtHost(login) {
      const id = `sid${ports.hostSessions.size}`;
      ports.hostSessions.set(id, { id, user: { ...ports.accounts[login], username: login } });
      return `express_sid=${id}`;
    },
    lines: async () => [...ports.lines],
    said: (wanted) => until(wanted, () => ports.lines.some(({ message }) => message === wanted)),
    inject: async (fault) => faults.inject(fault),
    operations: async () => faults.operations(),
    readSettings: () => opened.model.configuration.reload(),
    ready: () => opened.model.users.ready,
    idle,
    async sweep() {
      faults.operations();
      await opened.model.jobs.runNow('removeUnconfirmedAccounts');
      const done = faults.operations();
      await idle();
      return done;
    },
    async restart() {
      await opened.model.close();
      opened = await open();
    },
    listen: () => listenWith(runtime),
    readText: async (padId) => ((await database.get(`pad:${padId}`)) as { text: string }).text,
    writeText: (padId, text) => database.set(`pad:${padId}`, { text, edited: null, chatHead: -1 }),
    async chat(padId, messages) {
      for (let number = 0; number < messages; number += 1) {
        await database.set(`pad:${padId}:chat:${number}`, { text: `message ${number}` });
      }
      const pad = (await database.get(`pad:${padId}`)) as object;
      await database.set(`pad:${padId}`, { ...pad, chatHead: messages - 1 });
    },
    async close() {
      faults.inject({ fault: 'none' });
      connections.destroy();
      server.closeAllConnections();
      server.close();
      await opened.model.close();
      await slowHasher?.close();
      await closeDatabase();
    },
  };
}
