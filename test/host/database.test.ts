/**
 * Etherpad's database server hangs or stops. Etherpad 1.8.14 exits with some drivers. The plugin answers errors, keeps
 * pads closed, does not end the process, and continues when the database is back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { databaseServers, type FreshServerDatabase } from '../support/databases';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createFixture, type Fixture, type Person, password } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { type SwitchedProxy, startSwitchedProxy } from '../support/switchedProxy';
import { until } from '../support/waiting';

const unavailable = 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE';

function isRunning(etherpad: RunningEtherpad): boolean {
  try {
    process.kill(etherpad.pid(), 0);
    return true;
  } catch {
    return false;
  }
}

for (const kind of databaseServers.filter(({ name }) => name !== 'Redis')) {
  describe(`an Etherpad on ${kind.name}`, function () {
    this.timeout(300_000);
    let fresh: FreshServerDatabase;
    let proxy: SwitchedProxy;
    let etherpad: RunningEtherpad;
    let fixture: Fixture;
    let owner: Person;
    let group: string;
    let warm: string;
    let cold: string;

    before(async () => {
      fresh = await kind.create();
      proxy = await startSwitchedProxy(kind.server);
      etherpad = await startEtherpad({ settings: fresh.hostSettings(proxy.port) });
      fixture = createFixture(etherpad);
      owner = await fixture.person('owner');
      group = await fixture.group(owner);
      [warm, cold] = [await fixture.pad(owner, group), await fixture.pad(owner, group)];
    });

    afterEach(() => proxy.restore());
    after(async () => {
      await etherpad.stop();
      await proxy.stop();
      await fresh.drop();
    });

    const register = (login: string) => {
      const body = { login, password, email: `${login}@example.org`, firstname: 'A', lastname: 'B' };
      return etherpad.api('POST', 'user', { body });
    };

    /** Waits until a registration succeeds: the database first processes the operations that have waited. */
    async function worksAgain(): Promise<void> {
      let tries = 0;
      await until('somebody can register', async () => {
        tries += 1;
        return (await register(`after${tries}`)).status === 200;
      });
    }

    it('that hangs: calls fail, pads are closed, and everything works again afterwards', async () => {
      // Afterwards no record is in the memory of the process.
      await etherpad.restart();
      const editor = await PadClient.writer(etherpad, owner.cookie, warm);
      await editor.write('before ');
      proxy.freeze();
      const outsider = await PadClient.connect(etherpad, owner.cookie);
      outsider.ask(cold);
      const answers = await Promise.all([
        register('meanwhile'),
        etherpad.api('POST', 'pad', { token: owner.token, body: { name: 'Meanwhile', group } }),
        etherpad.api('GET', `pad/${cold}`, { token: owner.token }),
      ]);
      for (const { status, body } of answers)
        expect([status, body]).to.deep.equal([503, { error: unavailable }]);
      const page = await etherpad.get(`/p/${cold}`, { cookie: owner.cookie, accept: 'text/html' });
      expect([page.status, String(page.body)]).to.satisfy(
        ([code, text]: [number, string]) => code === 503 && text.includes('Not available just now'),
      );
      const entered = outsider.messages.some(({ type }) => type === 'CLIENT_VARS');
      expect(entered, 'on the websocket').to.equal(false);
      expect(isRunning(etherpad)).to.equal(true);

      await proxy.restore();
      await worksAgain();
      expect((await register('meanwhile')).status, 'nobody has that login yet').to.equal(200);
      await editor.write('after ');
      const text = await etherpad.get(`/p/${warm}/export/txt`, { cookie: owner.cookie });
      expect(text.body).to.include('after before');
      expect((await etherpad.get(`/p/${cold}`, { cookie: owner.cookie })).status).to.equal(200);
      for (const client of [editor, outsider]) client.close();
    });

    it('that stops: Etherpad ends only where it also ends without the plugin, and no data is lost', async () => {
      // Afterwards only the new pad is in the memory of the process.
      await etherpad.restart();
      const made = await fixture.pad(owner, group, { name: 'Answered' });
      // Only Etherpad 1.8.14 of the tests can also be started without the plugin.
      const other = process.env.ETHERPAD ? undefined : await kind.create();
      const alone = other && (await startEtherpad({ bare: true, settings: other.hostSettings(proxy.port) }));
      await alone?.get('/p/somewhere');
      await proxy.cut();
      // With some kinds of database, Etherpad ends when it stops. Nothing shows that a process is not going to end.
      for (let tries = 0; tries < 50 && isRunning(etherpad); tries++) await wait(100);
      // On a busy machine, one of the two ends later.
      if (alone)
        await until('both have ended, or neither has', () => isRunning(etherpad) === isRunning(alone));
      // A server that is ending refuses connections while its process is still there.
      const answer = isRunning(etherpad) ? await register('later').catch(() => undefined) : undefined;
      if (answer) {
        expect([answer.status, answer.body]).to.deep.equal([503, { error: unavailable }]);
        expect((await etherpad.get(`/p/${cold}`, { cookie: owner.cookie })).status).to.equal(503);
        expect(isRunning(etherpad)).to.equal(true);
        await proxy.restore();
      } else {
        await until('Etherpad has ended', () => !isRunning(etherpad));
        const lines = etherpad.log().split('\n');
        const traced = lines.findIndex((line) => /at .*node_modules.ep_mypads./.test(line));
        const around = traced < 0 ? [] : lines.slice(Math.max(0, traced - 12), traced + 12);
        expect(around, 'no error of the plugin').to.deep.equal([]);
        await proxy.restore();
        await etherpad.restart();
      }
      await worksAgain();
      await alone?.stop();
      await other?.drop();
      const { body } = await etherpad.api('GET', 'group', { token: owner.token });
      const { groups } = (body as { value: { groups: Record<string, { pads: string[] }> } }).value;
      expect(groups[group]?.pads).to.include.members([warm, cold, made]);
    });
  });
}
