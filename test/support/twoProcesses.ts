/**
 * Two Etherpads on one database, one of which a test kills. It is started again before the next test. Test files of one
 * mocha process share them.
 */
import { expect } from 'chai';
import type { Connection } from './databases';
import type { Answer, RunningEtherpad } from './etherpad';
import { createFixture, type Fixture, type Person } from './hostFixture';
import { isLeader, type SeveralEtherpads, sharedPair } from './severalEtherpads';
import { startSmtpServer, type TestSmtpServer } from './smtpServer';
import { until } from './waiting';

/** The lists of a person. */
export interface Lists {
  groups: Record<string, { name: string; pads: string[]; admins: string[]; users: string[] }>;
  pads: Record<string, { name: string; group: string }>;
}

/** True if it has its index of accounts. */
export async function isReady({ api }: RunningEtherpad): Promise<boolean> {
  const { body } = await api('GET', 'cache/check');
  return (body as { userCacheReady: boolean }).userCacheReady;
}

export interface TwoProcesses {
  several: SeveralEtherpads;
  /** In the first test file, this one does the background work. */
  one: RunningEtherpad;
  two: RunningEtherpad;
  /** At `one`. */
  fixture: Fixture;
  database: Connection['database'];
  /** What they send arrives here. */
  mails: TestSmtpServer;
  /** A new one for each test, because nobody may make so many folders in an hour. */
  owner: Person;
  kill(process: RunningEtherpad): Promise<void>;
  /** The process that does the background work, and the other one. */
  leaderAndOther(): Promise<[RunningEtherpad, RunningEtherpad]>;
  /** As `two` lists them. */
  listsOf(person: Person): Promise<Lists>;
  /** Calls `one`, or another process. Throws unless the answer is 200. */
  succeed(
    method: string,
    path: string,
    body: unknown,
    caller: { token?: string },
    on?: RunningEtherpad,
  ): Promise<Answer>;
  /** Keys of the database that contain one of these texts. */
  keysWith(texts: string[]): Promise<string[]>;
  /** Resolves when there are no such keys. */
  without(texts: string[]): Promise<void>;
}

/** Call it in a `describe`. The properties exist when its `before` has run. */
export function useTwoProcesses(): TwoProcesses {
  const self = {} as TwoProcesses;
  let closeDatabase: Connection['close'] | undefined;
  let killed: RunningEtherpad | undefined;

  before(async function () {
    this.timeout(300_000);
    const several = await sharedPair();
    const { database, close } = await several.database.connect();
    closeDatabase = close;
    const [one, two] = several.processes;
    const fixture = createFixture(one);
    const mails = await startSmtpServer();
    Object.assign(self, { several, one, two, database, fixture, mails });
    for (const [key, value] of [
      // Pads are removed in the background.
      ['deleteJobQueue', true],
      ['SMTPHost', '127.0.0.1'],
      ['SMTPPort', mails.port],
      ['SMTPTLS', false],
      ['SMTPEmailFrom', 'pads@example.org'],
    ] as const) {
      await fixture.configure(key, value);
    }
  });
  after(async () => {
    await closeDatabase?.();
    await self.mails?.close();
  });
  beforeEach(async () => {
    const restarted = killed;
    killed = undefined;
    if (restarted) {
      await restarted.restart();
      await until('accounts can be made', () => isReady(restarted));
    }
    self.owner = await self.fixture.person('owner');
  });
  afterEach(function () {
    if (this.currentTest?.state !== 'failed' || !process.env.SHOW) return;
    for (const one of self.several.processes) console.log(one.log().slice(-4000));
  });

  async function keysWith(texts: string[]): Promise<string[]> {
    const found = await Promise.all(texts.map((text) => self.database.findKeys(`*${text}*`, null)));
    return found.flat();
  }

  return Object.assign(self, {
    async kill(process: RunningEtherpad) {
      killed = process;
      await process.kill9();
    },
    async leaderAndOther() {
      const { one, two } = self;
      let leads = [false, false];
      await until('a process does the background work', async () => {
        leads = [await isLeader(one), await isLeader(two)];
        return leads.includes(true);
      });
      return leads[0] ? [one, two] : [two, one];
    },
    async listsOf({ token }: Person) {
      const answer = await self.two.api('GET', 'group', { token });
      expect(answer.status).to.equal(200);
      return (answer.body as { value: Lists }).value;
    },
    async succeed(method, path, body, { token }, on = self.one) {
      const answer = await on.api(method, path, { token, body });
      if (answer.status !== 200)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    keysWith,
    without: (texts: string[]) =>
      until(`nothing is left of ${texts}`, async () => (await keysWith(texts)).length === 0),
  } satisfies Partial<TwoProcesses>);
}
