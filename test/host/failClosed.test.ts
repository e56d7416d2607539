/**
 * When the plugin cannot start or its database fails, no pad opens and the log says why. Faults are injected into a
 * real Etherpad.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createFixture } from '../support/hostFixture';
import { connectNamespace } from '../support/namespaceClient';
import { PadClient } from '../support/socketClient';
import { installTestPlugin, notesPlugin } from '../support/testPlugins';

/**
 * A script that Node loads before Etherpad. It replaces modules that the plugin requires. `when`: which modules;
 * `instead`: what the plugin gets instead.
 */
function damage(when: string, instead: string): string {
  return `
    const { existsSync } = require('node:fs');
    const Module = require('node:module');
    const load = Module._load;
    Module._load = function (request, parent) {
      const damaged = request === '${when}' && /ep_mypads[^/\\\\]*[/\\\\]dist/.test((parent && parent.filename) || '');
      const original = () => load.apply(this, arguments);
      return damaged ? (() => { ${instead} })() : original();
    };`;
}

/** Etherpad's database, whose reads fail while `condition` holds. Its cache, which we read on 1.8.14, is hidden. */
function failingDatabase(condition: string): string {
  return damage(
    'ep_etherpad-lite/node/db/DB',
    `const loaded = original();
     const database = loaded.__esModule && loaded.default ? loaded.default : loaded;
     const get = async (key) => {
       if (${condition}) throw new Error('damaged on purpose');
       return database.get(key);
     };
     const changed = { get, db: null };
     return new Proxy(database, { get: (target, name) => (name in changed ? changed : target)[name] });`,
  );
}

const damages = {
  'a file of it is missing a part': damage('./server.js', 'return {};'),
  'Etherpad lacks a function that it needs': damage(
    'ep_etherpad-lite/node/db/ReadOnlyManager',
    `const loaded = original();
     const { isReadOnlyId, ...rest } = loaded.__esModule && loaded.default ? loaded.default : loaded;
     return rest;`,
  ),
  'the database refuses its records': failingDatabase('true'),
};

describe('a plugin that cannot start', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-damage-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [title, script] of Object.entries(damages)) {
    describe(`because ${title}`, () => {
      let etherpad: RunningEtherpad;
      let removePlugin: (() => void) | undefined;

      before(async () => {
        const file = path.join(folder, `${title.replaceAll(' ', '-')}.cjs`);
        writeFileSync(file, script);
        etherpad = await startEtherpad({
          broken: true,
          env: { NODE_OPTIONS: `--require ${file}` },
          async beside(folder) {
            removePlugin = await installTestPlugin(folder, notesPlugin);
          },
        });
      });
      after(async () => {
        await etherpad?.stop();
        removePlugin?.();
      });

      it('opens no pad over HTTP', async () => {
        for (const place of [
          '/p/any',
          '/P/%61ny/timeslider',
          '/p/any/export/txt',
          '/p/r.0123',
          '/ro/r.0123',
        ]) {
          expect((await etherpad.get(place)).status, place).to.equal(503);
          const page = await etherpad.get(place, { accept: 'text/html' });
          expect(page.status).to.equal(503);
          expect(page.body).to.contain('Not available just now');
        }
        expect((await etherpad.get('/p/any/import', { method: 'POST' })).status).to.equal(503);
      });

      it('opens no pad on the websocket', async () => {
        const client = await PadClient.connect(etherpad);
        for (const more of [{}, { reconnect: true, client_rev: -1 }, { type: 'SWITCH_TO_PAD' }]) {
          if (etherpad.major > 1 && 'type' in more) continue;
          expect(await client.join('any', more)).to.equal('refused');
        }
        client.close();
      });

      it('gives nothing to other plugins', async () => {
        const client = await PadClient.connect(etherpad);
        await client.join('any');
        client.send({ type: 'COLLABROOM', data: { type: 'title', padId: 'any', title: 'INTRUDER' } });
        const notes = await connectNamespace(etherpad, '/notes');
        expect(await notes.ask('getNotes', { padId: 'any' })).to.equal(undefined);
        notes.close();
        client.close();
        const named = await etherpad.get('/test-public/class-5a-1pyyukos5e2u');
        expect(named.status, 'an address that names a pad').to.equal(503);
        const taken = (await etherpad.get('/test-notes')).body;
        expect(taken).to.deep.equal({ notes: [], titles: [], signals: [] });
      });

      it('delivers no file of the server', async () => {
        const answer = await etherpad.get('/static/plugins/ep_etherpad-lite/static/..%5C..%5Cpackage.json');
        expect(answer.status).to.equal(400);
      });

      it('answers 503 at /mypads', async () => {
        const answer = await etherpad.get('/mypads/api/configuration');
        expect([answer.status, answer.body]).to.deep.equal([503, { error: 'BACKEND.ERROR.SERVER.BUSY' }]);
        expect((await etherpad.get('/mypads/', { accept: 'text/html' })).status).to.equal(503);
      });

      it('says why in the log', () => {
        expect(etherpad.log()).to.match(/ep_mypads.*every pad stays closed/);
        expect(etherpad.log()).to.match(/damaged on purpose|is missing|ReadOnlyManager: isReadOnlyId\(\)/);
      });
    });
  }
});

describe('a database that fails later', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-damage-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('closes the pads while it fails, ends no other connection, and opens them when it works again', async () => {
    const file = path.join(folder, 'later.cjs');
    const sign = path.join(folder, 'failing');
    writeFileSync(file, failingDatabase(`existsSync(${JSON.stringify(sign)})`));
    const etherpad = await startEtherpad({ env: { NODE_OPTIONS: `--require ${file}` } });
    try {
      const fixture = createFixture(etherpad);
      const owner = await fixture.person('owner');
      const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
      const editor = await PadClient.writer(etherpad, owner.cookie, pad);
      const denied = editor.next('the refusal', ({ accessStatus }) => accessStatus === 'deny', 20_000);
      writeFileSync(sign, '');
      expect((await etherpad.get(`/p/${pad}`, { cookie: owner.cookie })).status).to.equal(503);
      editor.sendChange('INTRUDER');
      await denied;
      const late = await PadClient.connect(etherpad, owner.cookie);
      expect(await late.join(pad)).to.equal('refused');
      expect((await etherpad.api('GET', 'group', { token: owner.token })).status).to.be.oneOf([500, 503]);
      rmSync(sign);
      const text = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
      expect(text.status).to.equal(200);
      expect(text.body).to.not.contain('INTRUDER');
      for (const client of [editor, late]) client.close();
    } finally {
      await etherpad.stop();
    }
  });
});
