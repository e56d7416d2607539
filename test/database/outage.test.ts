/** The database server stops or hangs while people work: what people are told, and what is stored afterwards. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { databaseServers, type FreshServerDatabase } from '../support/databases';
import { buildGroup, buildPad, buildUser, signIn, type TestUser } from '../support/factories';
import { type SwitchedProxy, startSwitchedProxy } from '../support/switchedProxy';
import { until } from '../support/waiting';

const unavailable = 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE';
const timeLimit = 1_500;

const losses = [
  { how: 'is gone', lose: (proxy: SwitchedProxy) => proxy.cut() },
  { how: 'hangs', lose: async (proxy: SwitchedProxy) => proxy.freeze() },
] as const;

for (const kind of databaseServers) {
  describe(`when ${kind.name}`, () => {
    let fresh: FreshServerDatabase;
    let proxy: SwitchedProxy;
    let app: TestApp;
    let owner: TestUser;
    let group: string;
    let pad: string;
    let call: Call;

    const start = () => startApp({ connect: () => fresh.connect(proxy.port), databaseTimeLimit: timeLimit });

    beforeEach(async () => {
      fresh = await kind.create();
      proxy = await startSwitchedProxy(kind.server);
      app = await start();
      owner = await buildUser(app);
      const made = await buildGroup(app, owner, { name: 'Before' });
      group = made._id;
      pad = (await buildPad(app, owner, made))._id;
      call = callerOf(app, owner.token);
    });

    afterEach(async () => {
      await proxy.restore();
      await app.close();
      await proxy.stop();
      await fresh.drop();
    });

    /** Waits until all failed writes are rolled back. */
    async function takenBack(): Promise<void> {
      await until('they are rolled back', () =>
        app.ports.lines.some(({ message }) => message.includes('rolled back')),
      );
    }

    /** All records of the plugin, as another program reads them. */
    async function stored(): Promise<Map<string, unknown>> {
      const { database, close } = await fresh.connect();
      const keys = (await database.findKeys('mypads:*', null)).filter((key) => key.startsWith('mypads:'));
      const values = await Promise.all(keys.map((key) => database.get(key)));
      await close();
      return new Map(keys.map((key, index) => [key, values[index]]));
    }

    /** Records that the server reads differently from another program. Waits for some seconds until there are none. */
    async function differences(): Promise<string[]> {
      let found: string[] = [];
      for (let tries = 0; tries < 100; tries++) {
        const truth = await stored();
        const believed = await app.ports.database.findKeys('mypads:*', null);
        found = [];
        for (const key of new Set([...truth.keys(), ...believed])) {
          const value = (await app.ports.database.get(key)) ?? undefined;
          if (JSON.stringify(value) !== JSON.stringify(truth.get(key))) found.push(key);
        }
        if (found.length === 0) return found;
        await wait(100);
      }
      return found;
    }

    /** Retries `ask`, because some drivers notice only at the next query that their old connections have ended. */
    async function atLast<Result>(ask: () => Promise<Result>): Promise<Result> {
      for (let tries = 0; tries < 20; tries++) {
        try {
          return await ask();
        } catch {
          await wait(100);
        }
      }
      return ask();
    }

    const root = { login: 'root', password: 'rootroot' };
    const credentials = (login: string) => ({ login, password: owner.password });
    const fresher = { login: 'fresh', password: 'long enough', email: 'fresh@example.org' };
    type Change = [what: string, change: () => ReturnType<Call>];
    const changes = (): Change[] => [
      ['making a group', () => call('post', 'group', { name: 'New' })],
      ['changing a group', () => call('put', `group/${group}`, { name: 'After' })],
      ['making a pad', () => call('post', 'pad', { name: 'New', group })],
      ['removing a chat', () => call('delete', `pad/chathistory/${pad}`)],
      ['removing a pad', () => call('delete', `pad/${pad}`)],
      ['registering', () => callerOf(app)('post', 'user', fresher)],
      ['changing the profile', () => call('put', `user/${owner.login}`, { firstname: 'After' })],
      ['signing in', () => callerOf(app)('post', 'auth/login', credentials(owner.login))],
      ['signing in as an unknown', () => callerOf(app)('post', 'auth/login', credentials('nobody'))],
      ['a server administrator', () => callerOf(app)('post', 'auth/admin/login', root)],
      ['a bookmark', () => call('post', 'usermark', { type: 'groups', key: group })],
    ];
    const signingOut = (): Change => ['signing out', () => call('post', 'auth/logout')];

    for (const { how, lose } of losses) {
      it(`${how}, every call fails in time, and nothing was stored when it is back`, async () => {
        const before = await stored();
        await lose(proxy);
        const expectFailure = async ([what, change]: Change): Promise<void> => {
          const { status, body } = await change();
          expect([status, body], what).to.deep.equal([503, { error: unavailable }]);
        };
        await Promise.all(changes().map(expectFailure));
        // Alone, because calls of a session that is ending are refused.
        await expectFailure(signingOut());
        expect(JSON.stringify(app.ports.lines)).to.include('database unavailable');
        await proxy.restore();
        await takenBack();
        expect(await differences()).to.deep.equal([]);
        expect(Object.fromEntries(await stored())).to.deep.equal(Object.fromEntries(before));
        for (const [what, change] of [...changes(), signingOut()]) {
          const expected = what.includes('unknown') ? 400 : 200;
          expect((await change()).status, `${what} afterwards`).to.equal(expected);
        }
      });

      it(`${how}, nobody can open a pad whose rights are unknown`, async () => {
        await app.close();
        app = await start();
        const { padAccess } = app.model;
        await lose(proxy);
        const refused = (attempt: Promise<unknown>) => attempt.catch((error: Error) => error.message);
        expect(await refused(padAccess.visitor(owner.entryToken))).to.equal(unavailable);
        const guest = { actor: { kind: 'guest', unlocked: () => false } } as const;
        expect(await refused(padAccess.decide(pad, guest))).to.equal(unavailable);
        await proxy.restore();
        const visitor = await atLast(() => padAccess.visitor(owner.entryToken));
        expect((await padAccess.decide(pad, visitor)).entry).to.equal('write');
      });

      it(`${how} at the start, the start fails in time and succeeds later`, async () => {
        await app.close();
        const connection = await fresh.connect(proxy.port);
        await lose(proxy);
        const connect = async () => ({ ...connection, close: async () => undefined });
        const options = { connect, databaseTimeLimit: timeLimit };
        const error = await startApp(options).catch((reason: Error) => reason);
        expect(error).to.have.property('message', unavailable);
        await proxy.restore();
        app = await startApp(options);
        await signIn(app, owner.login, owner.password);
        await app.close();
        await connection.close();
        app = await start();
      });

      it(`${how} in the middle of work, confirmed changes are stored, and the server agrees with the database`, async () => {
        const made: string[] = [];
        let lost = false;
        const worker = async (number: number): Promise<void> => {
          for (let count = 0; !lost; count++) {
            const name = `${number}-${count}`;
            const answer = await (count % 2 === 0
              ? call('post', 'pad', { name, group })
              : call('put', `group/${group}`, { description: name }));
            if (answer.status === 200 && count % 2 === 0) made.push(answer.body.key);
            if (answer.status !== 200) expect(answer.body).to.deep.equal({ error: unavailable });
          }
        };
        const work = Array.from({ length: 5 }, (_, number) => worker(number));
        await wait(1_000);
        await lose(proxy);
        lost = true;
        await Promise.all(work);
        await proxy.restore();
        await takenBack();
        expect(await differences()).to.deep.equal([]);
        await app.close();
        app = await start();
        const { value } = (await callerOf(app, owner.token)('get', 'group').expect(200)).body;
        expect(made.length).to.be.greaterThan(0);
        expect(value.groups[group].pads).to.include.members(made);
      });
    }
  });
}
