/** People who may only read cannot change a pad, whatever their connection sends. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Person } from '../support/hostFixture';
import { PadClient, type ServerMessage } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

describe('somebody who may only read', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();
  let group: string;
  /** A folder that `person` may read. */
  let readersFolder: string;
  let person: Person;
  /** Somebody with single pads of that folder. */
  let outsider: Person;

  before(async () => {
    group = await fixture.group(owner, { visibility: 'public' });
    person = await fixture.person('reader');
    outsider = await fixture.person('outsider');
    readersFolder = await fixture.group(owner, { readers: [person.id], allowUsersToCreatePads: true });
  });

  async function enter(padId: string, cookie = owner.cookie): Promise<PadClient> {
    const client = await PadClient.connect(etherpad, cookie);
    await client.join(padId);
    return client;
  }

  async function textOf(padId: string): Promise<string> {
    return String((await etherpad.get(`/p/${padId}/export/txt`, { cookie: owner.cookie })).body);
  }

  /** A pad with the text "first words", readonly from now on, and its read-only id. */
  async function readonlyPad(): Promise<{ pad: string; readOnlyId: string }> {
    const pad = await fixture.pad(owner, group);
    const client = await PadClient.writer(etherpad, owner.cookie, pad);
    await client.write('first words');
    client.close();
    await fixture.change(owner, `pad/${pad}`, { readonly: true });
    return { pad, readOnlyId: client.readOnlyId };
  }

  /** The pad as readers of its folder, of the pad alone and by links have it. A writer has it open. */
  async function waysToRead(pad: string): Promise<[string, string][]> {
    const byLink = async (path: string): Promise<string> =>
      (await fixture.openLink((await fixture.link(owner, path, { role: 'reader' })).secret)).cookie ?? '';
    await fixture.sharePad(owner, pad, 'reader', [outsider.login]);
    const ofFolder = await byLink(`group/${readersFolder}`);
    return [
      [pad, person.cookie],
      [pad, outsider.cookie],
      [pad, ofFolder],
      [pad, await byLink(`pad/${pad}`)],
      [await PadClient.readOnlyIdOf(etherpad, owner.cookie, pad), outsider.cookie],
    ];
  }

  /** Messages that would write if Etherpad handled them, from browsers, plugins and attackers. */
  const intrusions: Record<string, (client: PadClient) => void> = {
    'a change of the text': (client) => void client.sendChange('INTRUDER '),
    'a line of chat': (client) => client.sendChat('INTRUDER'),
    'a saved revision': (client) => client.send({ type: 'COLLABROOM', data: { type: 'SAVE_REVISION' } }),
    'a new name': (client) =>
      client.send({
        type: 'COLLABROOM',
        data: { type: 'USERINFO_UPDATE', userInfo: { name: 'INTRUDER', colorId: '#ff0000' } },
      }),
    'a removal of the pad': (client) =>
      client.send({ type: 'COLLABROOM', data: { type: 'PAD_DELETE', data: { padId: 'x' }, padId: 'x' } }),
    'a message to the others': (client) =>
      client.send({
        type: 'COLLABROOM',
        data: { type: 'CLIENT_MESSAGE', payload: { type: 'padoptions', options: {}, changedBy: 'INTRUDER' } },
      }),
    'a kind of message that nobody knows yet': (client) => client.send({ type: 'INTRUDER', data: {} }),
  };

  it('cannot change anything, whatever they send', async () => {
    const { pad, readOnlyId } = await readonlyPad();
    const witness = await enter(pad);
    const heard = witness.messages.length;
    const writable = await fixture.pad(owner, readersFolder);
    const untouched = await textOf(await fixture.pad(owner, readersFolder));
    const ways: [string, string][] = [[pad, ''], [readOnlyId, ''], ...(await waysToRead(writable))];
    for (const [id, cookie] of ways) {
      const reader = await enter(id, cookie);
      for (const intrude of Object.values(intrusions)) {
        intrude(reader);
        // The answer comes after the intrusion was handled, because messages of one connection keep their order.
        const answered = reader.next('the history', ({ type }) => type === 'CHANGESET_REQ');
        reader.send({ type: 'CHANGESET_REQ', padId: id, data: { start: 0, granularity: 1, requestID: 7 } });
        await answered;
      }
      reader.close();
      expect(await textOf(pad)).to.match(/^first words\s*$/);
      expect(await textOf(writable)).to.equal(untouched);
    }
    const news = witness.messages
      .slice(heard)
      .filter(({ data }) => !/^USER_(NEWINFO|LEAVE)$/.test(data?.type ?? ''));
    expect(JSON.stringify(witness.messages)).to.not.contain('INTRUDER');
    expect(news).to.deep.equal([]);
    witness.close();
  });

  it('cannot import, undo what others have written, or go back to an earlier version', async () => {
    const pad = await fixture.pad(owner, readersFolder);
    const writer = await enter(pad);
    const before = writer.text;
    await writer.write('first words ');
    for (const [id, cookie] of await waysToRead(pad)) {
      const form = new FormData();
      form.append('file', new Blob(['INTRUDER\n'], { type: 'text/plain' }), 'text.txt');
      const imported = await etherpad.get(`/p/${id}/import`, { method: 'POST', form, cookie });
      expect(imported.status).to.be.oneOf([401, 403]);
      const reader = await enter(id, cookie);
      expect(reader.text).to.include('first words');
      // Removes what the writer has written.
      const [length, removed] = [reader.text.length, 'first words '.length];
      reader.sendChangeset(`Z:${length.toString(36)}<${removed.toString(36)}-${removed.toString(36)}$`);
      const data = { type: 'RESTORE_REVISION', padId: id, rev: 0, author: reader.authorId };
      reader.send({ type: 'COLLABROOM', data });
      reader.send({ type: 'COLLABROOM', data: { type: 'SAVE_REVISION' } });
      const answered = reader.next('the history', ({ type }) => type === 'CHANGESET_REQ');
      reader.send({ type: 'CHANGESET_REQ', padId: id, data: { start: 0, granularity: 1, requestID: 7 } });
      await answered;
      reader.close();
    }
    expect(writer.text).to.equal(`first words ${before}`);
    expect(await textOf(pad))
      .to.contain('first words')
      .and.not.contain('INTRUDER');
    writer.close();
  });

  it('stays a reader when the connection is opened again as a reconnection', async () => {
    const { pad } = await readonlyPad();
    const reader = await PadClient.connect(etherpad, owner.cookie);
    expect(await reader.join(pad, { reconnect: true, client_rev: 0 })).to.equal('write');
    reader.text = 'first words\n';
    reader.sendChat('INTRUDER');
    const answered = reader.next('the history', ({ type }) => type === 'CHANGESET_REQ');
    reader.send({ type: 'CHANGESET_REQ', padId: pad, data: { start: 0, granularity: 1, requestID: 7 } });
    await answered;
    // Etherpad tells an editor that was open before nothing of its access, so it would go on writing.
    const told = reader.next('a new page', ({ data }) => data?.type === 'EP_MYPADS_ACCESS_CHANGED');
    for (let number = 0; number < 3; number += 1) reader.sendChange('INTRUDER ');
    await Promise.all([told, reader.gone()]);
    const loads = ({ data }: ServerMessage): boolean => data?.type === 'EP_MYPADS_ACCESS_CHANGED';
    expect(reader.messages.filter(loads)).to.have.length(1);
    expect(await textOf(pad)).to.match(/^first words\s*$/);
  });

  it('cannot have a change for one pad written into another by naming both at once', async () => {
    const { pad } = await readonlyPad();
    // With several processes, this is no different.
    const most = process.env.SEVERAL ? 5 : 20;
    for (let tries = 0; tries < most; tries++) {
      const client = await enter(await fixture.pad(owner, group), '');
      // A text of the same length as the other pad's, so that the changes would fit there too.
      await client.write('other words');
      // More changes than the host can handle before it gets the message with the other pad.
      for (let burst = 0; burst < 100; burst++) client.sendChange(`INTRUDER ${burst} `);
      // Each try names the other pad a millisecond later. Then the host has time to write into the wrong pad.
      await wait(tries);
      client.ask(pad);
      await wait(50);
      client.close();
    }
    expect(await textOf(pad)).to.match(/^first words\s*$/);
  });

  it('neither gets access nor ends the server with an invalid first message', async () => {
    const nonsense: unknown[] = [
      null,
      5,
      'text',
      [],
      { type: 'CLIENT_READY' },
      { type: 'CLIENT_READY', padId: 5 },
      { component: 'pad' },
      { component: 'pad', type: 5 },
    ];
    for (const padId of [undefined, null, {}, [], 7, '', 'x'.repeat(200), '__proto__', 'r.']) {
      for (const type of ['CLIENT_READY', 'SWITCH_TO_PAD', 'CHANGESET_REQ']) {
        const data = { start: 0, granularity: 1, requestID: 1 };
        nonsense.push({ component: 'pad', type, padId, token: 't.x', protocolVersion: 2, data });
      }
    }
    // Each message has its own connection, because the first message decides how later ones are handled.
    const clients = await Promise.all(nonsense.map(() => PadClient.connect(etherpad, owner.cookie)));
    for (const [index, client] of clients.entries()) client.sendRaw(nonsense[index]);
    // Most messages get no answer, so the test has to wait.
    await wait(500);
    for (const [index, { messages }] of clients.entries()) {
      const entered = messages.filter(({ type }) => type === 'CLIENT_VARS' || type === 'CHANGESET_REQ');
      expect(entered, JSON.stringify(nonsense[index])).to.deep.equal([]);
    }
    const other = await PadClient.writer(etherpad, owner.cookie, await fixture.pad(owner, group));
    for (const client of [...clients, other]) client.close();
  });
});
