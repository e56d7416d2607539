/** A pad that people have open in one of several processes. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { PresentAnswer } from '../../api/group/schema';
import { temporaryFolder } from '../support/app';
import { backupOf } from '../support/backup';
import { keepFilesIn, runDoctorAsync } from '../support/doctor';
import type { RunningEtherpad } from '../support/etherpad';
import { hostApi } from '../support/hostApi';
import { createFixture, type Fixture, type Person } from '../support/hostFixture';
import {
  command,
  missingForSeveral,
  type SeveralEtherpads,
  severalTimes,
  sharedPair,
  usualKind,
} from '../support/severalEtherpads';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

const refusal = 'pad is open in another process, visitor refused';
const misrouted = 'requests for one pad reach several processes';

(missingForSeveral ? describe.skip : describe)('a pad that is open in one of several processes', function () {
  this.timeout(300_000);
  let several: SeveralEtherpads;
  let [first, second]: RunningEtherpad[] = [];
  let fixture: Fixture;
  let owner: Person;
  let group: string;

  before(async function () {
    this.timeout(300_000);
    several = await sharedPair();
    [first, second] = several.processes;
    fixture = createFixture(several.processes[0]);
    owner = await fixture.person('owner');
    group = await fixture.group(owner, { visibility: 'public' });
  });
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** An editor whose websocket names the pad in its address, as in browsers. */
  const editorAt = (process: RunningEtherpad | undefined): Promise<PadClient> =>
    PadClient.connect({ ...(process as RunningEtherpad), severalProcesses: true });
  /** An editor whose websocket does not name the pad in its address. */
  const unnamedAt = (process: RunningEtherpad | undefined): Promise<PadClient> =>
    PadClient.connect(process as RunningEtherpad);

  /** Opens the pad again and again for some seconds, as an editor does that is refused. */
  async function open(
    pad: string,
    connect: () => Promise<PadClient>,
    seconds: number,
  ): Promise<PadClient | undefined> {
    for (const end = Date.now() + 1_000 * seconds; Date.now() < end; await wait(500)) {
      const client = await connect();
      const opened = client.next('CLIENT_VARS', ({ type }) => type === 'CLIENT_VARS').catch(() => undefined);
      client.ask(pad);
      if (await Promise.race([opened, client.gone(20_000).then(() => undefined)])) return client;
      expect(client.closedBy, 'an editor connects again by itself').to.equal('transport close');
    }
    return undefined;
  }

  it('moves when the proxy sends people to another one, with all that was written, if their address names it', async () => {
    const [pad, unnamed] = [await fixture.pad(owner, group), await fixture.pad(owner, group)];
    const [stays, keeps] = [await editorAt(first), await editorAt(first)];
    await keeps.join(unnamed);
    const kept = open(unnamed, () => unnamedAt(second), severalTimes.moved / 1_000 + 4);
    expect(await stays.join(pad)).to.equal('write');
    await stays.write('written in the first ');
    const early = Date.now();
    const moved = await open(pad, () => editorAt(second), 30);
    expect(moved?.text).to.include('written in the first');
    expect(Date.now() - early, 'at once').to.be.above(severalTimes.moved - 1_000);
    await stays.gone();
    expect(stays.closedBy, 'an editor connects again by itself').to.equal('transport close');
    await moved?.write('and in the second ');
    const again = await open(pad, () => editorAt(second), 5);
    expect(again?.text).to.include('and in the second');
    expect(second?.log()).to.include(refusal);
    expect(await kept, 'without the pad in the address').to.equal(undefined);
    await keeps.write('still here ');
    for (const client of [keeps, moved, again]) client?.close();
  });

  it('is opened by an editor that was turned away, as soon as it is free', async () => {
    const pad = await fixture.pad(owner, group);
    const holder = await unnamedAt(first);
    expect(await holder.join(pad)).to.equal('write');
    await holder.write('written in the first ');
    const waits = await PadClient.connect({ ...(second as RunningEtherpad), reconnects: true });
    const opened = waits.next('the pad', ({ type }) => type === 'CLIENT_VARS', 60_000);
    waits.ask(pad);
    await waits.gone();
    holder.close();
    await opened;
    await waits.write('and in the second ');
    expect(waits.text).to.include('written in the first');
    waits.close();
  });

  it('has its people counted in the lists of the others', async () => {
    const pad = await fixture.pad(owner, group);
    const counted = async (): Promise<number | undefined> => {
      const { body } = await (second as RunningEtherpad).api('GET', `group/${group}/present`, {
        token: owner.token,
      });
      return (body as PresentAnswer).value[pad]?.count;
    };
    const editors = [await editorAt(first), await editorAt(first)];
    for (const editor of editors) await editor.join(pad);
    await until('both are counted', async () => (await counted()) === 2);
    for (const editor of editors) editor.close();
    await until('nobody is counted', async () => (await counted()) === undefined);
  });

  it("is not loaded by Etherpad's own API in the wrong process, but as it is when nobody has it open", async () => {
    const pad = await fixture.pad(owner, group);
    const text = async (at: RunningEtherpad | undefined): Promise<string> =>
      ((await hostApi(at as RunningEtherpad, 'getText', { padID: pad })) as { text: string }).text;
    const editor = await editorAt(first);
    await editor.join(pad);
    await editor.write('the newest ');
    expect(await text(first)).to.include('the newest');
    const refused = await text(second).catch((error: Error) => error.message);
    expect(refused).to.match(/internal ?error/i);
    editor.close();
    await until('it is let go', async () => /the newest/.test(await text(second).catch(() => '')));
  });

  it('has its placeholders filled in when it is made of a template, whichever process is asked', async () => {
    const pad = await fixture.pad(owner, group);
    const editor = await editorAt(first);
    await editor.join(pad);
    await editor.write('{{title}}: ');
    const textOf = async (at: RunningEtherpad, padID: string): Promise<string> =>
      ((await hostApi(at, 'getText', { padID })) as { text: string }).text;
    const wanted = (await textOf(first as RunningEtherpad, pad)).replace('{{title}}', 'Agenda');
    const { token } = owner;
    const marked = await first?.api('PUT', `pad/${pad}`, { token, body: { template: true } });
    expect(marked?.status).to.equal(200);
    for (const process of several.processes) {
      const body = { name: 'Agenda', group, template: pad };
      const made = await process.api('POST', 'pad', { token, body });
      expect(made.status, JSON.stringify(made.body)).to.equal(200);
      const { key } = made.body as { key: string };
      expect(await textOf(process, key)).to.equal(wanted);
    }
    editor.close();
  });

  it('stays when people open it in two, and log and checkup say that the proxy is wrong', async () => {
    const pad = await fixture.pad(owner, group);
    const stays = await editorAt(first);
    await stays.join(pad);
    for (let count = 0; count < 2; count++) {
      expect(await open(pad, () => editorAt(second), 2)).to.equal(undefined);
      (await open(pad, () => editorAt(first), 5))?.close();
    }
    await stays.write('still here ');
    stays.close();
    await until('it is logged', () => first?.log().includes(misrouted) === true);
    const at = second as RunningEtherpad;
    const { name: login, password } = at.admin;
    const signedIn = await at.api('POST', 'auth/admin/login', { body: { login, password } });
    const { token } = signedIn.body as { token: string };
    const { body } = await at.api('GET', 'admin/checkup', { token });
    const { checks } = body as { checks: { id: string; finding: string }[] };
    expect(checks.find(({ id }) => id === 'processes')?.finding).to.equal('misrouted');
  });

  it('can be copied several times at once in another one while people write, and loses none of their changes', async () => {
    const [, other] = several.processes;
    const pad = await fixture.pad(owner, group);
    const editor = await editorAt(first);
    expect(await editor.join(pad)).to.equal('write');
    await editor.write('the beginning ');
    const { database, close } = await several.database.connect();
    const revisions: number[] = [];
    let stopped = false;
    const repeat = async (work: (count: number) => Promise<unknown>): Promise<void> => {
      for (let count = 0; !stopped; count += 1) await work(count);
    };
    const meanwhile = [
      repeat((count) => editor.write(`word${count} `)),
      repeat(async () => {
        revisions.push(((await database.get(`pad:${pad}`)) as { head: number }).head);
        await wait(5);
      }),
    ];
    const copies: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 3 }, () =>
          other.api('POST', `pad/${pad}/duplicate`, { token: owner.token, body: { name: 'A copy' } }),
        ),
      );
      expect(answers.map((answer) => answer.status)).to.deep.equal([200, 200, 200]);
      copies.push(...answers.map((answer) => (answer.body as { key: string }).key));
    }
    stopped = true;
    await Promise.all(meanwhile);
    await close();
    editor.close();
    expect(revisions).to.deep.equal(revisions.toSorted((one, other) => one - other));
    for (const copy of copies) {
      const { body } = await other.get(`/p/${copy}/export/txt`, { cookie: owner.cookie });
      expect(String(body)).to.include('the beginning');
    }
  });

  it('is not overwritten by a copy that another one makes while people write', async () => {
    const [, other] = several.processes;
    const pad = await fixture.pad(owner, group);
    const editor = await editorAt(first);
    expect(await editor.join(pad)).to.equal('write');
    await editor.write('before ');
    // If Etherpad saves the original there, it writes it only when more has been written here.
    await command(other, { do: 'holdWrites', keys: [`pad:${pad}`], host: true });
    let isCopied = false;
    const copied = other
      .api('POST', `pad/${pad}/duplicate`, { token: owner.token, body: { name: 'A copy' } })
      .finally(() => {
        isCopied = true;
      });
    await until('it is copied', async () => isCopied || command(other, { do: 'heldWrites', count: 1 }));
    await editor.write('meanwhile ');
    await command(other, { do: 'endWrites' });
    expect((await copied).status).to.equal(200);
    editor.close();
    const entered = await PadClient.enter(other, owner.cookie, pad);
    expect(entered.text).to.include('meanwhile before');
    entered.close();
  });

  // A Redis must be stopped for a restore, and other tests use this one.
  const test = usualKind === 'Redis' ? it.skip : it;
  test('is in a backup that is made while two of them write, with all that was confirmed before', async () => {
    const backup = backupOf(several.database, folder.path);
    const { processes, redis } = several;
    const target = await fixture.group(owner);
    let stopped = false;
    const repeat = async (work: (count: number) => Promise<void>): Promise<void> => {
      for (let count = 0; !stopped; count += 1) await work(count);
    };
    /** By pad: what was confirmed, the newest first. */
    const texts = new Map<string, string>();
    const moved: string[] = [];
    let renamed = -1;
    const writing = processes.flatMap((at, number) => {
      const there = createFixture(at);
      const write = async (): Promise<void> => {
        const pad = await there.pad(owner, group);
        const editor = await editorAt(at);
        expect(await editor.join(pad)).to.equal('write');
        await repeat(async (count) => {
          const word = `word${count} `;
          await editor.write(word);
          texts.set(pad, word + (texts.get(pad) ?? ''));
        });
        editor.close();
      };
      const move = (): Promise<void> =>
        repeat(async (count) => {
          if (count > 60) return void (await wait(20));
          const pad = await there.pad(owner, group, { name: 'Moved' });
          await there.change(owner, `pad/${pad}`, { group: target });
          moved.push(pad);
        });
      const rename = (): Promise<void> =>
        repeat(async (count) => {
          await there.change(owner, `group/${target}`, { name: `Name ${count}` });
          renamed = count;
        });
      return [write(), move(), ...(number === 0 ? [rename()] : [])];
    });
    await Promise.race([
      until('all of them write', () => texts.size === 2 && moved.length > 10 && renamed > 10),
      Promise.all(writing),
    ]);
    const before = { texts: [...texts], moved: [...moved], renamed };
    await backup.save();
    await until('more is written', () => moved.length > before.moved.length && renamed > before.renamed);
    stopped = true;
    await Promise.all(writing);

    await Promise.all(processes.map((one) => one.halt()));
    await redis.stop();
    await backup.restore();
    await redis.start();
    const [{ folder: host, settingsFile }] = processes;
    const kept = keepFilesIn(host.root);
    const { stdout } = await runDoctorAsync(host, settingsFile, []);
    // Changes that were under way may be there in part. Other tests kill processes that make and remove accounts.
    const findings = stdout.split('\n').filter((line) => /^ +\d+ {2}/.test(line));
    const expected =
      /groups that list|pads that their group does not list|own list of groups|usernames and addresses|sessions of deleted accounts/;
    expect(findings.filter((finding) => !expected.test(finding))).to.deep.equal([]);
    const repaired = await runDoctorAsync(host, settingsFile, ['--repair']);
    expect(repaired.code, repaired.stdout).to.equal(0);
    kept.remove();
    await Promise.all(processes.map((one) => one.restart()));
    for (const at of processes) {
      const { body } = await at.api('GET', `group/${target}`, { token: owner.token });
      const { name, pads } = (body as { value: { name: string; pads: string[] } }).value;
      expect(pads).to.include.members(before.moved);
      expect(Number(name.slice('Name '.length))).to.be.at.least(before.renamed);
    }
    for (const [pad, text] of before.texts) {
      const editor = await PadClient.enter(processes[1], owner.cookie, pad);
      expect(editor.text).to.include(text.trim());
      await editor.write('after the backup ');
      editor.close();
    }
  });

  it('is open to the others when its process has been stopped, with all that was confirmed', async () => {
    const pad = await fixture.pad(owner, group);
    const editor = await editorAt(first);
    await editor.join(pad);
    await editor.write('the last words ');
    await first?.halt();
    const there = await open(pad, () => editorAt(second), 14);
    expect(there?.text).to.include('the last words');
    there?.close();
  });
});
