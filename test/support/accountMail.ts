/** The mail about accounts with a real mail server, below the API: one model and its mail for each test. */
import { expect } from 'chai';
import { createMailer } from '../../model/mail/mailer';
import { createModel, type Model } from '../../model/model';
import { AccountMail, type AccountMailUsers } from '../../model/people/accountMail';
import { createMailTokens } from '../../model/people/mailToken';
import type { ConfigurationKey } from '../../model/settings/configuration';
import type { UserRecord } from '../../model/store/entities';
import { errorOf } from './errorKeys';
import { createTestPorts, type TestPorts } from './ports';
import {
  type ReceivedMail,
  type SmtpServerOptions,
  startSmtpServer,
  type TestSmtpServer,
} from './smtpServer';

/** Where people reach the product, as its mails say. */
export const root = 'https://pads.example.org/etherpad';
export const incorrect = 'BACKEND.ERROR.TOKEN.INCORRECT';
export const unavailable = 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE';
export const noRecover = 'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER';

/** The token in a mail; the plain text and the HTML must agree on it. */
export function tokenIn(received: ReceivedMail, action: 'passrecover' | 'accountconfirm'): string {
  const link = new RegExp(
    `https://pads\\.example\\.org/etherpad/mypads/index\\.html\\?/${action}/([0-9a-f]{64})`,
    'g',
  );
  const found = [received.text, received.html].flatMap((text) =>
    [...text.matchAll(link)].map(([, token]) => token),
  );
  expect(found.length).to.be.at.least(2);
  expect(new Set(found).size).to.equal(1);
  return found[0] ?? '';
}

export interface AccountMailFixture {
  model: Model;
  ports: TestPorts;
  accountMail: AccountMail;
  /** The mail about accounts, with accounts that answer as the test wants. */
  build(users: AccountMailUsers): AccountMail;
  set(values: Partial<Record<ConfigurationKey, unknown>>): Promise<void>;
  pointMailAt(port: number): Promise<void>;
  startMail(options?: SmtpServerOptions): Promise<TestSmtpServer>;
  /** Closes this server after the test. */
  closeLater(server: { close(): Promise<void> }): void;
  register(login: string, more?: { active?: boolean; lang?: string }): Promise<UserRecord>;
  /** The token of a recovery mail, asked for as a person does. */
  recoveryToken(mail: TestSmtpServer, login: string): Promise<string>;
  /** The key of the error at a sign-in, or `no error`. */
  signIn(login: string, password: string): Promise<string>;
  logged(): string;
  tokensInDatabase(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startAccountMail(): Promise<AccountMailFixture> {
  const { closeDatabase, ...ports } = await createTestPorts();
  const model = await createModel(ports);
  const { users, configuration, store, log, now } = model;
  await users.ready;
  const settings = (name: ConfigurationKey) => configuration.get(name);
  const mailer = createMailer({ settings, log, times: { start: 1_000, step: 1_000, total: 3_000 } });
  const tokens = createMailTokens({
    store,
    users,
    tokenDuration: () => configuration.get('tokenDuration'),
    now,
  });
  const build = (own: AccountMailUsers): AccountMail =>
    new AccountMail({
      users: own,
      jobs: model.jobs,
      methods: model.methods,
      tokens,
      mailer,
      settings: (name) => configuration.get(name),
      log,
      now,
    });
  const accountMail = build(users);
  const servers: { close(): Promise<void> }[] = [];

  async function set(values: Partial<Record<ConfigurationKey, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(values)) await configuration.set(key, value);
  }
  const pointMailAt = (SMTPPort: number): Promise<void> =>
    set({ SMTPHost: '127.0.0.1', SMTPPort, SMTPTLS: false, SMTPEmailFrom: 'pads@example.org' });

  await set({ rootUrl: root, title: 'Pads of the school' });
  return {
    model,
    ports,
    accountMail,
    build,
    set,
    pointMailAt,
    async startMail(options = {}) {
      const server = await startSmtpServer(options);
      servers.push(server);
      await pointMailAt(server.port);
      return server;
    },
    closeLater: (server) => void servers.push(server),
    register: (login, more = {}) =>
      users.register({ login, email: `${login}@example.org`, password: 'password-1', active: true, ...more }),
    async recoveryToken(mail, login) {
      await accountMail.requestRecovery(`${login}@example.org`);
      return tokenIn(await mail.next(), 'passrecover');
    },
    signIn: (login, password) => errorOf(users.authenticate(login, password)),
    logged: () => JSON.stringify(ports.lines),
    tokensInDatabase: () => store.scan('mypads:mailtoken:'),
    async close() {
      await model.jobs.idle();
      for (const server of servers) await server.close();
      mailer.close();
      await model.close();
      await closeDatabase();
    },
  };
}
