/** Several Etherpad processes behind nginx with deploy/nginx.conf: all requests for a pad reach one process. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningEtherpad } from '../support/etherpad';
import { createFixture, type Fixture, type Person } from '../support/hostFixture';
import { missingForSeveral, type SeveralEtherpads, sharedPair } from '../support/severalEtherpads';
import { PadClient } from '../support/socketClient';
import { succeeds, until } from '../support/waiting';

/** Ids of Etherpad's own pads, as they are written in a path; the websocket has them with encodeURIComponent. */
const otherIds = [
  'test',
  'a',
  '1-2',
  "it's,me!",
  'g.aB3dE5fG7hI9jK1l$name',
  '%C3%BCbung',
  '%D0%BF%D0%B0%D0%B4',
];

/** Milliseconds. Etherpad keeps what it writes for up to 100 ms, and other processes do not see it until then. */
const untilWritten = 200;

(missingForSeveral ? describe.skip : describe)('nginx in front of several processes', function () {
  this.timeout(300_000);
  let several: SeveralEtherpads;
  let first: RunningEtherpad;
  let proxy: SeveralEtherpads['behindProxy'];
  let fixture: Fixture;
  let owner: Person;
  let group: string;
  let pads: string[];

  before(async function () {
    this.timeout(300_000);
    several = await sharedPair();
    [first] = several.processes;
    proxy = several.behindProxy;
    fixture = createFixture(first);
    owner = await fixture.person('owner');
    group = await fixture.group(owner, { visibility: 'public' });
    pads = [];
    for (let count = 0; count < 8; count++) pads.push(await fixture.pad(owner, group));
  });
  afterEach(function () {
    if (this.currentTest?.state !== 'failed' || !process.env.SHOW) return;
    console.log(several.proxy.requests().slice(-12).join('\n'));
    for (const one of several.processes) console.log(one.log().slice(-3000));
  });

  async function processFor(path: string, call: Parameters<RunningEtherpad['get']>[1] = {}): Promise<number> {
    const { length } = several.processesFor(path);
    await proxy.get(path, call);
    // nginx writes its log after the answer, and there may be lines of earlier requests.
    await until(`${path} in the log of nginx`, () => several.processesFor(path).length > length);
    return several.processesFor(path).at(-1) ?? -1;
  }

  it('sends every kind of request for a pad to one process, and uses all of them', async () => {
    const used = new Set<number>();
    for (const id of [...pads.slice(0, 2), ...otherIds]) {
      const form = new FormData();
      form.append('file', new Blob(['text']), 'text.txt');
      const inQuery = encodeURIComponent(decodeURIComponent(id));
      const paths = [
        `/p/${id}`,
        `/p/${id}?showChat=false`,
        `/P/${id}`,
        `/p/${id}/timeslider`,
        `/p/${id}/export/txt`,
        `/p/${id}/0/export/txt`,
        `/socket.io/?padId=${inQuery}&EIO=${first.major === 1 ? 3 : 4}&transport=polling`,
        `/socket.io/?EIO=${first.major === 1 ? 3 : 4}&transport=polling&padId=${inQuery}`,
        `/api/1.2.1/getText?apikey=wrong&padID=${inQuery}`,
      ];
      const found = await Promise.all([
        ...paths.map(async (path) => [path, await processFor(path)] as const),
        processFor(`/p/${id}/import`, { method: 'POST', form }).then((number) => ['import', number] as const),
      ]);
      const numbers = new Set(found.map(([, number]) => number));
      expect(numbers.size, JSON.stringify(found)).to.equal(1);
      for (const number of numbers) used.add(number);
    }
    // These pads may all belong to one process by chance, or nginx may have skipped a process that was slow.
    let number = 0;
    await until('all are used', async () => {
      number += 1;
      used.add(await processFor(`/p/another-${number}`));
      return used.size === several.processes.length;
    });
  });

  it('sends a read-only id to the process of its pad', async () => {
    // Until there is a pad whose read-only id alone would lead to another process. Otherwise it may be right by chance.
    let differs = 0;
    for (let count = 0; count < 3 || (differs === 0 && count < 30); count++) {
      const pad = pads[count] ?? (await fixture.pad(owner, group));
      const writer = await PadClient.writer(proxy, owner.cookie, pad);
      const id = writer.readOnlyId;
      await wait(untilWritten);
      const reader = await PadClient.connect(proxy);
      expect(await reader.join(id)).to.equal('read');
      await writer.write(`for ${pad}`);
      await reader.sees(`for ${pad}`);
      const number = await processFor(`/p/${pad}`);
      const encoded = `%72%2e${id.slice(2)}`;
      const paths = [`/p/${id}`, `/p/${id}/export/txt`, `/p/${id}/timeslider`, `/p/${encoded}/export/txt`];
      if (first.major === 1) paths.push(`/ro/${id}`, `/RO/${encoded}`);
      for (const path of paths) expect(await processFor(path), path).to.equal(number);
      if ((await processFor(`/p/x${id.slice(2)}`)) !== number) differs += 1;
      reader.close();
      writer.close();
    }
    expect(differs).to.be.above(0);
  });

  it('keeps the key of a read-only id from visitors, and processes answer with two characters at most', async () => {
    expect((await proxy.get('/mypads/routing-key?id=r.0123')).status).to.equal(404);
    const { status, headers } = await first.get('/mypads/routing-key?id=r.0123');
    expect(status).to.equal(204);
    expect(headers.get('x-mypads-routing-key')).to.equal('23');
  });

  it('sends an editor that uses single requests instead of a websocket to one process', async () => {
    const [pad = ''] = pads;
    for (const place of [
      { ...proxy, transports: ['polling'] },
      { ...proxy, transports: ['polling', 'websocket'] },
    ]) {
      const editors = [await PadClient.connect(place, owner.cookie), await PadClient.connect(place)];
      const [writer, reader] = editors as [PadClient, PadClient];
      expect(await writer.join(pad)).to.equal('write');
      expect(await reader.join(pad)).to.equal('write');
      await writer.write('by polling ');
      await reader.sees('by polling');
      for (const editor of editors) editor.close();
    }
  });

  // 1.8.14 has no such script.
  if (process.env.ETHERPAD) {
    it('finds the script of a pad page of Etherpad 2 and 3 on the process that has it', async () => {
      for (const pad of pads.slice(0, 6)) {
        const { body } = await proxy.get(`/p/${pad}`, { accept: 'text/html', cookie: owner.cookie });
        const [script] = /[^"/]*bootstrap-[^"]+/.exec(String(body)) ?? [];
        for (let time = 0; time < 4; time++)
          expect((await proxy.get(`/${script}`)).status, script).to.equal(200);
      }
    });
  }

  it('continues with the other process when one has died, and returns to it', async () => {
    // The process that created the pads. The other one has not read them yet.
    const number = 0;
    let pad = '';
    for (const one of pads) if ((await processFor(`/p/${one}`)) === number) pad = one;
    const own = several.processes[number];
    const before = await PadClient.writer(proxy, owner.cookie, pad);
    await before.write('acknowledged ');
    await wait(untilWritten);
    await own.halt();
    await before.gone();
    // Etherpad 1.8.14 can end before it has given up its pads. Then they are free when its lease expires.
    const after = await PadClient.enter(proxy, owner.cookie, pad);
    expect(after.text).to.include('acknowledged');
    expect(await processFor(`/p/${pad}/export/txt`)).to.not.equal(number);
    after.close();
    await own.restart();
    await until('nginx uses it again', async () => (await processFor(`/p/${pad}/export/html`)) === number);
  });

  it('answers what people read while a process is suspended, and repeats no change', async () => {
    const [one, two] = several.processes;
    const groups = await Promise.all(Array.from({ length: 6 }, () => fixture.group(owner)));
    const address = new URL(one.url).host;
    // The page gives up after this time.
    const ask = (path: string, method = 'GET', body?: object): Promise<Response> =>
      fetch(`${proxy.url}/mypads/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(120_000),
      });
    /** The processes that each of eight calls was sent to. */
    const asked = async (): Promise<string[][]> => {
      const before = several.proxy.requests().length;
      for (let count = 0; count < 8; count++) expect((await ask('group')).status).to.equal(200);
      const lines = several.proxy.requests().slice(before);
      return lines.map((line) => line.split(' ').slice(3));
    };
    // The tests before have stopped it, and nginx leaves it out for a while, also when it was slow to answer.
    await until('nginx uses the process', async () =>
      (await asked()).some((tried) => tried.length === 1 && tried[0]?.includes(address)),
    );
    process.kill(one.pid(), 'SIGSTOP');
    try {
      const changes = groups.map((id) =>
        ask(`group/${id}`, 'PUT', { name: 'Changed' }).catch(() => undefined),
      );
      const reads = await Promise.all(Array.from({ length: 12 }, () => ask('group')));
      for (const { status } of reads) expect(status).to.equal(200);
      await until('nginx leaves the suspended process out', async () => {
        return !(await asked()).flat().some((tried) => tried.includes(address));
      });
      process.kill(one.pid(), 'SIGCONT');
      await Promise.all(changes);
      const written = several.proxy.requests().filter((line) => line.includes(' PUT '));
      expect(written.some((line) => line.includes(address))).to.equal(true);
      for (const line of written) expect(line.split(' ').slice(3), line).to.have.length(1);
      await until('both have all changes', async () => {
        const { body } = await two.api('GET', 'group', { token: owner.token });
        const { groups: found } = (body as { value: { groups: Record<string, { name: string }> } }).value;
        return groups.every((id) => found[id]?.name === 'Changed');
      });
    } finally {
      process.kill(one.pid(), 'SIGCONT');
    }
  });

  it('lets people write while all processes are restarted in turn, and nothing that was confirmed is lost', async () => {
    const written = new Map<string, string[]>();
    let stopped = false;
    async function type(pad: string, name: string): Promise<void> {
      const confirmed: string[] = [];
      written.set(`${pad} ${name}`, confirmed);
      for (let count = 0, editor: PadClient | undefined; !stopped; count += 1) {
        editor ??= await PadClient.enter(proxy, '', pad, 40_000);
        const word = `${name}${count}; `;
        const outcome = succeeds(editor.write(word));
        const ended = editor.gone(120_000).then(
          () => false,
          () => false,
        );
        if (await Promise.race([outcome, ended])) confirmed.push(word);
        else editor = undefined;
        if (stopped) editor?.close();
      }
    }
    const typing = pads.slice(0, 4).flatMap((pad) => ['a', 'b'].map((name) => type(pad, name)));
    const moreBy = async (count: number): Promise<void> => {
      const before = new Map([...written].map(([who, words]) => [who, words.length]));
      const all = () => [...written].every(([who, words]) => words.length >= (before.get(who) ?? 0) + count);
      await Promise.race([until('all of them write', all), Promise.all(typing)]);
    };
    await until('all of them have begun', () => written.size === 8);
    await moreBy(2);
    for (const one of several.processes) {
      await one.halt();
      const health: (number | undefined)[] = [];
      let isBack = false;
      const asking = (async () => {
        while (!isBack) {
          const { status } = await one.get('/mypads/api/cache/check').catch(() => ({ status: undefined }));
          health.push(status);
          await wait(20);
        }
      })();
      await one.restart();
      isBack = true;
      await asking;
      expect(health.at(-1)).to.equal(200);
      // Before the plugin has started, nothing else than a refusal: connections are refused first.
      const before = health.slice(0, health.indexOf(200));
      expect(before.filter((status) => status !== undefined && status !== 503)).to.deep.equal([]);
      await moreBy(2);
    }
    stopped = true;
    await Promise.all(typing);
    for (const [who, words] of written) {
      const [pad = ''] = who.split(' ');
      let text = '';
      // While nginx takes a process for ended, the other one may still have the pad.
      await until(`the text of ${pad}`, async () => {
        const { status, body } = await proxy.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
        text = String(body);
        return status === 200;
      });
      expect(
        words.filter((word) => !text.includes(word.trim())),
        who,
      ).to.deep.equal([]);
    }
  });
});
