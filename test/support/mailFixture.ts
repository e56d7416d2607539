/** The product over HTTP with a real mail server, for tests of mailed links. */
import { expect } from 'chai';
import type { ConfigurationKey } from '../../model/settings/configuration';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type StartOptions, startApp, type TestApp } from './app';
import type { TestUser } from './factories';
import {
  type ReceivedMail,
  type SmtpServerOptions,
  startSmtpServer,
  type TestSmtpServer,
} from './smtpServer';

/** Where people reach the product, as its mails say. */
export const root = 'https://pads.example.org/etherpad';
export const unavailable = { error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE' };
export const incorrect = { error: 'BACKEND.ERROR.TOKEN.INCORRECT' };

/** Starts a mail server that the product sends its mail to. `more`: other settings. Close it at the end of the test. */
export async function startMailFor(
  app: Pick<TestApp, 'model'>,
  more: object = {},
  smtp: SmtpServerOptions = {},
): Promise<TestSmtpServer> {
  const server = await startSmtpServer(smtp);
  const settings = {
    rootUrl: 'https://pads.example.org',
    SMTPHost: '127.0.0.1',
    SMTPPort: server.port,
    SMTPTLS: false,
    SMTPEmailFrom: 'pads@example.org',
    ...more,
  };
  for (const [key, value] of Object.entries(settings))
    await app.model.configuration.set(key as ConfigurationKey, value);
  return server;
}

/** The body of a registration. The address is made from the login. */
export const person = (login: string, fields: object = {}): object => ({
  login,
  password: `secret of ${login}`,
  email: `${login}@example.org`,
  ...fields,
});

/** The token in the link of a mail. The link is on a line of its own. */
export function tokenIn(
  received: ReceivedMail,
  action: 'passrecover' | 'accountconfirm',
  base = root,
): string {
  const start = `${base}/mypads/index.html?/${action}/`;
  const line = received.text.split('\n').find((one) => one.startsWith(start)) ?? '';
  expect(line, received.text).to.match(/\/[0-9a-f]{64}$/);
  expect(received.html).to.include(`href="${line}"`);
  return line.slice(start.length);
}

export type MailFixture = Awaited<ReturnType<typeof openMailFixture>>;

/**
 * Opens a fixture for each test, with these settings, and closes it afterwards. The result can be destructured at once;
 * the fields of `fixture` are set before each test.
 */
export function useMailFixture(settings: Parameters<MailFixture['set']>[0] = {}) {
  const fixture = {} as MailFixture;
  beforeEach(async () => {
    Object.assign(fixture, await openMailFixture());
    await fixture.set(settings);
  });
  afterEach(() => fixture.close());
  return {
    fixture,
    register: (body: object) => fixture.register(body),
    login: (login: string, password: string) => fixture.login(login, password),
    confirm: (token: unknown) => fixture.confirm(token),
    recover: (email: unknown) => fixture.recover(email),
    complete: ((...given) => fixture.complete(...given)) as MailFixture['complete'],
  };
}

/** `close` also ends the mail servers. */
export async function openMailFixture(options: StartOptions = {}) {
  const app: TestApp = await startApp(options);
  const servers: { close(): Promise<void> }[] = [];

  async function set(values: Partial<Record<ConfigurationKey, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(values)) await app.model.configuration.set(key, value);
  }

  const pointMailAt = (SMTPPort: number, more: object = {}): Promise<void> =>
    set({ SMTPHost: '127.0.0.1', SMTPPort, SMTPTLS: false, SMTPEmailFrom: 'pads@example.org', ...more });

  async function startMail(smtp: SmtpServerOptions = {}): Promise<TestSmtpServer> {
    const server = await startSmtpServer(smtp);
    servers.push(server);
    await pointMailAt(server.port);
    return server;
  }

  await set({ rootUrl: root });
  return {
    app,
    set,
    pointMailAt,
    startMail,
    /** Closes this server together with the fixture. */
    keep: (server: { close(): Promise<void> }) => servers.push(server),
    register: (body: object) => app.agent.post('/api/user').send(body),
    login: (login: string, password: string) => app.agent.post('/api/auth/login').send({ login, password }),
    confirm: (token: unknown) => app.agent.post('/api/accountconfirm').send({ token }),
    recover: (email: unknown) => app.agent.post('/api/passrecover').send({ email }),
    complete: (token: string, password: string, passwordConfirm = password) =>
      app.agent.put(`/api/passrecover/${token}`).send({ password, passwordConfirm }),
    /** Changes this person's account, with their current password unless the body says otherwise. */
    change: (user: TestUser, body: object) =>
      app.agent
        .put(`/api/user/${user.login}`)
        .set('Authorization', `Bearer ${user.token}`)
        .send({ currentPassword: user.password, ...body }),
    own: async (user: TestUser) =>
      (await app.agent.get(`/api/user/${user.login}`).set('Authorization', `Bearer ${user.token}`)).body
        .value,
    stored: (id: string) => app.model.store.get<UserRecord>(keys.user(id)),
    links: () => app.ports.database.findKeys('mypads:mailtoken:*', null),
    /** The steps of `work` that take time which a caller could measure, one word each. */
    async workOf(work: () => Promise<unknown>, mail: TestSmtpServer): Promise<string[]> {
      const connections = mail.connections();
      await app.operations();
      await work();
      const done = (await app.operations()).map(({ what }) => what).filter((what) => what !== 'get');
      return [...done, ...new Array<string>(mail.connections() - connections).fill('mail')];
    },
    logged: async (): Promise<string> => JSON.stringify(await app.lines()),
    async close() {
      await app.model.jobs.idle();
      for (const server of servers.splice(0)) await server.close();
      await app.close();
    },
  };
}
