/** `GET /mypads/metrics` for Prometheus: who may read it, and whether its numbers follow what happens. */
import { expect } from 'chai';
import type { RunningEtherpad } from '../support/etherpad';
import { changeSettingsFile, restartEtherpad } from '../support/hostAdmin';
import { password } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

/** Connects without a websocket, and sends all these packets in one request. */
async function sendByPolling({ url, major }: RunningEtherpad, packets: string[]): Promise<void> {
  const address = `${url}/socket.io/?EIO=${major === 1 ? 3 : 4}&transport=polling`;
  const { sid } = JSON.parse(/\{.*?\}/.exec(await (await fetch(address)).text())?.[0] ?? '') as {
    sid: string;
  };
  const post = async (sent: string[]): Promise<void> => {
    const body = major === 1 ? sent.map((one) => `${one.length}:${one}`).join('') : sent.join('\u001e');
    const { status } = await fetch(`${address}&sid=${sid}`, { method: 'POST', body });
    expect(status).to.equal(200);
  };
  if (major !== 1) await post(['40']);
  // The answer says that socket.io has accepted the connection.
  for (let answer = ''; !answer.includes('40'); )
    answer = await (await fetch(`${address}&sid=${sid}`)).text();
  await post(packets);
}

const token = 'a long token for the tests';

describe('metrics', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad({ settings: { ep_mypads: { metrics: { token } } } });

  async function scrape(headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
    const response = await fetch(`${etherpad.url}/mypads/metrics`, { headers });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.text(),
    };
  }

  /** The sum of all samples of a metric whose labels contain these texts. */
  async function sumOf(name: string, ...labels: string[]): Promise<number> {
    const { body } = await scrape();
    const samples = body
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => labels.every((label) => line.includes(label)));
    return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  it('are only for programs that know the token', async () => {
    const right = await scrape();
    expect(right.status).to.equal(200);
    expect(right.type).to.match(/^text\/plain;.* version=0\.0\.4/);
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${token}` },
    ];
    for (const headers of wrong) {
      const refused = await scrape(headers);
      expect(refused.status).to.equal(401);
      expect(JSON.parse(refused.body)).to.deep.equal({
        error: 'BACKEND.ERROR.AUTHENTICATION.TOKEN_INCORRECT',
      });
    }
    expect((await etherpad.get(`/mypads/metrics?token=${encodeURIComponent(token)}`)).status).to.equal(401);
  });

  it('count sign-ins and refusals', async () => {
    const person = await fixture.person('ada');
    const good = await sumOf('mypads_sign_ins_total', 'who="person"', 'result="success"');
    const bad = await sumOf('mypads_sign_ins_total', 'who="person"', 'result="refused"');
    await fixture.signIn(person.login);
    const wrong = await etherpad.api('POST', 'auth/login', { body: { login: person.login, password: 'no' } });
    expect(wrong.status).to.equal(400);
    expect(await sumOf('mypads_sign_ins_total', 'who="person"', 'result="success"')).to.equal(good + 1);
    expect(await sumOf('mypads_sign_ins_total', 'who="person"', 'result="refused"')).to.equal(bad + 1);
    const refused = ['mypads_refusals_total', 'what="call"', 'AUTHENTICATION'] as const;
    const calls = await sumOf(...refused);
    expect((await etherpad.api('GET', 'group')).status).to.equal(401);
    expect(await sumOf(...refused)).to.equal(calls + 1);
    expect(await sumOf('mypads_log_lines_total', 'message="signed in"')).to.be.at.least(good + 1);
  });

  it('count no editor whose connection has ended before its messages were handled', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    const guests = () => sumOf('mypads_open_editors', 'who="guest"');
    const before = await guests();
    const open = { component: 'pad', type: 'CLIENT_READY', padId: pad, protocolVersion: 2 };
    const opening = `42${JSON.stringify(['message', { ...open, token: PadClient.newBrowser() }])}`;
    // 41 ends the connection for socket.io, 1 for the layer below it.
    for (const packets of [
      ['41', opening],
      [opening, '1'],
    ])
      await sendByPolling(etherpad, packets);
    const editor = await PadClient.writer(etherpad, '', pad);
    expect(await guests()).to.equal(before + 1);
    editor.close();
    await until('nobody is left', async () => (await guests()) === before);
  });

  it('say how many editors are open, and how', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    const people = () => sumOf('mypads_open_editors', 'who="person"', 'mode="write"');
    const guests = () => sumOf('mypads_open_editors', 'who="guest"');
    const before = [await people(), await guests()];
    const clients = [
      await PadClient.connect(etherpad, owner.cookie),
      await PadClient.connect(etherpad),
    ] as const;
    for (const client of clients) expect(await client.join(pad)).to.equal('write');
    expect([await people(), await guests()]).to.deep.equal(before.map((count) => count + 1));
    for (const client of clients) client.close();
    await until('no editor is open', async () => (await people()) + (await guests()) === 0);
  });

  it('have durations of calls, queues, removals, totals and the process', async () => {
    const { body } = await scrape();
    expect(await sumOf('mypads_call_duration_seconds_count', 'resource="auth"', 'status="200"')).to.be.above(
      0,
    );
    for (const line of [
      /^mypads_queue_length\{queue="passwordHashing"\} 0$/m,
      /^mypads_unfinished_removals\{kind="pads"\} 0$/m,
      /^mypads_accounts [1-9]/m,
      /^mypads_folders [1-9]/m,
      /^mypads_pads [1-9]/m,
      /^nodejs_eventloop_lag_p99_seconds /m,
      /^process_resident_memory_bytes /m,
    ]) {
      expect(body).to.match(line);
    }
    const names = body.match(/^# HELP (\S+)/gm) ?? [];
    expect(new Set(names).size, 'no metric twice').to.equal(names.length);
    if (etherpad.major > 1) expect(body).to.match(/^etherpad_total_users /m);
  });

  it('contain no name, address or id', async () => {
    const group = await fixture.group(owner);
    const pad = await fixture.pad(owner, group);
    expect((await etherpad.get(`/p/${pad}`)).status).to.be.oneOf([302, 401]);
    await etherpad.api('GET', `group/${group}`);
    const { body } = await scrape();
    for (const secret of [owner.login, owner.id, owner.token, group, pad, password, '127.0.0.1']) {
      expect(body).not.to.include(secret);
    }
  });

  it('are only for programs on the same machine, or off, as the settings file says', async () => {
    await changeSettingsFile(etherpad, { ep_mypads: { metrics: 'loopback' } });
    await restartEtherpad(etherpad);
    expect((await scrape({})).status).to.equal(200);
    expect((await scrape({ 'x-forwarded-for': '127.0.0.1' })).status, 'through a proxy').to.equal(404);
    await changeSettingsFile(etherpad, { ep_mypads: { metrics: { token: 'short' } } });
    await restartEtherpad(etherpad);
    expect((await scrape({ authorization: 'Bearer short' })).status).to.equal(404);
    await until('the fault is in the log', () => /invalid, ignored .*"key":"metrics"/.test(etherpad.log()));
    await changeSettingsFile(etherpad, { ep_mypads: undefined });
    await restartEtherpad(etherpad);
    expect((await scrape()).status).to.equal(404);
  });
});
