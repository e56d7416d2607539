/**
 * What a visitor can make Etherpad store. 1.8.14 stores a record of an .etherpad file that no plugin claims under no
 * key: PostgreSQL refuses it, and the process ends; a database file with it can never be opened again.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkEach } from '../support/cases';
import { databases, type FreshDatabase } from '../support/databases';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createFixture, type Fixture, type Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { installTestPlugin, recordsPlugin } from '../support/testPlugins';
import { until } from '../support/waiting';

type Records = Record<string, unknown>;
type Chat = Record<string, { text?: string }>;

const guest = 'token=t.AAAAAAAAAAAAAAAAAAAA';
const text = { text: 'x\n', attribs: '|1+2' };
const pool = { numToAttrib: {}, nextNum: 0 };
const pad = { atext: text, pool, head: 0, chatHead: -1, publicStatus: false, savedRevisions: [] };
const revision = { changeset: 'Z:1>1+1$x', meta: { author: '', timestamp: 1, pool, atext: text } };
/** A pad with the text `x`. */
const small: Records = { 'pad:x': pad, 'pad:x:revs:0': revision };

/** Stands for lists in lists: `JSON.stringify` cannot write so many, and a database cannot either. */
const nested = 'nested';
const inFile = (records: unknown): string =>
  JSON.stringify(records).replace(`"${nested}"`, `${'['.repeat(20_000)}${']'.repeat(20_000)}`);

/** Files of which only the pad is imported. */
const partly: Record<string, Records> = {
  'a record that no plugin claims': { 'x:y': { a: 1 } },
  'a record of another pad': { 'test-records:y': { a: 1 } },
  'a record without a prefix': { x: { a: 1 } },
  'a key without letters': { '': { a: 1 } },
  'a prototype': JSON.parse('{"__proto__":{"a":1}}'),
};

/** Files of which nothing is imported. */
const refused: Record<string, Records> = {
  'a record of a plugin under a key that no database takes': { 'test-records:x:\u0000': { a: 1 } },
  'a record of a plugin under a key that is too long': { [`test-records:x:${'k'.repeat(100)}`]: { a: 1 } },
  'a record of a plugin that would be stored under any key': { 'test-records:x': { padIDs: 'x' } },
  'a record of a plugin that is nested too deeply': { 'test-records:x': { nested } },
  'an author that is a list': { 'globalAuthor:a.x': [] },
  'an author with a name that is a number': { 'globalAuthor:a.x': { name: 5, padIDs: 'x' } },
  'a chat message that is a number': { 'pad:x': { ...pad, chatHead: 0 }, 'pad:x:chat:0': { text: 5 } },
  'a chat message of nested lists': {
    'pad:x': { ...pad, chatHead: 0 },
    'pad:x:chat:0': { text: 'x', userId: null, more: { nested } },
  },
  'a missing chat message': { 'pad:x': { ...pad, chatHead: 1 }, 'pad:x:chat:0': { text: 'x' } },
  'a field that replaces a method of the pad': { 'pad:x': { ...pad, appendRevision: 1 } },
  'a saved revision that is none': { 'pad:x': { ...pad, savedRevisions: [null] } },
  'a saved revision that does not exist': { 'pad:x': { ...pad, savedRevisions: [{ revNum: 1 }] } },
  'a pool without the number of its next attribute': { 'pad:x': { ...pad, pool: { numToAttrib: {} } } },
  'a pool with gaps': { 'pad:x': { ...pad, pool: { numToAttrib: { 5: ['bold', 'true'] }, nextNum: 1 } } },
  'a pool with an author in a list': {
    'pad:x': { ...pad, pool: { numToAttrib: { 0: ['author', ['a.x']] }, nextNum: 1 } },
  },
  'a revision of an author that is an object': {
    'pad:x:revs:0': { ...revision, meta: { ...revision.meta, author: {} } },
  },
  'a first revision without its text': { 'pad:x:revs:0': { ...revision, meta: { timestamp: 1 } } },
  'a missing revision': {
    'pad:x': { ...pad, head: 1 },
    'pad:x:revs:2': { changeset: 'Z:2>0$', meta: {} },
  },
  'a revision with a number that Etherpad does not write': { 'pad:x:revs:00': revision },
};

