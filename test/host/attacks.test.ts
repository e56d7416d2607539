/**
 * Attacks through the editor. Without the plugin, Etherpad 1.8.14 writes the records of an imported file unchecked,
 * opens parts of a pad as pads, and exits or loops forever at an unexpected message.
 */
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { temporary, useAttackedEtherpad } from '../support/attackedEtherpad';
import { checkEach } from '../support/cases';
import type { Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

const author = 'token=t.AAAAAAAAAAAAAAAAAAAA';

const isUpload = (name: string): boolean => name.endsWith('.etherpad');

describe('attacks on the editor', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useAttackedEtherpad();

  async function padWith(text: string, visibility = 'restricted'): Promise<string> {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility }));
    const writer = await PadClient.writer(etherpad, owner.cookie, pad);
    await writer.write(text);
    await writer.say(`chat of ${text}`);
    writer.close();
    return pad;
  }

  async function mustLive(): Promise<void> {
    const { status } = await etherpad.api('GET', 'cache/check');
    expect(status).to.equal(200);
  }

  function importInto(pad: string, records: unknown, cookie: string) {
    const form = new FormData();
    form.set('file', new Blob([JSON.stringify(records)]), 'export.etherpad');
    return etherpad.get(`/p/${encodeURIComponent(pad)}/import`, { method: 'POST', form, cookie });
  }

  describe('requests for a part of a pad as if it were a pad', () => {
    it('get nothing, and change nothing', async () => {
      const pad = await padWith('a secret. ');
      const parts = ['revs', 'revs:0', 'revs:1', 'chat:0'];
      await checkEach(
        parts.map((part) => [part, `${pad}:${part}`] as const),
        async (id) => {
          const client = await PadClient.connect(etherpad);
          const standing = await client.join(id);
          // Later versions open a pad of another name, with `_` for the colon.
          if (etherpad.major === 1) expect(standing).to.equal('refused');
          expect(client.text).not.to.contain('secret');
          client.close();
          await importInto(id, { 'pad:x:1': { changeset: 'Z:1>1*0+1$x', meta: {} } }, author);
          const file = await etherpad.get(`/p/${encodeURIComponent(id)}/export/etherpad`, { cookie: author });
          expect(JSON.stringify(file.body)).not.to.contain('secret');
          const before = await etherpad.get(`/p/${pad}/1/export/txt`, { cookie: owner.cookie });
          expect(before.body).to.contain('a secret.');
        },
      );
    });
  });

  it('cannot make pads with the ids `.` and `..`, whose address no browser can open', async () => {
    for (const id of ['.', '..']) {
      const client = await PadClient.connect(etherpad);
      expect(await client.join(id), id).to.equal('refused');
      client.close();
    }
  });

  describe('imports of invalid records', () => {
    async function forge(pad: string, kind: string, ofWhom: string, cookie: string): Promise<string> {
      const { token, login } = await fixture.person('forger');
      const [, claims = ''] = token.split('.');
      const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString());
      await etherpad.api('POST', 'auth/logout', { token });
      const now = Date.now();
      const session = {
        _id: jti,
        kind,
        owner: ofWhom,
        created: now,
        lastSeen: now,
        browser: '',
        unlocked: {},
      };
      await importInto(pad, { [`mypads:session:${jti}`]: { ...session, padIDs: {} } }, cookie);
      // In case Etherpad stores records of the file after its answer.
      await wait(200);
      expect(login).not.to.equal(owner.login);
      return token;
    }

    const small = {
      'pad:x': {
        atext: { text: 'x\n', attribs: '|1+2' },
        pool: { numToAttrib: {}, nextNum: 0 },
        head: 0,
        chatHead: -1,
      },
      'pad:x:revs:0': { changeset: 'Z:1>1+1$x', meta: { author: '', timestamp: 1 } },
    };

    it('do not make a server administrator', async () => {
      const pad = await padWith('words', 'public');
      const token = await forge(pad, 'admin', 'admin', author);
      expect((await etherpad.api('GET', 'all-users', { token })).status).to.equal(401);
    });

    it('do not take over another author, in a pad of Etherpad either', async () => {
      const token = await forge('a-pad-of-nobody', 'user', owner.id, author);
      expect((await etherpad.api('GET', `user/${owner.login}`, { token })).status).to.equal(401);
    });

    it('of a broken file show the error of the editor, and a valid file can be imported afterwards', async () => {
      const pad = await padWith('words', 'public');
      const form = new FormData();
      form.set('file', new Blob(['{"pad:x": ']), 'export.etherpad');
      const broken = await etherpad.get(`/p/${pad}/import`, { method: 'POST', form, cookie: author });
      expect([broken.status, broken.body]).to.deep.equal([
        400,
        { code: 1, message: 'uploadFailed', data: {} },
      ]);
      const file = await etherpad.get(`/p/${await padWith('brought along', 'public')}/export/etherpad`);
      const good = await importInto(pad, JSON.parse(String(file.body)), author);
      expect([good.status, good.body]).to.deep.equal([
        200,
        { code: 0, message: 'ok', data: { directDatabaseAccess: true } },
      ]);
      expect((await etherpad.get(`/p/${pad}/export/txt`)).body).to.match(/^brought along/);
    });

    it('leave no uploaded text in the folder for temporary files, refused or not', async () => {
      const pad = await padWith('words', 'public');
      const file = await etherpad.get(`/p/${await padWith('brought along', 'public')}/export/etherpad`);
      expect((await importInto(pad, JSON.parse(String(file.body)), author)).status).to.equal(200);
      expect((await importInto(pad, { ...small, 'pad:y': small['pad:x'] }, author)).status).to.equal(400);
      await until('the uploads are gone', () => !readdirSync(temporary).some(isUpload));
    });

    const invalid: unknown[] = [
      null,
      5,
      [],
      { 'pad:x': 5 },
      { 'pad:x': { pool: {} } },
      { 'pad:x': { pool: { numToAttrib: { 0: null } } } },
      { 'pad:x': { atext: { text: 'x\n', attribs: '|1+1' }, pool: { numToAttrib: {} }, head: 1e15 } },
      { 'pad:x': { id: 'y', atext: { text: 'x\n', attribs: '|1+1' }, pool: { numToAttrib: {} }, head: 0 } },
      { 'globalAuthor:a.x': { padIDs: {}, pool: {} } },
      { 'pad:x:chat:0': { text: 'x', pool: {} } },
      { 'globalAuthor:a.x': null },
      { ...small, 'globalAuthor:a.x': { colorId: '#fff}</style><script>', padIDs: 'x' } },
      { 'pad:x:revs:0': { changeset: 5 } },
      { 'pad2readonly:x': { padIDs: {} } },
      {},
      { 'globalAuthor:a.x': { padIDs: 'x' } },
      { ...small, 'pad:y': small['pad:x'] },
      { ...small, 'pad:y:revs:0': small['pad:x:revs:0'] },
      { ...small, 'pad:x:revs:1': small['pad:x:revs:0'] },
      { ...small, 'pad:x': { ...small['pad:x'], atext: { text: 'x\n', attribs: '|zzzzzz+zzzzzz' } } },
      { ...small, 'pad:x': { ...small['pad:x'], atext: { text: 'xy', attribs: '+2' } } },
      { ...small, 'pad:x:revs:0': { changeset: 'Z:1>zzzzzz*0+zzzzzz$x', meta: {} } },
      { ...small, 'pad:x:revs:0': { changeset: 'Z:1>1*0|zzzzzz=zzzzzz+1$x', meta: {} } },
      { ...small, 'pad:x:revs:0': { changeset: 'Z:9>1+1$x', meta: {} } },
      { ...small, 'pad:x:revs:0': { changeset: 'Z:1>2+2$xx', meta: {} } },
      {
        ...small,
        'pad:x': { ...small['pad:x'], head: 1 },
        'pad:x:revs:1': { changeset: 'Z:3<1-1$', meta: {} },
      },
      {
        ...small,
        'pad:x:revs:0': {
          changeset: 'Z:1>1+1$x',
          meta: { atext: { text: 'x\n', attribs: '|zzzzzz+zzzzzz' } },
        },
      },
    ];
    it('do not end the server, and change nothing', async () => {
      const pad = await padWith('words', 'public');
      const cases = invalid.map((records) => [JSON.stringify(records), records] as const);
      await checkEach(cases, async (records) => {
        const { status, body } = await importInto(pad, records, author);
        expect([status, body]).to.deep.equal([400, { code: 1, message: 'uploadFailed', data: {} }]);
        await mustLive();
        expect((await etherpad.get(`/p/${pad}/export/txt`)).body).to.match(/^words/);
      });
    });
  });

  describe('an import whose file arrives after its person has lost the right to write', () => {
    /** Sends a file, and `meanwhile` what happens before its last part. Returns the status of the answer. */
    async function importSlowly(pad: string, cookie: string, meanwhile: () => Promise<unknown>) {
      const before = new Set(readdirSync(temporary));
      const type = 'multipart/form-data; boundary=end';
      const call = request(`${etherpad.url}/p/${pad}/import`, {
        method: 'POST',
        headers: { Cookie: `${cookie}; ${author}`, 'Content-Type': type },
      });
      const status = new Promise((resolve, reject) => {
        call.on('response', (answer) => resolve(answer.resume().statusCode));
        call.on('error', reject);
      });
      const head =
        'Content-Disposition: form-data; name="file"; filename="x.txt"\r\nContent-Type: text/plain';
      call.write(`--end\r\n${head}\r\n\r\nTOO LATE`);
      await until('Etherpad receives the file', () =>
        readdirSync(temporary).some((name) => !before.has(name)),
      );
      await meanwhile();
      call.end('\r\n--end--\r\n');
      return status;
    }

    const losses: Record<string, (pad: string, group: string, member: Person) => Promise<unknown>> = {
      'were removed from the folder': (_pad, group) => fixture.invite(owner, group, []),
      'could only read it': (pad) => fixture.change(owner, `pad/${pad}`, { readonly: true }),
      'signed out': (_pad, _group, { token }) => etherpad.api('GET', 'auth/logout', { token }),
      'could see it in the trash': (pad) => etherpad.api('DELETE', `pad/${pad}`, { token: owner.token }),
    };
    for (const [how, lose] of Object.entries(losses)) {
      it(`changes nothing: they ${how}`, async () => {
        const member = await fixture.person('member');
        const group = await fixture.group(owner);
        await fixture.invite(owner, group, [member.login]);
        const pad = await fixture.pad(owner, group);
        const status = await importSlowly(pad, member.cookie, () => lose(pad, group, member));
        expect(status).to.equal(400);
        await etherpad.api('POST', `trash/${pad}/restore`, { token: owner.token });
        const text = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
        expect([text.status, text.body]).to.deep.equal([200, 'first\nsecond\n']);
      });
    }
  });

  describe('misuse of the connection', () => {
    const tricks: Record<string, (client: PadClient, own: string) => Promise<void>> = {
      'a second connection within the first': async (client, own) => {
        client.sendPacket('0');
        // Nothing shows when the second connection is open.
        await wait(200);
        client.ask(own);
      },
      'an event called disconnect': async (client) => client.sendPacket('2["disconnect","x"]'),
    };
    for (const [name, play] of Object.entries(tricks)) {
      it(`gets no message after the person was removed from the folder, after ${name}`, async () => {
        const member = await fixture.person('member');
        const own = await fixture.pad(member, await fixture.group(member));
        const group = await fixture.group(owner);
        await fixture.invite(owner, group, [member.login]);
        const pad = await fixture.pad(owner, group);
        const writer = await PadClient.writer(etherpad, owner.cookie, pad);
        const client = await PadClient.connect(etherpad, member.cookie);
        await client.join(pad);
        await play(client, own);
        // Nothing shows whether the attack has worked.
        await wait(300);
        await fixture.invite(owner, group, []);
        // The connection may end or stay open, but it must get no message from now on.
        await wait(500);
        const heard = client.messages.length;
        await writer.write('after the removal');
        await writer.say('after the removal');
        // After this time, the messages to everybody in the pad have arrived.
        await wait(500);
        expect(JSON.stringify(client.messages.slice(heard))).not.to.contain('after the removal');
        writer.close();
        client.close();
      });
    }
  });

  it('removes no pad from another pad, not even one whose first author an import has changed', async () => {
    const pad = await padWith('words');
    const client = await PadClient.connect(etherpad);
    await client.join('a-pad-of-my-own');
    await client.write('made by me');
    const file = await etherpad.get('/p/a-pad-of-my-own/export/etherpad');
    await importInto(pad, JSON.parse(String(file.body)), `${owner.cookie}; ${author}`);
    client.send({ type: 'COLLABROOM', data: { type: 'PAD_DELETE', data: { padId: pad } } });
    // The refusal is not answered.
    await wait(500);
    client.close();
    const text = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    expect(text.status).to.equal(200);
    expect(text.body).to.match(/^made by me/);
  });

  it('sends a pad only a few times to a connection that asks for it very often at once', async () => {
    const pad = await padWith('words', 'public');
    const client = await PadClient.connect(etherpad);
    expect(await client.join(pad)).to.equal('write');
    for (let number = 0; number < 100; number++) client.ask(pad);
    const sent = () => client.messages.filter(({ type }) => type === 'CLIENT_VARS').length;
    await until('another answer', () => sent() > 1);
    // The others are not answered.
    await wait(500);
    expect(sent()).to.be.below(20);
    client.close();
  });

  it('answers only a few of many requests at once for the chat', async () => {
    const client = await PadClient.writer(etherpad, owner.cookie, await padWith('words'));
    const data = { type: 'GET_CHAT_MESSAGES', start: 0, end: 0 };
    for (let number = 0; number < 100; number++) client.send({ type: 'COLLABROOM', data });
    const answers = () => client.messages.filter((message) => message.data?.type === 'CHAT_MESSAGES').length;
    await until('an answer', () => answers() > 0);
    // The others are not answered.
    await wait(500);
    expect(answers()).to.be.below(20);
    client.send({ type: 'COLLABROOM', data });
    const before = answers();
    await until('an answer again', () => answers() > before);
    client.close();
  });

  it('changes no settings of a pad for everybody in it', async () => {
    const browser = PadClient.newBrowser();
    const first = await PadClient.connect(etherpad, undefined, browser);
    await first.join('a-pad-with-my-settings');
    await first.write('made by me');
    first.close();
    const file = await etherpad.get('/p/a-pad-with-my-settings/export/etherpad');
    const pad = await padWith('words', 'public');
    await importInto(pad, JSON.parse(String(file.body)), author);
    const one = await PadClient.connect(etherpad, undefined, browser);
    const other = await PadClient.connect(etherpad);
    for (const client of [one, other]) expect(await client.join(pad)).to.equal('write');
    const heard = other.messages.length;
    const payload = { type: 'padoptions', options: { showChat: false, enforceSettings: true } };
    one.send({ type: 'COLLABROOM', data: { type: 'CLIENT_MESSAGE', payload } });
    await one.write('afterwards');
    await other.sees('afterwards');
    expect(JSON.stringify(other.messages.slice(heard))).not.to.contain('enforceSettings');
    for (const client of [one, other]) client.close();
  });

  describe('invalid messages', () => {
    const far = 2 ** 60;
    const pad = (type: string, more: object = {}) => ({ component: 'pad', type, ...more });
    const inRoom = (data: unknown) => pad('COLLABROOM', { data });
    const messages: Record<string, unknown> = {
      'a session that is a number': { sessionID: 5 },
      'a token that is an object': { token: { a: 1 } },
      'a revision that is a fraction': { reconnect: true, client_rev: 0.5 },
      'a revision far below zero': { reconnect: true, client_rev: -1e21 },
      'the pad once more under another name': { token: 't.ZZZZZZZZZZZZZZZZZZZZ', type: 'SWITCH_TO_PAD' },
      'a history from far below zero': pad('CHANGESET_REQ', {
        data: { start: -far, granularity: 1, requestID: 1 },
      }),
      'a message to all without content': pad('COLLABROOM'),
      'a chat from far below zero': inRoom({ type: 'GET_CHAT_MESSAGES', start: -far, end: -far }),
      'a history from far above': pad('CHANGESET_REQ', {
        data: { start: far, granularity: 1, requestID: 1 },
      }),
      'a chat from far above': inRoom({ type: 'GET_CHAT_MESSAGES', start: far, end: far }),
      'a chat without end': inRoom({ type: 'GET_CHAT_MESSAGES', start: 0, end: 2 ** 31 - 1 }),
      'a long chat from far below zero': inRoom({
        type: 'GET_CHAT_MESSAGES',
        start: -far / 2,
        end: -far / 2 + 64,
      }),
      'a change with a number for attributes': inRoom({
        type: 'USER_CHANGES',
        baseRev: 0,
        changeset: 'Z:1>1*0+1$x',
        apool: 5,
      }),
      'a colour that cannot become text': inRoom({
        type: 'USERINFO_UPDATE',
        userInfo: { colorId: { toString: 1 }, name: 'x' },
      }),
      'a part of the server that is none': { component: '__proto__', type: 'x' },
      'a part of the server that is a list': { component: ['pad'], type: 'CLIENT_READY', padId: 'x' },
    };
    for (const readonly of [false, true]) {
      it(`do not end the server, from a ${readonly ? 'reader' : 'writer'}`, async () => {
        const id = await padWith('words', 'public');
        if (readonly) await fixture.change(owner, `pad/${id}`, { readonly: true });
        await checkEach(messages, async (message) => {
          const client = await PadClient.connect(etherpad);
          const opens = typeof message === 'object' && message !== null && !('component' in message);
          if (opens && !('type' in message)) client.ask(id, { ...message });
          else {
            await client.join(id);
            if (opens) client.ask(id, { ...message });
            else client.sendRaw(message);
          }
          // Most of these messages get no answer.
          await wait(100);
          client.close();
          await mustLive();
          expect(etherpad.log()).not.to.include('message handler of Etherpad failed');
        });
      });
    }

    it('do not end the server: pads with unusual names', async () => {
      const parts = ['__proto__', 'constructor', 'a\u0000b', '..'];
      const ids = ['a:b', ' ', '\n', '$', 'x'.repeat(51), `r.${'x'.repeat(32)}`, ...parts];
      await checkEach(
        ids.map((id) => [JSON.stringify(id), id] as const),
        async (id) => {
          const client = await PadClient.connect(etherpad);
          client.ask(id);
          // Names such as `constructor` get no answer.
          await wait(200);
          client.close();
          await mustLive();
        },
      );
    });

    it('do not end the server: cookies that are objects', async () => {
      const id = await padWith('words', 'public');
      const readOnlyId = await PadClient.readOnlyIdOf(etherpad, owner.cookie, id);
      const cookie = `sessionID=j:{"a":1}; ${author}`;
      for (const path of [`/ro/${readOnlyId}`, `/p/${id}`, `/p/${id}/export/txt`]) {
        await etherpad.get(path, { cookie });
        await mustLive();
      }
    });
  });

  it('do not remove a pad of the plugin from within the editor', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const client = await PadClient.writer(etherpad, owner.cookie, pad);
    client.send({ type: 'COLLABROOM', data: { type: 'PAD_DELETE', data: { padId: pad }, padId: pad } });
    await client.write('still here');
    client.close();
    const text = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    expect(text.body).to.contain('still here');
  });
});
