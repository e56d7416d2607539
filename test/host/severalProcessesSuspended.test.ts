/** One of two Etherpad processes is suspended, as on a paused machine. The other one continues. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Answer } from '../support/etherpad';
import { createFixture } from '../support/hostFixture';
import { isSuspended } from '../support/processState';
import { command, missingForSeveral, severalTimes } from '../support/severalEtherpads';
import { PadClient } from '../support/socketClient';
import { type Lists, useTwoProcesses } from '../support/twoProcesses';
import { succeeds, until } from '../support/waiting';

/** Milliseconds after which a suspended process has lost its lease. */
const longerThanLease = severalTimes.lease + 2_000;

(missingForSeveral ? describe.skip : describe)('when one of several processes', function () {
  this.timeout(300_000);
  const both = useTwoProcesses();
  const { listsOf } = both;

  it('is suspended for longer than its lease, it writes nothing afterwards and disconnects its editors', async () => {
    const { one, two, fixture, owner } = both;
    const group = await fixture.group(owner);
    const member = await fixture.person('member');
    await fixture.invite(owner, group, [member.login]);
    const pad = await fixture.pad(owner, group);
    const editor = await PadClient.connect(one, owner.cookie);
    const theirs = await PadClient.connect(one, member.cookie);
    for (const client of [editor, theirs]) expect(await client.join(pad)).to.equal('write');
    await editor.write('before ');
    const calls = Array.from({ length: 20 }, (_, number) =>
      fixture.pad(owner, group, { name: `Frozen ${number}` }).catch(() => undefined),
    );
    // Suspended in the middle of these calls, while they hold locks. Nothing shows how far they are.
    await pause(40);
    process.kill(one.pid(), 'SIGSTOP');
    editor.sendChange('too late ');
    const began = Date.now();
    const there = await PadClient.enter(two, owner.cookie, pad);
    expect(there.text).to.include('before');
    await there.write('there ');
    const made: string[] = [];
    const fixtureThere = createFixture(two);
    await until('the folder can be changed', () =>
      fixtureThere.pad(owner, group, { name: 'There' }).then(
        (id) => made.push(id) > 0,
        () => false,
      ),
    );
    await fixtureThere.invite(owner, group, []);
    await pause(Math.max(0, longerThanLease - (Date.now() - began)));
    process.kill(one.pid(), 'SIGCONT');
    await Promise.all([editor.gone(), theirs.gone()]);
    const confirmed = (await Promise.all(calls)).filter((id) => id !== undefined);
    await there.write('still there ');
    await until('both agree', async () => {
      const answers = await Promise.all(
        [one, two].map(({ api }) => api('GET', `group/${group}`, { token: owner.token })),
      );
      const lists = answers.map(({ body }) => (body as { value: Lists['groups'][string] }).value);
      return JSON.stringify(lists[0]) === JSON.stringify(lists[1]);
    });
    const { groups } = await listsOf(owner);
    expect(groups[group]?.users).to.deep.equal([]);
    expect(groups[group]?.pads).to.include.members([...made, ...confirmed]);
    const { body } = await two.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    expect(String(body)).to.include('still there there before').and.not.include('too late');
    there.close();
    const back = await PadClient.enter(one, owner.cookie, pad);
    expect(back.text).to.include('still there there before').and.not.include('too late');
    back.close();
  });

  it('is suspended while people write, it overwrites nothing that the other one has written in their pads since', async () => {
    const { one, two, fixture, owner } = both;
    const group = await fixture.group(owner);
    const pads = await Promise.all(Array.from({ length: 12 }, () => fixture.pad(owner, group)));
    let stopped = false;
    // If a new person opens several editors at once, Etherpad creates an author for each and refuses all but one.
    (await PadClient.enter(one, owner.cookie, pads[0] ?? '')).close();
    const all = await Promise.all(
      pads.map(async (pad) => {
        const editor = await PadClient.writer(one, owner.cookie, pad);
        return { pad, editor, words: [] as string[] };
      }),
    );
    const typing = all.map(async ({ editor, words }) => {
      const gone = editor.gone(120_000).then(() => false);
      while (!stopped) {
        const word = `here ${words.length} `;
        const isConfirmed = succeeds(editor.write(word));
        if (!(await Promise.race([isConfirmed, gone]))) return;
        words.push(word);
      }
    });
    await Promise.race([
      until('all of them write', () => all.every(({ words }) => words.length > 3)),
      Promise.all(typing),
    ]);
    // Suspended when Etherpad is about to write a change, and none is on its way to the database server, which would
    // still write it: Etherpad writes one bulk after the other.
    // The answer comes when it goes on: Etherpad may write the session of this request together with a change.
    const told = command(one, { do: 'suspendAtWrite', keys: pads.map((pad) => `pad:${pad}`) });
    await until('it is suspended', () => isSuspended(one.pid()));
    stopped = true;
    const there = await Promise.all(pads.map((pad) => PadClient.enter(two, owner.cookie, pad, 40_000)));
    for (const word of ['there 1 ', 'there 2 ']) await Promise.all(there.map((editor) => editor.write(word)));
    process.kill(one.pid(), 'SIGCONT');
    await Promise.all([told, ...all.map(({ editor }) => editor.gone())]);
    await Promise.all(typing);
    await until('it works again', async () => {
      const { status } = await one.api('GET', 'group', { token: owner.token });
      return status === 200;
    });
    for (const editor of there) editor.close();
    const wrong: string[] = [];
    const check = async ({ pad, words }: (typeof all)[0]): Promise<void> => {
      const back = await PadClient.enter(one, owner.cookie, pad, 40_000);
      // The last word may have been stored without being confirmed.
      const expected = ['there 2 ', 'there 1 ', ...words.toReversed()].join('').trim();
      const found = back.text.replace(`here ${words.length} `, '');
      if (!found.startsWith(expected)) wrong.push(`${pad}: ${expected} is now ${back.text.slice(0, 80)}`);
      // The last revision of the history must have the same text.
      const { body } = await one.get(`/p/${pad}/${back.lastRevision}/export/txt`, { cookie: owner.cookie });
      if (String(body).trim() !== back.text.trim()) wrong.push(`${pad}: ${String(body).slice(0, 80)}`);
      back.close();
    };
    await Promise.all(all.map(check));
    expect(wrong).to.deep.equal([]);
  });

  it('is suspended, calls about the pads that it has are refused within two seconds, and succeed when it continues', async () => {
    const { one, two, fixture, owner } = both;
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const editor = await PadClient.writer(one, owner.cookie, pad);
    await editor.write('here ');
    const { token, cookie } = owner;
    const calls: Record<string, () => Promise<Answer>> = {
      copy: () => two.api('POST', `pad/${pad}/duplicate`, { token, body: { name: 'A copy' } }),
      'removal of the chat': () => two.api('DELETE', `pad/chathistory/${pad}`, { token }),
      export: () => two.get(`/p/${pad}/export/txt`, { cookie }),
    };
    const callAll = (): Promise<unknown[]> =>
      Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const { status, body } = await call();
          return [name, status, (body as { error?: string }).error];
        }),
      );
    process.kill(one.pid(), 'SIGSTOP');
    const refused = await callAll().finally(() => process.kill(one.pid(), 'SIGCONT'));
    const busy = 'BACKEND.ERROR.SERVER.BUSY';
    expect(refused).to.deep.equal(Object.keys(calls).map((name) => [name, 503, busy]));
    await editor.write('still here ');
    editor.close();
    for (const [name, call] of Object.entries(calls))
      await until(`${name} succeeds`, async () => (await call()).status === 200);
  });

  it('is suspended in the middle of a write, it does not overwrite what the other one has written since', async () => {
    const { one, two, fixture, owner } = both;
    const group = await fixture.group(owner, { name: 'Before' });
    await command(one, { do: 'holdWrites', keys: [`mypads:group:${group}`] });
    const body = { name: 'Too late' };
    const late = one.api('PUT', `group/${group}`, { token: owner.token, body });
    await until('it is about to write', () => command(one, { do: 'heldWrites', count: 1 }));
    process.kill(one.pid(), 'SIGSTOP');
    const there = createFixture(two);
    await until('the other one may write', () =>
      succeeds(there.change(owner, `group/${group}`, { name: 'There' })),
    );
    process.kill(one.pid(), 'SIGCONT');
    await until(
      'it works again',
      async () => (await one.api('GET', 'user', { token: owner.token })).status < 500,
    );
    await command(one, { do: 'endWrites' });
    expect((await late).status).to.equal(503);
    const record = (await both.database.get(`mypads:group:${group}`)) as { name: string };
    expect(record.name).to.equal('There');
    await until('it writes again', async () => {
      const answer = await one.api('PUT', `group/${group}`, { token: owner.token, body: { name: 'After' } });
      return answer.status === 200;
    });
  });

  it('has a clock that jumps by minutes, its editors stay, and both go on with different clocks', async () => {
    const { one, two, fixture, owner } = both;
    const group = await fixture.group(owner);
    const [pad, elsewhere] = [await fixture.pad(owner, group), await fixture.pad(owner, group)];
    const editor = await PadClient.writer(one, owner.cookie, pad);
    let written = '';
    let stopped = false;
    const typing = (async () => {
      for (let count = 0; !stopped; count += 1) {
        const word = `word${count} `;
        await editor.write(word);
        written = word + written;
      }
    })();
    const minutes = 5 * 60_000;
    for (const ahead of [minutes, 2 * minutes, minutes]) {
      const before = written;
      await command(one, { do: 'wallClock', ahead });
      await Promise.race([until('more is written', () => written.length > before.length + 50), typing]);
    }
    stopped = true;
    await typing;
    expect(editor.closed).to.equal(false);
    const there = await PadClient.enter(two, owner.cookie, elsewhere);
    await there.write('there ');
    there.close();
    const late = await PadClient.connect(two, owner.cookie);
    expect(await late.tryJoin(pad)).to.equal('disconnected');
    for (const at of [one, two]) await createFixture(at).change(owner, `group/${group}`, { name: 'After' });
    editor.close();
    const moved = await PadClient.enter(two, owner.cookie, pad);
    expect(moved.text.startsWith(written.trim())).to.equal(true);
    moved.close();
    await command(one, { do: 'wallClock', ahead: 0 });
  });
});