for (const kind of databases.filter(({ name }) => ['dirty', 'PostgreSQL'].includes(name))) {
  describe(`records that visitors write, on ${kind.name}`, function () {
    this.timeout(300_000);
    let fresh: FreshDatabase;
    let etherpad: RunningEtherpad;
    let fixture: Fixture;
    let owner: Person;
    let removePlugin: (() => void) | undefined;

    before(async () => {
      fresh = await kind.create();
      etherpad = await startEtherpad({
        settings: fresh.hostSettings(),
        async beside(folder) {
          removePlugin = await installTestPlugin(folder, recordsPlugin);
        },
      });
      fixture = createFixture(etherpad);
      owner = await fixture.person('owner');
    });
    after(async () => {
      await etherpad?.stop();
      removePlugin?.();
      await fresh?.drop();
    });

    const address = (id: string): string => `/p/${encodeURIComponent(id)}`;

    function importInto(id: string, records: unknown, cookie = guest) {
      const form = new FormData();
      form.set('file', new Blob([inFile(records)]), 'export.etherpad');
      return etherpad.get(`${address(id)}/import`, { method: 'POST', form, cookie });
    }

    async function exported(id: string, cookie?: string): Promise<Records> {
      const { body } = await etherpad.get(`${address(id)}/export/etherpad`, { cookie });
      return typeof body === 'string' ? JSON.parse(body) : (body as Records);
    }

    const textOf = async (id: string, cookie?: string): Promise<string> =>
      String((await etherpad.get(`${address(id)}/export/txt`, { cookie })).body);

    /** A pad with one word, in which a guest may write. */
    async function publicPad(): Promise<string> {
      const id = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
      const writer = await PadClient.writer(etherpad, guest, id);
      await writer.write('before');
      writer.close();
      return id;
    }

    /** The names that authors have in a pad, and all authors that a file of it names. */
    function authorsIn(records: Records): { ids: string[]; names: unknown[] } {
      const ids = new Set(JSON.stringify(records).match(/\ba\.\w{16}\b/g));
      const found = Object.entries(records).filter(([key]) => key.startsWith('globalAuthor:'));
      return { ids: [...ids], names: found.map(([, author]) => (author as { name?: unknown }).name).sort() };
    }

    it('have no key with NUL, and nobody is told that the database is at fault', async () => {
      const id = await publicPad();
      const client = await PadClient.connect(etherpad);
      client.ask('a\0b');
      client.ask(id, { token: 't.AAAAAAAAAAAA\0AAAA' });
      client.close();
      const another = await PadClient.writer(etherpad, '', id);
      another.close();
      for (const name of ['token', 'sessionID', 'mypads_entry']) {
        const { status } = await etherpad.get(`/p/${id}/export/txt`, { cookie: `${name}=t.%00abc` });
        expect(status, name).to.equal(200);
      }
      await checkEach(
        { '/p/a%00b': 401, '/p/a%00b/export/txt': 401, '/p/r.a%00b': 401, '/ro/r.a%00b': 401 },
        async (expected, path) => expect((await etherpad.get(path)).status).to.equal(expected),
      );
      await checkEach({ 'pad/a%00b': 404, 'group/a%00b': 404, 'user/a%00b': 401 }, async (expected, path) =>
        expect((await etherpad.api('GET', path, { token: owner.token })).status).to.equal(expected),
      );
      expect(etherpad.log()).to.not.contain('database unavailable');
    });

    it('are no chat messages without text', async () => {
      const id = await publicPad();
      const client = await PadClient.connect(etherpad);
      await client.join(id);
      for (const data of [{}, etherpad.major === 1 ? { message: { text: 'x' } } : { text: 'x' }])
        client.send({ type: 'COLLABROOM', data: { type: 'CHAT_MESSAGE', ...data } });
      await client.say('with a text');
      client.close();
      const messages = Object.entries((await exported(id)) as Chat).filter(([key]) => key.includes(':chat:'));
      expect(messages.map(([, { text: said }]) => said)).to.deep.equal(['with a text']);
    });

    it('of a file bring the pad alone if it has others, into pads of Etherpad too', () =>
      checkEach(partly, async (more, what) => {
        for (const id of [`nobody: ${what}`.replaceAll(/\W+/g, '-'), await publicPad()]) {
          expect((await importInto(id, { ...small, ...more })).status).to.equal(200);
          expect(await textOf(id)).to.equal('x\n');
        }
      }));

    it('of a file are refused if Etherpad could not read them again, and change nothing', async () => {
      const id = await publicPad();
      await checkEach(refused, async (more) => {
        const { status, body } = await importInto(id, { ...small, ...more });
        expect([status, body]).to.deep.equal([400, { code: 1, message: 'uploadFailed', data: {} }]);
        expect(await textOf(id)).to.match(/^before/);
      });
    });

    it('of a file bring what an installed plugin stores, and authors that lack the name of the pad', async () => {
      const id = await publicPad();
      const author = { colorId: 3, name: 'Elsewhere', timestamp: 1 };
      const notes = { a: [1, { b: null }] };
      const { status } = await importInto(id, {
        ...small,
        'globalAuthor:a.elsewhereelsewhe': author,
        'test-records:x': notes,
      });
      expect(status).to.equal(200);
      await until('the record is stored', async () => (await exported(id))[`test-records:${id}`] !== null);
      expect((await exported(id))[`test-records:${id}`]).to.deep.equal(notes);
      expect(await textOf(id)).to.equal('x\n');
    });

    describe('of a file of a pad of two members', () => {
      let other: Person;
      let group: string;
      let file: Records;
      let authors: { owner: string; other: string };

      before(async () => {
        other = await fixture.person('other');
        group = await fixture.group(owner);
        await fixture.invite(owner, group, [other.login]);
        const id = await fixture.pad(owner, group);
        const ids: string[] = [];
        for (const { cookie, login } of [owner, other]) {
          const writer = await PadClient.writer(etherpad, cookie, id);
          await writer.write(`written by ${login}. `);
          await writer.say(`said by ${login}`);
          ids.push(writer.authorId);
          writer.close();
        }
        const [first = '', second = ''] = ids;
        authors = { owner: first, other: second };
        file = await exported(id, owner.cookie);
        expect(authorsIn(file).ids).to.include.members(ids);
      });

      it('come back whole when a member imports them: what the other one wrote has an author of their name', async () => {
        const id = await fixture.pad(owner, group);
        expect((await importInto(id, file, owner.cookie)).status).to.equal(200);
        expect(await textOf(id, owner.cookie)).to.match(/written by other\d+\. written by owner/);
        const again = await exported(id, owner.cookie);
        const { ids, names } = authorsIn(again);
        expect(ids).to.include(authors.owner).and.not.include(authors.other);
        expect(ids).to.have.length(2);
        expect(names).to.deep.equal(authorsIn(file).names);
        // Etherpad stores more fields, but the history and the chat are the same.
        expect(Object.keys(again)).to.have.length(Object.keys(file).length);
        const reader = await PadClient.writer(etherpad, other.cookie, id);
        await reader.write('and goes on. ');
        reader.close();
        expect(await exported(id, owner.cookie)).to.have.property(`globalAuthor:${authors.other}`);
      });

      it('name none of them when a guest imports them', async () => {
        for (const id of [await publicPad(), `a-pad-of-nobody-${kind.name}`]) {
          expect((await importInto(id, file)).status).to.equal(200);
          expect(await textOf(id)).to.match(/^written by other/);
          const { ids, names } = authorsIn(await exported(id));
          expect(ids).to.have.length(2).and.not.include.members([authors.owner]);
          expect(ids).to.not.include.members([authors.other]);
          expect(names).to.deep.equal(authorsIn(file).names);
        }
      });
    });

    describe('afterwards', () => {
      it('leave a database that the next start can open', async () => {
        await etherpad.halt();
        if (kind.name === 'dirty') {
          const filename = String(fresh.hostSettings().dbSettings.filename);
          for (const line of readFileSync(filename, 'utf8').trimEnd().split('\n')) {
            const { key, val } = JSON.parse(line) as { key?: unknown; val?: unknown };
            expect(key, line.slice(0, 200)).to.be.a('string').and.not.equal('');
            // As a part of its own: a random token may have these letters.
            expect(line.slice(0, 200)).to.not.match(/[:"]NaN[:",}]/);
            // Etherpad itself stores the author of all browsers without a token under `undefined`.
            if (key !== 'token2author:undefined') expect(key).to.not.match(/undefined|null|\[object/);
            expect(val).to.not.equal(null);
          }
        }
        await etherpad.restart();
        expect((await etherpad.api('GET', 'cache/check')).status).to.equal(200);
      });
    });
  });
}
