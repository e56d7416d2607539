/** Exports that nobody fetches, that do not fit or that fail. */
import { randomBytes, randomUUID } from 'node:crypto';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import supertest from 'supertest';
import { createApp } from '../../api/app';
import { exportLimits } from '../../model/limits';
import { keys } from '../../model/store/store';
import { createLimits } from '../../web/rateLimit';
import { startApp, temporaryFolder } from '../support/app';
import { callerOf } from '../support/caller';
import { beginExport, endOfExport, readExport, untilExportIsGone } from '../support/exports';
import { buildGroup, buildPad, buildUser, type TestUser } from '../support/factories';
import { listen } from '../support/listening';
import { inProcessOnly } from '../support/network';
import { usePeople } from '../support/people';
import { until } from '../support/waiting';

// The texts of pads are written into the database of the tests; test/host/exports.test.ts has those of a real Etherpad.
inProcessOnly.describe('exports', () => {
  const people = usePeople();
  const { bob, asCarol } = people;

  describe('over slow lines', () => {
    const limits: { idle: number } = exportLimits;
    const { idle } = limits;
    let files: Readable[] = [];
    let answers: IncomingMessage[] = [];
    let end = async (): Promise<void> => {};
    let url = '';

    beforeEach(async () => {
      const { exportFiles } = people.app.ports;
      const { read } = exportFiles;
      const { model, ports } = people.app;
      // Apart, because the other server checks answers for secrets, and holds them back until they are complete.
      const folder = join(tmpdir(), 'no-such-folder');
      const limits = createLimits(ports.coordination, 1_000);
      const handler = createApp({ model, limits, staticRoot: folder, templateRoot: folder });
      const server = await listen(createServer(handler));
      url = server.url;
      [files, answers] = [[], []];
      // More than the buffers of a connection hold.
      const pieces = new Array<Buffer>(2_000).fill(Buffer.alloc(65_536));
      exportFiles.read = async () => {
        const content = Readable.from(pieces);
        files.push(content);
        return { size: 2_000 * 65_536, content };
      };
      end = async () => {
        Object.assign(exportFiles, { read });
        await server.stop();
      };
    });
    afterEach(async () => {
      limits.idle = idle;
      await end();
    });

    /** Begins to download an export so often, and reads nothing. */
    async function beginDownloads(reader: TestUser, count: number): Promise<void> {
      const id = await beginExport(callerOf(people.app, reader.token), { me: true });
      expect((await endOfExport(callerOf(people.app, reader.token), id)).state).to.equal('ready');
      const headers = { Authorization: `Bearer ${reader.token}` };
      for (let number = 0; number < count; number += 1) {
        get(`${url}/api/exports/${id}/file`, { headers }, (answer) => {
          answers.push(answer.on('error', () => {}));
        }).on('error', () => {});
      }
    }

    it('hold up no other calls of the person or of others at the address', async () => {
      const readers = await Promise.all(Array.from({ length: 6 }, () => buildUser(people.app)));
      for (const reader of readers) await beginDownloads(reader, 6);
      await until('three of each are sent', () => answers.length === 18);
      const others = { agent: supertest(url) };
      for (const { token } of [bob, ...readers])
        await callerOf(others, token)('get', 'group').timeout(10_000).expect(200);
      expect(files.length).to.equal(18);
    });

    it('end when nothing of them is read for long', async () => {
      limits.idle = 200;
      await beginDownloads(await buildUser(people.app), 1);
      await until('the file is closed', () => files[0]?.destroyed === true);
      answers[0]?.resume();
      await until('the answer ends', () => answers[0]?.destroyed === true);
      expect(answers[0]?.complete).to.equal(false);
    });
  });

  it('say clearly that no file can be written, and that the disk is full', async () => {
    const file = join(tmpdir(), `mypads-no-folder-${randomUUID()}`);
    await writeFile(file, '');
    const app = await startApp({ exportFolder: join(file, 'below') });
    try {
      const call = callerOf(app, (await buildUser(app)).token);
      expect((await call('post', 'exports', { me: true })).body.error).to.equal(
        'BACKEND.ERROR.EXPORT.NOT_STORED',
      );
      expect((await call('get', 'exports')).body.value).to.deep.equal([]);
    } finally {
      await app.close();
    }
    const folder = temporaryFolder();
    const full = await startApp({ exportFolder: folder.path });
    const { exportFiles } = full.ports;
    const write = exportFiles.write.bind(exportFiles);
    exportFiles.write = async (name, content) => {
      await symlink('/dev/full', join(folder.path, String(process.pid), `${name}.part`));
      return write(name, content);
    };
    try {
      const person = await buildUser(full);
      const call = callerOf(full, person.token);
      const pad = await buildPad(full, person, await buildGroup(full, person));
      // Too much for the buffers, so that more is to be read when the disk is full.
      const text = randomBytes(1_000_000).toString('base64');
      await full.ports.database.set(`pad:${pad._id}`, { text, edited: null, chatHead: -1 });
      const id = await beginExport(call, { pads: [pad._id] });
      expect(await endOfExport(call, id)).to.deep.include({
        state: 'failed',
        error: 'BACKEND.ERROR.EXPORT.NOT_STORED',
      });
    } finally {
      await full.close();
      folder.remove();
    }
  });

  it('end when the file gets too large, and nothing of it stays', async () => {
    const limits: { archive: number } = exportLimits;
    const { archive } = limits;
    // A gigabyte would take a minute and the memory of the machine.
    limits.archive = 1_000;
    try {
      const id = await beginExport(asCarol, { me: true });
      expect(await endOfExport(asCarol, id)).to.deep.include({
        state: 'failed',
        error: 'BACKEND.ERROR.EXPORT.TOO_LARGE',
      });
      await untilExportIsGone(people.app, id);
    } finally {
      limits.archive = archive;
    }
  });

  it('that were given up in another process have failed, also when their file is made', async () => {
    const { app, alice, asAlice } = people;
    const pad = await buildPad(app, alice, await buildGroup(app, alice));
    await app.inject({ fault: 'block', calls: ['get'], keys: `pad:${pad._id}` });
    const id = await beginExport(asAlice, { pads: [pad._id] });
    await app.ports.database.remove(keys.jobs);
    await app.inject({ fault: 'none' });
    await app.idle();
    expect((await readExport(asAlice, id)).state).to.equal('failed');
    await untilExportIsGone(app, id);
  });

  it('are tried again when the database does not answer, and say it when that does not help', async () => {
    const app = await startApp();
    try {
      const user = await buildUser(app);
      const call = callerOf(app, user.token);
      await app.model.users.update(user.id, (record) => ({ ...record, authors: ['a.own'] }));
      const broken = { fault: 'fail' as const, why: 'down', calls: ['get' as const], keys: 'globalAuthor:' };
      for (const isHelped of [true, false]) {
        await app.inject(broken);
        const id = (await call('post', 'exports', { me: true }).expect(200)).body.key;
        const job = `makeExport:${id}`;
        const failures = async () => (await app.model.jobs.list()).find((one) => one.id === job)?.attempts;
        await until('it has failed', async () => (await failures()) === 1);
        expect(await readExport(call, id)).to.deep.include({ state: 'working' });
        if (isHelped) await app.inject({ fault: 'none' });
        for (let more = isHelped ? 1 : 2; more > 0; more -= 1) await app.model.jobs.runNow(job);
        const answer = await endOfExport(call, id);
        if (isHelped) expect(answer).to.deep.include({ state: 'ready' });
        else expect(answer).to.deep.include({ state: 'failed', error: 'BACKEND.ERROR.EXPORT.FAILED' });
      }
    } finally {
      await app.close();
    }
  });
});
