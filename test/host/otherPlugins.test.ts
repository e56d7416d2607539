/** Other plugins: through them, people can read and write only what they may read and write in the pad. */
import { expect } from 'chai';
import { signInAtAdmin } from '../support/etherpad';
import type { Person } from '../support/hostFixture';
import { connectNamespace } from '../support/namespaceClient';
import { PadClient } from '../support/socketClient';
import { installTestPlugin, notesPlugin } from '../support/testPlugins';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

interface Taken {
  notes: { padId: string; text: string }[];
  titles: { padId: string; text: string }[];
  signals: string[];
}

describe('a plugin beside ours that checks nothing', function () {
  this.timeout(300_000);
  let removePlugin: (() => void) | undefined;
  const { etherpad, fixture, owner } = useEtherpad({
    async beside(folder) {
      removePlugin = await installTestPlugin(folder, notesPlugin);
    },
  });
  after(() => removePlugin?.());
  let member: Person;
  let outsider: Person;
  let group: string;

  before(async () => {
    [member, outsider] = [await fixture.person('member'), await fixture.person('outsider')];
    group = await fixture.group(owner);
    await fixture.invite(owner, group, [member.login]);
  });

  const notesOf = (cookie = '') => connectNamespace(etherpad, '/notes', { cookie, events: ['added'] });
  const taken = async () => (await etherpad.get('/test-notes')).body as Taken;

  it('serves members', async () => {
    const padId = await fixture.pad(owner, group);
    const notes = await notesOf(member.cookie);
    expect(await notes.ask('addNote', { padId, text: 'of the member' })).to.equal('of the member');
    expect(await notes.ask('getNotes', { padId })).to.deep.equal(['of the member']);
    notes.close();
  });

  it('tells people without access nothing and takes nothing from them', async () => {
    const padId = await fixture.pad(owner, group);
    const own = await notesOf(owner.cookie);
    await own.ask('addNote', { padId, text: 'secret' });
    for (const cookie of ['', outsider.cookie]) {
      const notes = await notesOf(cookie);
      expect(await notes.ask('getNotes', { padId })).to.equal(undefined);
      expect(await notes.ask('addNote', { padId, text: 'INTRUDER' })).to.equal(undefined);
      notes.send('addByName', padId, { text: 'INTRUDER' });
      expect(await notes.ask('getNotes', { deep: { padId } })).to.equal(undefined);
      notes.close();
    }
    expect(await own.ask('getNotes', { padId })).to.deep.equal(['secret']);
    own.close();
  });

  it('cannot be used for another pad than the first', async () => {
    const padId = await fixture.pad(owner, group);
    const open = await fixture.group(outsider, { visibility: 'public' });
    const ownPad = await fixture.pad(outsider, open);
    const notes = await notesOf(outsider.cookie);
    expect(await notes.ask('getNotes', { padId: ownPad })).to.deep.equal([]);
    expect(await notes.ask('addNote', { padId, text: 'INTRUDER' })).to.equal(undefined);
    expect(await notes.ask('addByName', padId, { padId: ownPad, text: 'INTRUDER' })).to.equal(undefined);
    expect(await notes.ask('getNotes', { padId: ownPad })).to.deep.equal([]);
    notes.close();
    expect((await taken()).notes.filter(({ text }) => text === 'INTRUDER')).to.deep.equal([]);
  });

  it('lets readers read and not write', async () => {
    const padId = await fixture.pad(owner, group);
    const writer = await notesOf(owner.cookie);
    await writer.ask('addNote', { padId, text: 'before' });
    writer.close();
    await fixture.change(owner, `pad/${padId}`, { readonly: true });
    const reader = await notesOf(member.cookie);
    expect(await reader.ask('addNote', { padId, text: 'INTRUDER' })).to.equal(undefined);
    expect(await reader.ask('getNotes', { padId })).to.deep.equal(['before']);
    reader.close();
  });

  it('lets people with a single pad and guests by link do what their role says, and nothing else', async () => {
    const [padId, other] = [await fixture.pad(owner, group), await fixture.pad(owner, group)];
    for (const id of [padId, other]) {
      const own = await notesOf(owner.cookie);
      await own.ask('addNote', { padId: id, text: 'before' });
      own.close();
    }
    for (const role of ['reader', 'writer']) {
      const single = await fixture.person('single');
      await fixture.sharePad(owner, padId, role, [single.login]);
      const { secret } = await fixture.link(owner, `pad/${padId}`, { role });
      const cookies = [single.cookie, (await fixture.openLink(secret)).cookie ?? ''];
      for (const cookie of cookies) {
        const notes = await notesOf(cookie);
        const added = await notes.ask('addNote', { padId, text: `by a ${role}` });
        expect(added).to.equal(role === 'writer' ? 'by a writer' : undefined);
        expect(await notes.ask('getNotes', { padId })).to.include('before');
        notes.close();
        const elsewhere = await notesOf(cookie);
        const asked = [{ padId: other }, { padId: other, text: 'INTRUDER' }];
        const answers = [elsewhere.ask('getNotes', asked[0]), elsewhere.ask('addNote', asked[1])];
        expect(await Promise.all(answers)).to.deep.equal([undefined, undefined]);
        elsewhere.close();
        const status = async (id: string, method = 'GET') =>
          (await etherpad.get(`/test-public/${id}`, { cookie, method })).status;
        expect(await status(padId)).to.equal(200);
        expect((await status(padId, 'POST')) === 200).to.equal(role === 'writer');
        expect(await status(other)).to.be.oneOf([401, 403]);
      }
    }
    const ofOther = (await taken()).notes.filter((note) => note.padId === other);
    expect(ofOther.map(({ text }) => text)).to.deep.equal(['before']);
  });

  it('sees whom a proxy names only on connections of the proxy', async () => {
    const headers = { 'Remote-User': 'admin' };
    /** Whom the plugin sees on connections to the editor and to its namespace, and in a request. */
    async function seen(): Promise<unknown[]> {
      await etherpad.get('/test-named');
      const sockets = [
        await connectNamespace(etherpad, '/', { headers }),
        await connectNamespace(etherpad, '/notes', { headers }),
      ];
      const answer = await fetch(`${etherpad.url}/test-named`, { headers });
      for (const socket of sockets) socket.close();
      return answer.json();
    }
    expect(new Set(await seen()), 'no proxy is set up').to.deep.equal(new Set(['admin']));
    await fixture.configure('authHeaderSettings', { name: 'Authelia', proxies: ['192.0.2.1'] });
    await fixture.configure('authMethods', ['header']);
    const foreign = await seen();
    expect([foreign.length >= 3, new Set(foreign)]).to.deep.equal([true, new Set(['nobody'])]);
    await fixture.configure('authHeaderSettings', { name: 'Authelia', proxies: ['127.0.0.1'] });
    expect(new Set(await seen()), 'from the proxy').to.deep.equal(new Set(['admin']));
    await fixture.configure('authMethods', []);
  });

  it('loses a connection with the access of its person', async () => {
    const padId = await fixture.pad(owner, group);
    const [own, lost] = [await notesOf(owner.cookie), await notesOf(member.cookie)];
    await own.ask('getNotes', { padId });
    await lost.ask('getNotes', { padId });
    await fixture.invite(owner, group, []);
    await until('the connection is closed', () => !lost.isConnected());
    await own.ask('addNote', { padId, text: 'afterwards' });
    await until('the others hear of it', () => own.heard('added').length > 0);
    expect(lost.heard('added')).to.deep.equal([]);
    own.close();
    await fixture.invite(owner, group, [member.login]);
  });

  it('gets no message from readers, and none about another pad', async () => {
    const [padId, other] = [await fixture.pad(owner, group), await fixture.pad(owner, group)];
    const send = async (client: PadClient, about: string, title: string) => {
      client.send({ type: 'COLLABROOM', data: { type: 'title', padId: about, title } });
      // The answer comes after the title was handled, because messages of one connection keep their order.
      const answered = client.next('the history', ({ type }) => type === 'CHANGESET_REQ');
      client.send({ type: 'CHANGESET_REQ', padId, data: { start: 0, granularity: 1, requestID: 7 } });
      await answered;
    };
    const writer = await PadClient.writer(etherpad, member.cookie, padId);
    await send(writer, padId, 'ours');
    await send(writer, other, 'INTRUDER');
    writer.close();
    await fixture.change(owner, `pad/${padId}`, { readonly: true });
    const reader = await PadClient.connect(etherpad, member.cookie);
    expect(await reader.join(padId)).to.equal('read');
    await send(reader, padId, 'INTRUDER');
    reader.close();
    expect((await taken()).titles).to.deep.equal([{ padId, text: 'ours' }]);
  });

  it('gets events beside the messages only from those who may write', async () => {
    const padId = await fixture.pad(owner, group);
    const stranger = await connectNamespace(etherpad, '/');
    stranger.send('signal', { padId });
    const writer = await PadClient.writer(etherpad, owner.cookie, padId);
    writer.sendPacket(`2["signal",{"padId":"${padId}"}]`);
    await until('the signal of the writer', async () => (await taken()).signals.length > 0);
    stranger.close();
    writer.close();
    expect((await taken()).signals).to.deep.equal([padId]);
  });

  it('shows a pad at an address of its own only to people who may open the pad', async () => {
    const padId = await fixture.pad(owner, group);
    const readOnlyId = await PadClient.readOnlyIdOf(etherpad, owner.cookie, padId);
    const ask = async (path: string, cookie = '', method = 'GET'): Promise<number> =>
      (await etherpad.get(`/test-public${path}`, { cookie, method })).status;
    const named = [
      `/${padId}`,
      `/${encodeURIComponent(padId).replace('-', '%2D')}`,
      `/${padId}.html`,
      `/${padId.slice(0, 2)}..${padId.slice(2)}`,
      `/${padId}%3Fmore`,
      `/text/${padId}`,
      `/${readOnlyId}`,
      `?padId=${padId}`,
    ];
    for (const path of named) {
      for (const cookie of ['', outsider.cookie])
        expect(await ask(path, cookie), path).to.be.oneOf([401, 403]);
      expect(await ask(path, member.cookie), path).to.equal(200);
    }
    await fixture.change(owner, `pad/${padId}`, { readonly: true });
    expect(await ask(`/${padId}`, member.cookie)).to.equal(200);
    expect(await ask(`/${padId}`, member.cookie, 'POST')).to.be.oneOf([401, 403]);
    expect(await ask('/a-pad-of-etherpad')).to.equal(200);
    expect(await ask(`/${Array.from({ length: 40 }, (_, index) => index).join(',')}`)).to.equal(400);
  });

  it('opens its part of the administration to administrators only', async () => {
    const stranger = await connectNamespace(etherpad, '/pluginfw/admin/notes', { cookie: owner.cookie });
    expect(await stranger.ask('list')).to.equal(undefined);
    stranger.close();
    // 2.x and 3.x give the session only to the namespaces of Etherpad itself.
    if (etherpad.major > 1) return;
    const cookie = await signInAtAdmin(etherpad, etherpad.admin.name, etherpad.admin.password);
    const admin = await connectNamespace(etherpad, '/pluginfw/admin/notes', { cookie });
    expect(await admin.ask('list')).to.be.an('array');
    admin.close();
  });
});
