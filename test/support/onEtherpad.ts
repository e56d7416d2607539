/**
 * The product as the plugin of a real Etherpad, over the network. The model of the test works on the same database;
 * changed settings are passed on to Etherpad.
 */
import supertest, { type Agent } from 'supertest';
import type { App } from '../../api/app';
import { readJobs } from '../../model/jobs/jobList';
import { createModel, type Model } from '../../model/model';
import type { Database } from '../../model/ports';
import { keys } from '../../model/store/store';
import type { StartOptions, TestApp } from './app';
import { signInAtAdmin } from './etherpad';
import { hostApi } from './hostApi';
import { type HostedOptions, openHosted } from './hosted';
import { createEditorPads, createTestPorts, type TestPorts } from './ports';
import type { ServerOperation } from './serverFaults';
import { until } from './waiting';

/** The records in which the host notes unfinished work. */
const notes: readonly string[] = [keys.jobs, keys.pendingJobs];

/** Hides these notes from a model that starts on this database, because the host does the work. */
function withoutNotes(database: Database): { database: Database; started(): void } {
  let starting = true;
  return {
    database: {
      ...database,
      async get(key) {
        if (!starting || !notes.includes(key)) return database.get(key);
        return key === keys.pendingJobs ? { searched: true } : null;
      },
    },
    started() {
      starting = false;
    },
  };
}

/** Makes the settings that a test changes in its own process change in the host too, by calls of an administrator. */
function forwardSettings(configuration: Model['configuration'], agent: Agent): void {
  let token: string | undefined;
  const { set, remove } = configuration;
  async function administer(
    method: 'put' | 'delete',
    key: string,
    body: object,
    again = false,
  ): Promise<void> {
    token ??= (await agent.post('/api/auth/admin/login').send({ login: 'root', password: 'rootroot' })).body
      .token as string;
    const call = agent[method](`/api/configuration/${key}`).set('Authorization', `Bearer ${token}`);
    const { status, text } = await call.send(body);
    // The session has expired, because the test moved the clock.
    if (status === 401 && !again) {
      token = undefined;
      return administer(method, key, body, true);
    }
    if (status !== 200) throw new Error(`setting ${key} in the host: ${status} ${text}`);
  }
  configuration.set = async (key, value) => {
    await set(key, value);
    await administer('put', key, { value });
  };
  configuration.remove = async (key) => {
    await remove(key);
    await administer('delete', key, {});
  };
}

export async function startOnEtherpad(
  options: StartOptions,
  watched: (app: App) => Promise<App>,
): Promise<TestApp> {
  const local = await createTestPorts({ plugin: options.plugin });
  const { file, prepare, staticRoot, templateRoot, held, limitFactor = 1_000 } = options;
  const hosting: HostedOptions = {
    ...{ file, prepare, staticRoot, templateRoot, held, limitFactor },
    plugin: options.plugin ?? {},
    accounts: local.accounts,
    trustProxy: options.trustProxy?.() ?? false,
  };
  const hosted = await openHosted(hosting);
  const { database, host } = hosted;
  await local.closeDatabase();

  const ports: TestPorts = {
    ...local,
    database,
    pads: createEditorPads(database, local.now),
    get lines(): never {
      throw new Error('Over the network the log is not here: ask app.lines().');
    },
    advance(milliseconds) {
      local.advance(milliseconds);
      hosted.advance(milliseconds);
    },
  };
  const handler = await watched(hosted.app);
  const agent = supertest(handler);
  let model: Model | undefined;

  async function startModel(): Promise<void> {
    const quiet = withoutNotes(database);
    model = await createModel({ ...local, pads: ports.pads, database: quiet.database });
    await model.users.ready;
    quiet.started();
    forwardSettings(model.configuration, agent);
  }
  if (!held) await startModel();

  const operations = async () => (await host.command({ do: 'operations' })) as ServerOperation[];
  const said = async (wanted: string) => (await hosted.lines()).some(({ message }) => message === wanted);
  /** As in the process, jobs that have failed and are tried again later are left. */
  const idle = () =>
    until('work in the background has ended', async () => {
      await host.command({ do: 'hurry' });
      const [jobs, earlier] = await Promise.all([database.get(keys.jobs), database.get(keys.pendingJobs)]);
      const left = Object.values(readJobs(jobs)).filter(
        ({ type, attempts }) => type !== 'vanishedPads' && attempts === 0,
      );
      return (earlier as { searched?: true } | null)?.searched === true && left.length === 0;
    });

  /** Waits for the last step of the sweep: it stores the hour up to which it has looked, or logs an error. */
  async function sweep(): Promise<ServerOperation[]> {
    await hosted.tell();
    await operations();
    await host.command({ do: 'hourly' });
    const done: ServerOperation[] = [];
    const isDone = () => done.some((one) => one.what === 'set' && one.key === keys.unconfirmedState);
    await until('unconfirmed accounts have been looked through', async () => {
      done.push(...(await operations()));
      return isDone() || said('job failed, retrying later');
    });
    if (isDone()) await idle();
    return done;
  }

  return {
    agent,
    handler,
    ports,
    get model() {
      if (!model) throw new Error('The host is not ready yet.');
      return model;
    },
    async signInAtHost(login) {
      await hosted.tell();
      return signInAtAdmin(host.etherpad, login, String(ports.accounts[login]?.password));
    },
    lines: hosted.lines,
    said: (wanted) => until(wanted, () => said(wanted)),
    inject: async (fault) => void (await host.command({ do: 'fault', fault })),
    operations,
    async readSettings() {
      await hosted.tell();
      await model?.configuration.reload();
    },
    async ready() {
      await hosted.ready();
      if (!model) await startModel();
    },
    idle,
    sweep,
    restart: hosted.restart,
    async listen() {
      await hosted.tell();
      return { url: host.etherpad.url, close: async () => {} };
    },
    async readText(padID) {
      return ((await hostApi(host.etherpad, 'getText', { padID })) as { text: string }).text;
    },
    async writeText(padID, text) {
      // Etherpad adds a line end.
      await hostApi(host.etherpad, 'setText', { padID, text: text.replace(/\n$/, '') });
    },
    async chat(padID, messages) {
      const author = await hostApi(host.etherpad, 'createAuthor', { name: 'Somebody' });
      const { authorID } = author as { authorID: string };
      for (let number = 0; number < messages; number += 1) {
        await hostApi(host.etherpad, 'appendChatMessage', { padID, authorID, text: `message ${number}` });
      }
    },
    async close() {
      await model?.close();
      await hosted.close();
    },
  };
}
